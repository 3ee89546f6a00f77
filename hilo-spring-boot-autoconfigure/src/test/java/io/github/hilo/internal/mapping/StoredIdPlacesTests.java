package io.github.hilo.internal.mapping;

import java.util.List;

import io.github.hilo.HiLo;
import io.github.hilo.fixture.Order;
import io.github.hilo.internal.engine.ChosenValue;
import io.github.hilo.internal.store.IdForm;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.Places;
import org.bson.types.Decimal128;
import org.bson.types.ObjectId;
import org.bson.types.Symbol;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.core.mapping.MongoMappingContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.atLeastOnce;
import static org.mockito.Mockito.clearInvocations;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.spy;
import static org.mockito.Mockito.verify;

/**
 * Tests for where the numbers of a sequence are stored.
 */
@ExtendWith(OutputCaptureExtension.class)
class StoredIdPlacesTests {

	private final Assignments assignments = new Assignments();

	private final KnownTypes types = this.assignments.types();

	@Test
	void nothingIsKnownWhereNoTypeIs() {
		assertThat(placesOf("orders")).isEmpty();
	}

	/**
	 * MongoDB compares symbols with strings, and all numbers with each other.
	 */
	@Test
	void chosenValueIsReadAsAFindReadsIt() {
		this.assignments.know(NumberedOrder.class);
		this.types.nameTypes();
		org.bson.Document document = new org.bson.Document("_id", new Symbol("orders/5-A")).append("number",
				new Decimal128((1L << 53) + 1));
		assertThat(this.types.chosen(document, "orders")).containsExactlyInAnyOrder(
				new ChosenValue("orders", "orders/5-A", Place.Known.BY_TYPE),
				new ChosenValue("numbers", (1L << 53) + 1, Place.Known.BY_TYPE));
	}

	/**
	 * Otherwise each save would copy the set of all types.
	 */
	@Test
	void saveAsksForTheTypesOnlyWhenTheContextHasToldOfOne() {
		MongoMappingContext context = spy(new MongoMappingContext());
		KnownTypes told = new KnownTypes(
				new MappedSequenceNames(() -> context, () -> (type, collection) -> collection, List::of),
				new AssignmentRule(true, true, List.of()));
		told.registerPlaceOf(Order.class);
		told.registerPlaceOf(Order.class);
		clearInvocations(context);
		told.registerPlaceOf(Order.class);
		verify(context, never()).getPersistentEntities();
		told.added();
		told.registerPlaceOf(Order.class);
		verify(context, atLeastOnce()).getPersistentEntities();
	}

	/**
	 * In which form a caller without a place stores an id is not known.
	 */
	@Test
	void collectionOfTheNameIsKnownInBothForms() {
		this.assignments.know(Order.class, Archived.class);
		assertThat(List.of("orders", "tickets", "unknown"))
			.allSatisfy((sequence) -> assertThat(this.types.placesOf(sequence).toList())
				.contains(Place.ofName(sequence, IdForm.NUMBER), Place.ofName(sequence, IdForm.TEXT)));
	}

	@Test
	void typesThatAreSavedToItsCollectionSayWhatCounts() {
		this.assignments.know(Order.class);
		assertThat(placesOf("orders")).containsExactly(texts("orders"));
		this.assignments.know(LegacyOrder.class);
		this.types.nameTypes();
		assertThat(placesOf("orders")).containsExactlyInAnyOrder(texts("orders"), numbers("orders"));
		this.assignments.know(Counted.class);
		assertThat(placesOf("counted")).containsExactly(numbers("counted"));
	}

	@Test
	void typeWithoutIdsOfOursSaysNothingOfASequence() {
		this.assignments.know(ObjectIds.class, Embedded.class);
		assertThat(placesOf("objectIds")).as("of another form").isEmpty();
		assertThat(placesOf("embedded")).as("without an id").isEmpty();
	}

	@Test
	void sequenceThatATypeNamesCountsInTheCollectionOfTheType() {
		this.assignments.know(Archived.class);
		assertThat(placesOf("tickets")).containsExactly(numbers("archive"));
		assertThat(placesOf("archive")).as("no type counts there").isEmpty();
	}

	@Test
	void collectionThatIsAnExpressionIsNotEvaluated() {
		this.assignments.know(Dynamic.class, DynamicTicket.class);
		assertThat(placesOf("tenant")).isEmpty();
		assertThat(this.types.placesOf("tickets").toList())
			.containsExactlyInAnyOrder(Place.ofName("tickets", IdForm.NUMBER), Place.ofName("tickets", IdForm.TEXT));
	}

	@Test
	void strategyThatRefusesATypeSaysNothingOfOtherSequences() {
		this.assignments.know(Counted.class, Order.class);
		this.assignments.nameBy((type, collection) -> {
			if (type == Order.class) {
				throw new IllegalArgumentException("no name");
			}
			return collection;
		});
		assertThat(mapped(this.assignments.types().placesOf("counted"))).containsExactly(numbers("counted"));
	}

	@Test
	void typeThatIsNeverSavedIsNotJudged(CapturedOutput output) {
		this.assignments.know(Order.class, Holder.class);
		assertThat(placesOf("orders")).containsExactly(texts("orders"));
		assertThat(placesOf("holder")).containsExactly(texts("holder"));
		assertThat(output).doesNotContain("could not be named");
	}

	private List<Place> placesOf(String sequence) {
		return mapped(this.types.placesOf(sequence));
	}

	private static List<Place> mapped(Places places) {
		return places.toList().stream().filter(Place::isOfType).toList();
	}

	private static Place numbers(String collection) {
		return Place.ofType(collection, Place.ID, IdForm.NUMBER);
	}

	private static Place texts(String collection) {
		return Place.ofType(collection, Place.ID, IdForm.TEXT);
	}

	@Document("orders")
	record NumberedOrder(@Nullable String id, @HiLo(sequence = "numbers") @Nullable Long number) {
	}

	record Holder(@Nullable String id, Held held) {
	}

	record Held(@HiLo @Nullable Long number) {
	}

	@Document("orders")
	record LegacyOrder(@Nullable Long id) {
	}

	record Counted(int id) {
	}

	record ObjectIds(@Nullable ObjectId id) {
	}

	record Embedded(String street) {
	}

	@HiLo(sequence = "tickets")
	@Document("archive")
	record Archived(@Nullable Long id) {
	}

	@Document("#{'tenant'}")
	record Dynamic(@Nullable String id) {
	}

	@HiLo(sequence = "tickets")
	@Document("#{'tenant'}")
	record DynamicTicket(@Nullable Long id) {
	}

}
