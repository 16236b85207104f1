// Names from right to left are isolated, or what stands beside them would change sides.

const BEGINS = "\u2068";
const ENDS = "\u2069";
const TURNING = /[\u0590-\u08ff\u200f\u202a-\u202e\u2066\u2067\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const ISOLATED = new RegExp(`${BEGINS}([^${BEGINS}]*?)${ENDS}`);

/**
 * A name for a sentence; a sentence with isolated names stays as it is.
 * @param {string} name
 */
export function isolated(name) {
  return TURNING.test(name) && !name.includes(BEGINS) ? BEGINS + name + ENDS : name;
}

/**
 * A text in pieces: every second one is an isolated name. A text that isolates none but turns is such a name as a whole.
 * @param {string} text
 * @returns {string[]}
 */
export function pieces(text) {
  return text.includes(BEGINS) ? text.split(ISOLATED) : TURNING.test(text) ? ["", text] : [text];
}
