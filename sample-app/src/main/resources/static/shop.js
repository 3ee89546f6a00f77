// Puts the page together, and keeps it up to date.

import { addressOf, Client, isSameAddress, Problem } from "./client.js";
import { arrange, element, fromTemplate, number, plural, say, setText } from "./dom.js";
import { SequenceView } from "./line.js";
import { Database, Node } from "./node.js";
import { sum } from "./ranges.js";

const SHOWN_IDS = 20;
const POLL_MILLIS = 1000;
const BUSY_POLL_MILLIS = 300;
const RETRY_MILLIS = 2000;

/** What the first 1,000 ids take: ranges of 32, 64 and so on. */
const EXAMPLE = { issued: 1000, reservations: 6, left: 0 };

const sequenceViews = new Map();
const idViews = new Map();
const databases = new Map();
const first = new Node(0, new URL(".", location.href).href, { show, databaseOf, isReader });
const invitation = fromTemplate("second-template");
const narrow = matchMedia("(max-width: 63.99rem) and (min-height: 30rem)");
const phone = matchMedia("(max-width: 40rem)");
const dock = document.getElementById("dock");
let second = null;
let former = null;
let wanted = null;

function nodes() {
	return second ? [first, second] : [first];
}

/** Also the second process after its end: what it left behind stays on the line. */
function known() {
	return [first, second ?? former].filter((node) => node);
}

function labelOf(node) {
	const isAmbiguous = known().some((other) => other !== node && other.tag === node.tag);
	return isAmbiguous || !node.tag ? `${node.tag}:${node.port}` : node.tag;
}

function databaseOf({ server, info }) {
	return database(server, info.database);
}

function database(...names) {
	const key = JSON.stringify(names);
	if (!databases.has(key)) {
		databases.set(key, new Database());
	}
	return databases.get(key);
}

/** One process asks for what MongoDB says to all. */
function isReader(node) {
	return nodes().find((one) => one.isReachable && one.database === node.database) === node;
}

function show() {
	nodes().forEach((node) => node.show());
	showSequences();
	showHeadline();
	showIds();
	showInvitation();
	showControls();
}

/** Where cards are below the line, one process's buttons stand at the edge of the screen. */
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
			card.querySelector(".state").after(controls);
		}
	}
}

/** Where a sequence's counter stood when it was read, or null, and whether it cannot be read now. */
function counterOf(key, history) {
	const [server, name, sequence] = JSON.parse(key);
	const { counters, problem } = database(server, name);
	// A process that has not used the sequence does not name the document either.
	const document = history?.snapshot.document ?? Object.keys(counters ?? {}).find((id) => id.endsWith(`/${sequence}`));
	return { max: counters && BigInt(counters[document] ?? 0), isOld: problem !== null };
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
	const hasServers = new Set([...bySequence.keys()].map((key) => JSON.parse(key)[0])).size > 1;
	for (const [id, keys] of Object.entries({ sequences: [...bySequence.keys()].filter((key) => !isOther(key)),
		others: [...bySequence.keys()].filter(isOther).sort() })) {
		const views = keys.map((key) => {
			const [server, name, sequence] = JSON.parse(key);
			const view = `${key} ${hasServers}`;
			if (!sequenceViews.has(view)) {
				sequenceViews.set(view, new SequenceView(sequence, hasServers ? `${name} on ${server}` : name));
			}
			return sequenceViews.get(view);
		});
		// First of all, because a view measures itself.
		arrange(document.getElementById(id), views.map((view) => view.element));
		keys.forEach((key, index) => {
			const parts = bySequence.get(key);
			views[index].update(parts, counterOf(key, parts[0]?.history), phone.matches ? 1 : 2);
		});
	}
}

/** What it is all for: how few trips ids from ranges take. */
function showHeadline() {
	const counts = known().flatMap((node) => [...node.sequences.values()])
		.filter(({ snapshot }) => !snapshot.consecutive).map((history) => history.counts);
	const ranges = Object.fromEntries(Object.keys(EXAMPLE).map((name) => [name, sum(counts.map((one) => one[name]))]));
	const headline = document.getElementById("headline");
	const isExample = ranges.issued === 0;
	const { issued, reservations, left } = isExample ? EXAMPLE : ranges;
	headline.dataset.example = String(isExample);
	setText(headline.querySelector(".sentence"), isExample
		? `An example: ${number(issued)} ids take ${plural(reservations, "trip")} to MongoDB. One by one: ${number(issued)}.`
		: `${plural(issued, "id")} took ${plural(reservations, "trip")} to MongoDB. One by one: ${number(issued)}.`);
	setText(headline.querySelector(".held"), (left === 0) ? "" : `and ${plural(left, "more number")} in memory`);
	const all = Math.max(issued + left, reservations);
	for (const [name, count] of Object.entries({ reservations, issued })) {
		headline.style.setProperty(`--${name}`, `${100 * count / all}%`);
	}
	setText(headline.querySelector(".trips"), number(reservations));
	setText(headline.querySelector(".ones"), number(issued));
}

