package io.github.hilo.data;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.github.hilo.HiLo;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.fixture.Callers;
import io.github.hilo.fixture.FakePrimary;
import io.github.hilo.fixture.TestApplications;
import io.github.hilo.fixture.TestApplications.TestApplication;
import io.github.hilo.fixture.Thorough;
import io.github.hilo.fixture.WireFault;
import io.github.hilo.internal.sequence.Askers;
import io.github.hilo.internal.sequence.SequenceSnapshot;
import io.github.hilo.internal.store.IdForm;
import io.github.hilo.internal.store.Place;
import org.assertj.core.api.ThrowingConsumer;
import org.awaitility.Awaitility;
import org.bson.BsonInt64;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.mapping.Document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Collections whose finds are not answered, or refused, beside others of the same
 * sequence or the same cluster: they concern their own saves alone.
 */
@Thorough
@ExtendWith(OutputCaptureExtension.class)
class SilentPlaceTests {

	private static final Askers ASKERS = new Askers(Runnable::run);

	private static final int SAVES = 500;

	private final FakePrimary primary;

	SilentPlaceTests() throws IOException {
		this.primary = new FakePrimary();
		// Else the highest id of all places is asked for.
		this.primary.setMax("shared", new BsonInt64(0));
	}

	@AfterEach
	void close() throws IOException {
		this.primary.close();
	}

	@ParameterizedTest
	@ValueSource(ints = { 50, 1_048_576 })
	void savesBesideASilentCollectionOfTheSequenceGoOn(int maxSize, CapturedOutput output) {
		this.primary.failFinds("slow", WireFault.LOST);
		run((app) -> {
			Callers<Slow> waiting = Callers.start(4, () -> app.template().insert(new Slow(null))).awaitWaiting();
			for (int i = 0; i < SAVES; i++) {
				app.template().insert(new Fast(null));
			}
			assertThat(findsIn("slow")).as("one at a time").isEqualTo(1);
			// The range of the find is used up when the find fails.
			assertThat(waiting.failures()).hasOnlyElementsOfType(HiLoUnavailableException.class)
				.extracting(Throwable::getMessage)
				.allMatch((message) -> message.contains("the check of stored ids did not end"));
			SequenceSnapshot shown = snapshot(app);
			assertThat(shown.available()).isTrue();
			assertThat(shown.failure()).extracting(SequenceSnapshot.Failure::place).isEqualTo("collection 'slow'");
			assertThat(output).containsOnlyOnce("Finds in collection 'slow' for sequence 'shared'");
			this.primary.mend();
			// A find that was sent before is lost, and nobody sends another one
			// meanwhile.
			Awaitility.await()
				.atMost(Duration.ofMinutes(1))
				.ignoreExceptions()
				.until(() -> app.template().insert(new Slow(null)) != null);
			assertThat(snapshot(app).failure()).isNull();
		}, "hilo.timeout=10s", "hilo.range.max-size=" + maxSize);
	}

	@Test
	void collectionThatMayNotBeReadRefusesItsOwnSavesAlone() {
		run((app) -> {
			app.template().insert(new Slow(null));
			this.primary.failFinds("slow", WireFault.UNAUTHORIZED);
			for (int i = 0; i < 200; i++) {
				app.template().insert(new Fast(null));
			}
			assertThatExceptionOfType(HiLoUnavailableException.class)
				.isThrownBy(() -> app.template().insert(new Slow(null)))
				.withMessageContainingAll("collection 'slow'", "Allow find there");
			app.template().insert(new Fast(null));
		}, "hilo.timeout=20s");
	}

