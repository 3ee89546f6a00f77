package io.github.hilo.data;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.hilo.HiLo;
import io.github.hilo.HiLoNamingStrategy;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.store.StoredIdScope;
import io.github.hilo.store.StoredIdScope.Place;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.core.mapping.MongoMappingContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for which stored ids count in a sequence.
 */
@ExtendWith(OutputCaptureExtension.class)
class StoredIdPlacesTests {

	private static final String DATABASE = "shop";

	private static final AssignmentRule RULE = new AssignmentRule(AssignIds.ALL, List.of());

	private final MongoMappingContext mappings = new MongoMappingContext();

	private final List<String> released = new ArrayList<>();

	private CompletableFuture<@Nullable Void> release = CompletableFuture.completedFuture(null);

	private final StoredIdPlaces places = places((type, collection) -> collection);

	@Test
	void idsOfAnyFormCountWhereNoTypeIsKnown() {
		assertThat(this.places.of(DATABASE, "orders")).isEqualTo(StoredIdScope.ofName("orders"))
			.isEqualTo(new StoredIdScope(List.of(new Place("orders", Place.ID, true, true, false)), false));
	}

	@Test
	void typesThatAreSavedToItsCollectionSayWhatCounts() {
		know(Order.class);
		assertThat(this.places.of(DATABASE, "orders")).isEqualTo(known(texts("orders")));
		know(LegacyOrder.class);
		assertThat(this.places.of(DATABASE, "orders").places()).containsExactly(texts("orders"), numbers("orders"));
		know(Counted.class);
		assertThat(this.places.of(DATABASE, "counted")).isEqualTo(known(numbers("counted")));
	}

	@Test
	void typeWithIdsOfAnotherFormSaysNothingOfASequence() {
		know(ObjectIds.class);
		assertThat(this.places.of(DATABASE, "objectIds")).isEqualTo(StoredIdScope.ofName("objectIds"));
	}

	@Test
	void embeddedTypeSaysNothingOfASequence() {
		know(Embedded.class);
		assertThat(this.places.of(DATABASE, "embedded")).isEqualTo(StoredIdScope.ofName("embedded"));
	}

	@Test
	void sequenceThatATypeNamesCountsInTheCollectionOfTheTypeAndInThatOfItsOwnName() {
		know(Archived.class);
		assertThat(this.places.of(DATABASE, "tickets")).isEqualTo(known(numbers("archive"), ofName("tickets")));
		assertThat(this.places.of(DATABASE, "archive")).as("no type counts there")
			.isEqualTo(StoredIdScope.ofName("archive"));
	}

	@Test
	void collectionThatIsAnExpressionIsNotEvaluated() {
		know(Dynamic.class);
		know(DynamicTicket.class);
		assertThat(this.places.of(DATABASE, "tenant")).isEqualTo(StoredIdScope.ofName("tenant"));
		assertThat(this.places.of(DATABASE, "tickets")).isEqualTo(known(ofName("tickets")));
	}

	@Test
	void collectionThatASaveHasNamedCountsFromThenOn() {
		assertThat(announce("tickets", "archive", true)).isCompleted();
		assertThat(this.places.of(DATABASE, "tickets")).isEqualTo(known(numbers("archive"), ofName("tickets")));
		assertThat(this.released).as("no range was reserved without it").isEmpty();
	}

	@Test
	void namingStrategyIsAskedForTypesOnly() {
		know(Counted.class);
		StoredIdPlaces shouting = places((type, collection) -> collection.toUpperCase(java.util.Locale.ROOT));
		assertThat(shouting.of(DATABASE, "COUNTED")).isEqualTo(known(numbers("counted"), ofName("COUNTED")));
	}

	@Test
	void rangesThatWereReservedWithoutACheckOfACollectionAreReturnedBeforeItIsUsed() {
		know(Archived.class);
		this.places.of(DATABASE, "tickets");
		this.release = new CompletableFuture<>();
		CompletionStage<?> first = announce("tickets", "archive-2025", true);
		assertThat(this.released).containsExactly("tickets 3");
		assertThat(first.toCompletableFuture()).isNotDone();
		assertThat(this.places.of(DATABASE, "tickets").places()).endsWith(numbers("archive-2025"));
		this.release.complete(null);
		assertThat(first.toCompletableFuture()).isDone();
		assertThat(announce("tickets", "archive-2025", true)).isCompleted();
		assertThat(this.released).containsExactly("tickets 3");
	}

	@Test
	void idsOfAnotherFormInAKnownCollectionAreNewToASequence() {
		know(Order.class);
		this.places.of(DATABASE, "orders");
		announce("orders", "orders", false);
		assertThat(this.released).isEmpty();
		announce("orders", "orders", true);
		assertThat(this.released).containsExactly("orders 2");
	}

	@Test
	void collectionThatTheApplicationMayNotReadUnlessATypeIsSavedThereIsNewOnceOneIs() {
		this.places.of(DATABASE, "orders");
		know(Order.class);
		announce("orders", "orders", false);
		assertThat(this.released).containsExactly("orders 2");
	}

	@Test
	void everyCheckSoFarMustHaveCoveredACollection() {
		know(Archived.class);
		this.places.of(DATABASE, "tickets");
		know(OldTicket.class);
		this.places.of(DATABASE, "tickets");
		announce("tickets", "old", true);
		assertThat(this.released).as("ranges of the first check may be left").containsExactly("tickets 3");
	}

