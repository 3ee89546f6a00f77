package io.github.hilo.internal.engine;

import io.github.hilo.internal.sequence.RangeSequence;
import reactor.blockhound.BlockHound;
import reactor.blockhound.integration.BlockHoundIntegration;

/**
 * Lets BlockHound, in an application that uses it, accept the lock of a sequence on an
 * event loop. The loop takes it to exclude a number with which a document is about to be
 * stored, and holds it for an instant, never during I/O.
 */
public final class HiLoBlockHoundIntegration implements BlockHoundIntegration {

	@Override
	public void applyTo(BlockHound.Builder builder) {
		builder.allowBlockingCallsInside(RangeSequence.class.getName(), "exclude");
	}

}
