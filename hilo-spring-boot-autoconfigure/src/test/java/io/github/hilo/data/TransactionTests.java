package io.github.hilo.data;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.internal.counter.MongoRangeStores;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.fixture.MongoTestServer;
import io.github.hilo.fixture.Stores;
import io.github.hilo.fixture.TestDatabase;
import io.github.hilo.internal.store.TimeSource;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.MongoTransactionManager;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.SimpleMongoClientDatabaseFactory;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Reservations inside the caller's transaction.
 */
class TransactionTests {

	private final TestDatabase database = new TestDatabase();

	@AfterEach
	void dropDatabase() {
		this.database.close();
	}

	@Test
	void rangeReservedInATransactionSurvivesItsRollback() {
		Assumptions.assumeTrue(MongoTestServer.isReplicaSet(),
				"Only a replica set has transactions; this run is on " + MongoTestServer.kind());
		MongoDatabaseFactory factory = new SimpleMongoClientDatabaseFactory(this.database.client(),
				this.database.name());
		MongoTemplate template = new MongoTemplate(factory);
		template.createCollection("orders");
		try (HiLoEngine engine = engine(factory)) {
			HiLoIdGenerator generator = engine.generator();
			new TransactionTemplate(new MongoTransactionManager(factory)).executeWithoutResult((status) -> {
				template.insert(new Document("_id", generator.nextDocumentId("orders")), "orders");
				status.setRollbackOnly();
			});
			assertThat(template.getCollection("orders").countDocuments()).isZero();
			assertThat(this.database.max("orders")).isEqualTo(32);
			assertThat(generator.nextDocumentId("orders")).isEqualTo("orders/2-A");
		}
		BsonDocument reservation = this.database.commands().ofKind("reserve").get(0);
		BsonDocument insert = this.database.commands().ofKind("insert").get(0);
		assertThat(insert).containsKeys("autocommit", "lsid");
		assertThat(reservation).doesNotContainKey("autocommit");
		assertThat(reservation.get("lsid")).isNotEqualTo(insert.get("lsid"));
	}

	private static HiLoEngine engine(MongoDatabaseFactory factory) {
		MongoRangeStores stores = Stores.blocking(factory::getMongoDatabase, false, factory::getMongoDatabase,
				TestDatabase.storeSettings(true), TimeSource.SYSTEM);
		return new HiLoEngine(stores, Class::getSimpleName, TestDatabase.SETTINGS, TimeSource.SYSTEM);
	}

}
