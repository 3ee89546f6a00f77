package io.github.hilo.mongodb;

import com.mongodb.MongoClientSettings;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import org.bson.BsonDocument;
import org.bson.codecs.configuration.CodecRegistry;

/**
 * What either driver is told with every command, whatever the application's defaults are:
 * the store's promises rest on it.
 */
final class CommandSettings {

	static final WriteConcern WRITE_CONCERN = WriteConcern.MAJORITY.withJournal(true);

	static final ReadConcern READ_CONCERN = ReadConcern.LOCAL;

	static final ReadPreference READ_PREFERENCE = ReadPreference.primary();

	static final CodecRegistry CODECS = MongoClientSettings.getDefaultCodecRegistry();

	private static final BsonDocument PROJECTION = BsonDocument.parse("{_id: 0, Max: 1, Grant: 1}");

	private CommandSettings() {
	}

	static FindOneAndUpdateOptions findOneAndUpdate(boolean upsert) {
		// Never without the projection: mongo-java-server then answers values that other
		// callers got as well.
		return new FindOneAndUpdateOptions().projection(PROJECTION)
			.returnDocument(ReturnDocument.BEFORE)
			.upsert(upsert);
	}

}
