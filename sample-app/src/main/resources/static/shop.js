// Puts the page together, and keeps it up to date.

import { addressOf, Client, isSameAddress, Problem } from "./client.js";
import { arrange, element, fromTemplate, number, plural, say, setText } from "./dom.js";
import { SequenceView } from "./line.js";
import { Node } from "./node.js";

const SHOWN_IDS = 20;
const POLL_MILLIS = 1000;
const BUSY_POLL_MILLIS = 300;
const RETRY_MILLIS = 2000;

const sequenceViews = new Map();
const idViews = new Map();
const first = new Node(0, new URL(".", location.href).href, show, () => true);
const invitation = fromTemplate("second-template");
const narrow = matchMedia("(max-width: 40rem) and (min-height: 30rem)");
const dock = document.getElementById("dock");
let second = null;
let former = null;
let wanted = null;

function nodes() {
	return second ? [first, second] : [first];
}

/** Also the second node after its end: what it left behind stays on the line. */
function known() {
	return [first, second ?? former].filter((node) => node);
}

function labelOf(node) {
	const isAmbiguous = known().some((other) => other !== node && other.tag === node.tag);
	return isAmbiguous || !node.tag ? `${node.tag}:${node.port}` : node.tag;
}

function show() {
	nodes().filter((node) => !node.isReachable).forEach((node) => node.settle(counterOf));
	nodes().forEach((node) => node.show());
	showSequences();
	showRatio();
	showIds();
	showInvitation();
	showControls();
}

/** On a narrow screen one node's buttons stand beside the line, which does not fit on it with both cards. */
function showControls() {
	const choices = [...dock.querySelectorAll("input")];
	const chosen = (second && choices[1].checked) ? second : first;
	dock.hidden = !narrow.matches;
	dock.querySelector(".switch").hidden = !second;
	nodes().forEach((node) => setText(choices[node.slot].nextElementSibling, labelOf(node)));
	arrange(dock.querySelector(".chosen"), narrow.matches ? [chosen.controls] : []);
	for (const { element: card, controls } of nodes()) {
		if (narrow.matches && controls !== chosen.controls) {
			controls.remove();
		}
		else if (!narrow.matches && controls.parentNode !== card) {
			card.querySelector(".rate").after(controls);
		}
	}
}

function isOnSameDatabase(one, other) {
	return one.server === other.server && one.info?.database === other.info?.database;
}

/** Where a sequence's counter stands, or null. */
function counterOf(key, history) {
	const [server, database, name] = JSON.parse(key);
	const reader = nodes().find((node) => node.counters && node.server === server && node.info.database === database);
	// A process that has not used the sequence does not name the document either.
	const document = history?.snapshot.document ?? Object.keys(reader?.counters ?? {}).find((id) => id.endsWith(`/${name}`));
	return reader ? BigInt(reader.counters[document] ?? 0) : null;
}

function showSequences() {
	const bySequence = new Map();
	if (first.looks > 0) {
		// The page begins with it.
		bySequence.set(JSON.stringify([first.server, first.info.database, "orders"]), []);
	}
	for (const node of known()) {
		for (const [key, history] of node.sequences) {
			const parts = bySequence.get(key) ?? [];
			parts.push({ slot: node.slot, label: labelOf(node), stale: !node.isReachable, isFollowed: node.looks > 1, history });
			bySequence.set(key, parts);
		}
	}
	const isOther = (key) => JSON.parse(key)[2] !== "orders";
	const keys = [...bySequence.keys()].sort((one, other) => isOther(one) - isOther(other) || (one < other ? -1 : 1));
	const hasServers = new Set(keys.map((key) => JSON.parse(key)[0])).size > 1;
	const views = keys.map((key) => {
		const [server, database, name] = JSON.parse(key);
		const id = `${key} ${hasServers}`;
		if (!sequenceViews.has(id)) {
			sequenceViews.set(id, new SequenceView(name, hasServers ? `${database} on ${server}` : database));
		}
		return sequenceViews.get(id);
	});
	// First of all, because a view measures itself.
	arrange(document.getElementById("sequences"), views.map((view) => view.element));
	keys.forEach((key, index) => {
		const parts = bySequence.get(key);
		views[index].update(parts, counterOf(key, parts[0]?.history));
	});
	document.getElementById("start").hidden = first.looks === 0 || known().some((node) => node.sequences.size > 0);
}

