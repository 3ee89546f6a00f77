package io.github.hilo.counter;

import io.github.hilo.fixture.FakePrimary;
import io.github.hilo.fixture.ReactiveApplications;
import io.github.hilo.fixture.Thorough;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/**
 * Applications whose reactive driver, the only one they have, meets a faulty wire.
 */
@Thorough
class ReactiveFaultyWireTests extends FaultyWireTests {

	@Override
	ApplicationContextRunner contextRunner(FakePrimary primary) {
		return ReactiveApplications.withReactiveDriver(primary.connectionProperties());
	}

}
