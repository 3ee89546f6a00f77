package io.github.hilo.internal.mapping;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import io.github.hilo.HiLo;
import io.github.hilo.HiLoMappingException;
import io.github.hilo.autoconfigure.AssignIds;
import io.github.hilo.fixture.ConstrainedIds;
import io.github.hilo.internal.engine.Claim;
import io.github.hilo.internal.store.IdForm;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.Places;
import jakarta.validation.constraints.NotNull;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.core.mapping.Field;
import org.springframework.data.mongodb.core.mapping.FieldType;
import org.springframework.data.mongodb.core.mapping.MongoId;
import org.springframework.data.mongodb.core.mapping.TimeSeries;
import org.springframework.util.Assert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests for types that get no ids: because a stored document could be overwritten, or
 * because the application has to set them.
 */
@SuppressWarnings("MultipleNullnessAnnotations") // Constraints on ids that are null until
													// they are set.
@ExtendWith(OutputCaptureExtension.class)
class AssignmentRefusalTests {

	private final Assignments assignments = new Assignments();

	@ParameterizedTest
	@MethodSource
	void numberThatIsStoredAsSomethingElseIsRefusedAtStartUpAndAtTheFirstSave(Object entity, String form) {
		Assignments.Assignment assignment = assignment();
		for (int i = 0; i < 2; i++) {
			assertThatIllegalStateException().isThrownBy(() -> assignment.propertiesOf(entity))
				.withMessageContainingAll(entity.getClass().getName(), form, "overwritten", "@HiLo");
		}
		assertThatIllegalStateException().isThrownBy(assignment::start).withMessageContaining(form);
	}

	static Stream<Arguments> numberThatIsStoredAsSomethingElseIsRefusedAtStartUpAndAtTheFirstSave() {
		return Stream.of(arguments(new MongoIdText(null), "as String"), arguments(new FieldText(null), "as String"),
				arguments(new AsDouble(null), "as Double"), arguments(new AsObjectId(null), "as ObjectId"),
				arguments(new PropertyText("x", null), "'number'"),
				arguments(new PropertyObjectId("x", null), "as ObjectId"));
	}

	/**
	 * Such a name was that of a counter.
	 */
	@ParameterizedTest
	@MethodSource
	void expressionAsTheNameOfASequenceIsRefusedAtStartUpAndAtTheFirstSave(Object entity, String name) {
		Assignments.Assignment assignment = assignment();
		for (int i = 0; i < 2; i++) {
			assertThatExceptionOfType(HiLoMappingException.class).isThrownBy(() -> assignment.propertiesOf(entity))
				.withMessageContainingAll(entity.getClass().getName(), name, "literal", "Write the name itself");
		}
		assertThatExceptionOfType(HiLoMappingException.class).isThrownBy(assignment::start).withMessageContaining(name);
		assertThat(assignment.propertiesOf(new Plain(null))).as("another type is not concerned").hasSize(1);
	}

	static Stream<Arguments> expressionAsTheNameOfASequenceIsRefusedAtStartUpAndAtTheFirstSave() {
		return Stream.of(arguments(new PlaceholderOnType(null), "'${shop.orders}'"),
				arguments(new ExpressionOnId(null), "'#{'orders'}'"),
				arguments(new PartlyOnProperty("x", null), "'numbers-${shop.region}'"),
				arguments(new SwitchedOffExpression(null), "'#{'orders'}'"),
				arguments(new ExpressionOfSpringsId(null), "'${shop.orders}'"));
	}

	@Test
	void idThatIsNotAssignedMayBeStoredAsAnything() {
		assertThat(assignment().propertiesOf(new TextLeftAlone(null))).isEmpty();
		assertThat(this.assignments.values(AssignIds.NONE).propertiesOf(new FieldText(null))).isEmpty();
	}

	@Test
	void twoCountersOfOneCollectionAreRefusedAtStartUpAndInAProcessThatSavesOneTypeOnly() {
		this.assignments.nameBy(new RavenNaming());
		Assignments.Assignment assignment = assignment();
		assertThat(assignment.propertiesOf(new Cat(null))).as("nobody knows of dogs yet").hasSize(1);
		this.assignments.know(Dog.class);
		assertThatIllegalStateException().isThrownBy(assignment::start)
			.withMessageContainingAll(Dog.class.getName(), Cat.class.getName(), "'dogs'", "'cats'", "'animals'",
					"@HiLo(\"…\")", "@HiLo(enabled = false)");
	}

