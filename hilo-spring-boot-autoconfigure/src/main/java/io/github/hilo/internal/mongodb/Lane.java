package io.github.hilo.internal.mongodb;

import io.github.hilo.internal.text.Names;

/**
 * Which commands one place, or the counters of one database, can delay.
 *
 * @param collection the collection, or an empty string for the counters
 * @param field the field, or an empty string for the counters
 */
record Lane(String database, String collection, String field) {

	static Lane ofCounters(String database) {
		return new Lane(database, "", "");
	}

	/**
	 * Returns the lane of a find, which can be one of counters.
	 * @param counters the collection of the counters
	 */
	static Lane of(Query query, String database, String counters) {
		return query.collection().equals(counters) ? ofCounters(database)
				: new Lane(database, query.collection(), query.field());
	}

	boolean isOfCounters() {
		return this.collection.isEmpty();
	}

	String describe() {
		String ofDatabase = "database " + Names.quoted(this.database);
		return isOfCounters() ? ofDatabase : "field " + Names.quoted(this.field) + " of collection "
				+ Names.quoted(this.collection) + " of " + ofDatabase;
	}

}
