package io.github.hilo;

/**
 * Finds the store of a database. Internal.
 */
public interface RangeStores extends AutoCloseable {

	/**
	 * Resolves the default database on the calling thread.
	 * @return its store
	 */
	RangeStore current();

	/**
	 * Whether {@link #current()} always answers the same database, whatever the thread
	 * and the time.
	 * @return {@code true} if it is enough to resolve it once
	 */
	boolean isCurrentFixed();

	/**
	 * Resolves a database by its name.
	 * @param database the database's name
	 * @return its store
	 */
	RangeStore named(String database);

	/**
	 * Lets the requests under way finish and accepts no more.
	 */
	@Override
	void close();

}
