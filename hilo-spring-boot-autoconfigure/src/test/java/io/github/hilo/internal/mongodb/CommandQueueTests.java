package io.github.hilo.internal.mongodb;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoOperationTimeoutException;
import com.mongodb.ServerAddress;
import io.github.hilo.fixture.ManualTime;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.Tasks;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The rules of the queue, on a clock of the test. Mutants of the queue fail here, too.
 */
public class CommandQueueTests {

	// What a command gets of hilo.timeout.
	private static final Duration COMMAND = Duration.ofSeconds(9);

	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	private final ManualTime time = new ManualTime();

	private final Timer timer = new Timer();

	private final CommandQueue queue = new CommandQueue(TIMEOUT, this.time, this.timer);

	// The commands in flight, in the order in which they were sent.
	private final List<Sent> sent = new ArrayList<>();

	@Test
	public void whoHasWaitedLongestIsNext() {
		fillWithQuickLanes();
		Sent first = ask("a");
		pass(Duration.ofSeconds(1));
		Sent second = ask("b");
		assertThat(first.isSent() || second.isSent()).isFalse();
		answerOne();
		assertThat(first.isSent()).isTrue();
		assertThat(second.isSent()).isFalse();
		answerOne();
		assertThat(second.isSent()).isTrue();
	}

	@Test
	public void commandWhoseTimeIsOverLeavesAtOnceAndIsNeverSent() {
		fillWithQuickLanes();
		Sent waiting = ask("a");
		pass(COMMAND);
		assertThat(waiting.failure()).isInstanceOf(CommandNotSentException.class)
			.hasMessage(
					"The command was not sent in time: it waited for 32 other commands of this cluster. If MongoDB is not"
							+ " slow, reserve larger ranges (hilo.range.max-size), so that fewer commands are needed");
		assertThat(waitingCommands()).isZero();
		answerOne();
		assertThat(waiting.isSent()).isFalse();
	}

	@Test
	public void neverMoreThan32AreInFlight() {
		makeQuick(IntStream.range(0, 40).mapToObj((i) -> "quick" + i).toList());
		IntStream.range(0, 40).forEach((i) -> ask("quick" + i));
		assertThat(this.sent).hasSize(32);
		answerOne();
		assertThat(this.sent).hasSize(32);
	}

	@Test
	public void newLanesLeaveRoomForQuickOnes() {
		makeQuick(List.of("quick"));
		IntStream.range(0, 40).forEach((i) -> ask("new" + i));
		assertThat(this.sent).hasSize(24);
		assertThat(ask("quick").isSent()).isTrue();
		assertThat(ask("new40").isSent()).isFalse();
	}

	@Test
	public void laneThatTakesLongerThanATenthOfTheTimeIsNotQuick() {
		makeAnswerAfter(Duration.ofMillis(999), "quick");
		makeAnswerAfter(Duration.ofSeconds(1), "slow");
		IntStream.range(0, 24).forEach((i) -> ask("new" + i));
		assertThat(ask("slow").isSent()).isFalse();
		assertThat(ask("quick").isSent()).isTrue();
	}

	@Test
	public void laneIsNoLongerQuickHalfATimeoutAfterItsAnswer() {
		makeQuick(List.of("late", "recent"));
		pass(Duration.ofSeconds(5));
		IntStream.range(0, 24).forEach((i) -> ask("new" + i));
		assertThat(ask("recent").isSent()).isTrue();
		pass(Duration.ofMillis(1));
		assertThat(ask("late").isSent()).isFalse();
	}

	@Test
	public void eightAreOfSilentLanesAtMost() {
		List<String> lanes = IntStream.range(0, 20).mapToObj((i) -> "silent" + i).toList();
		makeSilent(lanes);
		List<Sent> again = lanes.stream().map(this::ask).toList();
		assertThat(again).filteredOn(Sent::isSent).hasSize(8);
		assertThat(ask("new").isSent()).isTrue();
		pass(COMMAND);
		assertThat(again.get(8).failure()).hasMessage("The command was not sent in time: it waited for 9 other commands"
				+ " of this cluster. MongoDB does not answer commands on field '_id' of collection 'silent0' of"
				+ " database 'shop', field '_id' of collection 'silent1' of database 'shop', field '_id' of"
				+ " collection 'silent2' of database 'shop' and 5 more. Find out why");
	}

