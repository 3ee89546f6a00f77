package io.github.hilo.internal.sequence;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.github.hilo.internal.store.Place;
import org.jspecify.annotations.Nullable;

/**
 * The failures that no later success has cleared: that of the latest reservation, and
 * those of the finds in the {@value #MOST_PLACES} places that failed last. Not
 * thread-safe: the lock of the sequence guards it.
 */
final class KeptFailures {

	private static final int MOST_PLACES = 8;

	// The latest is the last.
	private final List<Kept> kept = new ArrayList<>(0);

	/**
	 * Keeps a failure.
	 * @param place where the find failed, or {@code null} for a reservation
	 */
	void add(@Nullable Place place, RuntimeException failure, Step step) {
		clear(place);
		this.kept.add(new Kept(place, new SequenceSnapshot.Failure(step.time(), String.valueOf(failure.getMessage()),
				(place != null) ? place.describe() : null)));
		List<Kept> ofPlaces = this.kept.stream().filter((each) -> each.place() != null).toList();
		if (ofPlaces.size() > MOST_PLACES) {
			this.kept.remove(ofPlaces.get(0));
		}
	}

	void clear(@Nullable Place place) {
		this.kept.removeIf((each) -> Objects.equals(each.place(), place));
	}

	void clearAll() {
		this.kept.clear();
	}

	@Nullable Kept latest() {
		return this.kept.isEmpty() ? null : this.kept.get(this.kept.size() - 1);
	}

	record Kept(@Nullable Place place, SequenceSnapshot.Failure failure) {
	}

}
