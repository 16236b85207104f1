// What an evening book holds, and what follows from it: pure functions.

/** @typedef {import("../store.js").Table} Table */
/**
 * What the service says of an evening.
 * @typedef {object} Outcome
 * @property {number[]} totals by seat
 * @property {(number | null)[]} places
 * @property {number[] | null} winners null while a tie is open
 * @property {boolean} possible whether the rules allow it
 */
/**
 * A finished table, as its scoresheet, or a finished game, as its record.
 * @typedef {object} Entry
 * @property {string} id
 * @property {string} begun when, ISO 8601
 * @property {string} changed
 * @property {any} [scoresheet]
 * @property {any} [record]
 * @property {number[]} [unnamed] the seats of the record whose players have no name of their own
 * @property {number[]} [computers] the seats that the service played
 * @property {Outcome} result
 */
/** @typedef {Omit<Entry, "result">} Unjudged an entry before the service has said what it is worth */
/** @typedef {{[key: string]: string}} People the names that take the place of others, by the key of what they replace */
/** @typedef {{played: number, won: number, shared: number, points: number[]}} Figures `points`: the latest first */
/** @typedef {Figures & {key: string, name: string, games: Map<string, Figures>}} Person */

/** More than any game has. */
const MOST_PLAYERS = 10;

/** @param {Pick<Entry, "scoresheet" | "record">} entry */
export function documentOf({ scoresheet, record }) {
  return scoresheet ?? record;
}

/** @param {Pick<Entry, "scoresheet" | "record">} entry @returns {string} */
export function gameOf(entry) {
  return documentOf(entry).game;
}

/** The names by seat; "" for who has none. The service may not have accepted the document. @param {Unjudged} entry @returns {string[]} */
export function namesIn({ scoresheet, record, unnamed = [] }) {
  const named = (/** @type {any} */ name) => (typeof name === "string" ? name : "");
  if (scoresheet) return scoresheet.seats.map((/** @type {any} */ seat) => named(seat?.name));
  const { players, names } = record;
  const length = Number.isInteger(players) && players <= MOST_PLAYERS ? players : 0;
  return Array.from({ length }, (_, seat) => (unnamed.includes(seat) ? "" : named(names?.[seat])));
}

/** Equal names are one person, whatever their case, and the blanks around them. @param {string} name */
export function keyOf(name) {
  return name.normalize("NFC").trim().toLowerCase();
}

/** What somebody is called in the book. @param {string} name @param {People} people */
export function calledIn(name, people) {
  const key = keyOf(name);
  return Object.hasOwn(people, key) ? people[key] : name.trim();
}

/**
 * The names after somebody is called something else; if somebody has that name already, both are one person.
 * @param {People} people
 * @param {string} key of who is renamed
 * @param {string} name
 * @returns {People}
 */
export function renamed(people, key, name) {
  const to = keyOf(name);
  const others = Object.entries(people).map(([from, before]) => [from, keyOf(before) === key ? name.trim() : before]);
  const next = Object.fromEntries([...others, [key, name.trim()]]);
  // who is called so anew is no longer called otherwise
  if (to !== key) delete next[to];
  return next;
}

/**
 * The names without a change that was made to them; whatever else has changed since remains.
 * @param {People} people
 * @param {People} before
 * @param {People} after
 * @returns {People}
 */
export function takenBack(people, before, after) {
  const isChanged = (/** @type {[string, string]} */ [key]) => before[key] !== after[key];
  return Object.fromEntries([...Object.entries(people).filter((pair) => !isChanged(pair)), ...Object.entries(before).filter(isChanged)]);
}

/** The other names that count as this person's. @param {People} people @param {string} key */
export function mergedInto(people, key) {
  return Object.keys(people).filter((from) => from !== key && keyOf(people[from]) === key);
}

/**
 * An evening at which both sat: then they cannot be one person.
 * @param {readonly Entry[]} entries
 * @param {People} people
 * @param {string} key
 * @param {string} name
 */
export function together(entries, people, key, name) {
  const to = keyOf(name);
  if (to === key) return undefined;
  return entries.find((entry) => {
    const keys = namesIn(entry).map((one) => keyOf(calledIn(one, people)));
    return keys.includes(key) && keys.includes(to);
  });
}

/** The latest first. @param {readonly Entry[]} entries */
export function inOrder(entries) {
  return [...entries].sort((a, b) => b.begun.localeCompare(a.begun) || a.id.localeCompare(b.id));
}

/**
 * Everybody with their figures: who has played most comes first. What the rules do not allow is in no figure, and neither are
 * the service's players nor who has no name. A shared victory counts by itself; while a tie is open, nobody has won.
 * @param {readonly Entry[]} entries the latest first
 * @param {People} people
 * @returns {Person[]}
 */
export function persons(entries, people) {
  /** @type {Map<string, Person>} */
  const all = new Map();
  for (const entry of entries.filter(({ result }) => result.possible)) {
    const { totals, winners } = entry.result;
    for (const [seat, typed] of namesIn(entry).entries()) {
      const name = calledIn(typed, people);
      if (!name || entry.computers?.includes(seat)) continue;
      const key = keyOf(name);
      const person = all.get(key) ?? { key, name, games: new Map(), ...noFigures() };
      all.set(key, person);
      const game = person.games.get(gameOf(entry)) ?? noFigures();
      person.games.set(gameOf(entry), game);
      for (const figures of [person, game]) {
        figures.played++;
        figures.points.push(totals[seat]);
        if (winners?.includes(seat)) figures[winners.length > 1 ? "shared" : "won"]++;
      }
    }
  }
  return [...all.values()].sort((a, b) => b.played - a.played || b.won - a.won || a.name.localeCompare(b.name));
}

/** @returns {Figures} */
function noFigures() {
  return { played: 0, won: 0, shared: 0, points: [] };
}

/** @param {readonly number[]} points */
export function mean(points) {
  return points.reduce((sum, one) => sum + one, 0) / points.length;
}

/** @param {Entry} entry @param {string} key of a person @param {People} people */
export function isThere(entry, key, people) {
  return namesIn(entry).some((name) => keyOf(calledIn(name, people)) === key);
}
