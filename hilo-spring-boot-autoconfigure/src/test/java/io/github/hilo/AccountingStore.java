package io.github.hilo;

import java.util.concurrent.CompletionStage;

/**
 * Keeps account of one process's requests, so that every number that is lost can be
 * explained.
 */
final class AccountingStore implements RangeStore {

	private final RangeStore store;

	private final Judge judge;

	private long underWay;

	AccountingStore(RangeStore store, Judge judge) {
		this.store = store;
		this.judge = judge;
	}

	/**
	 * How many numbers are being requested or returned.
	 */
	long underWay() {
		return this.underWay;
	}

	@Override
	public String database() {
		return this.store.database();
	}

	@Override
	public String document(String sequence) {
		return this.store.document(sequence);
	}

	@Override
	public CompletionStage<ReservedRange> reserve(String sequence, RangeRequest request) {
		this.underWay += request.size();
		return this.store.reserve(sequence, request).whenComplete((range, failure) -> {
			this.underWay -= request.size();
			if (failure != null) {
				this.judge.mayLose(request.size());
			}
		});
	}

	@Override
	public CompletionStage<Boolean> giveBack(String sequence, RangeReturn unused) {
		this.underWay += unused.count();
		return this.store.giveBack(sequence, unused).whenComplete((done, failure) -> {
			this.underWay -= unused.count();
			if (!Boolean.TRUE.equals(done)) {
				this.judge.mayLose(unused.count());
			}
		});
	}

}
