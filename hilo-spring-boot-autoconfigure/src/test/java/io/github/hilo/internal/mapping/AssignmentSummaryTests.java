package io.github.hilo.internal.mapping;

import java.util.List;

import io.github.hilo.HiLo;
import io.github.hilo.HiLoNamingStrategy;
import io.github.hilo.autoconfigure.AssignIds;
import jakarta.validation.constraints.NotBlank;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.core.mapping.MongoMappingContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * What the line at start-up says.
 */
class AssignmentSummaryTests {

	private final MongoMappingContext mappings = new MongoMappingContext();

	@Test
	void documentsAreNamedWithTheirSequences() {
		know(Order.class, Customer.class, Tenant.class, Abstract.class, OfSpring.class, Owner.class);
		assertThat(summary(AssignIds.ALL, (type, collection) -> collection))
			.isEqualTo("AssignmentSummaryTests.Customer.number from 'customers.number',"
					+ " AssignmentSummaryTests.Order.id from 'orders',"
					+ " AssignmentSummaryTests.Order.ticket from 'tickets', AssignmentSummaryTests.Owner.id from 'owner',"
					+ " AssignmentSummaryTests.Tenant.id from a sequence that each save names");
		assertThat(summary(AssignIds.ANNOTATED, (type, collection) -> collection))
			.isEqualTo("AssignmentSummaryTests.Customer.number from 'customers.number',"
					+ " AssignmentSummaryTests.Order.ticket from 'tickets'");
	}

	@Test
	void typeThatHoldsItselfIsADocument() {
		know(Category.class);
		assertThat(summary(AssignIds.ALL, (type, collection) -> collection))
			.isEqualTo("AssignmentSummaryTests.Category.id from 'category'");
	}

	@Test
	void strategyThatRefusesATypeBreaksNothing() {
		know(Order.class);
		assertThat(summary(AssignIds.ALL, (type, collection) -> {
			throw new IllegalArgumentException("not mine");
		})).startsWith("AssignmentSummaryTests.Order.id from a sequence that each save names, ");
	}

	@Test
	void noTypeIsKnownYet() {
		assertThat(summary(AssignIds.ALL, (type, collection) -> collection)).isEqualTo("no type known yet");
	}

	@Test
	void moreThanTenAreCounted() {
		know(Many.class, Order.class);
		String summary = summary(AssignIds.ALL, (type, collection) -> collection);
		assertThat(summary.split(", ", -1)).hasSize(10);
		assertThat(summary).endsWith(" and 13 more");
	}

	@Test
	void thoseThatAreLeftToTheApplicationAreAmongTheTen() {
		know(Many.class, OfTheApplication.A.class, OfTheApplication.B.class, OfTheApplication.C.class,
				OfTheApplication.D.class, OfTheApplication.E.class, OfTheApplication.F.class);
		String summary = summary(AssignIds.ALL, (type, collection) -> collection);
		assertThat(summary.split("AssignmentSummaryTests\\.", -1)).hasSize(1 + 10);
		assertThat(summary).contains(" and 16 more; none for ", "OfTheApplication.E.id and 1 more, because of");
	}

	@RepeatedTest(10) // Types come in any order.
	void typeIsRefusedBeforeASequenceIsNamed() {
		know(Order.class, Customer.class, Wrong.class);
		assertThatIllegalStateException().isThrownBy(() -> summary(AssignIds.ALL, (type, collection) -> {
			throw new AssertionError("a warning would be logged about a type that is refused");
		}));
	}

	@Test
	void annotationThatCannotBeHonouredIsToldHere() {
		know(Wrong.class);
		assertThatIllegalStateException().isThrownBy(() -> summary(AssignIds.ALL, (type, collection) -> collection))
			.withMessageContaining(Wrong.class.getName());
	}

	private void know(Class<?>... types) {
		List.of(types).forEach(this.mappings::getRequiredPersistentEntity);
	}

	private String summary(AssignIds assignIds, HiLoNamingStrategy naming) {
		MappedSequenceNames names = new MappedSequenceNames(() -> this.mappings, () -> naming, List::of);
		return Assignments.of(names, assignIds, List.of()).summary();
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

	/**
	 * With ids that the application sets.
	 */
	static class OfTheApplication {

		@Document
		record A(@NotBlank String id) {
		}

		@Document
		record B(@NotBlank String id) {
		}

		@Document
		record C(@NotBlank String id) {
		}

		@Document
		record D(@NotBlank String id) {
		}

		@Document
		record E(@NotBlank String id) {
		}

		@Document
		record F(@NotBlank String id) {
		}

	}

	record Wrong(@Nullable String id, @HiLo boolean number) {
	}

	@Document("many")
	record Many(@HiLo Long a, @HiLo Long b, @HiLo Long c, @HiLo Long d, @HiLo Long e, @HiLo Long f, @HiLo Long g,
			@HiLo Long h, @HiLo Long i, @HiLo Long j, @HiLo Long k, @HiLo Long l, @HiLo Long m, @HiLo Long n,
			@HiLo Long o, @HiLo Long p, @HiLo Long q, @HiLo Long r, @HiLo Long s, @HiLo Long t, @HiLo Long u) {
	}

	@HiLo("labels")
	record OfNoId(@Nullable ObjectId id) {
	}

	@HiLo(enabled = false)
	record Left(@Nullable ObjectId id) {
	}

}