function showIds() {
	const isFirstTime = idViews.size === 0;
	const ids = new Map();
	for (const node of known()) {
		node.orders.forEach(({ id, placedAt }, index) => ids.set(id, { text: id, at: Date.parse(placedAt), index, slot: node.slot }));
		for (const { id, issuedAt } of node.invoices) {
			ids.set(`invoice ${id}`, { text: String(id), note: " invoice", at: Date.parse(issuedAt), index: 0, slot: node.slot });
		}
		for (const { id, number: text, since } of node.customers) {
			ids.set(id, { text: String(text), note: " customer", at: Date.parse(since), index: 0, slot: node.slot });
		}
	}
	const newest = [...ids].sort(([, one], [, other]) => other.at - one.at || one.index - other.index).slice(0, SHOWN_IDS);
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
	for (const key of [...idViews.keys()].filter((shown) => !newest.some(([other]) => other === shown))) {
		idViews.delete(key);
	}
	arrange(document.getElementById("ids"), newest.map(([key]) => idViews.get(key)));
	document.getElementById("no-ids").hidden = newest.length > 0 || first.looks === 0;
}

// A second process

function showInvitation() {
	arrange(document.getElementById("nodes"), [first.element, second ? second.element : invitation]);
	const proposal = first.info?.second;
	if (!proposal) {
		return;
	}
	const button = invitation.querySelector(".start");
	button.hidden = !first.info.startsSecond;
	button.disabled = !first.isReachable;
	if (second) {
		const isOurs = first.info.running !== null && isSameAddress(`${first.info.running}/`, second.client.address);
		for (const [selector, isShown] of [[".stop", isOurs], [".kill", isOurs], [".leave", !isOurs]]) {
			second.element.querySelector(selector).hidden = !isShown;
		}
		for (const one of second.element.querySelectorAll(".stop, .kill")) {
			one.disabled = !first.isReachable;
		}
	}
	setText(invitation.querySelector("code"), proposal.command);
	setText(invitation.querySelector(".hint"), proposal.complete
		? "Run it where you cloned or started this one. It takes another port and the next node tag."
		: "This shop's server asks for a user or options, which are not shown: add them to the uri.");
	const input = invitation.querySelector("input");
	if (input.placeholder !== proposal.address) {
		input.placeholder = proposal.address;
		input.value ||= proposal.address;
	}
}

/** Starts a process in the first one's process. */
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

/** Ends the process that was started so, and says what became of its unused numbers. */
async function end(kill) {
	const ended = second;
	const label = labelOf(ended);
	const buttons = [...ended.element.querySelectorAll(".stop, .kill")];
	buttons.forEach((button) => button.setAttribute("aria-busy", "true"));
	try {
		await ended.refresh();
		const before = ended.totals;
		await first.client.endSecond(kill);
		first.info = { ...first.info, running: null };
		await ended.database.read(first.client);
		ended.end((key, history) => (kill || ended.database.problem) ? null : counterOf(key, history).max);
		say(invitation.querySelector(".message"),
				toldOfEnd(label, kill, before.left, ended.totals.returned - before.returned, ended.database.problem));
		stopLooking();
	}
	catch (error) {
		say(ended.controls.querySelector(".message"), error.message, true);
	}
	buttons.forEach((button) => button.setAttribute("aria-busy", "false"));
}

function toldOfEnd(label, kill, left, returned, problem) {
	if (left === 0) {
		return `${label} ${kill ? "was killed" : "stopped"}. It held nothing.`;
	}
	if (kill || problem) {
		const gap = `Its ${plural(left, "unused number")} ${left === 1 ? "is" : "are"} a gap now`;
		return kill ? `${label} was killed. ${gap}.` : `${label} stopped. ${gap}, because MongoDB did not answer.`;
	}
	const kept = (returned < left) ? " Only the newest numbers on the line can go back; the others stay a gap." : "";
	return `${label} stopped. It returned ${number(returned)} of ${plural(left, "unused number")}.${kept}`;
}

/** Looks for a process until it answers, or the visitor wants another. */
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
	second = new Node(1, address, { show, databaseOf, isReader }, former?.sequences);
	for (const [selector, action] of [[".leave", stopLooking], [".stop", () => end(false)], [".kill", () => end(true)]]) {
		second.element.querySelector(selector).addEventListener("click", action);
	}
	remember(address);
	const hadFocus = invitation.contains(document.activeElement);
	show();
	if (hadFocus) {
		second.element.querySelector("button:not([hidden])").focus();
	}
	follow(second);
}

function stopLooking() {
	former = second;
	second = null;
	wanted = null;
	remember(null);
	show();
	const input = invitation.querySelector("input");
	input.value = input.placeholder;
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
			throw new Problem("That is this process. The second one has another port.");
		}
		seek(address);
	}
	catch (error) {
		wanted = null;
		say(message, error.message, true);
	}
}

invitation.querySelector(".start").addEventListener("click", start);

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

for (const width of [narrow, phone]) {
	width.addEventListener("change", show);
}
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
