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
 * There are two kinds of lists. Metadata fills one list for each name of a sequence. The
 * sequence of that name in one database has a list that follows the first one: it gets
 * all places of that list, and those of the saves to the database.
 * <p>
 * A list is in doubt while the sequence of some type cannot be named. Then no range
 * suffices for a caller without a place, in however many places it is covered, so each
 * caller asks again for the places.
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

	// More places than a list has, so that no range is covered in as many.
	private static final int REQUIRED_IN_DOUBT = Integer.MAX_VALUE;

	// Above the index of each place.
	private static final int INDEX_OF_UNKNOWN = Integer.MAX_VALUE;

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
		if (!isAdded(place)) {
			append(place);
		}
	}

	/**
	 * Returns whether a place is known, and {@code size} counts it. A place that another
	 * thread is adding is known before.
	 */
	private boolean isAdded(Place place) {
		return indexOf(place) < this.size;
	}

	private synchronized void append(Place place) {
		int index = this.size;
		if (this.indexes.putIfAbsent(place, index) == null) {
			if (index == this.all.length) {
				this.all = Arrays.copyOf(this.all, 2 * index);
			}
			this.all[index] = place;
			// Before size counts the place, so that the followers have each place that is
			// added here.
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
		this.required = inDoubt ? REQUIRED_IN_DOUBT : this.size;
		this.followers.forEach((follower) -> follower.setInDoubt(inDoubt));
	}

	public boolean isInDoubt() {
		return this.required == REQUIRED_IN_DOUBT;
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
	 * Returns the index of a place, or a number above all indexes if it is not known.
	 */
	public int indexOf(Place place) {
		return this.indexes.getOrDefault(place, INDEX_OF_UNKNOWN);
	}

	public List<Place> toList() {
		// Before the array, which has at least so many places then.
		int count = this.size;
		return new ArrayList<>(Arrays.asList(this.all).subList(0, count));
	}

	/**
	 * Returns the places above which a new counter starts. If a type is known to be saved
	 * to the collection with the sequence's name, its ids have the form that the type
	 * tells. Otherwise they can have each form.
	 */
	public List<Place> aboveWhichToStart() {
		return toList().stream().filter((place) -> place.isOfType() || !hasTypeFor(place)).toList();
	}

	/**
	 * Returns whether a type is known whose numbers go to a place by name, in any form.
	 */
	private boolean hasTypeFor(Place ofName) {
		return Stream.of(IdForm.values())
			.anyMatch((form) -> this.indexes.containsKey(Place.ofType(ofName.collection(), ofName.path(), form)));
	}

}
