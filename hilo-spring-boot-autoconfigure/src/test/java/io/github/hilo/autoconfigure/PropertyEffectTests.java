package io.github.hilo.autoconfigure;

import java.util.Map;
import java.util.stream.IntStream;

import io.github.hilo.HiLo;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.sequence.SequenceSnapshot;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.mapping.Document;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What each property changes.
 */
class PropertyEffectTests {

	private final ApplicationDatabase database = new ApplicationDatabase();

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			hilo.node-tag=B                     | line-items/1-B
			hilo.node-tag=                      | line-items/1
			hilo.identity-parts-separator=:     | line-items:1-A
			hilo.naming=raven                   | LineItems/1-A
			hilo.initial-value=100              | line-items/100-A
			hilo.server-prefix-document=true    | line-items/NorthServer/1-A
			hilo.digits=8                       | line-items/00000001-A
			hilo.sequences.line-items.initial-value=7   | line-items/7-A
			hilo.sequences[line*].digits=3      | line-items/001-A
			""")
	void propertyShowsInTheIdOfASavedDocument(String property, String id) {
		this.database.collection("@hilo")
			.insertOne(
					new org.bson.Document("_id", "Raven/ServerPrefixForHilo").append("ServerPrefix", "NorthServer/"));
		this.database.contextRunner()
			.withPropertyValues(property)
			.run((context) -> assertThat(context.getBean(MongoTemplate.class).insert(new LineItem(null)).id())
				.isEqualTo(id));
	}

	@ParameterizedTest
	@CsvSource({ "annotated, false, true", "none, false, false" })
	void assignIdsDecidesWhichDocumentsGetIds(String assignIds, boolean plain, boolean annotated) {
		this.database.contextRunner().withPropertyValues("hilo.assign-ids=" + assignIds).run((context) -> {
			MongoTemplate template = context.getBean(MongoTemplate.class);
			assertThat("line-items/1-A".equals(template.insert(new LineItem(null)).id())).isEqualTo(plain);
			assertThat("orders/1-A".equals(template.insert(new Order(null)).id())).isEqualTo(annotated);
		});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			hilo.counter.collection=counters | counters | Raven/HiLo/orders
			hilo.counter.id-prefix=Counter:  | @hilo    | Counter:orders
			hilo.counter.id-prefix=          | @hilo    | orders
			hilo.warm-up=orders              | @hilo    | Raven/HiLo/orders
			""")
	void propertyShowsInWhereTheCounterIs(String property, String collection, String id) {
		this.database.contextRunner().withPropertyValues(property).run((context) -> {
			assertThat(context.getBean(HiLoIdGenerator.class).nextId("orders")).isEqualTo(1);
			assertThat(this.database.ids(collection)).containsExactly(id);
		});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			hilo.sequences.orders.consecutive=true  | 5 | 5
			hilo.range.initial-size=5          | 1 | 5
			hilo.sequences.orders.range.initial-size=5 | 1 | 5
			hilo.range.max-size=32             | 33 | 64
			hilo.range.max-growth=16           | 33 | 544
			""")
	void propertyShowsInTheCounter(String property, int ids, long max) {
		this.database.contextRunner().withPropertyValues(property).run((context) -> {
			HiLoIdGenerator generator = context.getBean(HiLoIdGenerator.class);
			IntStream.range(0, ids).forEach((id) -> generator.nextId("orders"));
			assertThat(this.database.max("orders")).isEqualTo(max);
		});
	}

	@ParameterizedTest
	@CsvSource({ "true, 224", "false, 96" })
	void prefetchReservesTheNextRangeAtTheHalf(boolean prefetch, long reserved) {
		this.database.contextRunner().withPropertyValues("hilo.range.prefetch=" + prefetch).run((context) -> {
			HiLoEngine engine = context.getBean(HiLoEngine.class);
			HiLoIdGenerator generator = engine.generator();
			IntStream.range(0, 64).forEach((id) -> generator.nextId("orders"));
			// Waits for a reservation in flight.
			generator.release();
			assertThat(engine.snapshot().values()).flatExtracting(Map::values)
				.extracting(SequenceSnapshot::reserved)
				.containsExactly(reserved);
		});
	}

	@Document("line-items")
	record LineItem(@Nullable String id) {
	}

	@HiLo
	@Document("orders")
	record Order(@Nullable String id) {
	}

}
