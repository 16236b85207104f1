// The file of an evening book: what is exported, and what can be read of what was exported.

/** @typedef {import("./entries.js").Entry} Entry */
/** @typedef {import("./entries.js").Unjudged} Unjudged */
/** @typedef {import("./entries.js").People} People */
/** @typedef {{at: string, message: string}} Fault `at`: a line, or a JSON Pointer */
/** @typedef {{at: string, unjudged?: Unjudged, older?: any, fault?: string}} Item of a file: an entry, an older saved table, or why it is none */

const VERSION = 1;
export const MOST_BYTES = 64 * 1024 * 1024;
const MOST_ENTRIES = 20_000;
const LONGEST_ID = 100;
/** Years of four figures: of others, ISO 8601 and browsers differ. */
const FIRST_YEAR = 1000;
const LAST_YEAR = 9999;

/** Why a file cannot be read at all. */
export class UnreadableError extends Error {
  /** @param {string} key of the sentence @param {{[slot: string]: string | number}} [slots] */
  constructor(key, slots = {}) {
    super(key);
    this.key = key;
    this.slots = slots;
  }
}

/**
 * An evening book as a file, one entry to a line. The results are for other readers: here they are reckoned anew.
 * @param {readonly Unjudged[]} entries
 * @param {People} people
 */
export function exported(entries, people) {
  const lines = entries.map((entry) => JSON.stringify(entry));
  return `{"evening_book": ${VERSION},\n"people": ${JSON.stringify(people)},\n"entries": [\n${lines.join(",\n")}\n]}\n`;
}

/**
 * What a file holds: an evening book, all saved tables of an older version, a game per line, one scoresheet or record.
 * @param {string} text
 * @param {string} when the file was written, for what has no date of its own
 * @returns {{items: Item[], people: People}}
 * @throws {UnreadableError}
 */
export function itemsIn(text, when) {
  const content = text.replace(/^\uFEFF/, "");
  const lines = content.split("\n");
  const games = linesOf(lines);
  if (games) return { items: games.map(({ line, value }) => ({ at: `${line}`, ...itemOf(value, when) })), people: {} };
  const value = parsed(content);
  if (value?.evening_book !== undefined) {
    if (value.evening_book !== VERSION) throw new UnreadableError("book.newer");
    if (!Array.isArray(value.entries)) throw new UnreadableError("book.nothing");
    return { items: bounded(value.entries).map((one, at) => ({ at: `/entries/${at}`, ...entryOf(one) })), people: peopleIn(value.people) };
  }
  if (Array.isArray(value)) return { items: bounded(value).map((one, at) => ({ at: `/${at}`, ...itemOf(one, when) })), people: {} };
  return { items: [{ at: "/", ...itemOf(value, when) }], people: {} };
}

/** @param {any[]} values */
function bounded(values) {
  if (values.length > MOST_ENTRIES) throw new UnreadableError("book.long", { most: MOST_ENTRIES });
  return values;
}

/**
 * The values of a file with one in each line; undefined if it is one document.
 * @param {string[]} lines
 */
function linesOf(lines) {
  const filled = lines.map((text, at) => ({ text: text.trim(), line: at + 1 })).filter(({ text }) => text);
  if (filled.length < 2 || !isObject(filled[0].text)) return undefined;
  return bounded(filled).map(({ text, line }) => {
    try {
      return { line, value: JSON.parse(text) };
    } catch {
      throw new UnreadableError("book.no-json", { line });
    }
  });
}

/** @param {string} text */
function isObject(text) {
  try {
    return text.startsWith("{") && !!JSON.parse(text);
  } catch {
    return false;
  }
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    const said = String(error);
    const [, named] = /line (\d+)/.exec(said) ?? [];
    const [, position] = /position (\d+)/.exec(said) ?? [];
    const line = named ? Number(named) : position ? text.slice(0, Number(position)).split("\n").length : 1;
    throw new UnreadableError("book.no-json", { line });
  }
}

/** @param {any} value @returns {Omit<Item, "at">} */
function entryOf(value) {
  const { id, begun, changed, scoresheet, record, unnamed, computers } = value ?? {};
  if (typeof id !== "string" || !id || id.length > LONGEST_ID) return { fault: "id" };
  if (!isDate(begun)) return { fault: "begun" };
  if (!isDate(changed)) return { fault: "changed" };
  if (!isDocument(scoresheet) === !isDocument(record)) return { fault: "scoresheet" };
  if (![unnamed, computers].every(areSeats)) return { fault: "computers" };
  return { unjudged: { id, begun, changed, ...(scoresheet ? { scoresheet } : { record }), ...(unnamed?.length ? { unnamed } : {}), ...(computers?.length ? { computers } : {}) } };
}

/** @param {any} value what no evening book has written @param {string} when @returns {Omit<Item, "at">} */
function itemOf(value, when) {
  if (typeof value?.game !== "string" && isDocument(value?.scoresheet)) return itemOf(value.scoresheet, when);
  if (typeof value?.game !== "string") return { fault: "game" };
  if (value.draft && Array.isArray(value.names)) return isDate(value.begun) && isDate(value.changed) && typeof value.id === "string" ? { older: value } : { fault: "begun" };
  const begun = isDate(value.tags?.date) ? new Date(value.tags.date).toISOString() : when;
  const of = Array.isArray(value.moves) ? { record: value } : Array.isArray(value.seats) ? { scoresheet: value } : undefined;
  return of ? { unjudged: { id: "", begun, changed: begun, ...of } } : { fault: "scoresheet" };
}

/** @param {any} value @returns {People} */
function peopleIn(value) {
  const pairs = Object.entries(value ?? {}).filter(([, name]) => typeof name === "string" && name.trim() && name.length <= LONGEST_ID);
  return /** @type {People} */ (Object.fromEntries(pairs.slice(0, MOST_ENTRIES)));
}

/** @param {any} value */
function isDocument(value) {
  return typeof value === "object" && value !== null && typeof value.game === "string" && (Array.isArray(value.seats) || Array.isArray(value.moves));
}

/** @param {any} value */
function isDate(value) {
  if (typeof value !== "string" || value.length >= 40) return false;
  const year = new Date(value).getUTCFullYear();
  return year >= FIRST_YEAR && year <= LAST_YEAR;
}

/** @param {any} value */
function areSeats(value) {
  return value === undefined || (Array.isArray(value) && value.every(Number.isInteger));
}

/**
 * Which of the entries are new: neither known by their id, nor the same game, nor the same table on the same day. Of one that
 * is known the later version is new, too.
 * @param {readonly Unjudged[]} given
 * @param {readonly Unjudged[]} known
 */
export function news(given, known) {
  const ids = new Map(known.map((entry) => [entry.id, entry]));
  const same = new Set(known.map(fingerprint));
  return given.filter((entry) => {
    const here = ids.get(entry.id);
    if (here ? entry.changed <= here.changed : same.has(fingerprint(entry))) return false;
    ids.set(entry.id, entry);
    same.add(fingerprint(entry));
    return true;
  });
}

/** No two games have the same moves; two tables may end alike, but hardly on one day. @param {Unjudged} entry */
function fingerprint({ begun, scoresheet, record }) {
  if (scoresheet) return JSON.stringify([begun.slice(0, 10), scoresheet]);
  const { tags: _, result: _claimed, totals: _sums, ...played } = record;
  return JSON.stringify(played);
}
