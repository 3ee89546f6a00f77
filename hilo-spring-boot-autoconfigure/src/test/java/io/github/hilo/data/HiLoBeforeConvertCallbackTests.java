package io.github.hilo.data;

import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import com.mongodb.BasicDBObject;
import io.github.hilo.HiLo;
import io.github.hilo.HiLoExhaustedException;
import io.github.hilo.autoconfigure.AssignIds;
import io.github.hilo.internal.mapping.Assignments;
import io.github.hilo.internal.mapping.MappedSequenceNames;
import io.github.hilo.internal.save.DefaultHiLoBeforeConvertCallback;
import io.github.hilo.internal.save.GeneratorDatabase;
import net.bytebuddy.ByteBuddy;
import org.bson.Document;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.core.Ordered;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Version;
import org.springframework.data.domain.Persistable;
import org.springframework.data.mongodb.core.mapping.Field;
import org.springframework.data.mongodb.core.mapping.FieldType;
import org.springframework.data.mongodb.core.mapping.MongoId;
import org.springframework.data.mongodb.core.mapping.MongoMappingContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;
import static org.junit.jupiter.params.provider.Arguments.arguments;

class HiLoBeforeConvertCallbackTests {

	private final MongoMappingContext mappings = new MongoMappingContext();

	private CountingGenerator generator = CountingGenerator.from(7);

	@ParameterizedTest
	@MethodSource
	void missingIdIsAssigned(Object entity, Object id) {
		Object saved = callback(AssignIds.ALL).onBeforeConvert(entity, "things");
		assertThat(idOf(saved)).isEqualTo(id);
		assertThat(saved).isExactlyInstanceOf(entity.getClass());
		assertThat(this.generator.last()).containsOnly(Map.entry("things", 7L));
	}

	static Stream<Arguments> missingIdIsAssigned() {
		String text = "things/7-A";
		return Stream.of(argumentSet("String of a record", new TextRecord(null, "x"), text),
				argumentSet("Long of a record", new LongRecord(null), 7L),
				argumentSet("Integer of a record", new IntegerRecord(null), 7),
				argumentSet("long of a record", new PrimitiveLongRecord(0), 7L),
				argumentSet("int of a record", new PrimitiveIntRecord(0), 7),
				argumentSet("String field", new TextClass(), text),
				argumentSet("int field", new PrimitiveIntClass(), 7),
				argumentSet("wither", new Wither(null, "x"), text),
				argumentSet("final field", new Immutable(null, "x"), text),
				argumentSet("inherited, by type variable", new BoundLong(), 7L),
				argumentSet("@MongoId(STRING)", new MongoIdText(null), text),
				argumentSet("@Field(targetType = STRING)", new FieldText(null), text),
				argumentSet("Persistable that says it is old", new OldPersistable(null), text),
				argumentSet("with a version that is set", new Versioned(null, 3L), text));
	}

	@ParameterizedTest
	@MethodSource
	void idThatIsSetOrOfAnotherTypeStays(Object entity) {
		Object id = idOf(entity);
		assertThat(callback(AssignIds.ALL).onBeforeConvert(entity, "things")).isSameAs(entity);
		assertThat(idOf(entity)).isEqualTo(id);
		assertThat(this.generator.last()).isEmpty();
	}

	static Stream<Object> idThatIsSetOrOfAnotherTypeStays() {
		return Stream.of(new TextRecord("orders/1-A", "x"), new TextRecord("", "x"), new LongRecord(5L),
				new LongRecord(0L), new IntegerRecord(0), new LongRecord(-1L), new PrimitiveLongRecord(5),
				new PrimitiveIntRecord(-5), new Versioned("x", null), new ObjectIdRecord(null),
				new CompoundRecord(null), new BigIntegerRecord(null), new ShortRecord(null), new ObjectIdText(null),
				new FieldObjectIdText(null));
	}

	@ParameterizedTest
	@MethodSource
	void whatIsNoEntityPassesThrough(Object value) {
		assertThat(callback(AssignIds.ALL).onBeforeConvert(value, "things")).isSameAs(value);
		assertThat(this.generator.last()).isEmpty();
	}

	static Stream<Object> whatIsNoEntityPassesThrough() {
		return Stream.of(new Document("name", "x"), new BasicDBObject("name", "x"), Map.of("name", "x"), new OwnMap(),
				"{ \"name\": \"x\" }", new String[] { "x" }, List.of("x"), AssignIds.ALL, new WithoutId("x"));
	}

