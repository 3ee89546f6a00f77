// One shop's HTTP interface, with failures in words.

import { parse } from "./json.js";

const LOCAL = ["localhost", "127.0.0.1"];

/** Something to tell the visitor. */
export class Problem extends Error {
}

/**
 * Makes an address of what a visitor typed: a port, a host with a port, or a URL.
 * Only this computer's are taken, because a shop answers no other page.
 */
export function addressOf(text) {
	const typed = text.trim();
	if (!typed) {
		throw new Problem("Enter an address such as http://localhost:8081.");
	}
	const full = /^\d+$/.test(typed) ? `http://localhost:${typed}` : typed.includes("://") ? typed : `http://${typed}`;
	if (!URL.canParse(full)) {
		throw new Problem(`“${typed}” is no address. One looks like http://localhost:8081.`);
	}
	const url = new URL(full);
	if (url.protocol !== "http:" || !LOCAL.includes(url.hostname)) {
		throw new Problem("Only shops on this computer can be looked at: http://localhost with a port.");
	}
	return `${url.origin}/`;
}

export function isSameAddress(one, other) {
	return withoutAlias(one) === withoutAlias(other);
}

export function withoutAlias(address) {
	return address.replace("127.0.0.1", "localhost");
}

export class Client {

	constructor(address) {
		this.address = address;
		this.name = address.replace(/\/$/, "");
	}

	node() {
		return this.#send("GET", "node");
	}

	ranges() {
		return this.#send("GET", "actuator/hilo");
	}

	newestOrders() {
		return this.#send("GET", "orders");
	}

	/** Asks MongoDB, and so waits as long as the shop does. */
	counters() {
		return this.#send("GET", "counters", 15);
	}

	startSecond() {
		return this.#send("POST", "second", 60);
	}

	endSecond(kill) {
		return this.#send("DELETE", `second?kill=${kill}`, 60);
	}

	createOrders(count) {
		return this.#send("POST", `orders?count=${count}`, 60);
	}

	addCustomer() {
		return this.#send("POST", "customers", 20);
	}

	issueInvoice() {
		return this.#send("POST", "invoices", 20);
	}

	returnRanges() {
		return this.#send("DELETE", "ranges", 20);
	}

	async #send(method, path, seconds = 5) {
		let response;
		try {
			response = await fetch(new URL(path, this.address),
					{ method, cache: "no-store", signal: AbortSignal.timeout(seconds * 1000) });
		}
		catch (error) {
			throw new Problem(error.name === "TimeoutError" ? `${this.name} did not answer within ${seconds} seconds.`
				: `${this.name} cannot be reached. Is a shop running there?`);
		}
		let body = null;
		try {
			const text = await response.text();
			body = text ? parse(text) : null;
		}
		catch (error) {
			if (response.ok) {
				throw new Problem(`${this.name}/${path} answered something else than JSON. Is it this shop?`);
			}
		}
		if (!response.ok) {
			const reason = body?.detail ?? body?.error ?? "it did not say why";
			throw new Problem((response.status === 503) ? `${reason}.` : `${this.name} refused (${response.status}): ${reason}`);
		}
		return body;
	}

}
