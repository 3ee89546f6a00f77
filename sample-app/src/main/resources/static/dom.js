// Small helpers. Data gets into the page as text alone.

const numbers = new Intl.NumberFormat("en");

export function number(value) {
	return numbers.format(value);
}

export function plural(count, noun) {
	return `${number(count)} ${noun}${count === 1 ? "" : "s"}`;
}

export function element(name, className, text = "") {
	const created = document.createElement(name);
	created.className = className;
	created.textContent = text;
	return created;
}

/** Leaves the page alone where nothing changed, so that nothing is announced twice. */
export function setText(target, text) {
	if (target.textContent !== text) {
		target.textContent = text;
	}
}

export function say(target, text, bad = false) {
	target.classList.toggle("bad", bad);
	setText(target, text);
}

/** Puts the children in this order and moves none that is in its place already. */
export function arrange(parent, children) {
	for (const child of [...parent.children]) {
		if (!children.includes(child)) {
			child.remove();
		}
	}
	children.forEach((child, index) => {
		if (parent.children[index] !== child) {
			parent.insertBefore(child, parent.children[index] ?? null);
		}
	});
}

export function fromTemplate(id) {
	return document.getElementById(id).content.firstElementChild.cloneNode(true);
}
