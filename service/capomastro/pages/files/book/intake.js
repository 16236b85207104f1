// What comes into the book: finished tables and games of this device, and files. Whatever it is, the service reckons its result.

import { gameOf, namesIn } from "./entries.js";
import { itemsIn, news } from "./file.js";
import { findingText } from "../parts.js";
import { ask } from "../service.js";
import * as store from "../store.js";
import { called, has, t, toldApart } from "../words.js";

/** @typedef {import("./entries.js").Entry} Entry */
/** @typedef {import("./entries.js").Unjudged} Unjudged */
/** @typedef {import("./entries.js").People} People */
/** @typedef {import("./file.js").Item} Item */
/** @typedef {import("./file.js").Fault} Fault */
/** @typedef {import("../store.js").Table} Table */
/** @typedef {{entry: Entry} | {table: Table} | {fault: Fault}} Judged a finished evening, a table to go on with, or why it is neither */
/**
 * What a file brings.
 * @typedef {object} Intake
 * @property {Entry[]} entries that are new
 * @property {Table[]} tables that are not finished
 * @property {Fault[]} faults
 * @property {number} known how many were here already
 * @property {People} people
 */

/** Questions to the service at a time. */
const AT_ONCE = 4;

/** The service cannot be reached. */
export class LostError extends Error {}

// --- this device -----------------------------------------------------------------------------------------------------

/** The finished tables and games of this device. @returns {Promise<Unjudged[]>} */
export async function finishedHere() {
  const tables = store.tables().filter(({ finished }) => finished);
  const played = store.plays.all().filter(({ finished }) => finished);
  const apart = store.distanceGames.all().filter(({ finished, opened }) => finished && opened);
  return [
    ...(await Promise.all(tables.map(ofTable))),
    ...played.map(({ id, begun, changed, record, kinds, unnamed = [] }) => {
      const computers = [...kinds.keys()].filter((seat) => kinds[seat] === "random" || kinds[seat] === "planning");
      return { id, begun, changed, record, ...(unnamed.length ? { unnamed } : {}), ...(computers.length ? { computers } : {}) };
    }),
    ...apart.map(({ id, begun, changed, opened }) => ({ id, begun, changed, record: opened?.record })),
  ].filter((one) => one !== undefined);
}

/** The tables that are not finished, as they are exported. @returns {Promise<Unjudged[]>} */
export async function unfinishedHere() {
  const tables = await Promise.all(store.tables().filter(({ finished }) => !finished).map(ofTable));
  return tables.filter((one) => one !== undefined);
}

/** @param {Table} table @returns {Promise<Unjudged | undefined>} */
async function ofTable({ id, game, begun, changed, names, draft, finished }) {
  if (!has(`${game}.title`)) return undefined;
  const { default: pad } = await import(`../games/${game}.js`);
  const shown = toldApart(called(names));
  const sheet = pad.sheet(draft, names.map((name, seat) => (name ? shown[seat] : undefined)));
  return { id, begun, changed, scoresheet: finished ? sheet : { ...sheet, unfinished: true } };
}

// --- the service -----------------------------------------------------------------------------------------------------

/**
 * @param {Unjudged} unjudged
 * @param {string} at its place in a file
 * @returns {Promise<Judged>}
 * @throws {LostError}
 */
export async function judged(unjudged, at = "") {
  const game = gameOf(unjudged);
  if (!has(`${game}.title`)) return { fault: { at, message: t("book.fault.game") } };
  const reply = await ask(`/v1/games/${game}/${unjudged.record ? "replays" : "scores"}`, unjudged.record ? { record: unjudged.record } : { scoresheet: unjudged.scoresheet, even_if_impossible: true });
  if (!reply.reached) throw new LostError();
  const { status, value } = reply;
  if (status !== 200) {
    const [error] = value?.errors ?? [];
    return { fault: { at: placeIn(at, error?.pointer), message: error ? findingText(error, called(namesIn(unjudged))) : String(value?.detail ?? status) } };
  }
  if (unjudged.scoresheet?.unfinished) return { table: await tableOf(unjudged) };
  if (value.first_divergence) return { fault: { at: placeIn(at, `/record/moves/${value.plies}`), message: value.first_divergence.refusal.message } };
  if (!value.result) return { fault: { at, message: t("book.fault.open") } };
  const { players, winners = null } = value.result;
  const seats = (/** @type {"total" | "place"} */ what) => players.map((/** @type {any} */ player) => player[what]);
  return { entry: { ...unjudged, result: { totals: seats("total"), places: seats("place"), winners, possible: !value.findings?.length } } };
}

