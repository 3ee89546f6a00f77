package io.github.hilo.internal.counter;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.internal.check.CheckedSequence;
import io.github.hilo.internal.check.StoredId;
import io.github.hilo.internal.mongodb.Commands;
import io.github.hilo.internal.mongodb.Failures;
import io.github.hilo.internal.store.CounterRepair;
import io.github.hilo.internal.store.RangeRequest;
import io.github.hilo.internal.store.ReservedRange;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One reservation, by the steps that {@link MongoRangeStore} lists. It only counts.
 *
 * @param highest finds the highest stored id, for a counter that is created
 */
record RangeReservation(CounterUpdates counter, RangeRequest request,
		Supplier<CompletionStage<Optional<StoredId>>> highest, String serverPrefix, Consumer<CounterRepair> repaired) {

	private static final Logger logger = LoggerFactory.getLogger(RangeReservation.class);

	CompletionStage<ReservedRange> run() {
		return this.counter.attempt(this.request.floor(), this::attempt);
	}

	private CompletionStage<ReservedRange> attempt() {
		// A command that was repeated may have used up numbers, so this one asks for few.
		long size = this.counter.hasRepeated() ? this.request.least() : this.request.size();
		return this.counter
			.write(this.counter.document().countable(this.request.floor(), size),
					(grant) -> CounterDocument.countUp(size, grant), Commands.IfAbsent.NOTHING)
			// Reading fails with a better reason if the document is malformed, for
			// example if Grants is no array.
			.exceptionallyCompose((failure) -> (Failures.hasCode(failure, Failures.OF_THE_DOCUMENT)
					? this.counter.read() : CompletableFuture.completedFuture(null))
				.thenCompose((last) -> CompletableFuture.failedFuture(failure)))
			.thenCompose((after) -> (after != null) ? CompletableFuture.completedFuture(range(after, size))
					: this.counter.read().thenCompose((last) -> repair(last, size)));
	}

	private ReservedRange range(BsonDocument after, long size) {
		long max = CounterDocument.standsAt(after);
		this.counter.granted();
		return new ReservedRange(max - size + 1, max, this.serverPrefix, after.getArray(CounterDocument.GRANTS),
				this.counter.hasSentOnlyOnce());
	}

	/**
	 * Does what the reason asks for why the counter could not be counted up.
	 */
	private CompletionStage<ReservedRange> repair(CounterDocument.@Nullable Max last, long size) {
		// Nobody has created the counter, or somebody has deleted it.
		if (last == null) {
			return create(size);
		}
		long before = Math.max(last.value(), this.request.floor());
		// No range of this size is left.
		if (before > HiLoIdGenerator.MAX_NUMBER - size) {
			return CompletableFuture.failedFuture(this.counter.document().exhausted(before, size));
		}
		// The counter is behind: it was restored, or somebody lowered it.
		if (last.value() < before) {
			return this.counter
				.told(this.counter.raise(last, before, before + size), (was) -> wasBehind(last, before, was))
				.thenCompose(
						(after) -> (after != null) ? CompletableFuture.completedFuture(range(after, size)) : run());
		}
		// A double cannot be counted up: the mongo shell has written it.
		if (last.isDouble()) {
			return this.counter.raise(last, last.integer(), last.integer()).thenCompose((after) -> run());
		}
		// Another client was quicker.
		return run();
	}

	private void wasBehind(CounterDocument.Max last, long before, String was) {
		// At the first use it was behind the initial value alone.
		boolean used = !this.request.firstUse();
		logger.warn("The counter of {} stood at {}, behind {}, and {} raised{}", this.counter.document().describe(),
				last.value(), before, was,
				used ? ". If the database was restored, stop every process before you start the first one again" : "");
		if (used) {
			this.repaired.accept(CounterRepair.BEHIND);
		}
	}

	private void wasGone(String was) {
		if (!this.request.firstUse()) {
			logger.warn(
					"The counter of {} was gone, and {} created again, above {}. Numbers that other processes hold may be"
							+ " issued again: stop every process before you start the first one again",
					this.counter.document().describe(), was, this.request.floor());
			this.repaired.accept(CounterRepair.MISSING);
		}
	}

	/**
	 * Creates the counter above everything that is stored, and grants the range in the
	 * same write.
	 */
	private CompletionStage<ReservedRange> create(long size) {
		return this.highest.get().thenCompose((found) -> {
			long before = Math.max(this.request.floor(), found.map(StoredId::number).orElse(0L));
			if (before > HiLoIdGenerator.MAX_NUMBER - size) {
				return CompletableFuture.failedFuture(this.counter.document().exhausted(before, size));
			}
			CompletionStage<@Nullable BsonDocument> created = this.counter.told(this.counter.create(before + size),
					this::wasGone);
			return created.thenCompose((after) -> {
				if (after == null) {
					return run();
				}
				found.ifPresent((highest) -> logger.info(
						"The highest stored id of {} is {}, in {}. Its counter was missing and now stands at {}, so"
								+ " that no stored document is overwritten ({})",
						this.counter.document().describe(), highest.number(), highest.place().describe(), before + size,
						CheckedSequence.PROPERTY));
				return CompletableFuture.completedFuture(range(after, size));
			});
		});
	}

}
