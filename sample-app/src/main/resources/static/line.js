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
		this.failures = element("div", "");
		this.element.append(header, this.line, this.strict, this.failures);
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
			show(view, cell, labels.get(cell.slot));
		}
		this.#cells = used;
		arrange(this.line, [...used.values()]);
		this.line.hidden = cells.length === 0;
		this.strict.hidden = !parts.some(({ history }) => history.snapshot.consecutive);
		setText(this.counts, parts.map(({ label, history }) => countsOf(label, history.snapshot)).join(" · "));
		this.#showFailures(parts);
	}

	#showFailures(parts) {
		const texts = parts.filter(({ history }) => history.snapshot.lastFailure)
			.map(({ label, history }) => {
				const { time, message } = history.snapshot.lastFailure;
				return `${label} got no range at ${new Date(time).toLocaleTimeString("en-GB")}: ${message}`;
			});
		if (texts.join() !== [...this.failures.children].map((child) => child.textContent).join()) {
			this.failures.replaceChildren(...texts.map((text) => element("p", "failure", text)));
		}
	}

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

function show(view, cell, label) {
	const size = cell.max - cell.min + 1;
	const isGap = cell.kind === "gap";
	view.dataset.kind = cell.kind;
	view.dataset.slot = cell.slot;
	view.dataset.stale = String(Boolean(cell.stale));
	view.dataset.min = cell.min;
	view.dataset.max = cell.max;
	const tag = view.querySelector(".tag");
	tag.hidden = isGap;
	setText(tag, label ?? "");
	setText(view.querySelector(".numbers"), isGap ? "…" : spanOf(cell));
	setText(view.querySelector(".note"), noteOf(cell, size));
	view.querySelector(".used").style.width = `${100 * (1 - (cell.left ?? 0) / size)}%`;
	view.title = isGap ? `${spanOf(cell)}: issued before this page was opened, or held by another process` : "";
	// To scale, a range of 32 beside one of 8,192 could not be seen.
	view.style.flex = isGap ? "0 1 3rem"
		: ["past", "lost"].includes(cell.kind) ? "1 1 6.5rem" : `${1 + Math.log2(size)} 1 8.5rem`;
}

function spanOf({ min, max }) {
	return (min === max) ? number(min) : `${number(min)}–${number(max)}`;
}

function noteOf({ kind, left, stale }, size) {
	const seen = stale ? " when last seen" : "";
	if (kind === "gap") {
		return "earlier";
	}
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
