package io.github.hilo.internal.engine;

import io.github.hilo.HiLoMappingException;
import io.github.hilo.internal.sequence.PlacedSequence;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.RangeStore;
import org.jspecify.annotations.Nullable;

/**
 * What a caller names a sequence by: an entity type, whose ids are stored in a place, or
 * the sequence's name. Thread-safe.
 */
sealed interface SequenceKey {

	/**
	 * Returns the name of the sequence. Call this on the thread of a caller.
	 */
	String name();

	/**
	 * Returns whether each call names the same sequence.
	 */
	boolean isFixed();

	/**
	 * Returns where the ids go, which is known from then on, or {@code null} if the
	 * caller does not say.
	 */
	@Nullable Place registerPlace();

	/**
	 * Claims the place of the ids for the sequence. If it belongs to another one,
	 * publishes the refusal, and throws.
	 */
	Claim claim(RangeStore store);

	HiLoEngine engine();

	default PlacedSequence resolve(RangeStore store) {
		return engine().sequence(store, name()).placed(registerPlace());
	}

	record OfType(Class<?> type, HiLoEngine engine) implements SequenceKey {

		@Override
		public String name() {
			return this.engine.names().nameOf(this.type);
		}

		@Override
		public boolean isFixed() {
			return this.engine.names().isFixed(this.type);
		}

		@Override
		public @Nullable Place registerPlace() {
			return this.engine.names().registerPlaceOf(this.type);
		}

		@Override
		public Claim claim(RangeStore store) {
			try {
				return this.engine.names().claim(this.type, store.database());
			}
			catch (HiLoMappingException ex) {
				this.engine.sequence(store, name()).refused(ex);
				throw ex;
			}
		}

	}

	record OfName(String name, HiLoEngine engine) implements SequenceKey {

		@Override
		public boolean isFixed() {
			return true;
		}

		@Override
		public @Nullable Place registerPlace() {
			return null;
		}

		@Override
		public Claim claim(RangeStore store) {
			return Claim.NONE;
		}

	}

}