	@Test
	public void silentOnesTakeTurns() {
		List<String> lanes = IntStream.range(0, 16).mapToObj((i) -> "silent" + i).toList();
		makeSilent(lanes);
		List<Sent> again = lanes.stream().map(this::ask).toList();
		pass(Duration.ofSeconds(8));
		again.subList(0, 8).forEach(Sent::end);
		assertThat(again.subList(8, 16)).allMatch(Sent::isSent);
	}

	@Test
	public void oneLaneHas24AtMost() {
		makeQuick(List.of("one", "other"));
		List<Sent> all = IntStream.range(0, 30).mapToObj((i) -> ask("one")).toList();
		assertThat(all).filteredOn(Sent::isSent).hasSize(24);
		assertThat(ask("other").isSent()).isTrue();
		pass(COMMAND);
		assertThat(all.get(24).failure())
			.hasMessage("The command was not sent in time: 24 other commands on field '_id' of"
					+ " collection 'one' of database 'shop' were in flight. If MongoDB is not slow, reserve larger ranges"
					+ " (hilo.range.max-size), so that fewer commands are needed");
	}

	@Test
	public void commandThatWasNeverSentSaysNothingAboutItsLane() {
		makeQuick(List.of("one"));
		IntStream.range(0, 24).forEach((i) -> ask("one"));
		Sent waiting = ask("one");
		pass(COMMAND);
		assertThat(waiting.failure()).isInstanceOf(CommandNotSentException.class);
		assertThat(isSilent("one")).isFalse();
	}

	@Test
	public void commandThatHadLittleTimeLeftSaysNothingAboutItsLane() {
		fillWithQuickLanes();
		Sent late = ask("a");
		pass(Duration.ofMillis(8_001));
		answerOne();
		assertThat(late.isSent()).isTrue();
		pass(Duration.ofMillis(999));
		late.end();
		assertThat(late.failure()).isInstanceOf(CommandNotSentException.class);
		assertThat(isSilent("a")).isFalse();
	}

	/**
	 * The limit of commands can be longer than a lane is kept.
	 */
	@Test
	public void laneIsNotForgottenWhileItsCommandEnds() {
		Duration patient = Duration.ofMinutes(2);
		Sent first = ask("a", patient);
		first.answer();
		Sent second = ask("a", patient);
		pass(patient);
		second.end();
		assertThat(isSilent("a")).isTrue();
	}

	@Test
	public void serverIsBlamedForACommandThatHasHardlyWaited() {
		fillWithQuickLanes();
		Sent command = ask("a");
		answerOne();
		assertThat(command.isSent()).isTrue();
		pass(Duration.ofMillis(999));
		command.end();
		assertThat(command.failure()).isInstanceOf(MongoOperationTimeoutException.class);
	}

	@Test
	public void laneThatHasAnsweredMeanwhileIsNotSilent() {
		Sent silent = ask("a");
		Sent answered = ask("a");
		pass(Duration.ofSeconds(8));
		answered.answer();
		pass(Duration.ofSeconds(1));
		silent.end();
		assertThat(isSilent("a")).isFalse();
	}

	@Test
	public void laneThatAnswersAgainIsQuickAgain() {
		makeSilent(List.of("a"));
		Sent again = ask("a");
		assertThat(isSilent("a")).isTrue();
		again.answer();
		assertThat(isSilent("a")).isFalse();
		IntStream.range(0, 24).forEach((i) -> ask("new" + i));
		assertThat(ask("a").isSent()).isTrue();
	}

	@Test
	public void errorOfTheServerIsAnAnswer() {
		makeSilent(List.of("a"));
		ask("a").fail(new MongoCommandException(BsonDocument.parse("{ok: 0, code: 13}"), new ServerAddress()));
		assertThat(isSilent("a")).isFalse();
	}

	@Test
	public void failureOfTheConnectionIsNoAnswer() {
		makeSilent(List.of("a"));
		ask("a").fail(new IllegalStateException("state should be: open"));
		assertThat(isSilent("a")).isTrue();
	}

