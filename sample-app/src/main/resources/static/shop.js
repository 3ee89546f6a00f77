// Puts the page together, and keeps it up to date.

import { addressOf, Client, isSameAddress, Problem } from "./client.js";
import { arrange, element, fromTemplate, say, setText } from "./dom.js";
import { SequenceView } from "./line.js";
import { Node } from "./node.js";

const SHOWN_IDS = 20;
const POLL_MILLIS = 1000;
const BUSY_POLL_MILLIS = 300;
const RETRY_MILLIS = 2000;

const sequenceViews = new Map();
const idViews = new Map();
const first = new Node(0, new URL(".", location.href).href, show);
const invitation = fromTemplate("second-template");
const narrow = matchMedia("(max-width: 40rem) and (min-height: 30rem)");
let second = null;
let wanted = null;

function nodes() {
	return second ? [first, second] : [first];
}

function labelOf(node) {
	const isAmbiguous = nodes().some((other) => other !== node && other.tag === node.tag);
	return isAmbiguous || !node.tag ? `${node.tag}:${node.port}` : node.tag;
}

function show() {
	nodes().forEach((node) => node.show());
	showSequences();
	showIds();
	showInvitation();
	showControls();
}

/** Keeps the buttons beside the line where one screen does not show both. */
function showControls() {
	const docked = narrow.matches ? nodes() : [];
	arrange(document.getElementById("dock"), docked.map((node) => node.controls));
	for (const node of nodes().filter((one) => !docked.includes(one) && one.controls.parentNode !== one.element)) {
		node.element.querySelector(".rate").after(node.controls);
	}
}

function showSequences() {
	const bySequence = new Map();
	for (const node of nodes()) {
		for (const [key, history] of node.sequences) {
			const parts = bySequence.get(key) ?? [];
			parts.push({ slot: node.slot, label: labelOf(node), stale: !node.isReachable, history });
			bySequence.set(key, parts);
		}
	}
	const keys = [...bySequence.keys()].sort();
	const hasServers = new Set(keys.map((key) => JSON.parse(key)[0])).size > 1;
	for (const key of keys) {
		const [server, database, name] = JSON.parse(key);
		const id = `${key} ${hasServers}`;
		if (!sequenceViews.has(id)) {
			sequenceViews.set(id, new SequenceView(name, hasServers ? `${database} on ${server}` : database));
		}
		sequenceViews.get(id).update(bySequence.get(key));
	}
	arrange(document.getElementById("sequences"), keys.map((key) => sequenceViews.get(`${key} ${hasServers}`).element));
	document.getElementById("no-sequences").hidden = keys.length > 0 || !first.isReachable;
}

function showIds() {
	const isFirstTime = idViews.size === 0;
	const ids = new Map();
	for (const node of nodes()) {
		for (const order of node.orders ?? []) {
			ids.set(order.id, { text: order.id, at: Date.parse(order.placedAt), position: order.position, slot: slotOf(order.id) });
		}
		for (const invoice of node.invoices) {
			ids.set(`invoice ${invoice.id}`, { text: String(invoice.id), note: " invoice", at: Date.parse(invoice.issuedAt), position: 0, slot: node.slot });
		}
		for (const customer of node.customers) {
			ids.set(customer.id, { text: String(customer.number), note: " customer", at: Date.parse(customer.since), position: 0, slot: node.slot });
		}
	}
	const newest = [...ids].sort(([, one], [, other]) => other.at - one.at || other.position - one.position)
		.slice(0, SHOWN_IDS);
	for (const [key, { text, note, slot }] of newest) {
		if (!idViews.has(key)) {
			const view = element("li", isFirstTime ? "" : "new", text);
			if (note) {
				view.append(element("small", "", note));
			}
			idViews.set(key, view);
		}
		idViews.get(key).dataset.slot = slot;
	}
	for (const key of [...idViews.keys()].filter((known) => !newest.some(([other]) => other === known))) {
		idViews.delete(key);
	}
	arrange(document.getElementById("ids"), newest.map(([key]) => idViews.get(key)));
	const noIds = document.getElementById("no-ids");
	noIds.hidden = newest.length > 0 || nodes().every((node) => !node.orders && !node.ordersProblem);
	setText(noIds, nodes().some((node) => node.orders) ? "No order has been placed yet." : "The newest ids can't be read now.");
}

