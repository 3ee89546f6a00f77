package io.github.hilo.internal.sequence;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import io.github.hilo.fixture.CounterModel;
import io.github.hilo.internal.counter.SimulatedClient;
import io.github.hilo.internal.counter.SimulatedReplicaSet;
import io.github.hilo.internal.counter.StoredDocuments;
import io.github.hilo.internal.store.IdForm;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.ReservedRange;
import io.github.hilo.internal.store.TimeSource;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Watches what is issued, and what the counter says of it.
 */
final class PromiseChecker implements SimulatedClient.Ledger {

	private static final BsonDocument COUNTER = BsonDocument.parse("{_id: 'Raven/HiLo/orders'}");

	private final SimulatedReplicaSet server;

	/**
	 * The places that every process knows.
	 */
	private final List<Place> places;

	private final long maxSize;

	private final Set<Issue> issues = new HashSet<>();

	/**
	 * How often the counter had been damaged when a range was granted.
	 */
	private final IdentityHashMap<ReservedRange, Integer> damageBefore = new IdentityHashMap<>();

	/**
	 * The numbers that were granted since the counter was damaged, and not returned.
	 */
	private final Map<Long, SimulatedClient> owners = new HashMap<>();

	private int damage;

	/**
	 * The highest number issued from a range that was granted since the counter was
	 * damaged.
	 */
	private long highest;

	/**
	 * The highest number of a call that has ended, from a range that was granted since
	 * the counter was damaged.
	 */
	private long highestEnded;

	/**
	 * What the counter was compared with that number last.
	 */
	private @Nullable CounterModel checked;

	private long highestChecked;

	/**
	 * The highest number that the application has ever stored.
	 */
	private long highestStored;

	private long explained;

	private final List<Long> history = new ArrayList<>();

	/**
	 * What the processes were told of numbers that they had taken.
	 */
	private final Map<SimulatedClient, List<FoundFree>> found = new HashMap<>();

	/**
	 * When a range was granted.
	 */
	private final IdentityHashMap<ReservedRange, Long> grantedAt = new IdentityHashMap<>();

	/**
	 * What the processes were told of numbers beyond those that they had taken.
	 */
	private final Map<SimulatedClient, List<FoundAhead>> foundAhead = new HashMap<>();

	/**
	 * Since when it counts what a process was told of numbers beyond those that it had.
	 */
	private final Map<SimulatedClient, Long> windowsEnded = new HashMap<>();

	/**
	 * What counted for a range when it was granted.
	 */
	private final IdentityHashMap<ReservedRange, List<FoundAhead>> windows = new IdentityHashMap<>();

	private final Map<Long, Long> sentNanos = new HashMap<>();

	private final Set<ReservedRange> repaired = Collections.newSetFromMap(new IdentityHashMap<>());

	private final TimeSource time;

	private long moments;

	private @Nullable String broken;

	PromiseChecker(SimulatedReplicaSet server, List<Place> places, long maxSize, TimeSource time) {
		this.time = time;
		this.server = server;
		this.places = places;
		this.maxSize = maxSize;
	}

	/**
	 * The numbers in the order in which they were issued, by whomever.
	 */
	List<Long> history() {
		return this.history;
	}

	/**
	 * A process has issued a number.
	 * @param last the number that it, or the process that it is a copy of, issued before
	 */
	void issued(IssuedNumber issued, long last) {
		long number = issued.number();
		ReservedRange range = issued.range();
		int damage = this.damageBefore.getOrDefault(range, 0);
		if (number < range.min() || number > range.max()) {
			broken("Number " + number + " lies outside " + range);
		}
		if (number <= last) {
			broken("A process that had issued " + last + " issued " + number);
		}
		if (!this.issues.add(new Issue(number, damage))) {
			broken("Number " + number + " was issued twice");
		}
		noticeDamage();
		if (damage == this.damage) {
			this.highest = Math.max(this.highest, number);
		}
		this.history.add(number);
	}

	/**
	 * A call is about to begin.
	 */
	Call call() {
		noticeDamage();
		return new Call(this.damage, this.highestEnded);
	}

	/**
	 * A call has its numbers.
	 */
	void ended(List<IssuedNumber> issued) {
		noticeDamage();
		for (IssuedNumber number : issued) {
			if (this.damageBefore.getOrDefault(number.range(), 0) == this.damage) {
				this.highestEnded = Math.max(this.highestEnded, number.number());
			}
		}
	}

