package io.github.hilo.benchmarks;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.github.hilo.HiLo;
import org.bson.Document;
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
import org.openjdk.jmh.annotations.TearDown;

import org.springframework.beans.DirectFieldAccessor;
import org.springframework.core.convert.converter.Converter;
import org.springframework.data.convert.ReadingConverter;
import org.springframework.data.convert.WritingConverter;
import org.springframework.data.mapping.callback.EntityCallbacks;
import org.springframework.data.mongodb.core.SimpleMongoClientDatabaseFactory;
import org.springframework.data.mongodb.core.convert.MappingMongoConverter;
import org.springframework.data.mongodb.core.convert.MongoCustomConversions;
import org.springframework.data.mongodb.core.convert.NoOpDbRefResolver;
import org.springframework.data.mongodb.core.mapping.MongoMappingContext;
import org.springframework.data.mongodb.core.mapping.event.BeforeConvertCallback;
import org.springframework.data.mongodb.core.mapping.event.BeforeSaveCallback;

/**
 * What a template's callbacks do before a document is saved, with every range in memory:
 * finding out what it lacks, and where it goes, naming the sequence, filling it in, and
 * looking at what is about to be stored.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("NullAway.Init") // set up before each run
public class SaveBenchmark {

	// Above all that is held.
	private static final long FAR = 1L << 40;

	@Param({ "collection", "raven" })
	private String naming;

	/**
	 * The databases of the templates; the first one saves.
	 */
	@Param({ "shop", "shop,audit" })
	private String templates;

	private EntityCallbacks callbacks;

	private Application application;

	private final AtomicLong chosen = new AtomicLong();

	private final NumberedRecord record = new NumberedRecord(1L, "Ada", "tea", 2, 3.5);

	// Their numbers were issued long ago.
	private final Document text = new Document("_id", "orders/1-A");

	private final Document number = new Document("_id", 1L).append("number", 1L);

	/**
	 * Starts an application.
	 */
	@Setup
	public void start() {
		this.application = new Application((client) -> new SimpleMongoClientDatabaseFactory(client, "shop"),
				Map.of("hilo.naming", this.naming), this.templates.split(",", -1));
		Object callbacks = new DirectFieldAccessor(this.application.template("shop"))
			.getPropertyValue("entityCallbacks");
		this.callbacks = (EntityCallbacks) Objects.requireNonNull(callbacks);
		// So that the ids that are set below were issued.
		numericIdOfARecord();
		documentIdOfARecord();
	}

	/**
	 * Ends the application.
	 */
	@TearDown
	public void close() {
		this.application.close();
	}

	/**
	 * Gives a document a numeric id.
	 * @return the document
	 */
	@Benchmark
	public Object numericId() {
		return save(new Numbered(), "orders");
	}

	/**
	 * Gives a document a document id.
	 * @return the document
	 */
	@Benchmark
	public Object documentId() {
		return save(new Order(), "orders");
	}

	/**
	 * Gives a document with an ObjectId of its own a number beside it.
	 * @return the document
	 */
	@Benchmark
	public Object numberBesideTheId() {
		return save(new Customer(), "customers");
	}

	/**
	 * Gives a record a numeric id, which makes another instance of it.
	 * @return the document
	 */
	@Benchmark
	public Object numericIdOfARecord() {
		return save(new NumberedRecord(null, "Ada", "tea", 2, 3.5), "orders");
	}

	/**
	 * Gives a record an id of a type of its own, which is converted.
	 * @return the document
	 */
	@Benchmark
	public Object ownIdOfARecord() {
		return save(new OwnRecord(null, "Ada", "tea", 2, 3.5), "orders");
	}

	/**
	 * Gives a record a document id, which makes another instance of it.
	 * @return the document
	 */
	@Benchmark
	public Object documentIdOfARecord() {
		return save(new OrderRecord(null, "Ada", "tea", 2, 3.5), "orders");
	}

	/**
	 * Looks at a document whose id is set.
	 * @return the document
	 */
	@Benchmark
	public Object documentIdThatIsSet() {
		Order order = new Order();
		order.id = "orders/1-A";
		return save(order, "orders");
	}

	/**
	 * Looks at a record whose id is set.
	 * @return the document
	 */
	@Benchmark
	public Object documentIdThatIsSetOfARecord() {
		return save(new OrderRecord("orders/1-A", "Ada", "tea", 2, 3.5), "orders");
	}

	/**
	 * Looks at a record whose id of a type of its own is set.
	 * @return the document
	 */
	@Benchmark
	public Object ownIdThatIsSetOfARecord() {
		return save(new OwnRecord(new OwnId(1), "Ada", "tea", 2, 3.5), "orders");
	}

	/**
	 * Looks at a record whose number is set.
	 * @return the document
	 */
	@Benchmark
	public Object numericIdThatIsSetOfARecord() {
		return save(new NumberedRecord(1L, "Ada", "tea", 2, 3.5), "orders");
	}

	/**
	 * Excludes the number that follows the last one, as in an import.
	 * @return the document
	 */
	@Benchmark
	public Object chosenNumberThatFollows() {
		return exclude(FAR + this.chosen.incrementAndGet());
	}

	/**
	 * Excludes a number that lies apart from the others.
	 * @return the document
	 */
	@Benchmark
	public Object chosenNumberApart() {
		return exclude(FAR + 1_000 * this.chosen.incrementAndGet());
	}

	/**
	 * Excludes a number that is excluded already.
	 * @return the document
	 */
	@Benchmark
	public Object chosenNumberAgain() {
		return exclude(FAR);
	}

	private Object exclude(long number) {
		return this.callbacks.callback(BeforeSaveCallback.class, this.record, new Document("_id", number), "orders");
	}

	/**
	 * Prepares a document as a template does, but for mapping it.
	 */
	private Object save(Object entity, String collection) {
		Object prepared = this.callbacks.callback(BeforeConvertCallback.class, entity, collection);
		Document mapped = (prepared instanceof Order || prepared instanceof OrderRecord) ? this.text : this.number;
		return this.callbacks.callback(BeforeSaveCallback.class, prepared, mapped, collection);
	}

	/**
	 * Makes a converter that knows ids of types of their own.
	 */
	static MappingMongoConverter converter() {
		MongoCustomConversions conversions = new MongoCustomConversions(List.of(new OwnIdToLong(), new LongToOwnId()));
		MongoMappingContext mappings = new MongoMappingContext();
		mappings.setSimpleTypeHolder(conversions.getSimpleTypeHolder());
		MappingMongoConverter converter = new MappingMongoConverter(NoOpDbRefResolver.INSTANCE, mappings);
		converter.setCustomConversions(conversions);
		converter.afterPropertiesSet();
		return converter;
	}

	record NumberedRecord(@Nullable Long id, String customer, String article, int quantity, double price) {
	}

	record OwnRecord(@Nullable OwnId id, String customer, String article, int quantity, double price) {
	}

	record OwnId(long value) {
	}

	@WritingConverter
	static final class OwnIdToLong implements Converter<OwnId, Long> {

		@Override
		public Long convert(OwnId id) {
			return id.value();
		}

	}

	@ReadingConverter
	static final class LongToOwnId implements Converter<Long, OwnId> {

		@Override
		public OwnId convert(Long value) {
			return new OwnId(value);
		}

	}

	record OrderRecord(@Nullable String id, String customer, String article, int quantity, double price) {
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
