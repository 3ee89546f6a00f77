package io.github.hilo.internal.engine;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.fixture.ClientStore;
import io.github.hilo.fixture.EngineSettings;
import io.github.hilo.fixture.FakeRangeStore;
import io.github.hilo.fixture.LaterTasks;
import io.github.hilo.fixture.ManualTime;
import io.github.hilo.fixture.WithInformation;
import io.github.hilo.internal.metrics.HiLoMetrics;
import io.github.hilo.internal.sequence.Askers;
import io.github.hilo.internal.sequence.PlacedSequence;
import io.github.hilo.internal.sequence.RangeSequence;
import io.github.hilo.internal.sequence.SequenceEvent;
import io.github.hilo.internal.sequence.Waiter;
import io.github.hilo.internal.store.IdForm;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.RangeStore;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A sequence that nobody uses lets the client go that a choosing factory has led to.
 */
@ExtendWith({ WithInformation.class, OutputCaptureExtension.class })
class IdleSequenceTests {

	private final ManualTime time = new ManualTime();

	private final LaterTasks tasks = new LaterTasks();

	private final FakeRangeStore counters = new FakeRangeStore("shop", this.tasks);

	private final List<SequenceEvent> events = new ArrayList<>();

	private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

	private final HiLoMetrics metrics = new HiLoMetrics(this.meters, ObservationRegistry.NOOP);

	private final HiLoEngine engine = EngineSettings.DEFAULTS.engine(this.counters, this.time, (event) -> {
		this.events.add(event);
		this.metrics.accept(event);
	});

	@Test
	void sequenceReturnsWhatItHoldsAndLetsItsClientGoAfterTenMinutes() {
		WeakReference<RangeStore> client = use(3);
		pass(9);
		assertThat(this.counters.max()).isEqualTo(32);
		assertThat(this.engine.snapshot()).isNotEmpty();
		assertThat(this.meters.getMeters()).isNotEmpty();
		pass(2);
		assertThat(this.counters.max()).as("returned").isEqualTo(3);
		assertThat(this.engine.snapshot()).as("is not shown").isEmpty();
		assertThat(this.meters.getMeters()).isEmpty();
		assertThat(this.tasks.runDue()).as("nothing is looked at").isFalse();
		Awaitility.await().untilAsserted(() -> {
			System.gc();
			assertThat(client.get()).isNull();
		});
	}

	@Test
	void nextCallGoesOnWithItsOwnClient() {
		use(3);
		pass(11);
		use(2);
		assertThat(this.counters.max()).isEqualTo(35);
		assertThat(this.engine.snapshot()).isNotEmpty();
		assertThat(this.meters.getMeters()).as("meters come again").isNotEmpty();
		pass(11);
		assertThat(this.counters.max()).isEqualTo(5);
	}

	@Test
	void floorStays() {
		use(3);
		pass(11);
		this.counters.max(0);
		ClientStore client = new ClientStore(this.counters);
		assertThat(this.engine.sequence(client, "orders").placed(null).nextId(null, client)).isEqualTo(4);
	}

	@Test
	void sequenceThatIsUsedNowAndThenKeepsItsClient() {
		ClientStore client = new ClientStore(this.counters);
		RangeSequence sequence = this.engine.sequence(client, "orders");
		for (int i = 1; i <= 5; i++) {
			assertThat(sequence.placed(null).nextId(null, client)).isEqualTo(i);
			pass(9);
		}
		assertThat(client.sent()).doesNotContain("return");
	}

	@Test
	void whatCouldNotBeReturnedIsAGap(CapturedOutput output) {
		ClientStore client = new ClientStore(this.counters);
		this.engine.sequence(client, "orders").placed(null).nextId(null, client);
		client.close();
		pass(11);
		assertThat(this.counters.max()).isEqualTo(32);
		assertThat(this.engine.snapshot()).isEmpty();
		assertThat(output).containsOnlyOnce("become a gap, of 1 sequences in all");
		assertThat(this.events).filteredOn(SequenceEvent.ReturnEnded.class::isInstance)
			.map(SequenceEvent.ReturnEnded.class::cast)
			.allMatch(SequenceEvent.ReturnEnded::summedUp);
		assertThat(this.events).anyMatch((event) -> event instanceof SequenceEvent.LetGo);
		use(1);
		assertThat(this.counters.max()).as("nothing is issued twice").isEqualTo(64);
	}

	/**
	 * A probe tries what failed again.
	 */
	@Test
	void probesOfHealthAreNoUse() {
		ClientStore client = new ClientStore(this.counters);
		client.close();
		assertThatExceptionOfType(HiLoUnavailableException.class)
			.isThrownBy(() -> this.engine.sequence(client, "orders").placed(null).nextId(null, client));
		for (int i = 0; i < 12; i++) {
			pass(1);
			this.engine.checkHealth();
		}
		assertThat(client.sent()).hasSizeGreaterThan(5);
		assertThat(this.engine.snapshot()).isEmpty();
		assertThat(this.meters.getMeters()).isEmpty();
	}