	/**
	 * One that has answered goes on beside any number of others, and so does its
	 * cluster's reactive driver, which has a queue of its own.
	 */
	@Test
	void silentCollectionsEachWithASequenceStopNoOther() {
		IntStream.range(0, 65).forEach((i) -> {
			this.primary.failFinds("silent" + i, WireFault.LOST);
			this.primary.setMax("silent" + i, new BsonInt64(0));
		});
		run((app) -> {
			app.template().insert(new Own(null), "answers");
			AtomicInteger collections = new AtomicInteger();
			Callers<Own> waiting = Callers
				.start(65, () -> app.template().insert(new Own(null), "silent" + collections.getAndIncrement()))
				.awaitWaiting();
			Awaitility.await().until(() -> this.primary.commands("reserve").size() == 66);
			for (int i = 0; i < SAVES; i++) {
				app.template().insert(new Own(null), "answers");
			}
			assertThat(IntStream.range(0, 65).filter((i) -> findsIn("silent" + i) > 0).count()).as("sent by now")
				.isEqualTo(24);
			assertThat(waiting.failures()).hasSize(65)
				.extracting(Throwable::getMessage)
				.filteredOn((message) -> message.contains("The command was not sent in time: "))
				.hasSize(65 - 24)
				.allMatch((message) -> !message.contains("check-stored-ids"));
		}, "hilo.timeout=10s", "hilo.range.max-size=100");
	}

	/**
	 * A place is registered before its first find is sent. The type of the chosen id is
	 * not the one that the sequence is of.
	 */
	@Test
	void idThatIsChosenDuringTheFirstFindOfItsPlaceIsNotIssued() {
		this.primary.failFinds("archive", WireFault.HELD);
		run((app) -> {
			Callers<Slow> first = Callers.start(1, () -> app.template().insert(new Slow(null), "archive"))
				.awaitWaiting();
			Awaitility.await().until(() -> findsIn("archive") == 1);
			app.template().insert(new org.bson.Document("_id", 1L), "archive");
			this.primary.mend();
			this.primary.deliver();
			assertThat(first.answers()).containsExactly(new Slow(2L));
		}, "hilo.timeout=20s");
	}

	@Test
	void releaseWaitsForNoFindAndItsCallersForTheNextRange() {
		run((app) -> {
			app.template().insert(new Fast(null));
			this.primary.failFinds("slow", WireFault.HELD);
			Callers<Slow> waiting = Callers.start(1, () -> app.template().insert(new Slow(null))).awaitWaiting();
			Awaitility.await().until(() -> findsIn("slow") == 1);
			app.generator().release();
			assertThat(this.primary.commands("return")).hasSize(1);
			this.primary.mend();
			this.primary.deliver();
			assertThat(waiting.answers()).containsExactly(new Slow(2L));
		}, "hilo.timeout=20s");
	}

	@Test
	void cancelledCallerOfAConsecutiveSequenceLeavesNoLoop() {
		this.primary.failFinds("slow", WireFault.HELD);
		run((app) -> {
			CompletableFuture<?> cancelled = app.engine()
				.sequence(app.engine().storeOf(FakePrimary.DATABASE), "shared")
				.placed(Place.ofType("slow", Place.ID, IdForm.NUMBER))
				.request(1, IdForm.NUMBER, app.engine().deadline(), null, ASKERS);
			Awaitility.await().until(() -> findsIn("slow") == 1);
			cancelled.cancel(true);
			Awaitility.await().until(() -> this.primary.commands("return").size() == 1);
			Callers<Slow> next = Callers.start(1, () -> app.template().insert(new Slow(null))).awaitWaiting();
			this.primary.mend();
			this.primary.deliver();
			assertThat(next.answers()).hasSize(1);
			assertThat(this.primary.commands("reserve")).hasSize(2);
			assertThat(this.primary.commands("return")).hasSize(1);
		}, "hilo.timeout=20s", "hilo.sequences.shared.consecutive=true");
	}

	private long findsIn(String collection) {
		return this.primary.commands("find")
			.stream()
			.filter((find) -> find.getString("find").getValue().equals(collection))
			.count();
	}

	private static SequenceSnapshot snapshot(TestApplication app) {
		return Objects
			.requireNonNull(app.engine().snapshot().getOrDefault(FakePrimary.DATABASE, Map.of()).get("shared"));
	}

	private void run(ThrowingConsumer<TestApplication> test, String... properties) {
		TestApplications.run(this.primary.contextRunner(), test, properties);
	}

	@Document("fast")
	@HiLo("shared")
	record Fast(@Id @Nullable Long id) {
	}

	@Document("slow")
	@HiLo("shared")
	record Slow(@Id @Nullable Long id) {
	}

	@Document("own")
	record Own(@Id @Nullable Long id) {
	}

}
