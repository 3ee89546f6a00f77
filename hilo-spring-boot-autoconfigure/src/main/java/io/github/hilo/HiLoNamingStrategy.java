package io.github.hilo;

/**
 * Names the sequence that an entity type counts in. Define a bean of this type to replace
 * {@code hilo.naming}; {@link HiLo#sequence()} comes before it.
 * <p>
 * Must be thread-safe and quick, answer the same for the same arguments, and never answer
 * an invalid name; {@link HiLoIdGenerator} says which names are.
 */
@FunctionalInterface
public interface HiLoNamingStrategy {

	/**
	 * Names a sequence.
	 * @param entityType the entity's type
	 * @param collection the MongoDB collection that the entity is saved to
	 * @return the exact name of the counter
	 */
	String sequenceName(Class<?> entityType, String collection);

}