	@Test
	void immutableEntityIsCopiedWithAllItHolds() {
		HiLoBeforeConvertCallback callback = callback(AssignIds.ALL);
		assertThat(callback.onBeforeConvert(new TextRecord(null, "x"), "things"))
			.isEqualTo(new TextRecord("things/7-A", "x"));
		Immutable original = new Immutable(null, "x");
		original.text = "no argument of the constructor";
		assertThat(callback.onBeforeConvert(original, "things")).isInstanceOfSatisfying(Immutable.class, (copy) -> {
			assertThat(copy.name).isEqualTo("x");
			assertThat(copy.text).isEqualTo("no argument of the constructor");
		});
		assertThat(original.id).isNull();
	}

	@ParameterizedTest
	@CsvSource(textBlock = """
			ALL,       plain, true
			ALL,       optedIn, true
			ALL,       optedOut, false
			ANNOTATED, plain, false
			ANNOTATED, optedIn, true
			ANNOTATED, inheritsOptIn, true
			ANNOTATED, optedOut, false
			NONE,      plain, false
			NONE,      optedIn, false
			""")
	void assignIdsAndTheAnnotationDecideWhichTypesGetIds(AssignIds assignIds, String type, boolean assigned) {
		Object entity = switch (type) {
			case "plain" -> new TextClass();
			case "optedIn" -> new OptedIn();
			case "inheritsOptIn" -> new InheritsOptIn();
			default -> new OptedOut();
		};
		assertThat(idOf(callback(assignIds).onBeforeConvert(entity, "things")) != null).isEqualTo(assigned);
	}

	@ParameterizedTest
	@CsvSource({ "org.springframework.integration.Message,, false", "org.springframeworks.Message,, true",
			"org.springframework.samples.petclinic.Pet,, true", "com.example.Message,, true",
			"com.example.Message, com.example, true", "com.example.shop.Message, com.example, true",
			"com.examples.Message, com.example, false", "org.springframework.integration.Message, com.example, false",
			"org.springframework.integration.Message, org.springframework.integration, true" })
	void typesOfSpringItselfAndOfOtherPackagesAreLeftAlone(String name, @Nullable String packages, boolean assigned)
			throws ReflectiveOperationException {
		Object entity = new ByteBuddy().subclass(ThirdParty.class)
			.name(name)
			.make()
			.load(getClass().getClassLoader())
			.getLoaded()
			.getConstructor()
			.newInstance();
		HiLoBeforeConvertCallback callback = callback(AssignIds.ALL,
				(packages != null) ? List.of(packages) : List.of());
		assertThat(idOf(callback.onBeforeConvert(entity, "things")) != null).isEqualTo(assigned);
	}

	@ParameterizedTest
	@MethodSource
	void numberBeyondAnIntIsAnErrorThatNamesTheSequence(Object entity, String sequence, String what) {
		this.generator = CountingGenerator.from(Integer.MAX_VALUE);
		HiLoBeforeConvertCallback callback = callback(AssignIds.ALL);
		assertThat(callback.onBeforeConvert(entity, "things")).isNotEqualTo(entity);
		assertThatExceptionOfType(HiLoExhaustedException.class)
			.isThrownBy(() -> callback.onBeforeConvert(entity, "things"))
			.withMessageContainingAll("2147483648", sequence, what, entity.getClass().getName(), "long");
	}

	static Stream<Arguments> numberBeyondAnIntIsAnErrorThatNamesTheSequence() {
		return Stream.of(arguments(new IntegerRecord(null), "'things'", "int id"),
				arguments(new PrimitiveIntRecord(0), "'things'", "int id"),
				arguments(new Small("x", null), "'things.small'", "int property 'small'"),
				arguments(new StoredAsInt("x", null), "'things.small'", "int property 'small'"));
	}

	@Test
	void numberThatTheEntitySetsWhenItGetsItsIdStays() {
		assertThat(callback(AssignIds.ALL).onBeforeConvert(new Numbered(null, null), "things"))
			.isEqualTo(new Numbered(7L, 70L));
	}

