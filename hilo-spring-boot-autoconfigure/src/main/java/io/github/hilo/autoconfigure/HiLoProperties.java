package io.github.hilo.autoconfigure;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;

import javax.lang.model.SourceVersion;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.internal.sequence.HiLoSettings;
import io.github.hilo.internal.store.CounterSettings;
import io.github.hilo.internal.text.DocumentIdFormat;
import io.github.hilo.internal.text.Names;
import io.github.hilo.internal.text.OwnSettings;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.util.StringUtils;

/**
 * Configuration properties for HiLo ids.
 *
 * @param enabled Whether to auto-configure HiLo ids. A value that is not a Boolean stops
 * the start.
 * @param counter Where the counters are stored.
 * @param nodeTag Tag at the end of document ids, such as the A in orders/54-A. Empty for
 * none; must not contain the separator, a blank or a control character.
 * @param identityPartsSeparator Character between the sequence and the number in a
 * document id. Must be one character, but not '|', a letter or a digit.
 * @param digits Least number of digits of the number in a document id, from 1 to 19. With
 * 8, zeros come first, as in orders/00000054-A, and ids sort as their numbers do.
 * @param serverPrefixDocument Whether document ids carry the prefix that the document
 * Raven/ServerPrefixForHilo holds. A reservation reads it again when the last read is
 * older than 30 seconds.
 * @param naming Names of the sequences of entity types: the collection's, or RavenDB's
 * plural of the type's. A HiLoNamingStrategy bean takes precedence.
 * @param assignIds Which entity types get ids before they are saved: all outside
 * org.springframework, only those with @HiLo, or none.
 * @param packages Packages whose entity types get ids, including the packages below them.
 * Empty for all outside org.springframework; a type with @HiLo gets ids in any package.
 * @param checkStoredIds Whether to check ids against those of stored documents before
 * they are used. The MongoDB user needs find on the collections of the documents.
 * @param initialValue Lowest number to issue, at least 1. A new sequence starts there,
 * and a counter below it is raised.
 * @param timeout Longest time that a call, or a save, waits for its ids, from 1ms to 24d.
 * A number without a unit is in seconds.
 * @param range Sizes of the ranges.
 * @param warmUp Sequences to reserve a range for at start-up. A failure does not stop the
 * start.
 * @param sequences Settings of single sequences, by exact name, or by how names begin if
 * it ends in '*', as in [calls-*]; an exact name wins, then the longest beginning. A name
 * with characters other than letters, digits, '-' and '_' goes in [brackets].
 */