	@Test
	void twoCountersOfOneExpressionAreRefusedThoughNobodyEvaluatesIt() {
		this.assignments.know(North.class, Plain.class);
		Assignments.Assignment assignment = assignment();
		assertThatNoException().isThrownBy(assignment::start);
		this.assignments.know(NorthCopy.class, South.class);
		assertThatNoException().as("one counter, and another expression").isThrownBy(assignment::start);
		this.assignments.know(NorthReport.class);
		assertThatIllegalStateException().isThrownBy(assignment::start)
			.withMessageContainingAll(North.class.getName(), NorthReport.class.getName(), "'north'", "'reports'",
					"'#{nothing.here()}'", "@HiLo(\"…\")");
	}

	@Test
	void saveToTheCollectionOfAnExpressionIsRefusedIfItHasAnotherCounter() {
		this.assignments.know(Tenants.class);
		Assignments.Assignment assignment = started();
		assertThatIllegalStateException().isThrownBy(save(assignment, new TenantsToo(null), "tenant"))
			.withMessageContainingAll(Tenants.class.getName(), TenantsToo.class.getName(), "'own'", "'tenant'");
		assertThatNoException().isThrownBy(save(assignment, new TenantsToo(null), "archive"));
		assertThatNoException().isThrownBy(save(assignment, new North(null), "elsewhere"));
	}

	@Test
	void saveToACollectionWhoseIdsHaveAnotherCounterIsRefusedWhateverThisProcessHasSaved() {
		this.assignments.know(Labelled.class, Plain.class);
		Assignments.Assignment assignment = started();
		assertThatIllegalStateException().isThrownBy(save(assignment, new Plain(null), "labelled"))
			.withMessageContainingAll(Labelled.class.getName(), Plain.class.getName(), "'labels'", "'labelled'");
		assertThatNoException().isThrownBy(save(assignment, new Plain(null), "archive"));
	}

	@Test
	void saveToACollectionOfNoTypeIsRefusedIfAnotherTypeWasSavedThereWithAnotherCounter() {
		Assignments.Assignment assignment = assignment();
		assertThatNoException().isThrownBy(save(assignment, new Labelled(null), "archive"));
		assertThatNoException().as("its own counter").isThrownBy(save(assignment, new Labelled(null), "archive"));
		assertThatIllegalStateException().isThrownBy(save(assignment, new Plain(null), "archive"))
			.withMessageContainingAll(Labelled.class.getName(), Plain.class.getName(), "'labels'", "'archive'");
	}

	/**
	 * A repository of a base type saves all others to its collection. Each process may
	 * save another one.
	 */
	@Test
	void saveToTheCollectionOfAnAbstractBaseTypeIsRefusedIfItHasAnotherCounter() {
		this.assignments.nameBy(new RavenNaming());
		this.assignments.know(Vehicle.class);
		Assignments.Assignment assignment = assignment();
		assertThatNoException().isThrownBy(assignment::start);
		assertThatIllegalStateException().isThrownBy(save(assignment, new Car(), "vehicle"))
			.withMessageContainingAll(Vehicle.class.getName(), Car.class.getName(), "'vehicle'");
		assertThatNoException().isThrownBy(save(assignment, new Car(), "car"));
	}

	@Test
	void saveOfATypeThatOthersNestIsComparedWithAllThatAreDeclared() {
		this.assignments.know(Kennel.class, Holding.class);
		Assignments.Assignment assignment = assignment();
		assertThatNoException().isThrownBy(assignment::start);
		assertThatIllegalStateException().isThrownBy(save(assignment, new Kennel.Held(null), "held"))
			.withMessageContainingAll(Holding.class.getName(), Kennel.Held.class.getName(), "'guards'");
	}

	@Test
	void saveThatWasRightBeforeATypeWasKnownIsRefusedAfterwards() {
		Assignments.Assignment assignment = assignment();
		assertThatNoException().isThrownBy(save(assignment, new Labelled(null), "held"));
		this.assignments.know(Holding.class);
		assertThatNoException().isThrownBy(assignment::start);
		assertThatIllegalStateException().isThrownBy(save(assignment, new Labelled(null), "held"))
			.withMessageContainingAll(Holding.class.getName(), Labelled.class.getName(), "'held'");
	}

