package io.github.hilo.data;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.hilo.HiLo;
import io.github.hilo.HiLoNamingStrategy;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.store.StoredIdScope;
import io.github.hilo.store.StoredIdScope.Field;
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
class MappedIdScopesTests {

	private static final String DATABASE = "shop";

	private final MongoMappingContext mappings = new MongoMappingContext();

	private final List<String> released = new ArrayList<>();

	private CompletableFuture<@Nullable Void> release = CompletableFuture.completedFuture(null);

	private final MappedIdScopes scopes = scopes((type, collection) -> collection);

	@Test
	void idsOfAnyFormCountWhereNoTypeIsKnown() {
		assertThat(this.scopes.of(DATABASE, "orders")).isEqualTo(StoredIdScope.ofName("orders"))
			.isEqualTo(new StoredIdScope(true, true, List.of(Field.id("orders", false))));
	}

	@Test
	void typesThatAreSavedToItsCollectionSayWhatCounts() {
		know(Order.class);
		assertThat(this.scopes.of(DATABASE, "orders")).isEqualTo(scope(false, true, "orders"));
		know(LegacyOrder.class);
		assertThat(this.scopes.of(DATABASE, "orders")).isEqualTo(scope(true, true, "orders"));
		know(Counted.class);
		assertThat(this.scopes.of(DATABASE, "counted")).isEqualTo(scope(true, false, "counted"));
	}

	@Test
	void typeWithIdsOfAnotherFormSaysNothingOfASequence() {
		know(ObjectIds.class);
		assertThat(this.scopes.of(DATABASE, "objectIds")).isEqualTo(StoredIdScope.ofName("objectIds"));
	}

	@Test
	void embeddedTypeSaysNothingOfASequence() {
		know(Embedded.class);
		assertThat(this.scopes.of(DATABASE, "embedded")).isEqualTo(StoredIdScope.ofName("embedded"));
	}

	@Test
	void sequenceThatATypeNamesCountsInTheCollectionOfTheTypeAndInThatOfItsOwnName() {
		know(Archived.class);
		assertThat(this.scopes.of(DATABASE, "tickets"))
			.isEqualTo(new StoredIdScope(true, false, List.of(Field.id("archive", true), Field.id("tickets", false))));
		assertThat(this.scopes.of(DATABASE, "archive")).as("no type counts there")
			.isEqualTo(StoredIdScope.ofName("archive"));
	}

	@Test
	void collectionThatIsAnExpressionIsNotEvaluated() {
		know(Dynamic.class);
		know(DynamicTicket.class);
		assertThat(this.scopes.of(DATABASE, "tenant")).isEqualTo(StoredIdScope.ofName("tenant"));
		assertThat(this.scopes.of(DATABASE, "tickets"))
			.isEqualTo(new StoredIdScope(true, false, List.of(Field.id("tickets", false))));
	}

	@Test
	void collectionThatASaveHasNamedCountsFromThenOn() {
		assertThat(announce("tickets", "archive", true)).isCompleted();
		assertThat(this.scopes.of(DATABASE, "tickets"))
			.isEqualTo(new StoredIdScope(true, false, List.of(Field.id("archive", true), Field.id("tickets", false))));
		assertThat(this.released).as("no range was reserved without it").isEmpty();
	}

	@Test
	void namingStrategyIsAskedForTypesOnly() {
		know(Counted.class);
		MappedIdScopes shouting = scopes((type, collection) -> collection.toUpperCase(java.util.Locale.ROOT));
		assertThat(shouting.of(DATABASE, "COUNTED"))
			.isEqualTo(new StoredIdScope(true, false, List.of(Field.id("counted", true), Field.id("COUNTED", false))));
	}

	@Test
	void rangesThatWereReservedWithoutALookAtACollectionAreReturnedBeforeItIsUsed() {
		know(Archived.class);
		this.scopes.of(DATABASE, "tickets");
		this.release = new CompletableFuture<>();
		CompletionStage<?> first = announce("tickets", "archive-2025", true);
		CompletionStage<?> second = announce("tickets", "archive-2025", true);
		assertThat(this.released).containsExactly("tickets");
		assertThat(List.of(first, second)).noneMatch((ready) -> ready.toCompletableFuture().isDone());
		assertThat(this.scopes.of(DATABASE, "tickets").covers("archive-2025", Field.ID, true)).isTrue();
		this.release.complete(null);
		assertThat(List.of(first, second)).allMatch((ready) -> ready.toCompletableFuture().isDone());
		assertThat(announce("tickets", "archive-2025", true)).isCompleted();
		assertThat(this.released).containsExactly("tickets");
	}

	@Test
	void idsOfAnotherFormInAKnownCollectionAreNewToASequence() {
		know(Order.class);
		this.scopes.of(DATABASE, "orders");
		announce("orders", "orders", false);
		assertThat(this.released).isEmpty();
		announce("orders", "orders", true);
		assertThat(this.released).containsExactly("orders");
	}

	@Test
	void everyLookSoFarHasToHaveCoveredACollection() {
		know(Archived.class);
		this.scopes.of(DATABASE, "tickets");
		know(OldTicket.class);
		this.scopes.of(DATABASE, "tickets");
		announce("tickets", "old", true);
		assertThat(this.released).as("ranges of the first look may be left").containsExactly("tickets");
	}

