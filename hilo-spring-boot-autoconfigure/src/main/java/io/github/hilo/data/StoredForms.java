package io.github.hilo.data;

import java.util.Set;
import java.util.function.Supplier;

import io.github.hilo.store.Names;
import org.jspecify.annotations.Nullable;

import org.springframework.data.mongodb.core.convert.MongoCustomConversions;
import org.springframework.data.mongodb.core.mapping.FieldType;
import org.springframework.data.mongodb.core.mapping.MongoPersistentProperty;
import org.springframework.util.ClassUtils;

/**
 * Refuses properties whose stored form is not what the checks of stored ids look for:
 * numbers that are stored as texts or doubles, and whatever a converter makes of them. A
 * stored document could be replaced.
 * <p>
 * Thread-safe: it holds nothing that changes.
 */
final class StoredForms {

	/**
	 * {@code Number} stands for what Spring Data writes without a converter of the
	 * application.
	 */
	private static final Set<Class<?>> NUMERIC = Set.of(Long.class, Integer.class, Number.class,
			FieldType.DECIMAL128.getJavaClass());

	private final Supplier<MongoCustomConversions> conversions;

	StoredForms(Supplier<MongoCustomConversions> conversions) {
		this.conversions = conversions;
	}

	/**
	 * Checks a property that gets values.
	 * @throws IllegalStateException if it is stored as something else
	 */
	void require(AssignableProperty assigned) {
		MongoPersistentProperty property = assigned.property();
		String form = formOf(property, assigned.isNumeric() ? NUMERIC : Set.of(String.class));
		if (form != null) {
			throw new RefusedMappingException(
					(assigned.isId() ? "The id " : "The property ") + Names.quoted(assigned.name()) + " of "
							+ assigned.entity().getType().getName() + " is stored " + form
							+ ", so its stored values are not found, and a document that is stored already could be"
							+ " overwritten.",
					"Let it be stored as " + (assigned.isNumeric() ? "an int or a long" : "a string")
							+ (assigned.isId() ? ", or put @HiLo(enabled = false) on the type and set the id yourself."
									: ", or remove @HiLo."));
		}
	}

	private @Nullable String formOf(MongoPersistentProperty property, Set<Class<?>> allowed) {
		MongoCustomConversions custom = this.conversions.get();
		if (custom.hasValueConverter(property)) {
			return "by a value converter";
		}
		Class<?> target = property.hasExplicitWriteTarget() ? property.getFieldType()
				: custom.getCustomWriteTarget(ClassUtils.resolvePrimitiveIfNecessary(property.getType())).orElse(null);
		return (target != null && !allowed.contains(target)) ? "as " + target.getSimpleName() : null;
	}

}