	/**
	 * A type that becomes known later claims nothing, and its own save is refused.
	 */
	@Test
	void typeThatIsReadStopsNoSaveOfAnother() {
		Assignments.Assignment assignment = started();
		assertThatNoException().isThrownBy(save(assignment, new Labelled(null), "held"));
		this.assignments.know(Holding.class);
		assertThatNoException().isThrownBy(save(assignment, new Labelled(null), "held"));
		assertThatIllegalStateException().isThrownBy(save(assignment, new Holding(null), "held"))
			.withMessageContainingAll(Holding.class.getName(), Labelled.class.getName(), "'held'");
		assertThatNoException().as("another database").isThrownBy(save(assignment, new Holding(null), "held", "other"));
	}

	/**
	 * A bean that asks for numbers while it is created.
	 */
	@Test
	void callBeforeTheStartClaimsNothingForGood() {
		Assignments.Assignment assignment = assignment();
		Claim before = issued(claim(assignment, new Labelled(null), "held", "shop"));
		assertThat(before.isForGood()).isFalse();
		this.assignments.know(Holding.class);
		assignment.start();
		assertThat(before.isForGood()).as("the field has another counter").isFalse();
		Claim after = claim(assignment, new Labelled(null), "archive", "shop");
		assertThat(after.isForGood()).as("nothing was issued").isFalse();
		assertThat(issued(after).isForGood()).isTrue();
	}

	@Test
	void callClaimsForGoodWhereNoTypeGetsIds() {
		this.assignments.know(Plain.class);
		KnownTypes types = new KnownTypes(this.assignments.names(), new AssignmentRule(false, false, List.of()));
		assertThat(issued(types.claim(Plain.class, "shop")).isForGood()).isTrue();
	}

	private static Claim issued(Claim claim) {
		claim.issued();
		return claim;
	}

	@Test
	void twoCountersThatMetadataShowsLaterAreOneWarning(CapturedOutput output) {
		this.assignments.nameBy(new RavenNaming());
		Assignments.Assignment assignment = started();
		for (Class<?> type : List.of(Dog.class, Cat.class, Plain.class)) {
			this.assignments.know(type);
			assignment.types().nameTypes();
		}
		assertThat(output.getOut().split("Only one of two types", -1)).hasSize(2);
		assertThat(output).contains(Dog.class.getName(), Cat.class.getName(), "@HiLo(enabled = false)");
	}

	@Test
	void claimFromWhichNothingWasIssuedEndsWithItsLastCall() {
		Assignments.Assignment assignment = started();
		Claim first = claim(assignment, new Labelled(null), "archive", "shop");
		Claim second = claim(assignment, new Labelled(null), "archive", "shop");
		first.end();
		assertThatIllegalStateException().isThrownBy(() -> claim(assignment, new Plain(null), "archive", "shop"));
		second.end();
		Claim other = claim(assignment, new Plain(null), "archive", "shop");
		other.issued();
		other.end();
		assertThatIllegalStateException().isThrownBy(() -> claim(assignment, new Labelled(null), "archive", "shop"));
	}

