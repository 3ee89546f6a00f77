package io.github.hilo.internal.mapping;

import java.lang.reflect.AnnotatedElement;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import io.github.hilo.HiLo;

import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.data.mongodb.core.mapping.MongoPersistentEntity;
import org.springframework.data.mongodb.core.mapping.MongoPersistentProperty;
import org.springframework.data.mongodb.core.mapping.TimeSeries;

/**
 * Decides which properties of entity types get ids and numbers before they are saved.
 *
 * @param all whether types without {@link HiLo} get ids
 * @param packages the packages whose types get ids, including the packages below them, or
 * none for all
 */
public record AssignmentRule(boolean enabled, boolean all, List<String> packages) {

	private static final String SPRING = "org.springframework.";

	private static final String SPRING_SAMPLES = "org.springframework.samples.";

	private static final String CONSTRAINTS = "jakarta.validation.constraints.";

	private static final String DEFAULT_GROUP = "jakarta.validation.groups.Default";

	/**
	 * Returns why types get no ids. The text follows the names of those types.
	 */
	String whyWithout() {
		return !this.all ? "because hilo.assign-ids is annotated and they have no @HiLo"
				: this.packages.isEmpty() ? "because @HiLo(enabled = false) is on them, or they are Spring's"
						: "because hilo.packages does not have them, or @HiLo(enabled = false) is on them";
	}

	/**
	 * Returns which types get ids apart from those that the start names. The other types
	 * have no {@code @Document}, or become known later.
	 */
	String describeOtherTypes() {
		return !this.all ? "Other types get ids if they have @HiLo (hilo.assign-ids is annotated)"
				: this.packages.isEmpty() ? "Other types get ids, too (hilo.assign-ids is all)"
						: "Other types get ids if they are in " + this.packages + " (hilo.packages) or have @HiLo";
	}

	/**
	 * Returns whether the ids of an entity type get values. Whether the type of the id
	 * property can hold them is decided elsewhere.
	 */
	boolean assignsIds(MappedType type) {
		return type.isAnnotated() ? type.isEnabled() : includes(type.name()) && !isLeftAlone(type.entity());
	}

	/**
	 * Returns whether ids get no value only because of a constraint or a time series.
	 */
	boolean leavesToTheApplication(MappedType type) {
		return !type.isAnnotated() && includes(type.name()) && isLeftAlone(type.entity());
	}

	/**
	 * Returns whether a type without {@link HiLo} gets ids because of its package.
	 */
	private boolean includes(String type) {
		return this.all && (this.packages.isEmpty() ? !isOfSpring(type)
				: this.packages.stream().anyMatch((listed) -> type.startsWith(listed + ".")));
	}

	private static boolean isOfSpring(String type) {
		return type.startsWith(SPRING) && !type.startsWith(SPRING_SAMPLES);
	}

	/**
	 * Returns whether an id stays null. If the id has a constraint, the application sets
	 * it. In a time series, MongoDB refuses the upsert that {@code save} sends for an
	 * entity with an id. There MongoDB creates a {@code String} id itself, but no number.
	 */
	private static boolean isLeftAlone(MongoPersistentEntity<?> entity) {
		MongoPersistentProperty id = entity.getIdProperty();
		return id != null && ((entity.findAnnotation(TimeSeries.class) != null && id.getType() == String.class)
				|| Stream.<AnnotatedElement>of(id.getField(), id.getGetter())
					.filter(Objects::nonNull)
					.map(MergedAnnotations::from)
					.anyMatch((annotations) -> Stream.of("NotNull", "NotBlank", "NotEmpty")
						.flatMap((constraint) -> annotations.stream(CONSTRAINTS + constraint))
						.anyMatch(AssignmentRule::isInDefaultGroup)));
	}

	private static boolean isInDefaultGroup(MergedAnnotation<?> constraint) {
		List<String> groups = List.of(constraint.getStringArray("groups"));
		return groups.isEmpty() || groups.contains(DEFAULT_GROUP);
	}

}
