package io.github.hilo.internal.data;

import java.util.List;

import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.mapping.ChosenValue;
import io.github.hilo.internal.store.RangeStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leaves out the ids with which a document is about to be stored. A failure is logged,
 * and the save goes on.
 */
final class ChosenIds {

	private static final Logger logger = LoggerFactory.getLogger(ChosenIds.class);

	private ChosenIds() {
	}

	/**
	 * Removes the values that no sequence can issue. If none remain, the database need
	 * not be resolved.
	 */
	static List<ChosenValue> of(List<ChosenValue> stored, HiLoEngine engine) {
		stored.removeIf((value) -> !engine.mayIssue(value.sequence(), value.value(), value.known()));
		return stored;
	}

	/**
	 * @param store the database to which the document is saved, or {@code null} if it is
	 * not known
	 */
	static void leaveOut(List<ChosenValue> chosen, HiLoEngine engine, @Nullable RangeStore store) {
		chosen.forEach((value) -> tolerate(() -> engine.chosen(store, value.sequence(), value.value(), value.known())));
	}

	static void tolerate(Runnable step) {
		try {
			step.run();
		}
		catch (RuntimeException | LinkageError ex) {
			tolerated(ex);
		}
	}

	static void tolerated(Throwable failure) {
		logger.debug("The id that a document is stored with could not be left out", failure);
	}

}