/** What it is all for: how many ids one reservation yields. */
function showRatio() {
	const histories = known().flatMap((node) => [...node.sequences].map(([key, history]) => ({ name: JSON.parse(key)[2], history })));
	for (const figure of document.querySelectorAll(".figure")) {
		const isStrict = figure.dataset.kind === "strict";
		const counted = histories.filter(({ history }) => Boolean(history.snapshot.consecutive) === isStrict);
		const total = (name) => counted.reduce((all, { history }) => all + history.counts[name], 0);
		const [issued, reservations] = [total("issued"), total("reservations")];
		for (const [index, [count, noun]] of [[issued, "id"], [reservations, "reservation"]].entries()) {
			setText(figure.querySelectorAll("strong")[index], number(count));
			setText(figure.querySelectorAll("strong + span")[index], count === 1 ? noun : `${noun}s`);
		}
		figure.style.setProperty("--share", issued ? Math.min(1, reservations / issued) : 0);
		const names = [...new Set(counted.map(({ name }) => name))].sort().join(", ");
		setText(figure.querySelector(".names"), names || (isStrict ? "invoices" : "orders"));
		figure.dataset.empty = String(issued === 0);
	}
}

function showIds() {
	const isFirstTime = idViews.size === 0;
	const ids = new Map();
	for (const node of known()) {
		for (const [index, order] of (node.orders ?? []).entries()) {
			ids.set(order.id, { text: order.id, at: Date.parse(order.placedAt), position: -index, slot: slotOf(order.id) });
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
	noIds.hidden = newest.length > 0 || nodes().every((node) => !node.orders && !node.storedProblem);
	setText(noIds, nodes().some((node) => node.orders) ? "No order has been placed yet." : "The newest ids cannot be read now.");
}

/** The node that a document id names, if only one has that tag. */
function slotOf(id) {
	const named = known().filter((node) => node.tag && id.endsWith(`-${node.tag}`));
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
	const start = invitation.querySelector(".start");
	start.hidden = !first.info.startsSecond;
	start.disabled = !first.isReachable;
	if (second) {
		const isOurs = first.info.running !== null && isSameAddress(`${first.info.running}/`, second.client.address);
		for (const [selector, isShown] of [[".stop", isOurs], [".kill", isOurs], [".leave", !isOurs]]) {
			second.element.querySelector(selector).hidden = !isShown;
		}
		for (const button of second.element.querySelectorAll(".stop, .kill")) {
			button.disabled = !first.isReachable;
		}
	}
	setText(invitation.querySelector("code"), proposal.command);
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

/** Starts a node in the first one's process. */
async function start() {
	const button = invitation.querySelector(".start");
	const message = invitation.querySelector(".message");
	if (button.getAttribute("aria-busy") === "true") {
		return;
	}
	button.setAttribute("aria-busy", "true");
	say(message, "Starting …");
	try {
		first.info = await first.client.startSecond();
		look(`${first.info.running}/`);
	}
	catch (error) {
		say(message, error.message, true);
	}
	button.setAttribute("aria-busy", "false");
}

/** Ends the node that was started so, and says what became of its unused numbers. */
async function end(kill) {
	const ended = second;
	const label = labelOf(ended);
	ended.element.querySelectorAll(".stop, .kill").forEach((button) => button.setAttribute("aria-busy", "true"));
	try {
		await ended.refresh();
		await first.client.endSecond(kill);
		const left = ended.left;
		first.info = { ...first.info, running: null };
		first.counters = await first.client.counters().catch(() => null);
		ended.settle(counterOf);
		say(invitation.querySelector(".message"), toldOfEnd(label, kill, left, ended.left));
		ended.end();
		stopLooking();
	}
	catch (error) {
		say(ended.controls.querySelector(".message"), error.message, true);
	}
	ended.element.querySelectorAll(".stop, .kill").forEach((button) => button.setAttribute("aria-busy", "false"));
}

function toldOfEnd(label, kill, left, lost) {
	if (kill) {
		return `${label} was killed. ${left ? `Its ${plural(lost, "unused number")} ${lost === 1 ? "is" : "are"} a gap now.` : "It held nothing."}`;
	}
	const kept = lost ? " Only the newest numbers on the line can go back; the others stay a gap." : "";
	return `${label} stopped. ${left ? `It returned ${number(left - lost)} of ${plural(left, "unused number")}.${kept}` : "It held nothing."}`;
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
	const readsStored = (node) => !first.isReachable || (node.info && !isOnSameDatabase(first, node));
	second = new Node(1, address, show, readsStored, former?.sequences);
	for (const [selector, action] of [[".leave", stopLooking], [".stop", () => end(false)], [".kill", () => end(true)]]) {
		second.element.querySelector(selector).addEventListener("click", action);
	}
	remember(address);
	const hadFocus = invitation.contains(document.activeElement);
	show();
	if (hadFocus) {
		second.element.querySelector("button").focus();
	}
	follow(second);
}

function stopLooking() {
	former = second;
	second = null;
	wanted = null;
	remember(null);
	show();
	invitation.querySelector("button:not([hidden])").focus();
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

invitation.querySelector(".start").addEventListener("click", start);

document.querySelector("#start button").addEventListener("click", () => first.controls.querySelector(".create").click());

dock.addEventListener("change", show);

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
else {
	await first.refresh();
	if (first.info?.running && !second) {
		look(`${first.info.running}/`);
	}
}
