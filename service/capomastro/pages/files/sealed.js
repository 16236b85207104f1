// Sealed tables as a client sees them (docs/tables.md): secrets, links, how two tables compare, and how a finished game is
// checked. It neither calls the service nor shows anything.

import { base64url, deflated, inflated, isForTable } from "./link.js";

/**
 * What was agreed before the game.
 * @typedef {object} Creation
 * @property {number} format
 * @property {string} game
 * @property {number} schema_version
 * @property {number} rules_version
 * @property {number} players
 * @property {string[]} [names]
 * @property {{[option: string]: unknown}} options
 * @property {string[]} locks
 * @property {"witnessed" | "at-once"} draws
 * @property {string} nonce
 */
/** @typedef {{for: "join" | "move" | "draw" | "opening", seats: number[]}} Waiting */
/** @typedef {{creation: Creation, id: string, commitment: string, waiting: Waiting, record: string, state: any, sealed: string}} Sealed a table */
/** @typedef {Omit<Sealed, "id" | "state">} CompactTable a table without the members that follow from the others */
/** @typedef {{record: any, root: string, shares: string[], seed: string, result?: any}} Opened a finished game with all that was hidden */
/** @typedef {{invitation: Invitation, seat: number, secret: string, table?: Sealed}} SeatTransfer what moves a seat to another device of its player */
/**
 * What is agreed before there is a table; a lock that is not given yet is null.
 * @typedef {{game: string, names: string[], options: {[option: string]: unknown}, draws: "witnessed" | "at-once", nonce: string, locks: (string | null)[]}} Invitation
 */

/** Whether secrets can be made here: browsers hash only on pages that came over https, or from this device. */
export const canSeal = () => globalThis.crypto?.subtle !== undefined;

// --- secrets ---------------------------------------------------------------------------------------------------------

const SECRET_BYTES = 32;

/** A secret of one player for one game: it leaves this browser only in requests to the service. */
export function newSecret() {
  return base64url(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
}

/** What distinguishes a game from others with the same terms. */
export function newNonce() {
  return base64url(crypto.getRandomValues(new Uint8Array(12)));
}

/**
 * The SHA-256 of a text, in hexadecimal.
 * @param {string} text
 */
export async function digest(text) {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * The lock of a secret, which everybody may know.
 * @param {string} secret
 */
export async function lockOf(secret) {
  return digest(await digest(secret));
}

/**
 * The seed of a game's draws.
 * @param {string} root
 * @param {readonly string[]} shares
 */
export function seedOf(root, shares) {
  return digest([root, ...shares].join("/"));
}

/** @param {Creation} creation */
export function idOf(creation) {
  return digest(canonical(creation));
}

/**
 * A value as RFC 8785 writes it; for numbers that are integers, as all in a table are.
 * @param {unknown} value
 * @returns {string}
 */
export function canonical(value) {
  return JSON.stringify(value, (_, inner) => (typeof inner === "object" && inner !== null && !Array.isArray(inner) ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1))) : inner));
}

// --- comparing two tables --------------------------------------------------------------------------------------------

/**
 * Whether a table continues the saved one: the same game, with the same moves so far. Checked before every move, draw and
 * opening, and for every table that the service answers.
 * @param {Sealed} kept
 * @param {Sealed} next
 */
export function extendsTable(kept, next) {
  return isSameGame(kept, next) && joined(next) >= joined(kept) && next.record.startsWith(kept.record);
}

/**
 * Whether two tables are of one game.
 * @param {Sealed} one
 * @param {Sealed} other
 */
export function isSameGame(one, other) {
  return canonical(one.creation) === canonical(other.creation) && one.id === other.id && one.commitment === other.commitment;
}

/**
 * How many seats have joined.
 * @param {Sealed} table
 */
export function joined({ waiting, creation }) {
  return waiting.for === "join" ? waiting.seats[0] : creation.players;
}

/**
 * Where two genuine tables of one game diverge: the line, counted from 1, and the seat that played it twice; null is chance.
 * @param {Sealed} one
 * @param {Sealed} other
 * @returns {{line: number, seat: number | null} | undefined} undefined if one continues the other
 */
export function fork(one, other) {
  const lines = linesOf(one.record);
  const others = linesOf(other.record);
  const at = lines.findIndex((line, index) => index < others.length && line !== others[index]);
  return at < 0 ? undefined : { line: at + 1, seat: seatIn(lines[at]) };
}

/**
 * Who made the move in a line of a record; null if it was chance.
 * @param {string} line
 */
export function seatIn(line) {
  const word = line.split(" ", 1)[0];
  return /^\d+$/.test(word) ? Number(word) : null;
}

/** @param {string} record */
export function linesOf(record) {
  return record.split("\n").slice(0, -1);
}

// --- what is passed on -----------------------------------------------------------------------------------------------

/** In characters: a length that every channel accepts. */
export const LONGEST_LINK = 2_000;
const MOST = { characters: 200_000, bytes: 4 * 1024 * 1024 };

