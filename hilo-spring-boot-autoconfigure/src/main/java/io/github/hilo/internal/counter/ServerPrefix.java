package io.github.hilo.internal.counter;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.hilo.HiLoDocumentException;
import io.github.hilo.internal.mongodb.BsonText;
import io.github.hilo.internal.mongodb.Commands;
import io.github.hilo.internal.mongodb.Query;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.TimeSource;
import io.github.hilo.internal.text.Names;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The server prefix of one database, in the document that RavenDB 3.x used: <pre>
 * { _id: "Raven/ServerPrefixForHilo", ServerPrefix: "NorthServer/" }
 * </pre> The prefix is read when it is first needed, and again with a reservation if the
 * last read is older than 30 seconds. If the document is missing, there is no prefix.
 * <p>
 * Thread-safe: {@code lastRead} is volatile and its value is immutable.
 */
final class ServerPrefix {

	static final String DOCUMENT = "Raven/ServerPrefixForHilo";

	static final String FIELD = "ServerPrefix";

	private static final BsonDocument PROJECTION = BsonDocument.parse("{ServerPrefix: 1, _id: 0}");

	static final Duration MAX_AGE = Duration.ofSeconds(30);

	private final TimeSource time;

	private volatile @Nullable Read lastRead;

	ServerPrefix(TimeSource time) {
		this.time = time;
	}

	CompletionStage<String> read(Commands commands, CounterDocument counter, Deadline deadline) {
		Read last = this.lastRead;
		if (last != null && this.time.nanoTime() - last.atNanos() <= MAX_AGE.toNanos()) {
			return CompletableFuture.completedFuture(last.prefix());
		}
		Query query = new Query(counter.collection(), Place.ID, new BsonDocument(Place.ID, new BsonString(DOCUMENT)),
				PROJECTION, null);
		return commands.findOne(query, deadline).thenApply((document) -> {
			String prefix = (document != null) ? prefixOf(document, counter.place()) : "";
			this.lastRead = new Read(prefix, this.time.nanoTime());
			return prefix;
		});
	}

	private static String prefixOf(BsonDocument document, String place) {
		BsonValue value = document.get(FIELD);
		String prefix = (value != null && value.isString()) ? value.asString().getValue() : null;
		if (prefix != null && (prefix.isEmpty() || !Character.isDigit(prefix.codePointBefore(prefix.length())))) {
			return prefix;
		}
		throw new HiLoDocumentException("The server prefix document " + Names.quoted(DOCUMENT) + " in " + place
				+ " is malformed: " + BsonText.of(FIELD, value)
				+ ((prefix != null) ? ", which ends in a digit: prefix 1 with number 23 would equal number 123" : "")
				+ ". No id was issued and nothing was changed. Set " + FIELD
				+ " to a string such as \"NorthServer/\", remove the document,"
				+ " or set hilo.server-prefix-document to false.");
	}

	private record Read(String prefix, long atNanos) {
	}

}
