// One node: what it is asked, what is known of it, and its card.

import { Client, Problem, withoutAlias } from "./client.js";
import { fromTemplate, number, plural, say, setText } from "./dom.js";
import { liveRanges, Rate, SequenceHistory, sum } from "./history.js";

const AT_ONCE = 500;
const SVG = "http://www.w3.org/2000/svg";

export class Node {

	#polling = null;
	#failedSince = null;

	/**
	 * @param slot 0 or 1, which decides colour and pattern
	 * @param address the shop's address
	 * @param changed called whenever something new is known
	 */
	constructor(slot, address, changed) {
		this.slot = slot;
		this.client = new Client(address);
		this.changed = changed;
		this.info = null;
		this.sequences = new Map();
		this.orders = [];
		this.invoices = [];
		this.customers = [];
		this.rate = new Rate();
		this.busy = null;
		this.element = fromTemplate("node-template");
		this.element.dataset.slot = slot;
		this.element.setAttribute("aria-label", `Node at ${this.client.name}`);
		this.#bind();
	}

	get tag() {
		return this.info?.nodeTag ?? "";
	}

	get port() {
		return new URL(this.client.address).port || "80";
	}

	get isReachable() {
		return this.#failedSince === null;
	}

	/** The server's hosts, which tell whether two nodes share their numbers. */
	get server() {
		return this.info ? this.info.hosts.map(withoutAlias).sort().join(", ") : "";
	}

