package io.github.hilo.mongodb;

import io.github.hilo.HiLoDocumentException;
import io.github.hilo.store.Names;
import org.bson.BsonDocument;

/**
 * Which counter, and what messages say of it.
 *
 * @param sequence the sequence that counts in it
 * @param database the database's name
 * @param collection the name of the collection of the counter documents
 * @param idPrefix what precedes a sequence's name in a counter's {@code _id}
 */
record CounterName(String sequence, String database, String collection, String idPrefix) {

	CounterDocument document() {
		return new CounterDocument(this.idPrefix + this.sequence);
	}

	/**
	 * Names the sequence, for a message.
	 */
	String describe() {
		return "sequence " + Names.quoted(this.sequence) + " of database " + Names.quoted(this.database);
	}

	/**
	 * Names the collection of the counter, for a message.
	 */
	String place() {
		return "collection " + Names.quoted(this.collection) + " of database " + Names.quoted(this.database);
	}

	/**
	 * Reads the counter.
	 * @param found its document
	 * @return the highest number granted to any client
	 * @throws HiLoDocumentException if that can't be told
	 */
	MaxField maxOf(BsonDocument found) {
		MaxField max = MaxField.of(found.get(CounterDocument.MAX));
		if (max == null) {
			throw new HiLoDocumentException(
					rejection("is malformed: " + MaxField.describe(found.get(CounterDocument.MAX))
							+ ", and it has to be a 64-bit integer of at least 0. Set it to the highest id in use"));
		}
		return max;
	}

	/**
	 * Tells that the document cannot be counted in.
	 * @param why what is wrong with it, and what to set it to
	 * @return the message of an exception
	 */
	String rejection(String why) {
		return "The counter document " + Names.quoted(document().id()) + " in " + place() + ", which " + describe()
				+ " counts in, " + why
				+ ", for example with {$set: {Max: NumberLong(\"…\")}}. The document was not changed.";
	}

}
