package io.github.hilo.internal.mapping;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.hilo.HiLo;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.ReadOnlyProperty;
import org.springframework.data.annotation.Transient;
import org.springframework.data.mongodb.core.mapping.DBRef;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.core.mapping.Field;
import org.springframework.data.mongodb.core.mapping.FieldName;
import org.springframework.data.mongodb.core.mapping.FieldType;
import org.springframework.data.mongodb.core.mapping.MongoMappingContext;
import org.springframework.data.mongodb.core.mapping.MongoPersistentEntity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Which annotated properties get numbers, and which are refused.
 */
class AnnotatedPropertiesTests {

	private static final ConvertedTypes CONVERTED = new ConvertedTypes(List::of);

	private final MongoMappingContext mappings = new MongoMappingContext();

	private final AnnotatedProperties properties = new AnnotatedProperties(
			new MappedTypes(() -> this.mappings, CONVERTED));

	@Test
	void propertiesAreSortedAndKnowTheirFieldAndSequence() {
		List<NumberedProperty> properties = this.properties.requireNumbered(entity(Good.class));
		assertThat(properties).extracting(NumberedProperty::name).containsExactly("asInt", "label", "nested", "number");
		assertThat(properties).extracting(NumberedProperty::path).containsExactly("asInt", "label", "a.b", "number");
		assertThat(properties).extracting(NumberedProperty::isNumeric).containsExactly(true, false, true, true);
		assertThat(properties).extracting(NumberedProperty::annotatedSequence)
			.containsExactly(null, "labels", null, null);
		assertThat(properties).noneMatch(NumberedProperty::isId);
	}

	@ParameterizedTest
	@MethodSource
	void annotationThatCannotBeHonouredIsRefused(Class<?> type, String why) {
		for (int i = 0; i < 2; i++) {
			assertThatIllegalStateException().isThrownBy(() -> this.properties.requireNumbered(entity(type)))
				.withMessageStartingWith("@HiLo on '")
				.withMessageContainingAll(type.getSimpleName(), why);
		}
	}

	static Stream<Arguments> annotationThatCannotBeHonouredIsRefused() {
		return Stream.of(arguments(OfDate.class, "is a java.util.Date"),
				arguments(OfShort.class, "is a java.lang.Short"),
				arguments(OfOptional.class, "is a java.util.Optional"),
				arguments(StoredWithADot.class, "a name with a dot"), arguments(TransientProperty.class, "'number'"),
				arguments(StaticField.class, "static"), arguments(NoAccessor.class, "no accessor"),
				arguments(OfReadOnly.class, "read-only"), arguments(ObjectIdId.class, "left to Spring Data"));
	}

	@Test
	void typeThatIsOnlyNestedIsRefusedInWhateverHoldsIt() {
		for (Class<?> outer : List.of(Outer.class, OuterOfList.class, OuterOfMap.class, OuterOfOuter.class,
				OuterOfGenerics.class)) {
			assertThatIllegalStateException().isThrownBy(() -> this.properties.requireNumbered(entity(outer)))
				.withMessageContainingAll("'number'", Nested.class.getName(), "nested in " + outer.getName(),
						"@Document");
		}
	}

	@Test
	void nestedDocumentAndReferencedOneAreNotRefused() {
		assertThat(this.properties.requireNumbered(entity(OuterOfDocument.class))).isEmpty();
		assertThat(this.properties.requireNumbered(entity(OuterOfReference.class))).isEmpty();
		assertThat(this.properties.requireNumbered(entity(OuterOfRoot.class))).isEmpty();
		assertThat(this.properties.requireNumbered(entity(Tree.class))).hasSize(1);
	}

	@Test
	void propertyThatIsOnlyNamedLikeAnIdIsNone() {
		assertThat(this.properties.requireNumbered(entity(IdBesideTheId.class))).singleElement()
			.satisfies((property) -> {
				assertThat(property.name()).isEqualTo("id");
				assertThat(property.path()).isEqualTo("id");
				assertThat(property.isId()).isFalse();
			});
	}