	/** Reads the node's state; never fails. Ends with a state that is newer than the call. */
	async refresh() {
		await this.#polling;
		this.#polling ??= this.#poll().finally(() => {
			this.#polling = null;
		});
		await this.#polling;
	}

	async #poll() {
		try {
			if (!this.info || !this.isReachable) {
				this.info = await this.client.node();
			}
			const [described, orders] = await Promise.all([this.client.ranges(), this.client.newestOrders()]);
			this.#take(described);
			this.orders = orders;
			this.#failedSince = null;
			this.problem = null;
		}
		catch (error) {
			if (!(error instanceof Problem)) {
				console.error(error);
			}
			this.#failedSince ??= new Date();
			this.problem = error.message;
		}
		this.changed();
	}

	#take(described) {
		const counts = { reservations: 0, issued: 0 };
		const seen = new Set();
		for (const [database, sequences] of Object.entries(described.databases)) {
			for (const [name, snapshot] of Object.entries(sequences)) {
				const key = JSON.stringify([this.server, database, name]);
				seen.add(key);
				if (!this.sequences.has(key)) {
					this.sequences.set(key, new SequenceHistory());
				}
				this.sequences.get(key).update(snapshot);
				counts.reservations += snapshot.reservations;
				counts.issued += snapshot.issued;
			}
		}
		for (const key of [...this.sequences.keys()].filter((known) => !seen.has(known))) {
			this.sequences.delete(key);
		}
		this.rate.update(Date.now(), counts);
	}

	#totals() {
		const snapshots = [...this.sequences.values()].map((sequence) => sequence.snapshot);
		return {
			returned: sum(snapshots.map((snapshot) => snapshot.returned)),
			left: sum(snapshots.flatMap(liveRanges).map((range) => range.remaining))
		};
	}

	#bind() {
		for (const button of this.element.querySelectorAll(".create")) {
			button.addEventListener("click", () => this.#act(button, () => this.#create(Number(button.dataset.count))));
		}
		this.#on(".customer", async () => {
			const customer = await this.client.addCustomer();
			this.customers = [customer, ...this.customers].slice(0, 20);
			return `Added customer ${customer.number}.`;
		});
		this.#on(".invoice", async () => {
			const invoice = await this.client.issueInvoice();
			this.invoices = [invoice, ...this.invoices].slice(0, 20);
			return `Issued invoice ${invoice.id}.`;
		});
		this.#on(".release", async () => {
			await this.refresh();
			const before = this.#totals();
			await this.client.giveBack();
			this.#take(await this.client.ranges());
			return givenBack(before.left, this.#totals().returned - before.returned);
		});
	}

	#on(selector, action) {
		const button = this.element.querySelector(selector);
		button.addEventListener("click", () => this.#act(button, action));
	}

	async #act(button, action) {
		if (this.busy) {
			return;
		}
		this.busy = button;
		const message = this.element.querySelector(".message");
		say(message, "");
		this.show();
		try {
			say(message, await action());
		}
		catch (error) {
			say(message, error.message, true);
		}
		this.busy = null;
		this.show();
		await this.refresh();
	}

	async #create(count) {
		const progress = this.element.querySelector(".progress");
		const message = this.element.querySelector(".message");
		const start = performance.now();
		let done = 0;
		let first;
		let last;
		try {
			while (done < count) {
				const placed = await this.client.createOrders(Math.min(AT_ONCE, count - done));
				done += placed.length;
				first ??= placed[0].id;
				last = placed.at(-1).id;
				if (done < count) {
					progress.hidden = false;
					progress.max = count;
					progress.value = done;
					progress.setAttribute("aria-label", "Orders created");
					await this.refresh();
				}
			}
		}
		catch (error) {
			const before = done ? ` ${number(done)} of ${number(count)} orders had been created.` : "";
			throw new Problem(error.message + before);
		}
		finally {
			progress.hidden = true;
		}
		return (count === 1) ? `Created ${first}.`
			: `Created ${number(count)} orders in ${elapsed(performance.now() - start)}: ${first} to ${last}.`;
	}

	/** Brings the card up to date. */
	show() {
		const find = (selector) => this.element.querySelector(selector);
		this.element.dataset.reachable = this.isReachable;
		setText(find(".tag"), this.info ? this.tag || "–" : "?");
		setText(find(".name"), this.slot === 0 ? "This node" : "Second node");
		setText(find(".state"), this.#state());
		setText(find(".where"), this.info
			? `${this.client.name}, database ${this.info.database} on ${this.info.hosts.join(", ")}` : this.client.name);
		for (const button of this.element.querySelectorAll(".create, .customer, .invoice, .release")) {
			button.setAttribute("aria-disabled", String(this.busy !== null));
			button.setAttribute("aria-busy", String(this.busy === button));
		}
		this.#showRate(find(".rate-text"), find(".spark"));
	}

	#state() {
		if (this.isReachable) {
			return this.info ? "live" : "connecting …";
		}
		return `not readable since ${this.#failedSince.toLocaleTimeString("en-GB")}, trying again. ${this.problem}`;
	}

	#showRate(text, spark) {
		const { reservations = 0, issued = 0, bars = [] } = this.rate;
		const strong = text.querySelector("strong") ?? text.appendChild(document.createElement("strong"));
		const rest = text.querySelector("span") ?? text.appendChild(document.createElement("span"));
		setText(strong, number(reservations));
		setText(rest, ` ${reservations === 1 ? "reservation" : "reservations"} for ${plural(issued, "id")}`);
		spark.setAttribute("aria-label", `Reservations in the last minute: ${number(reservations)}`);
		if (spark.childElementCount !== bars.length) {
			spark.replaceChildren(...bars.map(() => document.createElementNS(SVG, "rect")));
		}
		const highest = Math.max(4, ...bars);
		bars.forEach((value, index) => {
			const height = 23 * value / highest;
			const rect = spark.children[index];
			for (const [name, amount] of Object.entries({ x: index * 4, y: 24 - height, width: 3, height })) {
				rect.setAttribute(name, amount);
			}
		});
	}

}

function givenBack(left, returned) {
	if (left === 0) {
		return "There was nothing to return.";
	}
	return (returned === left) ? `Gave back all ${number(left)} unused numbers. The next id takes a new range.`
		: `Gave back ${number(returned)} of ${number(left)} unused numbers. Only the newest numbers on the line can go back; the others stay a gap, and are never used.`;
}

function elapsed(millis) {
	return (millis < 1000) ? `${Math.round(millis)} ms` : `${(millis / 1000).toFixed(1)} s`;
}
