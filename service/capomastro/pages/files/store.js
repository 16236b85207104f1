// What is kept, and only in this browser: tables, the names that have played, the language.

/**
 * A table: who plays, what lies there as far as it is typed in, where the next entry goes, and every step back.
 * @typedef {object} Table
 * @property {string} id
 * @property {string} game
 * @property {string} begun when, ISO 8601
 * @property {string} changed
 * @property {boolean} finished whether its result was shown
 * @property {string[]} names
 * @property {any} draft what is typed in; its shape is the game's
 * @property {any} cursor where the next entry goes
 * @property {{draft: any, cursor: any}[]} undo the latest last
 * @property {number[]} [totals] of the last result, for the history
 */

const PREFIX = "capomastro.";
const MOST_STEPS = 300;
const MOST_NAMES = 24;

/** @type {Map<string, string>} where the browser keeps nothing */
const memory = new Map();
let keeps = true;

/** Whether what is kept survives this page. */
export function isKept() {
  return keeps;
}

/**
 * @param {string} key
 * @returns {string | null}
 */
function read(key) {
  try {
    return memory.get(key) ?? localStorage.getItem(PREFIX + key);
  } catch {
    keeps = false;
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
    else localStorage.setItem(PREFIX + key, value);
    memory.delete(key);
  } catch {
    keeps = false;
    if (value === null) memory.delete(key);
    else memory.set(key, value);
  }
}

/**
 * A setting such as the language; with a value it is kept.
 * @param {string} key
 * @param {string} [value]
 */
export function remembered(key, value) {
  if (value !== undefined) write(key, value);
  return read(key);
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

/** @returns {string[]} */
function ids() {
  const known = parsed("tables");
  return Array.isArray(known) ? known : [];
}

/**
 * Every table that is kept, the latest first.
 * @returns {Table[]}
 */
export function tables() {
  return ids()
    .map((id) => /** @type {Table} */ (parsed(`table.${id}`)))
    .filter((table) => table?.id && Array.isArray(table.names))
    .sort((a, b) => b.changed.localeCompare(a.changed));
}

/**
 * The table of a game that is still typed in, if there is one.
 * @param {string} game
 */
export function openTable(game) {
  return tables().find((table) => table.game === game && !table.finished);
}

/** @param {string} id */
export function tableOf(id) {
  return tables().find((table) => table.id === id);
}

/**
 * @param {string} game
 * @param {string[]} names
 * @param {any} draft
 * @param {any} cursor
 * @returns {Table}
 */
export function begun(game, names, draft, cursor) {
  const now = new Date().toISOString();
  return { id: crypto.randomUUID?.() ?? now, game, begun: now, changed: now, finished: false, names, draft, cursor, undo: [] };
}

/** @param {Table} table */
export function keep(table) {
  write(`table.${table.id}`, JSON.stringify(table));
  if (!ids().includes(table.id)) write("tables", JSON.stringify([table.id, ...ids()]));
}

/** @param {string} id */
export function forget(id) {
  write("tables", JSON.stringify(ids().filter((one) => one !== id)));
  write(`table.${id}`, null);
}

/**
 * A table after an entry: what was there before becomes a step back.
 * @param {Table} table
 * @param {{draft: any, cursor: any}} next
 * @returns {Table}
 */
export function entered(table, next) {
  const moved = { ...table, cursor: next.cursor };
  if (JSON.stringify(next.draft) === JSON.stringify(table.draft)) return moved;
  const undo = [...table.undo, { draft: table.draft, cursor: table.cursor }].slice(-MOST_STEPS);
  return { ...moved, draft: next.draft, undo, finished: false, changed: new Date().toISOString() };
}

/**
 * @param {Table} table
 * @returns {Table}
 */
export function undone(table) {
  const last = table.undo.at(-1);
  return last ? { ...table, ...last, undo: table.undo.slice(0, -1), changed: new Date().toISOString() } : table;
}

/**
 * The names that played on this phone, the latest first; with `played` they are kept.
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
