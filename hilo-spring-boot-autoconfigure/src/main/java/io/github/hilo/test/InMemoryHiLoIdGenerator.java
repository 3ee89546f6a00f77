package io.github.hilo.test;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.hilo.Arguments;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoNamingStrategy;
import io.github.hilo.HiLoSequence;
import io.github.hilo.autoconfigure.HiLoProperties;
import io.github.hilo.internal.mapping.MappedSequenceNames;
import io.github.hilo.internal.text.DocumentIdFormat;
import io.github.hilo.internal.text.Names;
import io.github.hilo.internal.text.OwnSettings;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.data.mongodb.core.convert.MongoCustomConversions;
import org.springframework.data.mongodb.core.mapping.MongoMappingContext;

/**
 * A generator for tests, whose counters are in memory instead of MongoDB. Names and ids
 * look as in the application. Every sequence of every database issues 1, 2, 3 and so on,
 * and starts at 1 again after {@link #reset()}.
 * <p>
 * Its numbers are unique only within one object. As a bean of a test's configuration it
 * replaces the auto-configured generator, and documents that are saved get their ids from
 * it.
 * <p>
 * It does not check stored ids. If a stored document has the next id, an insert or a
 * repository fails with a {@code DuplicateKeyException}, but {@code MongoTemplate.save}
 * of a new entity without a version replaces that document. So empty the collections
 * before a reset.
 * <p>
 * Thread-safe: each number is one atomic change of the concurrent map {@code counters}. A
 * call that overlaps a reset may still return an id from before the reset.
 */
public final class InMemoryHiLoIdGenerator implements HiLoIdGenerator, AutoCloseable {

	/**
	 * The default database, {@value}, which is MongoDB's own default.
	 * {@link #forDatabase} with this name uses the same counters as without.
	 */
	public static final String DEFAULT_DATABASE = "test";

	private final State state;

	private final String database;

	/**
	 * Creates a generator whose ids look as without any configuration: {@code orders/1-A}
	 * for a type that is mapped to the collection {@code orders}.
	 */
	public InMemoryHiLoIdGenerator() {
		this("A", "/");
	}

	/**
	 * Creates a generator for applications that configure how ids look.
	 * @param nodeTag tag at the end of document ids, or an empty string
	 * @param identityPartsSeparator character between the sequence and the number
	 */
	public InMemoryHiLoIdGenerator(String nodeTag, String identityPartsSeparator) {
		this(mappings(), (entityType, collection) -> collection,
				(sequence) -> DocumentIdFormat.of(sequence, identityPartsSeparator, nodeTag, 1));
	}

	/**
	 * Creates a generator with the names of sequences and the form of ids of an
	 * application.
	 * @param mappings the application's mapping metadata
	 * @param naming the application's naming strategy
	 * @param environment provides {@code hilo.node-tag},
	 * {@code hilo.identity-parts-separator} and {@code hilo.digits}, also those of single
	 * sequences and of patterns
	 */
	public InMemoryHiLoIdGenerator(MongoMappingContext mappings, HiLoNamingStrategy naming, Environment environment) {
		this(mappings, naming, formats(Binder.get(environment).bindOrCreate("hilo", HiLoProperties.class)));
	}

	private InMemoryHiLoIdGenerator(MongoMappingContext mappings, HiLoNamingStrategy naming,
			Function<String, DocumentIdFormat> formats) {
		this(new State(new MappedSequenceNames(() -> mappings, () -> naming, List::of), formats,
				new ConcurrentHashMap<>(), new AtomicBoolean()), DEFAULT_DATABASE);
	}

	/**
	 * Creates metadata for entities with dates and other types of the JDK, which Spring
	 * Data converts.
	 */
	private static MongoMappingContext mappings() {
		MongoMappingContext mappings = new MongoMappingContext();
		mappings.setSimpleTypeHolder(new MongoCustomConversions(List.of()).getSimpleTypeHolder());
		return mappings;
	}

	private InMemoryHiLoIdGenerator(State state, String database) {
		this.state = state;
		this.database = database;
	}

	/**
	 * Restarts every sequence at 1, in all databases, also for existing handles and
	 * views. A closed generator is open again.
	 */
	public void reset() {
		this.state.counters.clear();
		this.state.closed.set(false);
	}

	@Override
	public HiLoSequence sequence(Class<?> entityType) {
		String unused = this.state.names.nameOf(Arguments.requireType(entityType));
		return new Sequence(this, () -> this.state.names.nameOf(entityType));
	}

	@Override
	public HiLoSequence sequence(String sequence) {
		Names.requireCounterId(sequence, "Raven/HiLo/" + Names.requireSequence(sequence));
		return new Sequence(this, () -> sequence);
	}

	@Override
	public HiLoIdGenerator forDatabase(@Nullable String database) {
		return new InMemoryHiLoIdGenerator(this.state,
				(database != null) ? Names.requireDatabase(database) : DEFAULT_DATABASE);
	}

	/**
	 * Does nothing: no number is reserved before it is issued.
	 */
	@Override
	public void release() {
	}

	/**
	 * Closes this generator: it issues nothing any more, like an application's generator
	 * after its context was closed.
	 */
	@Override
	public void close() {
		this.state.closed.set(true);
	}

	private long count(String sequence, long number, BinaryOperator<Long> change) {
		if (this.state.closed.get()) {
			throw new IllegalStateException("The HiLo id generator is closed");
		}
		return this.state.counters.merge(new Counter(this.database, sequence), number, change);
	}

	private static Function<String, DocumentIdFormat> formats(HiLoProperties usual) {
		Map<String, HiLoProperties.Sequence> own = usual.sequences();
		return (sequence) -> DocumentIdFormat.of(sequence,
				OwnSettings.of(own, sequence, HiLoProperties.Sequence::identityPartsSeparator,
						usual.identityPartsSeparator()),
				OwnSettings.of(own, sequence, HiLoProperties.Sequence::nodeTag, usual.nodeTag()),
				OwnSettings.of(own, sequence, HiLoProperties.Sequence::digits, usual.digits()));
	}

	/**
	 * What all views of a generator share.
	 *
	 * @param counters the highest number that each sequence has issued
	 */
	private record State(MappedSequenceNames names, Function<String, DocumentIdFormat> formats,
			Map<Counter, Long> counters, AtomicBoolean closed) {
	}

	private record Counter(String database, String sequence) {
	}

	private record Sequence(InMemoryHiLoIdGenerator origin, Supplier<String> name) implements HiLoSequence {

		@Override
		public long nextId() {
			return this.origin.count(this.name.get(), 1, Long::sum);
		}

		@Override
		public String nextDocumentId() {
			String sequence = this.name.get();
			DocumentIdFormat format = this.origin.state.formats.apply(sequence);
			return format.id(format.head(), this.origin.count(sequence, 1, Long::sum));
		}

		@Override
		public long ensureAtLeast(long floor) {
			return this.origin.count(this.name.get(), Arguments.requireFloor(floor), Math::max);
		}

	}

}
