package io.github.hilo.internal.mongodb;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import com.mongodb.MongoServerException;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.Tasks;
import io.github.hilo.internal.store.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * The commands of one kind that one driver sends to one cluster: its finds, or its
 * commands on counters. Some wait to be sent, and the others are in flight.
 * <p>
 * The command that has waited longest is sent next. A command whose time is over leaves
 * the queue at once. Commands that are not answered must delay no others, so each command
 * belongs to a {@link Lane}, and the last command of a lane decides what the lane is:
 * <ul>
 * <li><em>quick</em>: the command was answered within a tenth of {@code hilo.timeout}. A
 * command that comes later than half of {@code hilo.timeout} after that answer finds the
 * lane unproven;
 * <li><em>silent</em>: the command timed out after it had run for at least a tenth of
 * {@code hilo.timeout}, and no command of the lane was answered meanwhile;
 * <li><em>unproven</em> otherwise. A lane that was not used for a minute is forgotten,
 * and then unproven like a new one.
 * </ul>
 * Of at most {@value #MOST} commands in flight, {@value #MOST_SILENT} may be of silent
 * lanes, {@value #MOST_UNPROVEN} of lanes that are not quick, and
 * {@value #MOST_OF_ONE_LANE} of one lane. So lanes that answer always find room, and new
 * ones find room beside those that are silent. A command that never left the queue says
 * nothing about its lane.
 * <p>
 * Thread-safe: {@code lock} guards all fields that change, and is not held while a
 * command is sent or its outcome is passed on. A command in {@code waiting} is either
 * sent or refused by the thread that removes it there. A command waits until its deadline
 * at most, and a lane is kept for a minute after its last use.
 */
final class CommandQueue {

	static final int MOST = 32;

	static final int MOST_OF_ONE_LANE = 24;

	static final int MOST_UNPROVEN = 24;

	static final int MOST_SILENT = 8;

	private static final Duration LANE_IS_KEPT = Duration.ofMinutes(1);

	// A message names at most this number of silent lanes.
	private static final int MOST_NAMED = 3;

	private final Duration timeout;

	private final TimeSource time;

	private final Tasks tasks;

	private final ReentrantLock lock = new ReentrantLock();

	// In the order of their last use, so that those that were not used for longest come
	// first.
	private final Map<Lane, LaneState> lanes = new LinkedHashMap<>(16, 0.75f, true);

	// In the order in which they came.
	private final Set<Command<?>> waiting = new LinkedHashSet<>();

	private int inFlight;

	private int unprovenInFlight;

	private int silentInFlight;

	private boolean closed;

	/**
	 * @param timeout {@code hilo.timeout}
	 * @param tasks ends commands that have waited too long
	 */
	CommandQueue(Duration timeout, TimeSource time, Tasks tasks) {
		this.timeout = timeout;
		this.time = time;
		this.tasks = tasks;
	}

	/**
	 * Sends a command as soon as the bounds allow it, on the calling thread or on the
	 * thread of the answer that makes room for it.
	 * @param sender sends the command, and completes the future that it receives
	 */
	<T extends @Nullable Object> CompletionStage<T> send(Lane lane, Deadline deadline,
			Consumer<CompletableFuture<T>> sender) {
		// A stack that overflows below would leave the command counted, but not sent.
		TaskTimer.requireStack();
		Command<T> command;
		boolean begun;
		this.lock.lock();
		try {
			if (this.closed) {
				throw closedException();
			}
			if (deadline.isOver()) {
				throw CommandNotSentException.withoutTime();
			}
			long now = this.time.nanoTime();
			command = new Command<>(use(lane, now), deadline, sender, now);
			begun = boundOf(command) == Bound.NONE;
			if (begun) {
				begin(command);
			}
			else {
				startWaiting(command);
			}
		}
		finally {
			this.lock.unlock();
		}
		if (begun) {
			sendAll(List.of(command));
		}
		return command.outcome;
	}

	/**
	 * Returns what is known of a lane, and forgets the lanes that were not used for a
	 * minute.
	 */
	private LaneState use(Lane lane, long now) {
		Iterator<LaneState> longestUnused = this.lanes.values().iterator();
		while (longestUnused.hasNext()) {
			LaneState unused = longestUnused.next();
			if (now - unused.usedNanos <= LANE_IS_KEPT.toNanos()) {
				break;
			}
			if (!unused.hasCommands()) {
				longestUnused.remove();
			}
		}
		LaneState used = this.lanes.computeIfAbsent(lane, LaneState::new);
		used.usedNanos = now;
		return used;
	}

	/**
	 * Returns the bound that keeps a command from being sent now.
	 */
	private Bound boundOf(Command<?> command) {
		if (command.lane.inFlight >= MOST_OF_ONE_LANE) {
			return Bound.OF_ITS_LANE;
		}
		boolean full = this.inFlight >= MOST || (!isQuick(command) && this.unprovenInFlight >= MOST_UNPROVEN)
				|| (command.lane.isSilent && this.silentInFlight >= MOST_SILENT);
		return full ? Bound.OF_ALL : Bound.NONE;
	}

	private boolean isQuick(Command<?> command) {
		return command.lane.wasQuick
				&& command.cameNanos - command.lane.answeredNanos <= this.timeout.dividedBy(2).toNanos();
	}

	private void startWaiting(Command<?> command) {
		command.limit = this.tasks.whenOver(command.deadline, () -> giveUp(command));
		command.deadline.startWaiting();
		command.lane.waiting++;
		this.waiting.add(command);
	}

	private void stopWaiting(Command<?> command) {
		command.lane.waiting--;
		command.deadline.stopWaiting();
		if (command.limit != null) {
			command.limit.cancel(false);
		}
	}

	private void begin(Command<?> command) {
		command.sentNanos = this.time.nanoTime();
		command.wasUnproven = !isQuick(command);
		command.wasSilent = command.lane.isSilent;
		command.answersBefore = command.lane.answers;
		count(command, 1);
	}

	private void count(Command<?> command, int change) {
		command.lane.inFlight += change;
		this.inFlight += change;
		this.unprovenInFlight += command.wasUnproven ? change : 0;
		this.silentInFlight += command.wasSilent ? change : 0;
	}

	/**
	 * Sends commands that have begun, and those that begin because one of them could not
	 * be sent.
	 */
	private void sendAll(List<Command<?>> begun) {
		Queue<Command<?>> due = new ArrayDeque<>(begun);
		for (Command<?> next = due.poll(); next != null; next = due.poll()) {
			Throwable failure = next.send(this);
			if (failure != null) {
				due.addAll(end(next, failure).begun());
				next.outcome.completeExceptionally(failure);
			}
		}
	}

	/**
	 * Ends a command that was in flight.
	 */
	private End end(Command<?> command, @Nullable Throwable failure) {
		this.lock.lock();
		try {
			long now = this.time.nanoTime();
			// A lane is not forgotten while the command is counted in it.
			LaneState lane = use(command.lane.id, now);
			count(command, -1);
			boolean endedSoon = now - command.sentNanos < this.timeout.dividedBy(10).toNanos();
			boolean timedOut = failure != null && Failures.isTimeout(failure);
			if (failure == null || Failures.causeOf(failure) instanceof MongoServerException) {
				lane.answered(endedSoon, now);
			}
			else if (timedOut && !endedSoon && lane.answers == command.answersBefore) {
				lane.fellSilent();
			}
			// The wait left MongoDB too little time for an answer.
			boolean wasSentTooLate = timedOut && endedSoon && command.hasWaitedForMostOfItsTime();
			return new End(
					wasSentTooLate
							? new CommandNotSentException(
									"The command was not sent in time: it waited for other commands of this cluster")
							: failure,
					beginNext());
		}
		finally {
			this.lock.unlock();
		}
	}

	private List<Command<?>> beginNext() {
		List<Command<?>> begun = new ArrayList<>(1);
		Iterator<Command<?>> longestWaiting = this.waiting.iterator();
		while (this.inFlight < MOST && longestWaiting.hasNext()) {
			Command<?> command = longestWaiting.next();
			if (boundOf(command) == Bound.NONE) {
				longestWaiting.remove();
				stopWaiting(command);
				begin(command);
				begun.add(command);
			}
		}
		return begun;
	}

	private void giveUp(Command<?> command) {
		String message = null;
		this.lock.lock();
		try {
			if (this.waiting.remove(command)) {
				message = describeBound(command);
				stopWaiting(command);
			}
		}
		finally {
			this.lock.unlock();
		}
		if (message != null) {
			command.outcome.completeExceptionally(new CommandNotSentException(message));
		}
	}

	private String describeBound(Command<?> command) {
		String slow = ". If MongoDB is not slow, reserve larger ranges (hilo.range.max-size), so that fewer commands are"
				+ " needed";
		if (boundOf(command) == Bound.OF_ITS_LANE) {
			return "The command was not sent in time: " + MOST_OF_ONE_LANE + " other commands on "
					+ command.lane.id.describe() + " were in flight"
					+ (command.lane.isSilent ? ". Find out why MongoDB does not answer them" : slow);
		}
		List<Lane> silent = this.lanes.values()
			.stream()
			.filter((lane) -> lane.isSilent && lane.inFlight > 0)
			.map((lane) -> lane.id)
			.toList();
		return "The command was not sent in time: it waited for " + this.inFlight + " other commands of this cluster"
				+ (silent.isEmpty() ? slow : ". MongoDB does not answer commands on "
						+ silent.stream().limit(MOST_NAMED).map(Lane::describe).collect(Collectors.joining(", "))
						+ ((silent.size() > MOST_NAMED) ? " and " + (silent.size() - MOST_NAMED) + " more" : "")
						+ ". Find out why");
	}

	/**
	 * Refuses the commands that wait, and all that come later. Those in flight go on.
	 */
	void close() {
		List<Command<?>> refused;
		this.lock.lock();
		try {
			this.closed = true;
			refused = List.copyOf(this.waiting);
			this.waiting.clear();
			refused.forEach(this::stopWaiting);
		}
		finally {
			this.lock.unlock();
		}
		refused.forEach((command) -> command.outcome.completeExceptionally(closedException()));
	}

	static <T extends @Nullable Object> void complete(CompletableFuture<T> future, T result,
			@Nullable Throwable failure) {
		if (failure != null) {
			future.completeExceptionally(failure);
		}
		else {
			future.complete(result);
		}
	}

	private static RejectedExecutionException closedException() {
		return new RejectedExecutionException("The HiLo id generator is closed");
	}

	/**
	 * What keeps a command from being sent.
	 */
	private enum Bound {

		NONE, OF_ITS_LANE, OF_ALL

	}

	/**
	 * What became of a command.
	 *
	 * @param begun the commands that begin in its place
	 */
	private record End(@Nullable Throwable failure, List<Command<?>> begun) {
	}

	/**
	 * What is known of a lane. A new lane is unproven.
	 */
	private static final class LaneState {

		private final Lane id;

		private long usedNanos;

		private int waiting;

		private int inFlight;

		private long answers;

		private long answeredNanos;

		private boolean wasQuick;

		private boolean isSilent;

		LaneState(Lane id) {
			this.id = id;
		}

		boolean hasCommands() {
			return this.inFlight > 0 || this.waiting > 0;
		}

		void answered(boolean soon, long now) {
			this.answers++;
			this.answeredNanos = now;
			this.wasQuick = soon;
			this.isSilent = false;
		}

		void fellSilent() {
			this.wasQuick = false;
			this.isSilent = true;
		}

	}

	private static final class Command<T extends @Nullable Object> {

		private final LaneState lane;

		private final Deadline deadline;

		private final Consumer<CompletableFuture<T>> sender;

		private final long cameNanos;

		private final CompletableFuture<T> outcome = new CompletableFuture<>();

		// Ends the wait, if the command has waited.
		private @Nullable Future<?> limit;

		private long sentNanos;

		// What the lane was when the command was sent.
		private boolean wasUnproven;

		private boolean wasSilent;

		private long answersBefore;

		Command(LaneState lane, Deadline deadline, Consumer<CompletableFuture<T>> sender, long cameNanos) {
			this.lane = lane;
			this.deadline = deadline;
			this.sender = sender;
			this.cameNanos = cameNanos;
		}

		private boolean hasWaitedForMostOfItsTime() {
			return this.deadline.waited().compareTo(this.deadline.whole().dividedBy(2)) > 0;
		}

		/**
		 * Sends the command. When its answer comes, other commands begin before the
		 * answer is passed on.
		 * @return why the command could not be sent, or {@code null}
		 */
		@Nullable Throwable send(CommandQueue queue) {
			CompletableFuture<T> answer = new CompletableFuture<>();
			CompletableFuture<?> unused = answer.whenComplete((result, failure) -> {
				Throwable told = failure;
				try {
					End end = queue.end(this, failure);
					told = end.failure();
					queue.sendAll(end.begun());
				}
				finally {
					complete(this.outcome, result, told);
				}
			});
			try {
				this.sender.accept(answer);
				return null;
			}
			// For example, no thread could be created. If there is an answer, the answer
			// has ended the command before this failure.
			catch (Throwable ex) {
				return answer.isDone() ? null : ex;
			}
		}

	}

}
