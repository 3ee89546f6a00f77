package io.github.hilo.internal.engine;

import io.github.hilo.internal.sequence.RangeSequence;
import io.github.hilo.internal.store.RepeatedTask;
import reactor.blockhound.BlockHound;
import reactor.blockhound.integration.BlockHoundIntegration;

/**
 * Lets BlockHound, in an application that uses it, accept two locks on an event loop that
 * are held for an instant, never during I/O: that of a sequence, to exclude a number with
 * which a document is about to be stored, and that of the timer's queue, to cancel a
 * limit, and to plan when what was chosen is forgotten.
 */
public final class HiLoBlockHoundIntegration implements BlockHoundIntegration {

	@Override
	public void applyTo(BlockHound.Builder builder) {
		builder.allowBlockingCallsInside(RangeSequence.class.getName(), "excludeFromHeld");
		builder.allowBlockingCallsInside(RepeatedTask.class.getName(), "planNext");
		builder.allowBlockingCallsInside(ReactiveCalls.class.getName(), "cancel");
	}

}
