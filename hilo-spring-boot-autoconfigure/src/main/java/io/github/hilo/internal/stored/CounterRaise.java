package io.github.hilo.internal.stored;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongFunction;

import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.text.Timeouts;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks where a counter starts: a reservation that creates it, or raises it because it
 * is behind or its range is taken, brings it above the highest number that is stored.
 * <p>
 * The numbers are those that {@link RangeCheck} has found. Scanning texts can take longer
 * than the reservation may: then the reservation fails, the scan goes on and raises the
 * counter itself, and reservations that come meanwhile join it.
 */
public final class CounterRaise {

	private static final Logger logger = LoggerFactory.getLogger(CounterRaise.class);

	private final StoredIdReader reader;

	private final StoredIdMemory memory;

	private final Deadline deadline;

	private final String serverPrefix;

	CounterRaise(StoredIdReader reader, String serverPrefix) {
		this.reader = reader.withTimeForEach();
		this.memory = reader.memory();
		this.deadline = reader.deadline().get();
		this.serverPrefix = serverPrefix;
	}

	public CompletionStage<Long> raiseAbove(long floor, @Nullable Long before, CompletionStage<List<StoredId>> numbers,
			LongFunction<CompletionStage<Long>> raise) {
		this.memory.requireReady(this.reader.places());
		StoredIdMemory.Start start = this.memory.joinOrBegin(this.reader.places(),
				() -> begin(floor, before, numbers, raise));
		// A reservation waits for a scan only as long as it may. A find that fails before
		// says why itself.
		CompletableFuture<Long> joined = start.result().copy();
		Runnable cancel = this.memory.time()
			.after(this.deadline.leftToWait(), this.memory.executor(),
					() -> joined.completeExceptionally(notYet(start.scan())));
		return joined.whenComplete((raised, failure) -> cancel.run());
	}

	private StoredIdMemory.Start begin(long floor, @Nullable Long before, CompletionStage<List<StoredId>> numbers,
			LongFunction<CompletionStage<Long>> raise) {
		TextScan scan = new TextScan(this.memory, this.serverPrefix);
		CompletionStage<Long> reached = this.reader.explained(this.reader.highest(numbers, scan))
			.thenCompose((found) -> {
				long target = Math.max(floor, found.number());
				return raise.apply(target).thenApply((after) -> {
					tell(found, before, after);
					return target;
				});
			});
		return new StoredIdMemory.Start(this.reader.places(), reached.toCompletableFuture(), scan);
	}

	private HiLoUnavailableException notYet(TextScan scan) {
		String progress = scan.progress();
		return new HiLoUnavailableException(
				"its counter must start above the ids that are stored, and reading them takes longer than "
						+ Timeouts.named(this.memory.settings().timeout()) + " allows"
						+ ((progress != null) ? ": " + progress : "")
						+ ". Reading goes on, and a later call uses its result. " + StoredIdReader.TO_GO_ON);
	}

	private void tell(HighestStoredId found, @Nullable Long before, long after) {
		if (found.number() > 0) {
			logger.info(
					"The highest stored id of {} is {}, in {}. Its counter {} at {}, so that"
							+ " no stored document is overwritten ({})",
					this.memory.describe(), found.number(), found.place(),
					(before == null) ? "was missing and now stands"
							: (before < after) ? "stood at " + before + " and now stands" : "stands",
					after, StoredIdMemory.SWITCH);
		}
	}

}
