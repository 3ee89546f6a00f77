package io.github.hilo.test;

import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import com.mongodb.client.MongoCollection;
import io.github.hilo.HiLo;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoSequence;
import io.github.hilo.data.RavenNaming;
import io.github.hilo.engine.HiLoEngine;
import io.github.hilo.engine.SequenceSnapshot;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.Callers;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.core.mapping.MongoMappingContext;
import org.springframework.util.function.ThrowingConsumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class InMemoryHiLoIdGeneratorTests {

	private final InMemoryHiLoIdGenerator generator = new InMemoryHiLoIdGenerator();

	@Test
	void everySequenceCountsFromOneWithoutAGap() {
		assertThat(numbers(this.generator, 1000)).containsExactlyElementsOf(firstNumbers(1000));
		assertThat(this.generator.nextId("invoices")).isEqualTo(1);
		assertThat(this.generator.nextDocumentId("orders")).isEqualTo("orders/1001-A");
	}

	@Test
	void typesCountInTheirCollection() {
		assertThat(this.generator.nextDocumentId(Order.class)).isEqualTo("orders/1-A");
		assertThat(this.generator.nextDocumentIdFor(new Order(null))).isEqualTo("orders/2-A");
		assertThat(this.generator.sequence(Order.class).nextId()).isEqualTo(3);
		assertThat(this.generator.nextIdFor(new Order(null))).isEqualTo(4);
		assertThat(this.generator.nextDocumentId(LineItem.class)).isEqualTo("lineItem/1-A");
		assertThat(this.generator.nextDocumentId(Archived.class)).isEqualTo("orders/5-A");
		assertThat(this.generator.nextId(Order.class)).isEqualTo(6);
	}

	@Test
	void typesAreNamedAsTheApplicationDoes() {
		InMemoryHiLoIdGenerator raven = new InMemoryHiLoIdGenerator(new MongoMappingContext(), new RavenNaming(), "",
				":");
		assertThat(raven.nextDocumentId(LineItem.class)).isEqualTo("LineItems:1");
	}

	@Test
	void tagAndSeparatorAreThoseOfTheApplication() {
		assertThat(new InMemoryHiLoIdGenerator("B", "~").nextDocumentId(Order.class)).isEqualTo("orders~1-B");
		assertThat(new InMemoryHiLoIdGenerator("", "~").nextDocumentId(Order.class)).isEqualTo("orders~1");
	}

	@Test
	void databasesCountByThemselves() {
		HiLoIdGenerator audit = this.generator.forDatabase("audit");
		assertThat(numbers(this.generator, 2)).containsExactly(1L, 2L);
		assertThat(numbers(audit, 2)).containsExactly(1L, 2L);
		assertThat(numbers(this.generator.forDatabase("audit"), 1)).containsExactly(3L);
		assertThat(numbers(audit.forDatabase(null), 1)).containsExactly(3L);
		assertThat(numbers(audit.forDatabase(InMemoryHiLoIdGenerator.DEFAULT_DATABASE), 1)).containsExactly(4L);
	}

	@Test
	void objectsCountByThemselves() {
		this.generator.nextId("orders");
		assertThat(new InMemoryHiLoIdGenerator().nextId("orders")).isEqualTo(1);
	}

	@Test
	void storedIdsAreNotLookedAt() {
		ApplicationDatabase database = new ApplicationDatabase();
		MongoCollection<org.bson.Document> orders = database.collection("orders");
		orders.insertOne(org.bson.Document.parse("{ _id: 'orders/1-A', customer: 'Ada' }"));
		database.contextRunner().withBean(InMemoryHiLoIdGenerator.class, () -> this.generator).run((context) -> {
			MongoTemplate template = context.getBean(MongoTemplate.class);
			assertThatExceptionOfType(DuplicateKeyException.class).isThrownBy(() -> template.insert(new Order(null)));
			assertThat(orders.find()).singleElement().satisfies((order) -> assertThat(order).containsKey("customer"));
			this.generator.reset();
			template.save(new Order(null));
			assertThat(orders.find()).singleElement()
				.satisfies((order) -> assertThat(order).doesNotContainKey("customer"));
			assertThat(database.ids("orders")).containsExactly("orders/1-A");
		});
	}

	@Test
	void resetStartsOverEverywhere() {
		HiLoIdGenerator audit = this.generator.forDatabase("audit");
		HiLoSequence byName = this.generator.sequence("orders");
		HiLoSequence byType = audit.sequence(Order.class);
		for (int test = 1; test <= 3; test++) {
			assertThat(byName.nextId()).isEqualTo(1);
			assertThat(byName.nextDocumentId()).isEqualTo("orders/2-A");
			assertThat(this.generator.nextId(Order.class)).isEqualTo(3);
			assertThat(byType.nextDocumentId()).isEqualTo("orders/1-A");
			assertThat(byType.nextId()).isEqualTo(2);
			assertThat(audit.nextId("orders")).isEqualTo(3);
			this.generator.reset();
		}
	}

	@Test
	void releaseLeavesNoGap() {
		numbers(this.generator, 3);
		this.generator.release();
		assertThat(this.generator.nextId("orders")).isEqualTo(4);
		HiLoIdGenerator audit = this.generator.forDatabase("audit");
		numbers(audit, 40);
		audit.release();
		assertThat(audit.nextId("orders")).isEqualTo(41);
		assertThat(this.generator.nextId("orders")).isEqualTo(5);
	}

	@Test
	void blocksAreConsecutive() {
		HiLoSequence orders = this.generator.sequence(Order.class);
		assertThat(orders.nextIds(100)).containsExactly(LongStream.rangeClosed(1, 100).toArray());
		assertThat(this.generator.nextIds("orders", 2)).containsExactly(101, 102);
		assertThat(orders.nextDocumentIds(2)).containsExactly("orders/103-A", "orders/104-A");
		this.generator.reset();
		assertThat(orders.nextIds(2)).containsExactly(1, 2);
		assertThat(orders.nextDocumentIds(1)).containsExactly("orders/3-A");
	}

	@Test
	void raisedCounterGoesOnAboveItsFloorUntilItIsReset() {
		this.generator.nextId("orders");
		assertThat(this.generator.ensureAtLeast(Order.class, 100)).isEqualTo(100);
		assertThat(this.generator.nextId("orders")).isEqualTo(101);
		this.generator.release();
		assertThat(this.generator.ensureAtLeast("orders", 50)).as("never lowered").isEqualTo(101);
		assertThat(this.generator.nextId("orders")).isEqualTo(102);
		HiLoIdGenerator audit = this.generator.forDatabase("audit");
		audit.ensureAtLeast("orders", 7);
		assertThat(audit.nextId("orders")).isEqualTo(8);
		this.generator.reset();
		assertThat(this.generator.nextId("orders")).isEqualTo(1);
		assertThat(audit.nextId("orders")).isEqualTo(1);
	}

	@Test
	void rangeReservedBeforeARaiseCanNotTakeItBack() {
		InMemoryRangeStores stores = new InMemoryRangeStores("test");
		HiLoIdGenerator holder = this.generator.newEngine(stores).generator();
		holder.nextId("orders");
		this.generator.newEngine(stores).generator().ensureAtLeast("orders", 20);
		holder.release();
		assertThat(this.generator.newEngine(stores).generator().nextId("orders")).isEqualTo(33);
	}

	@Test
	void processesOfOneCounterNeverShareANumber() {
		InMemoryRangeStores stores = new InMemoryRangeStores("test");
		assertThat(stores.isCurrentFixed()).isTrue();
		HiLoIdGenerator first = this.generator.newEngine(stores).generator();
		HiLoEngine second = this.generator.newEngine(stores);
		assertThat(numbers(first, 2)).containsExactly(1L, 2L);
		assertThat(numbers(second.generator(), 2)).containsExactly(33L, 34L);
		first.release();
		assertThat(numbers(first, 1)).as("its range was not the latest").containsExactly(65L);
		second.generator().release();
		assertThat(numbers(second.generator(), 1)).containsExactly(97L);
		second.generator().release();
		Map<String, SequenceSnapshot> sequences = second.snapshot().get("test");
		assertThat(sequences).isNotNull();
		assertThat(sequences.get("orders")).isNotNull()
			.satisfies((sequence) -> assertThat(sequence.returned()).isEqualTo(31))
			.satisfies((sequence) -> assertThat(sequence.document()).isEqualTo("Raven/HiLo/orders"));
		assertThat(numbers(second.generator(), 1)).containsExactly(98L);
	}

	@Test
	void closedGeneratorIssuesNothingUntilItIsReset() {
		HiLoSequence orders = this.generator.sequence("orders");
		orders.nextId();
		this.generator.close();
		assertThatIllegalStateException().isThrownBy(orders::nextId).withMessageContaining("closed");
		assertThatIllegalStateException().isThrownBy(() -> this.generator.forDatabase("audit").nextId("orders"));
		this.generator.reset();
		assertThat(orders.nextId()).isEqualTo(1);
	}

	@ParameterizedTest
	@MethodSource
	void wrongArgumentFailsAtOnce(ThrowingConsumer<HiLoIdGenerator> call) {
		assertThatIllegalArgumentException().isThrownBy(() -> call.accept(this.generator));
		assertThatIllegalArgumentException().isThrownBy(() -> call.accept(this.generator.forDatabase("audit")));
	}

	static Stream<ThrowingConsumer<HiLoIdGenerator>> wrongArgumentFailsAtOnce() {
		return Stream.of((ids) -> ids.sequence(" "), (ids) -> ids.sequence(String.class), (ids) -> ids.forDatabase(""),
				(ids) -> ids.nextId(String.class), (ids) -> ids.nextDocumentId(""),
				(ids) -> ids.ensureAtLeast("orders", 0), (ids) -> ids.nextIds("orders", 0));
	}

	@Test
	void threadsShareASequenceWithoutAGap() {
		Callers<List<Long>> callers = Callers.start(16, () -> numbers(this.generator, 500));
		assertThat(callers.answers().stream().flatMap(List::stream).sorted())
			.containsExactlyElementsOf(firstNumbers(8000));
	}

	@Test
	void processesMeetAtOneCounter() {
		InMemoryRangeStores stores = new InMemoryRangeStores("test");
		Callers<List<Long>> callers = Callers.start(8, () -> {
			HiLoIdGenerator process = this.generator.newEngine(stores).generator();
			return Stream.generate(() -> {
				process.release();
				return process.nextId("orders");
			}).limit(2000).toList();
		});
		assertThat(callers.answers().stream().flatMap(List::stream)).doesNotHaveDuplicates();
	}

	private static List<Long> numbers(HiLoIdGenerator generator, int count) {
		return Stream.generate(() -> generator.nextId("orders")).limit(count).toList();
	}

	private static List<Long> firstNumbers(int count) {
		return LongStream.rangeClosed(1, count).boxed().toList();
	}

	@Document("orders")
	record Order(@Nullable String id) {
	}

	record LineItem(@Nullable String id) {
	}

	@HiLo(sequence = "orders")
	record Archived(@Nullable String id) {
	}

}
