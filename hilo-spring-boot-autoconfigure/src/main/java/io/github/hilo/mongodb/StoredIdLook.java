package io.github.hilo.mongodb;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.store.HighestStoredId;
import io.github.hilo.store.Names;
import io.github.hilo.store.RangeRequest;
import io.github.hilo.store.ReservedRange;
import io.github.hilo.store.StoredIdScope;
import io.github.hilo.store.TimeSource;
import io.github.hilo.store.Timeouts;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps an id that is issued from being one that is stored, by two looks:
 * <ol>
 * <li><b>Where a counter starts.</b> A reservation that creates a counter, or raises one
 * that is behind, brings it above the highest number that stored ids have. Reading texts
 * can take longer than the reservation may: then the reservation fails, the look goes on,
 * raises the counter itself, and those that come meanwhile join it.</li>
 * <li><b>Whether a range is free.</b> Before the first number of a range is issued, one
 * find tells whether a document has a number of it: one of the whole range where ids are
 * numbers, and of its first 32 texts until this process has issued 32 numbers. Of single
 * numbers only a process's first one is looked at.</li>
 * </ol>
 * A look that fails lets the reservation fail: it never counts as "nothing is stored".
 * The next one may begin once {@code hilo.timeout} has passed since that one began.
 */
final class StoredIdLook {

	private static final Logger logger = LoggerFactory.getLogger(StoredIdLook.class);

	private static final String SWITCH = "hilo.above-stored-ids";

	private final StoredIdReader reader;

	private final StoredIdScope scope;

	private final StoredIdMemory memory;

	private final CounterName name;

	private final Duration timeout;

	private final TimeSource time;

	private final Executor executor;

	private final Function<Duration, CounterSteps> steps;

	/**
	 * Creates the looks of one reservation.
	 * @param reader reads the ids
	 * @param scope which ids count
	 * @param memory what this process remembers of earlier looks
	 * @param name the counter
	 * @param timeout the configured timeout
	 * @param time the clock
	 * @param executor fails reservations that a walk outlasts
	 * @param steps makes steps with a time limit of their own
	 */
	StoredIdLook(StoredIdReader reader, StoredIdScope scope, StoredIdMemory memory, CounterName name, Duration timeout,
			TimeSource time, Executor executor, Function<Duration, CounterSteps> steps) {
		this.reader = reader;
		this.scope = scope;
		this.memory = memory;
		this.name = name;
		this.timeout = timeout;
		this.time = time;
		this.executor = executor;
		this.steps = steps;
	}

	/**
	 * Tells whether a range can be looked at. Where that failed a moment ago, none should
	 * be reserved: its numbers would be lost.
	 * @param request what is asked for
	 */
	CompletionStage<@Nullable Void> ready(RangeRequest request) {
		return (looksAtNumbers(request) || looksAtTexts(request)) ? notAgain()
				: CompletableFuture.completedFuture(null);
	}

	/**
	 * Looks for a document that has a number of a range.
	 * @param request what was asked for
	 * @param timeLeft by when there must be an answer
	 * @return one that there is, or nothing
	 */
	CompletionStage<Optional<StoredIdReader.Found>> anyOf(ReservedRange range, RangeRequest request,
			Duration timeLeft) {
		boolean numbers = looksAtNumbers(request);
		boolean texts = looksAtTexts(request);
		if (!numbers && !texts) {
			return CompletableFuture.completedFuture(Optional.empty());
		}
		Function<StoredIdScope.Field, BsonDocument> ids = (field) -> this.reader.idsOf(field.path(), numbers, texts,
				this.name.sequence(), range.serverPrefix(), range.min(), range.max());
		return rememberingFailure(() -> this.reader.findAny(this.scope, ids, timeLeft, this::skipped), timeLeft,
				"Allow find there, or set " + SWITCH + " to false for this sequence")
			.thenApply((found) -> {
				if (found.isEmpty()) {
					this.memory.checked(this.scope);
				}
				return found;
			});
	}

	/**
	 * Brings a counter above the highest number that stored ids have.
	 * @param floor what it has to reach in any case
	 * @param raising brings the counter to where it should be
	 * @param timeLeft by when there must be an answer
	 * @return what it has at least reached
	 */
	CompletionStage<Long> raiseAbove(long floor, Raising raising, Supplier<Duration> timeLeft) {
		if (this.scope.isEmpty()) {
			return raising.raise(raise(floor, timeLeft.get())).thenApply((raised) -> floor);
		}
		return notAgain().thenCompose((ready) -> within(timeLeft.get(),
				this.memory.joinOrBegin(this.scope, () -> begin(floor, raising, timeLeft))));
	}

