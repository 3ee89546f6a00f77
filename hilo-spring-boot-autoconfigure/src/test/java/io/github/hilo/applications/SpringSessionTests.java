package io.github.hilo.applications;

import java.util.Objects;

import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.Thorough;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.mongodb.spring.session.MongoIndexedSessionRepository;
import org.mongodb.spring.session.MongoSession;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.MongoOperations;
import org.springframework.data.mongodb.core.mapping.Document;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A web shop that keeps its sessions in MongoDB.
 */
@Thorough
class SpringSessionTests {

	private final ApplicationDatabase database = new ApplicationDatabase();

	@Test
	void sessionKeepsTheIdThatItIsCreatedWithAndOnlyCartsHaveACounter() {
		this.database.contextRunner().withUserConfiguration(Application.class).run((context) -> {
			Cart cart = context.getBean(MongoOperations.class).insert(new Cart(null));
			MongoIndexedSessionRepository sessions = context.getBean(MongoIndexedSessionRepository.class);
			MongoSession session = sessions.createSession();
			session.setAttribute("cart", Objects.requireNonNull(cart.id()));
			sessions.save(session);
			session.setAttribute("visits", 2);
			sessions.save(session);
			assertThat(this.database.ids("sessions")).containsExactly(session.getId());
			assertThat(sessions.findById(session.getId())).isNotNull();
		});
		assertThat(this.database.ids("carts")).containsExactly("carts/1-A");
		assertThat(this.database.counters()).containsExactly("Raven/HiLo/carts");
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
