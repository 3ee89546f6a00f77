package io.github.hilo;

import org.jspecify.annotations.Nullable;

/**
 * Checks the arguments of calls. Internal.
 *
 * @hidden
 */
public final class Arguments {

	private Arguments() {
	}

	/**
	 * Checks an entity type.
	 * @param entityType the type
	 * @return the type
	 * @throws IllegalArgumentException if it is {@code null}
	 */
	public static Class<?> requireType(@Nullable Class<?> entityType) {
		return require(entityType, "The entity type is null. Pass the class of a mapped document.");
	}

	/**
	 * Checks an entity.
	 * @param entity the entity
	 * @return its type
	 * @throws IllegalArgumentException if it is {@code null}
	 */
	public static Class<?> requireTypeOf(@Nullable Object entity) {
		return require(entity, "The entity is null. Pass an instance of a mapped document.").getClass();
	}

	/**
	 * Checks that there is a name.
	 * @param sequence the name of a sequence
	 * @return the name
	 * @throws IllegalArgumentException if it is {@code null}
	 */
	public static String requireSequence(@Nullable String sequence) {
		return require(sequence, "The sequence name is null. Pass the exact name of a counter, such as \"orders\".");
	}

	/**
	 * Checks how many numbers a block has.
	 * @param count the count
	 * @return the count
	 * @throws IllegalArgumentException if it is not from 1 to
	 * {@link HiLoSequence#MAX_COUNT}
	 */
	public static int requireCount(int count) {
		if (count < 1 || count > HiLoSequence.MAX_COUNT) {
			throw new IllegalArgumentException("A block of " + count
					+ " numbers was asked for. Ask for at least 1 and at most " + HiLoSequence.MAX_COUNT + ".");
		}
		return count;
	}

	/**
	 * Checks what a counter must reach.
	 * @param floor the floor
	 * @return the floor
	 * @throws IllegalArgumentException if it is not from 1 to
	 * {@link HiLoIdGenerator#MAX_FLOOR}
	 */
	public static long requireFloor(long floor) {
		if (floor < 1 || floor > HiLoIdGenerator.MAX_FLOOR) {
			throw new IllegalArgumentException("A counter cannot be raised to " + floor
					+ ". Pass the highest number in use, from 1 to " + HiLoIdGenerator.MAX_FLOOR + ".");
		}
		return floor;
	}

	private static <T> T require(@Nullable T value, String message) {
		if (value == null) {
			throw new IllegalArgumentException(message);
		}
		return value;
	}

}
