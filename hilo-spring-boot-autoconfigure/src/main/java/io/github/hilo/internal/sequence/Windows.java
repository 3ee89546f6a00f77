package io.github.hilo.internal.sequence;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.internal.store.IdForm;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.ReservedRange;
import io.github.hilo.internal.text.DocumentIdFormat;

/**
 * The windows of a consecutive sequence. A find asks for the lowest stored number among
 * the {@value #SIZE} that begin with its range, or fewer in a place of texts. The numbers
 * before it are a window: a range that lies inside is covered in that place without
 * another find. So a caller who takes one number after the other waits for one find a
 * second, and not for one with each number.
 * <p>
 * A window lasts one second from when its find was decided on, by either clock, because
 * the monotonic one stands still while a machine sleeps. It belongs to the server prefix
 * with which the find asked. All windows end, together with those of finds in flight, as
 * soon as a reservation was anything but one successful {@code $inc}, and when the
 * counter is raised or what is held is released or forgotten: after that, the counter may
 * stand where others have issued numbers.
 * <p>
 * Not thread-safe: the lock of the sequence guards it. There is at most one window for
 * each place, and those that are over are removed when a range arrives.
 */
final class Windows {

	static final long SIZE = 1_024;

	private static final Duration LASTS = Duration.ofSeconds(1);

	private final Map<Place, Window> byPlace = new HashMap<>(0);

	// Grows when all windows end, so that a find that was sent before opens none.
	private long generation;

	/**
	 * Decides up to which number a find looks.
	 * @param first the first number of the find
	 */
	LookAhead lookAhead(HeldRange held, Place place, long first, DocumentIdFormat format, Step step) {
		long most = Math.min(first + SIZE - 1, HiLoIdGenerator.MAX_NUMBER);
		long upTo = (place.form() == IdForm.TEXT) ? Math.min(most, lastOfTexts(first, format)) : most;
		return (upTo < held.range().max()) ? LookAhead.NONE : new LookAhead(upTo, this.generation, step.time());
	}

	/**
	 * Texts sort as their numbers do only if they have equally many digits, and the find
	 * also reads those with more digits that lie between. So it looks at a hundredth of
	 * the numbers with as many digits.
	 */
	private static long lastOfTexts(long first, DocumentIdFormat format) {
		long last = format.lastWithAsManyDigits(first);
		return Math.min(last, first + last / 100);
	}

	/**
	 * Opens the window that a find has shown, unless all windows have ended since.
	 * @param freeUpTo the last number of the window
	 */
	void open(Operation.Find find, long freeUpTo) {
		if (find.ahead().generation() == this.generation) {
			this.byPlace.put(find.place(), new Window(find.numbers().serverPrefix(), find.first(), freeUpTo,
					find.startedNanos(), find.ahead().begun()));
		}
	}

	void endAll() {
		this.byPlace.clear();
		this.generation++;
	}

	/**
	 * Finds the places where all numbers of a range are in a window.
	 */
	List<Place> placesOf(ReservedRange range, Step step) {
		this.byPlace.values().removeIf((window) -> window.isOver(step));
		return this.byPlace.entrySet()
			.stream()
			.filter((window) -> window.getValue().has(range))
			.map(Map.Entry::getKey)
			.toList();
	}

	/**
	 * How far a find looks beyond its range.
	 *
	 * @param upTo the last number that it looks at, or 0 if it does not look ahead
	 * @param generation the generation of the windows when it was decided on
	 * @param begun when it was decided on
	 */
	record LookAhead(long upTo, long generation, Instant begun) {

		static final LookAhead NONE = new LookAhead(0, 0, Instant.EPOCH);

		boolean isNone() {
			return this.upTo == 0;
		}

	}

	record Window(String serverPrefix, long first, long last, long beganNanos, Instant begun) {

		boolean isOver(Step step) {
			return step.nanos() - this.beganNanos >= LASTS.toNanos() || !step.time().isBefore(this.begun.plus(LASTS));
		}

		boolean has(ReservedRange range) {
			return range.min() >= this.first && range.max() <= this.last
					&& range.serverPrefix().equals(this.serverPrefix);
		}

	}

}
