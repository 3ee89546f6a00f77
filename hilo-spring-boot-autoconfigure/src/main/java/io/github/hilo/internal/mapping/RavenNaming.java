package io.github.hilo.internal.mapping;

import java.util.Locale;
import java.util.Map;

import io.github.hilo.HiLoNamingStrategy;
import org.atteo.evo.inflector.English;

/**
 * Names a sequence as RavenDB names a collection: by the plural of the type's simple
 * name, in lower case if the plural has at most one capital. {@code Order} gives
 * {@code orders}, {@code LineItem} gives {@code LineItems}. The rule is that of RavenDB
 * 6, {@code DocumentConventions.defaultTransformCollectionNameToDocumentIdPrefix}.
 * <p>
 * The evo-inflector library forms the plural of the name's last word. For words that
 * RavenDB lists as irregular or uncountable, RavenDB's plural is used. Where RavenDB's
 * patterns give no English word ({@code Humen}, {@code Heros}), the library's plural is
 * used. So these names differ in RavenDB 6: {@code humen, foots, tooths, gooses, heros,
 * potatos, echos, cargos, memos, logos, indices, matrices, vertices, viri, octopi, media,
 * stadia, curriculums, leafs, saves} (of {@code Safe}), {@code caves} (of {@code Cafe}),
 * {@code gulves, campus, bonus, lens, gas}, and names that are plural already, such as
 * {@code Orders}.
 */
public final class RavenNaming implements HiLoNamingStrategy {

	private static final Map<String, String> LISTED_BY_RAVENDB = Map.of("person", "people", "ox", "oxen", "equipment",
			"equipment", "information", "information", "rice", "rice", "money", "money");

	private final English english = new English(English.MODE.ENGLISH_ANGLICIZED);

	@Override
	public String sequenceName(Class<?> entityType, String collection) {
		String plural = pluralOf(entityType.getSimpleName());
		return (plural.chars().filter(Character::isUpperCase).count() > 1) ? plural : plural.toLowerCase(Locale.ROOT);
	}

	private String pluralOf(String name) {
		int start = name.length() - 1;
		while (start > 0 && !Character.isUpperCase(name.charAt(start))) {
			start--;
		}
		String word = name.substring(start).toLowerCase(Locale.ROOT);
		String plural = LISTED_BY_RAVENDB.getOrDefault(word, this.english.getPlural(word));
		// The word starts at the last capital, so only its first letter was changed.
		return name.substring(0, start) + name.charAt(start) + plural.substring(1);
	}

}
