package io.github.hilo.internal.mapping;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import io.github.hilo.HiLo;
import io.github.hilo.HiLoMappingException;
import io.github.hilo.internal.store.IdForm;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.text.Names;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.bson.types.Decimal128;
import org.jspecify.annotations.Nullable;

import org.springframework.data.convert.CustomConversions;
import org.springframework.data.mapping.PersistentPropertyAccessor;
import org.springframework.data.mongodb.core.convert.MongoConverter;
import org.springframework.data.mongodb.core.mapping.Field;
import org.springframework.data.mongodb.core.mapping.FieldType;
import org.springframework.data.mongodb.core.mapping.MongoPersistentEntity;
import org.springframework.data.mongodb.core.mapping.MongoPersistentProperty;
import org.springframework.data.mongodb.util.BsonUtils;
import org.springframework.util.ClassUtils;

/**
 * A property of an entity type that can hold ids or numbers: the id property, or a
 * property with {@link HiLo}. Its type is {@code String}, {@code long} or {@code int},
 * boxed or not, or a type of the application's own that is converted to one of these and
 * back.
 *
 * @param type the stored type, never a primitive
 * @param path the property's field in stored documents, as a query names it
 * @param annotatedSequence the sequence that an annotation names, or {@code null}
 * @param besides the properties to copy if a new instance must be created for the value
 * @param converter converts a type of the application's own if the converter of the save
 * is unknown; {@code null} if the property needs no conversion
 */