	@Test
	public void laneThatIsNotUsedForAMinuteIsForgotten() {
		makeSilent(List.of("a", "b"));
		pass(Duration.ofMinutes(1));
		ask("b").answer();
		assertThat(lanes()).hasSize(2);
		pass(Duration.ofMillis(1));
		ask("b").answer();
		assertThat(lanes()).hasSize(1);
	}

	@Test
	public void laneWithACommandInFlightIsKept() {
		Sent stuck = ask("a");
		pass(Duration.ofMinutes(2));
		ask("b");
		assertThat(lanes()).hasSize(2);
		stuck.answer();
		assertThat(this.sent).hasSize(1);
	}

	@Test
	public void burstLeavesNothing() {
		fillWithQuickLanes();
		List<Sent> burst = IntStream.range(0, 1_000).mapToObj((i) -> ask("new" + i)).toList();
		pass(COMMAND);
		assertThat(burst).allMatch((command) -> command.failure() instanceof CommandNotSentException);
		assertThat(waitingCommands()).isZero();
		List.copyOf(this.sent).forEach(Sent::end);
		pass(Duration.ofSeconds(61));
		ask("a").answer();
		assertThat(lanes()).hasSize(1);
	}

	@Test
	public void commandThatCannotBeSentMakesRoomForTheNext() {
		fillWithQuickLanes();
		Sent failing = new Sent("a", true, COMMAND);
		failing.ask();
		Sent next = ask("b");
		answerOne();
		assertThat(failing.failure()).hasMessage("no thread");
		assertThat(next.isSent()).isTrue();
	}

	@Test
	public void waitIsToldApartFromTheRun() {
		fillWithQuickLanes();
		Sent waiting = ask("a");
		pass(Duration.ofSeconds(3));
		assertThat(waiting.deadline.waited()).hasSeconds(3);
		answerOne();
		pass(Duration.ofSeconds(2));
		assertThat(waiting.deadline.waited()).hasSeconds(3);
	}

	@Test
	public void closeRefusesWhatWaitsAndWhatComesLater() {
		fillWithQuickLanes();
		Sent waiting = ask("a");
		this.queue.close();
		assertThat(waiting.failure()).isInstanceOf(RejectedExecutionException.class);
		assertThat(this.timer.due).isEmpty();
		assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(() -> ask("b"))
			.withMessage("The HiLo id generator is closed");
		this.sent.get(0).answer();
	}

