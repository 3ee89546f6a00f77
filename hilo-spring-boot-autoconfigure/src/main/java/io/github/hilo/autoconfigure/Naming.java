package io.github.hilo.autoconfigure;

/**
 * How the sequences of entity types are named.
 */
public enum Naming {

	/**
	 * The name of the MongoDB collection.
	 */
	COLLECTION,

	/**
	 * RavenDB's plural of the type's name.
	 */
	RAVEN

}
