package io.github.hilo.benchmarks;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.mongodb.core.MongoTemplate;

/**
 * Documents per second with ids from ranges, with the driver's ObjectIds and with one
 * {@code $inc} per document.
 */
final class InsertTables implements BenchmarkMain.Harness {

	private static final int BATCH = 1000;

	private static final int BATCHES = 10;

	private static final String HILO = "hilo";

	private static final String OBJECT_ID = "objectId";

	private static final String INC = "inc";

	@Override
	public void run(Effort effort, Report report) throws Exception {
		report.heading("Inserts, in documents per second");
		try (MemoryMongo mongo = new MemoryMongo();
				ConfigurableApplicationContext hilo = Shop.start(mongo.uri(), HILO, Shop.Application.class);
				ConfigurableApplicationContext objectId = Shop.start(mongo.uri(), OBJECT_ID, Shop.Application.class,
						"hilo.assign-ids=none");
				ConfigurableApplicationContext inc = Shop.start(mongo.uri(), INC, IncPerDocument.Callback.class,
						"hilo.assign-ids=none")) {
			Map<String, ConfigurableApplicationContext> shops = new LinkedHashMap<>();
			shops.put(HILO, hilo);
			shops.put(OBJECT_ID, objectId);
			shops.put(INC, inc);
			List<List<String>> rows = new ArrayList<>();
			for (Way way : Way.values()) {
				rows.add(compare(way, shops, effort, report));
			}
			report
				.table(List.of("operation", "HiLo", "ObjectId", "one $inc per document", "HiLo / ObjectId (quartiles)",
						"HiLo / $inc (quartiles)", "HiLo / ObjectId by CPU time (quartiles)", "rounds"), rows);
			report.say("CPU time is that of the whole process: application, driver and server.");
			requireKinds(hilo, objectId);
		}
	}

	private static List<String> compare(Way way, Map<String, ConfigurableApplicationContext> shops, Effort effort,
			Report report) throws Exception {
		Map<String, Rounds.Measurement> variants = new LinkedHashMap<>();
		shops.forEach((name, shop) -> variants.put(name, () -> timeOfDocument(way, shop, name.equals(INC))));
		Rounds.measure(effort.choose(5, 15), Duration.ofSeconds(effort.choose(2, 6)), variants);
		Rounds rounds = Rounds.measure(effort.choose(20, 100), Duration.ofSeconds(effort.choose(5, 35)), variants);
		report.ratio(way.label, HILO, OBJECT_ID, rounds.speed(HILO, OBJECT_ID, Elapsed.WALL));
		report.ratio(way.label, HILO, "incPerDocument", rounds.speed(HILO, INC, Elapsed.WALL));
		report.ratio(way.label, "hilo,cpu", OBJECT_ID, rounds.speed(HILO, OBJECT_ID, Elapsed.CPU));
		return List.of(way.label, perSecond(rounds, HILO), perSecond(rounds, OBJECT_ID), perSecond(rounds, INC),
				rounds.describeSpeed(HILO, OBJECT_ID, Elapsed.WALL), rounds.describeSpeed(HILO, INC, Elapsed.WALL),
				rounds.describeSpeed(HILO, OBJECT_ID, Elapsed.CPU), String.valueOf(rounds.count()));
	}

	private static String perSecond(Rounds rounds, String variant) {
		return Report.number(1e9 / rounds.nanos(variant, Elapsed.WALL));
	}

	private static Elapsed timeOfDocument(Way way, ConfigurableApplicationContext shop, boolean slow) {
		// What is slow needs no more documents to fill the same time.
		int batches = way.isBulk() ? (slow ? 1 : BATCHES) : 1;
		List<List<ShopOrder>> orders = new ArrayList<>();
		for (int batch = 0; batch < batches; batch++) {
			orders.add(newOrders());
		}
		MongoTemplate template = shop.getBean(MongoTemplate.class);
		ShopOrders repository = shop.getBean(ShopOrders.class);
		Elapsed start = Elapsed.sinceByProcess();
		for (List<ShopOrder> batch : orders) {
			switch (way) {
				case INSERT -> batch.forEach(template::insert);
				case INSERT_ALL -> template.insertAll(batch);
				case SAVE_ALL -> repository.saveAll(batch);
			}
		}
		Elapsed each = Elapsed.sinceByProcess().per(start, orders.stream().mapToInt(List::size).sum());
		requireStored(template, orders.stream().mapToInt(List::size).sum());
		// Every round finds the collection as small as the one before.
		template.dropCollection(ShopOrder.class);
		return each;
	}

	private static List<ShopOrder> newOrders() {
		Instant now = Instant.now();
		List<ShopOrder> orders = new ArrayList<>(BATCH);
		for (int i = 0; i < BATCH; i++) {
			orders.add(new ShopOrder("customer " + i, "article " + i % 17, i % 5, i * 0.25, now));
		}
		return orders;
	}

	private static void requireStored(MongoTemplate template, long expected) {
		long stored = template.estimatedCount(ShopOrder.class);
		if (stored != expected) {
			throw new IllegalStateException(stored + " documents were stored instead of " + expected);
		}
	}

	/**
	 * Makes sure that the variants did what their names say.
	 */
	private static void requireKinds(ConfigurableApplicationContext hilo, ConfigurableApplicationContext objectId) {
		String ours = String.valueOf(hilo.getBean(MongoTemplate.class).insert(newOrders().get(0)).id);
		String drivers = String.valueOf(objectId.getBean(MongoTemplate.class).insert(newOrders().get(0)).id);
		if (!ours.matches("orders/\\d+-A") || !drivers.matches("[0-9a-f]{24}")) {
			throw new IllegalStateException("The ids are " + ours + " and " + drivers);
		}
	}

	/**
	 * A way to store documents.
	 */
	private enum Way {

		INSERT("insert"), INSERT_ALL("insertAll"), SAVE_ALL("saveAll");

		private final String label;

		Way(String label) {
			this.label = label;
		}

		boolean isBulk() {
			return this != INSERT;
		}

	}

}
