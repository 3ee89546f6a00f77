package io.github.hilo.internal.counter;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Stream;

import com.mongodb.MongoOperationTimeoutException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.client.MongoCollection;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.fixture.CounterModel;
import io.github.hilo.fixture.EngineSettings;
import io.github.hilo.fixture.FixedStores;
import io.github.hilo.fixture.MongoTestServer;
import io.github.hilo.fixture.TestDatabase;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.mongodb.Commands;
import io.github.hilo.internal.mongodb.Query;
import io.github.hilo.internal.sequence.HiLoSettings;
import io.github.hilo.internal.sequence.PlacedSequence;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.IdForm;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.TimeSource;
import io.github.hilo.internal.text.DocumentIdFormat;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonValue;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * If ids cannot be read, the message says what to do. Whoever does one of these things
 * gets the next number, while everything else is as it was.
 */
class StoredIdAdviceTests {

	private static final Place NUMBERS = Place.ofType("orders", Place.ID, IdForm.NUMBER);

	private static final Place TEXTS = Place.ofType("orders", Place.ID, IdForm.TEXT);

	private static final Place FIELD = Place.ofType("orders", "number", IdForm.NUMBER);

	private static final Place TEXT_FIELD = Place.ofType("orders", "number", IdForm.TEXT);

	private static final List<Place> PLACES = List.of(NUMBERS, TEXTS, FIELD, TEXT_FIELD);

	private static final Set<Read> FINDS = EnumSet.of(Read.ANY, Read.HIGHEST);

	private static final Set<Read> ALL = EnumSet.allOf(Read.class);

	@AutoClose
	private final TestDatabase database = new TestDatabase();

	private boolean allowed;

	@ParameterizedTest
	@MethodSource
	void whoeverDoesWhatTheMessageSaysGetsTheNextNumber(Trouble trouble) {
		for (Advice advice : trouble.advices) {
			prepare(trouble);
			try (HiLoEngine engine = engine(trouble, true)) {
				String message = failure(engine, trouble);
				assertThat(Arrays.stream(Advice.values()).filter((any) -> message.contains(any.words))).as(message)
					.containsExactlyElementsOf(trouble.advices);
				follow(advice, message, engine, trouble);
			}
		}
	}

	static Stream<Trouble> whoeverDoesWhatTheMessageSaysGetsTheNextNumber() {
		return Stream.of(
				PLACES.stream()
					.flatMap((place) -> Stream.of(true, false)
						.map((counter) -> new Trouble(place, counter, Failure.UNAUTHORIZED, ALL, false, Advice.ALLOW,
								Advice.SWITCH))),
				PLACES.stream()
					.map((place) -> new Trouble(place, true, Failure.UNREACHABLE, FINDS, false, Advice.SWITCH)),
				Stream.of(Failure.REFUSED, Failure.LATE)
					.flatMap((failure) -> Stream.of(new Trouble(NUMBERS, true, failure, FINDS, false, Advice.SWITCH),
							new Trouble(NUMBERS, false, failure, FINDS, false, Advice.SWITCH),
							new Trouble(TEXTS, true, failure, FINDS, false, Advice.SWITCH),
							new Trouble(FIELD, true, failure, FINDS, false, Advice.INDEX, Advice.SWITCH),
							new Trouble(FIELD, false, failure, ALL, false, Advice.INDEX, Advice.SWITCH),
							new Trouble(TEXT_FIELD, true, failure, FINDS, false, Advice.INDEX, Advice.SWITCH))),
				// The first find meets a number, and the next one cannot be sorted.
				Stream.of(new Trouble(NUMBERS, true, Failure.REFUSED, EnumSet.of(Read.HIGHEST), false, Advice.SWITCH),
						new Trouble(FIELD, true, Failure.REFUSED, EnumSet.of(Read.HIGHEST), false, Advice.INDEX,
								Advice.SWITCH),
						new Trouble(TEXT_FIELD, true, Failure.REFUSED, EnumSet.of(Read.HIGHEST), false, Advice.INDEX,
								Advice.SWITCH)),
				Stream.of(NUMBERS, TEXTS)
					.flatMap((place) -> Stream.of(
							new Trouble(place, false, Failure.LATE, EnumSet.of(Read.COUNT), false, Advice.COUNT,
									Advice.SWITCH),
							new Trouble(place, false, Failure.REFUSED, EnumSet.of(Read.COUNT), false, Advice.RAISE,
									Advice.SWITCH))),
				Stream.of(true, false)
					.flatMap((indexed) -> Stream.of(
							new Trouble(TEXT_FIELD, false, Failure.LATE, indexed ? EnumSet.of(Read.COUNT) : ALL,
									indexed, Advice.INDEX, Advice.COUNT, Advice.SWITCH),
							new Trouble(TEXT_FIELD, false, Failure.REFUSED, indexed ? EnumSet.of(Read.COUNT) : ALL,
									indexed, Advice.INDEX, Advice.RAISE, Advice.SWITCH))))
			.flatMap((troubles) -> troubles);
	}

