package io.github.hilo.internal.mapping;

import io.github.hilo.HiLo;
import io.github.hilo.fixture.Order;
import io.github.hilo.internal.store.Place;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.mongodb.core.mapping.Document;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for where the numbers of a sequence are stored.
 */
@ExtendWith(OutputCaptureExtension.class)
class StoredIdPlacesTests {

	private final Assignments assignments = new Assignments();

	private final KnownTypes types = this.assignments.types();

	@Test
	void nothingIsKnownWhereNoTypeIs() {
		assertThat(this.types.placesOf("orders")).isEmpty();
	}

	@Test
	void typesThatAreSavedToItsCollectionSayWhatCounts() {
		this.assignments.know(Order.class);
		assertThat(this.types.placesOf("orders")).containsExactly(texts("orders"));
		this.assignments.know(LegacyOrder.class);
		assertThat(this.types.placesOf("orders")).containsExactlyInAnyOrder(texts("orders"), numbers("orders"));
		this.assignments.know(Counted.class);
		assertThat(this.types.placesOf("counted")).containsExactly(numbers("counted"));
	}

	@Test
	void typeWithoutIdsOfOursSaysNothingOfASequence() {
		this.assignments.know(ObjectIds.class, Embedded.class);
		assertThat(this.types.placesOf("objectIds")).as("of another form").isEmpty();
		assertThat(this.types.placesOf("embedded")).as("without an id").isEmpty();
	}

	@Test
	void sequenceThatATypeNamesCountsInTheCollectionOfTheType() {
		this.assignments.know(Archived.class);
		assertThat(this.types.placesOf("tickets")).containsExactly(numbers("archive"));
		assertThat(this.types.placesOf("archive")).as("no type counts there").isEmpty();
	}

	@Test
	void collectionThatIsAnExpressionIsNotEvaluated() {
		this.assignments.know(Dynamic.class, DynamicTicket.class);
		assertThat(this.types.placesOf("tenant")).isEmpty();
		assertThat(this.types.placesOf("tickets")).containsExactly(ofName("tickets"));
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
		assertThat(this.assignments.types().placesOf("counted")).containsExactly(numbers("counted"));
	}

	@Test
	void typeThatIsNeverSavedIsNotJudged(CapturedOutput output) {
		this.assignments.know(Order.class, Holder.class);
		assertThat(this.types.placesOf("orders")).containsExactly(texts("orders"));
		assertThat(this.types.placesOf("holder")).containsExactly(texts("holder"));
		assertThat(output).doesNotContain("could not be named");
	}

	private static Place numbers(String collection) {
		return new Place(collection, Place.ID, false, true);
	}

	private static Place texts(String collection) {
		return new Place(collection, Place.ID, true, true);
	}

	private static Place ofName(String sequence) {
		return new Place(sequence, Place.ID, false, false);
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
