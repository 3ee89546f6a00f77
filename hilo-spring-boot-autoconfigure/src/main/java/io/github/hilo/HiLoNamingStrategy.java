package io.github.hilo;

/**
 * Names the sequence from which an entity type gets its ids. A bean of this type replaces
 * {@code hilo.naming}; {@link HiLo#sequence()} takes precedence over the bean.
 * <p>
 * An implementation must be thread-safe and quick, must return the same name for the same
 * arguments, and must return a valid name; see {@link HiLoIdGenerator}. It is asked once
 * for each type and collection, and again if it fails or if a type is saved to more than
 * a thousand collections.
 */
@FunctionalInterface
public interface HiLoNamingStrategy {

	/**
	 * Names a sequence.
	 * @param entityType the entity's type
	 * @param collection the MongoDB collection that the entity is saved to
	 * @return the sequence's name, which its counter has unchanged
	 */
	String sequenceName(Class<?> entityType, String collection);

}
