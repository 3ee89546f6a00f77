package io.github.hilo.soak;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

import com.mongodb.ServerAddress;
import com.mongodb.connection.ClusterConnectionMode;
import io.github.hilo.HiLoSequence;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.TcpProxy;
import io.github.hilo.internal.sequence.SequenceSnapshot;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.mongodb.autoconfigure.MongoClientSettingsBuilderCustomizer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.data.mongodb.core.MongoTemplate;

/**
 * The application that is soaked: two sequences that are counted in directly, and two
 * collections that documents are inserted into.
 *
 * @param database where it stores
 * @param template what stores
 * @param engine where the numbers come from
 */
record SoakApplication(ApplicationDatabase database, MongoTemplate template, HiLoEngine engine) {

	/**
	 * Makes the application's context.
	 * @param proxy the only way to the server
	 */
	static ApplicationContextRunner contextRunner(ApplicationDatabase database, TcpProxy proxy) {
		return database.contextRunner()
			.withPropertyValues("hilo.timeout=2s", "hilo.range.max-size=1024")
			.withBean(MongoClientSettingsBuilderCustomizer.class,
					() -> (settings) -> settings
						.applyToClusterSettings((cluster) -> cluster.hosts(List.of(new ServerAddress(proxy.address())))
							.mode(ClusterConnectionMode.SINGLE)));
	}

	static SoakApplication of(ApplicationContext context, ApplicationDatabase database) {
		return new SoakApplication(database, context.getBean(MongoTemplate.class), context.getBean(HiLoEngine.class));
	}

	/**
	 * The ways in which the application gets numbers. Each tells the number that it got,
	 * also where the document that it was for could not be stored.
	 */
	List<Consumer<LongConsumer>> sources() {
		HiLoSequence ticks = this.engine.generator().sequence("ticks");
		HiLoSequence labels = this.engine.generator().sequence("labels");
		return List.of((issued) -> issued.accept(ticks.nextId()),
				(issued) -> issued.accept(numberOf(labels.nextDocumentId())), this::insertVisit, this::insertPayment);
	}

	/**
	 * Removes the documents, which would fill the heap that is watched: the server may be
	 * in this process.
	 */
	void removeDocuments() {
		this.database.collection("visit").deleteMany(new Document());
		this.database.collection("payment").deleteMany(new Document());
	}

	long reservations() {
		return this.engine.snapshot()
			.values()
			.stream()
			.flatMap((sequences) -> sequences.values().stream())
			.mapToLong(SequenceSnapshot::reservations)
			.sum();
	}

	private void insertVisit(LongConsumer issued) {
		Visit visit = new Visit();
		insert(visit, () -> (visit.id != null) ? numberOf(visit.id) : null, issued);
	}

	private void insertPayment(LongConsumer issued) {
		Payment payment = new Payment();
		insert(payment, () -> payment.id, issued);
	}

	private void insert(Object document, Supplier<@Nullable Long> number, LongConsumer issued) {
		try {
			this.template.insert(document);
		}
		finally {
			Long given = number.get();
			if (given != null) {
				issued.accept(given);
			}
		}
	}

	private static long numberOf(String documentId) {
		return Long.parseLong(documentId.substring(documentId.indexOf('/') + 1, documentId.length() - "-A".length()));
	}

	/**
	 * A document with a document id.
	 */
	static final class Visit {

		@Nullable String id;

	}

	/**
	 * A document with a number.
	 */
	static final class Payment {

		@Nullable Long id;

	}

}
