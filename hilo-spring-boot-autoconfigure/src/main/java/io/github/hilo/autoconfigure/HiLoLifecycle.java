package io.github.hilo.autoconfigure;

import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.mapping.MappingReport;
import io.github.hilo.internal.text.DocumentIdFormat;
import io.github.hilo.internal.text.Names;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;
import org.springframework.util.ClassUtils;

/**
 * Returns unused ranges when the application stops or is paused, after all beans that
 * serve requests have stopped. At start-up it logs which types get ids, and reserves the
 * ranges of {@code hilo.warm-up}.
 * <p>
 * Thread-safe: the context calls start and stop one after the other, and other threads
 * read only the volatile {@code running}.
 */
final class HiLoLifecycle implements SmartLifecycle {

	/**
	 * Stops later than the web server, whose lowest phase is 2048 below
	 * {@code DEFAULT_PHASE}, and later than beans without a phase, which have 0. So these
	 * beans need no number after the ranges are returned.
	 */
	static final int PHASE = Integer.MIN_VALUE / 2;

	private static final Logger logger = LoggerFactory.getLogger(HiLoLifecycle.class);

	// In a path of WebFlux, {id} matches an encoded slash.
	private static final boolean SERVLETS = ClassUtils.isPresent("org.springframework.web.servlet.DispatcherServlet",
			HiLoLifecycle.class.getClassLoader());

	private final HiLoEngine engine;

	private final HiLoProperties properties;

	private final MappingReport report;

	private boolean startedBefore;

	private volatile boolean running;

	HiLoLifecycle(HiLoEngine engine, HiLoProperties properties, MappingReport report) {
		this.engine = engine;
		this.properties = properties;
		this.report = report;
	}

	@Override
	public void start() {
		this.engine.resume();
		if (!this.startedBefore) {
			introduce();
			this.startedBefore = true;
		}
		this.running = true;
		if (!this.properties.warmUp().isEmpty()) {
			try {
				this.engine.warmUp(this.properties.warmUp());
			}
			catch (RuntimeException ex) {
				logger.warn("Not every sequence of hilo.warm-up has a range yet; the first call for an id tries again",
						ex);
			}
		}
	}

	private void introduce() {
		DocumentIdFormat usual = this.properties.formatOf("");
		logger.info("HiLo ids have {} and separator {}{}{}, and are counted in collection {}. {}",
				usual.nodeTag().isEmpty() ? "no node tag" : "node tag " + Names.quoted(usual.nodeTag()),
				Names.quoted(usual.separator()),
				(usual.separator().equals("/") && SERVLETS) ? " ('{id}' in a path does not match an id with '/': use"
						+ " '{*id}', or set hilo.identity-parts-separator before the first id is stored)" : "",
				(usual.digits() > 1) ? ", at least " + usual.digits() + " digits" : "",
				Names.quoted(this.properties.counter().collection()), whoGetsIds());
	}

	private String whoGetsIds() {
		return (this.properties.assignIds() == AssignIds.NONE)
				? "No document gets an id from hilo: hilo.assign-ids is none"
				: "Documents get ids and numbers before they are saved: " + this.report.start() + ". "
						+ this.report.rule();
	}

	@Override
	public void stop() {
		this.engine.pause();
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
