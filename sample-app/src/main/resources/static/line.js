// The number line of one sequence, which ends at MongoDB's counter.

import { arrange, element, number, plural, setText } from "./dom.js";
import { cellsOf, liveRanges } from "./history.js";

/** Above that, a number is too small to be seen. */
const MOST_NUMBERS = 64;
const TRIP_MILLIS = 900;
const GROWTH_MILLIS = 400;

const still = matchMedia("(prefers-reduced-motion: reduce)");

export class SequenceView {

	#cells = new Map();
	#counts = new Map();
	#flying = new Set();

	constructor(name, database) {
		this.element = element("article", "sequence");
		const header = element("header", "");
		this.counts = element("p", "counts");
		header.append(element("h3", "", name), element("span", "database", `in database ${database}`), this.counts);
		this.line = element("ol", "line");
		this.counter = element("li", "counter");
		this.counter.append(element("strong", "", "MongoDB"), element("span", "max"));
		this.none = element("li", "none");
		this.element.append(header, this.line);
	}

	/**
	 * Shows the sequence.
	 * @param parts `{slot, label, stale, isFollowed, history}` of each node that knows it
	 * @param counter where its counter stands, or null where that is unknown
	 */
	update(parts, counter) {
		const labels = new Map(parts.map(({ slot, label }) => [slot, label]));
		const reserved = parts.filter(({ stale }) => !stale).flatMap(({ history }) => liveRanges(history.snapshot).map(({ max }) => max));
		// A range may be known before the counter was read again.
		const max = (counter === null) ? null : reserved.reduce((one, other) => (one > other) ? one : other, counter);
		const cells = cellsOf(parts, max);
		const trips = this.#tripsOf(parts);
		const before = (trips.length > 0) ? this.#places() : null;
		const used = new Map();
		const fresh = [];
		for (const cell of (parts.length > 0) ? cells : [{ kind: "ghost", slot: "none", min: (max ?? 0n) + 1n, max: (max ?? 0n) + 32n, left: 32 }]) {
			const key = `${cell.slot}:${cell.min}`;
			const view = this.#cells.get(key) ?? newCell();
			used.set(key, view);
			if (!this.#cells.has(key) && ["live", "next"].includes(cell.kind)) {
				fresh.push(view);
			}
			show(view, cell, labels, this.#cells.has(key));
		}
		this.#cells = used;
		const isStrict = parts.some(({ history }) => history.snapshot.consecutive);
		setText(this.none, isStrict ? "In strict order: each number is a reservation of its own, and nothing is held."
			: "No range is held. The next id reserves one.");
		arrange(this.line, [...used.values(), ...(used.size === 0) ? [this.none] : [], this.counter]);
		setText(this.counter.lastChild, (max === null) ? "Max unknown" : (parts.length > 0 || max > 0n) ? `Max = ${number(max)}` : "no counter yet");
		this.counter.dataset.stale = String(max === null);
		setText(this.counts, parts.map(({ label, history }) => countsOf(label, history.counts)).join(" · "));
		if (before) {
			this.#animate(trips, before, fresh);
		}
	}

	/** What happened since the last look, at nodes that had been looked at before. */
	#tripsOf(parts) {
		const trips = [];
		const counts = new Map();
		for (const { slot, label, isFollowed, history } of parts) {
			const now = history.counts;
			const last = this.#counts.get(slot) ?? (isFollowed ? { reservations: 0, returned: 0 } : now);
			counts.set(slot, now);
			if (now.reservations > last.reservations) {
				const times = now.reservations - last.reservations;
				trips.push({ slot, text: (times === 1) ? label : `${label} ×${number(times)}`, isReturn: false });
			}
			else if (now.returned > last.returned) {
				trips.push({ slot, text: `${label} −${number(now.returned - last.returned)}`, isReturn: true });
			}
		}
		this.#counts = counts;
		return (still.matches || document.hidden) ? [] : trips;
	}

