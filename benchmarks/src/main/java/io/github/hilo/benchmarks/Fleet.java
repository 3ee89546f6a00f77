package io.github.hilo.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;

/**
 * A simulation of many processes that count in one document. The document serves one
 * reservation after the other, each in the same time; ids that are asked for while their
 * process waits for a range are not asked for again later.
 */
final class Fleet {

	/**
	 * On the network, there and back.
	 */
	private static final long ROUND_TRIP_NANOS = 1_000_000;

	private final PriorityQueue<Event> events = new PriorityQueue<>();

	private final List<FleetProcess> processes = new ArrayList<>();

	/**
	 * 0 if the document answers at once.
	 */
	private final long serviceNanos;

	private final long endNanos;

	private final long steadyNanos;

	private long freeAtNanos;

	private long reservations;

	private long steadyReservations;

	private double missedIds;

	private long steadyWaits;

	private long longestWaitNanos;

	private long longestSteadyWaitNanos;

	private long scheduled;

	private Fleet(long serviceNanos, long endNanos) {
		this.serviceNanos = serviceNanos;
		this.endNanos = endNanos;
		this.steadyNanos = endNanos / 2;
	}

	/**
	 * Simulates processes that all start within the same second, each with a rate of its
	 * own around the average.
	 * @param count the number of processes
	 * @param idsPerSecond of all together
	 * @param maxSize {@code hilo.range.max-size}
	 * @param capacity reservations per second that the document stands
	 */
	static Outcome simulate(int count, double idsPerSecond, long maxSize, double capacity, long seconds) {
		Fleet fleet = new Fleet(Math.max(1, Math.round(1e9 / capacity)), seconds * 1_000_000_000L);
		Random random = new Random(count);
		double total = 0;
		for (int i = 0; i < count; i++) {
			double rate = idsPerSecond / count * (0.5 + random.nextDouble());
			FleetProcess process = new FleetProcess(fleet, maxSize, Math.max(1, Math.round(1e9 / rate)));
			fleet.processes.add(process);
			fleet.schedule((long) (random.nextDouble() * 1e9), process, Kind.USED_UP);
			total += process.idsPerSecond();
		}
		fleet.run();
		double steadySeconds = (fleet.endNanos - fleet.steadyNanos) / 1e9;
		return new Outcome(fleet.steadyReservations / steadySeconds, 1 - fleet.missedIds / (total * steadySeconds),
				fleet.steadyWaits * 3600 / steadySeconds / count, fleet.longestWaitNanos / 1e6,
				fleet.longestSteadyWaitNanos / 1e6);
	}

	/**
	 * Simulates one process with a document that answers at once.
	 * @return the number of reservations for so many ids
	 */
	static long reservations(long ids, long idsPerSecond, long maxSize) {
		long pauseNanos = 1_000_000_000L / idsPerSecond;
		// The last id is asked for a pause before the end.
		Fleet fleet = new Fleet(0, (ids - 1) * pauseNanos);
		fleet.schedule(0, new FleetProcess(fleet, maxSize, pauseNanos), Kind.USED_UP);
		fleet.run();
		return fleet.reservations;
	}

	void schedule(long atNanos, FleetProcess process, Kind kind) {
		this.events.add(new Event(atNanos, this.scheduled++, process, kind));
	}

	void reserve(FleetProcess process, long nowNanos) {
		if (this.serviceNanos == 0) {
			schedule(nowNanos, process, Kind.ANSWERED);
			return;
		}
		long arrivesNanos = nowNanos + ROUND_TRIP_NANOS / 2;
		this.freeAtNanos = Math.max(this.freeAtNanos, arrivesNanos) + this.serviceNanos;
		schedule(this.freeAtNanos + ROUND_TRIP_NANOS / 2, process, Kind.ANSWERED);
	}

	void waited(FleetProcess process, long sinceNanos, long nowNanos) {
		this.longestWaitNanos = Math.max(this.longestWaitNanos, nowNanos - sinceNanos);
		if (nowNanos > this.steadyNanos) {
			this.steadyWaits++;
			this.longestSteadyWaitNanos = Math.max(this.longestSteadyWaitNanos, nowNanos - sinceNanos);
			this.missedIds += (nowNanos - Math.max(sinceNanos, this.steadyNanos)) / 1e9 * process.idsPerSecond();
		}
	}

	private void run() {
		for (Event event = this.events.poll(); event != null
				&& event.atNanos <= this.endNanos; event = this.events.poll()) {
			switch (event.kind) {
				case USED_UP -> event.process.usedUp(event.atNanos);
				case HALF_USED -> event.process.halfUsed(event.atNanos);
				case ANSWERED -> {
					this.reservations++;
					if (event.atNanos > this.steadyNanos) {
						this.steadyReservations++;
					}
					event.process.answered(event.atNanos);
				}
			}
		}
	}

	/**
	 * What happens to a process.
	 */
	enum Kind {

		USED_UP, HALF_USED, ANSWERED

	}

	/**
	 * What happens, and when; what happens at the same time happens in the order in which
	 * it was scheduled.
	 */
	private record Event(long atNanos, long number, FleetProcess process, Kind kind) implements Comparable<Event> {

		@Override
		public int compareTo(Event other) {
			int order = Long.compare(this.atNanos, other.atNanos);
			return (order != 0) ? order : Long.compare(this.number, other.number);
		}

	}

	/**
	 * What came of it; all but the cold start's is taken from the second half.
	 *
	 * @param reservationsPerSecond that the document served
	 * @param issued the share of the ids that were asked for
	 * @param waitsPerHour how often a process had to wait
	 * @param coldWaitMillis the longest wait of all
	 * @param steadyWaitMillis the longest wait in the second half
	 */
	record Outcome(double reservationsPerSecond, double issued, double waitsPerHour, double coldWaitMillis,
			double steadyWaitMillis) {
	}

}
