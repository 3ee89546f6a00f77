package io.github.hilo.mongodb;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

import com.mongodb.MongoException;
import io.github.hilo.HiLoDocumentException;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.Quoted;
import io.github.hilo.RangeRequest;
import io.github.hilo.RangeReturn;
import io.github.hilo.RangeStore;
import io.github.hilo.ReservedRange;
import io.github.hilo.TimeSource;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ranges from counter documents in one MongoDB collection: <pre>
 * {
 *   _id:   "Raven/HiLo/orders",
 *   Max:   NumberLong(96),         // the highest number granted to any client
 *   Grant: ObjectId("…")           // fresh with every reservation, return and lift
 * }
 * </pre> Reserving a range of {@code size} above {@code floor}:
 * <ol>
 * <li>One {@code findAndModify} counts {@code Max} up by {@code size} and sets a fresh
 * {@code Grant}, if {@code Max} is an integer of at least {@code floor} that does not
 * overflow; where the floor is 0 it creates a missing document. The range is what lies
 * between {@code Max} before and after.</li>
 * <li>Where nothing matched, the document is read to tell why. It is missing: create it
 * at the floor. It is behind the floor, because the database was restored or the counter
 * lowered: lift it to the floor, with a warning. It is an integral double, as the mongo
 * shell writes: rewrite it as an integer and reserve in the same step. It is malformed or
 * exhausted: fail and change nothing. It is none of these any more: somebody else was
 * quicker.</li>
 * <li>Try again from 1, a bounded number of times.</li>
 * </ol>
 * Returning the end of a range sets {@code Max} to the last issued number and a fresh
 * {@code Grant}, if {@code Max} is still the end of the range and {@code Grant} still
 * this range's own. {@code Max} alone would not do: after a restored backup it can stand
 * at the same number again for somebody else.
 * <p>
 * Lifting the counter to a floor reads the document first. It is missing: create it at
 * the floor. It is behind the floor: set {@code Max} to it, with a fresh {@code Grant}.
 * It has reached the floor: set a fresh {@code Grant} only, so that no return that is
 * under way can go back below it. Doubles, malformed documents and lost races are treated
 * as above.
 * <p>
 * An answer that leaves open whether the command was applied (a lost connection, a
 * timeout, an error of the write concern) is a failure: none of its numbers is ever used.
 * <p>
 * Thread-safe: it holds nothing that changes but the {@link ServerPrefix}.
 */
final class MongoRangeStore implements RangeStore {

	static final int MAX_ATTEMPTS = 30;

	private static final Logger logger = LoggerFactory.getLogger(MongoRangeStore.class);

	private static final int DUPLICATE_KEY = 11000;

	private static final int TYPE_MISMATCH = 14;

	private final String database;

	private final String collection;

	private final String idPrefix;

	private final CounterCommands commands;

	private final @Nullable ServerPrefix serverPrefix;

	private final TimeSource time;

	/**
	 * Creates a store.
	 * @param database the database's name
	 * @param collection the name of the collection of the counter documents
	 * @param idPrefix what precedes a sequence's name in a counter's {@code _id}
	 * @param commands what sends the commands to that collection
	 * @param serverPrefix the database's server prefix, or {@code null} to honour none
	 * @param time the clock
	 */
	MongoRangeStore(String database, String collection, String idPrefix, CounterCommands commands,
			@Nullable ServerPrefix serverPrefix, TimeSource time) {
		this.database = database;
		this.collection = collection;
		this.idPrefix = idPrefix;
		this.commands = commands;
		this.serverPrefix = serverPrefix;
		this.time = time;
	}

	@Override
	public String database() {
		return this.database;
	}

	@Override
	public String document(String sequence) {
		return this.idPrefix + sequence;
	}

	@Override
	public CompletionStage<ReservedRange> reserve(String sequence, RangeRequest request) {
		return new Reservation(sequence, request).run();
	}

