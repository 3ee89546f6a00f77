package io.github.hilo.internal.mapping;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.data.mongodb.core.convert.MongoConverter;
import org.springframework.data.mongodb.core.mapping.MongoPersistentProperty;
import org.springframework.data.mongodb.core.mapping.MongoSimpleTypes;

/**
 * Finds how an application's converters store values of its own types, such as
 * {@code record OrderId(long value)}. Mapping metadata does not include converters.
 */
final class ConvertedTypes {

	private static final List<Class<?>> FORMS = List.of(Long.class, Integer.class, String.class);

	private final Supplier<List<MongoConverter>> converters;

	/**
	 * @param converters supplies the converters when they are first needed, because they
	 * depend on the database and may depend on beans that need the engine
	 */
	ConvertedTypes(Supplier<List<MongoConverter>> converters) {
		this.converters = converters;
	}

	/**
	 * Finds the type that values are stored as and read from: a long, an int or a text.
	 * Returns {@code null} if there is none.
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
	 * Describes why an id of the application's own type gets no value. Returns
	 * {@code null} if no converter concerns the type.
	 */
	@Nullable String whyUnassigned(MongoPersistentProperty id) {
		Class<?> type = id.getType();
		return convertersOf(type).anyMatch((converter) -> FORMS.stream()
			.anyMatch((form) -> isWritten(type, form, converter)
					|| converter.getCustomConversions().hasCustomReadTarget(form, type)))
							? "an id of type " + type.getName()
									+ " needs converters that write and read it as a Long, an"
									+ " Integer or a String, and neither @MongoId nor @Field"
							: null;
	}

	private Stream<MongoConverter> convertersOf(Class<?> type) {
		return (type.getName().startsWith("java.") || MongoSimpleTypes.HOLDER.isSimpleType(type)) ? Stream.empty()
				: this.converters.get().stream();
	}

	/**
	 * Whether a converter of the application writes a type in a form. The declared target
	 * is not enough, because converters of jMolecules declare {@code Object}.
	 */
	private static boolean isWritten(Class<?> type, Class<?> form, MongoConverter converter) {
		return converter.getCustomConversions()
			.getCustomWriteTarget(type)
			.filter((target) -> target.isAssignableFrom(form))
			.isPresent() && converter.getConversionService().canConvert(type, form);
	}

	/**
	 * The stored form of a type.
	 *
	 * @param converter converts both ways, or {@code null} if nothing is converted
	 */
	record Form(Class<?> type, @Nullable MongoConverter converter) {
	}

}
