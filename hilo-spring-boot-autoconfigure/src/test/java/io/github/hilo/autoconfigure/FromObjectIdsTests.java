package io.github.hilo.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import io.github.hilo.fixture.ApplicationDatabase;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.data.domain.ScrollPosition;
import org.springframework.data.domain.Sort;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.mapping.DBRef;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.core.mapping.DocumentReference;
import org.springframework.data.mongodb.core.mapping.event.AbstractMongoEventListener;
import org.springframework.data.mongodb.core.mapping.event.BeforeConvertEvent;
import org.springframework.data.mongodb.core.mapping.event.BeforeSaveEvent;
import org.springframework.data.mongodb.core.query.Query;
import org.springframework.data.support.WindowIterator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.data.mongodb.core.query.Criteria.where;
import static org.springframework.data.mongodb.core.query.Query.query;

/**
 * What {@code docs/migrating.md} says of an application whose ids were ObjectIds: which
 * code meets a surprise, and what a rolling update and the way back do.
 */
@NullUnmarked
class FromObjectIdsTests {

	private final ApplicationDatabase database = new ApplicationDatabase();

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			0 | id       | keyset | 10
			5 | id       | keyset |  5
			5 | customer | keyset |  5
			5 | number   | keyset | 10
			5 | id       | offset | 10
			""")
	void keysetScrollingSkipsTheOtherKindOfIdWhereverIdsDecide(int texts, String sort, String position, int found) {
		insertOrders(10 - texts, "hilo.enabled=false");
		insertOrders(texts);
		this.database.contextRunner().run((context) -> {
			MongoTemplate template = context.getBean(MongoTemplate.class);
			ScrollPosition start = position.equals("keyset") ? ScrollPosition.keyset() : ScrollPosition.offset();
			List<Order> read = new ArrayList<>();
			WindowIterator
				.of((next) -> template
					.scroll(query(where("customer").is("Ada")).with(Sort.by(sort)).limit(2).with(next), Order.class))
				.startingAt(start)
				.forEachRemaining(read::add);
			assertThat(read).doesNotHaveDuplicates().hasSize(found);
		});
	}

	@ParameterizedTest
	@CsvSource({ "false, new", "true, old" })
	void listenerBeforeTheSaveHearsOldAndBeforeTheConversionNew(boolean enabled, String heard) {
		this.database.contextRunner()
			.withBean(Listener.class)
			.withPropertyValues("hilo.enabled=" + enabled)
			.run((context) -> {
				context.getBean(MongoTemplate.class).insert(new Order(null, "Ada", 1));
				assertThat(context.getBean(Listener.class).heard).containsExactly("convert: new", "save: " + heard);
			});
	}

	@Test
	void referencesLeadToBothKindsOfIdAlsoWithoutTheStarter() {
		insertOrders(1, "hilo.enabled=false");
		insertOrders(1);
		for (String enabled : List.of("true", "false")) {
			this.database.contextRunner().withPropertyValues("hilo.enabled=" + enabled).run((context) -> {
				MongoTemplate template = context.getBean(MongoTemplate.class);
				List<Order> orders = template.findAll(Order.class);
				assertThat(orders).extracting(Order::id).contains("orders/1-A").hasSize(2);
				orders.forEach((order) -> {
					Line line = template.insert(new Line(null, order, order, order.id()));
					Line found = template.findById(line.id(), Line.class);
					assertThat(found).isEqualTo(line);
					assertThat(template.find(query(where("orderId").is(order.id())), Line.class)).contains(line);
					assertThat(template.findById(order.id(), Order.class)).isEqualTo(order);
					assertThat(
							template.find(query(where("id").in(orders.stream().map(Order::id).toList())), Order.class))
						.hasSize(2);
					template.save(order);
				});
				assertThat(template.findAll(Order.class)).hasSize(2);
			});
		}
	}

	private void insertOrders(int count, String... properties) {
		this.database.contextRunner()
			.withPropertyValues(properties)
			.run((context) -> IntStream.range(0, count).forEach((index) -> {
				MongoTemplate template = context.getBean(MongoTemplate.class);
				template.insert(new Order(null, "Ada", (int) template.count(new Query(), Order.class)));
			}));
	}

	@Document("orders")
	record Order(String id, String customer, int number) {
	}

	@Document("lines")
	record Line(String id, @DBRef Order byDbRef, @DocumentReference Order byReference, String orderId) {
	}

	static class Listener extends AbstractMongoEventListener<Order> {

		final List<String> heard = new ArrayList<>();

		@Override
		public void onBeforeConvert(BeforeConvertEvent<Order> event) {
			this.heard.add("convert: " + ((event.getSource().id() == null) ? "new" : "old"));
		}

		@Override
		public void onBeforeSave(BeforeSaveEvent<Order> event) {
			this.heard.add("save: " + ((event.getSource().id() == null) ? "new" : "old"));
		}

	}

}
