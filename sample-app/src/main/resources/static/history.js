// What the page remembers of a node: the endpoint shows the live ranges alone.

const KEPT = 20;
const SHOWN = 7;
const BUCKET_SECONDS = 2;
const BUCKETS = 60 / BUCKET_SECONDS;

/** What a process starts with. */
const NOTHING = { issued: 0, reserved: 0, returned: 0, reservations: 0, range: null, next: null };

/**
 * One sequence of one node, as last seen, and the ranges that it had before: `{kind, min, max}`, and `count` where
 * that many of these numbers are known to have been the node's, without the places. Numbers of ranges are BigInts.
 */
export class SequenceHistory {

	#earlier = NOTHING;

	constructor() {
		this.snapshot = NOTHING;
		this.past = [];
	}

	/** What the process has counted, and those before it that are shown in its place. */
	get counts() {
		const total = (name) => this.#earlier[name] + this.snapshot[name];
		return { issued: total("issued"), reservations: total("reservations"), returned: total("returned") };
	}

	update(described) {
		const snapshot = { ...described, range: rangeOf(described.range), next: rangeOf(described.next) };
		// Fewer reservations than before: it was started anew.
		if (snapshot.reservations < this.snapshot.reservations) {
			this.end();
		}
		const before = this.snapshot;
		const past = this.past;
		this.snapshot = snapshot;
		const known = liveRanges(before);
		const returned = snapshot.returned - before.returned;
		if (!snapshot.range) {
			past.push(...givenUp(known, returned));
		}
		else {
			const live = liveRanges(snapshot);
			const gone = known.filter((range) => !live.some(({ min }) => min === range.min))
				.map((range) => ({ kind: "past", min: range.min, max: (returned > 0) ? range.last : range.max }));
			past.push(...gone);
			const back = known.filter((range) => gone.some(({ min }) => min === range.min))
				.map((range) => Number(range.max - range.last));
			const count = snapshot.reserved - before.reserved - returned + Math.min(returned, sum(back));
			const fresh = live.filter(({ min }) => !known.some((range) => range.min === min));
			const ranges = snapshot.reservations - before.reservations - fresh.length;
			past.push(...usedUnseen([...past, ...known], fresh, count, ranges));
		}
		this.#keep(past);
	}

	/** The process does not answer, and the counter stands at this number: what is above it was returned. */
	settle(counter) {
		const cut = (range) => (range && range.max > counter)
			? { ...range, max: (counter > range.last) ? counter : range.last, remaining: Math.max(0, Number(counter - range.last)) } : range;
		this.snapshot = { ...this.snapshot, range: cut(this.snapshot.range), next: cut(this.snapshot.next) };
	}

	/** The process has ended: what it held, nobody gets. */
	end() {
		this.#keep([...this.past, ...givenUp(liveRanges(this.snapshot), 0)]);
		this.#earlier = this.counts;
		this.snapshot = { ...NOTHING, document: this.snapshot.document, consecutive: this.snapshot.consecutive };
	}

	#keep(past) {
		this.past = past.filter((range) => range.min <= range.max).slice(-KEPT);
	}

}

/**
 * A busy sequence uses up ranges between two looks. They lie before the new ones, with those of other nodes.
 * @param known ranges that were seen
 * @param fresh ranges that were not there at the last look
 * @param count how many numbers were reserved since then
 * @param ranges how many ranges they were, without the new ones
 */
function usedUnseen(known, fresh, count, ranges) {
	const unseen = count - sum(fresh.map((range) => Number(range.max - range.min) + 1));
	if (fresh.length === 0 || unseen <= 0) {
		return [];
	}
	const start = fresh.sort(byNumber)[0].min;
	const highest = known.map(({ max }) => max).filter((max) => max < start).reduce((one, other) => (one > other) ? one : other, 0n);
	return [{ kind: "past", min: highest + 1n, max: start - 1n, count: unseen, ranges }];
}

/** Only numbers at the very end of the line can go back: the newest first, and the rest is a gap. */
function givenUp(ranges, returned) {
	return ranges.sort(byNumber).reverse().flatMap((range) => {
		const isBack = returned >= range.remaining;
		returned -= isBack ? range.remaining : 0;
		return [{ kind: "past", min: range.min, max: range.last },
			{ kind: "lost", min: range.last + 1n, max: isBack ? range.last : range.max }];
	});
}