	/**
	 * Judges the order of a consecutive sequence: a call that began when another one had
	 * ended, in whatever process, got a higher number. That holds between ranges that
	 * were granted with no damage to the counter in between: a counter that is restored
	 * or set lower takes the order back with it.
	 */
	void issuedInOrder(IssuedNumber issued, Call call) {
		boolean comparable = this.damageBefore.getOrDefault(issued.range(), 0) == call.damage();
		if (comparable && issued.number() <= call.highestEnded()) {
			broken("A call got " + issued.number() + " although one that ended before it began had got "
					+ call.highestEnded());
		}
	}

	/**
	 * A find was answered: a process uses a range in a place from there on.
	 * @param stored what the member had that answered
	 */
	@Override
	public void found(SimulatedClient owner, Place place, ReservedRange numbers, long answer, StoredDocuments stored) {
		this.found.computeIfAbsent(owner, (absent) -> new ArrayList<>())
			.add(new FoundFree(++this.moments, place, Math.max(numbers.min(), answer + 1), numbers.max(), stored));
		if (answer > 0) {
			mayLose(answer + 1 - numbers.min());
		}
	}

	@Override
	public long sent() {
		this.sentNanos.put(++this.moments, this.time.nanoTime());
		return this.moments;
	}

	@Override
	public void foundAhead(SimulatedClient owner, Place place, long first, long last, long sent,
			StoredDocuments stored) {
		FoundFree free = new FoundFree(++this.moments, place, first, last, stored);
		this.found.computeIfAbsent(owner, (absent) -> new ArrayList<>()).add(free);
		this.foundAhead.computeIfAbsent(owner, (absent) -> new ArrayList<>())
			.add(new FoundAhead(free, sent, this.sentNanos.getOrDefault(sent, 0L)));
	}

	@Override
	public void repaired(ReservedRange range) {
		this.repaired.add(range);
	}

	boolean isRepaired(@Nullable ReservedRange range) {
		return this.repaired.contains(range);
	}

	/**
	 * What finds have shown beyond their ranges counts no more for a process.
	 */
	void windowsEnd(SimulatedClient owner) {
		this.windowsEnded.put(owner, ++this.moments);
	}

	/**
	 * Returns the answers that cover a range which is granted now: of a second, and none
	 * older than what has ended all of them.
	 */
	private List<FoundAhead> windowsOf(SimulatedClient owner) {
		long ended = this.windowsEnded.getOrDefault(owner, 0L);
		return this.foundAhead.getOrDefault(owner, List.of())
			.stream()
			.filter((ahead) -> ahead.sent() > ended
					&& this.time.nanoTime() - ahead.sentNanos() < Duration.ofSeconds(1).toNanos())
			.toList();
	}

	private static Object idIn(Place place, IssuedNumber issued) {
		return (place.form() == IdForm.TEXT) ? issued.documentId() : (Object) issued.number();
	}

	/**
	 * A process is about to store a number in a place, where it takes it for free: some
	 * answer says so, to the reservation of its range or to a find since then.
	 */
	void stores(SimulatedClient owner, IssuedNumber issued, Place place) {
		Object id = idIn(place, issued);
		List<StoredDocuments> answers = new ArrayList<>();
		long granted = this.grantedAt.getOrDefault(issued.range(), 0L);
		for (FoundFree answer : this.found.getOrDefault(owner, List.of())) {
			if (answer.moment() > granted && isOf(answer.place(), place) && answer.first() <= issued.number()
					&& issued.number() <= answer.last()) {
				answers.add(answer.stored());
			}
		}
		for (FoundAhead ahead : this.windows.getOrDefault(issued.range(), List.of())) {
			FoundFree answer = ahead.free();
			if (isOf(answer.place(), place) && answer.first() <= issued.number() && issued.number() <= answer.last()) {
				answers.add(answer.stored());
			}
		}
		if (answers.stream().allMatch((stored) -> stored.has(place, id))) {
			broken(id + " is used in " + place + ", and nothing has answered that it was free: " + answers);
		}
	}

	private boolean isOf(Place asked, Place place) {
		return asked.equals(place);
	}

	/**
	 * Judges where a counter starts: above every number that was stored when it was
	 * checked.
	 */
	@Override
	public void created(ReservedRange range, StoredDocuments highest) {
		if (range.min() - 1 < highest.highest(this.places)) {
			broken(range + " begins the counter although more was stored when it was checked: " + highest);
		}
	}

	@Override
	public void started(long before, long max) {
		// What lies below, unless nothing is stored there, and what can't go back any
		// more.
		mayLose(Math.min(max, Math.max(before, this.highestStored)) - before + this.maxSize);
	}

	@Override
	public void taken(long size) {
		mayLose(size);
	}