	@Test
	void typesThatAreNeverSavedAreNotJudged() {
		assertThat(this.properties.numbered(entity(Outer.class))).isEmpty();
		assertThat(this.properties.numbered(entity(OfDate.class))).isEmpty();
		assertThat(this.properties.numbered(entity(Nested.class))).hasSize(1);
	}

	private void assertIds(Class<?> type, boolean annotated, boolean enabled, @Nullable String sequence) {
		MappedType read = new MappedType(entity(type), CONVERTED);
		assertThat(read.isAnnotated()).isEqualTo(annotated);
		assertThat(read.isEnabled()).isEqualTo(enabled);
		assertThat(read.sequence()).isEqualTo(sequence);
	}

	@Test
	void idPropertySaysTheSameAsTheType() {
		assertIds(OnId.class, true, true, "ids");
		assertIds(OnIdOff.class, true, false, null);
		assertIds(OnBoth.class, true, true, "ids");
		assertIds(Good.class, false, true, null);
		assertThatIllegalStateException().isThrownBy(() -> new MappedType(entity(TwoNames.class), CONVERTED).sequence())
			.withMessageContainingAll("'types'", "'ids'", TwoNames.class.getName(), "'id'");
	}

	private MongoPersistentEntity<?> entity(Class<?> type) {
		return this.mappings.getRequiredPersistentEntity(type);
	}

	@Document
	record Good(ObjectId id, @HiLo @Nullable Long number, @HiLo("labels") String label, @HiLo @Field("a.b") long nested,
			@HiLo @Field(targetType = FieldType.INT32) Long asInt, @HiLo(enabled = false) Long off) {
	}

	record OfDate(String id, @HiLo java.util.Date number) {
	}

	record OfShort(String id, @HiLo Short number) {
	}

	record OfOptional(String id, @HiLo java.util.Optional<Long> number) {
	}

	record StoredWithADot(String id, @HiLo @Field(name = "no.x", nameType = FieldName.Type.KEY) Long number) {
	}

	record IdBesideTheId(@Id ObjectId key, @HiLo long id) {
	}

	record Wrapper<T>(T wrapped) {
	}

	record Plain(String text) {
	}

	record OuterOfGenerics(String id, Wrapper<Plain> plain, Wrapper<Nested> nested) {
	}

	record OuterOfRoot(String id, ObjectIdReferenced nested) {
	}

	static class TransientProperty {

		@Nullable String id;

		@HiLo
		@Transient
		@Nullable Long number;

	}

	static class StaticField {

		@HiLo
		static @Nullable Long number;

		@Nullable String id;

	}

	static class NoAccessor {

		@Nullable String id;

		@Nullable Long number;

		@HiLo
		@Nullable Long nextNumber() {
			return this.number;
		}

	}

	static class OfReadOnly {

		@Nullable String id;

		@HiLo
		@ReadOnlyProperty
		@Nullable Long number;

	}

	record ObjectIdId(@Id @HiLo ObjectId id) {
	}

	record Nested(@HiLo @Nullable Long number) {
	}

	record Outer(String id, Nested nested) {
	}

	record OuterOfList(String id, List<Nested> nested) {
	}

	record OuterOfMap(String id, Map<String, List<Nested>> nested) {
	}

	record OuterOfOuter(String id, Outer outer) {
	}

	record OuterOfDocument(String id, Good nested) {
	}

	record OuterOfReference(String id, @DBRef ObjectIdReferenced nested) {
	}

	record ObjectIdReferenced(String id, @HiLo Long number) {
	}

	record Tree(String id, @HiLo Long number, List<Tree> children) {
	}

	record OnId(@Id @HiLo("ids") String id) {
	}

	record OnIdOff(@Id @HiLo(enabled = false) String id) {
	}

	@HiLo
	record OnBoth(@Id @HiLo("ids") String id) {
	}

	@HiLo("types")
	record TwoNames(@Id @HiLo("ids") String id) {
	}

}