public record NumberedProperty(MongoPersistentEntity<?> entity, MongoPersistentProperty property, Class<?> type,
		String path, @Nullable String annotatedSequence, List<MongoPersistentProperty> besides,
		@Nullable MongoConverter converter) {

	private static final Set<Class<?>> NUMERIC = Set.of(Long.class, Integer.class);

	// The types that the checks of stored ids find.
	private static final Set<Class<?>> STORED_NUMERIC = Set.of(Long.class, Integer.class,
			FieldType.DECIMAL128.getJavaClass());

	/**
	 * Reads an id property. Returns {@code null} if it can hold neither numbers nor
	 * document ids.
	 */
	static @Nullable NumberedProperty ofId(MappedType of, MongoPersistentProperty id, ConvertedTypes converted) {
		Class<?> type = ClassUtils.resolvePrimitiveIfNecessary(id.getType());
		boolean storedAsText = !id.hasExplicitWriteTarget() || id.getFieldType() == String.class;
		if (NUMERIC.contains(type) || (type == String.class && storedAsText)) {
			return create(of.entity(), id, of.sequence(), new ConvertedTypes.Form(type, null));
		}
		ConvertedTypes.Form form = (id.findAnnotation(Field.class) != null) ? null : converted.formOf(type);
		return (form != null) ? create(of.entity(), id, of.sequence(), form) : null;
	}

	/**
	 * Reads a property with {@link HiLo} that is not the id. Returns {@code null} if it
	 * can hold neither numbers nor document ids.
	 */
	static @Nullable NumberedProperty ofNumber(MongoPersistentEntity<?> entity, MongoPersistentProperty property,
			ConvertedTypes converted) {
		Class<?> type = ClassUtils.resolvePrimitiveIfNecessary(property.getType());
		ConvertedTypes.Form form = (NUMERIC.contains(type) || type == String.class)
				? new ConvertedTypes.Form(type, null)
				: property.hasExplicitWriteTarget() ? null : converted.formOf(type);
		return (form != null)
				? create(entity, property, MappedType.sequenceOf(property.findAnnotation(HiLo.class), entity), form)
				: null;
	}

	private static NumberedProperty create(MongoPersistentEntity<?> entity, MongoPersistentProperty property,
			@Nullable String sequence, ConvertedTypes.Form form) {
		return new NumberedProperty(entity, property, form.type(), property.getFieldName(), sequence,
				besides(entity, property), form.converter());
	}

	String name() {
		return this.property.getName();
	}

	boolean isId() {
		return this.path.equals(Place.ID);
	}

	public boolean isNumeric() {
		return this.type != String.class;
	}

	public IdForm form() {
		return isNumeric() ? IdForm.NUMBER : IdForm.TEXT;
	}

	/**
	 * Refuses a property whose metadata stores numbers as texts or doubles. The checks of
	 * stored ids would not find its values, and a stored document could be replaced.
	 */
	void requireStoredForm() {
		Class<?> target = this.property.hasExplicitWriteTarget() ? this.property.getFieldType() : this.type;
		if (!(isNumeric() ? STORED_NUMERIC : Set.of(String.class)).contains(target)) {
			throw refused("as " + target.getSimpleName());
		}
	}

	public boolean isConverted(CustomConversions conversions) {
		return conversions.hasCustomWriteTarget(this.entity.getType()) || conversions.hasValueConverter(this.property)
				|| (this.converter == null && conversions.getCustomWriteTarget(this.type)
					.filter((target) -> target != Number.class)
					.isPresent());
	}

	/**
	 * Refuses a document that does not contain the value that was issued for it.
	 */
	public void requireStored(Object bean, Document stored, MongoConverter saving) {
		Object value = this.entity.getPropertyAccessor(bean).getProperty(this.property);
		requireSame((value != null) ? storedOf(value, saving) : null, BsonUtils.resolveValue((Bson) stored, this.path));
	}

	private void requireSame(@Nullable Object value, @Nullable Object written) {
		boolean sameKind = (value instanceof String) == (written instanceof String);
		if (!sameKind || !Objects.equals(comparable(value), comparable(written))) {
			throw refused("by a converter, not as " + value + " but as "
					+ ((written != null) ? written.getClass().getSimpleName() + " " + written : "nothing"));
		}
	}

	/**
	 * Makes values equal that the checks of stored ids find as equal: an int, a long and
	 * a decimal of the same number.
	 */
	private static @Nullable Object comparable(@Nullable Object value) {
		if (value instanceof Decimal128 decimal) {
			return decimal.isFinite() ? decimal.bigDecimalValue().stripTrailingZeros().toPlainString() : null;
		}
		return (value instanceof Integer || value instanceof Long) ? value.toString() : value;
	}

	private HiLoMappingException refused(String form) {
		return new HiLoMappingException(
				(isId() ? "The id " : "The property ") + Names.quoted(name()) + " of " + this.entity.getType().getName()
						+ " is stored " + form
						+ ", so the checks of stored ids do not find its values, and a stored document could be"
						+ " overwritten.",
				"Store it as " + (isNumeric() ? "an int or a long" : "a string")
						+ (isId() ? ", or put @HiLo(enabled = false) on the type and set the id yourself."
								: ", or remove @HiLo."));
	}

	/**
	 * Returns whether an entity has no value yet. {@code isNew()} is no substitute,
	 * because it depends on versions and {@code Persistable}.
	 */
	boolean isMissingIn(Object entity) {
		return isMissingIn(this.entity.getPropertyAccessor(entity));
	}

	private boolean isMissingIn(PersistentPropertyAccessor<?> bean) {
		Object value = bean.getProperty(this.property);
		return value == null
				|| (this.property.getType().isPrimitive() && value instanceof Number number && number.longValue() == 0);
	}

	private @Nullable Object storedOf(Object value, MongoConverter saving) {
		return (this.converter == null) ? value
				: isId() ? saving.convertId(value, this.property.getFieldType()) : saving.convertToMongoType(value);
	}

	Place placeIn(String collection) {
		return Place.ofType(collection, this.path, form());
	}

	/**
	 * Returns the place by metadata. A collection that is an expression has the
	 * expression's text as its name.
	 */
	Place declaredPlace() {
		String expression = MappedType.collectionExpressionOf(this.entity);
		return placeIn((expression != null) ? expression : this.entity.getCollection());
	}

	/**
	 * Returns whether entities are saved to a collection now. An expression may fail
	 * without a web request.
	 */
	boolean isSavedTo(String collection) {
		try {
			return this.entity.getCollection().equals(collection);
		}
		catch (RuntimeException ex) {
			return false;
		}
	}

	/**
	 * Sets the property's value, unless the application has chosen one meanwhile.
	 * @param value a number that fits, or a document id if the property is stored as a
	 * {@code String}
	 * @return the entity with the value, which may be a new instance
	 * @throws IllegalStateException if the value would be stored as something else
	 */
	public Object assign(Object before, Object value, @Nullable MongoConverter saving) {
		PersistentPropertyAccessor<?> bean = this.entity.getPropertyAccessor(before);
		if (!isMissingIn(bean)) {
			return before;
		}
		Object form = (this.type == Integer.class) ? ((Number) value).intValue() : value;
		bean.setProperty(this.property,
				(this.converter != null) ? converted(form, (saving != null) ? saving : this.converter) : form);
		Object assigned = bean.getBean();
		if (assigned != before && !this.besides.isEmpty()) {
			var source = this.entity.getPropertyAccessor(before);
			var target = this.entity.getPropertyAccessor(assigned);
			this.besides.forEach((other) -> target.setProperty(other, source.getProperty(other)));
		}
		return assigned;
	}

	private @Nullable Object converted(Object form, MongoConverter saving) {
		Object value = saving.getConversionService().convert(form, this.property.getType());
		requireSame(form, (value != null) ? storedOf(value, saving) : null);
		return value;
	}

	/**
	 * Whether a number must fit an int, because the property or its field is one.
	 */
	boolean isInt() {
		return this.type == Integer.class
				|| (this.property.hasExplicitWriteTarget() && this.property.getFieldType() == Integer.class);
	}

	/**
	 * Finds the properties that Spring Data does not copy to a new instance. Spring Data
	 * creates the instance from the arguments of its creator alone. Without a copy, other
	 * values, such as a date that auditing has set, would not be stored.
	 */
	private static List<MongoPersistentProperty> besides(MongoPersistentEntity<?> entity,
			MongoPersistentProperty property) {
		List<MongoPersistentProperty> besides = new ArrayList<>();
		if (property.isImmutable() && property.getWither() == null) {
			entity.doWithAll((other) -> {
				if (!entity.isCreatorArgument(other) && !other.isImmutable()
						&& (!other.usePropertyAccess() || other.getSetter() != null)) {
					besides.add(other);
				}
			});
		}
		return besides;
	}

}
