package io.github.hilo.data;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.mongodb.client.MongoCollection;
import io.github.hilo.HiLo;
import io.github.hilo.HiLoDocumentException;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.engine.HiLoEngine;
import io.github.hilo.fixture.MongoTestServer;
import io.github.hilo.fixture.ReactiveTestClient;
import io.github.hilo.fixture.TestDatabase;
import io.github.hilo.mapping.MappedSequenceNames;
import io.github.hilo.sequence.HiLoSettings;
import io.github.hilo.store.HighestStoredId;
import io.github.hilo.store.RangeStore;
import io.github.hilo.store.RangeStores;
import io.github.hilo.store.TimeSource;
import org.bson.BsonString;
import org.bson.Document;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.mongodb.core.mapping.MongoMappingContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.params.provider.Arguments.arguments;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;

/**
 * Tests for raising counters to the ids that are stored already.
 */
@ExtendWith(OutputCaptureExtension.class)
class HiLoResyncTests {

	private final TestDatabase database = new TestDatabase();

	private final HiLoEngine engine = this.database.newEngine();

	private final HiLoIdGenerator generator = this.engine.generator();

	private final MongoMappingContext mappings = new MongoMappingContext();

	private final HiLoResync resync = resync(this.engine);

	private final RangeStore held = mock(RangeStore.class);

	private final CompletableFuture<HighestStoredId> reading = new CompletableFuture<>();

	private final Logger logger = (Logger) LoggerFactory.getLogger("io.github.hilo");

	@BeforeEach
	void logProgress() {
		this.logger.setLevel(Level.INFO);
	}

	@AfterEach
	void logAsBefore() {
		this.logger.setLevel(null);
	}

	@AfterEach
	void dropDatabase() {
		this.engine.close();
		this.database.close();
	}

	@ParameterizedTest
	@MethodSource
	void counterIsRaisedToTheHighestStoredId(List<Object> stored, long highest) {
		store("orders", stored);
		assertThat(resynced("orders")).isEqualTo(new HiLoResync.Report(highest, highest));
		assertThat(this.database.max("orders")).isEqualTo(highest);
		assertThat(this.generator.nextId("orders")).isEqualTo(highest + 1);
	}

	static Stream<Arguments> counterIsRaisedToTheHighestStoredId() {
		return Stream.of(arguments(List.of(1, 41L, 7), 41), arguments(List.of("orders/9-A", "orders/10-A", "x"), 10),
				arguments(List.of(50, "orders/9-A"), 50), arguments(List.of(9, "orders/50-A"), 50),
				arguments(List.of("lines/99-A", "5", "orders/6-A", new ObjectId()), 6));
	}

	@Test
	void counterIsLeftAloneWhereThereIsNoSuchId() {
		store("orders", List.of(-7, 0, new ObjectId(), "orders/abc", "lines/7-A"));
		assertThat(resynced("orders")).isEqualTo(new HiLoResync.Report(null, null));
		assertThat(this.database.counters().countDocuments()).isZero();
	}

	@Test
	void counterIsNeverLowered() {
		store("orders", List.of(41));
		this.generator.ensureAtLeast("orders", 100);
		assertThat(resynced("orders")).isEqualTo(new HiLoResync.Report(41L, 100L));
		assertThat(this.generator.nextId("orders")).isEqualTo(101);
	}

	@Test
	void collectionAndSequenceMayDiffer() {
		store("archive", List.of("orders/9-A", "archive/99-A"));
		assertThat(this.resync.report(Purchase.class, "archive")).isEqualTo(new HiLoResync.Report(9L, null));
		assertThat(this.resync.resync(Purchase.class, "archive")).isEqualTo(new HiLoResync.Report(9L, 9L));
		assertThat(this.database.max("orders")).isEqualTo(9);
	}

