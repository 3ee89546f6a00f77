package io.github.hilo.internal.mongodb;

import java.util.List;
import java.util.concurrent.CompletionStage;

import io.github.hilo.internal.store.Deadline;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Sends the commands of the store to one database: those that read and write its counter
 * documents, and those that read ids. Implementations use a driver, or a model of a
 * server.
 * <p>
 * Every command goes to the primary, outside any session or transaction of the
 * application. Reads have read concern {@code local}; writes are acknowledged by a
 * majority and journaled. A command that gets no such answer by its deadline fails,
 * whether or not the server applied it.
 */
public interface Commands {

	/**
	 * What is read of a counter.
	 */
	BsonDocument COUNTER = BsonDocument.parse("{_id: 0, Max: 1, Grants: 1}");

	/**
	 * Sends a {@code findAndModify} of a counter.
	 * @return {@code Max} and {@code Grants} after the change, or {@code null} if nothing
	 * matched; after the change of another command, if the server took this one for its
	 * repetition
	 */
	CompletionStage<@Nullable BsonDocument> findOneAndUpdate(BsonDocument filter, BsonDocument update,
			IfAbsent ifAbsent, Deadline deadline);

	/**
	 * Sends a {@code find} of one document. It has the collection's own collation, so
	 * that an index with that collation can answer it.
	 */
	CompletionStage<@Nullable BsonDocument> findOne(Query query, Deadline deadline);

	/**
	 * Sends an {@code aggregate} that returns a few documents. Texts are compared
	 * character by character, even if the collection has a collation of its own.
	 * @param field the field that the pipeline reads
	 */
	CompletionStage<List<BsonDocument>> aggregate(String collection, String field, List<BsonDocument> pipeline,
			Deadline deadline);

	/**
	 * What a write does if nothing matches its filter.
	 */
	enum IfAbsent {

		NOTHING, CREATE

	}

}