	private void prepare(Trouble trouble) {
		this.allowed = false;
		documents().drop();
		this.database.counters().drop();
		if (trouble.counter) {
			this.database.setMax("orders", new BsonInt64(0));
		}
		String field = trouble.place.path();
		Stream.of("{%s: 5}", "{%s: '6'}", "{%s: 'orders/7-A'}", "{%s: 8}")
			.map((json) -> Document.parse(json.formatted(field)))
			.forEach(documents()::insertOne);
		if (trouble.indexed) {
			createIndex(trouble.place);
		}
	}

	private void createIndex(Place place) {
		if (!place.isId()) {
			documents().createIndex(new Document(place.path(), 1));
		}
	}

	private void follow(Advice advice, String message, HiLoEngine engine, Trouble trouble) {
		switch (advice) {
			case ALLOW -> this.allowed = true;
			case INDEX -> createIndex(trouble.place);
			case COUNT -> {
				createIndex(trouble.place);
				engine.generator().ensureAtLeast("orders", countAsInMongosh(message));
			}
			case RAISE -> {
				createIndex(trouble.place);
				engine.generator().ensureAtLeast("orders", 8);
			}
			case SWITCH -> {
				try (HiLoEngine unchecked = engine(trouble, false)) {
					assertThat(next(unchecked, trouble.place).get()).isPositive();
				}
				return;
			}
		}
		if (advice == Advice.INDEX && trouble.indexed) {
			assertThat(failure(engine, trouble)).as("the index is there already").isEqualTo(message);
			return;
		}
		assertThat(next(engine, trouble.place).get()).isGreaterThan((trouble.place.form() == IdForm.TEXT) ? 7 : 8);
	}

	/**
	 * Runs the pipeline of the message as the shell does.
	 */
	private long countAsInMongosh(String message) {
		String shell = "Math.max(1, ...db.getCollection('orders').aggregate(";
		String pipeline = message.substring(message.indexOf(shell) + shell.length(), message.indexOf(", {collation"));
		return Stream
			.concat(Stream.of(1L),
					documents().aggregate(BsonArray.parse(pipeline).stream().map(BsonValue::asDocument).toList())
						.into(new ArrayList<>())
						.stream()
						.filter((group) -> group.getString("max") != null)
						.map((group) -> Long.parseLong(group.getString("max").replaceFirst("\\D.*", ""))))
			.max(Long::compare)
			.orElseThrow();
	}

	private String failure(HiLoEngine engine, Trouble trouble) {
		HiLoUnavailableException failure = catchThrowableOfType(HiLoUnavailableException.class,
				() -> next(engine, trouble.place).get());
		assertThat(failure).isNotNull();
		return String.valueOf(failure.getMessage());
	}

	private static Supplier<Long> next(HiLoEngine engine, Place place) {
		PlacedSequence sequence = engine.sequence(engine.storeOf("shop"), "orders").placed(place);
		return () -> (place.form() == IdForm.TEXT)
				? DocumentIdFormat.of("orders", "/", "A", 1).numberOf(sequence.nextDocumentId(), "")
				: sequence.nextId();
	}