	/**
	 * The application stores a number.
	 */
	void stored(long number) {
		this.highestStored = Math.max(this.highestStored, number);
	}

	@Override
	public void granted(SimulatedClient owner, ReservedRange range, int damage) {
		noticeDamage();
		this.grantedAt.put(range, ++this.moments);
		this.windows.put(range, isRepaired(range) ? List.of() : windowsOf(owner));
		this.damageBefore.put(range, damage);
		for (long number = range.min(); damage == this.damage && number <= range.max(); number++) {
			if (this.owners.put(number, owner) != null) {
				broken("Number " + number + " was granted again, with " + range);
			}
		}
	}

	@Override
	public void returned(SimulatedClient owner, long lastIssued, long max) {
		noticeDamage();
		for (long number = lastIssued + 1; number <= max; number++) {
			SimulatedClient granted = this.owners.remove(number);
			if (granted != null && granted != owner) {
				broken("Number " + number + " was returned by a process that it was not granted to");
			}
		}
	}

	/**
	 * How often the counter had been damaged by now.
	 */
	int damage() {
		noticeDamage();
		return this.damage;
	}

	/**
	 * The counter was raised, and must not fall behind that any more.
	 * @param damage how often it had been damaged when that was asked for
	 */
	void raised(long floor, int damage) {
		if (damage == damage()) {
			this.highest = Math.max(this.highest, floor);
		}
	}

	/**
	 * Something happened that costs numbers, as documented.
	 * @param count at most how many
	 */
	void mayLose(long count) {
		this.explained += count;
	}

	/**
	 * Looks at callers that asked when everything worked again.
	 * @throws BrokenPromise if one got no number
	 */
	void checkServed(List<Waiter> callers) {
		for (Waiter caller : callers) {
			CompletableFuture<Waiter> answer = caller.answer();
			if (!answer.isDone() || answer.isCompletedExceptionally() || !(caller.numbers().length == caller.count())) {
				throw new BrokenPromise("A caller got no number although everything worked: " + answer);
			}
		}
	}

	/**
	 * Looks for numbers that were reserved and not issued, when nobody holds any more.
	 * @throws BrokenPromise if there are more than can be explained
	 */
	void checkLosses() {
		long lost = max(counter()) - this.history.size();
		if (lost > this.explained) {
			throw new BrokenPromise(lost + " numbers were lost, and only " + this.explained + " can be explained");
		}
	}

	/**
	 * Looks at the counter, after every step.
	 * @throws BrokenPromise if a promise was broken by now
	 */
	void check() {
		noticeDamage();
		CounterModel counters = this.server.primary().counters();
		if (this.highest > 0 && (counters != this.checked || this.highest != this.highestChecked)) {
			BsonDocument counter = counter();
			if (max(counter) < this.highest) {
				broken("Number " + this.highest + " was issued, and the counter is " + counter);
			}
			this.checked = counters;
			this.highestChecked = this.highest;
		}
		if (this.broken != null) {
			throw new BrokenPromise(this.broken);
		}
	}

	/**
	 * What was granted before the counter was damaged says nothing of it any more.
	 */
	private void noticeDamage() {
		if (this.damage != this.server.damage()) {
			this.damage = this.server.damage();
			this.highest = 0;
			this.highestEnded = 0;
			this.owners.clear();
		}
	}

	@Nullable BsonDocument counter() {
		return this.server.primary().counters().find(COUNTER);
	}

	static long max(@Nullable BsonDocument counter) {
		return (counter != null) ? counter.getNumber("Max").longValue() : 0;
	}

	void broken(String promise) {
		// Whoever completes a future would swallow an exception.
		this.broken = (this.broken != null) ? this.broken : promise;
	}

	/**
	 * A number, and how often the counter had been damaged when it was granted: nobody
	 * can see what others were granted before.
	 */
	private record Issue(long number, int damage) {
	}

	/**
	 * Numbers that were found free, and what was stored then.
	 */
	private record FoundFree(long moment, Place place, long first, long last, StoredDocuments stored) {
	}

	/**
	 * Numbers that were found free by a find that looks ahead.
	 */
	private record FoundAhead(FoundFree free, long sent, long sentNanos) {
	}

	/**
	 * A call, as it began.
	 *
	 * @param damage how often the counter had been damaged
	 * @param highestEnded the highest number of the calls that had ended
	 */
	record Call(int damage, long highestEnded) {
	}

	/**
	 * The promise is broken.
	 */
	static final class BrokenPromise extends RuntimeException {

		private static final long serialVersionUID = 1L;

		BrokenPromise(String message) {
			super(message);
		}

	}

}
