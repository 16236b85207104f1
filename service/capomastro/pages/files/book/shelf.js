// Where the book lies: in a database of this browser, which has room for thousands of evenings. Where there is none, as in some
// private windows, it lasts as long as the page.

import * as store from "../store.js";

/** @typedef {import("./entries.js").Entry} Entry */
/** @typedef {import("./entries.js").People} People */

const DATABASE = "capomastro";
const ENTRIES = "entries";

/** @type {Map<string, Entry>} */
const memory = new Map();
/** @type {Promise<IDBDatabase | undefined> | undefined} */
let opening;

/** Whether the book survives this page. */
export async function lasts() {
  return !!(await database());
}

function database() {
  opening ??= new Promise((resolve) => {
    try {
      const request = indexedDB.open(DATABASE, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(ENTRIES, { keyPath: "id" });
      request.onsuccess = () => resolve(request.result);
      request.onerror = request.onblocked = () => resolve(undefined);
    } catch {
      resolve(undefined);
    }
  });
  return opening;
}

/** @returns {Promise<Entry[]>} */
export async function all() {
  const shelf = await database();
  if (!shelf) return [...memory.values()];
  return new Promise((resolve, reject) => {
    const request = shelf.transaction(ENTRIES).objectStore(ENTRIES).getAll();
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/**
 * Changes entries, all or none.
 * @param {{put?: readonly Entry[], remove?: readonly string[]}} what
 * @returns {Promise<boolean>} false if there is no room
 */
export async function change({ put = [], remove = [] }) {
  const shelf = await database();
  if (!shelf) {
    for (const id of remove) memory.delete(id);
    for (const entry of put) memory.set(entry.id, entry);
    return true;
  }
  return new Promise((resolve) => {
    const transaction = shelf.transaction(ENTRIES, "readwrite");
    const entries = transaction.objectStore(ENTRIES);
    for (const id of remove) entries.delete(id);
    for (const entry of put) entries.put(entry);
    transaction.oncomplete = () => resolve(true);
    transaction.onerror = transaction.onabort = () => resolve(false);
  });
}

/** The names that take the place of others; with a value, they are saved. @param {People} [next] @returns {People} */
export function people(next) {
  if (next) store.setting("people", JSON.stringify(next));
  try {
    return JSON.parse(store.setting("people") ?? "{}");
  } catch {
    return {};
  }
}
