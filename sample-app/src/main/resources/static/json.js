// JSON without loss: a counter may stand above 2^53, where a number of JavaScript no longer tells neighbours apart.

const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const MARK = "$whole";

/** Parses JSON. A whole number that a double can't hold becomes a BigInt. */
export function parse(text) {
	return JSON.parse(text.replace(TOKENS, mark), (name, value) => isMarked(value) ? BigInt(value[MARK]) : value);
}

function mark(token) {
	return /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token)) ? `{"${MARK}":"${token}"}` : token;
}

function isMarked(value) {
	return typeof value?.[MARK] === "string";
}
