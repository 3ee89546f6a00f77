// What the page remembers of a node: the endpoint shows the live ranges alone.

const KEPT = 6;
const SHOWN = 7;
const BUCKET_SECONDS = 2;
const BUCKETS = 60 / BUCKET_SECONDS;

/** One sequence of one node, as last seen, and the ranges that it had before. */
export class SequenceHistory {

	constructor() {
		this.snapshot = null;
		this.past = [];
	}

	update(snapshot) {
		const before = this.snapshot;
		this.snapshot = snapshot;
		if (!before) {
			return;
		}
		if (snapshot.reservations < before.reservations) {
			// It was started anew, perhaps on another database.
			this.past = [];
			return;
		}
		if (snapshot.range) {
			this.#usedUp(liveRanges(before), liveRanges(snapshot), snapshot.returned > before.returned);
		}
		else {
			this.#givenUp(liveRanges(before), snapshot.returned - before.returned);
		}
		this.past = this.past.filter((range) => range.min <= range.max).slice(-KEPT);
	}

	#usedUp(ranges, live, someWentBack) {
		for (const range of ranges.filter((one) => !live.some((other) => other.min === one.min))) {
			this.past.push({ kind: "past", min: range.min, max: someWentBack ? lastOf(range) : range.max });
		}
	}

	/** Only numbers at the very end of the line can go back: the newest first, and the rest is a gap. */
	#givenUp(ranges, returned) {
		for (const range of ranges.sort(byNumber).reverse()) {
			const isBack = returned >= range.remaining;
			returned -= isBack ? range.remaining : 0;
			this.past.push({ kind: "past", min: range.min, max: lastOf(range) });
			this.past.push({ kind: "lost", min: lastOf(range) + 1, max: isBack ? lastOf(range) : range.max });
		}
	}

}

function lastOf(range) {
	return range.last ?? range.min - 1;
}

/** Ranges that were reserved, and ids that were issued, in the last minute. */
export class Rate {

	#reservations = new Map();
	#issued = new Map();
	#last = null;

	update(time, counts) {
		const bucket = Math.floor(time / 1000 / BUCKET_SECONDS);
		if (this.#last) {
			add(this.#reservations, bucket, grown(this.#last.reservations, counts.reservations));
			add(this.#issued, bucket, grown(this.#last.issued, counts.issued));
		}
		this.#last = counts;
		for (const counted of [this.#reservations, this.#issued]) {
			for (const old of [...counted.keys()].filter((key) => key <= bucket - BUCKETS)) {
				counted.delete(old);
			}
		}
		this.bars = Array.from({ length: BUCKETS },
				(_, index) => this.#reservations.get(bucket - BUCKETS + 1 + index) ?? 0);
		this.reservations = sum(this.#reservations.values());
		this.issued = sum(this.#issued.values());
	}

}

export function liveRanges(snapshot) {
	return [snapshot.range, snapshot.next].filter((range) => range);
}

/**
 * Lays the ranges of several nodes on one line.
 * @param parts `{slot, stale, history}` of each node that knows the sequence
 * @return cells `{slot, kind, min, max, used, left, stale}` in the order of their numbers
 */
export function cellsOf(parts) {
	const live = parts.flatMap(({ slot, stale, history }) => liveRanges(history.snapshot).map((range) => ({
		slot, stale, min: range.min, max: range.max, left: range.remaining,
		kind: (range === history.snapshot.next) ? "next" : "live"
	})));
	const past = parts.flatMap(({ slot, stale, history }) => history.past
		.map(({ kind, min, max }) => ({ slot, stale, min, max, left: 0, kind })));
	// What one node returned may be another's by now.
	const kept = past
		.filter((one) => !live.some((other) => other.min <= one.min && one.min <= other.max))
		.filter((one, index) => !past.some((other, at) => at > index && other.min === one.min));
	for (const one of kept) {
		const following = [...live, ...kept].filter((other) => other.min > one.min).map((other) => other.min);
		one.max = Math.min(one.max, ...following.map((min) => min - 1));
	}
	const cells = [...live, ...kept.sort(byNumber).slice(-Math.max(2, SHOWN - live.length))].sort(byNumber);
	return withGaps(cells);
}

function withGaps(cells) {
	const all = [];
	let next = 1;
	for (const cell of cells) {
		if (cell.min > next) {
			all.push({ kind: "gap", slot: "none", min: next, max: cell.min - 1 });
		}
		all.push(cell);
		next = Math.max(next, cell.max + 1);
	}
	return all;
}

function byNumber(one, other) {
	return one.min - other.min;
}

function add(counted, bucket, amount) {
	counted.set(bucket, (counted.get(bucket) ?? 0) + amount);
}

function grown(before, now) {
	// A node that was started anew counts from 0.
	return (now >= before) ? now - before : now;
}

export function sum(values) {
	return [...values].reduce((total, value) => total + value, 0);
}
