package io.github.hilo.processes;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import org.springframework.context.SmartLifecycle;
import org.springframework.data.mongodb.core.MongoTemplate;

/**
 * Threads that insert orders while the application runs. Like a web server, they start
 * last and stop first, and what is in flight ends before the stop does.
 */
final class OrderInserts implements SmartLifecycle {

	private final MongoTemplate template;

	private final int threads;

	private final AtomicLong acknowledged = new AtomicLong();

	private CompletableFuture<?> inserts = CompletableFuture.completedFuture(null);

	private volatile boolean running;

	OrderInserts(MongoTemplate template, int threads) {
		this.template = template;
		this.threads = threads;
	}

	@Override
	public void start() {
		this.running = true;
		this.inserts = CompletableFuture.allOf(IntStream.range(0, this.threads)
			.mapToObj((i) -> CompletableFuture.runAsync(this::insert, (task) -> new Thread(task, "inserts").start()))
			.toArray(CompletableFuture[]::new));
	}

	@Override
	public void stop() {
		this.running = false;
		this.inserts.join();
		say(InsertingProcess.ACKNOWLEDGED + this.acknowledged);
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	/**
	 * If an insert fails, ends the process without its shutdown, which would wait for
	 * this thread.
	 */
	private void insert() {
		try {
			while (this.running) {
				this.template.insert(new InsertingProcess.Order(null));
				if (this.acknowledged.incrementAndGet() == 1) {
					say(InsertingProcess.INSERTING);
				}
			}
		}
		catch (Throwable ex) {
			say(ex.toString());
			Runtime.getRuntime().halt(1);
		}
	}

	private static void say(String line) {
		System.out.println(line);
		System.out.flush();
	}

}
