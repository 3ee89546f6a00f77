package io.github.hilo.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.hilo.store.RangeReturn;
import org.jspecify.annotations.Nullable;

/**
 * The releases that were asked for, and the returns that they lead to. A release ends
 * when nothing is held any more, or nothing but ranges that cover enough places. Not
 * thread-safe: its sequence's lock guards it.
 */
final class Releases {

	private final List<CompletableFuture<@Nullable Void>> releases = new ArrayList<>();

	/**
	 * How many places a range must cover to be kept.
	 */
	private int places;

	/**
	 * Whether those that were asked for are not waited for any longer.
	 */
	private boolean tookTooLong;

	/**
	 * Copies what is asked for; nobody sees the ends of the copies.
	 */
	Releases copy() {
		Releases copy = new Releases();
		this.releases.forEach((release) -> copy.add(new CompletableFuture<>(), this.places));
		copy.tookTooLong = this.tookTooLong;
		return copy;
	}

	/**
	 * Adds a release.
	 * @param places how many places a range must cover to be kept
	 */
	void add(CompletableFuture<@Nullable Void> release, int places) {
		this.releases.add(release);
		this.places = Math.max(this.places, places);
		this.tookTooLong = false;
	}

	/**
	 * A shutdown has ceased to wait.
	 */
	void tookTooLong() {
		this.tookTooLong = true;
	}

	boolean isEmpty() {
		return this.releases.isEmpty();
	}

	/**
	 * Makes the return that is due. Where nothing is to be held, whatever is left goes
	 * back, too.
	 */
	Operation.@Nullable Return nextReturn(HeldRanges ranges, RangeRequests requests, Moment now, Effects effects) {
		if (isEmpty() && !requests.holdsNothing(now)) {
			return null;
		}
		if (!requests.holdsNothing(now) && ranges.cover(this.places)) {
			end(effects);
			return null;
		}
		Duration timeout = requests.timeout();
		RangeReturn unused = ranges.sealAll(timeout);
		if (unused == null) {
			end(effects);
			return null;
		}
		return new Operation.Return(unused, now.nanos() + timeout.toNanos(), 0);
	}

	/**
	 * Whether a return that failed may be repeated: not once a shutdown has ceased to
	 * wait for it.
	 */
	boolean mayRepeat(Moment now) {
		return now.mode() == EngineMode.RUNNING || (!isEmpty() && !this.tookTooLong);
	}

	/**
	 * A return has ended for good.
	 * @param failure why it failed, or {@code null} if it was answered
	 */
	void end(Operation.Return ended, @Nullable String failure, Effects effects) {
		if (failure != null) {
			effects.lose(ended.unused(), failure);
		}
		end(effects);
	}

	/**
	 * Nothing is held.
	 */
	void end(Effects effects) {
		this.releases.forEach(effects::end);
		this.releases.clear();
		this.places = 0;
	}

}