	@Override
	public CompletionStage<Boolean> giveBack(String sequence, RangeReturn unused) {
		CounterDocument document = new CounterDocument(document(sequence));
		return this.commands
			.updateOne(document.latest(unused.max(), (BsonValue) unused.grant()),
					CounterDocument.moveTo(unused.lastIssued(), CounterDocument.freshGrant()), false, unused.timeout())
			.handle((matched, failure) -> {
				if (failure != null) {
					logger.warn("Numbers {} to {} of {} could not be returned and become a gap: {}",
							unused.lastIssued() + 1, unused.max(), describe(sequence), causeOf(failure).toString());
				}
				return Boolean.TRUE.equals(matched);
			});
	}

	@Override
	public CompletionStage<Long> lift(String sequence, long floor, Duration timeout) {
		return new Lift(sequence, floor, timeout).run();
	}

	private String describe(String sequence) {
		return "sequence " + Quoted.name(sequence) + " of database " + Quoted.name(this.database);
	}

	private String place() {
		return "collection " + Quoted.name(this.collection) + " of database " + Quoted.name(this.database);
	}

	private static Throwable causeOf(Throwable failure) {
		return (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause() : failure;
	}

	/**
	 * Some of the steps above, one command after the other, until there is an answer, a
	 * reason why there is none, or no time left.
	 */
	private abstract class Change<T> {

		final String sequence;

		final CounterDocument document;

		private final long deadlineNanos;

		private int attempts;

		Change(String sequence, Duration timeout) {
			this.sequence = sequence;
			this.document = new CounterDocument(document(sequence));
			this.deadlineNanos = MongoRangeStore.this.time.nanoTime() + timeout.toNanos();
		}

		abstract CompletionStage<T> attempt();

		/**
		 * What the counter is to be brought to.
		 */
		abstract long floor();

		abstract String whatFailed();

		final CompletionStage<T> tryAgain() {
			return (++this.attempts > MAX_ATTEMPTS)
					? CompletableFuture.failedFuture(unavailable("other clients changed the counter " + MAX_ATTEMPTS
							+ " times in a row while it was being brought to " + floor()))
					: attempt();
		}

		final CompletionStage<@Nullable BsonDocument> read() {
			return MongoRangeStore.this.commands.findById(this.document.id(), timeLeft());
		}

		/**
		 * Sends a write that may lose a race.
		 * @return whether the filter matched
		 */
		final CompletionStage<Boolean> write(BsonDocument filter, BsonDocument update, boolean upsert) {
			return MongoRangeStore.this.commands.updateOne(filter, update, upsert, timeLeft());
		}

		final Duration timeLeft() {
			return Duration.ofNanos(Math.max(0, this.deadlineNanos - MongoRangeStore.this.time.nanoTime()));
		}

		final HiLoDocumentException malformed(BsonDocument found) {
			return rejected("is malformed: " + MaxField.describe(found)
					+ ", and it has to be a 64-bit integer of at least 0. Set it to the highest id in use");
		}

		final HiLoDocumentException rejected(String why) {
			return new HiLoDocumentException("The counter document " + Quoted.name(this.document.id()) + " in "
					+ place() + ", which " + describe(this.sequence) + " counts in, " + why
					+ ", for example with {$set: {Max: NumberLong(\"…\")}}. The document was not changed.");
		}

		final CompletionStage<T> translated(CompletionStage<T> answer) {
			return answer.exceptionallyCompose((failure) -> CompletableFuture.failedFuture(translate(failure)));
		}

		private RuntimeException translate(Throwable failure) {
			Throwable cause = causeOf(failure);
			if (cause instanceof HiLoDocumentException || cause instanceof HiLoUnavailableException) {
				return (RuntimeException) cause;
			}
			HiLoUnavailableException unavailable = unavailable(Quoted.text(String.valueOf(cause.getMessage())));
			unavailable.initCause(cause);
			return unavailable;
		}

		private HiLoUnavailableException unavailable(String why) {
			return new HiLoUnavailableException(whatFailed() + ": " + why);
		}

		static boolean hasCode(Throwable failure, int code) {
			return causeOf(failure) instanceof MongoException ex && ex.getCode() == code;
		}

	}

	/**
	 * One reservation.
	 */
	private final class Reservation extends Change<ReservedRange> {

		private final RangeRequest request;

		private String prefix = "";

		Reservation(String sequence, RangeRequest request) {
			super(sequence, request.timeout());
			this.request = request;
		}

		@Override
		long floor() {
			return this.request.floor();
		}

		@Override
		String whatFailed() {
			return "No range for " + describe(this.sequence);
		}

		CompletionStage<ReservedRange> run() {
			ServerPrefix serverPrefix = MongoRangeStore.this.serverPrefix;
			return translated((serverPrefix == null) ? tryAgain()
					: serverPrefix.read(MongoRangeStore.this.commands, place(), timeLeft()).thenCompose((read) -> {
						this.prefix = read;
						return tryAgain();
					}));
		}

		/**
		 * Counts up, or else finds out why that can't be done.
		 */
		@Override
		CompletionStage<ReservedRange> attempt() {
			BsonValue grant = CounterDocument.freshGrant();
			boolean create = this.request.floor() == 0;
			return MongoRangeStore.this.commands
				.findOneAndUpdate(this.document.countable(this.request.floor(), this.request.size()),
						CounterDocument.countUp(this.request.size(), grant), create, timeLeft())
				.handle((before, failure) -> {
					if (failure == null && (before != null || create)) {
						return CompletableFuture.completedFuture(range(maxOf(before), grant, grantOf(before)));
					}
					if (failure == null || hasCode(failure, DUPLICATE_KEY) || hasCode(failure, TYPE_MISMATCH)) {
						return diagnose();
					}
					return CompletableFuture.<ReservedRange>failedFuture(failure);
				})
				.thenCompose((next) -> next);
		}

		private ReservedRange range(long max, BsonValue grant, @Nullable BsonValue previousGrant) {
			return new ReservedRange(Math.addExact(max, 1), Math.addExact(max, this.request.size()), this.prefix, grant,
					previousGrant);
		}

		private CompletionStage<ReservedRange> diagnose() {
			return read().thenCompose((found) -> (found != null) ? repair(found) : create());
		}

		private CompletionStage<ReservedRange> create() {
			if (!this.request.firstUse()) {
				logger.warn("The counter of {} is gone; it is created again at {}. Ids that other processes issued"
						+ " since may be issued again: restart every process and lift the counter above the highest"
						+ " stored id", describe(this.sequence), this.request.floor());
			}
			return change(this.document.any(), CounterDocument.createAt(this.request.floor()), true);
		}

		private CompletionStage<ReservedRange> repair(BsonDocument found) {
			MaxField max = MaxField.of(found.get(CounterDocument.MAX));
			return switch (max.kind()) {
				case MALFORMED -> CompletableFuture.failedFuture(malformed(found));
				case REWRITABLE -> rewrite(found, max.value());
				case COUNTABLE -> bringUp(found, max.value());
			};
		}

		/**
		 * Rewrites a double and reserves in one step: whoever matches its value has it
		 * alone, and mongo-java-server keeps a double that is set to an equal integer.
		 */
		private CompletionStage<ReservedRange> rewrite(BsonDocument found, long max) {
			long base = Math.max(max, this.request.floor());
			if (base > Long.MAX_VALUE - this.request.size()) {
				return CompletableFuture.failedFuture(exhausted(found));
			}
			if (base > max) {
				warnOfLift(max);
			}
			BsonValue grant = CounterDocument.freshGrant();
			return write(this.document.isDouble(max), CounterDocument.moveTo(base + this.request.size(), grant), false)
				.thenCompose((matched) -> matched ? CompletableFuture.completedFuture(range(base, grant, null))
						: tryAgain());
		}

		private CompletionStage<ReservedRange> bringUp(BsonDocument found, long max) {
			if (max < this.request.floor()) {
				warnOfLift(max);
				return change(this.document.behind(this.request.floor()),
						CounterDocument.moveTo(this.request.floor(), CounterDocument.freshGrant()), false);
			}
			return (max > Long.MAX_VALUE - this.request.size()) ? CompletableFuture.failedFuture(exhausted(found))
					: tryAgain();
		}

		private void warnOfLift(long max) {
			logger.warn(
					"The counter of {} stands at {}, behind {}; it is lifted. If the database was restored,"
							+ " restart every process and lift the counter above the highest stored id",
					describe(this.sequence), max, this.request.floor());
		}

		private CompletionStage<ReservedRange> change(BsonDocument filter, BsonDocument update, boolean upsert) {
			return write(filter, update, upsert)
				.exceptionallyCompose((failure) -> hasCode(failure, DUPLICATE_KEY)
						? CompletableFuture.completedFuture(false) : CompletableFuture.failedFuture(failure))
				.thenCompose((matched) -> tryAgain());
		}

		private HiLoDocumentException exhausted(BsonDocument found) {
			return rejected("is exhausted: " + MaxField.describe(found) + ", and " + this.request.size()
					+ " more numbers would exceed " + Long.MAX_VALUE
					+ ". If it was set too high by mistake, set it to the highest id in use");
		}

		private static long maxOf(@Nullable BsonDocument before) {
			return (before != null) ? before.getNumber(CounterDocument.MAX).longValue() : 0;
		}

		private static @Nullable BsonValue grantOf(@Nullable BsonDocument before) {
			return (before != null) ? before.get(CounterDocument.GRANT) : null;
		}

	}

	/**
	 * One lift.
	 */
	private final class Lift extends Change<Long> {

		private final long floor;

		Lift(String sequence, long floor, Duration timeout) {
			super(sequence, timeout);
			this.floor = floor;
		}

		@Override
		long floor() {
			return this.floor;
		}

		@Override
		String whatFailed() {
			return "The counter of " + describe(this.sequence) + " may not have been lifted to " + this.floor;
		}

		CompletionStage<Long> run() {
			return translated(tryAgain());
		}

		@Override
		CompletionStage<Long> attempt() {
			return read().thenCompose((found) -> (found != null) ? lift(found) : create());
		}

		private CompletionStage<Long> create() {
			return write(this.document.any(), CounterDocument.createAt(this.floor), true).handle((matched, failure) -> {
				if (failure != null && !hasCode(failure, DUPLICATE_KEY)) {
					return CompletableFuture.<Long>failedFuture(failure);
				}
				boolean created = failure == null && !matched;
				return created ? CompletableFuture.completedFuture(this.floor) : tryAgain();
			}).thenCompose((next) -> next);
		}

		private CompletionStage<Long> lift(BsonDocument found) {
			MaxField max = MaxField.of(found.get(CounterDocument.MAX));
			long target = Math.max(max.value(), this.floor);
			return switch (max.kind()) {
				case MALFORMED -> CompletableFuture.failedFuture(malformed(found));
				case REWRITABLE -> moveTo(target, this.document.isDouble(max.value()));
				case COUNTABLE -> (max.value() < this.floor) ? moveTo(target, this.document.behind(this.floor))
						: change(target, this.document.countable(this.floor, 0),
								CounterDocument.renew(CounterDocument.freshGrant()));
			};
		}

		private CompletionStage<Long> moveTo(long target, BsonDocument filter) {
			return change(target, filter, CounterDocument.moveTo(target, CounterDocument.freshGrant()));
		}

		private CompletionStage<Long> change(long target, BsonDocument filter, BsonDocument update) {
			return write(filter, update, false)
				.thenCompose((matched) -> matched ? CompletableFuture.completedFuture(target) : tryAgain());
		}

	}

}
