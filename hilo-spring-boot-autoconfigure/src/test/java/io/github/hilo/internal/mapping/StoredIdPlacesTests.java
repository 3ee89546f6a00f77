package io.github.hilo.internal.mapping;

import java.util.List;

import io.github.hilo.HiLo;
import io.github.hilo.HiLoNamingStrategy;
import io.github.hilo.internal.store.Place;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.core.mapping.MongoMappingContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for where the numbers of a sequence are stored.
 */
@ExtendWith(OutputCaptureExtension.class)
class StoredIdPlacesTests {

	private static final AssignmentRule RULE = new AssignmentRule(true, true, List.of());

	private final MongoMappingContext mappings = new MongoMappingContext();

	private final KnownTypes types = types((type, collection) -> collection);

	@Test
	void nothingIsKnownWhereNoTypeIs() {
		assertThat(this.types.of("orders")).isEmpty();
	}

	@Test
	void typesThatAreSavedToItsCollectionSayWhatCounts() {
		know(Order.class);
		assertThat(this.types.of("orders")).containsExactly(texts("orders"));
		know(LegacyOrder.class);
		assertThat(this.types.of("orders")).containsExactlyInAnyOrder(texts("orders"), numbers("orders"));
		know(Counted.class);
		assertThat(this.types.of("counted")).containsExactly(numbers("counted"));
	}

	@Test
	void typeWithIdsOfAnotherFormSaysNothingOfASequence() {
		know(ObjectIds.class);
		assertThat(this.types.of("objectIds")).isEmpty();
	}

	@Test
	void embeddedTypeSaysNothingOfASequence() {
		know(Embedded.class);
		assertThat(this.types.of("embedded")).isEmpty();
	}

	@Test
	void sequenceThatATypeNamesCountsInTheCollectionOfTheType() {
		know(Archived.class);
		assertThat(this.types.of("tickets")).containsExactly(numbers("archive"));
		assertThat(this.types.of("archive")).as("no type counts there").isEmpty();
	}

	@Test
	void collectionThatIsAnExpressionIsNotEvaluated() {
		know(Dynamic.class);
		know(DynamicTicket.class);
		assertThat(this.types.of("tenant")).isEmpty();
		assertThat(this.types.of("tickets")).containsExactly(ofName("tickets"));
	}

	@Test
	void namingStrategyIsAskedForTypesOnly() {
		know(Counted.class);
		KnownTypes shouting = types((type, collection) -> collection.toUpperCase(java.util.Locale.ROOT));
		assertThat(shouting.of("COUNTED")).containsExactly(numbers("counted"));
	}

	@Test
	void strategyThatRefusesATypeSaysNothingOfOtherSequences() {
		know(Counted.class);
		know(Order.class);
		KnownTypes picky = types((type, collection) -> {
			if (type == Order.class) {
				throw new IllegalArgumentException("no name");
			}
			return collection;
		});
		assertThat(picky.of("counted")).containsExactly(numbers("counted"));
	}

	@Test
	void typeThatIsNeverSavedIsNotJudged(CapturedOutput output) {
		know(Order.class);
		know(Holder.class);
		assertThat(this.types.of("orders")).containsExactly(texts("orders"));
		assertThat(this.types.of("holder")).containsExactly(texts("holder"));
		assertThat(output).doesNotContain("could not be named");
	}

	private KnownTypes types(HiLoNamingStrategy naming) {
		return new KnownTypes(names(naming), RULE);
	}

	private MappedSequenceNames names(HiLoNamingStrategy naming) {
		return new MappedSequenceNames(() -> this.mappings, () -> naming, List::of);
	}

	private void know(Class<?> type) {
		this.mappings.getRequiredPersistentEntity(type);
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

	@Document("orders")
	record Order(@Nullable String id) {
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

	@HiLo(sequence = "tickets")
	@Document("old")
	record OldTicket(@Nullable Long id) {
	}

	@Document("#{'tenant'}")
	record Dynamic(@Nullable String id) {
	}

	@HiLo(sequence = "tickets")
	@Document("#{'tenant'}")
	record DynamicTicket(@Nullable Long id) {
	}

}
