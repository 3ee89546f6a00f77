package io.github.hilo.internal.mapping;

import java.util.List;

import io.github.hilo.HiLo;
import io.github.hilo.autoconfigure.AssignIds;
import io.github.hilo.fixture.ConstrainedIds;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import org.springframework.data.mongodb.core.mapping.Document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * What the line at start-up says.
 */
class AssignmentSummaryTests {

	private final Assignments assignments = new Assignments();

	@Test
	void documentsAreNamedWithTheirSequences() {
		this.assignments.know(Order.class, Customer.class, Tenant.class, Abstract.class, OfSpring.class, Owner.class);
		assertThat(summary()).isEqualTo("AssignmentSummaryTests.Customer.number from 'customers.number',"
				+ " AssignmentSummaryTests.Order.id from 'orders',"
				+ " AssignmentSummaryTests.Order.ticket from 'tickets', AssignmentSummaryTests.Owner.id from 'owner',"
				+ " AssignmentSummaryTests.Tenant.id from a sequence that each save names");
		assertThat(this.assignments.values(AssignIds.ANNOTATED).start())
			.isEqualTo("AssignmentSummaryTests.Customer.number from 'customers.number',"
					+ " AssignmentSummaryTests.Order.ticket from 'tickets'; none for AssignmentSummaryTests.Order.id,"
					+ " AssignmentSummaryTests.Owner.id, AssignmentSummaryTests.Tenant.id, because hilo.assign-ids is"
					+ " annotated and they have no @HiLo");
	}

	@Test
	void typeThatHoldsItselfIsADocument() {
		this.assignments.know(Category.class);
		assertThat(summary()).isEqualTo("AssignmentSummaryTests.Category.id from 'category'");
	}

	@Test
	void strategyThatRefusesATypeBreaksNothing() {
		this.assignments.know(Order.class);
		this.assignments.nameBy((type, collection) -> {
			throw new IllegalArgumentException("not mine");
		});
		assertThat(summary()).startsWith("AssignmentSummaryTests.Order.id from a sequence that each save names, ");
	}

	@Test
	void noTypeIsKnownYet() {
		assertThat(summary()).isEqualTo("no type with @Document known yet");
	}

	@Test
	void moreThanTenAreCounted() {
		this.assignments.know(Many.class, Order.class);
		assertThat(summary().split(", ", -1)).hasSize(10);
		assertThat(summary()).endsWith(" and 13 more");
	}

	@Test
	void typesThatAreLeftToTheApplicationAreNamedBehind() {
		this.assignments.know(Many.class);
		ConstrainedIds.entities().map(Object::getClass).forEach(this.assignments::know);
		assertThat(summary()).contains(" and 11 more; none for ConstrainedIds.Authority.name, ",
				"ConstrainedIds.Several.name, because of");
	}

	@RepeatedTest(10) // Types come in any order.
	void typeIsRefusedBeforeASequenceIsNamed() {
		this.assignments.know(Order.class, Customer.class, Wrong.class);
		this.assignments.nameBy((type, collection) -> {
			throw new AssertionError("a warning would be logged about a type that is refused");
		});
		assertThatIllegalStateException().isThrownBy(this::summary).withMessageContaining(Wrong.class.getName());
	}

	@Test
	void typesWithoutIdsAreNamedWithTheReason() {
		this.assignments.know(Category.class, Owner.class, Marked.class);
		assertThat(this.assignments.values(AssignIds.ANNOTATED).start())
			.isEqualTo("AssignmentSummaryTests.Marked.id from 'marked'; none for AssignmentSummaryTests.Category.id,"
					+ " AssignmentSummaryTests.Owner.id, because hilo.assign-ids is annotated and they have no @HiLo");
		assertThat(this.assignments.values(AssignIds.ANNOTATED).rule())
			.contains("Other types get ids if they have @HiLo");
		assertThat(this.assignments.values(AssignIds.ALL).rule()).contains("Other types get ids, too");
	}

	private String summary() {
		return this.assignments.values(AssignIds.ALL).start();
	}

	@Document("orders")
	record Order(@Nullable String id, @HiLo("tickets") @Nullable Long ticket) {
	}

	@Document("customers")
	record Customer(@Nullable ObjectId id, @HiLo @Nullable Long number) {
	}

	@Document("#{'tenant'}")
	record Tenant(@Nullable String id) {
	}

	@Document("abstracts")
	abstract static class Abstract {

		@Nullable String id;

	}

	/**
	 * As projections are, without an annotation.
	 */
	record OfSpring(@Nullable Long id) {
	}

	@Document("owner")
	record Owner(@Nullable Long id, @Nullable Part part) {
	}

	record Part(@Nullable String id) {
	}

	@Document("category")
	record Category(@Nullable String id, List<Category> children) {
	}

	@HiLo
	@Document("marked")
	record Marked(@Nullable String id) {
	}

	record Wrong(@Nullable String id, @HiLo boolean number) {
	}

	@Document("many")
	record Many(@HiLo Long a, @HiLo Long b, @HiLo Long c, @HiLo Long d, @HiLo Long e, @HiLo Long f, @HiLo Long g,
			@HiLo Long h, @HiLo Long i, @HiLo Long j, @HiLo Long k, @HiLo Long l, @HiLo Long m, @HiLo Long n,
			@HiLo Long o, @HiLo Long p, @HiLo Long q, @HiLo Long r, @HiLo Long s, @HiLo Long t, @HiLo Long u) {
	}

}