	@Test
	void rangesOfAnotherDatabaseStay() {
		know(Archived.class);
		this.places.of(DATABASE, "tickets");
		announce("other", "tickets", "late", true);
		assertThat(this.released).as("nothing was checked in the other database yet").isEmpty();
		assertThat(this.places.isCovered("tickets", numbers("late"))).isFalse();
		announce(DATABASE, "tickets", "late", true);
		assertThat(this.released).containsExactly("tickets 3");
		assertThat(this.places.isCovered("tickets", numbers("late"))).isTrue();
	}

	@Test
	void collectionOfAnUnknownDatabaseIsNewToEveryOne() {
		this.places.of(DATABASE, "tickets");
		this.places.of("other", "tickets");
		announce(null, "tickets", "late", true);
		announce(null, "tickets", "late", true);
		assertThat(this.released).containsExactly("tickets 2");
	}

	@Test
	void strategyThatRefusesATypeSaysNothingOfOtherSequences() {
		know(Counted.class);
		know(Order.class);
		StoredIdPlaces picky = places((type, collection) -> {
			if (type == Order.class) {
				throw new IllegalArgumentException("no name");
			}
			return collection;
		});
		assertThat(picky.of(DATABASE, "counted")).isEqualTo(known(numbers("counted")));
	}

	@Test
	void typeThatIsNeverSavedIsNotJudged(CapturedOutput output) {
		know(Order.class);
		know(Holder.class);
		assertThat(this.places.of(DATABASE, "orders")).isEqualTo(known(texts("orders")));
		assertThat(this.places.of(DATABASE, "holder")).isEqualTo(known(texts("holder")));
		assertThat(output).doesNotContain("could not be named");
	}

	@Test
	void releaseThatThrowsIsTriedAgainByTheNextSave() {
		StoredIdPlaces places = new StoredIdPlaces(names((type, collection) -> collection), RULE,
				(database, sequence, count) -> {
					this.released.add(sequence);
					throw new IllegalStateException("no generator");
				});
		places.of(DATABASE, "tickets");
		assertThat(places.announce(DATABASE, "tickets", numbers("late"))).isCompletedExceptionally();
		assertThat(places.announce(DATABASE, "tickets", numbers("late"))).isCompletedExceptionally();
		assertThat(this.released).hasSize(2);
	}

	@Test
	void releaseThatFailsIsTriedAgainByTheNextSave() {
		this.places.of(DATABASE, "tickets");
		this.release = CompletableFuture.failedFuture(new IllegalStateException("no answer"));
		assertThat(announce("tickets", "archive-2025", true)).isCompletedExceptionally();
		this.places.of(DATABASE, "tickets");
		this.release = CompletableFuture.completedFuture(null);
		assertThat(announce("tickets", "archive-2025", true)).isCompleted();
		assertThat(this.released).containsExactly("tickets 2", "tickets 2");
	}

	@Test
	void saveToACollectionForWhichNothingCouldBeReleasedFailsLikeOneWithoutARange() {
		MappedSequenceNames names = names((type, collection) -> collection);
		StoredIdPlaces places = new StoredIdPlaces(names, RULE,
				(database, sequence, count) -> CompletableFuture.failedFuture(new IllegalStateException("no answer")));
		places.of(DATABASE, "tickets");
		HiLoBeforeConvertCallback callback = new HiLoBeforeConvertCallback(() -> CountingGenerator.from(7),
				Assignments.of(names, places, RULE), null);
		assertThatExceptionOfType(HiLoUnavailableException.class)
			.isThrownBy(() -> callback.onBeforeConvert(new Archived(null), "archive-2025"))
			.withMessageContainingAll("'tickets'", "'archive-2025'", "could not be returned: no answer");
	}

	private StoredIdPlaces places(HiLoNamingStrategy naming) {
		return new StoredIdPlaces(names(naming), RULE, (database, sequence, count) -> {
			this.released.add(sequence + " " + count);
			return this.release;
		});
	}

	private MappedSequenceNames names(HiLoNamingStrategy naming) {
		return new MappedSequenceNames(() -> this.mappings, () -> naming);
	}

	/**
	 * Does what a save does.
	 */
	private CompletionStage<@Nullable Void> announce(String sequence, String collection, boolean numeric) {
		return announce(DATABASE, sequence, collection, numeric);
	}

	private CompletionStage<@Nullable Void> announce(@Nullable String database, String sequence, String collection,
			boolean numeric) {
		Place place = numeric ? numbers(collection) : texts(collection);
		return this.places.isCovered(sequence, place) ? CompletableFuture.completedFuture(null)
				: this.places.announce(database, sequence, place);
	}

	private void know(Class<?> type) {
		this.mappings.getRequiredPersistentEntity(type);
	}

	private static StoredIdScope known(Place... places) {
		return new StoredIdScope(List.of(places), true);
	}

	private static Place numbers(String collection) {
		return new Place(collection, Place.ID, true, false, true);
	}

	private static Place texts(String collection) {
		return new Place(collection, Place.ID, false, true, true);
	}

	private static Place ofName(String sequence) {
		return new Place(sequence, Place.ID, true, false, false);
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
