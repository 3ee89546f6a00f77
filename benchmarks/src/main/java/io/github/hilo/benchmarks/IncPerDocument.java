package io.github.hilo.benchmarks;

import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import org.bson.Document;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.core.mapping.event.BeforeConvertCallback;

/**
 * The way of most tutorials: every document counts a counter up before it is saved.
 */
final class IncPerDocument implements BeforeConvertCallback<ShopOrder> {

	// Without a projection mongo-java-server answers some values twice.
	private static final FindOneAndUpdateOptions OPTIONS = new FindOneAndUpdateOptions().upsert(true)
		.returnDocument(ReturnDocument.AFTER)
		.projection(new Document("seq", 1));

	private final MongoDatabaseFactory factory;

	private IncPerDocument(MongoDatabaseFactory factory) {
		this.factory = factory;
	}

	@Override
	public ShopOrder onBeforeConvert(ShopOrder order, String collection) {
		if (order.id == null) {
			Document counter = this.factory.getMongoDatabase()
				.getCollection("counters")
				.findOneAndUpdate(new Document("_id", collection), new Document("$inc", new Document("seq", 1L)),
						OPTIONS);
			if (counter == null) {
				throw new IllegalStateException("An upsert answered no document");
			}
			order.id = collection + "/" + counter.getLong("seq");
		}
		return order;
	}

	/**
	 * {@link Configuration} that adds the callback.
	 */
	@Configuration(proxyBeanMethods = false)
	static class Callback {

		@Bean
		IncPerDocument incPerDocument(MongoDatabaseFactory factory) {
			return new IncPerDocument(factory);
		}

	}

}