function rangeOf(described) {
	if (!described) {
		return null;
	}
	const min = BigInt(described.min);
	const last = (described.last === undefined) ? min - 1n : BigInt(described.last);
	return { ...described, min, max: BigInt(described.max), last };
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
 * @param counter where it stands in MongoDB, or null where that is unknown
 * @return cells `{slot, kind, min, max, left, stale}` in the order of their numbers. A gap has `owners`, the slots of
 * the nodes that used up a part of it, `unknown`, how many of its numbers were not theirs, and `isFirst` where it stands
 * for all that came before
 */
export function cellsOf(parts, counter) {
	const held = parts.flatMap(({ slot, stale, history }) => liveRanges(history.snapshot).map((range) => ({
		slot, stale, min: range.min, max: range.max, left: range.remaining, reservedAt: Date.parse(range.reservedAt),
		kind: (range === history.snapshot.next) ? "next" : (stale && range.remaining === 0) ? "past" : "live"
	})));
	// A later one begins only among numbers that were returned.
	const isOver = (one) => held.some((other) => other !== one && one.min <= other.min && other.min <= one.max
		&& (one.min < other.min || one.reservedAt < other.reservedAt));
	const live = held.filter((one) => !isOver(one) && one.min <= one.max);
	const over = held.filter(isOver).map((one) => ({ ...one, kind: "past", left: 0 }));
	const past = parts.flatMap(({ slot, history }) => history.past.map((one) => ({ ...one, slot, left: 0 })))
		.filter(({ min }) => counter === null || min <= counter)
		.concat(over);
	const shared = past.filter(isShared);
	// What one node returned may be another's by now.
	const kept = past.filter((one) => !isShared(one))
		.filter((one) => !live.some((other) => other.min <= one.min && one.min <= other.max))
		.filter((one, index, all) => !all.some((other, at) => at > index && other.min === one.min));
	for (const one of kept) {
		for (const { min } of [...live, ...kept].filter((other) => other.min > one.min)) {
			one.max = (min <= one.max) ? min - 1n : one.max;
		}
	}
	const most = Math.max(2, SHOWN - live.length);
	const cells = [...live, ...kept.sort(byNumber).slice(-most)].sort(byNumber);
	const hidden = kept.slice(0, -most).filter(({ kind }) => kind === "past")
		.map((one) => ({ ...one, count: one.max - one.min + 1n }));
	return withGaps(cells, [...shared, ...hidden]);
}

/** Whether others have numbers among these. */
function isShared({ min, max, count }) {
	return count !== undefined && BigInt(count) !== max - min + 1n;
}

function withGaps(cells, shared) {
	const all = [];
	let next = 1n;
	for (const cell of cells) {
		if (cell.min > next) {
			all.push({ kind: "gap", slot: "none", min: next, max: cell.min - 1n, owners: new Set(), isFirst: next === 1n });
		}
		all.push(cell);
		next = (cell.max >= next) ? cell.max + 1n : next;
	}
	fill(all.filter(({ kind }) => kind === "gap").reverse(), shared);
	return all;
}

/**
 * Finds out whose the gaps are. A node's ranges that nobody saw came right before those that were seen.
 * @param gaps the highest first
 * @param shared ranges of which only the number of a node's own numbers is known
 */
function fill(gaps, shared) {
	for (const gap of gaps) {
		gap.unknown = gap.max - gap.min + 1n;
	}
	for (const { slot, min, max, count, ranges } of shared) {
		let left = BigInt(count);
		for (const gap of gaps.filter((one) => one.min <= max && one.max >= min && one.unknown > 0n)) {
			const own = (left < gap.unknown) ? left : gap.unknown;
			left -= own;
			gap.unknown -= own;
			if (own === gap.max - gap.min + 1n) {
				Object.assign(gap, { kind: "past", slot, ranges: (own === BigInt(count)) ? ranges : NaN });
			}
			else if (own > 0n) {
				gap.owners.add(slot);
			}
		}
	}
}

function byNumber(one, other) {
	return (one.min < other.min) ? -1 : (one.min > other.min) ? 1 : 0;
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
