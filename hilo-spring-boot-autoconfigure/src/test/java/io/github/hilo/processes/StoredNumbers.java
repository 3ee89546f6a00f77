package io.github.hilo.processes;

import java.util.LongSummaryStatistics;

import io.github.hilo.fixture.ApplicationDatabase;

/**
 * What the database holds of the numbers that were granted.
 *
 * @param granted the highest number that was granted to any process: {@code Max}
 * @param stored how many orders are stored; the index of {@code _id} has seen to it that
 * no two have the same number
 * @param highest the highest number of a stored order
 */
record StoredNumbers(long granted, long stored, long highest) {

	static StoredNumbers of(ApplicationDatabase database) {
		LongSummaryStatistics numbers = new LongSummaryStatistics();
		database.collection(InsertingProcess.ORDERS)
			.find()
			.forEach((order) -> numbers.accept(numberOf(order.getString("_id"))));
		return new StoredNumbers(database.max(InsertingProcess.ORDERS), numbers.getCount(), numbers.getMax());
	}

	private static long numberOf(String documentId) {
		return Long
			.parseLong(documentId.substring(InsertingProcess.ORDERS.length() + 1, documentId.length() - "-A".length()));
	}

	/**
	 * How many numbers were granted and belong to no order.
	 */
	long lost() {
		return this.granted - this.stored;
	}

}
