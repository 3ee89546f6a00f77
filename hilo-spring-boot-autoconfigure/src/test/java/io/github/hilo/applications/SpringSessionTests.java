package io.github.hilo.applications;

import java.util.Objects;

import io.github.hilo.fixture.ApplicationDatabase;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.mongodb.spring.session.MongoIndexedSessionRepository;
import org.mongodb.spring.session.MongoSession;

import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.MongoOperations;
import org.springframework.data.mongodb.core.mapping.Document;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A web shop that keeps its sessions in MongoDB.
 */
class SpringSessionTests {

	private final ApplicationDatabase database = new ApplicationDatabase();

	@Test
	void sessionKeepsTheIdThatItIsCreatedWith() {
		run(true, (context) -> {
			MongoIndexedSessionRepository sessions = context.getBean(MongoIndexedSessionRepository.class);
			MongoSession session = sessions.createSession();
			sessions.save(session);
			assertThat(this.database.ids("sessions")).containsExactly(session.getId());
			assertThat(sessions.findById(session.getId())).isNotNull();
		});
	}

	@Test
	void idsOfSessionsAreTheSameWithAndWithoutTheStarter() {
		run(true, SpringSessionTests::visit);
		assertThat(StoredIdKinds.of(this.database)).containsEntry("sessions", "UUID as text");
		this.database.collection("sessions").drop();
		run(false, SpringSessionTests::visit);
		assertThat(StoredIdKinds.of(this.database)).containsEntry("sessions", "UUID as text");
	}

	@Test
	void onlyCartsHaveACounter() {
		run(true, SpringSessionTests::visit);
		assertThat(this.database.ids("carts")).containsExactly("carts/1-A");
		assertThat(this.database.counters()).containsExactly("Raven/HiLo/carts");
	}

	private static void visit(AssertableApplicationContext context) {
		Cart cart = context.getBean(MongoOperations.class).insert(new Cart(null));
		MongoIndexedSessionRepository sessions = context.getBean(MongoIndexedSessionRepository.class);
		MongoSession session = sessions.createSession();
		session.setAttribute("cart", Objects.requireNonNull(cart.id()));
		sessions.save(session);
		session.setAttribute("visits", 2);
		sessions.save(session);
	}

	private void run(boolean enabled, SessionTest test) {
		this.database.contextRunner()
			.withUserConfiguration(Application.class)
			.withPropertyValues("hilo.enabled=" + enabled)
			.run(test::run);
	}

	@FunctionalInterface
	private interface SessionTest {

		void run(AssertableApplicationContext context);

	}

	@Configuration(proxyBeanMethods = false)
	static class Application {

		@Bean
		MongoIndexedSessionRepository sessions(MongoOperations template) {
			return new MongoIndexedSessionRepository(template);
		}

	}

	@Document("carts")
	record Cart(@Id @Nullable String id) {
	}

}