/**
 * What one player passes on to another, as text that is safe in a link.
 * @param {{invitation: Invitation} | {table: Sealed} | {opened: Opened}} what
 */
export async function packed(what) {
  if ("invitation" in what) return "i" + (await deflated(JSON.stringify(what.invitation)));
  if ("opened" in what) {
    const { record, root, shares } = what.opened;
    return "o" + (await deflated(JSON.stringify({ record, root, shares })));
  }
  const { id: _, state: __, ...compact } = what.table;
  return "t" + (await deflated(JSON.stringify(compact)));
}

/**
 * What was sent as a link, its fragment, or the text of a file. Nothing in it is trusted yet.
 * @param {string} text
 * @returns {Promise<{invitation: Invitation} | {compact: CompactTable} | {table: Sealed} | {opened: Pick<Opened, "record" | "root" | "shares">} | {transfer: SeatTransfer}>}
 * @throws if it is nothing of that kind
 */
export async function unpacked(text) {
  const trimmed = text.trim();
  if (trimmed.startsWith("{")) {
    const value = JSON.parse(trimmed);
    return isTransfer(value) ? { transfer: value } : recognised(value);
  }
  const fragment = trimmed.slice(trimmed.indexOf("#") + 1);
  if (!isForTable(fragment) || fragment.length > MOST.characters) throw new Error("not packed here");
  const value = JSON.parse(await inflated(fragment.slice(1), MOST.bytes));
  return recognised(value);
}

/** Whether it is a seat with its secret; no link has one. @param {any} value */
function isTransfer(value) {
  const { invitation, seat, secret } = value ?? {};
  return typeof secret === "string" && Array.isArray(invitation?.locks) && typeof invitation.nonce === "string" && Number.isInteger(seat) && typeof invitation.names?.[seat] === "string";
}

/**
 * @param {any} value
 * @returns {{invitation: Invitation} | {compact: CompactTable} | {table: Sealed} | {opened: any}}
 */
function recognised(value) {
  if (value?.table?.creation) return { table: value.table };
  if (typeof value?.sealed === "string" && value.creation?.locks && value.waiting?.for) return value.state ? { table: value } : { compact: value };
  if (typeof value?.root === "string" && Array.isArray(value.shares)) return { opened: value };
  if (typeof value?.nonce === "string" && Array.isArray(value.locks) && Array.isArray(value.names) && value.names.length === value.locks.length) return { invitation: value };
  throw new Error("nothing of a sealed table");
}

/**
 * A record in text notation: the lines of a table, with the head that they lack.
 * @param {Creation} creation
 * @param {string} lines
 */
export function withHead({ game, schema_version, rules_version, players, names, options }, lines) {
  const head = [`game: ${game}`, `schema_version: ${schema_version}`, `rules_version: ${rules_version}`, `players: ${players}`];
  if (names) head.push(`names: ${names.map((name) => JSON.stringify(name)).join(",")}`);
  return `${[...head, `options: ${JSON.stringify(options)}`].join("\n")}\n\n${lines}`;
}

/**
 * An invitation with the locks of both, and the seats for which they have different ones.
 * @param {Invitation} one
 * @param {Invitation} other
 * @returns {{merged: Invitation, contested: number[]} | undefined} undefined if they are not for one game
 */
export function merged(one, other) {
  const agreed = (/** @type {Invitation} */ { locks: _, ...rest }) => canonical(rest);
  if (agreed(one) !== agreed(other)) return undefined;
  const contested = one.locks.flatMap((lock, seat) => (lock && other.locks[seat] && lock !== other.locks[seat] ? [seat] : []));
  return { merged: { ...one, locks: one.locks.map((lock, seat) => lock ?? other.locks[seat]) }, contested };
}

/**
 * The beginning of a lock, in groups, for people to compare.
 * @param {string} lock
 */
export function readable(lock) {
  return `${lock.slice(0, 4)} ${lock.slice(4, 8)} ${lock.slice(8, 12)}`;
}

// --- the end ---------------------------------------------------------------------------------------------------------

/**
 * What is wrong with an opened game, as far as hashes tell; undefined if nothing is.
 * @param {Opened} opened
 * @param {Sealed} table any saved table of the game
 * @returns {Promise<"id" | "root" | "shares" | "seed" | "terms" | undefined>}
 */
export async function unfair({ record, root, shares, seed }, { creation, id, commitment }) {
  if ((await idOf(creation)) !== id) return "id";
  if ((await digest(root)) !== commitment) return "root";
  const locks = await Promise.all(shares.map(digest));
  if (canonical(locks) !== canonical(creation.locks)) return "shares";
  if ((await seedOf(root, shares)) !== seed) return "seed";
  const { game, schema_version, rules_version, players, options, names } = creation;
  const theirs = { game: record.game, schema_version: record.schema_version, rules_version: record.rules_version, players: record.players, options: record.options, names: record.names };
  return canonical(theirs) === canonical({ game, schema_version, rules_version, players, options, names }) ? undefined : "terms";
}