	private StoredIdMemory.Look begin(long floor, Raising raising, Supplier<Duration> timeLeft) {
		TextWalk walk = new TextWalk(this.name.sequence(), this.name.database(), this.time);
		CompletionStage<HighestStoredId> highest = rememberingFailure(
				() -> this.reader.highest(this.name.sequence(), this.scope, timeLeft, walk, this::skipped),
				timeLeft.get(), waysOut());
		return new StoredIdMemory.Look(this.scope, highest.thenCompose((found) -> {
			long target = Math.max(floor, found.number());
			// With time of its own: a walk may have outlasted the reservation.
			return raising.raise(raise(target, this.timeout)).thenApply((raised) -> {
				tell(found, raised);
				return target;
			});
		}).toCompletableFuture(), walk);
	}

	private CounterRaise raise(long target, Duration timeout) {
		return new CounterRaise(this.steps.apply(timeout), target, false);
	}

	/**
	 * Lets a reservation wait for a look only as long as it may.
	 */
	private CompletionStage<Long> within(Duration timeLeft, StoredIdMemory.Look look) {
		if (look.result().isDone()) {
			return look.result();
		}
		CompletableFuture<Long> joined = look.result().copy();
		this.time.after(timeLeft, this.executor, () -> joined.completeExceptionally(notYet(look.walk())));
		return joined;
	}

	private HiLoUnavailableException notYet(TextWalk walk) {
		String progress = walk.progress();
		return new HiLoUnavailableException(
				"its counter has to start above the ids that are stored, and reading them takes longer than "
						+ Timeouts.named(this.timeout) + " allows" + ((progress != null) ? ": " + progress : "")
						+ ". Reading goes on, and a later call uses its result. " + waysOut());
	}

	private CompletionStage<@Nullable Void> notAgain() {
		RuntimeException failure = this.memory.failureWithin(this.timeout);
		return (failure != null) ? CompletableFuture.failedFuture(failure) : CompletableFuture.completedFuture(null);
	}

	private <T> CompletionStage<T> rememberingFailure(Supplier<CompletionStage<T>> look, Duration timeLeft,
			String whatToDo) {
		long beganNanos = this.time.nanoTime();
		return look.get().exceptionallyCompose((failure) -> {
			Throwable cause = Failures.causeOf(failure);
			HiLoUnavailableException reason = new HiLoUnavailableException(
					"the ids that are stored already could not be read from " + cause.getMessage()
							+ ". Without that a stored document could be overwritten. It is tried again "
							+ Timeouts.named(this.timeout) + " after it began. " + whatToDo,
					cause);
			if (!timeLeft.isZero()) {
				this.memory.failed(beganNanos, reason);
			}
			return CompletableFuture.failedFuture(reason);
		});
	}

	private String waysOut() {
		return "To go on without it, raise the counter above the highest stored id with hilo.resync or ensureAtLeast,"
				+ " or set " + SWITCH + " to false for this sequence";
	}

	private void skipped(String collection) {
		if (this.memory.unauthorized(collection)) {
			logger.warn(
					"The ids in collection {} may not be read, so {} does not look at them. No known type is saved"
							+ " there; if your documents are, allow find on it",
					Names.quoted(collection), this.name.describe());
		}
	}

	private void tell(HighestStoredId found, CounterRaise.Raised raised) {
		if (found.beyond() != null) {
			logger.warn("{} has the stored id {}, beyond the highest number that a counter can be raised to, {}; it was"
					+ " left out of account", this.name.describe(), found.beyond(), HiLoIdGenerator.MAX_FLOOR);
		}
		if (found.number() > 0) {
			logger.info(
					"The highest stored id of {} is {}, in {}. Its counter {} and now stands at {}, so that"
							+ " no stored document is overwritten ({})",
					this.name.describe(), found.number(), found.place(),
					(raised.before() != null) ? "stood at " + raised.before() : "was missing", raised.after(), SWITCH);
		}
	}

	private boolean looksAtNumbers(RangeRequest request) {
		return this.scope.numbers() && !this.scope.isEmpty()
				&& (!request.single() || request.issued() == 0 || !this.memory.isChecked(this.scope));
	}

	private boolean looksAtTexts(RangeRequest request) {
		return this.scope.texts() && !this.scope.isEmpty()
				&& (request.issued() < (request.single() ? 1 : StoredIdReader.MAX_TEXTS)
						|| !this.memory.isChecked(this.scope));
	}

	/**
	 * How a counter is brought to where it should be: from what was read already, or by
	 * reading it first.
	 */
	@FunctionalInterface
	interface Raising {

		CompletionStage<CounterRaise.Raised> raise(CounterRaise raise);

	}

}
