// Reading a recorded game: typed in, from a file or a link; in JSON or text notation; perhaps with gzip.

import { readAll } from "../link.js";
import { NOTATION, ask, exchange } from "../service.js";
import { t } from "../words.js";

/** @typedef {{game: string, moves: any[], players: number, names?: string[], [member: string]: any}} Record_ */
/** @typedef {import("./course.js").MoveWithTexts} MoveWithTexts */
/** @typedef {{answer: any, brief: readonly MoveWithTexts[]}} Told what the service says of a line of moves: its verdict with the course in sentences, and the course in brief */
/** @typedef {{record: Record_, commented?: string} & Told} Judged `commented`: the record in notation, if it has comments */
/** @typedef {{why: string, details: string[]}} Failure why a record cannot be shown, and what the service found wrong with it */

const MOST_BYTES = 8 * 1024 * 1024;
const MOST_DETAILS = 5;
/** More than any game has; a record with more is refused in any case. */
const MOST_PLAYERS = 9;
const GZIP = [0x1f, 0x8b];
const COMMENT = /(?:^|[ \t\n])#/;

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
  const isJson = text.trimStart().startsWith("{");
  const record = isJson ? fromJson(text) : await fromNotation(text, games);
  if (isFailure(record)) return record;
  if (!games.includes(record.game)) return failure(t("replay.no-game", { game: String(record.game ?? "") }));
  const [told, commented] = await Promise.all([toldOf(withNames(record)), !isJson && COMMENT.test(text) ? exchange(`/v1/games/${record.game}/records`, text, { sends: NOTATION, wants: NOTATION }).then(valueOrFailure) : undefined]);
  if (isFailure(told)) return told;
  return { record, ...told, ...(commented && !isFailure(commented) ? { commented } : {}) };
}

/**
 * What the service says of a record.
 * @param {Record_} record
 * @returns {Promise<Told | Failure>}
 */
export async function toldOf(record) {
  const path = `/v1/games/${record.game}/replays`;
  const [answer, inBrief] = await Promise.all([replayed(record), ask(path, { record, texts: true, brief: true }).then(valueOrFailure)]);
  return isFailure(answer) ? answer : { answer, brief: isFailure(inBrief) ? answer.course : inBrief.course };
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
 * A record in text notation, without comments.
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
 * The notes and variations in the comments of a record.
 * @param {Record_} record
 * @param {string} commented the record in notation, as the service writes it
 * @returns {Promise<import("./tree.js").Branch>}
 */
export async function treeIn(record, commented) {
  const { blockIn, blocksIn, treeOf, withMoves } = await import("./comments.js");
  const root = blockIn(commented);
  const blocks = blocksIn(root);
  const movesOf = async (/** @type {string[]} */ lines) => {
    const read = valueOrFailure(await exchange(`/v1/games/${record.game}/records`, withMoves(commented, lines), { sends: NOTATION }));
    return isFailure(read) ? undefined : read.moves;
  };
  /** @type {Map<import("./comments.js").Block, any[] | undefined>} */
  const found = new Map([[root, record.moves]]);
  const all = blocks.length ? await movesOf(blocks.flatMap(({ moves }) => moves)) : [];
  let at = 0;
  for (const block of blocks) found.set(block, all ? all.slice(at, (at += block.moves.length)) : await movesOf(block.moves));
  return treeOf(root, (block) => found.get(block));
}

/**
 * A record in notation, with the notes and variations of its tree.
 * @param {Record_} record
 * @param {import("./tree.js").Branch} tree
 * @returns {Promise<string | Failure>}
 */
export async function notationWith(record, tree) {
  const plain = await notationOf(record);
  if (isFailure(plain) || (!tree.branches.length && !Object.keys(tree.notes).length)) return plain;
  const { movesIn, variationMoves, withComments } = await import("./comments.js");
  const { result, totals, ...unfinished } = record;
  const moves = variationMoves(tree);
  const lines = await notationOf({ ...unfinished, moves });
  if (isFailure(lines)) return lines;
  const lineOf = new Map(movesIn(lines).map((line, at) => [moves[at], line]));
  return withComments(plain, tree, (move) => lineOf.get(move) ?? "");
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
