// What is saved, only in this browser: tables, games, names of players, settings.

/** What undo restores; of a change of players, also these. @typedef {{draft: any, cursor: any, names?: string[], empty?: number[]}} Step */

/**
 * A table of a score pad: who plays, what is typed in, where the next entry goes, and what undo restores.
 * @typedef {object} Table
 * @property {string} id
 * @property {string} game
 * @property {string} begun when, ISO 8601
 * @property {string} changed
 * @property {boolean} finished whether its result was shown
 * @property {string[]} names
 * @property {any} draft what is typed in; its shape is the game's
 * @property {any} cursor where the next entry goes
 * @property {Step[]} undo the latest last
 * @property {boolean} [counted] whether its result was asked for: from then on it is judged as finished
 * @property {string[]} [left] the ties that are left as they are: see `tieKey` in result.js
 * @property {number[]} [empty] the seats that the user confirmed to have nothing to type in
 * @property {number[]} [totals] of the last result, for the history
 */

const PREFIX = "capomastro.";
const HANDED_OVER = "handed-over";
const MOST_STEPS = 300;
const MOST_NAMES = 24;
const MOST_FORGOTTEN = 1000;

/** Used where the browser stores nothing. @type {Map<string, string>} */
const memory = new Map();
let persists = true;

/** Whether what is saved survives this page. */
export function isPersistent() {
  return persists;
}

/**
 * @param {string} key
 * @returns {string | null}
 */
function read(key) {
  try {
    return memory.get(key) ?? localStorage.getItem(PREFIX + key);
  } catch {
    persists = false;
    return memory.get(key) ?? null;
  }
}

/**
 * @param {string} key
 * @param {string | null} value
 */
function write(key, value) {
  try {
    if (value === null) localStorage.removeItem(PREFIX + key);
    else setItem(key, value);
    memory.delete(key);
  } catch {
    persists = false;
    if (value === null) memory.delete(key);
    else memory.set(key, value);
  }
}

/**
 * Saves a text. If there is no room for it, the oldest of what is finished makes some.
 * @param {string} key
 * @param {string} value
 * @throws if there still is none
 */
function setItem(key, value) {
  try {
    localStorage.setItem(PREFIX + key, value);
  } catch (error) {
    if (!makeRoom(key)) throw error;
    setItem(key, value);
  }
}

/**
 * Makes room: finished tables lose what undo restores; then goes what the evening book has, too. False if there is nothing.
 * @param {string} key what the room is for
 */
function makeRoom(key) {
  const finished = [...scoreTables.all(), ...plays.all(), ...distanceGames.all()].filter((one) => one.finished).sort((a, b) => a.changed.localeCompare(b.changed));
  const long = scoreTables.all().findLast((table) => table.finished && table.undo.length && key !== `table.${table.id}`);
  if (long) {
    localStorage.removeItem(`${PREFIX}scored.${long.id}`);
    localStorage.setItem(`${PREFIX}table.${long.id}`, JSON.stringify({ ...long, undo: [] }));
    memory.delete(`table.${long.id}`);
    return true;
  }
  const booked = parsed("booked") ?? [];
  const oldest = finished.find(({ id }) => booked.includes(id) && !key.endsWith(id));
  if (!oldest) return false;
  for (const kind of ["scored", "table", "play", "far"]) {
    localStorage.removeItem(`${PREFIX}${kind}.${oldest.id}`);
    memory.delete(`${kind}.${oldest.id}`);
  }
  return true;
}

/**
 * A setting such as the language; with a value, it is saved.
 * @param {string} key
 * @param {string} [value]
 */
export function setting(key, value) {
  if (value !== undefined) write(key, value);
  return read(key);
}

/** Hands over what is typed in a form to the next page, which is the same in another language. @param {object} [form] */
export function handOver(form) {
  write(HANDED_OVER, form ? JSON.stringify({ path: location.pathname, form }) : null);
}

/** What was typed in the form of this page before its language was changed: once, it is not there later. @returns {any} */
export function handedOver() {
  const { path, form } = parsed(HANDED_OVER) ?? {};
  write(HANDED_OVER, null);
  return path === location.pathname ? form : undefined;
}

/**
 * @param {string} key
 * @returns {any}
 */