	@Test
	void callThatFailsAfterwardsIsOneUseMore() {
		use(1);
		pass(11);
		ClientStore client = new ClientStore(this.counters);
		client.close();
		PlacedSequence orders = this.engine.sequence(client, "orders").placed(null).through(client);
		assertThatExceptionOfType(HiLoUnavailableException.class).isThrownBy(orders::nextId);
		assertThat(this.engine.checkHealth()).isNotEmpty();
		assertThat(this.engine.pause()).isTrue();
		this.engine.resume();
		assertThatExceptionOfType(HiLoUnavailableException.class).isThrownBy(() -> orders.ensureAtLeast(50));
		pass(12);
		assertThat(this.engine.snapshot()).isEmpty();
		assertThat(this.meters.getMeters()).isEmpty();
	}

	/**
	 * Nobody asks the registry for it again.
	 */
	@Test
	void handleThatIsUsedAgainIsShown() {
		PlacedSequence handle = this.engine.sequence(this.counters, "orders").placed(null).through(this.counters);
		use(1);
		pass(12);
		assertThat(this.engine.snapshot()).isEmpty();
		assertThat(handle.nextId()).isEqualTo(2);
		assertThat(this.engine.snapshot()).isNotEmpty();
	}

	/**
	 * One message tells of the returns of idle sequences, and only of these.
	 */
	@Test
	void failedReturnAfterTheNextUseIsToldByItself() {
		use(1);
		pass(11);
		PlacedSequence orders = this.engine.sequence(this.counters, "orders").placed(null).through(this.counters);
		assertThat(orders.nextId()).isEqualTo(2);
		this.counters.hold();
		CompletableFuture<?> unused = this.engine.sequence(this.counters, "orders").release();
		this.counters.fail(new HiLoUnavailableException("away"));
		assertThat(this.events).filteredOn(SequenceEvent.ReturnEnded.class::isInstance)
			.map(SequenceEvent.ReturnEnded.class::cast)
			.last()
			.satisfies((ended) -> assertThat(ended.summedUp()).isFalse());
	}

	/**
	 * No call has an answer yet, so the sequence has the client of the first call alone.
	 */
	@Test
	void callThatDoesNotWaitBringsItsClientToWhatFollows() {
		ClientStore client = new ClientStore(this.counters);
		this.counters.hold();
		CompletableFuture<Waiter> call = this.engine.sequence(client, "orders")
			.placed(null)
			.request(1, IdForm.NUMBER, this.engine.deadline(), client, new Askers(Runnable::run));
		this.tasks.runDue();
		this.time.advance(Duration.ofMinutes(1));
		this.engine.checkHealth();
		assertThat(call).isCompletedExceptionally();
		assertThat(client.sent()).as("health tries again").containsExactly("reserve", "reserve");
	}

	@Test
	void storeOfAFixedFactoryIsKept() {
		this.engine.sequence(this.counters, "orders").placed(null).nextId(null, this.counters);
		assertThat(this.tasks.runDue()).isFalse();
		pass(30);
		assertThat(this.counters.max()).isEqualTo(32);
		assertThat(this.engine.snapshot()).isNotEmpty();
	}

	@Test
	void excludingAChosenNumberKeepsNoClient() {
		WeakReference<RangeStore> client = exclude();
		Awaitility.await().untilAsserted(() -> {
			System.gc();
			assertThat(client.get()).isNull();
		});
	}

	/**
	 * Each of a thousand tenants has a database and a client of its own.
	 */
	@Test
	void nothingButNamesAndFloorsStaysOfTenantsThatCameAndWent() {
		Set<Thread> threads = Thread.getAllStackTraces().keySet();
		List<WeakReference<RangeStore>> clients = new ArrayList<>();
		for (int tenant = 0; tenant < 1_000; tenant++) {
			ClientStore client = new ClientStore(new FakeRangeStore("tenant-" + tenant, this.tasks));
			RangeSequence sequence = this.engine.sequence(client, "orders");
			assertThat(sequence.placed(null).nextId(null, client)).isEqualTo(1);
			clients.add(new WeakReference<>(client));
			this.time.advance(Duration.ofSeconds(1));
			this.tasks.runDue();
		}
		assertThat(this.engine.snapshot()).as("of the last ten minutes").hasSizeBetween(600, 720);
		pass(11);
		assertThat(this.engine.snapshot()).isEmpty();
		assertThat(this.meters.getMeters()).isEmpty();
		assertThat(Thread.getAllStackTraces().keySet()).filteredOn((thread) -> !threads.contains(thread))
			.noneMatch((thread) -> thread.getName().startsWith("hilo"));
		Awaitility.await().untilAsserted(() -> {
			System.gc();
			assertThat(clients).allMatch((client) -> client.get() == null);
		});
	}

	private WeakReference<RangeStore> exclude() {
		ClientStore client = new ClientStore(this.counters);
		this.engine.exclude(client, new ChosenNumber("orders", 5, Place.Known.BY_TYPE));
		return new WeakReference<>(client);
	}

	private WeakReference<RangeStore> use(int count) {
		ClientStore client = new ClientStore(this.counters);
		RangeSequence sequence = this.engine.sequence(client, "orders");
		IntStream.range(0, count).forEach((i) -> sequence.placed(null).nextId(null, client));
		return new WeakReference<>(client);
	}

	private void pass(int minutes) {
		for (int i = 0; i < 6 * minutes; i++) {
			this.time.advance(Duration.ofSeconds(10));
			this.tasks.runDue();
		}
	}

}
