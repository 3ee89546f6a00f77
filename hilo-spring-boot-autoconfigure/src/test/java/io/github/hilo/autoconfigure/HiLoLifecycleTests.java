package io.github.hilo.autoconfigure;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.data.HiLoBeforeConvertCallback;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.Callers;
import io.github.hilo.fixture.Order;
import io.github.hilo.fixture.RecordedCommands;
import io.github.hilo.fixture.WithInformation;
import io.github.hilo.internal.mapping.SavePlans;
import io.github.hilo.internal.save.DefaultHiLoBeforeConvertCallback;
import io.github.hilo.internal.save.GeneratorDatabase;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.mongodb.autoconfigure.MongoClientSettingsBuilderCustomizer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.mongodb.MongoManagedTypes;
import org.springframework.data.mongodb.core.MongoTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the life of the generator in an application context.
 */
@ExtendWith({ OutputCaptureExtension.class, WithInformation.class })
class HiLoLifecycleTests {

	private static final int WEB_SERVER_STOP_PHASE = SmartLifecycle.DEFAULT_PHASE - 2048;

	private final ApplicationDatabase database = new ApplicationDatabase();

	private final ApplicationContextRunner contextRunner = this.database.connect(new ApplicationContextRunner());

	@Test
	void startSaysOnceWhatGetsIds(CapturedOutput output) {
		withOrders(this.contextRunner)
			.withPropertyValues("hilo.identity-parts-separator=~", "hilo.counter.collection=counters")
			.run((context) -> {
				context.stop();
				context.start();
			});
		assertThat(output).containsOnlyOnce("HiLo ids have node tag 'A' and separator '~', and are counted in"
				+ " collection 'counters'. Documents get ids and numbers before they are saved:"
				+ " Order.id from 'orders'");
		this.contextRunner.withPropertyValues("hilo.assign-ids=none", "hilo.node-tag=", "hilo.sequences[*].digits=8")
			.run((context) -> assertThat(output)
				.contains("no node tag and separator '/' (", "), at least 8 digits, and are counted")
				.containsOnlyOnce("assign-ids is none"));
	}

	@Test
	void startSaysWhichPathsDoNotMatchIdsWithASlash(CapturedOutput output) {
		start(withOrders(this.contextRunner).withPropertyValues("hilo.identity-parts-separator=-"));
		assertThat(output).contains("separator '-', and are counted");
		start(withOrders(this.contextRunner));
		assertThat(output).containsOnlyOnce("separator '/' ('{id}' in a path does not match an id with '/': use"
				+ " '{*id}', or set hilo.identity-parts-separator before the first id is stored), and are counted");
	}

	@Test
	void stopReturnsWhatIsUnusedAndStartAllowsRangesAgainAnyNumberOfTimes() {
		this.contextRunner.run((context) -> {
			HiLoIdGenerator generator = context.getBean(HiLoIdGenerator.class);
			for (int cycle = 0; cycle < 3; cycle++) {
				long last = generator.nextId("orders");
				assertThat(this.database.max("orders")).isEqualTo(last + 31);
				context.stop();
				assertThat(this.database.max("orders")).isEqualTo(last);
				assertThat(generator.nextId("orders")).isEqualTo(last + 1);
				assertThat(this.database.max("orders")).isEqualTo(last + 1);
				context.start();
			}
		});
	}

