package io.github.hilo.benchmarks;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToDoubleFunction;

import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;

import org.springframework.boot.mongodb.autoconfigure.MongoClientSettingsBuilderCustomizer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * What HiLo adds to the start of an application, in a JVM that has loaded its classes.
 */
final class StartTimes {

	private static final String WITH = "hilo.enabled=true";

	private static final String WITHOUT = "hilo.enabled=false";

	private StartTimes() {
	}

	static void measure(Effort effort, Report report) throws Exception {
		report.heading("Start of an application context, in milliseconds");
		try (MemoryMongo mongo = new MemoryMongo()) {
			AtomicLong commands = new AtomicLong();
			Map<String, Rounds.Measurement> variants = new LinkedHashMap<>();
			variants.put(WITHOUT, () -> start(mongo, commands, WITHOUT));
			variants.put(WITH, () -> start(mongo, commands, WITH));
			Rounds.measure(effort.choose(10, 30), Duration.ofSeconds(effort.choose(3, 10)), variants);
			commands.set(0);
			Rounds rounds = Rounds.measure(effort.choose(20, 80), Duration.ofSeconds(effort.choose(6, 30)), variants);
			double addedMillis = rounds.addedNanos(WITH, WITHOUT, Elapsed.WALL) / 1e6;
			report.table(List.of("time", "without HiLo", "with HiLo", "added", "commands sent to MongoDB", "rounds"),
					List.of(row(rounds, "clock", Elapsed.WALL, commands), row(rounds, "CPU", Elapsed.CPU, commands)));
			report.ratio("startAdded", "clock", "30ms", addedMillis / 30);
			report.ratio("startAdded", "cpu", "30ms", rounds.addedNanos(WITH, WITHOUT, Elapsed.CPU) / 1e6 / 30);
		}
	}

	private static List<String> row(Rounds rounds, String time, ToDoubleFunction<Elapsed> clock, AtomicLong commands) {
		return List.of(time, millis(rounds.nanos(WITHOUT, clock)), millis(rounds.nanos(WITH, clock)),
				millis(rounds.addedNanos(WITH, WITHOUT, clock)), String.valueOf(commands.get()),
				String.valueOf(rounds.count()));
	}

	private static String millis(double nanos) {
		return String.format(Locale.ROOT, "%.1f", nanos / 1e6);
	}

	private static Elapsed start(MemoryMongo mongo, AtomicLong commands, String property) {
		Elapsed since = Elapsed.sinceByThread();
		try (ConfigurableApplicationContext shop = Shop.start(mongo.uri(), "shop", Counted.class, property)) {
			Elapsed elapsed = Elapsed.sinceByThread().per(since, 1);
			commands.addAndGet(shop.getBean(CommandCounter.class).count.get());
			return elapsed;
		}
	}

	/**
	 * {@link Configuration} that counts what is sent.
	 */
	@Configuration(proxyBeanMethods = false)
	static class Counted {

		@Bean
		CommandCounter commandCounter() {
			return new CommandCounter();
		}

		@Bean
		MongoClientSettingsBuilderCustomizer commandCounterCustomizer(CommandCounter counter) {
			return (settings) -> settings.addCommandListener(counter);
		}

	}

	/**
	 * Counts commands; the driver's own handshakes are none.
	 */
	static final class CommandCounter implements CommandListener {

		private final AtomicLong count = new AtomicLong();

		@Override
		public void commandStarted(CommandStartedEvent event) {
			this.count.incrementAndGet();
		}

	}

}