/** @param {string} at @param {string} [pointer] */
function placeIn(at, pointer = "") {
  return at.startsWith("/") ? `${at === "/" ? "" : at}${pointer}` || "/" : [at, pointer].filter(Boolean).join(", ");
}

/** A table to go on with. @param {Unjudged} unjudged @returns {Promise<Table>} */
async function tableOf({ id, begun, changed, scoresheet }) {
  const { default: pad } = await import(`../games/${scoresheet.game}.js`);
  const { draft, cursor } = pad.draftOf(scoresheet);
  const names = scoresheet.seats.map((/** @type {any} */ seat) => seat.name ?? "");
  return { ...store.newTable(scoresheet.game, names, draft, cursor), id, begun, changed };
}

/**
 * The answers for all, a few at a time.
 * @template Given, Answer
 * @param {readonly Given[]} all
 * @param {(one: Given) => Promise<Answer>} answer
 * @param {(done: number) => void} [tell]
 * @returns {Promise<Answer[]>}
 */
async function each(all, answer, tell) {
  /** @type {Answer[]} */
  const answers = [];
  let next = 0;
  let done = 0;
  const work = async () => {
    while (next < all.length) {
      const at = next++;
      answers[at] = await answer(all[at]);
      tell?.(++done);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return answers;
}

/**
 * What is finished on this device and not in the book as it is now.
 * @param {readonly Entry[]} book
 * @returns {Promise<{entries: Entry[], refused: number}>} `refused`: how many the service does not accept
 * @throws {LostError}
 */
export async function collected(book) {
  const known = new Map(book.map(({ result: _, ...entry }) => [entry.id, JSON.stringify(entry)]));
  const fresh = (await finishedHere()).filter((one) => known.get(one.id) !== JSON.stringify(one));
  const answers = await each(fresh, (one) => judged(one));
  const entries = answers.flatMap((answer) => ("entry" in answer ? [answer.entry] : []));
  return { entries, refused: answers.length - entries.length };
}

/**
 * What a file brings that is not in the book.
 * @param {string} text
 * @param {string} when the file was written
 * @param {readonly Entry[]} book
 * @param {(done: number, of: number) => void} tell
 * @returns {Promise<Intake>}
 * @throws {LostError | import("./file.js").UnreadableError}
 */
export async function taken(text, when, book, tell) {
  const { items, people } = itemsIn(text, when);
  /** @type {Fault[]} */
  const faults = [];
  /** @type {Map<Unjudged, string>} */
  const places = new Map();
  for (const item of items) {
    const unjudged = item.older ? await ofOlder(item.older) : item.unjudged;
    if (unjudged) places.set(unjudged.id ? unjudged : { ...unjudged, id: store.unique() }, item.at);
    else faults.push({ at: item.at, message: t("book.fault.member", { member: item.fault ?? "draft" }) });
  }
  const given = [...places.keys()];
  const tables = store.tables().filter(({ finished }) => !finished);
  const kept = (await unfinishedHere()).filter(({ id }) => tables.some((table) => table.id === id));
  const fresh = news(given, [...book, ...kept]);
  const answers = await each(fresh, (one) => judged(one, places.get(one)), (done) => tell(done, fresh.length));
  return {
    entries: answers.flatMap((answer) => ("entry" in answer ? [answer.entry] : [])),
    tables: answers.flatMap((answer) => ("table" in answer ? [answer.table] : [])),
    faults: [...faults, ...answers.flatMap((answer) => ("fault" in answer ? [answer.fault] : []))],
    known: given.length - fresh.length,
    people,
  };
}

/** A table as older versions exported it: as it was saved. @param {Table} table */
async function ofOlder(table) {
  try {
    return await ofTable({ ...table, names: table.names.map(String), finished: !!table.finished });
  } catch {
    return undefined;
  }
}