	private HiLoEngine engine(Trouble trouble, boolean checked) {
		Server server = new Server(FaultyCommands.driver(this.database, Runnable::run), trouble);
		MongoRangeStore store = TestStores.over(this.database.name(), server);
		HiLoSettings settings = EngineSettings.DEFAULTS.settings();
		return new EngineSettings(new HiLoSettings(settings.formats(), settings.timeout(), settings.maxGrowth(), false,
				(sequence) -> new HiLoSettings.SequenceSettings(1, 32, 1024, false, checked)))
			.engine(new FixedStores(store), TimeSource.SYSTEM, List.of(trouble.place));
	}

	private MongoCollection<Document> documents() {
		return MongoTestServer.client().getDatabase(this.database.name()).getCollection("orders");
	}

	private enum Failure {

		UNAUTHORIZED(() -> CounterModel.failure(13, "Unauthorized")),
		REFUSED(() -> CounterModel.failure(96, "OperationFailed")),
		LATE(() -> new MongoOperationTimeoutException("Timeout while receiving message")),
		UNREACHABLE(() -> new MongoTimeoutException("no server"));

		@SuppressWarnings("ImmutableEnumChecker") // none of them has a state
		private final Supplier<RuntimeException> exception;

		Failure(Supplier<RuntimeException> exception) {
			this.exception = exception;
		}

	}

	private enum Read {

		ANY, HIGHEST, COUNT

	}

	private enum Advice {

		ALLOW("Allow find there"), INDEX("create the index {"), COUNT("count them once in mongosh with Math.max("),
		RAISE("raise the counter above the highest stored id with ensureAtLeast"),
		SWITCH("set hilo.check-stored-ids to false for this sequence");

		private final String words;

		Advice(String words) {
			this.words = words;
		}

	}

	/**
	 * What a server does not answer, until it is allowed, or until there is an index.
	 *
	 * @param counter whether there is a counter
	 * @param failing what fails
	 * @param indexed whether there is an index already, which is no help
	 */
	private record Trouble(Place place, boolean counter, Failure failure, Set<Read> failing, boolean indexed,
			List<Advice> advices) {

		Trouble(Place place, boolean counter, Failure failure, Set<Read> failing, boolean indexed, Advice... advices) {
			this(place, counter, failure, failing, indexed, List.of(advices));
		}

	}

	private final class Server implements Commands {

		private final Commands commands;

		private final Trouble trouble;

		Server(Commands commands, Trouble trouble) {
			this.commands = commands;
			this.trouble = trouble;
		}

		private <T> CompletionStage<T> unless(Read read, Supplier<CompletionStage<T>> answer) {
			boolean healed = StoredIdAdviceTests.this.allowed || (!this.trouble.indexed && hasIndex());
			return (this.trouble.failing.contains(read) && !healed)
					? CompletableFuture.failedFuture(this.trouble.failure.exception.get()) : answer.get();
		}

		private boolean hasIndex() {
			return documents().listIndexes().into(new ArrayList<>()).size() > 1;
		}

		@Override
		public CompletionStage<@Nullable BsonDocument> findOneAndUpdate(BsonDocument filter, BsonDocument update,
				Commands.IfAbsent ifAbsent, Deadline deadline) {
			return this.commands.findOneAndUpdate(filter, update, ifAbsent, deadline);
		}

		@Override
		public CompletionStage<@Nullable BsonDocument> findOne(Query query, Deadline deadline) {
			return query.collection().equals("@hilo") ? this.commands.findOne(query, deadline) : unless(
					(query.sort() != null) ? Read.HIGHEST : Read.ANY, () -> this.commands.findOne(query, deadline));
		}

		@Override
		public CompletionStage<List<BsonDocument>> aggregate(String collection, String field,
				List<BsonDocument> pipeline, Deadline deadline) {
			return unless(Read.COUNT, () -> this.commands.aggregate(collection, field, pipeline, deadline));
		}

	}

}
