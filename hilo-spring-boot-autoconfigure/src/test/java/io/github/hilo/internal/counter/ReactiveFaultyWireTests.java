package io.github.hilo.internal.counter;

import io.github.hilo.fixture.Exhaustive;
import io.github.hilo.fixture.FakePrimary;
import io.github.hilo.fixture.ReactiveApplications;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/**
 * Applications whose reactive driver, the only one they have, meets a faulty wire.
 */
@Exhaustive
class ReactiveFaultyWireTests extends FaultyWireTests {

	@Override
	ApplicationContextRunner contextRunner(FakePrimary primary) {
		return ReactiveApplications.withReactiveDriver(primary.connectionProperties());
	}

}
