// One node: what it is asked, what is known of it, and its card.

import { Client, Problem, withoutAlias } from "./client.js";
import { fromTemplate, number, plural, say, setText } from "./dom.js";
import { liveRanges, Rate, SequenceHistory, sum } from "./history.js";

const AT_ONCE = 500;
const SVG = "http://www.w3.org/2000/svg";

export class Node {

	#polling = null;
	#reading = null;
	#failedSince = null;
	#ordersFailedSince = null;
	#wasUnwell = false;
	#jobs = [];

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
		this.orders = null;
		this.invoices = [];
		this.customers = [];
		this.rate = new Rate();
		this.problem = null;
		this.ordersProblem = null;
		this.element = fromTemplate("node-template");
		this.element.dataset.slot = slot;
		this.controls = this.element.querySelector(".controls");
		this.controls.dataset.slot = slot;
		this.element.setAttribute("aria-label", `Node at ${this.client.name}`);
		this.#bind();
	}

	get tag() {
		return this.info?.nodeTag ?? "";
	}

	get port() {
		return new URL(this.client.address).port || "80";
	}

	get isBusy() {
		return this.#jobs.length > 0;
	}

	get isReachable() {
		return this.#failedSince === null;
	}

	/** The server's hosts, which tell whether two nodes share their numbers. */
	get server() {
		return this.info ? this.info.hosts.map(withoutAlias).sort().join(", ") : "";
	}

	/** Reads the node's ranges; never fails. Ends with a state that is newer than the call. */
	async refresh() {
		await this.#polling;
		this.#polling ??= this.#poll().finally(() => {
			this.#polling = null;
		});
		await this.#polling;
	}

	async #poll() {
		// Not awaited: without its database the node still shows its ranges at once, and its orders not at all.
		this.#reading ??= this.#readOrders().finally(() => {
			this.#reading = null;
		});
		try {
			if (!this.info || !this.isReachable) {
				this.info = await this.client.node();
			}
			this.#take(await this.client.ranges());
			this.#failedSince = null;
			this.problem = null;
		}
		catch (error) {
			this.#failedSince ??= new Date();
			this.problem = messageOf(error);
		}
		this.#forgetFailure();
		this.changed();
	}

	async #readOrders() {
		try {
			this.orders = await this.client.newestOrders();
			this.#ordersFailedSince = null;
			this.ordersProblem = null;
		}
		catch (error) {
			this.#ordersFailedSince ??= new Date();
			this.ordersProblem = messageOf(error);
		}
		this.#forgetFailure();
		this.changed();
	}

	get #isWell() {
		return this.#failedSince === null && this.#ordersFailedSince === null;
	}

	/** What an action failed with during an outage is no alarm any more once the outage is over. */
	#forgetFailure() {
		if (this.#isWell && this.#wasUnwell) {
			this.controls.querySelector(".message").classList.remove("bad");
		}
		this.#wasUnwell = !this.#isWell;
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
		for (const button of this.controls.querySelectorAll(".create")) {
			button.addEventListener("click", () => this.#order(button, Number(button.dataset.count)));
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
		button.addEventListener("click", () => this.#enqueue({ buttons: [button], action }));
	}

	/** Clicks that come while orders are created make these orders more. */
	#order(button, count) {
		const last = this.#jobs.at(-1);
		if (last?.count) {
			last.count += count;
			last.buttons.push(button);
			this.show();
			return;
		}
		const job = { buttons: [button], count };
		job.action = () => this.#create(job);
		this.#enqueue(job);
	}

	/** One after the other, so that no click is lost. */
	async #enqueue(job) {
		this.#jobs.push(job);
		this.show();
		if (this.#jobs.length > 1) {
			return;
		}
		const message = this.controls.querySelector(".message");
		while (this.#jobs.length > 0) {
			say(message, "");
			try {
				say(message, await this.#jobs[0].action());
			}
			catch (error) {
				say(message, messageOf(error), true);
			}
			this.#jobs.shift();
			this.show();
		}
		await this.refresh();
	}

	async #create(job) {
		const progress = this.controls.querySelector(".progress");
		const start = performance.now();
		let done = 0;
		let first;
		let last;
		try {
			while (done < job.count) {
				const placed = await this.client.createOrders(Math.min(AT_ONCE, job.count - done));
				done += placed.length;
				first ??= placed[0].id;
				last = placed.at(-1).id;
				if (done < job.count) {
					progress.hidden = false;
					progress.max = job.count;
					progress.value = done;
					progress.setAttribute("aria-label", "Orders created");
					await this.refresh();
				}
			}
		}
		catch (error) {
			const before = done ? ` ${number(done)} of ${number(job.count)} orders had been created.` : "";
			throw new Problem(messageOf(error) + before);
		}
		finally {
			progress.hidden = true;
		}
		return (done === 1) ? `Created ${first}.`
			: `Created ${number(done)} orders in ${elapsed(performance.now() - start)}: ${first} to ${last}.`;
	}

	/** Brings the card up to date. */
	show() {
		const find = (selector) => this.element.querySelector(selector);
		this.element.dataset.well = this.#isWell;
		setText(find(".tag"), this.info ? this.tag || "–" : "?");
		setText(this.controls.querySelector(".tag"), find(".tag").textContent);
		this.controls.querySelector(".buttons").setAttribute("aria-label", `Create orders at ${this.client.name}`);
		setText(find(".name"), this.slot === 0 ? "This node" : "Second node");
		setText(find(".state"), this.#state());
		setText(find(".where"), this.info
			? `${this.client.name}, database ${this.info.database} on ${this.info.hosts.join(", ")}` : this.client.name);
		for (const button of [this.element, this.controls].flatMap((part) => [...part.querySelectorAll(".create, .customer, .invoice, .release")])) {
			button.setAttribute("aria-busy", String(this.#jobs.some(({ buttons }) => buttons.includes(button))));
		}
		this.#showRate(find(".rate-text"), find(".spark"));
	}

	#state() {
		if (!this.isReachable) {
			return `not readable since ${timeOf(this.#failedSince)}, trying again. ${this.problem}`;
		}
		if (this.info && this.#ordersFailedSince) {
			return `live, but its orders can't be read since ${timeOf(this.#ordersFailedSince)}. ${this.ordersProblem}`;
		}
		return this.info ? "live" : "connecting …";
	}

	#showRate(text, spark) {
		const { reservations = 0, issued = 0, bars = [] } = this.rate;
		setText(text.querySelector("strong"), number(reservations));
		setText(text.querySelector("span"), `${reservations === 1 ? "reservation" : "reservations"} for ${plural(issued, "id")}`);
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

function messageOf(error) {
	if (!(error instanceof Problem)) {
		console.error(error);
	}
	return error.message;
}

function timeOf(date) {
	return date.toLocaleTimeString("en-GB");
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
