package io.github.hilo.test;

import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.hilo.HiLo;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoSequence;
import io.github.hilo.fixture.Callers;
import io.github.hilo.fixture.Order;
import io.github.hilo.internal.mapping.RavenNaming;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.data.mongodb.core.mapping.MongoMappingContext;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class InMemoryHiLoIdGeneratorTests {

	private final InMemoryHiLoIdGenerator generator = new InMemoryHiLoIdGenerator();

	@Test
	void everySequenceCountsFromOneWithoutAGap() {
		assertThat(numbers(this.generator, 1000))
			.containsExactlyElementsOf(LongStream.rangeClosed(1, 1000).boxed().toList());
		assertThat(this.generator.nextId("invoices")).isEqualTo(1);
		assertThat(this.generator.nextDocumentId("orders")).isEqualTo("orders/1001-A");
	}

	@Test
	void typesCountInTheirCollection() {
		assertThat(this.generator.nextDocumentId(Order.class)).isEqualTo("orders/1-A");
		assertThat(this.generator.nextDocumentId(LineItem.class)).isEqualTo("lineItem/1-A");
		assertThat(this.generator.nextDocumentId(Archived.class)).isEqualTo("orders/2-A");
		assertThat(this.generator.nextId(Order.class)).isEqualTo(3);
	}

	@Test
	void typeMayHaveWhatSpringDataConverts() {
		assertThat(this.generator.nextDocumentId(Dated.class)).isEqualTo("dated/1-A");
	}

	@Test
	void typesAreNamedAsTheApplicationDoes() {
		InMemoryHiLoIdGenerator raven = new InMemoryHiLoIdGenerator(new MongoMappingContext(), new RavenNaming(),
				new MockEnvironment().withProperty("hilo.node-tag", "")
					.withProperty("hilo.identity-parts-separator", ":"));
		assertThat(raven.nextDocumentId(LineItem.class)).isEqualTo("LineItems:1");
	}

	@Test
	void tagAndSeparatorAreThoseOfTheApplication() {
		assertThat(new InMemoryHiLoIdGenerator("B", "~").nextDocumentId(Order.class)).isEqualTo("orders~1-B");
		assertThat(new InMemoryHiLoIdGenerator("", "~").nextDocumentId(Order.class)).isEqualTo("orders~1");
	}

	@Test
	void settingsOfOneSequenceAreThoseOfTheApplication() {
		MockEnvironment environment = new MockEnvironment().withProperty("hilo.digits", "8")
			.withProperty("hilo.sequences.INV.digits", "6")
			.withProperty("hilo.sequences.INV.node-tag", "")
			.withProperty("hilo.sequences[IN*].identity-parts-separator", "-");
		InMemoryHiLoIdGenerator ids = new InMemoryHiLoIdGenerator(new MongoMappingContext(), (type, name) -> name,
				environment);
		assertThat(ids.nextDocumentId(Order.class)).isEqualTo("orders/00000001-A");
		assertThat(ids.nextDocumentIds("INV", 2)).containsExactly("INV-000001", "INV-000002");
		assertThat(ids.forDatabase("audit").nextDocumentId("INV")).isEqualTo("INV-000001");
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
	}

	@Test
	void raisedCounterGoesOnAboveItsFloorUntilItIsReset() {
		HiLoIdGenerator audit = this.generator.forDatabase("audit");
		assertThat(audit.ensureAtLeast(Order.class, 100)).isEqualTo(100);
		assertThat(audit.nextId("orders")).isEqualTo(101);
		audit.release();
		assertThat(audit.ensureAtLeast("orders", 50)).as("never lowered").isEqualTo(101);
		this.generator.reset();
		assertThat(audit.nextId("orders")).isEqualTo(1);
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

	@Test
	void wrongArgumentFailsAtOnceAndNotAtTheFirstId() {
		for (HiLoIdGenerator ids : List.of(this.generator, this.generator.forDatabase("audit"))) {
			assertThatIllegalArgumentException().isThrownBy(() -> ids.sequence(" "));
			assertThatIllegalArgumentException().isThrownBy(() -> ids.sequence(String.class));
			assertThatIllegalArgumentException().isThrownBy(() -> ids.forDatabase(""));
		}
	}

	@Test
	void callersNeverShareANumber() {
		Callers<List<Long>> callers = Callers.start(8, () -> numbers(this.generator, 2000));
		assertThat(callers.answers().stream().flatMap(List::stream)).doesNotHaveDuplicates();
	}

	private static List<Long> numbers(HiLoIdGenerator generator, int count) {
		return Stream.generate(() -> generator.nextId("orders")).limit(count).toList();
	}

	record LineItem(@Nullable String id) {
	}

	@HiLo(sequence = "orders")
	record Archived(@Nullable String id) {
	}

	record Dated(@Nullable String id, Instant createdAt, List<LocalDate> days) {
	}

}
