package io.github.hilo.internal.counter;

import java.util.concurrent.atomic.AtomicInteger;

import io.github.hilo.fixture.MongoTestServer;
import io.github.hilo.fixture.Stores;
import io.github.hilo.fixture.TestDatabase;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.TimeSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * How often a factory is asked for the current database.
 */
class FixedFactoryTests {

	private final AtomicInteger asked = new AtomicInteger();

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void databaseThatCannotChangeIsResolvedOnce(boolean fixed) {
		MongoRangeStores stores = Stores.blocking(() -> resolved(MongoTestServer.client().getDatabase("shop")), fixed,
				MongoTestServer.client()::getDatabase, TestDatabase.storeSettings(), TimeSource.SYSTEM);
		assertThatIllegalStateException().isThrownBy(stores::current).withMessage("not yet");
		assertThat(stores.current() == stores.current()).isEqualTo(fixed);
		assertThat(this.asked).hasValue(fixed ? 2 : 3);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void databaseThatCannotChangeIsResolvedOnceReactively(boolean fixed) {
		com.mongodb.reactivestreams.client.MongoDatabase shop = mock();
		given(shop.getName()).willReturn("shop");
		ReactiveMongoRangeStores stores = Stores.reactive(Mono.fromSupplier(() -> resolved(shop)), fixed,
				(name) -> Mono.just(shop), TestDatabase.storeSettings(), TimeSource.SYSTEM);
		assertThatIllegalStateException().isThrownBy(() -> stores.current(soon())).withMessage("not yet");
		assertThat(stores.current(soon()) == stores.current(soon())).isEqualTo(fixed);
		assertThat(this.asked).hasValue(fixed ? 2 : 3);
	}

	private static Deadline soon() {
		return new Deadline(TestDatabase.storeSettings().timeout(), TimeSource.SYSTEM);
	}

	private <T> T resolved(T database) {
		if (this.asked.incrementAndGet() == 1) {
			throw new IllegalStateException("not yet");
		}
		return database;
	}

}
