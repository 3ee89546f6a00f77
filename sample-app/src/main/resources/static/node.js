// One process: what it is asked, what is known of it, and its card.

import { Client, Problem, withoutAlias } from "./client.js";
import { fromTemplate, number, say, setText } from "./dom.js";
import { SequenceHistory, sum } from "./ranges.js";

const AT_ONCE = 500;

/** What MongoDB itself says, for all processes on one database: whether it answers, and where the counters stand. */
export class Database {

	#reading = null;

	constructor() {
		this.counters = null;
		this.problem = null;
	}

	read(client) {
		this.#reading ??= this.#read(client).finally(() => {
			this.#reading = null;
		});
		return this.#reading;
	}

	async #read(client) {
		try {
			this.counters = await client.counters();
			this.problem = null;
		}
		catch (error) {
			this.problem = { text: messageOf(error).replace(/\.$/, ""), since: this.problem?.since ?? new Date() };
		}
	}

}

export class Node {

	#polling = null;
	#problem = null;
	#wasUnwell = false;
	#jobs = [];

	/**
	 * @param slot 0 or 1, which decides colour and pattern
	 * @param address the shop's address
	 * @param page what to call whenever something new is known, and where to find the database
	 * @param sequences what is known of a process that was here before
	 */
	constructor(slot, address, page, sequences = new Map()) {
		this.slot = slot;
		this.client = new Client(address);
		this.page = page;
		this.info = null;
		this.sequences = sequences;
		this.looks = 0;
		this.orders = [];
		this.invoices = [];
		this.customers = [];
		this.element = fromTemplate("node-template");
		this.element.dataset.slot = slot;
		this.controls = this.element.querySelector(".controls");
		this.controls.dataset.slot = slot;
		this.element.setAttribute("aria-label", `Process at ${this.client.name}`);
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
		return this.#problem === null;
	}

	/** The server's hosts, which tell whether two processes share their numbers. */
	get server() {
		return this.info ? this.info.hosts.map(withoutAlias).sort().join(", ") : "";
	}

	get database() {
		return this.info && this.page.databaseOf(this);
	}

	/** Reads the process's ranges; never fails. Ends with a state that is newer than the call. */
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
			const [ranges, orders] = await Promise.all([this.client.ranges(), this.client.newestOrders()]);
			this.#take(ranges);
			// A process that was started anew has forgotten them.
			this.orders = (orders.length > 0) ? orders : this.orders;
			this.#problem = null;
			// Not awaited: without its database a process still shows its ranges at once.
			if (this.page.isReader(this)) {
				this.database.read(this.client).then(this.page.show);
			}
		}
		catch (error) {
			this.#problem = { text: `${this.client.name} cannot be reached`, since: this.#problem?.since ?? new Date() };
			messageOf(error);
		}
		this.page.show();
	}

	#take(described) {
		this.looks++;
		const seen = new Set();
		for (const [database, sequences] of Object.entries(described.databases)) {
			for (const [name, snapshot] of Object.entries(sequences)) {
				const key = JSON.stringify([this.server, database, name]);
				seen.add(key);
				if (!this.sequences.has(key)) {
					this.sequences.set(key, new SequenceHistory());
				}
				this.sequences.get(key).update(snapshot);
			}
		}
		// Those of a process that was here before: on another database nothing of it is on this line.
		for (const [key, history] of [...this.sequences].filter(([known]) => !seen.has(known))) {
			if (JSON.parse(key)[0] === this.server) {
				history.end(null);
			}
			else {
				this.sequences.delete(key);
			}
		}
	}

	/** How many numbers it holds and has not issued, and how many it has returned. */
	get totals() {
		const counts = [...this.sequences.values()].map((history) => history.counts);
		return { left: sum(counts.map(({ left }) => left)), returned: sum(counts.map(({ returned }) => returned)) };
	}

	/** It has ended, and holds nothing: what is above a counter was returned. */
	end(counterOf) {
		for (const [key, history] of this.sequences) {
			history.end(counterOf(key, history));
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
			const before = this.totals;
			await this.client.returnRanges();
			this.#take(await this.client.ranges());
			return toldOfReturn(before, this.totals);
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
		const problem = this.#problem ?? this.database?.problem;
		this.element.dataset.well = !problem;
		const message = this.controls.querySelector(".message");
		if (!problem && this.#wasUnwell && message.classList.contains("bad")) {
			// It is over, and so is what an action failed with.
			say(message, "");
		}
		this.#wasUnwell = Boolean(problem);
		for (const part of [this.element, this.controls]) {
			part.dataset.reached = this.isReachable;
		}
		setText(find(".tag"), this.info ? this.tag || "–" : "?");
		this.controls.querySelector(".buttons").setAttribute("aria-label", `Create orders at ${this.client.name}`);
		setText(find(".name"), this.slot === 0 ? "This process" : "Second process");
		setText(find(".state"), problem ? `${problem.text} since ${timeOf(problem.since)}` : this.info ? "live" : "connecting …");
		setText(find(".where"), this.info
			? `${this.client.name}, database ${this.info.database} on ${this.info.hosts.join(", ")}` : this.client.name);
		for (const button of this.controls.querySelectorAll("button")) {
			button.setAttribute("aria-busy", String(this.#jobs.some(({ buttons }) => buttons.includes(button))));
			button.disabled = !this.isReachable;
		}
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

function toldOfReturn(before, after) {
	if (before.left === 0) {
		return "There was nothing to return.";
	}
	const returned = after.returned - before.returned;
	if (returned === 0 && after.left > 0) {
		throw new Problem(`Nothing was returned: MongoDB did not answer. ${number(after.left)} unused numbers are still held, for the next ids.`);
	}
	const told = `Returned ${number(returned)} of ${number(before.left)} unused numbers.`;
	return (returned === before.left) ? `${told} The next id reserves a new range.`
		: (after.left > 0) ? `${told} ${number(after.left)} are still held, for the next ids.`
		: `${told} Only the newest numbers on the line can go back; the others stay a gap, and are never used.`;
}

function elapsed(millis) {
	return (millis < 1000) ? `${Math.round(millis)} ms` : `${(millis / 1000).toFixed(1)} s`;
}
