package io.github.hilo.engine;

import java.util.List;
import java.util.stream.LongStream;

import io.github.hilo.fixture.WithoutWarnings;
import io.github.hilo.mongodb.CounterMutant;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs many schedules of the {@link Simulation}, and a few with a slip in the protocol. A
 * failure names its seed, which replays exactly that schedule:
 * {@code mvn verify -Dtest=SimulationTests -Dhilo.simulation.seed=<seed>}. With
 * {@code -Dhilo.simulation.schedules=<count>} there are more of each kind.
 */
@ExtendWith(WithoutWarnings.class)
class SimulationTests {

	private static final long SCHEDULES = Long.getLong("hilo.simulation.schedules", 25_000);

	private static final long SEED = Long.getLong("hilo.simulation.seed", 0);

	@ParameterizedTest
	@EnumSource
	void noScheduleBreaksAPromise(Simulation.Weather weather) {
		LongStream seeds = (SEED != 0) ? LongStream.of(SEED) : LongStream.rangeClosed(1, SCHEDULES);
		assertThat(seeds.parallel().mapToObj((seed) -> promiseBroken(seed, weather, CounterMutant.NONE)))
			.allMatch(String::isEmpty);
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
	void slipInTheProtocolBreaksAPromise(CounterMutant mutant) {
		LongStream seeds = LongStream.rangeClosed(1, SCHEDULES);
		assertThat(seeds.parallel()
			.mapToObj((seed) -> promiseBroken(seed, Simulation.Weather.DAMAGE, mutant))
			.filter((broken) -> !broken.isEmpty())
			.findAny()).as("a schedule that shows what is wrong").isPresent();
	}

	@ParameterizedTest
	@EnumSource
	void seedReplaysItsScheduleExactly(Simulation.Weather weather) {
		for (long seed = 1; seed <= 100; seed++) {
			assertThat(history(seed, weather)).isEqualTo(history(seed, weather));
		}
	}

	private static List<Long> history(long seed, Simulation.Weather weather) {
		Simulation simulation = new Simulation(seed, weather, CounterMutant.NONE);
		simulation.run();
		return simulation.judge().history();
	}

	private static String promiseBroken(long seed, Simulation.Weather weather, CounterMutant mutant) {
		try {
			new Simulation(seed, weather, mutant).run();
			return "";
		}
		catch (Judge.BrokenPromise ex) {
			return "seed " + seed + ": " + ex.getMessage();
		}
	}

}
