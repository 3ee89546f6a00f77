package io.github.hilo.autoconfigure;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.hilo.store.Names;

import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;

/**
 * Finds the property that may have been meant by an unknown one.
 */
final class KnownProperties {

	private static final String SEQUENCES = "sequences";

	private static final List<String> OF_A_SEQUENCE = namesOf(HiLoProperties.Sequence.class).toList();

	private static final List<String> ALL = namesOf(HiLoProperties.class).flatMap((name) -> switch (name) {
		case "range" -> namesOf(HiLoProperties.Range.class).map("range."::concat);
		case SEQUENCES -> OF_A_SEQUENCE.stream().map((SEQUENCES + ".<name>.")::concat);
		default -> Stream.of(name);
	}).toList();

	private KnownProperties() {
	}

	/**
	 * Says what to write instead of an unknown property.
	 * @param unknown its name, with the prefix
	 * @return the advice, for a message
	 */
	static String advice(ConfigurationPropertyName unknown) {
		List<String> elements = IntStream.range(1, unknown.getNumberOfElements())
			.mapToObj((index) -> unknown.getElement(index, Form.ORIGINAL))
			.toList();
		boolean ofSequence = elements.size() > 2 && isNear(distance(elements.get(0), SEQUENCES), SEQUENCES);
		List<Candidate> candidates = ofSequence ? ofSequence(elements.subList(1, elements.size()))
				: general(String.join(".", elements));
		int least = candidates.stream().mapToInt(Candidate::distance).min().orElse(0);
		String nearest = candidates.stream()
			.filter((candidate) -> candidate.distance() == least && isNear(least, candidate.property()))
			.map((candidate) -> HiLoProperties.PREFIX + "." + candidate.name())
			.collect(Collectors.joining(" or "));
		if (!nearest.isEmpty()) {
			return "write " + Names.printable(nearest)
					+ (nearest.contains("[") ? " (in YAML, the name and its brackets go in quotes)" : "");
		}
		return ofSequence ? "no property of a sequence is like it. There are " + String.join(", ", OF_A_SEQUENCE)
				: "no property is like it. There are " + HiLoProperties.PREFIX + "."
						+ String.join(", " + HiLoProperties.PREFIX + ".", ALL);
	}

	private static List<Candidate> general(String unknown) {
		return ALL.stream().map((known) -> {
			String property = leafOf(known);
			int wrongLevel = 1 + distance(leafOf(unknown), property);
			int oneLevelTooMany = 1 + distance(parentOf(unknown), known);
			int distance = Math.min(distance(unknown, known), Math.min(wrongLevel, oneLevelTooMany));
			return new Candidate(known, property, distance);
		}).toList();
	}

	/**
	 * Finds what may be meant by the elements of a sequence's name and of its property. A
	 * name has several elements where its dots are not in brackets.
	 */
	private static List<Candidate> ofSequence(List<String> elements) {
		return IntStream.range(1, elements.size()).boxed().flatMap((length) -> {
			String name = String.join(".", elements.subList(0, length));
			String property = String.join(".", elements.subList(length, elements.size()));
			String path = SEQUENCES + (name.matches("[\\w-]+") ? "." + name : "[" + name + "]") + ".";
			return OF_A_SEQUENCE.stream().map((known) -> new Candidate(path + known, known, distance(property, known)));
		}).toList();
	}

	private static boolean isNear(int distance, String known) {
		return distance <= 1 + known.length() / 4;
	}

	/**
	 * Counts the characters to insert, remove or replace (Levenshtein's distance), but
	 * for those that binding ignores.
	 */
	private static int distance(String from, String to) {
		String a = uniform(from);
		String b = uniform(to);
		int[] row = IntStream.rangeClosed(0, b.length()).toArray();
		for (int i = 1; i <= a.length(); i++) {
			int diagonal = row[0];
			row[0] = i;
			for (int j = 1; j <= b.length(); j++) {
				int replaced = diagonal + ((a.charAt(i - 1) != b.charAt(j - 1)) ? 1 : 0);
				diagonal = row[j];
				row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
			}
		}
		return row[b.length()];
	}

	private static String uniform(String name) {
		return name.toLowerCase(Locale.ROOT).replaceAll("[-_.]", "");
	}

	private static String parentOf(String name) {
		return name.substring(0, Math.max(0, name.lastIndexOf('.')));
	}

	private static String leafOf(String name) {
		return name.substring(name.lastIndexOf('.') + 1);
	}

	private static Stream<String> namesOf(Class<? extends Record> properties) {
		return Stream.of(properties.getRecordComponents())
			.map((component) -> DataObjectPropertyName.toDashedForm(component.getName()));
	}

	/**
	 * A property that may have been meant.
	 *
	 * @param name its name without the prefix
	 * @param property the last part of its name
	 * @param distance how far from what is written
	 */
	private record Candidate(String name, String property, int distance) {
	}

}
