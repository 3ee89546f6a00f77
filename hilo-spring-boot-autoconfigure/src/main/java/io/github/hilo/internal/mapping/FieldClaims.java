package io.github.hilo.internal.mapping;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.github.hilo.HiLoMappingException;
import io.github.hilo.internal.engine.Claim;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.text.Names;
import org.jspecify.annotations.Nullable;

/**
 * Decides which counter a field with numbers has, and refuses a second one. Two counters
 * would issue the same number, and one document would replace another.
 * <p>
 * The types that are known when the application starts, the types of the start, are
 * compared with one another, even if this process never saves them, because another
 * process may. A field of such a type belongs to the type's counter. Any other field
 * belongs to the counter from which the first number is issued for it in a database. A
 * type that is only read claims nothing. A collection that is an expression is not
 * evaluated: types with the same expression share one collection.
 * <p>
 * Thread-safe: {@code declared} is replaced as a whole, and {@code claims} and
 * {@code shown} are concurrent maps, which have at most one entry for each field, and
 * database. What a claim counts is changed in the map's own step.
 */
final class FieldClaims {

	private final MappingLog log;

	private final Map<FieldOfDatabase, FieldClaim> claims = new ConcurrentHashMap<>();

	// The fields of the types of the start, by the place that metadata declares.
	private volatile Map<Place, CountedField> declared = Map.of();

	// The first that metadata shows for each place, whenever its type became known.
	private final Map<Place, CountedField> shown = new ConcurrentHashMap<>();

	// Whether the types of the start are compared, or none gets numbers.
	private volatile boolean compared;

	FieldClaims(AssignmentRule rule, MappingLog log) {
		this.compared = !rule.enabled();
		this.log = log;
	}

	/**
	 * Compares the types of the start. From now on a field of one belongs to its counter.
	 * @throws HiLoMappingException if two counters would issue the numbers of one field
	 */
	void start(List<CountedField> fields) {
		Map<Place, CountedField> counters = new HashMap<>();
		// Instances of an abstract type do not exist, so a concrete type takes
		// precedence for the same field.
		fields.stream().sorted(Comparator.comparing(CountedField::isOfAbstractType)).forEach((field) -> {
			Place place = field.property().declaredPlace();
			CountedField first = counters.putIfAbsent(place, field);
			if (first != null && !field.isOfAbstractType()) {
				requireSameCounter(first, field, place);
			}
		});
		this.declared = counters;
		// Beans may have saved before the start. Its types decide about their fields.
		this.claims.keySet().removeIf((field) -> counters.containsKey(field.place()));
		this.shown.putAll(counters);
		this.compared = true;
	}

	/**
	 * Records a field of a type that becomes known, which claims nothing.
	 */
	void show(CountedField field) {
		if (this.compared && !field.isOfAbstractType()) {
			Place place = field.property().declaredPlace();
			CountedField first = this.shown.putIfAbsent(place, field);
			if (first != null && !first.isSameCounter(field)) {
				this.log.secondCounter(refused(first, field, place));
			}
		}
	}

	/**
	 * Claims a field for the counter from which a number is about to be asked for it, and
	 * refuses a second counter there. If a type of the start is saved to the collection,
	 * every process refuses the call. Otherwise a process knows only its own calls.
	 */
	Claim claim(CountedField field, String database) {
		if (!field.property().isNumeric()) {
			return Claim.NONE;
		}
		FieldOfDatabase key = new FieldOfDatabase(database, field.place());
		FieldClaim claim = this.claims.get(key);
		if (claim == null || !claim.isKept()) {
			Names.requireSequence(field.sequence());
			// Before the map's own step, because it may evaluate the expression of a
			// collection.
			boolean ofItsType = field.property().isSavedTo(field.place().collection());
			claim = this.claims.compute(key, (absent, known) -> {
				FieldClaim called = (known != null) ? known : newClaim(absent, field, ofItsType);
				requireSameCounter(called.owner, field, field.place());
				called.calls++;
				return called;
			});
		}
		requireSameCounter(claim.owner, field, field.place());
		return claim;
	}

	/**
	 * Creates the claim of the type of the start that has the field, otherwise that of
	 * the field that asks. A type whose collection is an expression is found by the
	 * expression, if that names the collection now: all types with the same expression
	 * are saved there.
	 */
	private FieldClaim newClaim(FieldOfDatabase key, CountedField field, boolean ofItsType) {
		CountedField owner = this.declared.get(field.place());
		if (owner == null && ofItsType) {
			owner = this.declared.get(field.property().declaredPlace());
		}
		FieldClaim claim = new FieldClaim(key, (owner != null) ? owner : field);
		claim.isKept = owner != null;
		return claim;
	}

	private static void requireSameCounter(CountedField first, CountedField second, Place place) {
		if (!first.isSameCounter(second)) {
			throw refused(first, second, place);
		}
	}

	private static HiLoMappingException refused(CountedField first, CountedField second, Place place) {
		NumberedProperty property = first.property();
		String what = property.isId() ? "Numeric ids" : "Numbers in " + Names.quoted(property.path());
		return new HiLoMappingException(what + " of " + property.entity().getType().getName() + " count in sequence "
				+ Names.quoted(first.sequence()) + ", and those of " + second.property().entity().getType().getName()
				+ " in sequence " + Names.quoted(second.sequence()) + ", but both types are stored in collection "
				+ Names.quoted(place.collection()) + ". Two counters would give the same number to two documents, and"
				+ " one document would replace the other.",
				"Name one sequence for both with @HiLo(\"…\"), or put @HiLo(enabled = false) on one of them"
						+ " if it is only read.");
	}

	private record FieldOfDatabase(String database, Place place) {
	}

	/**
	 * The claim of a field in one database. The map's step for the field guards
	 * {@code calls}.
	 */
	private final class FieldClaim implements Claim {

		private final FieldOfDatabase field;

		private final CountedField owner;

		private int calls;

		// Whether it outlives its calls: a number was issued, or the owner is of the
		// start.
		private volatile boolean isKept;

		FieldClaim(FieldOfDatabase field, CountedField owner) {
			this.field = field;
			this.owner = owner;
		}

		boolean isKept() {
			return this.isKept;
		}

		@Override
		public void issued() {
			if (!this.isKept) {
				this.isKept = true;
			}
		}

		/**
		 * Until the start, a type of the start can take the field.
		 */
		@Override
		public boolean isForGood() {
			return FieldClaims.this.compared && this.isKept && FieldClaims.this.claims.get(this.field) == this;
		}

		@Override
		public void end() {
			if (!this.isKept) {
				FieldClaims.this.claims.computeIfPresent(this.field, (key, current) -> {
					if (current != this) {
						return current;
					}
					this.calls--;
					return (this.calls == 0 && !this.isKept) ? null : current;
				});
			}
		}

	}

}
