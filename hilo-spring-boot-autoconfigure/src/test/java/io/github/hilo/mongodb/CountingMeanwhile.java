package io.github.hilo.mongodb;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

import io.github.hilo.fixture.CounterModel;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Commands of a client that somebody else is always quicker than: after every read the
 * counter is changed.
 */
final class CountingMeanwhile extends ForwardingCommands {

	private final CounterModel documents;

	private final @Nullable BsonValue max;

	private int reads;

	/**
	 * Creates the commands.
	 * @param max what the counter is set to after a read, or {@code null} for another
	 * double every time
	 */
	CountingMeanwhile(CounterModel documents, @Nullable BsonValue max) {
		super(new ModelCommands(documents));
		this.documents = documents;
		this.max = max;
	}

	@Override
	public CompletionStage<@Nullable BsonDocument> findOne(FieldQuery query, Duration timeout) {
		CompletionStage<@Nullable BsonDocument> found = super.findOne(query, timeout);
		BsonValue next = (this.max != null) ? this.max : new BsonDouble(100 + ++this.reads);
		this.documents.put(query.filter().clone().append(CounterDocument.MAX, next));
		return found;
	}

}
