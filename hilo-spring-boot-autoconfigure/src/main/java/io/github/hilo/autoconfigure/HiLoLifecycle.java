package io.github.hilo.autoconfigure;

import java.util.List;

import io.github.hilo.engine.HiLoEngine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;

/**
 * Returns unused ranges when the application stops or is paused, after everything that
 * serves requests has ended, and at start-up raises counters and reserves the first
 * ranges where asked to.
 */
final class HiLoLifecycle implements SmartLifecycle {

	/**
	 * Below the web server's phases, {@code DEFAULT_PHASE - 2048} the lowest, and below
	 * 0, which beans have that do not say: what stops later returns more.
	 */
	static final int PHASE = Integer.MIN_VALUE / 2;

	private static final Logger logger = LoggerFactory.getLogger(HiLoLifecycle.class);

	private final HiLoEngine engine;

	private final List<String> warmUp;

	private final StartUpResync resync;

	private volatile boolean running;

	HiLoLifecycle(HiLoEngine engine, List<String> warmUp, StartUpResync resync) {
		this.engine = engine;
		this.warmUp = warmUp;
		this.resync = resync;
	}

	@Override
	public void start() {
		this.engine.resume();
		this.resync.runOnce();
		this.running = true;
		if (!this.warmUp.isEmpty()) {
			try {
				this.engine.warmUp(this.warmUp);
			}
			catch (RuntimeException ex) {
				logger.warn("Not every sequence of hilo.warm-up has a range yet; the first id that is asked for"
						+ " will try again", ex);
			}
		}
	}

	@Override
	public void stop() {
		if (!this.engine.pause()) {
			logger.warn("Not every unused range could be returned in time; what is left becomes a gap");
		}
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

}
