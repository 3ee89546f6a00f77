// The number line of one sequence: one row, which ends at MongoDB's counter.

import { arrange, element, number, plural, setText } from "./dom.js";
import { cellsOf, highest, liveRanges, sizeOf } from "./ranges.js";

/** Above that, a number is too small to be seen. */
const MOST_NUMBERS = 64;
const FIRST_RANGE = 32n;
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
		this.element.append(header, this.line);
	}

	/**
	 * Shows the sequence.
	 * @param parts `{slot, label, stale, isFollowed, history}` of each process that knows it
	 * @param counter `{max, isOld}`: where its counter stood, or null, and whether it may have moved since
	 * @param kept how many ranges that nobody holds have a cell of their own
	 */
	update(parts, counter, kept) {
		const labels = new Map(parts.map(({ slot, label }) => [slot, label]));
		const reserved = parts.filter(({ stale }) => counter.isOld || !stale).flatMap(({ history }) => liveRanges(history.snapshot).map(({ max }) => max));
		// A range may be known before the counter was read again.
		const max = (counter.max === null) ? null : highest(counter.max, ...reserved);
		const trips = this.#tripsOf(parts);
		const before = (trips.length > 0) ? this.#places() : null;
		const cells = (parts.length > 0 || max > 0n) ? cellsOf(parts, max, kept)
			: [{ kind: "ghost", slot: "none", min: 1n, max: FIRST_RANGE, left: 32 }];
		const isStrict = parts.some(({ history }) => history.snapshot.consecutive);
		const used = new Map();
		const fresh = [];
		for (const cell of cells) {
			const key = (cell.kind === "fold") ? `fold ${cell.min}` : `${cell.slot}:${cell.min}`;
			const view = this.#cells.get(key) ?? newCell();
			used.set(key, view);
			if (!this.#cells.has(key) && ["live", "next"].includes(cell.kind)) {
				fresh.push(view);
			}
			show(view, { ...cell, isStrict }, labels, this.#cells.has(key));
		}
		this.#cells = used;
		arrange(this.line, [...used.values(), this.counter]);
		this.line.style.gridTemplateColumns = `${cells.map((cell) => `minmax(var(--least), ${weightOf(cell)}fr)`).join(" ")} auto`;
		const stood = (max === null) ? "Max unknown" : (parts.length > 0 || max > 0n) ? `Max = ${number(max)}` : "no counter yet";
		setText(this.counter.lastChild, counter.isOld && max !== null ? `${stood} when last seen` : stood);
		this.counter.dataset.stale = String(counter.isOld);
		setText(this.counts, parts.map(({ label, history }) => countsOf(label, history.counts)).join(" · "));
		if (before) {
			this.#animate(trips, before, fresh);
		}
	}

	/** What happened since the last look, at processes that had been looked at before. */
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
		return new Map([...this.line.querySelectorAll("[data-kind='live'], [data-kind='next']")]
			.map((one) => [one.dataset.slot, one.getBoundingClientRect()]));
	}

	/** A request goes from its process's range to the counter and comes back with a range, which grows from the line's end. */
	#animate(trips, places, fresh) {
		const counter = this.counter.getBoundingClientRect();
		const home = this.element.getBoundingClientRect();
		const timing = { duration: GROWTH_MILLIS, delay: TRIP_MILLIS / 2, fill: "backwards", easing: "ease-out" };
		for (const cell of fresh) {
			cell.animate([{ clipPath: "inset(0 100% 0 0)" }, { clipPath: "inset(0)" }], timing);
		}
		for (const { slot, text, isReturn } of trips.filter((trip) => !this.#flying.has(trip.text))) {
			const token = element("span", "tag token", text);
			token.dataset.slot = slot;
			token.setAttribute("aria-hidden", "true");
			this.element.append(token);
			this.#flying.add(text);
			const to = (x, y) => ({ transform: `translate(${x - home.x}px, ${y - home.y}px)` });
			const target = to(counter.x + 4, counter.y + 4);
			const start = places.get(String(slot)) ?? { right: home.x, y: counter.y };
			const got = fresh.filter((cell) => cell.dataset.slot === token.dataset.slot).at(-1)?.getBoundingClientRect() ?? counter;
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
	return `${label}: ${plural(issued, "id")}, ${plural(reservations, "trip")}${back}`;
}

/** To scale, a range of 128 beside one of 8,192 could not be seen. */
function weightOf(cell) {
	const size = Math.log2(sizeOf(cell) + 1);
	return ["live", "next", "ghost"].includes(cell.kind) ? 3 + size : (cell.kind === "fold") ? 5 : 2 + size / 2;
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
	const size = sizeOf(cell);
	for (const name of ["kind", "slot", "min", "max"]) {
		view.dataset[name] = cell[name];
	}
	view.dataset.stale = String(Boolean(cell.stale));
	const tag = view.querySelector(".tag");
	tag.hidden = !labels.has(cell.slot);
	setText(tag, labels.get(cell.slot) ?? "");
	setText(view.querySelector(".numbers"), (size === 1) ? number(cell.min) : `${number(cell.min)} to ${number(cell.max)}`);
	setText(view.querySelector(".note"), noteOf(cell, size, labels));
	const bar = view.querySelector(".bar");
	const isSmall = (cell.isStrict || ["live", "next", "lost", "ghost"].includes(cell.kind)) && size <= MOST_NUMBERS;
	bar.classList.toggle("small", isSmall);
	arrange(bar, Array.from({ length: isSmall ? size : 1 }, (_, index) => bar.children[index] ?? element("i", "")));
	if (isSmall) {
		const used = (cell.kind === "lost") ? 0 : size - (cell.left ?? 0);
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
	}
}

function noteOf({ kind, left, stale, isStrict, ranges, lost, owners, others }, size, labels) {
	const seen = stale ? " when last seen" : "";
	switch (kind) {
		case "ghost": return "the first order reserves these";
		case "lost": return `gap, ${number(size)} never used`;
		case "past": return "used up";
		case "next": return `next, ${number(left)} left${seen}`;
		case "live": return (left === 0) ? `all ${number(size)} used` : `${number(size - left)} used, ${number(left)} left${seen}`;
	}
	const names = owners.map((slot) => labels.get(slot));
	if (isStrict && !others) {
		return "strict order: one trip for each number";
	}
	if (ranges === undefined) {
		return [...names, ...(others ? ["other processes"] : [])].join(" and ");
	}
	if (ranges === 1 && lost === 0) {
		return "used up";
	}
	return `${plural(ranges, "range")}${names.length > 1 ? ` of ${names.join(" and ")}` : ""}${lost > 0 ? `, ${number(lost)} never used` : ""}`;
}
