package io.github.hilo.internal.mongodb;

import java.util.Locale;

import io.github.hilo.internal.text.Names;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Formats BSON values for messages: on one line, and shortened if they are long.
 */
public final class BsonText {

	private BsonText() {
	}

	public static String of(BsonValue value) {
		String json = new BsonDocument("v", value).toJson();
		return Names.printable(json.substring(json.indexOf(':') + 1, json.lastIndexOf('}')).strip());
	}

	public static String of(String field, @Nullable BsonValue value) {
		return (value == null) ? "there is no field " + field : field + " is " + of(value) + " ("
				+ value.getBsonType().name().toLowerCase(Locale.ROOT).replace('_', ' ') + ")";
	}

}