	/**
	 * Each command is either sent or given up, whichever comes first, and no place in
	 * flight is lost.
	 */
	@Test
	public void turnRacesWithTheEndOfTheTime() throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(2);
		try {
			for (int round = 0; round < 300; round++) {
				fillWithQuickLanes();
				AtomicInteger outcomes = new AtomicInteger();
				Sent waiting = ask("a");
				CompletableFuture<?> unused = waiting.outcome
					.whenComplete((any, failure) -> outcomes.incrementAndGet());
				this.time.advance(COMMAND);
				Sent answered = this.sent.remove(0);
				Future<?> turn = threads.submit(answered::end);
				Future<?> end = threads.submit(this.timer::run);
				turn.get();
				end.get();
				assertThat(waiting.isSent()).isNotEqualTo(waiting.failure() != null);
				List.copyOf(this.sent).forEach(Sent::answer);
				assertThat(outcomes).hasValue(1);
				assertThat(field(this.queue, "inFlight")).isEqualTo(0);
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	private void fillWithQuickLanes() {
		List<String> lanes = IntStream.range(0, 32).mapToObj((i) -> "quick" + i).toList();
		makeQuick(lanes);
		lanes.forEach(this::ask);
		assertThat(this.sent).hasSize(32);
		makeQuickWhileFull();
	}

	/**
	 * Lets the lanes of what is asked next be quick, too.
	 */
	private void makeQuickWhileFull() {
		for (String lane : List.of("a", "b")) {
			answerOne();
			ask(lane).answer();
			ask("quick0");
		}
		assertThat(this.sent).hasSize(32);
	}

	private void makeQuick(List<String> lanes) {
		lanes.forEach((lane) -> ask(lane).answer());
	}

	private void makeAnswerAfter(Duration time, String lane) {
		Sent command = ask(lane);
		pass(time);
		command.answer();
	}

	private void makeSilent(List<String> lanes) {
		List<Sent> silent = lanes.stream().map(this::ask).toList();
		pass(COMMAND);
		silent.forEach(Sent::end);
		assertThat(lanes).allMatch(this::isSilent);
	}

	private Sent ask(String collection) {
		return ask(collection, COMMAND);
	}

	private Sent ask(String collection, Duration limit) {
		Sent command = new Sent(collection, false, limit);
		command.ask();
		return command;
	}

	private void answerOne() {
		this.sent.get(0).answer();
	}

	private void pass(Duration duration) {
		this.time.advance(duration);
		this.timer.run();
	}

	private int waitingCommands() {
		return ((Collection<?>) field(this.queue, "waiting")).size();
	}

	private Map<?, ?> lanes() {
		return (Map<?, ?>) field(this.queue, "lanes");
	}

	private boolean isSilent(String collection) {
		return (boolean) field(Objects.requireNonNull(lanes().get(new Lane("shop", collection, "_id"))), "isSilent");
	}

	private static Object field(Object target, String name) {
		return Objects.requireNonNull(ReflectionTestUtils.getField(target, name));
	}

	/**
	 * A command that a test has asked for, and what became of it.
	 */
	private final class Sent {

		private final String collection;

		private final boolean fails;

		private final Deadline deadline;

		private CompletableFuture<String> outcome = new CompletableFuture<>();

		private volatile @Nullable CompletableFuture<String> answer;

		Sent(String collection, boolean fails, Duration limit) {
			this.deadline = new Deadline(limit, CommandQueueTests.this.time);
			this.collection = collection;
			this.fails = fails;
		}

		void ask() {
			this.outcome = CommandQueueTests.this.queue
				.<String>send(new Lane("shop", this.collection, "_id"), this.deadline, (answer) -> {
					if (this.fails) {
						throw new IllegalStateException("no thread");
					}
					this.answer = answer;
					synchronized (CommandQueueTests.this.sent) {
						CommandQueueTests.this.sent.add(this);
					}
				})
				.toCompletableFuture();
		}

		boolean isSent() {
			return this.answer != null;
		}

		void answer() {
			complete().complete("");
		}

		void end() {
			fail(new MongoOperationTimeoutException(""));
		}

		void fail(RuntimeException failure) {
			complete().completeExceptionally(failure);
		}

		private CompletableFuture<String> complete() {
			synchronized (CommandQueueTests.this.sent) {
				CommandQueueTests.this.sent.remove(this);
			}
			return Objects.requireNonNull(this.answer, "not sent");
		}

		@Nullable Throwable failure() {
			if (!this.outcome.isCompletedExceptionally()) {
				return null;
			}
			try {
				this.outcome.join();
				return null;
			}
			catch (CompletionException ex) {
				return ex.getCause();
			}
		}

	}

	/**
	 * Runs what is due on the clock of the test.
	 */
	private final class Timer implements Tasks {

		private final List<Due> due = new ArrayList<>();

		@Override
		public void execute(Runnable task) {
			task.run();
		}

		@Override
		public synchronized Future<?> whenOver(Deadline deadline, Runnable task) {
			Due scheduled = new Due(deadline, task);
			this.due.add(scheduled);
			return scheduled;
		}

		void run() {
			List<Due> over;
			synchronized (this) {
				over = this.due.stream()
					.filter((each) -> each.deadline.isOver())
					.sorted(Comparator.comparing((each) -> each.deadline.left()))
					.toList();
				this.due.removeAll(over);
			}
			over.forEach((each) -> each.task.run());
		}

		private synchronized void remove(Due cancelled) {
			this.due.remove(cancelled);
		}

	}

	private final class Due extends CompletableFuture<Void> {

		private final Deadline deadline;

		private final Runnable task;

		Due(Deadline deadline, Runnable task) {
			this.deadline = deadline;
			this.task = task;
		}

		@Override
		public boolean cancel(boolean interrupt) {
			CommandQueueTests.this.timer.remove(this);
			return super.cancel(interrupt);
		}

	}

}