function parsed(key) {
  const text = read(key);
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Saved documents of one kind, each under its own key.
 * @template {{id: string, changed: string}} Document_
 * @param {string} list the key of their ids
 * @param {string} item the prefix of their keys
 * @param {(document: Document_) => boolean} isWhole
 */
export function collection(list, item, isWhole) {
  /** @returns {string[]} */
  const ids = () => {
    const known = parsed(list);
    return Array.isArray(known) ? known : [];
  };
  return {
    /** The latest first. */
    all: () =>
      ids()
        .map((id) => /** @type {Document_} */ (parsed(`${item}.${id}`)))
        .filter((document) => document?.id && isWhole(document))
        .sort((a, b) => b.changed.localeCompare(a.changed)),
    of: (/** @type {string} */ id) => /** @type {Document_ | undefined} */ (parsed(`${item}.${id}`)),
    keep: (/** @type {Document_} */ document) => {
      if (forgotten().includes(document.id)) write("forgotten", JSON.stringify(forgotten().filter((id) => id !== document.id)));
      write(`${item}.${document.id}`, JSON.stringify(document));
      if (!ids().includes(document.id)) write(list, JSON.stringify([document.id, ...ids()]));
    },
    forget: (/** @type {string} */ id) => {
      write(list, JSON.stringify(ids().filter((one) => one !== id)));
      write(`${item}.${id}`, null);
      write("forgotten", JSON.stringify([...forgotten(), id].slice(-MOST_FORGOTTEN)));
    },
  };
}

/** What was deleted since the evening book was opened: it goes from there, too. @returns {string[]} */
export function forgotten() {
  return parsed("forgotten") ?? [];
}

const scoreTables = collection("tables", "table", (/** @type {Table} */ table) => Array.isArray(table.names));

/** Games played at this screen. */
export const plays = collection("plays", "play", (/** @type {import("./play/table.js").SavedGame} */ kept) => Array.isArray(kept.record?.moves));

/** Games at a distance, each with the secret of its seat. */
export const distanceGames = collection("far", "far", (/** @type {import("./play/distance.js").DistanceGame} */ kept) => Array.isArray(kept.invitation?.names));

/**
 * Every saved table of a score pad, the latest first.
 * @returns {Table[]}
 */
export function tables() {
  return scoreTables.all();
}

/**
 * The latest unfinished table of a game, if there is one.
 * @param {string} game
 */
export function unfinishedTable(game) {
  return tables().find((table) => table.game === game && !table.finished);
}

/** @param {string} id */
export function tableOf(id) {
  return tables().find((table) => table.id === id);
}

/** A unique text. Browsers make UUIDs only for pages that came over https, or from this device. */
export function unique() {
  return crypto.randomUUID?.() ?? crypto.getRandomValues(new Uint32Array(4)).join("-");
}

/**
 * @param {string} game
 * @param {string[]} names
 * @param {any} draft
 * @param {any} cursor
 * @returns {Table}
 */
export function newTable(game, names, draft, cursor) {
  const now = new Date().toISOString();
  return { id: unique(), game, begun: now, changed: now, finished: false, names, draft, cursor, undo: [] };
}

/** @param {Table} table */
export function keep(table) {
  scoreTables.keep(table);
}

/** @param {string} id */
export function forget(id) {
  scoreTables.forget(id);
  write(`scored.${id}`, null);
}

/**
 * A table after an entry, which can be undone.
 * @param {Table} table
 * @param {{draft: any, cursor: any}} next
 * @returns {Table}
 */
export function entered(table, next) {
  const moved = { ...table, cursor: next.cursor };
  if (JSON.stringify(next.draft) === JSON.stringify(table.draft)) return moved;
  const { draft, cursor } = table;
  return { ...moved, draft: next.draft, undo: stepsWith(table, { draft, cursor }), finished: false, changed: new Date().toISOString() };
}

/**
 * A table with other players, which can be undone.
 * @param {Table} table
 * @param {any} draft theirs
 * @param {any} cursor
 * @returns {Table}
 */
export function reseated(table, draft, cursor) {
  const { names, empty } = table;
  return { ...table, draft, cursor, undo: stepsWith(table, { draft: table.draft, cursor: table.cursor, names, empty }) };
}

/** @param {Table} table @param {Step} step */
function stepsWith({ undo }, step) {
  return [...undo, step].slice(-MOST_STEPS);
}

/**
 * @param {Table} table
 * @returns {Table}
 */
export function undone(table) {
  const last = table.undo.at(-1);
  return last ? { ...table, ...last, undo: table.undo.slice(0, -1), finished: false, changed: new Date().toISOString() } : table;
}

/**
 * The names that have played here, the latest first; those in `played` are added.
 * @param {string[]} [played]
 * @returns {string[]}
 */
export function names(played) {
  const known = parsed("names");
  const before = Array.isArray(known) ? known : [];
  if (!played) return before;
  const now = [...new Set([...played, ...before])].slice(0, MOST_NAMES);
  write("names", JSON.stringify(now));
  return now;
}
