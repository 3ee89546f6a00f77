// The number line of one sequence.

import { arrange, element, number, plural, setText } from "./dom.js";
import { cellsOf } from "./history.js";

export class SequenceView {

	#cells = new Map();

	constructor(name, database) {
		this.element = element("article", "sequence");
		const header = element("header", "");
		this.counts = element("p", "counts");
		header.append(element("h3", "", name), element("span", "database", `in database ${database}`), this.counts);
		this.line = element("ol", "line");
		this.strict = element("p", "strict", "In strict order: each number is a reservation of its own, and nothing is held.");
		this.none = element("p", "none", "No range is held. The next id reserves one.");
		this.failures = element("div", "");
		this.element.append(header, this.line, this.strict, this.none, this.failures);
	}

	/**
	 * Shows the sequence.
	 * @param parts `{slot, label, stale, history}` of each node that knows it
	 */
	update(parts) {
		const labels = new Map(parts.map(({ slot, label }) => [slot, label]));
		const cells = cellsOf(parts);
		const used = new Map();
		for (const cell of cells) {
			const key = `${cell.slot}:${cell.min}`;
			const view = this.#cells.get(key) ?? newCell();
			used.set(key, view);
			show(view, cell, labels);
		}
		this.#cells = used;
		arrange(this.line, [...used.values()]);
		this.line.hidden = cells.length === 0;
		this.strict.hidden = !parts.some(({ history }) => history.snapshot.consecutive);
		this.none.hidden = cells.length > 0 || !this.strict.hidden;
		const counts = parts.map(({ label, history }) => countsOf(label, history.snapshot));
		setText(this.counts, `Since the start, ${counts.join(" · ")}`);
		this.#showFailures(parts);
	}

	#showFailures(parts) {
		const told = parts.flatMap(({ label, history }) => [
			...failureOf(history.snapshot.failure, `${label} got no range at`)
		]);
		arrange(this.failures, told.map((_, index) => this.failures.children[index] ?? element("p", "failure")));
		told.forEach((text, index) => setText(this.failures.children[index], text));
	}

}

function failureOf(failure, what) {
	return failure ? [`${what} ${new Date(failure.time).toLocaleTimeString("en-GB")}: ${failure.message}`] : [];
}

function countsOf(label, { issued, reservations, returned }) {
	const back = returned ? `, ${number(returned)} returned` : "";
	return `${label}: ${plural(issued, "id")} from ${plural(reservations, "reservation")}${back}`;
}

function newCell() {
	const cell = element("li", "cell");
	const span = element("div", "span");
	const bar = element("div", "bar");
	const fill = element("div", "fill");
	fill.append(element("div", "used"));
	bar.append(fill);
	bar.setAttribute("aria-hidden", "true");
	span.append(element("span", "tag"), element("span", "numbers"));
	cell.append(span, bar, element("div", "note"));
	return cell;
}

function show(view, cell, labels) {
	const size = Number(cell.max - cell.min) + 1;
	const isGap = cell.kind === "gap";
	const owners = isGap ? [...cell.owners].sort().map((slot) => labels.get(slot)) : [];
	view.dataset.kind = cell.kind;
	view.dataset.slot = cell.slot;
	view.dataset.stale = String(Boolean(cell.stale));
	view.dataset.min = cell.min;
	view.dataset.max = cell.max;
	const tag = view.querySelector(".tag");
	tag.hidden = isGap;
	setText(tag, labels.get(cell.slot) ?? "");
	setText(view.querySelector(".numbers"), isGap ? "…" : spanOf(cell));
	setText(view.querySelector(".note"), isGap ? gapNoteOf(cell, owners) : noteOf(cell, size));
	view.querySelector(".used").style.width = `${100 * (1 - (cell.left ?? 0) / size)}%`;
	view.title = isGap ? `${spanOf(cell)}: ${gapTitleOf(cell, owners)}` : "";
	// To scale, a range of 32 beside one of 8,192 could not be seen.
	view.style.flexGrow = isGap ? 0 : ["past", "lost"].includes(cell.kind) ? 1 : 1 + Math.log2(size);
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
		return "ranges that were reserved and used up between two looks of this page";
	}
	return isFirst ? "issued before this page was opened, or before what it remembers"
		: "ranges of a process that this page does not look at";
}

function noteOf({ kind, left, stale }, size) {
	const seen = stale ? " when last seen" : "";
	if (kind === "lost") {
		return `gap, ${number(size)} never used`;
	}
	if (kind === "past") {
		return "used up";
	}
	if (kind === "next") {
		return `next, ${number(left)} left${seen}`;
	}
	return (left === 0) ? `all ${number(size)} used` : `${number(size - left)} used, ${number(left)} left${seen}`;
}