	#places() {
		const places = new Map([...this.line.children].filter(({ dataset }) => dataset.kind !== "past" && dataset.kind !== "gap")
			.map((one) => [one.dataset.slot, one.getBoundingClientRect()]));
		return { places, counter: this.counter.getBoundingClientRect() };
	}

	/** A request goes from its node's range to the counter and comes back with a range, which grows from the line's end. */
	#animate(trips, { places, counter }, fresh) {
		const now = this.counter.getBoundingClientRect();
		const home = this.element.getBoundingClientRect();
		const moved = `translate(${counter.x - now.x}px, ${counter.y - now.y}px)`;
		const isReturn = trips.every((trip) => trip.isReturn);
		const timing = { duration: GROWTH_MILLIS, delay: isReturn ? 0 : TRIP_MILLIS / 2, fill: "backwards", easing: "ease-out" };
		this.counter.animate([{ transform: moved }, { transform: "none" }], timing);
		for (const cell of fresh) {
			cell.animate([{ clipPath: "inset(0 100% 0 0)" }, { clipPath: "inset(0)" }], timing);
		}
		for (const { slot, text } of trips.filter((trip) => !this.#flying.has(trip.text))) {
			const token = element("span", "tag token", text);
			token.dataset.slot = slot;
			token.setAttribute("aria-hidden", "true");
			this.element.append(token);
			this.#flying.add(text);
			const to = (x, y) => ({ transform: `translate(${x - home.x}px, ${y - home.y}px)` });
			const start = places.get(String(slot)) ?? { right: home.x, y: counter.y };
			const target = to(counter.x + 4, counter.y + 4);
			const got = fresh.filter((cell) => cell.dataset.slot === token.dataset.slot).at(-1)?.getBoundingClientRect() ?? now;
			const path = isReturn ? [to(start.right, start.y), target]
				: [to(start.right, start.y), { ...target, offset: 0.45 }, { ...target, offset: 0.55 }, to(got.x, got.y)];
			token.animate(path, { duration: TRIP_MILLIS, easing: "ease-in-out" }).addEventListener("finish", () => {
				token.remove();
				this.#flying.delete(text);
			});
		}
	}

}

function countsOf(label, { issued, reservations, returned }) {
	const back = returned ? `, ${number(returned)} returned` : "";
	return `${label}: ${plural(issued, "id")}, ${plural(reservations, "reservation")}${back}`;
}

function newCell() {
	const cell = element("li", "cell");
	const span = element("div", "span");
	span.append(element("span", "tag"), element("span", "numbers"));
	const bar = element("div", "bar");
	bar.setAttribute("aria-hidden", "true");
	cell.append(span, bar, element("div", "note"));
	return cell;
}

function show(view, cell, labels, isKnown) {
	const size = Number(cell.max - cell.min) + 1;
	const isGap = cell.kind === "gap";
	const owners = isGap ? [...cell.owners].sort().map((slot) => labels.get(slot)) : [];
	for (const name of ["kind", "slot", "min", "max"]) {
		view.dataset[name] = cell[name];
	}
	view.dataset.stale = String(Boolean(cell.stale));
	const tag = view.querySelector(".tag");
	tag.hidden = !labels.has(cell.slot);
	setText(tag, labels.get(cell.slot) ?? "");
	setText(view.querySelector(".numbers"), isGap ? "…" : spanOf(cell));
	setText(view.querySelector(".note"), isGap ? gapNoteOf(cell, owners) : noteOf(cell, size));
	view.title = isGap ? `${spanOf(cell)}: ${gapTitleOf(cell, owners)}` : "";
	const bar = view.querySelector(".bar");
	const isSmall = ["live", "next", "lost", "ghost"].includes(cell.kind) && size <= MOST_NUMBERS;
	bar.classList.toggle("small", isSmall);
	arrange(bar, Array.from({ length: isSmall ? size : 1 }, (_, index) => bar.children[index] ?? element("i", "")));
	if (isSmall) {
		const used = (cell.kind === "lost") ? 0 : size - cell.left;
		[...bar.children].forEach((one, index) => {
			const isUsed = index < used;
			if (isUsed !== one.classList.contains("used")) {
				one.className = isUsed ? `used${isKnown ? " lit" : ""}` : "";
			}
		});
	}
	else {
		bar.firstChild.className = "";
		bar.firstChild.style.setProperty("--used", `${100 * (1 - (cell.left ?? 0) / size)}%`);
		// To scale, a range of 128 beside one of 8,192 could not be seen.
		bar.style.width = isGap ? "" : `${2 + 1.2 * Math.log2(size)}rem`;
	}
}

function spanOf({ min, max }) {
	return (min === max) ? number(min) : `${number(min)}–${number(max)}`;
}

function gapNoteOf({ isFirst, unknown }, owners) {
	if (owners.length > 0) {
		return `used up by ${[...owners, ...(unknown > 0n ? ["others"] : [])].join(" and ")}`;
	}
	return isFirst ? "earlier" : "not seen";
}

function gapTitleOf({ isFirst }, owners) {
	if (owners.length > 0) {
		return "ranges that were reserved and used up before, or between two looks of this page";
	}
	return isFirst ? "issued before this page was opened, or before what it remembers"
		: "ranges of a process that this page does not look at, or that it does not remember";
}

function noteOf({ kind, left, stale, ranges = 1 }, size) {
	const seen = stale ? " when last seen" : "";
	if (kind === "ghost") {
		return "reserved by the next order";
	}
	if (kind === "lost") {
		return `gap, ${number(size)} never used`;
	}
	if (kind === "past") {
		return (ranges === 1) ? "used up" : `${ranges ? number(ranges) : "several"} ranges, used up`;
	}
	if (kind === "next") {
		return `next, ${number(left)} left${seen}`;
	}
	return (left === 0) ? `all ${number(size)} used` : `${number(size - left)} used, ${number(left)} left${seen}`;
}
