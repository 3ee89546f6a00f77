package io.github.hilo;

import java.math.BigDecimal;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * The ids that the documents of one database have. Internal.
 * <p>
 * Both methods block, and see at least what was acknowledged before they were called, by
 * whatever write concern. What is stored meanwhile may be missed. They throw
 * {@link HiLoUnavailableException} if the ids could not be read to the end.
 */
public interface StoredIds {

	/**
	 * Returns the database's name.
	 * @return the name, for messages
	 */
	String database();

	/**
	 * Finds the highest id that is a number, of any numeric type.
	 * @param collection the name of the documents' collection
	 * @return the highest id that is finite and at least 0, or {@code null} if there is
	 * none
	 */
	@Nullable BigDecimal highestNumber(String collection);

	/**
	 * Visits every id that is a text with a certain beginning.
	 * @param collection the name of the documents' collection
	 * @param prefix what the ids begin with, at least one character
	 * @param visitor is given each id, in no particular order
	 */
	void forEachText(String collection, String prefix, Consumer<String> visitor);

}