	@Test
	void oneOfTwoFirstSavesGetsTheField() throws Exception {
		Assignments.Assignment assignment = started();
		List<Object> entities = List.of(new Labelled(null), new Plain(null));
		entities.forEach(assignment::propertiesOf);
		ExecutorService threads = Executors.newFixedThreadPool(2);
		try {
			for (int round = 0; round < 500; round++) {
				String collection = "archive" + round;
				CyclicBarrier gate = new CyclicBarrier(2);
				List<Future<Boolean>> saves = threads
					.invokeAll(entities.stream().<Callable<Boolean>>map((entity) -> () -> {
						gate.await();
						try {
							Claim claim = claim(assignment, entity, collection, "shop");
							claim.issued();
							claim.end();
							return true;
						}
						catch (HiLoMappingException refused) {
							return false;
						}
					}).toList());
				assertThat(saves.get(0).get()).isNotEqualTo(saves.get(1).get());
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	@Test
	void typeThatCannotBeNamedIsSaidOnce(CapturedOutput output) {
		this.assignments.nameBy((type, collection) -> {
			throw new IllegalStateException("no tenant");
		});
		this.assignments.know(Plain.class);
		KnownTypes types = this.assignments.types();
		types.nameTypes();
		types.nameTypes();
		assertThat(output.getOut().split("could not be named", -1)).hasSize(2);
	}

	/**
	 * Its naming strategy has no tenant at the start.
	 */
	@Test
	void typeThatCouldNotBeNamedIsAskedAgainByEachCall() {
		AtomicBoolean tenant = new AtomicBoolean();
		this.assignments.nameBy((type, collection) -> {
			Assert.state(tenant.get(), "no tenant");
			return "T-" + collection;
		});
		this.assignments.know(Plain.class);
		KnownTypes types = this.assignments.types();
		Places places = types.placesOf("T-plain");
		assertThat(places.required()).as("no range will do").isEqualTo(Integer.MAX_VALUE);
		types.nameTypes();
		assertThat(places.isInDoubt()).isTrue();
		tenant.set(true);
		types.nameTypes();
		assertThat(places.isInDoubt()).isFalse();
		assertThat(places.toList()).contains(Place.ofType("plain", Place.ID, IdForm.NUMBER));
	}

	@ParameterizedTest
	@MethodSource
	void typesWithOneCounterOrThatAreOnlyReadAreNotRefused(Class<?> other) {
		this.assignments.nameBy(new RavenNaming());
		this.assignments.know(Dog.class, Holding.class, other);
		assertThatNoException().isThrownBy(assignment()::start);
	}

	static Stream<Class<?>> typesWithOneCounterOrThatAreOnlyReadAreNotRefused() {
		return Stream.of(Puppy.class, DogReport.class, Toy.class, Animal.class, Kennel.class);
	}

	@Test
	void typeThatIsRefusedItselfConcernsNoOther() {
		this.assignments.know(Contradictory.class);
		assertThatNoException().isThrownBy(() -> this.assignments.types().placesOf("plain"));
		assertThatIllegalStateException().isThrownBy(() -> assignment().propertiesOf(new Contradictory(null)));
	}

	@Test
	void typeThatIsOnlyReadDisturbsNoSave() {
		this.assignments.nameBy(new RavenNaming());
		this.assignments.know(DogReport.class, Dog.class);
		MappedSequenceNames names = this.assignments.names();
		assertThat(names.nameOf(DogReport.class)).isEqualTo("DogReports");
		NumberedProperty id = assignment().propertiesOf(new Dog(null)).get(0);
		assertThat(names.nameOf(id, "animals")).isEqualTo("dogs");
	}

	@ParameterizedTest
	@MethodSource
	void idIsAssigned(Object entity) {
		assertThat(assignment().propertiesOf(entity)).hasSize(1);
	}

	/**
	 * Of types that store it as a number, and of those with a constraint that ask for it
	 * or have the constraint in another group.
	 */
	static Stream<Object> idIsAssigned() {
		return Stream.of(new Plain(null), new Int(null), new AsLong(null), new AsInt(null), new AsDecimal(null),
				new AskedFor(null), new AskedForByType(null), new InAnotherGroup(null));
	}

	@ParameterizedTest
	@MethodSource("io.github.hilo.fixture.ConstrainedIds#entities")
	void idThatTheApplicationMustSetIsLeftToIt(Object entity) {
		assertThat(assignment().propertiesOf(entity)).isEmpty();
	}

	/**
	 * MongoDB refuses the upsert that {@code save} sends for an entity with an id.
	 */
	@Test
	void idOfATimeSeriesIsLeftAlone() {
		assertThat(assignment().propertiesOf(new Measurement(null, 0))).isEmpty();
		assertThat(assignment().propertiesOf(new NumberedMeasurement(null, 0))).as("MongoDB makes no number")
			.hasSize(1);
	}

	@Test
	void startUpNamesTheIdsThatTheApplicationMustSet() {
		this.assignments.know(ConstrainedIds.Authority.class, Measurement.class, Plain.class, InAnotherGroup.class);
		assertThat(assignment().start()).contains("AssignmentRefusalTests.Plain.id from 'plain'")
			.endsWith("; none for AssignmentRefusalTests.Measurement.id, ConstrainedIds.Authority.name, because"
					+ " of a constraint or a time series. @HiLo gives them ids");
	}

	private static ThrowingCallable save(Assignments.Assignment assignment, Object entity, String collection) {
		return save(assignment, entity, collection, "shop");
	}

	private static ThrowingCallable save(Assignments.Assignment assignment, Object entity, String collection,
			String database) {
		assertThat(assignment.propertiesOf(entity)).isNotEmpty();
		return () -> claim(assignment, entity, collection, database).issued();
	}

	private static Claim claim(Assignments.Assignment assignment, Object entity, String collection, String database) {
		return assignment.types().claim(assignment.missing(entity, collection).get(0), database);
	}

	private Assignments.Assignment started() {
		Assignments.Assignment assignment = assignment();
		assignment.start();
		return assignment;
	}

	private Assignments.Assignment assignment() {
		return this.assignments.values(AssignIds.ALL);
	}

	@HiLo("${shop.orders}")
	record PlaceholderOnType(@Nullable Long id) {
	}

	record ExpressionOnId(@Id @HiLo("#{'orders'}") @Nullable String id) {
	}

	record PartlyOnProperty(@Nullable String id, @HiLo(sequence = "numbers-${shop.region}") @Nullable Long number) {
	}

	@HiLo(sequence = "#{'orders'}", enabled = false)
	record SwitchedOffExpression(@Nullable Long id) {
	}

	@HiLo("${shop.orders}")
	record ExpressionOfSpringsId(@Nullable ObjectId id) {
	}

	record MongoIdText(@MongoId(FieldType.STRING) @Nullable Long id) {
	}

	record FieldText(@Id @Field(targetType = FieldType.STRING) @Nullable Long id) {
	}

	record AsDouble(@Id @Field(targetType = FieldType.DOUBLE) @Nullable Integer id) {
	}

	record AsObjectId(@MongoId(FieldType.OBJECT_ID) @Nullable Long id) {
	}

	record PropertyText(@Nullable String id, @HiLo @Field(targetType = FieldType.STRING) @Nullable Long number) {
	}

	record PropertyObjectId(@Nullable String id,
			@HiLo @Field(targetType = FieldType.OBJECT_ID) @Nullable String number) {
	}

	@Document("plain")
	record Plain(@Nullable Long id) {
	}

	@HiLo("labels")
	@Document("labelled")
	record Labelled(@Nullable Long id) {
	}

	@TimeSeries(timeField = "at")
	record Measurement(@Nullable String id, long at) {
	}

	@TimeSeries(timeField = "at")
	record NumberedMeasurement(@Nullable Long id, long at) {
	}

	record Int(@Nullable Integer id) {
	}

	record AsLong(@MongoId(FieldType.INT64) @Nullable Integer id) {
	}

	record AsInt(@MongoId(FieldType.INT32) @Nullable Long id) {
	}

	record AsDecimal(@MongoId(FieldType.DECIMAL128) @Nullable Long id) {
	}

	@HiLo(enabled = false)
	record TextLeftAlone(@MongoId(FieldType.STRING) @Nullable Long id) {
	}

	@Document("animals")
	record Dog(@Nullable Long id) {
	}

	@Document("animals")
	record Cat(@Nullable Long id) {
	}

	@HiLo("dogs")
	@Document("animals")
	record Puppy(@Nullable Long id) {
	}

	@HiLo(enabled = false)
	@Document("animals")
	record DogReport(@Nullable Long id) {
	}

	@Document("animals")
	record Toy(@Nullable String id) {
	}

	@HiLo("one")
	record Contradictory(@Id @HiLo("two") @Nullable Long id) {
	}

	/**
	 * Holds a type whose default collection is that of another one.
	 */
	record Kennel(@Nullable String id, Held held) {

		@HiLo("guards")
		record Held(@Nullable Long id) {
		}

	}

	@Document("held")
	record Holding(@Nullable Long id) {
	}

	@HiLo("north")
	@Document("#{nothing.here()}")
	record North(@Nullable Long id) {
	}

	@HiLo("north")
	@Document("#{nothing.here()}")
	record NorthCopy(@Nullable Long id) {
	}

	@HiLo("reports")
	@Document("#{nothing.here()}")
	record NorthReport(@Nullable Long id) {
	}

	@HiLo("own")
	@Document("#{'tenant'}")
	record Tenants(@Nullable Long id) {
	}

	@Document("#{'tenant'}")
	record TenantsToo(@Nullable Long id) {
	}

	@HiLo("south")
	@Document("#{nothing.there()}")
	record South(@Nullable Long id) {
	}

	abstract static class Vehicle {

		@Nullable Long id;

	}

	static class Car extends Vehicle {

	}

	@Document("animals")
	abstract static class Animal {

		@Nullable Long id;

	}

	record AskedFor(@Id @HiLo @NotNull @Nullable String name) {
	}

	@HiLo
	record AskedForByType(@Id @NotNull @Nullable String name) {
	}

	record InAnotherGroup(@Id @NotNull(groups = ConstrainedIds.Other.class) @Nullable String name) {
	}

}
