package io.github.hilo.internal.data;

import java.util.List;

import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.mapping.ChosenValue;
import io.github.hilo.internal.store.RangeStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leaves the ids out with which a document is about to be stored. What fails here leaves
 * the save as it is.
 */
final class ChosenIds {

	private static final Logger logger = LoggerFactory.getLogger(ChosenIds.class);

	private ChosenIds() {
	}

	/**
	 * Keeps those that a sequence may issue, so that the database matters.
	 */
	static List<ChosenValue> of(List<ChosenValue> stored, HiLoEngine engine) {
		stored.removeIf((value) -> !engine.mayIssue(value.sequence(), value.value(), value.known()));
		return stored;
	}

	/**
	 * Leaves ids out.
	 * @param store the database that is saved to, or {@code null} if it cannot be told
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
