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
	#storedFailedSince = null;
	#wasUnwell = false;
	#jobs = [];

	/**
	 * @param slot 0 or 1, which decides colour and pattern
	 * @param address the shop's address
	 * @param changed called whenever something new is known
	 * @param readsStored whether it is also asked for what MongoDB has, which is the same for all nodes on one database
	 * @param sequences what is known of a node that was here before
	 */
	constructor(slot, address, changed, readsStored, sequences = new Map()) {
		this.slot = slot;
		this.client = new Client(address);
		this.changed = changed;
		this.readsStored = readsStored;
		this.info = null;
		this.sequences = sequences;
		this.orders = null;
		this.counters = null;
		this.looks = 0;
		this.invoices = [];
		this.customers = [];
		this.rate = new Rate();
		this.problem = null;
		this.storedProblem = null;
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
		if (this.readsStored(this)) {
			this.#reading ??= this.#readStored().finally(() => {
				this.#reading = null;
			});
		}
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

	async #readStored() {
		try {
			[this.orders, this.counters] = await Promise.all([this.client.newestOrders(), this.client.counters()]);
			this.#storedFailedSince = null;
			this.storedProblem = null;
		}
		catch (error) {
			this.#storedFailedSince ??= new Date();
			this.storedProblem = messageOf(error);
			this.counters = null;
		}
		this.#forgetFailure();
		this.changed();
	}

	get #isWell() {
		return this.#failure() === null;
	}

	/** What an action failed with during an outage is no alarm any more once the outage is over. */
	#forgetFailure() {
		if (this.#isWell && this.#wasUnwell) {
			this.controls.querySelector(".message").classList.remove("bad");
		}
		this.#wasUnwell = !this.#isWell;
	}

	#take(described) {
		this.looks++;
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
		// Those of a process that was here before: on another database nothing of it is on this line.
		for (const [key, history] of [...this.sequences].filter(([known]) => !seen.has(known))) {
			if (JSON.parse(key)[0] === this.server) {
				history.end();
			}
			else {
				this.sequences.delete(key);
			}
		}
		this.rate.update(Date.now(), counts);
	}

	/** How many numbers it holds and has not issued. */
	get left() {
		return sum([...this.sequences.values()].flatMap(({ snapshot }) => liveRanges(snapshot)).map(({ remaining }) => remaining));
	}

	get #returned() {
		return sum([...this.sequences.values()].map(({ counts }) => counts.returned));
	}

	/** It does not answer any more: what is above the counters went back. */
	settle(counterOf) {
		for (const [key, history] of this.sequences) {
			const counter = counterOf(key, history);
			if (counter !== null) {
				history.settle(counter);
			}
		}
	}

	/** It has ended: it holds nothing. */
	end() {
		for (const history of this.sequences.values()) {
			history.end();
		}
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
			const [left, returned] = [this.left, this.#returned];
			await this.client.returnRanges();
			this.#take(await this.client.ranges());
			return toldOfReturn(left, this.#returned - returned);
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
		const failure = this.#failure();
		this.element.dataset.well = failure === null;
		for (const part of [this.element, this.controls]) {
			part.dataset.reached = this.isReachable;
		}
		setText(find(".tag"), this.info ? this.tag || "–" : "?");
		this.controls.querySelector(".buttons").setAttribute("aria-label", `Create orders at ${this.client.name}`);
		setText(find(".name"), this.slot === 0 ? "This process" : "Second process");
		setText(find(".state"), failure ? `${failure.text} since ${timeOf(failure.since)}` : this.info ? "live" : "connecting …");
		find(".more").hidden = !failure?.details;
		setText(find(".more p"), failure?.details ?? "");
		setText(find(".where"), this.info
			? `${this.client.name}, database ${this.info.database} on ${this.info.hosts.join(", ")}` : this.client.name);
		for (const button of [this.element, this.controls].flatMap((part) => [...part.querySelectorAll(".create, .customer, .invoice, .release")])) {
			button.setAttribute("aria-busy", String(this.#jobs.some(({ buttons }) => buttons.includes(button))));
			button.disabled = !this.isReachable;
		}
		this.#showRate(find(".rate-text"), find(".spark"));
	}

	/** What is wrong in one line, and what the driver says about it. */
	#failure() {
		const failing = [...this.sequences].map(([key, { snapshot }]) => ({ name: JSON.parse(key)[2], ...snapshot.failure }))
			.filter(({ message }) => message);
		const details = failing.map(({ message }) => message).join("\n");
		if (!this.isReachable) {
			return { text: `${this.client.name} cannot be reached`, since: this.#failedSince };
		}
		if (this.#storedFailedSince) {
			return { text: this.storedProblem.replace(/\.$/, ""), since: this.#storedFailedSince, details };
		}
		return (failing.length === 0) ? null
			: { text: `No number for ${failing.map(({ name }) => name).join(" and ")}`, since: new Date(failing[0].time), details };
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
	return date.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
}

function toldOfReturn(left, returned) {
	if (left === 0) {
		return "There was nothing to return.";
	}
	return (returned === left) ? `Returned all ${number(left)} unused numbers. The next id reserves a new range.`
		: `Returned ${number(returned)} of ${number(left)} unused numbers. Only the newest numbers on the line can go back; the others stay a gap, and are never used.`;
}

function elapsed(millis) {
	return (millis < 1000) ? `${Math.round(millis)} ms` : `${(millis / 1000).toFixed(1)} s`;
}