	@Test
	void typeHasACollectionAndASequence() {
		store("purchases", List.of("orders/9-A", "purchases/99-A"));
		assertThat(this.resync.report(Purchase.class)).isEqualTo(new HiLoResync.Report(9L, null));
		assertThat(this.resync.resync(Purchase.class)).isEqualTo(new HiLoResync.Report(9L, 9L));
		assertThat(this.generator.nextId("orders")).isEqualTo(10);
	}

	@Test
	void everySequenceOfACollectionIsRaised() {
		store("purchases", List.of("orders/9-A", "refunds/4-A", "purchases/99-A"));
		this.mappings.getRequiredPersistentEntity(Purchase.class);
		this.mappings.getRequiredPersistentEntity(Refund.class);
		this.mappings.getRequiredPersistentEntity(Gift.class);
		assertThat(this.resync.resyncCollection("purchases")).isEqualTo(Map.of("orders", new HiLoResync.Report(9L, 9L),
				"refunds", new HiLoResync.Report(4L, 4L), "gifts", new HiLoResync.Report(null, null)));
		assertThat(this.generator.nextId("refunds")).isEqualTo(5);
	}

	@Test
	void otherDatabaseHasItsOwnDocumentsAndCounters() {
		store("orders", List.of(5));
		try (TestDatabase other = new TestDatabase()) {
			MongoTestServer.client()
				.getDatabase(other.name())
				.getCollection("orders")
				.insertOne(new Document("_id", 70));
			HiLoResync there = this.resync.forDatabase(other.name());
			assertThat(there.resyncCollection("orders")).containsEntry("orders", new HiLoResync.Report(70L, 70L));
			assertThat(other.max("orders")).isEqualTo(70);
			assertThat(this.database.counters().countDocuments()).isZero();
			assertThat(there.forDatabase(null).resyncCollection("orders")).containsEntry("orders",
					new HiLoResync.Report(5L, 5L));
		}
	}

	@Test
	void closedGeneratorReadsAndRaisesNothing() {
		store("orders", List.of(5));
		this.engine.close();
		assertThatIllegalStateException().isThrownBy(() -> this.resync.resyncCollection("orders"))
			.withMessageContainingAll("closed", "'orders'");
		assertThatIllegalStateException().isThrownBy(() -> this.resync.reportCollection("orders"))
			.withMessageContaining("closed");
		assertThat(this.database.counters().countDocuments()).isZero();
	}

	@Test
	void idBeyondAllFloorsRaisesNothing() {
		store("orders", List.of(5, "orders/6-A", Long.MAX_VALUE));
		assertThatExceptionOfType(HiLoDocumentException.class).isThrownBy(() -> this.resync.resyncCollection("orders"))
			.withMessageContainingAll(String.valueOf(Long.MAX_VALUE), "'orders'", "'" + this.database.name() + "'",
					"Nothing was raised", String.valueOf(HiLoIdGenerator.MAX_FLOOR), "ensureAtLeast");
		assertThat(this.database.counters().countDocuments()).isZero();
	}

	@Test
	void idBeyondAllFloorsRaisesNoCounterOfItsCollection() {
		this.mappings.getRequiredPersistentEntity(Gift.class);
		this.mappings.getRequiredPersistentEntity(Purchase.class);
		store("purchases", List.of("gifts/5-A", "orders/" + Long.MAX_VALUE + "-A"));
		assertThatExceptionOfType(HiLoDocumentException.class)
			.isThrownBy(() -> this.resync.resyncCollection("purchases"))
			.withMessageContaining("Nothing was raised");
		assertThat(this.database.counters().countDocuments()).isZero();
	}

