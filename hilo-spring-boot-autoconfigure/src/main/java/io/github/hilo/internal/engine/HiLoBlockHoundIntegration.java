package io.github.hilo.internal.engine;

import io.github.hilo.internal.sequence.RangeSequence;
import reactor.blockhound.BlockHound;
import reactor.blockhound.integration.BlockHoundIntegration;

/**
 * Lets BlockHound, in an application that uses it, accept the one lock that an event loop
 * takes: to leave out a number with which a document is about to be stored. The lock is
 * held for an instant, and never during I/O.
 */
public final class HiLoBlockHoundIntegration implements BlockHoundIntegration {

	@Override
	public void applyTo(BlockHound.Builder builder) {
		builder.allowBlockingCallsInside(RangeSequence.class.getName(), "chosen");
	}

}
