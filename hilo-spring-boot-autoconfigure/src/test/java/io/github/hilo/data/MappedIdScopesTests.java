package io.github.hilo.data;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.hilo.HiLo;
import io.github.hilo.HiLoNamingStrategy;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.StoredIdScope;
import io.github.hilo.StoredIdScope.Collection;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.core.mapping.MongoMappingContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for which stored ids count in a sequence.
 */
class MappedIdScopesTests {

	private final MongoMappingContext mappings = new MongoMappingContext();

	private final List<String> released = new ArrayList<>();

	private CompletableFuture<@Nullable Void> release = CompletableFuture.completedFuture(null);

	private final MappedIdScopes scopes = scopes((type, collection) -> collection);

	@Test
	void idsOfAnyFormCountWhereNoTypeIsKnown() {
		assertThat(this.scopes.of("orders")).isEqualTo(StoredIdScope.ofName("orders"))
			.isEqualTo(new StoredIdScope(true, true, List.of(new Collection("orders", false))));
	}

	@Test
	void typesThatAreSavedToItsCollectionSayWhatCounts() {
		know(Order.class);
		assertThat(this.scopes.of("orders")).isEqualTo(scope(false, true, "orders"));
		know(LegacyOrder.class);
		assertThat(this.scopes.of("orders")).isEqualTo(scope(true, true, "orders"));
		know(Counted.class);
		assertThat(this.scopes.of("counted")).isEqualTo(scope(true, false, "counted"));
	}

	@Test
	void nothingCountsWhereIdsAreOfAnotherType() {
		know(ObjectIds.class);
		assertThat(this.scopes.of("objectIds").isEmpty()).isTrue();
	}

	@Test
	void embeddedTypeSaysNothingOfASequence() {
		know(Embedded.class);
		assertThat(this.scopes.of("embedded")).isEqualTo(StoredIdScope.ofName("embedded"));
	}

	@Test
	void sequenceThatATypeNamesCountsInTheCollectionOfTheTypeAndInThatOfItsOwnName() {
		know(Archived.class);
		assertThat(this.scopes.of("tickets")).isEqualTo(new StoredIdScope(true, false,
				List.of(new Collection("archive", true), new Collection("tickets", false))));
		assertThat(this.scopes.of("archive")).as("no type counts there").isEqualTo(StoredIdScope.ofName("archive"));
	}

	@Test
	void collectionThatIsAnExpressionIsNotEvaluated() {
		know(Dynamic.class);
		know(DynamicTicket.class);
		assertThat(this.scopes.of("tenant")).isEqualTo(StoredIdScope.ofName("tenant"));
		assertThat(this.scopes.of("tickets"))
			.isEqualTo(new StoredIdScope(true, false, List.of(new Collection("tickets", false))));
	}

	@Test
	void collectionThatASaveHasNamedCountsFromThenOn() {
		assertThat(this.scopes.named("tickets", "archive", true)).isCompleted();
		assertThat(this.scopes.of("tickets")).isEqualTo(new StoredIdScope(true, false,
				List.of(new Collection("archive", true), new Collection("tickets", false))));
		assertThat(this.released).as("no range was reserved without it").isEmpty();
	}

	@Test
	void namingStrategyIsAskedForTypesOnly() {
		know(Counted.class);
		MappedIdScopes shouting = scopes((type, collection) -> collection.toUpperCase(java.util.Locale.ROOT));
		assertThat(shouting.of("COUNTED")).isEqualTo(new StoredIdScope(true, false,
				List.of(new Collection("counted", true), new Collection("COUNTED", false))));
	}

	@Test
	void rangesThatWereReservedWithoutALookAtACollectionAreReturnedBeforeItIsUsed() {
		know(Archived.class);
		this.scopes.of("tickets");
		this.release = new CompletableFuture<>();
		CompletionStage<?> first = this.scopes.named("tickets", "archive-2025", true);
		CompletionStage<?> second = this.scopes.named("tickets", "archive-2025", true);
		assertThat(this.released).containsExactly("tickets");
		assertThat(List.of(first, second)).noneMatch((ready) -> ready.toCompletableFuture().isDone());
		assertThat(this.scopes.of("tickets").covers("archive-2025", true)).isTrue();
		this.release.complete(null);
		assertThat(List.of(first, second)).allMatch((ready) -> ready.toCompletableFuture().isDone());
		assertThat(this.scopes.named("tickets", "archive-2025", true)).isCompleted();
		assertThat(this.released).containsExactly("tickets");
	}

	@Test
	void idsOfAnotherFormInAKnownCollectionAreNewToASequence() {
		know(Order.class);
		this.scopes.of("orders");
		this.scopes.named("orders", "orders", false);
		assertThat(this.released).isEmpty();
		this.scopes.named("orders", "orders", true);
		assertThat(this.released).containsExactly("orders");
	}

	@Test
	void releaseThatFailsIsTriedAgainByTheNextSave() {
		this.scopes.named("tickets", "archive", true);
		this.scopes.of("tickets");
		this.release = CompletableFuture.failedFuture(new IllegalStateException("no answer"));
		assertThat(this.scopes.named("tickets", "archive-2025", true)).isCompletedExceptionally();
		this.scopes.of("tickets");
		this.release = CompletableFuture.completedFuture(null);
		assertThat(this.scopes.named("tickets", "archive-2025", true)).isCompleted();
		assertThat(this.released).containsExactly("tickets", "tickets");
	}

	@Test
	void saveToACollectionForWhichNothingCouldBeReleasedFailsLikeOneWithoutARange() {
		MappedSequenceNames names = new MappedSequenceNames(this.mappings, (type, collection) -> collection,
				(sequence) -> CompletableFuture.failedFuture(new IllegalStateException("no answer")));
		names.storedIdScopes().of("tickets");
		HiLoBeforeConvertCallback callback = new HiLoBeforeConvertCallback(() -> new CountingGenerator(7), names,
				AssignIds.ALL);
		assertThatExceptionOfType(HiLoUnavailableException.class)
			.isThrownBy(() -> callback.onBeforeConvert(new Archived(null), "archive-2025"))
			.withMessageContainingAll("'tickets'", "'archive-2025'");
	}

	private MappedIdScopes scopes(HiLoNamingStrategy naming) {
		return new MappedSequenceNames(this.mappings, naming, (sequence) -> {
			this.released.add(sequence);
			return this.release;
		}).scopes();
	}

	private void know(Class<?> type) {
		this.mappings.getRequiredPersistentEntity(type);
	}

	private static StoredIdScope scope(boolean numbers, boolean texts, String collection) {
		return new StoredIdScope(numbers, texts, List.of(new Collection(collection, true)));
	}

	@Document("orders")
	record Order(@Nullable String id) {
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
