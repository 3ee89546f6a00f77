package io.github.hilo.mongodb;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.fixture.FakePrimary;
import io.github.hilo.fixture.Thorough;
import io.github.hilo.fixture.WireFault;
import org.bson.BsonInt64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.mongodb.autoconfigure.MongoClientSettingsBuilderCustomizer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A series of elections, cut connections and a frozen primary, each of which passes: the
 * checks of stored ids let no call fail that would not have failed without them.
 */
class PassingFaultTests {

	private static final List<WireFault> FAULTS = List.of(WireFault.CUT_BEFORE, WireFault.CUT_AFTER,
			WireFault.NOT_PRIMARY, WireFault.NOT_MASTER, WireFault.STEPPED_DOWN, WireFault.SHUTTING_DOWN,
			WireFault.LOST);

	private static final int CALLS_AFTER_EACH = 6;

	private final FakePrimary primary;

	PassingFaultTests() throws IOException {
		this.primary = new FakePrimary();
	}

	@AfterEach
	void close() throws IOException {
		this.primary.close();
	}

	@Test
	@Thorough
	void faultOfAReservationOrOfBothCostsNoMoreCallsThanWithoutChecks() {
		int without = failedCalls(false, List.of("findAndModify"), FAULTS);
		assertThat(failedCalls(true, List.of("findAndModify"), FAULTS)).isEqualTo(without);
		assertThat(failedCalls(true, List.of("findAndModify", "find"), FAULTS)).isEqualTo(without);
	}

	@Test
	@Thorough
	void faultOfACheckCostsNoCallUnlessItTakesAllItsTime() {
		assertThat(failedCalls(true, List.of("find"), FAULTS.subList(0, FAULTS.size() - 1))).isZero();
	}

	/**
	 * Lets each fault happen to one command of each kind, and then calls.
	 * @return how many calls failed
	 */
	private int failedCalls(boolean checking, List<String> commands, List<WireFault> faults) {
		AtomicInteger failed = new AtomicInteger();
		this.primary.setMax("orders", new BsonInt64(0));
		this.primary.contextRunner()
			.withPropertyValues("hilo.timeout=1s", "hilo.range.initial-size=1", "hilo.range.max-size=1",
					"hilo.range.prefetch=false", "hilo.check-stored-ids=" + checking)
			.withBean(MongoClientSettingsBuilderCustomizer.class,
					() -> (settings) -> settings
						.applyToServerSettings((server) -> server.minHeartbeatFrequency(50, TimeUnit.MILLISECONDS)))
			.run((context) -> {
				HiLoIdGenerator generator = context.getBean(HiLoIdGenerator.class);
				generator.nextId("orders");
				for (WireFault fault : faults) {
					commands.forEach((command) -> this.primary.failNext(command, fault));
					for (int i = 0; i < CALLS_AFTER_EACH; i++) {
						failed.addAndGet(call(generator));
					}
					this.primary.mend();
				}
			});
		return failed.get();
	}

	private static int call(HiLoIdGenerator generator) {
		try {
			generator.nextId("orders");
			return 0;
		}
		catch (HiLoUnavailableException ex) {
			return 1;
		}
	}

}