/** The node that a document id names, if only one has that tag. */
function slotOf(id) {
	const named = nodes().filter((node) => node.tag && id.endsWith(`-${node.tag}`));
	return named.length === 1 ? named[0].slot : "none";
}

// A second node

function showInvitation() {
	const cards = [first.element, second ? second.element : invitation];
	arrange(document.getElementById("nodes"), cards);
	const proposal = first.info?.second;
	if (!proposal) {
		return;
	}
	showCommand(invitation.querySelector("code"), proposal.command);
	setText(invitation.querySelector(".hint"), proposal.complete
		? "Run it where you cloned or started this one. It takes another port and the next node tag."
		: "This shop's server asks for a user or options, which are not shown: add them to the uri.");
	const input = invitation.querySelector("input");
	input.placeholder = proposal.address;
	if (!input.dataset.proposed) {
		input.dataset.proposed = "true";
		input.value ||= proposal.address;
	}
}

/** Breaks lines between arguments alone, as long as they are short enough. */
function showCommand(code, command) {
	if (code.textContent !== command) {
		const words = command.split(" ").flatMap((word) => [" ", element("span", "", word)]);
		code.replaceChildren(...words.slice(1));
	}
}

/** Looks for a node until it answers, or the visitor wants another. */
async function seek(address) {
	wanted = address;
	const message = invitation.querySelector(".message");
	say(message, "Looking …");
	while (wanted === address) {
		try {
			await new Client(address).node();
			if (wanted === address) {
				look(address);
			}
			return;
		}
		catch (error) {
			if (wanted === address) {
				say(message, `${error.message} This page keeps trying.`, true);
			}
		}
		await pause(RETRY_MILLIS);
	}
}

function look(address) {
	say(invitation.querySelector(".message"), "");
	second = new Node(1, address, show);
	const leave = second.element.querySelector(".leave");
	leave.hidden = false;
	leave.addEventListener("click", stopLooking);
	remember(address);
	const hadFocus = invitation.contains(document.activeElement);
	show();
	if (hadFocus) {
		second.element.querySelector("button").focus();
	}
	follow(second);
}

function stopLooking() {
	second = null;
	wanted = null;
	remember(null);
	show();
	invitation.querySelector("input").focus();
}

function remember(address) {
	const url = new URL(location.href);
	if (address) {
		url.searchParams.set("second", address);
	}
	else {
		url.searchParams.delete("second");
	}
	history.replaceState(null, "", url);
}

function lookAt(text) {
	const message = invitation.querySelector(".message");
	try {
		const address = addressOf(text);
		if (isSameAddress(address, first.client.address)) {
			throw new Problem("That is this node. The second one has another port.");
		}
		seek(address);
	}
	catch (error) {
		wanted = null;
		say(message, error.message, true);
	}
}

invitation.querySelector("form").addEventListener("submit", (event) => {
	event.preventDefault();
	lookAt(invitation.querySelector("input").value);
});

invitation.querySelector(".copy").addEventListener("click", async (event) => {
	const code = invitation.querySelector("code");
	try {
		await navigator.clipboard.writeText(code.textContent);
		say(invitation.querySelector(".message"), "Copied.");
	}
	catch (error) {
		getSelection().selectAllChildren(code);
		say(invitation.querySelector(".message"), "The browser did not allow it. The command is selected: copy it yourself.");
	}
});

// Polling

async function follow(node) {
	while (nodes().includes(node)) {
		await shown();
		await node.refresh();
		await pause(!node.isReachable ? RETRY_MILLIS : node.isBusy ? BUSY_POLL_MILLIS : POLL_MILLIS);
	}
}

function pause(millis) {
	return new Promise((resolve) => {
		setTimeout(resolve, millis);
	});
}

/** Waits while nobody can see the page. */
function shown() {
	return new Promise((resolve) => {
		const check = () => {
			if (!document.hidden) {
				document.removeEventListener("visibilitychange", check);
				resolve();
			}
		};
		document.addEventListener("visibilitychange", check);
		check();
	});
}

narrow.addEventListener("change", show);
show();
follow(first);
const asked = new URL(location.href).searchParams.get("second");
if (asked) {
	invitation.querySelector("input").value = asked;
	lookAt(asked);
}
