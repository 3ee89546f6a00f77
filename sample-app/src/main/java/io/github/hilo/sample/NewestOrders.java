package io.github.hilo.sample;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.MongoOperations;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.core.query.Criteria;
import org.springframework.data.mongodb.core.query.Query;
import org.springframework.data.mongodb.core.query.Update;
import org.springframework.stereotype.Component;

/**
 * Finds the newest orders of all shops on one database. Their ids are kept in one
 * document, oldest first:
 *
 * <pre>
 * newest: {"_id": "orders", "ids": ["orders/1-A", "orders/2-A"]}
 * </pre>
 *
 * Thus finding them takes two reads by id, however many orders are stored. The embedded
 * server has no index to sort by: it would read and sort every order.
 */
@Component
class NewestOrders {

	static final int COUNT = 20;

	private static final String ID = "orders";

	private final MongoOperations mongo;

	NewestOrders(MongoOperations mongo) {
		this.mongo = mongo;
	}

	/**
	 * Adds orders that were stored, in the order in which they were placed.
	 */
	void add(List<Order> stored) {
		Object[] ids = stored.stream().skip(Math.max(0, stored.size() - COUNT)).map(Order::id).toArray();
		Update update = new Update().push("ids").slice(-COUNT).each(ids);
		this.mongo.upsert(Query.query(Criteria.where("_id").is(ID)), update, Newest.class);
	}

	/**
	 * Finds at most {@value #COUNT} orders, the newest first.
	 */
	List<Order> find() {
		Newest newest = this.mongo.findById(ID, Newest.class);
		if (newest == null) {
			return List.of();
		}
		Map<String, Order> stored = this.mongo.find(Query.query(Criteria.where("_id").in(newest.ids())), Order.class)
			.stream()
			.collect(Collectors.toMap((order) -> String.valueOf(order.id()), Function.identity()));
		List<Order> found = newest.ids()
			.stream()
			.map(stored::get)
			.filter(Objects::nonNull)
			.collect(Collectors.toList());
		Collections.reverse(found);
		return found;
	}

	/**
	 * The document of their ids.
	 *
	 * @param id what it is about
	 * @param ids the newest at the end
	 */
	@Document("newest")
	record Newest(@Id String id, List<String> ids) {
	}

}
