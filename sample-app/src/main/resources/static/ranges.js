// What is known of the numbers of one sequence: the endpoint shows the live ranges alone, this page remembers others.

const KEPT = 20;

/** What a process starts with. */
const NOTHING = { issued: 0, reserved: 0, returned: 0, reservations: 0 };

/**
 * One sequence of one process, as last seen, and the ranges that it had before: `{kind, min, max, at, from}`, where `at`
 * is when the range was reserved and `from` where it began. Numbers of ranges are BigInts.
 */
export class SequenceHistory {

	#earlier = NOTHING;

	constructor() {
		this.snapshot = NOTHING;
		this.past = [];
	}

	/** What the process has counted, and those before it that are shown in its place. */
	get counts() {
		const total = Object.fromEntries(Object.keys(NOTHING).map((name) => [name, this.#earlier[name] + this.snapshot[name]]));
		return { ...total, left: sum(liveRanges(this.snapshot).map(({ remaining }) => remaining)) };
	}

	update(described) {
		// It was started anew.
		if (described.reservations < this.snapshot.reservations) {
			this.end(null);
		}
		const before = this.snapshot;
		this.snapshot = { ...described, range: rangeOf(described.range), next: rangeOf(described.next) };
		const live = liveRanges(this.snapshot);
		const gone = liveRanges(before).filter(({ min }) => !live.some((range) => range.min === min));
		const returned = this.snapshot.returned - before.returned;
		this.#remember((live.length === 0) ? givenUp(gone, returned)
			: gone.map((range) => ({ ...range, kind: "past", max: (returned > 0) ? range.last : range.max })));
	}

	/** The process has ended: what it held is above this counter, and was returned, or nobody gets it. */
	end(counter) {
		const live = liveRanges(this.snapshot);
		const back = (counter === null) ? 0 : sum(live.map(({ last, max }) => Math.max(0, Number(max - highest(last, counter)))));
		this.#remember(givenUp(live, back));
		const { left, ...counts } = this.counts;
		this.#earlier = { ...counts, returned: counts.returned + back };
		this.snapshot = { ...NOTHING, document: this.snapshot.document, consecutive: this.snapshot.consecutive };
	}

	#remember(ranges) {
		const pieces = ranges.map(({ kind, min, max, at, from }) => ({ kind, min, max, at, from }));
		this.past = [...this.past, ...pieces].filter(({ min, max }) => min <= max).slice(-KEPT);
	}

}

/** Only numbers at the very end of the line can go back: the newest first, and the rest is a gap. */
function givenUp(ranges, returned) {
	return ranges.sort(byNumber).reverse().flatMap((range) => {
		const isBack = returned >= range.remaining;
		returned -= isBack ? range.remaining : 0;
		return [{ ...range, kind: "lost", min: range.last + 1n, max: isBack ? range.last : range.max },
			{ ...range, kind: "past", max: range.last }];
	});
}

function rangeOf(described) {
	if (!described) {
		return null;
	}
	const min = BigInt(described.min);
	const last = (described.last === undefined) ? min - 1n : BigInt(described.last);
	return { ...described, min, max: BigInt(described.max), last, from: min, at: Date.parse(described.reservedAt) };
}

export function liveRanges({ range, next }) {
	return [range, next].filter((one) => one);
}

/**
 * Lays out the numbers from 1 to the counter.
 * @param parts `{slot, stale, history}` of each process
 * @param max where the counter stands, or null where that is unknown
 * @param kept how many of the ranges that nobody holds are shown; the others are folded with their neighbours
 * @return cells `{slot, kind, min, max, left, stale}` in the order of their numbers, without a hole. A fold has `owners`,
 * the slots of the processes that had a part of it, `others`, whether it is not all theirs, and, where that can be told,
 * how many `ranges` it is and how many of its numbers are `lost`
 */
export function cellsOf(parts, max, kept) {
	const all = withUnseen(painted(parts).map((one) => upTo(one, max)).filter((one) => one.min <= one.max).sort(byNumber), max);
	const stay = all.filter(({ kind }) => ["past", "lost"].includes(kind)).slice(-kept);
	const isFixed = (one) => ["live", "next"].includes(one.kind) || stay.includes(one);
	const cells = [];
	let isOpen = false;
	for (const one of all) {
		if (isFixed(one) || !isOpen) {
			cells.push(one);
		}
		else {
			cells.push({ kind: "fold", slot: "none", min: cells.pop().min, max: one.max });
		}
		isOpen = !isFixed(one);
	}
	tellFolds(cells, parts);
	return cells;
}

/** A later range begins only among numbers that were returned, so it covers what an earlier one had there. */
function painted(parts) {
	const layers = parts.flatMap(({ slot, stale, history: { snapshot, past } }) => [
		...past.map((one) => ({ ...one, slot, left: 0 })),
		...liveRanges(snapshot).map((range) => ({ ...range, slot, stale, left: range.remaining, kind: (range === snapshot.next) ? "next" : "live" }))
	]).sort((one, other) => one.at - other.at);
	return layers.reduce((known, layer) => [...known.flatMap((one) => outside(one, layer)), layer], []);
}

function outside(one, { min, max }) {
	if (one.max < min || max < one.min) {
		return [one];
	}
	const rest = { ...one, left: 0, kind: (one.kind === "lost") ? "lost" : "past" };
	return [{ ...rest, max: min - 1n }, { ...rest, min: max + 1n }].filter((piece) => piece.min <= piece.max);
}

/** What is above the counter was returned. */
function upTo(one, max) {
	if (max === null || one.max <= max) {
		return one;
	}
	const left = Math.max(0, one.left - Number(one.max - max));
	return { ...one, max, left, kind: (one.kind === "lost" || left > 0) ? one.kind : "past" };
}

function withUnseen(known, max) {
	const all = [];
	let next = 1n;
	for (const one of [...known, { min: (max ?? known.at(-1)?.max ?? 0n) + 1n }]) {
		if (one.min > next) {
			all.push({ kind: "fold", slot: "none", min: next, max: one.min - 1n });
		}
		if (one.kind) {
			all.push(one);
			next = one.max + 1n;
		}
	}
	return all;
}

/** Derives whose the folded numbers are from what each process counts and from what is shown of it. */
function tellFolds(cells, parts) {
	const folds = cells.filter(({ kind }) => kind === "fold");
	const rest = parts.map(({ slot, history }) => {
		const { reserved, returned, issued, left, reservations } = history.counts;
		const shown = cells.filter((one) => one.slot === slot);
		return {
			slot, own: reserved - returned - sum(shown.map(sizeOf)),
			ranges: reservations - new Set(shown.map(({ at, from }) => `${from} ${at}`)).size,
			lost: reserved - returned - issued - left - sum(shown.filter(({ kind }) => kind === "lost").map(sizeOf))
		};
	});
	const owners = rest.filter(({ own }) => own > 0).map(({ slot }) => slot);
	const others = sum(rest.map(({ own }) => Math.max(0, own))) < sum(folds.map(sizeOf));
	const isAll = folds.length === 1 && !others;
	for (const fold of folds) {
		Object.assign(fold, { owners, others, slot: (owners.length === 1 && !others) ? owners[0] : "none" });
		if (isAll) {
			Object.assign(fold, { ranges: sum(rest.map(({ ranges }) => ranges)), lost: sum(rest.map(({ lost }) => lost)) });
		}
	}
}

export function sizeOf({ min, max }) {
	return Number(max - min) + 1;
}

function byNumber(one, other) {
	return (one.min < other.min) ? -1 : (one.min > other.min) ? 1 : 0;
}

export function highest(...numbers) {
	return numbers.reduce((one, other) => (one > other) ? one : other);
}

export function sum(values) {
	return [...values].reduce((total, value) => total + value, 0);
}
