package io.github.hilo.applications;

import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;

import com.mongodb.client.MongoDatabase;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.MongoTestServer;
import org.bson.Document;

/**
 * Tells what the ids of a database are, collection by collection.
 */
final class StoredIdKinds {

	private static final Pattern UUID = Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");

	private StoredIdKinds() {
	}

	/**
	 * Reads the ids.
	 * @param database the database
	 * @return what the first id of each collection is, such as {@code ObjectId}, by the
	 * collection's name; empty collections and indexes are left out
	 */
	static Map<String, String> of(ApplicationDatabase database) {
		Map<String, String> kinds = new TreeMap<>();
		MongoDatabase documents = MongoTestServer.client().getDatabase(database.name());
		for (String collection : documents.listCollectionNames()) {
			Document first = documents.getCollection(collection).find().first();
			if (first != null && !collection.startsWith("system.")) {
				kinds.put(collection, kindOf(Objects.requireNonNull(first.get("_id"))));
			}
		}
		return kinds;
	}

	private static String kindOf(Object id) {
		return (id instanceof String text && UUID.matcher(text).matches()) ? "UUID as text"
				: id.getClass().getSimpleName();
	}

}
