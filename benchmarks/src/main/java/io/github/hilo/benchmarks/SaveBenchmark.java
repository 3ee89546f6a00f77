package io.github.hilo.benchmarks;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.hilo.HiLo;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoNamingStrategy;
import io.github.hilo.data.AssignIds;
import io.github.hilo.data.AssignmentRule;
import io.github.hilo.data.HiLoBeforeConvertCallback;
import io.github.hilo.data.IdAssignment;
import io.github.hilo.data.MappedSequenceNames;
import io.github.hilo.data.RavenNaming;
import io.github.hilo.data.StoredIdPlaces;
import io.github.hilo.engine.HiLoEngine;
import io.github.hilo.engine.HiLoSettings;
import io.github.hilo.store.TimeSource;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

import org.springframework.data.mongodb.core.convert.MongoCustomConversions;
import org.springframework.data.mongodb.core.mapping.MongoMappingContext;

/**
 * What is done before a document is saved, with every range in memory: finding out what
 * it lacks, naming the sequence, and filling it in.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("NullAway.Init") // set up before each run
public class SaveBenchmark {

	@Param({ "collection", "raven" })
	private String naming;

	private HiLoBeforeConvertCallback callback;

	/**
	 * Makes the callback as an application has it.
	 */
	@Setup
	public void createCallback() {
		HiLoNamingStrategy strategy = this.naming.equals("raven") ? new RavenNaming()
				: (type, collection) -> collection;
		AssignmentRule rule = new AssignmentRule(AssignIds.ALL, List.of());
		MongoMappingContext mappings = new MongoMappingContext();
		MappedSequenceNames names = new MappedSequenceNames(() -> mappings, () -> strategy);
		HiLoIdGenerator generator = new HiLoEngine(new CountingStore(), names, HiLoSettings.DEFAULTS, TimeSource.SYSTEM)
			.generator();
		StoredIdPlaces places = new StoredIdPlaces(names, rule,
				(database, sequence, count) -> CompletableFuture.completedFuture(null));
		this.callback = new HiLoBeforeConvertCallback(() -> generator,
				new IdAssignment(names, places, rule, () -> new MongoCustomConversions(List.of())), null);
	}

	/**
	 * Gives a document a numeric id.
	 * @return the document
	 */
	@Benchmark
	public Object numericId() {
		return this.callback.onBeforeConvert(new Numbered(), "orders");
	}

	/**
	 * Gives a document a document id.
	 * @return the document
	 */
	@Benchmark
	public Object documentId() {
		return this.callback.onBeforeConvert(new Order(), "orders");
	}

	/**
	 * Gives a document with an ObjectId of its own a number beside it.
	 * @return the document
	 */
	@Benchmark
	public Object numberBesideTheId() {
		return this.callback.onBeforeConvert(new Customer(), "customers");
	}

	static final class Numbered {

		@Nullable Long id;

	}

	static final class Order {

		@Nullable String id;

	}

	static final class Customer {

		@Nullable ObjectId id;

		@HiLo
		@Nullable Long number;

	}

}