	@Test
	void copyTakesIdsFromItsOwnGenerator() {
		CountingGenerator other = CountingGenerator.from(1);
		HiLoBeforeConvertCallback copy = callback(AssignIds.ANNOTATED).withGenerator(other);
		assertThat(idOf(copy.onBeforeConvert(new OptedIn(), "things"))).isEqualTo("things/1-A");
		assertThat(copy.onBeforeConvert(new TextRecord(null, "x"), "things")).isEqualTo(new TextRecord(null, "x"));
		assertThat(this.generator.last()).isEmpty();
	}

	@Test
	void runsAfterEveryCallbackWithAnOrder() {
		assertThat(callback(AssignIds.ALL).getOrder()).isEqualTo(Ordered.LOWEST_PRECEDENCE);
	}

	private HiLoBeforeConvertCallback callback(AssignIds assignIds) {
		return callback(assignIds, List.of());
	}

	private HiLoBeforeConvertCallback callback(AssignIds assignIds, List<String> packages) {
		MappedSequenceNames names = new MappedSequenceNames(() -> this.mappings, () -> (type, collection) -> collection,
				List::of);
		return new DefaultHiLoBeforeConvertCallback(Assignments.of(names, assignIds, packages), null,
				new GeneratorDatabase(() -> this.generator, null));
	}

	private @Nullable Object idOf(Object entity) {
		var metadata = this.mappings.getRequiredPersistentEntity(entity.getClass());
		return (metadata.getIdProperty() != null) ? metadata.getIdentifierAccessor(entity).getIdentifier() : null;
	}

	record TextRecord(@Nullable String id, String name) {
	}

	record LongRecord(@Nullable Long id) {
	}

	record IntegerRecord(@Nullable Integer id) {
	}

	record PrimitiveLongRecord(long id) {
	}

	record PrimitiveIntRecord(int id) {
	}

	static class TextClass {

		@Nullable String id;

	}

	static class PrimitiveIntClass {

		int id;

	}

	static final class Wither {

		final @Nullable String id;

		final String name;

		Wither(@Nullable String id, String name) {
			this.id = id;
			this.name = name;
		}

		Wither withId(String id) {
			return new Wither(id, this.name);
		}

	}

	static final class Immutable {

		final @Nullable String id;

		final String name;

		@Nullable String text;

		Immutable(@Nullable String id, String name) {
			this.id = id;
			this.name = name;
		}

	}

	abstract static class GenericBase<T> {

		@Nullable T id;

	}

	static class BoundLong extends GenericBase<Long> {

	}

	record MongoIdText(@MongoId(FieldType.STRING) @Nullable String key) {
	}

	record FieldText(@Id @Field(targetType = FieldType.STRING) @Nullable String key) {
	}

	record OldPersistable(@Id @Nullable String key) implements Persistable<String> {

		@Override
		public @Nullable String getId() {
			return this.key;
		}

		@Override
		public boolean isNew() {
			return false;
		}

	}

	record Versioned(@Nullable String id, @Version @Nullable Long version) {
	}

	record ObjectIdRecord(@Nullable ObjectId id) {
	}

	record CompoundRecord(@Id @Nullable Key key) {

		record Key(String region, long number) {
		}

	}

	record BigIntegerRecord(@Nullable BigInteger id) {
	}

	record ShortRecord(@Nullable Short id) {
	}

	record ObjectIdText(@MongoId(FieldType.OBJECT_ID) @Nullable String id) {
	}

	record FieldObjectIdText(@Id @Field(targetType = FieldType.OBJECT_ID) @Nullable String id) {
	}

	@SuppressWarnings("serial")
	static class OwnMap extends HashMap<String, String> {

		@Nullable String id;

	}

	record Numbered(@Id @Nullable Long key, @HiLo @Nullable Long number) {

		Numbered {
			number = (number != null || key == null) ? number : (Long) (10 * key);
		}

	}

	record Small(String id, @HiLo @Nullable Integer small) {
	}

	record StoredAsInt(String id, @HiLo @Field(targetType = FieldType.INT32) @Nullable Long small) {
	}

	record WithoutId(String name) {
	}

	@HiLo
	static class OptedIn {

		@Nullable String id;

	}

	static class InheritsOptIn extends OptedIn {

	}

	@HiLo(enabled = false)
	static class OptedOut {

		@Nullable String id;

	}

	/**
	 * Public, so that a class of another package can extend it.
	 */
	public static class ThirdParty {

		@Nullable String id;

	}

}
