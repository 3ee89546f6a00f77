package io.github.hilo.internal.counter;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import com.mongodb.MongoSocketReadException;
import com.mongodb.ServerAddress;
import io.github.hilo.fixture.CounterModel;
import io.github.hilo.fixture.TestDatabase;
import io.github.hilo.internal.store.CounterRepair;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.Places;
import io.github.hilo.internal.store.RangeRequest;
import io.github.hilo.internal.store.ReservedRange;
import io.github.hilo.internal.store.TimeSource;
import org.bson.BsonInt64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the log and the meters tell of repairs: what was done, and not what is about to
 * be.
 */
@ExtendWith(OutputCaptureExtension.class)
class RepairLineTests {

	private static final int CALLS = 20;

	private final TestDatabase database = new TestDatabase();

	private final FaultyCommands commands = FaultyCommands.on(this.database);

	private final MongoRangeStore store = TestStores.over(this.database.name(), this.commands);

	private final List<CounterRepair> repairs = new ArrayList<>();

	@AfterEach
	void close() {
		this.database.close();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void refusedRepairIsNotTold(boolean missing, CapturedOutput output) {
		if (!missing) {
			this.database.setMax("orders", new BsonInt64(5));
		}
		for (int i = 0; i < CALLS; i++) {
			this.commands.failWrite(false, () -> {
			}, CounterModel.failure(13, "not authorized on shop to execute command"));
			assertThat(reserve()).isCompletedExceptionally();
		}
		assertThat(output).doesNotContain("The counter of");
		assertThat(this.repairs).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void repairWhoseOutcomeIsUnknownIsToldOnce(boolean missing, CapturedOutput output) {
		if (!missing) {
			this.database.setMax("orders", new BsonInt64(5));
		}
		for (int i = 0; i < CALLS; i++) {
			this.commands.failWrite(false, () -> {
			}, new MongoSocketReadException("lost", new ServerAddress()));
			assertThat(reserve()).isCompletedExceptionally();
		}
		assertThat(output).containsOnlyOnce(missing ? "may have been created again" : "may have been raised");
		assertThat(this.repairs).hasSize(1);
		assertThat(reserve()).isCompleted();
		assertThat(output).containsOnlyOnce(missing ? "was created again" : "and was raised");
		assertThat(this.repairs).hasSize(2);
	}

	/**
	 * The counter works again in between.
	 */
	@Test
	void nextUnknownOutcomeIsToldAgain(CapturedOutput output) {
		for (int i = 1; i <= 2; i++) {
			this.database.setMax("orders", new BsonInt64(5));
			this.commands.failWrite(true, () -> {
			}, new MongoSocketReadException("lost", new ServerAddress()));
			assertThat(reserve()).isCompletedExceptionally();
			assertThat(reserve()).as("the repair was made").isCompleted();
			assertThat(output.getOut().split("may have been raised", -1)).hasSize(i + 1);
		}
		assertThat(this.repairs).hasSize(2);
	}

	@Test
	void repairIsToldOnceItIsMade(CapturedOutput output) {
		assertThat(reserve()).isCompleted();
		assertThat(output).containsOnlyOnce("was gone, and was created again, above 100");
		this.database.setMax("orders", new BsonInt64(5));
		assertThat(reserve()).isCompleted();
		assertThat(output).containsOnlyOnce("stood at 5, behind 100, and was raised");
		assertThat(this.repairs).containsExactly(CounterRepair.MISSING, CounterRepair.BEHIND);
	}

	/**
	 * A counter below {@code hilo.initial-value} is normal.
	 */
	@Test
	void counterThatIsBehindTheInitialValueIsNoRepair(CapturedOutput output) {
		this.database.setMax("orders", new BsonInt64(5));
		assertThat(firstReserve()).isCompleted();
		assertThat(output).containsOnlyOnce("stood at 5, behind 100, and was raised")
			.doesNotContain("stop every process");
		assertThat(this.repairs).isEmpty();
	}

	private CompletableFuture<ReservedRange> firstReserve() {
		return reserve(new RangeRequest(32, 32, 100, true, Places.NONE, deadline()));
	}

	private CompletableFuture<ReservedRange> reserve() {
		return reserve(new RangeRequest(32, 32, 100, false, Places.NONE, deadline()));
	}

	private CompletableFuture<ReservedRange> reserve(RangeRequest request) {
		return this.store.reserve("orders", request, this.repairs::add).toCompletableFuture();
	}

	private static Deadline deadline() {
		return new Deadline(Duration.ofSeconds(10), TimeSource.SYSTEM);
	}

}
