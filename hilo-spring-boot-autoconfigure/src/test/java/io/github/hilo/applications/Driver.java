package io.github.hilo.applications;

import com.mongodb.reactivestreams.client.MongoClients;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.MongoTestServer;
import io.github.hilo.fixture.ReactiveApplications;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextAware;
import org.springframework.data.mapping.callback.EntityCallbacks;
import org.springframework.data.mapping.callback.ReactiveEntityCallbacks;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.data.mongodb.core.SimpleReactiveMongoDatabaseFactory;
import org.springframework.data.mongodb.gridfs.GridFsOperations;

import static org.mockito.Mockito.mock;

/**
 * One of the two drivers: applications that have it alone, and its templates.
 */
enum Driver {

	SYNCHRONOUS(MongoTemplate.class, "mongoTemplate") {

		/**
		 * Spring Boot's own GridFS template needs one template alone.
		 */
		@Override
		ApplicationContextRunner application(ApplicationDatabase database) {
			return database.contextRunner().withBean(GridFsOperations.class, () -> mock(GridFsOperations.class));
		}

		@Override
		MongoTemplate template(ApplicationDatabase database) {
			return database.template();
		}

		@Override
		void setCallbacks(Object template, ApplicationContext context) {
			((MongoTemplate) template).setEntityCallbacks(EntityCallbacks.create(context));
		}

		@Override
		Crate save(Object template, Crate crate) {
			return ((MongoTemplate) template).save(crate);
		}

	},

	REACTIVE(ReactiveMongoTemplate.class, "reactiveMongoTemplate") {

		@Override
		ApplicationContextRunner application(ApplicationDatabase database) {
			return ReactiveApplications.withReactiveDriver(database.connectionProperties());
		}

		@Override
		ReactiveMongoTemplate template(ApplicationDatabase database) {
			return new ReactiveMongoTemplate(new SimpleReactiveMongoDatabaseFactory(
					MongoClients.create(MongoTestServer.uri()), database.name()));
		}

		@Override
		void setCallbacks(Object template, ApplicationContext context) {
			((ReactiveMongoTemplate) template).setEntityCallbacks(ReactiveEntityCallbacks.create(context));
		}

		@Override
		Crate save(Object template, Crate crate) {
			return ((ReactiveMongoTemplate) template).save(crate).blockOptional().orElseThrow();
		}

	};

	private final Class<? extends ApplicationContextAware> type;

	/**
	 * Spring Boot's name of a template.
	 */
	final String usualName;

	Driver(Class<? extends ApplicationContextAware> type, String usualName) {
		this.type = type;
		this.usualName = usualName;
	}

	abstract ApplicationContextRunner application(ApplicationDatabase database);

	/**
	 * Makes a template that knows no context.
	 */
	abstract ApplicationContextAware template(ApplicationDatabase database);

	abstract void setCallbacks(Object template, ApplicationContext context);

	abstract Crate save(Object template, Crate crate);

	ApplicationContextRunner withTemplate(ApplicationContextRunner application, String name,
			ApplicationDatabase database) {
		return withTemplate(application, name, this.type, database);
	}

	private <T> ApplicationContextRunner withTemplate(ApplicationContextRunner application, String name, Class<T> type,
			ApplicationDatabase database) {
		return application.withBean(name, type, () -> type.cast(template(database)));
	}

}
