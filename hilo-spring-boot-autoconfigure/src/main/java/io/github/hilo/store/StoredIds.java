package io.github.hilo.store;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

import io.github.hilo.HiLoUnavailableException;

/**
 * The ids that the documents of one database have, in {@code _id} and other fields.
 * Internal.
 * <p>
 * No method blocks or changes anything. Reading sees at least what was acknowledged
 * before it began, by whatever write concern; what is stored meanwhile may be missed. An
 * answer is never incomplete: what could not be read to the end is a
 * {@link HiLoUnavailableException}.
 *
 * @hidden
 */
public interface StoredIds {

	/**
	 * Returns the database's name.
	 * @return the name, for messages
	 */
	String database();

	/**
	 * Finds the highest number that ids of a sequence have. Numbers take one step each
	 * field, texts one for each batch of ids.
	 * @param sequence the sequence's name
	 * @param scope which ids to read
	 * @param stepTimeout the longest that one step may take
	 * @return the highest number
	 */
	CompletionStage<HighestStoredId> highest(String sequence, StoredIdScope scope, Duration stepTimeout);

}
