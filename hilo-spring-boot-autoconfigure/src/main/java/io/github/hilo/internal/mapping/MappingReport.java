package io.github.hilo.internal.mapping;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.hilo.internal.text.Names;

import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.util.ProxyUtils;
import org.springframework.util.ClassUtils;

/**
 * Describes which types get ids and numbers, for the start-up line and for Spring Data
 * REST. Thread-safe: the fields never change, and {@link KnownTypes} is thread-safe.
 */
public final class MappingReport {

	private static final int MAX_NAMES = 10;

	private final KnownTypes types;

	public MappingReport(KnownTypes types) {
		this.types = types;
	}

	/**
	 * Starts with the types that are known, and describes which of them get ids and
	 * numbers, and from which sequences: at most 10 properties, and how many more there
	 * are. A type without {@code @Document} is not named, because it may be a projection,
	 * which is never saved.
	 * @throws IllegalStateException if an annotation cannot be honoured, a numeric id is
	 * stored as something else, or two counters would issue the numbers of one field
	 */
	public String start() {
		this.types.mapped().all().forEach(this.types.log()::referencesThatFindNothing);
		List<MappedType> documents = this.types.mapped()
			.roots()
			.stream()
			.filter((entity) -> !MappedType.isAbstract(entity))
			.map(this.types.mapped()::of)
			.toList();
		// A type that is refused stops the start here, before a warning that it could not
		// be named would hide the reason.
		List<NumberedProperty> assigned = documents.stream()
			.flatMap((type) -> this.types.requireAssigned(type.entity()).stream())
			.toList();
		this.types.start();
		AssignmentRule rule = this.types.rule();
		String properties = firstOf(assigned.stream().filter(MappingReport::isDocument).map(this::describe));
		String left = firstOf(idsOf(documents, rule::leavesToTheApplication).map(MappingReport::nameOf));
		String without = firstOf(
				idsOf(documents, (type) -> !rule.assignsIds(type) && !rule.leavesToTheApplication(type))
					.filter(MappingReport::isDocument)
					.map(MappingReport::nameOf));
		return (properties.isEmpty() ? "no type with @Document known yet" : properties)
				+ (left.isEmpty() ? ""
						: "; none for " + left + ", because of a constraint or a time series. @HiLo gives them ids")
				+ (without.isEmpty() ? "" : "; none for " + without + ", " + rule.whyWithout());
	}

	/**
	 * Describes which types get ids that {@link #start} does not name.
	 */
	public String rule() {
		return this.types.rule().describeOtherTypes();
	}

	private static Stream<NumberedProperty> idsOf(List<MappedType> types, Predicate<MappedType> test) {
		return types.stream()
			.filter((type) -> type.id() != null && test.test(type))
			.map((type) -> Objects.requireNonNull(type.id()));
	}

	private static boolean isDocument(NumberedProperty property) {
		return property.entity().isAnnotationPresent(Document.class);
	}

	private static String nameOf(NumberedProperty property) {
		return ClassUtils.getShortName(property.entity().getType()) + "." + property.name();
	}

	private String describe(NumberedProperty property) {
		return nameOf(property) + " from "
				+ sequenceOf(property).map(Names::quoted).orElse("a sequence that each save names");
	}

	private Optional<String> sequenceOf(NumberedProperty property) {
		this.types.nameTypes();
		return this.types.fields()
			.filter((field) -> field.property().equals(property))
			.map(CountedField::sequence)
			.findFirst();
	}

	private static String firstOf(Stream<String> names) {
		List<String> sorted = names.sorted().toList();
		int more = sorted.size() - MAX_NAMES;
		return sorted.stream().limit(MAX_NAMES).collect(Collectors.joining(", "))
				+ ((more > 0) ? " and " + more + " more" : "");
	}

	/**
	 * Whether a known document type gets {@code String} ids of some sequences here. Ids
	 * of the application's own types do not count.
	 * @param sequences tests the name of the sequence, or an empty text if only a save
	 * can name it
	 */
	public boolean areTextIdsAssigned(Class<?> type, Predicate<String> sequences) {
		Class<?> userType = ProxyUtils.getUserClass(type);
		return this.types.mapped().isKnown(userType) && Stream.ofNullable(this.types.mapped().entityOf(userType))
			.flatMap((entity) -> Stream.ofNullable(this.types.mapped().of(entity).id()))
			.anyMatch((id) -> !id.isNumeric() && id.converter() == null && this.types.assigns(id)
					&& sequences.test(sequenceOf(id).orElse("")));
	}

	/**
	 * Finds the associations of known types with types that get document ids of some
	 * sequences.
	 */
	public List<String> associationsWithTextIds(Predicate<String> sequences) {
		SortedSet<String> found = new TreeSet<>();
		this.types.mapped()
			.all()
			.forEach((entity) -> entity.doWithAll((property) -> Stream.ofNullable(property.getAssociationTargetType())
				.filter((target) -> areTextIdsAssigned(target, sequences))
				.forEach((target) -> found.add(ClassUtils.getShortName(entity.getType()) + "." + property.getName()))));
		return List.copyOf(found);
	}

}