	@Test
	void counterIsRaisedInTheDatabaseThatWasRead() {
		RangeStores stores = mock(RangeStores.class);
		given(stores.current()).willReturn(this.held).willThrow(new IllegalStateException("another database"));
		given(this.held.database()).willReturn("shop");
		given(this.held.document("orders")).willReturn("Raven/HiLo/orders");
		given(this.held.highestStored(any(), any(), any()))
			.willReturn(CompletableFuture.completedFuture(new HighestStoredId(41, "collection 'orders'", null)));
		given(this.held.counter(any(), any())).willReturn(CompletableFuture.completedFuture(null));
		given(this.held.raise(any(), anyLong(), any())).willReturn(CompletableFuture.completedFuture(41L));
		HiLoEngine engine = new HiLoEngine(stores, Class::getSimpleName, HiLoSettings.DEFAULTS, TimeSource.SYSTEM);
		assertThat(resync(engine).resyncCollection("orders")).containsEntry("orders", new HiLoResync.Report(41L, 41L));
	}

	@Test
	void idsOfAnotherFormAreCountedWithAnExample(CapturedOutput output) {
		store("orders", List.of("orders/1-A", "orders/abc", "orders/x-y", "orders/9\nforged"));
		this.resync.resyncCollection("orders");
		assertThat(output).containsOnlyOnce("3 of 4 texts")
			.contains("such as 'orders/", "were ignored")
			.doesNotContain("9\nforged");
	}

	@Test
	void whereTheCounterStandsIsInTheLog(CapturedOutput output) {
		store("orders", List.of("orders/12-A"));
		this.resync.resyncCollection("orders");
		this.resync.resyncCollection("lines");
		assertThat(output).contains("is 12; its counter stands at 12").contains("no id of sequence 'lines'");
	}

	@Test
	void readingThatIsCutOffRaisesNothing() {
		this.reading.completeExceptionally(new HiLoUnavailableException("cut"));
		assertThatExceptionOfType(HiLoUnavailableException.class)
			.isThrownBy(() -> resyncOfHeldIds().resyncCollection("orders"))
			.withMessage("cut");
		then(this.held).should(never()).raise(anyString(), anyLong(), any());
	}

	@Test
	void callerThatIsInterruptedRaisesNothing() {
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(HiLoUnavailableException.class)
			.isThrownBy(() -> resyncOfHeldIds().resyncCollection("orders"))
			.withMessageContaining("Interrupted");
		assertThat(Thread.interrupted()).isTrue();
		this.reading.complete(new HighestStoredId(41, "orders", null));
		then(this.held).should(never()).raise(anyString(), anyLong(), any());
	}

	@Test
	void worksOverTheReactiveDriver() {
		store("orders", List.of(12, "orders/41-A"));
		try (TestDatabase other = new TestDatabase();
				ReactiveTestClient client = new ReactiveTestClient(this.database);
				HiLoEngine engine = new HiLoEngine(client.newStores(), Class::getSimpleName, TestDatabase.SETTINGS,
						TimeSource.SYSTEM)) {
			HiLoResync reactive = resync(engine);
			assertThat(reactive.reportCollection("orders"))
				.isEqualTo(Map.of("orders", new HiLoResync.Report(41L, null)));
			assertThat(reactive.forDatabase(other.name()).resyncCollection("orders"))
				.isEqualTo(Map.of("orders", new HiLoResync.Report(null, null)));
			assertThat(reactive.resyncCollection("orders"))
				.isEqualTo(Map.of("orders", new HiLoResync.Report(41L, 41L)));
			assertThat(engine.generator().nextId("orders")).isEqualTo(42);
		}
	}

	@Test
	void threadThatMustNotBlockIsRefusedBeforeAnythingIsSent() {
		Stream<Supplier<?>> calls = Stream.of(() -> this.resync.resync(Purchase.class),
				() -> this.resync.resync(Purchase.class, "archive"), () -> this.resync.resyncCollection("orders"),
				() -> this.resync.report(Purchase.class), () -> this.resync.reportCollection("orders"));
		calls
			.map((call) -> CompletableFuture
				.supplyAsync(() -> catchThrowable(call::get), Schedulers.parallel()::schedule)
				.join())
			.forEach((failure) -> assertThat(failure).isInstanceOf(IllegalStateException.class)
				.hasMessageContaining("Mono.fromCallable(...).subscribeOn(Schedulers.boundedElastic())"));
		assertThat(this.database.commands().all()).isEmpty();
	}

