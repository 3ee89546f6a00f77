package io.github.hilo;

import org.jspecify.annotations.Nullable;

/**
 * Checks the arguments of API calls. Internal.
 *
 * @hidden
 */
public final class Arguments {

	private Arguments() {
	}

	public static Class<?> requireType(@Nullable Class<?> entityType) {
		return require(entityType, "The entity type is null. Pass the class of a mapped document.");
	}

	public static Class<?> requireTypeOf(@Nullable Object entity) {
		return require(entity, "The entity is null. Pass an instance of a mapped document.").getClass();
	}

	public static String requireSequence(@Nullable String sequence) {
		return require(sequence, "The sequence name is null. Pass the exact name of a counter, such as \"orders\".");
	}

	public static int requireCount(int count) {
		if (count < 1 || count > HiLoSequence.MAX_COUNT) {
			throw new IllegalArgumentException("A block of " + count
					+ " numbers was requested. Request at least 1 and at most " + HiLoSequence.MAX_COUNT + ".");
		}
		return count;
	}

	public static long requireFloor(long floor) {
		if (floor < 1 || floor > HiLoIdGenerator.MAX_NUMBER) {
			throw new IllegalArgumentException("A counter cannot be raised to " + floor
					+ ". Pass the highest number in use, from 1 to " + HiLoIdGenerator.MAX_NUMBER + ".");
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
