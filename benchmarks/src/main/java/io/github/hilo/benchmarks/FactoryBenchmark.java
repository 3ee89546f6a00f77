package io.github.hilo.benchmarks;

import java.util.Map;
import java.util.concurrent.TimeUnit;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import io.github.hilo.HiLoIdGenerator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.core.SimpleMongoClientDatabaseFactory;

/**
 * A call by type in an application, whose factory leads to one database, or might lead to
 * another one at any time. Every range is in memory.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("NullAway.Init") // set up before each run
public class FactoryBenchmark {

	@Param
	private Kind kind;

	private Application application;

	private MongoDatabaseFactory factory;

	private HiLoIdGenerator generator;

	/**
	 * Starts an application.
	 */
	@Setup
	public void start() {
		this.application = new Application(this.kind::factory, Map.of());
		this.factory = this.application.bean(MongoDatabaseFactory.class);
		this.generator = this.application.bean(HiLoIdGenerator.class);
	}

	/**
	 * Ends the application and the server.
	 */
	@TearDown
	public void close() {
		this.application.close();
	}

	/**
	 * Takes a number by the entity's type.
	 * @return the number
	 */
	@Benchmark
	public long nextId() {
		return this.generator.nextId(Order.class);
	}

	/**
	 * Resolves the database, and nothing else: the part of the call above that is the
	 * factory's.
	 * @return the database
	 */
	@Benchmark
	public Object database() {
		return this.factory.getMongoDatabase();
	}

	/**
	 * What a factory leads to.
	 */
	public enum Kind {

		/**
		 * Always the same database.
		 */
		FIXED {
			@Override
			MongoDatabaseFactory factory(MongoClient client) {
				return new SimpleMongoClientDatabaseFactory(client, "shop");
			}
		},

		/**
		 * A database of the only client.
		 */
		DATABASES {
			@Override
			MongoDatabaseFactory factory(MongoClient client) {
				return new SimpleMongoClientDatabaseFactory(client, "none") {
					@Override
					public MongoDatabase getMongoDatabase() {
						return getMongoDatabase("shop");
					}
				};
			}
		},

		/**
		 * A client, which the factory tells.
		 */
		CLIENTS {
			@Override
			MongoDatabaseFactory factory(MongoClient client) {
				return new SimpleMongoClientDatabaseFactory(client, "shop") {
					@Override
					public MongoClient getMongoCluster() {
						return client;
					}
				};
			}
		};

		abstract MongoDatabaseFactory factory(MongoClient client);

	}

	static final class Order {

		@Id
		long id;

	}

}