	@Test
	void looksOfAnotherDatabaseSayNothing() {
		know(Archived.class);
		this.scopes.of(DATABASE, "tickets");
		announce("other", "tickets", "late", true);
		assertThat(this.released).isEmpty();
		assertThat(this.scopes.of("other", "tickets").covers("late", Field.ID, true)).isTrue();
		assertThat(this.scopes.of(DATABASE, "tickets").covers("late", Field.ID, true)).isFalse();
		announce(DATABASE, "tickets", "late", true);
		assertThat(this.released).containsExactly("tickets");
	}

	@Test
	void collectionOfAnUnknownDatabaseCountsInEveryOne() {
		this.scopes.of(DATABASE, "tickets");
		announce(null, "tickets", "late", true);
		announce(null, "tickets", "late", true);
		assertThat(this.released).containsExactly("tickets");
		assertThat(this.scopes.of("other", "tickets").covers("late", Field.ID, true)).isTrue();
	}

	@Test
	void callerThatGivesUpHarmsNobodyElse() {
		this.scopes.of(DATABASE, "tickets");
		this.release = new CompletableFuture<>();
		CompletableFuture<?> impatient = announce("tickets", "late", true).toCompletableFuture();
		CompletionStage<?> other = announce("tickets", "late", true);
		impatient.cancel(true);
		assertThat(other.toCompletableFuture()).isNotDone();
		this.release.complete(null);
		assertThat(other).isCompleted();
		assertThat(announce("tickets", "late", true)).isCompleted();
	}

	@Test
	void strategyThatRefusesATypeSaysNothingOfOtherSequences() {
		know(Counted.class);
		know(Order.class);
		MappedIdScopes picky = scopes((type, collection) -> {
			if (type == Order.class) {
				throw new IllegalArgumentException("no name");
			}
			return collection;
		});
		assertThat(picky.of(DATABASE, "counted")).isEqualTo(scope(true, false, "counted"));
	}

	@Test
	void typeThatIsNeverSavedIsNotJudged(CapturedOutput output) {
		know(Order.class);
		know(Holder.class);
		assertThat(this.scopes.of(DATABASE, "orders")).isEqualTo(scope(false, true, "orders"));
		assertThat(this.scopes.of(DATABASE, "holder")).isEqualTo(scope(false, true, "holder"));
		assertThat(output).doesNotContain("could not be named");
	}

	@Test
	void releaseThatThrowsIsTriedAgainByTheNextSave() {
		MappedIdScopes scopes = new MappedIdScopes(names((type, collection) -> collection), (database, sequence) -> {
			this.released.add(sequence);
			throw new IllegalStateException("no generator");
		});
		scopes.of(DATABASE, "tickets");
		assertThat(scopes.announce(DATABASE, "tickets", "late", Field.ID, true)).isCompletedExceptionally();
		assertThat(scopes.announce(DATABASE, "tickets", "late", Field.ID, true)).isCompletedExceptionally();
		assertThat(this.released).hasSize(2);
	}

	@Test
	void releaseThatFailsIsTriedAgainByTheNextSave() {
		this.scopes.of(DATABASE, "tickets");
		this.release = CompletableFuture.failedFuture(new IllegalStateException("no answer"));
		assertThat(announce("tickets", "archive-2025", true)).isCompletedExceptionally();
		this.scopes.of(DATABASE, "tickets");
		this.release = CompletableFuture.completedFuture(null);
		assertThat(announce("tickets", "archive-2025", true)).isCompleted();
		assertThat(this.released).containsExactly("tickets", "tickets");
	}

	@Test
	void saveToACollectionForWhichNothingCouldBeReleasedFailsLikeOneWithoutARange() {
		MappedSequenceNames names = names((type, collection) -> collection);
		MappedIdScopes scopes = new MappedIdScopes(names,
				(database, sequence) -> CompletableFuture.failedFuture(new IllegalStateException("no answer")));
		scopes.of(DATABASE, "tickets");
		HiLoBeforeConvertCallback callback = new HiLoBeforeConvertCallback(() -> new CountingGenerator(7),
				new IdAssignment(names, scopes, AssignIds.ALL, List.of()));
		assertThatExceptionOfType(HiLoUnavailableException.class)
			.isThrownBy(() -> callback.onBeforeConvert(new Archived(null), "archive-2025"))
			.withMessageContainingAll("'tickets'", "'archive-2025'", "could not be returned: no answer");
	}

	private MappedIdScopes scopes(HiLoNamingStrategy naming) {
		return new MappedIdScopes(names(naming), (database, sequence) -> {
			this.released.add(sequence);
			return this.release;
		});
	}

	private MappedSequenceNames names(HiLoNamingStrategy naming) {
		return new MappedSequenceNames(this.mappings, () -> naming);
	}

	/**
	 * Does what a save does.
	 */
	private CompletionStage<@Nullable Void> announce(String sequence, String collection, boolean numeric) {
		return announce(DATABASE, sequence, collection, numeric);
	}

	private CompletionStage<@Nullable Void> announce(@Nullable String database, String sequence, String collection,
			boolean numeric) {
		return this.scopes.isCovered(sequence, collection, Field.ID, numeric) ? CompletableFuture.completedFuture(null)
				: this.scopes.announce(database, sequence, collection, Field.ID, numeric);
	}

	private void know(Class<?> type) {
		this.mappings.getRequiredPersistentEntity(type);
	}

	private static StoredIdScope scope(boolean numbers, boolean texts, String collection) {
		return new StoredIdScope(numbers, texts, List.of(Field.id(collection, true)));
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
