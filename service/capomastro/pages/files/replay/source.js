// Where a recorded game comes from: typed in, a file, a link; JSON or text notation, packed with gzip or not.

import { readAll } from "../link.js";
import { NOTATION, ask, exchange } from "../service.js";
import { t } from "../words.js";

/** @typedef {{game: string, moves: any[], players: number, names?: string[], [member: string]: any}} Record_ */
/** @typedef {{record: Record_, answer: any}} Judged */
/** @typedef {{why: string, details: string[]}} Failure why a text cannot be shown, and what the service says is wrong with it */

const MOST_BYTES = 8 * 1024 * 1024;
const MOST_DETAILS = 5;
/** More names than any game has players; a record that says more is refused without them. */
const MOST_PLAYERS = 9;
const GZIP = [0x1f, 0x8b];

/**
 * The text of a file, unpacked if it is gzip.
 * @param {Blob} file
 * @throws if it is too large or no text
 */
export async function textOf(file) {
  const head = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const isPacked = GZIP.every((byte, at) => head[at] === byte);
  const stream = isPacked ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file.stream();
  return new TextDecoder("utf-8", { fatal: true }).decode(await readAll(stream, MOST_BYTES));
}

/**
 * Has the service judge a recorded game, told in the reader's language.
 * @param {string} text JSON or text notation
 * @param {readonly string[]} games that there are
 * @returns {Promise<Judged | Failure>}
 */
export async function judged(text, games) {
  const record = text.trimStart().startsWith("{") ? fromJson(text) : await fromNotation(text, games);
  if (isFailure(record)) return record;
  if (!games.includes(record.game)) return failure(t("replay.no-game", { game: String(record.game ?? "") }));
  const reply = await replayed(named(record));
  return isFailure(reply) ? reply : { record, answer: reply };
}

/**
 * What the players of a record are called on this page.
 * @param {Record_} record
 * @returns {string[]}
 */
export function namesOf({ players, names }) {
  return names ?? Array.from({ length: players }, (_, seat) => t("replay.player", { number: seat + 1 }));
}

/**
 * A record as the service is asked about it: with names, so that sentences and pictures call its players what this page
 * calls them.
 * @param {Record_} record that might be none: it was not judged yet
 * @returns {Record_}
 */
export function named(record) {
  const { players } = record;
  return Number.isInteger(players) && players >= 1 && players <= MOST_PLAYERS ? { ...record, names: namesOf(record) } : record;
}

/**
 * What the service answers to a record, told move by move.
 * @param {Record_} record
 * @param {string} [repair]
 * @returns {Promise<any | Failure>}
 */
export async function replayed(record, repair) {
  return valueOf(await ask(`/v1/games/${record.game}/replays`, { record, texts: true, ...(repair ? { repair } : {}) }));
}

/**
 * A record as people write it.
 * @param {Record_} record
 * @returns {Promise<string | Failure>}
 */
export async function notationOf(record) {
  return valueOf(await exchange(`/v1/games/${record.game}/records`, JSON.stringify({ record }), { wants: NOTATION }));
}

/**
 * @param {string} text
 * @returns {Record_ | Failure}
 */
function fromJson(text) {
  try {
    const document = JSON.parse(text);
    return document.record ?? document;
  } catch {
    return failure(t("replay.no-json"));
  }
}

/**
 * @param {string} text
 * @param {readonly string[]} games
 * @returns {Promise<Record_ | Failure>}
 */
async function fromNotation(text, games) {
  const game = /^\s*game:\s*([\w-]+)/m.exec(text)?.[1];
  if (!game) return failure(t("replay.no-record"));
  if (!games.includes(game)) return failure(t("replay.no-game", { game }));
  return valueOf(await exchange(`/v1/games/${game}/records`, text, { sends: NOTATION }));
}

/**
 * @param {import("../service.js").Reply} reply
 * @returns {any | Failure}
 */
export function valueOf(reply) {
  if (!reply.reached) return failure(t("replay.unreached"));
  if (reply.status === 200) return reply.value;
  const errors = Array.isArray(reply.value?.errors) ? reply.value.errors : [];
  return failure(
    t("replay.refused"),
    errors.length ? errors.slice(0, MOST_DETAILS).map((/** @type {any} */ one) => [one.line ? t("replay.line", { line: one.line }) : one.pointer, one.message].filter(Boolean).join(": ")) : [String(reply.value?.detail ?? reply.status)],
  );
}

/**
 * @param {string} why
 * @param {string[]} [details]
 * @returns {Failure}
 */
export function failure(why, details = []) {
  return { why, details };
}

/**
 * @param {any} value
 * @returns {value is Failure}
 */
export function isFailure(value) {
  return typeof value === "object" && value !== null && "why" in value && "details" in value;
}
