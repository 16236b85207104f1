// Names written from right to left are isolated, or what is beside them would change sides.

const ISOLATE = "\u2068";
const END_ISOLATE = "\u2069";
const RIGHT_TO_LEFT = /[\u0590-\u08ff\u200f\u202a-\u202e\u2066\u2067\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const ISOLATED = new RegExp(`${ISOLATE}([^${ISOLATE}]*?)${END_ISOLATE}`);

/**
 * A name for a sentence; a sentence with isolated names stays as it is.
 * @param {string} name
 */
export function isolated(name) {
  return RIGHT_TO_LEFT.test(name) && !name.includes(ISOLATE) ? ISOLATE + name + END_ISOLATE : name;
}

/**
 * A text in pieces: every second one is an isolated name. A text with letters from right to left but no isolates is one name.
 * @param {string} text
 * @returns {string[]}
 */
export function pieces(text) {
  return text.includes(ISOLATE) ? text.split(ISOLATED) : RIGHT_TO_LEFT.test(text) ? ["", text] : [text];
}