@ConfigurationProperties(prefix = HiLoProperties.PREFIX, ignoreUnknownFields = false)
public record HiLoProperties(@DefaultValue("true") boolean enabled, @DefaultValue Counter counter,
		@DefaultValue("A") String nodeTag, @DefaultValue("/") String identityPartsSeparator,
		@DefaultValue("1") int digits, @DefaultValue("false") boolean serverPrefixDocument,
		@DefaultValue("collection") Naming naming, @DefaultValue("all") AssignIds assignIds,
		@DefaultValue List<String> packages, @DefaultValue("true") boolean checkStoredIds,
		@DefaultValue("1") long initialValue, @DefaultValue("10s") @DurationUnit(ChronoUnit.SECONDS) Duration timeout,
		@DefaultValue Range range, @DefaultValue List<String> warmUp, @DefaultValue Map<String, Sequence> sequences) {

	static final String PREFIX = "hilo";

	/**
	 * The largest size of a range. A few ranges of a larger size would use up the
	 * counter.
	 */
	static final long LARGEST_SIZE = 1L << 40;

	static final int LARGEST_GROWTH = 1024;

	// No mark, because it would change how the character before it looks.
	private static final Pattern SEPARATOR = Pattern.compile("[^|\\p{L}\\p{Nd}\\p{M}\\p{Cs}]");

	private static final Pattern BLANK_OR_CONTROL = Pattern.compile("[\\p{Z}\\p{Cc}]");

	/**
	 * MongoDB's {@code maxTimeMS} is an int.
	 */
	static final Duration LONGEST_TIMEOUT = Duration.ofDays(24);

	/**
	 * Checks the values, as far as their types do not.
	 * @throws InvalidConfigurationPropertyValueException if a value is wrong
	 */
	void validate() {
		require(StringUtils.hasText(this.counter.collection) && this.counter.collection.indexOf('$') < 0
				&& this.counter.collection.indexOf('\0') < 0, "counter.collection", this.counter.collection,
				"A collection needs a name without '$', such as '@hilo'.");
		validateNumberText("", this.digits, this.identityPartsSeparator);
		validateNodeTag("", this.nodeTag, this.identityPartsSeparator);
		require(this.timeout.compareTo(Duration.ofMillis(1)) >= 0 && this.timeout.compareTo(LONGEST_TIMEOUT) <= 0,
				"timeout", this.timeout,
				"It must be at least 1ms and at most " + LONGEST_TIMEOUT.toDays() + "d, such as 30s.");
		require(this.range.maxGrowth >= 2 && this.range.maxGrowth <= LARGEST_GROWTH, "range.max-growth",
				this.range.maxGrowth, "It must be at least 2 and at most " + LARGEST_GROWTH + ".");
		require(Names.isCounterId(this.counter.idPrefix + "x"), "counter.id-prefix", this.counter.idPrefix,
				"It must be well-formed and leave room for the name of a sequence: the id of a counter has at most "
						+ Names.MAX_COUNTER_ID_BYTES + " bytes of UTF-8.");
		requireLiteral("counter.id-prefix", this.counter.idPrefix);
		for (String name : this.warmUp) {
			requireSequence("warm-up", name);
			require(name.indexOf('*') < 0, "warm-up", name,
					"It must be the name of one sequence, without '*'. Write the names, separated by commas.");
		}
		for (String name : this.packages) {
			require(SourceVersion.isName(name), "packages", this.packages, "'" + name
					+ "' is not the name of a package. Write it like com.example.shop, without *: packages below it"
					+ " count as well.");
		}
		validateStart("", this.initialValue, this.range.initialSize);
		validateMaxSize("", this.range.maxSize, this.range.initialSize);
		// Patterns come first, so that the message names a property that is set.
		this.sequences.entrySet()
			.stream()
			.sorted(Map.Entry.comparingByKey(OwnSettings.GENERAL_FIRST))
			.forEach((entry) -> validateSequence(entry.getKey(), entry.getValue()));
	}

	private void validateSequence(String name, Sequence own) {
		String property = "sequences[" + Names.printable(name) + "]";
		requireSequence(property, name);
		int star = name.indexOf('*');
		require(star < 0 || star == name.length() - 1, property, name,
				"A name can have one '*', as its last character, and then stands for all sequences whose names"
						+ " begin with the text before it, as in hilo.sequences[calls-*].");
		String path = "sequences[" + name + "].";
		HiLoSettings.SequenceSettings settings = settingsOf(name);
		String separator = setting(name, Sequence::identityPartsSeparator, this.identityPartsSeparator);
		String tag = setting(name, Sequence::nodeTag, this.nodeTag);
		validateNumberText(path, setting(name, Sequence::digits, this.digits), separator);
		// The messages name a property that is set.
		require(own.nodeTag != null || own.identityPartsSeparator == null || !tag.contains(separator),
				path + "identity-parts-separator", separator, "It must not be in the node tag, which is '" + tag
						+ "'. Choose another character, or set node-tag of this sequence.");
		validateNodeTag(path, tag, separator);
		validateStart(path, settings.initialValue(), settings.initialSize());
		require(own.range.maxSize != null || settings.maxSize() >= settings.initialSize(), path + "range.initial-size",
				settings.initialSize(), "It must be at most the largest size, which is " + settings.maxSize() + ".");
		validateMaxSize(path, settings.maxSize(), settings.initialSize());
		require(!settings.consecutive() || (own.range.initialSize == null && own.range.maxSize == null),
				path + "consecutive", settings.consecutive(),
				"Each number of a consecutive sequence is a reservation of its own, so its ranges have no size."
						+ " Remove range.initial-size and range.max-size of this sequence, or set consecutive to false.");
	}

	HiLoSettings toSettings() {
		return new HiLoSettings(this::formatOf, this.timeout, this.range.maxGrowth, this.range.prefetch,
				this::settingsOf);
	}

	CounterSettings toCounterSettings() {
		return new CounterSettings(this.counter.collection, this.counter.idPrefix, this.serverPrefixDocument,
				this.timeout, this::formatOf);
	}

	DocumentIdFormat formatOf(String name) {
		return DocumentIdFormat.of(name, setting(name, Sequence::identityPartsSeparator, this.identityPartsSeparator),
				setting(name, Sequence::nodeTag, this.nodeTag), setting(name, Sequence::digits, this.digits));
	}

	private HiLoSettings.SequenceSettings settingsOf(String name) {
		return new HiLoSettings.SequenceSettings(setting(name, Sequence::initialValue, this.initialValue),
				setting(name, (own) -> own.range.initialSize, this.range.initialSize),
				setting(name, (own) -> own.range.maxSize, this.range.maxSize),
				setting(name, Sequence::consecutive, Boolean.FALSE),
				setting(name, Sequence::checkStoredIds, this.checkStoredIds));
	}

	private <T> T setting(String name, Function<Sequence, @Nullable T> setting, T usual) {
		return OwnSettings.of(this.sequences, name, setting, usual);
	}

	private static void validateNumberText(String path, int digits, String separator) {
		require(digits >= 1 && digits <= DocumentIdFormat.MAX_DIGITS, path + "digits", digits,
				"It must be from 1 to " + DocumentIdFormat.MAX_DIGITS + ".");
		require(separator.length() == 1 && SEPARATOR.matcher(separator).matches(), path + "identity-parts-separator",
				separator,
				"It must be one character, but not '|' (RavenDB keeps that for identities), a letter or a digit,"
						+ " such as \"/\". In YAML put it in quotes.");
	}

	private static void validateNodeTag(String path, String nodeTag, String separator) {
		requireLiteral(path + "node-tag", nodeTag);
		// If the tag contained the separator, the parts of an id could not be separated.
		require(!nodeTag.contains(separator) && !BLANK_OR_CONTROL.matcher(nodeTag).find(), path + "node-tag", nodeTag,
				"It must not contain the separator, which is '" + separator
						+ "', a blank or a control character. Write it like \"B\", or leave it empty for none.");
	}

	private static void validateStart(String path, long initialValue, long initialSize) {
		require(initialValue >= 1 && initialValue <= HiLoIdGenerator.MAX_NUMBER, path + "initial-value", initialValue,
				"It must be at least 1 and at most " + HiLoIdGenerator.MAX_NUMBER + ", the end of every counter.");
		require(initialSize >= 1, path + "range.initial-size", initialSize, "It must be at least 1.");
	}

	private static void validateMaxSize(String path, long maxSize, long initialSize) {
		String property = path + "range.max-size";
		require(maxSize >= initialSize, property, maxSize,
				"It must be at least the initial size, which is " + initialSize + ".");
		require(maxSize <= LARGEST_SIZE, property, maxSize, "It must be at most " + LARGEST_SIZE + ".");
	}

	private void requireSequence(String property, String name) {
		requireLiteral(property, name);
		try {
			Names.requireCounterId(name, this.counter.idPrefix + Names.requireSequence(name));
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidConfigurationPropertyValueException(PREFIX + "." + property, name,
					String.valueOf(ex.getMessage()));
		}
	}

	private static void requireLiteral(String property, String text) {
		require(!Names.isExpression(text), property, text,
				"It contains an expression that nothing has replaced. Write the text itself, or define the property"
						+ " that the expression refers to.");
	}

	private static void require(boolean valid, String name, Object value, String reason) {
		if (!valid) {
			throw new InvalidConfigurationPropertyValueException(PREFIX + "." + name, value, reason);
		}
	}

	/**
	 * Where the counters are stored.
	 *
	 * @param collection MongoDB collection of the counters. Must not be blank.
	 * @param idPrefix Text before the sequence in the _id of a counter. Both together
	 * have at most 1,000 bytes of UTF-8.
	 */
	public record Counter(@DefaultValue("@hilo") String collection, @DefaultValue("Raven/HiLo/") String idPrefix) {
	}

	/**
	 * Sizes of the ranges.
	 *
	 * @param initialSize Size of the first and smallest range of a sequence, from 1 to
	 * hilo.range.max-size.
	 * @param maxSize Size of the largest range of a sequence, from
	 * hilo.range.initial-size to 1,099,511,627,776.
	 * @param maxGrowth Largest factor between one range and the next, from 2 to 1,024,
	 * unless many callers wait. Above 2, a range that is used up quickly is followed by
	 * one that lasts 30 seconds at the same pace.
	 * @param prefetch Whether a busy sequence reserves its next range when half of the
	 * current one is used.
	 */
	public record Range(@DefaultValue("32") long initialSize, @DefaultValue("1048576") long maxSize,
			@DefaultValue("2") int maxGrowth, @DefaultValue("true") boolean prefetch) {
	}

	/**
	 * Settings of one sequence, or of those whose names begin alike; what is not set is
	 * as for every sequence.
	 *
	 * @param initialValue Lowest number to issue in this sequence, at least 1.
	 * @param range Sizes of the ranges of this sequence.
	 * @param checkStoredIds Whether to check ids of this sequence against those of stored
	 * documents before they are used.
	 * @param digits Least number of digits of the number in a document id of this
	 * sequence, from 1 to 19.
	 * @param identityPartsSeparator Character between this sequence and the number in a
	 * document id. Must be one character, but not '|', a letter or a digit.
	 * @param nodeTag Tag at the end of document ids of this sequence. Empty for none;
	 * must not contain the separator, a blank or a control character.
	 * @param consecutive Whether each number, or block, is a reservation of its own and
	 * nothing is held, so that numbers come in the order of the requests over all
	 * processes. Must be the same in all of them.
	 */
	public record Sequence(@Nullable Long initialValue, @DefaultValue SequenceRange range,
			@Nullable Boolean checkStoredIds, @Nullable Integer digits, @Nullable String identityPartsSeparator,
			@Nullable String nodeTag, @Nullable Boolean consecutive) {
	}

	/**
	 * Sizes of the ranges of one sequence.
	 *
	 * @param initialSize Size of the first and smallest range of this sequence, from 1 to
	 * its max-size.
	 * @param maxSize Size of the largest range of this sequence, from its initial-size to
	 * 1,099,511,627,776.
	 */
	public record SequenceRange(@Nullable Long initialSize, @Nullable Long maxSize) {
	}

}
