package io.github.hilo.internal.mapping;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.data.mongodb.core.convert.MongoConverter;
import org.springframework.data.mongodb.core.mapping.MongoPersistentProperty;
import org.springframework.data.mongodb.core.mapping.MongoSimpleTypes;

/**
 * What the conversions of an application make of values of its own types, such as
 * {@code record OrderId(long value)}. Mapping metadata does not know them.
 */
final class OwnTypes {

	private static final List<Class<?>> FORMS = List.of(Long.class, Integer.class, String.class);

	private final Supplier<List<MongoConverter>> converters;

	/**
	 * Creates what knows the conversions.
	 * @param converters supplies the converters when they are first needed: they depend
	 * on the database, and may depend on beans that need the engine
	 */
	OwnTypes(Supplier<List<MongoConverter>> converters) {
		this.converters = converters;
	}

	/**
	 * Finds what values of a type are stored as and read from: a long, an int or a text.
	 */
	@Nullable Form formOf(Class<?> type) {
		return FORMS.stream()
			.flatMap((form) -> convertersOf(type)
				.filter((converter) -> isWritten(type, form, converter)
						&& converter.getConversionService().canConvert(form, type))
				.map((converter) -> new Form(form, converter)))
			.findFirst()
			.orElse(null);
	}

	/**
	 * Says why an id that a converter of the application knows is left to Spring Data.
	 */
	@Nullable String whyLeft(MongoPersistentProperty id) {
		Class<?> type = id.getType();
		boolean written = convertersOf(type)
			.anyMatch((converter) -> FORMS.stream().anyMatch((form) -> isWritten(type, form, converter)));
		boolean read = convertersOf(type).anyMatch((converter) -> FORMS.stream()
			.anyMatch((form) -> converter.getCustomConversions().hasCustomReadTarget(form, type)));
		String name = type.getName();
		return (formOf(type) != null)
				? "with @MongoId or @Field, Spring Data gives a " + name + " to the driver as it is"
				: written ? "a converter writes " + name + ", but none reads it from what is stored" : read
						? "a converter reads " + name + ", but none writes it as a Long, an Integer or a String" : null;
	}

	private Stream<MongoConverter> convertersOf(Class<?> type) {
		return (type.getName().startsWith("java.") || MongoSimpleTypes.HOLDER.isSimpleType(type)) ? Stream.empty()
				: this.converters.get().stream();
	}

	/**
	 * Whether a converter of the application writes a type in a form. Those of jMolecules
	 * declare {@code Object}: the conversion service knows more.
	 */
	private static boolean isWritten(Class<?> type, Class<?> form, MongoConverter converter) {
		return converter.getCustomConversions()
			.getCustomWriteTarget(type)
			.filter((target) -> target.isAssignableFrom(form))
			.isPresent() && converter.getConversionService().canConvert(type, form);
	}

	/**
	 * A stored form.
	 *
	 * @param converter knows both ways, or {@code null} if nothing is converted
	 */
	record Form(Class<?> type, @Nullable MongoConverter converter) {
	}

}