	@Test
	void rangesGoBackAfterTheWebServerHasStopped() {
		this.contextRunner.run((context) -> assertThat(context.getBean(HiLoLifecycle.class).getPhase())
			.isLessThan(WEB_SERVER_STOP_PHASE)
			.isLessThan(0));
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void beanThatSavesWhileItIsDestroyedStillGetsItsId(boolean ownCallback) {
		ApplicationContextRunner application = this.contextRunner.withBean(Saver.class);
		(ownCallback ? application.withUserConfiguration(OwnCallback.class) : application)
			.run((context) -> assertThat(context.getBean(MongoTemplate.class).insert(new Order(null)).id())
				.isEqualTo("orders/1-A"));
		assertThat(this.database.max("orders")).isEqualTo(2);
		assertThat(this.database.ids("orders")).containsExactlyInAnyOrder("orders/1-A", "orders/2-A");
	}

	@Test
	void failedStartUpReturnsWhatItTook() {
		this.contextRunner.withBean(Failing.class).run((context) -> assertThat(context).hasFailed());
		assertThat(this.database.max("orders")).isEqualTo(1);
	}

	@Test
	void shutdownUnderLoadLeavesTheCounterAtTheHighestIdUsed() {
		AtomicBoolean closed = new AtomicBoolean();
		List<Long> issued = Collections.synchronizedList(new ArrayList<>());
		List<Callers<Boolean>> load = new ArrayList<>();
		CountDownLatch busy = new CountDownLatch(10_000);
		this.contextRunner.run((context) -> {
			HiLoIdGenerator generator = context.getBean(HiLoIdGenerator.class);
			load.add(Callers.start(4, () -> {
				try {
					while (!closed.get()) {
						issued.add(generator.nextId("orders"));
						busy.countDown();
					}
				}
				catch (IllegalStateException ex) {
					return true;
				}
				return false;
			}));
			busy.await();
		});
		assertThat(load.get(0).answers()).containsOnly(true);
		closed.set(true);
		assertThat(issued).doesNotHaveDuplicates();
		assertThat(this.database.max("orders")).isEqualTo(Collections.max(issued));
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void warmUpReservesRangesAtStartUp(boolean lazily) {
		ApplicationContextRunner application = this.contextRunner.withPropertyValues("hilo.warm-up=orders,invoices");
		(lazily ? ApplicationDatabase.lazily(application) : application).run((context) -> {
			assertThat(this.database.max("orders")).isEqualTo(32);
			assertThat(this.database.max("invoices")).isEqualTo(32);
			assertThat(context.getBean(HiLoIdGenerator.class).nextId("orders")).isEqualTo(1);
		});
		assertThat(this.database.max("invoices")).isZero();
	}

	@Test
	void warmUpThatFailsIsLoggedAndStartUpGoesOn(CapturedOutput output) {
		this.database.setCounter("orders", "broken");
		this.contextRunner.withPropertyValues("hilo.warm-up=orders,invoices").run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(this.database.max("invoices")).isEqualTo(32);
		});
		assertThat(output).contains("Not every sequence of hilo.warm-up has a range", "'Raven/HiLo/orders'");
	}

	@Test
	void noRoundTripIsMadeAtStartUpWithoutWarmUp() {
		RecordedCommands commands = new RecordedCommands();
		ApplicationContextRunner recorded = this.contextRunner.withBean(MongoClientSettingsBuilderCustomizer.class,
				() -> (settings) -> settings.addCommandListener(commands));
		recorded.run((context) -> assertThat(commands.all()).isEmpty());
		assertThat(commands.all()).isEmpty();
		recorded.run((context) -> context.getBean(HiLoIdGenerator.class).nextId("orders"));
		assertThat(commands.kinds()).contains("reserve");
	}

	private static ApplicationContextRunner withOrders(ApplicationContextRunner application) {
		return application.withBean(MongoManagedTypes.class, () -> MongoManagedTypes.from(Order.class));
	}

	private static void start(ApplicationContextRunner application) {
		application.run((context) -> assertThat(context).hasNotFailed());
	}

	/**
	 * A callback that finds the generator as late as the first save, so that no template
	 * needs the engine to be created.
	 */
	@Configuration(proxyBeanMethods = false)
	static class OwnCallback {

		@Bean
		HiLoBeforeConvertCallback users(ObjectProvider<HiLoIdGenerator> generator, SavePlans plans) {
			return new DefaultHiLoBeforeConvertCallback(plans, null, new GeneratorDatabase(generator::getObject, null));
		}

	}

	/**
	 * Saves a last document, as beans with a buffer do.
	 */
	record Saver(MongoTemplate template) {

		@PreDestroy
		void saveLast() {
			this.template.insert(new Order(null));
		}

	}

	/**
	 * Saves a document and then fails to start.
	 */
	record Failing(MongoTemplate template) {

		@PostConstruct
		void fail() {
			this.template.insert(new Order(null));
			throw new IllegalStateException("does not start");
		}

	}

}
