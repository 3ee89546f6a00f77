package io.github.hilo.internal.mapping;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import io.github.hilo.HiLo;
import io.github.hilo.HiLoNamingStrategy;
import io.github.hilo.internal.store.IdForm;
import io.github.hilo.internal.store.Place;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.data.core.TypeInformation;
import org.springframework.data.mongodb.core.mapping.BasicMongoPersistentEntity;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.core.mapping.FieldType;
import org.springframework.data.mongodb.core.mapping.MongoMappingContext;
import org.springframework.data.mongodb.core.mapping.MongoPersistentEntity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class MappedSequenceNamesTests {

	private final Assignments assignments = new Assignments();

	private final MappedSequenceNames names = this.assignments.names();

	@Test
	void typeCountsInItsCollection() {
		assertThat(this.names.nameOf(Plain.class)).isEqualTo("plain");
		assertThat(this.names.nameOf(Named.class)).isEqualTo("documents");
		assertThat(this.names.nameOf(NamedAbstract.class)).isEqualTo("documents");
		assertThat(this.names.nameOf(NamedInterface.class)).isEqualTo("documents");
	}

	@Test
	void annotationComesBeforeTheNamingStrategy() {
		MappedSequenceNames names = names((type, collection) -> {
			throw new AssertionError("not to be asked");
		});
		assertThat(names.nameOf(Annotated.class)).isEqualTo("shared");
		assertThat(names.nameOf(AnnotatedToo.class)).isEqualTo("shared");
		assertThat(names.nameOf(AnnotatedAbstract.class)).isEqualTo("shared");
	}

	@Test
	void namingStrategyIsAskedWithTypeAndCollection() {
		MappedSequenceNames names = names((type, collection) -> type.getSimpleName() + " in " + collection);
		assertThat(names.nameOf(Named.class)).isEqualTo("Named in documents");
		assertThat(names.nameOf(OnlyPresent.class)).isEqualTo("OnlyPresent in onlyPresent");
	}

	/**
	 * As in an application whose mapping context puts a tenant before each name.
	 */
	@Test
	void nameFollowsACollectionThatChanges() {
		AtomicReference<String> tenant = new AtomicReference<>("north");
		MongoMappingContext context = new MongoMappingContext() {

			@Override
			protected <T> BasicMongoPersistentEntity<T> createPersistentEntity(TypeInformation<T> type) {
				return new BasicMongoPersistentEntity<>(type) {

					@Override
					public String getCollection() {
						return tenant.get() + "_" + super.getCollection();
					}

				};
			}

		};
		MappedSequenceNames names = new MappedSequenceNames(() -> context, () -> (type, collection) -> collection,
				List::of);
		assertThat(names.nameOf(Plain.class)).isEqualTo("north_plain");
		tenant.set("south");
		assertThat(names.nameOf(Plain.class)).isEqualTo("south_plain");
	}

	/**
	 * For example a converter that is being created.
	 */
	@Test
	void converterThatFailsConcernsOnlyTypesThatNeedIt() {
		MongoMappingContext context = new MongoMappingContext();
		List.of(Plain.class, Converted.class).forEach(context::getPersistentEntity);
		KnownTypes types = new KnownTypes(
				new MappedSequenceNames(() -> context, () -> (type, collection) -> collection, () -> {
					throw new IllegalStateException("in creation");
				}), new AssignmentRule(true, true, List.of()));
		assertThat(types.placesOf("plain").isInDoubt()).as("the other type is asked again").isTrue();
		assertThat(types.registerPlaceOf(Plain.class)).isEqualTo(Place.ofType("plain", Place.ID, IdForm.NUMBER));
	}

	@ParameterizedTest
	@ValueSource(classes = { PlainAbstract.class, PlainInterface.class, UnnamedAbstract.class })
	void abstractTypeThatNamesNoCollectionIsRefused(Class<?> type) {
		assertThatIllegalArgumentException().isThrownBy(() -> this.names.nameOf(type))
			.withMessageContainingAll(type.getName(), "names no collection", "Pass the class that is saved",
					"@Document", "@HiLo", "name of the sequence as a string");
	}

	@ParameterizedTest
	@MethodSource
	void typeThatIsNoEntityIsRefused(Class<?> type) {
		assertThatIllegalArgumentException().isThrownBy(() -> this.names.nameOf(type))
			.withMessageContainingAll(type.getName(), "is not mapped to a collection", "Pass the class of a document",
					"name of the sequence as a string");
	}

	static Stream<Class<?>> typeThatIsNoEntityIsRefused() {
		return Stream.of(int.class, Long.class, String.class, Map.class, OwnMap.class, org.bson.Document.class,
				Plain[].class, FieldType.class, Object.class, Optional.class, ArrayList.class, List.of(1).getClass());
	}

	@ParameterizedTest
	@NullSource
	@ValueSource(strings = { "", " " })
	@SuppressWarnings("NullAway") // An answer that breaks the strategy's contract.
	void strategyWithoutAnAnswerIsRefused(@Nullable String answer) {
		HiLoNamingStrategy strategy = (type, collection) -> answer;
		assertThatIllegalArgumentException().isThrownBy(() -> names(strategy).nameOf(Plain.class))
			.withMessageContainingAll("naming strategy", strategy.getClass().getName(), Plain.class.getName(),
					"'plain'");
	}

	@Test
	void nameThatNoCounterCanHaveIsNotRemembered() {
		this.assignments.nameBy(new RavenNaming());
		KnownTypes types = this.assignments.types();
		assertThatIllegalArgumentException().isThrownBy(() -> save(types, Apple.class, "x".repeat(1_001)))
			.withMessageContaining("is too long");
		save(types, Apple.class, "apples");
	}

	private void save(KnownTypes types, Class<?> type, String sequence) {
		MongoPersistentEntity<?> entity = this.assignments.entity(type);
		NumberedProperty id = Objects.requireNonNull(types.mapped().of(entity).id());
		types.claim(new CountedField(id, sequence, id.placeIn("fruit")), "shop");
	}

	private MappedSequenceNames names(HiLoNamingStrategy strategy) {
		this.assignments.nameBy(strategy);
		return this.assignments.names();
	}

	record Plain(@Nullable Long id) {
	}

	record Converted(@Nullable Own id) {

		record Own(long value) {
		}

	}

	@Document("documents")
	record Named(@Nullable Long id) {
	}

	@Document("documents")
	abstract static class NamedAbstract {

	}

	@Document("documents")
	interface NamedInterface {

	}

	abstract static class PlainAbstract {

	}

	interface PlainInterface {

	}

	@Document
	abstract static class UnnamedAbstract {

	}

	@SuppressWarnings("serial")
	static class OwnMap extends HashMap<String, String> {

	}

	@HiLo(sequence = "shared")
	record Annotated(@Nullable Long id) {
	}

	@HiLo(sequence = "shared")
	record AnnotatedToo(@Nullable Long id) {
	}

	@HiLo(sequence = "shared")
	abstract static class AnnotatedAbstract {

	}

	@HiLo
	record OnlyPresent(@Nullable Long id) {
	}

	@Document("fruit")
	record Apple(@Nullable Long id) {
	}

}
