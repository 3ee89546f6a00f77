package io.github.hilo.internal.sequence;

/**
 * Learns what happens to sequences, on any number of threads, which hold no lock. What
 * each event means is said by its type.
 */
public interface SequenceListener {

	default void reservationStarted(SequenceEvent.ReservationStarted event) {
	}

	default void reservationEnded(SequenceEvent.ReservationEnded event) {
	}

	default void findEnded(SequenceEvent.FindEnded event) {
	}

	default void waited(SequenceEvent.Waited event) {
	}

	default void discarded(SequenceEvent.Discarded event) {
	}

	default void counterRepaired(SequenceEvent.CounterRepaired event) {
	}

	default void refused(SequenceEvent.Refused event) {
	}

	default void letGo(SequenceEvent.LetGo event) {
	}

	default void returnEnded(SequenceEvent.ReturnEnded event) {
	}

	default void raiseEnded(SequenceEvent.RaiseEnded event) {
	}

	default void outageBegan(SequenceEvent.OutageBegan event) {
	}

	default void outageEnded(SequenceEvent.OutageEnded event) {
	}

}
