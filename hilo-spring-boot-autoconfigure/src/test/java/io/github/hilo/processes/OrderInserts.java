package io.github.hilo.processes;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.data.mongodb.core.MongoTemplate;

/**
 * Threads that insert orders while the application runs. Like a web server, they start
 * last and stop first, and what is in flight ends before the stop does.
 */
final class OrderInserts implements SmartLifecycle {

	private final MongoTemplate template;

	private final List<Thread> threads;

	private final AtomicLong acknowledged = new AtomicLong();

	private volatile boolean running;

	OrderInserts(MongoTemplate template, int threads) {
		this.template = template;
		this.threads = IntStream.range(0, threads).mapToObj((i) -> new Thread(this::insert, "inserts-" + i)).toList();
	}

	@Override
	public void start() {
		this.running = true;
		this.threads.forEach(Thread::start);
	}

	@Override
	public void stop() {
		this.running = false;
		try {
			for (Thread thread : this.threads) {
				thread.join();
			}
		}
		catch (InterruptedException ex) {
			exit(InsertingProcess.EXIT_FAILED, ex);
		}
		say(InsertingProcess.ACKNOWLEDGED + this.acknowledged);
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	private void insert() {
		try {
			while (this.running) {
				this.template.insert(new InsertingProcess.Order(null));
				if (this.acknowledged.incrementAndGet() == 1) {
					say(InsertingProcess.INSERTING);
				}
			}
		}
		catch (DuplicateKeyException ex) {
			exit(InsertingProcess.EXIT_DUPLICATE, ex);
		}
		catch (Throwable ex) {
			exit(InsertingProcess.EXIT_FAILED, ex);
		}
	}

	/**
	 * Ends the process without its shutdown, which would wait for the calling thread.
	 */
	private static void exit(int status, Throwable reason) {
		say(reason.toString());
		Runtime.getRuntime().halt(status);
	}

	private static void say(String line) {
		System.out.println(line);
		System.out.flush();
	}

}
