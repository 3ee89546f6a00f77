package io.github.hilo.internal.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/**
 * The places of a sequence, in the order in which they became known. Places are added and
 * never removed, so their number is a version: a caller without a place needs a range
 * that is covered in the first {@link #required()} of them.
 * <p>
 * Metadata fills a list for each name. The lists of the databases follow it: they get its
 * places, and have those of their own saves. A list is in doubt while the sequence of
 * some type cannot be named. Then no range is covered in as many places as it requires,
 * so each caller asks again.
 * <p>
 * Thread-safe: this object's lock guards each change, {@code indexes} is a concurrent
 * map, and the other fields are volatile. An element of {@code all} is written before
 * {@code size} counts it. A list has as many places as there are collections and fields
 * that the sequence issues into.
 */
public final class Places {

	/**
	 * For a sequence that is not checked.
	 */
	public static final Places NONE = new Places();

	private static final int IN_DOUBT = Integer.MAX_VALUE;

	private final Map<Place, Integer> indexes = new ConcurrentHashMap<>();

	private final List<Places> followers = new CopyOnWriteArrayList<>();

	private volatile Place[] all = new Place[2];

	private volatile int size;

	private volatile int required;

	/**
	 * Creates the list of a sequence of which only the name is known: the numbers and the
	 * texts of the collection with that name.
	 */
	public static Places ofName(String sequence) {
		Places places = new Places();
		places.addOfName(sequence);
		return places;
	}

	public void addOfName(String sequence) {
		add(Place.ofName(sequence, IdForm.NUMBER));
		add(Place.ofName(sequence, IdForm.TEXT));
	}

	/**
	 * Adds a place, unless it is known. Every call that begins later needs a range that
	 * is covered there.
	 */
	public void add(Place place) {
		if (indexOf(place) >= this.size) {
			append(place);
		}
	}

	private synchronized void append(Place place) {
		int index = this.size;
		if (this.indexes.putIfAbsent(place, index) == null) {
			if (index == this.all.length) {
				this.all = Arrays.copyOf(this.all, 2 * index);
			}
			this.all[index] = place;
			// Before others can see here that the place is known.
			this.followers.forEach((follower) -> follower.add(place));
			this.size = index + 1;
			if (!isInDoubt()) {
				this.required = this.size;
			}
		}
	}

	/**
	 * Lets the list of a database have all places of this one, now and later.
	 */
	public synchronized void addFollower(Places follower) {
		toList().forEach(follower::add);
		follower.setInDoubt(isInDoubt());
		this.followers.add(follower);
	}

	public synchronized void setInDoubt(boolean inDoubt) {
		this.required = inDoubt ? IN_DOUBT : this.size;
		this.followers.forEach((follower) -> follower.setInDoubt(inDoubt));
	}

	public boolean isInDoubt() {
		return this.required == IN_DOUBT;
	}

	/**
	 * Returns in how many places a range must be covered for a caller without a place.
	 */
	public int required() {
		return this.required;
	}

	public int size() {
		return this.size;
	}

	public Place get(int index) {
		return this.all[index];
	}

	/**
	 * Returns the index of a place, or a number that no index reaches if it is not known.
	 */
	public int indexOf(Place place) {
		return this.indexes.getOrDefault(place, Integer.MAX_VALUE);
	}

	public List<Place> toList() {
		return new ArrayList<>(Arrays.asList(this.all).subList(0, this.size));
	}

	/**
	 * Returns the places above which a new counter starts: all, but for the form that the
	 * ids of the collection with the sequence's name do not have.
	 */
	public List<Place> aboveWhichToStart() {
		return toList().stream().filter((place) -> place.isOfType() || !isKnownWithTypes(place)).toList();
	}

	private boolean isKnownWithTypes(Place ofName) {
		return Stream.of(IdForm.values())
			.anyMatch((form) -> this.indexes.containsKey(Place.ofType(ofName.collection(), ofName.path(), form)));
	}

}