	@Test
	void reportTellsWhatAResyncWouldDoAndChangesNothing() {
		store("orders", List.of(12, "orders/41-A"));
		assertThat(reported("orders")).isEqualTo(new HiLoResync.Report(41L, null)).matches(HiLoResync.Report::isBehind);
		assertThat(this.database.counters().countDocuments()).isZero();
		this.generator.ensureAtLeast("orders", 40);
		assertThat(reported("orders")).isEqualTo(new HiLoResync.Report(41L, 40L)).matches(HiLoResync.Report::isBehind);
		this.resync.resyncCollection("orders");
		assertThat(reported("orders")).isEqualTo(new HiLoResync.Report(41L, 41L)).matches((found) -> !found.isBehind());
		assertThat(reported("lines")).isEqualTo(new HiLoResync.Report(null, null))
			.matches((found) -> !found.isBehind());
	}

	@Test
	void malformedCounterIsRefused() {
		store("orders", List.of(5));
		this.database.setMax("orders", new BsonString("many"));
		assertThatExceptionOfType(HiLoDocumentException.class).isThrownBy(() -> this.resync.reportCollection("orders"))
			.withMessageContaining("malformed");
		assertThatExceptionOfType(HiLoDocumentException.class).isThrownBy(() -> this.resync.resyncCollection("orders"))
			.withMessageContaining("malformed");
	}

	@ParameterizedTest
	@NullSource
	@ValueSource(strings = { "", " " })
	@SuppressWarnings("NullAway") // Arguments that break the contract.
	void blankNamesAreRefusedBeforeAnythingIsRead(@Nullable String blank) {
		assertThatIllegalArgumentException().isThrownBy(() -> this.resync.resync(Purchase.class, blank))
			.withMessageContaining("collection name");
		assertThatIllegalArgumentException().isThrownBy(() -> this.resync.resyncCollection(blank))
			.withMessageContaining("collection name");
		assertThat(this.database.commands().all()).isEmpty();
	}

	@Test
	void typeWithoutACollectionIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.resync.resync(String.class))
			.withMessageContaining("not mapped to a collection");
	}

	private HiLoResync.Report reported(String collection) {
		return Objects.requireNonNull(this.resync.reportCollection(collection).get(collection));
	}

	private HiLoResync.Report resynced(String collection) {
		return Objects.requireNonNull(this.resync.resyncCollection(collection).get(collection));
	}

	private HiLoResync resync(HiLoEngine engine) {
		return new DefaultHiLoResync(engine,
				new MappedSequenceNames(() -> this.mappings, () -> (type, collection) -> collection));
	}

	/**
	 * A resync of stored ids that are read when {@link #reading} says so.
	 */
	private HiLoResync resyncOfHeldIds() {
		RangeStores stores = mock(RangeStores.class);
		given(stores.current()).willReturn(this.held);
		given(this.held.database()).willReturn("shop");
		given(this.held.document("orders")).willReturn("Raven/HiLo/orders");
		given(this.held.highestStored(any(), any(), any())).willReturn(this.reading);
		return resync(new HiLoEngine(stores, Class::getSimpleName, HiLoSettings.DEFAULTS, TimeSource.SYSTEM));
	}

	private void store(String collection, List<?> ids) {
		MongoCollection<Document> documents = MongoTestServer.client()
			.getDatabase(this.database.name())
			.getCollection(collection);
		ids.forEach((id) -> documents.insertOne(new Document("_id", id)));
	}

	@HiLo(sequence = "orders")
	@org.springframework.data.mongodb.core.mapping.Document("purchases")
	record Purchase(@Nullable String id) {
	}

	@HiLo(sequence = "refunds")
	@org.springframework.data.mongodb.core.mapping.Document("purchases")
	record Refund(@Nullable String id) {
	}

	@HiLo(sequence = "gifts")
	@org.springframework.data.mongodb.core.mapping.Document("purchases")
	record Gift(@Nullable String id) {
	}

}
