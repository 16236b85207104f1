// Reading a recorded game: typed in, from a file or a link; in JSON or text notation; perhaps with gzip.

import { readAll } from "../link.js";
import { NOTATION, ask, exchange } from "../service.js";
import { t } from "../words.js";

/** @typedef {{game: string, moves: any[], players: number, names?: string[], [member: string]: any}} Record_ */
/** @typedef {{record: Record_, answer: any}} Judged */
/** @typedef {{why: string, details: string[]}} Failure why a record cannot be shown, and what the service found wrong with it */

const MOST_BYTES = 8 * 1024 * 1024;
const MOST_DETAILS = 5;
/** More than any game has; a record with more is refused in any case. */
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
 * Has the service check a recorded game, with texts in the reader's language.
 * @param {string} text JSON or text notation
 * @param {readonly string[]} games that the service knows
 * @returns {Promise<Judged | Failure>}
 */
export async function judged(text, games) {
  const record = text.trimStart().startsWith("{") ? fromJson(text) : await fromNotation(text, games);
  if (isFailure(record)) return record;
  if (!games.includes(record.game)) return failure(t("replay.no-game", { game: String(record.game ?? "") }));
  const reply = await replayed(withNames(record));
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
 * A record with names for its players, so that the service calls them in sentences and pictures what this page calls them.
 * @param {Record_} record not checked yet, so perhaps malformed
 * @returns {Record_}
 */
export function withNames(record) {
  const { players } = record;
  return Number.isInteger(players) && players >= 1 && players <= MOST_PLAYERS ? { ...record, names: namesOf(record) } : record;
}

/**
 * The service's replay of a record, with texts.
 * @param {Record_} record
 * @param {string} [repair]
 * @returns {Promise<any | Failure>}
 */
export async function replayed(record, repair) {
  return valueOrFailure(await ask(`/v1/games/${record.game}/replays`, { record, texts: true, ...(repair ? { repair } : {}) }));
}

/**
 * A record in text notation.
 * @param {Record_} record
 * @returns {Promise<string | Failure>}
 */
export async function notationOf(record) {
  return valueOrFailure(await exchange(`/v1/games/${record.game}/records`, JSON.stringify({ record }), { wants: NOTATION }));
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
  const game = /(?:^|\n)[ \t]*game:[ \t]*([\w-]+)/.exec(text)?.[1]; // with /m, a line would also begin after U+2028
  if (!game) return failure(t("replay.no-record"));
  if (!games.includes(game)) return failure(t("replay.no-game", { game }));
  return valueOrFailure(await exchange(`/v1/games/${game}/records`, text, { sends: NOTATION }));
}

/**
 * @param {import("../service.js").Reply} reply
 * @returns {any | Failure}
 */
export function valueOrFailure(reply) {
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
