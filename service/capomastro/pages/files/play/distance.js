// A sealed table, for players far apart, who pass it on by any channel. Here is what every client of sealed tables has to do
// (docs/tables.md): keep the latest table, compare each new one with it, and have the service check it.

import { NOTATION } from "../service.js";
import { canonical, digest, extendsTable, fork, idOf, isSameGame, lockOf, merged, newNonce, newSecret, seedOf, unfair, unpacked, withHead } from "../sealed.js";
import * as store from "../store.js";
import { has, t } from "../words.js";
import { DRAWN, LISTED, OutdatedError, newSteps, stepsOf, wholeList } from "./table.js";

/** @typedef {import("../sealed.js").Sealed} Sealed */
/** @typedef {import("../sealed.js").Opened} Opened */
/** @typedef {import("../sealed.js").Invitation} Invitation */
/** @typedef {import("../sealed.js").SeatTransfer} SeatTransfer */
/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("./table.js").Ask} Ask */
/** @typedef {import("./table.js").Step} Step */
/** @typedef {import("./table.js").Seen} Seen */
/** @typedef {import("./table.js").Viewer} Viewer */
/** @typedef {import("./table.js").Kind} Kind */
/** @typedef {import("./choosing.js").Move} Move */
/**
 * What this browser saves of a game at a distance: what was agreed, the player's seat with its secret, the latest table.
 * @typedef {object} DistanceGame
 * @property {string} id the nonce of the game
 * @property {string} begun when, ISO 8601
 * @property {string} changed
 * @property {boolean} finished
 * @property {Invitation} invitation
 * @property {number | null} seat null for a spectator
 * @property {string} secret "" for a spectator
 * @property {Sealed} [table] once it is created
 * @property {Opened} [opened] once the game is over
 */
/**
 * What became of something received: the game as it is saved now, and what there is to say about it.
 * @typedef {{saved: DistanceGame | undefined, news?: string, contested?: Sealed, transfer?: SeatTransfer}} Arrival `transfer` needs its player's consent
 */

// --- before there is a table -----------------------------------------------------------------------------------------

/**
 * A new game, in which the player here takes a place at once.
 * @param {Pick<Invitation, "game" | "names" | "options" | "draws">} wanted
 * @param {number} seat
 */
export async function invited(wanted, seat) {
  const nonce = newNonce();
  return seated({ ...wanted, nonce, locks: wanted.names.map(() => null) }, seat);
}

/**
 * Takes a free place: a secret is made for it, which stays here; only its lock is passed on.
 * @param {Invitation} invitation
 * @param {number} seat
 * @returns {Promise<DistanceGame>}
 */
export async function seated(invitation, seat) {
  const now = new Date().toISOString();
  const secret = newSecret();
  const locks = [...invitation.locks];
  locks[seat] = await lockOf(secret);
  return keep({ id: invitation.nonce, begun: now, changed: now, finished: false, invitation: { ...invitation, locks }, seat, secret });
}

/**
 * Creates the table, once everybody has given a lock. It is the same table, no matter who creates it.
 * @param {DistanceGame} saved
 * @param {Ask} ask
 */
async function created(saved, ask) {
  const { game, names, options, locks, draws, nonce } = saved.invitation;
  const { table } = await ask(`/v1/games/${game}/tables`, { players: names.length, names, options, locks, draws, nonce });
  if (!(await isAsAgreed(saved, table))) throw new Error(t("distance.service"));
  return keep({ ...saved, table });
}

// --- what needs no decision ----------------------------------------------------------------------------------------

/**
 * Whether the table waits for the player here.
 * @param {DistanceGame} saved
 */
export function isAwaited({ seat, table, opened }) {
  return seat !== null && !opened && !!table?.waiting.seats.includes(seat);
}

/**
 * Does whatever the player here need not decide: creates the table once every lock is there, joins, has chance drawn, opens a
 * game that is over. So one message carries all of it. What was received is compared with the saved table before.
 * @param {DistanceGame} saved
 * @param {Ask} ask
 * @returns {Promise<DistanceGame>}
 */
export async function attended(saved, ask) {
  let now = saved;
  if (now.seat !== null && !now.table && now.invitation.locks.every(Boolean)) now = await created(now, ask);
  while (now.table && isAwaited(now) && now.table.waiting.for !== "move") {
    const game = /** @type {DistanceGame & {table: Sealed}} */ (now);
    now = now.table.waiting.for === "opening" ? await openedGame(game, ask) : await transition(game, [], ask);
  }
  return now;
}

/**
 * Plays moves; without any, joins or has chance drawn, whichever the table waits for.
 * @param {DistanceGame & {table: Sealed}} saved
 * @param {Move[]} moves
 * @param {Ask} ask
 */
async function transition(saved, moves, ask) {
  refuseOlder(saved);
  const { table, seat, secret } = saved;
  const answer = await ask(`/v1/games/${table.creation.game}/tables/transitions`, { table, seat, secret, moves });
  const hasGoneOn = canonical([answer.table.record, answer.table.waiting]) !== canonical([table.record, table.waiting]);
  if (!extendsTable(table, answer.table) || !hasGoneOn) throw new Error(t("distance.service"));
  return keep({ ...saved, table: answer.table });
}

/**
 * Opens a game that is over, and checks it.
 * @param {DistanceGame & {table: Sealed}} saved
 * @param {Ask} ask
 */
async function openedGame(saved, ask) {
  refuseOlder(saved);
  const { table, seat, secret } = saved;
  const opened = await ask(`/v1/games/${table.creation.game}/tables/records`, { table, seat, secret });
  const wrong = await faultIn(opened, table, ask);
  if (wrong) throw new Error(wrong);
  return keep({ ...saved, opened, finished: true });
}

// --- receiving -------------------------------------------------------------------------------------------------------

/**
 * Checks what was sent, and saves it if nothing is wrong with it.
 * @param {string} text a link, its fragment, or the text of a file
 * @param {string} game
 * @param {Ask} ask
 * @returns {Promise<Arrival>}
 */
export async function received(text, game, ask) {
  const what = await unpacked(text).catch(() => undefined);
  if (!what) return { saved: undefined, news: t("distance.unknown") };
  if ("transfer" in what) return what.transfer.invitation.game === game ? { saved: undefined, news: t("distance.secret-came", { name: what.transfer.invitation.names[what.transfer.seat] }), transfer: what.transfer } : wrongGame(what.transfer.invitation.game);
  if ("invitation" in what) return receivedInvitation(what.invitation, game);
  if ("opened" in what) return receivedOpening(what.opened, game, ask);
  const { creation } = "table" in what ? what.table : what.compact;
  if (creation.game !== game) return wrongGame(creation.game);
  const table = "table" in what ? what.table : await withState(what.compact, ask);
  return receivedTable(table, ask);
}

/**
 * Takes over a seat from another device of the same player. A secret that does not fit the seat's lock, or differs from the one
 * saved here, is refused.
 * @param {SeatTransfer} given
 * @param {Ask} ask
 * @returns {Promise<Arrival>}
 */
export async function transferred({ invitation, seat, secret, table }, ask) {
  const saved = store.distanceGames.all().find(({ id }) => id === invitation.nonce);
  const isOther = saved && saved.seat !== null && (saved.seat !== seat || saved.secret !== secret);
  if (isOther || invitation.locks[seat] !== (await lockOf(secret))) return { saved, news: t("distance.other-terms") };
  const here = keep({ ...(saved ?? unseated(invitation)), seat, secret });
  return table ? receivedTable(table, ask) : { saved: here };
}

/**
 * What moves a seat to another device of its player.
 * @param {DistanceGame} saved
 * @returns {string} JSON, with the secret in it
 */
export function seatTransfer({ invitation, seat, secret, table }) {
  return JSON.stringify({ invitation, seat, secret, ...(table ? { table } : {}) });
}

/** @param {unknown} game @returns {Arrival} */
function wrongGame(game) {
  return { saved: undefined, news: t("distance.other-game", { game: has(`${game}.title`) ? t(`${game}.title`) : t("distance.no-game") }) };
}

/**
 * A table with what was left out of its link; whether it is genuine is checked afterwards.
 * @param {import("../sealed.js").CompactTable} compact
 * @param {Ask} ask
 * @returns {Promise<Sealed>}
 */
async function withState(compact, ask) {
  const { creation, record } = compact;
  const { state } = await ask(`/v1/games/${creation.game}/replays`, withHead(creation, record), { sends: NOTATION });
  return { ...compact, id: await idOf(creation), state };
}

/**
 * @param {Invitation} given
 * @param {string} game
 * @returns {Arrival}
 */
function receivedInvitation(given, game) {
  if (given.game !== game) return wrongGame(given.game);
  const saved = store.distanceGames.all().find(({ id }) => id === given.nonce);
  if (!saved) return { saved: unseated(given) };
  const both = merged(saved.invitation, given);
  if (!both) return { saved, news: t("distance.other-terms") };
  const names = both.contested.map((seat) => given.names[seat]);
  if (names.length) return { saved, news: t("distance.contested", { name: names[0] }) };
  return { saved: saved.table ? saved : keep({ ...saved, invitation: both.merged }) };
}

/**
 * A game in which the player here has no place; it is saved only once they take one.
 * @param {Invitation} given
 * @returns {DistanceGame}
 */
function unseated(given) {
  const now = new Date().toISOString();
  return { id: given.nonce, begun: now, changed: now, finished: false, invitation: given, seat: null, secret: "" };
}

/**
 * A received table is saved only if it is genuine, has the agreed terms, and continues the saved one.
 * @param {Sealed} table
 * @param {Ask} ask
 * @returns {Promise<Arrival>}
 */
async function receivedTable(table, ask) {
  const { creation } = table;
  const saved = store.distanceGames.all().find(({ id }) => id === creation.nonce) ?? unseated(invitationOf(creation));
  await ask(`/v1/games/${creation.game}/tables/views`, { table, seat: null });
  if (!(await isAsAgreed(saved, table))) return { saved: saved.table || saved.seat !== null ? saved : undefined, news: t("distance.other-terms") };
  if (!saved.table) return { saved: keep({ ...saved, invitation: invitationOf(creation), table }) };
  if (extendsTable(saved.table, table)) return { saved: keep({ ...saved, table }) };
  if (extendsTable(table, saved.table)) return { saved, news: t("distance.older") };
  if (!isSameGame(saved.table, table)) return { saved, news: t("distance.other-root"), contested: table };
  const { line, seat } = fork(saved.table, table) ?? { line: 0, seat: null };
  const news = seat === null ? t("distance.fork.chance", { line }) : t("distance.fork", { name: nameOf(saved, seat), line });
  return { saved, news, contested: table };
}

/**
 * Whether a table was created with the terms and locks that were agreed on, among them the lock of the player here.
 * @param {DistanceGame} saved
 * @param {Sealed} table
 */
async function isAsAgreed({ invitation: agreed, seat, secret }, { creation }) {
  const theirs = invitationOf(creation);
  const options = Object.entries(agreed.options).every(([key, value]) => canonical(theirs.options[key]) === canonical(value));
  const locks = agreed.locks.every((lock, at) => lock === null || lock === theirs.locks[at]);
  const own = seat === null || theirs.locks[seat] === (await lockOf(secret));
  return options && locks && own && canonical([agreed.game, agreed.names, agreed.draws, agreed.nonce]) === canonical([theirs.game, theirs.names, theirs.draws, theirs.nonce]);
}

/** @param {Sealed["creation"]} creation @returns {Invitation} */
function invitationOf({ game, names, players, options, draws, nonce, locks }) {
  return { game, names: names ?? Array.from({ length: players }, (_, seat) => t("player.number", { number: seat + 1 })), options, draws, nonce, locks };
}

/**
 * A finished game that somebody else has opened.
 * @param {Pick<Opened, "record" | "root" | "shares">} given
 * @param {string} game
 * @param {Ask} ask
 * @returns {Promise<Arrival>}
 */
async function receivedOpening({ record, root, shares }, game, ask) {
  if (record?.game !== game) return wrongGame(record?.game);
  const commitment = await digest(root);
  const saved = store.distanceGames.all().find(({ table }) => table?.commitment === commitment);
  if (!saved?.table) return { saved, news: t("distance.not-kept") };
  const played = withoutResult(record);
  const opened = { record: played, root, shares, seed: await seedOf(root, shares) };
  const wrong = await faultIn(opened, saved.table, ask);
  if (wrong) return { saved, news: wrong };
  // The service computes the result again: the player who passed the game on may have changed it.
  const { result } = await ask(`/v1/games/${game}/replays`, { record: played });
  return { saved: keep({ ...saved, opened: { ...opened, record: { ...played, result }, result }, finished: true }) };
}

/**
 * Checks a finished game: what was fixed before it, that the seed made every draw, and that it is the game of the saved table.
 * @param {Opened} opened
 * @param {Sealed} table
 * @param {Ask} ask
 * @returns {Promise<string | undefined>} what is wrong with it
 */
export async function faultIn(opened, table, ask) {
  const hashed = await unfair(opened, table);
  if (hashed) return t(`distance.unfair.${hashed}`);
  const drawn = await faultInDraws(opened, ask);
  if (drawn) return drawn;
  const { record } = opened;
  const base = `/v1/games/${record.game}`;
  const seen = await ask(`${base}/views`, { record: withoutResult(record), seat: null });
  const published = String(await ask(`${base}/records`, { record: seen.record }, { wants: NOTATION }));
  const lines = published.slice(published.indexOf("\n\n") + 2);
  return lines.startsWith(table.record) ? undefined : t("distance.unfair.record");
}

/**
 * Makes every draw of a game again from its seed.
 * @param {Pick<Opened, "record" | "seed">} opened
 * @param {Ask} ask
 * @returns {Promise<string | undefined>} what is wrong
 */
export async function faultInDraws({ record, seed }, ask) {
  const base = `/v1/games/${record.game}`;
  const begun = await ask(`${base}/setups`, { players: record.players, ...(record.names ? { names: record.names } : {}), options: record.options, seed });
  const again = await ask(`${base}/transitions`, { state: begun.state, moves: record.moves.filter((/** @type {any} */ move) => "seat" in move), seed });
  return canonical([...begun.moves, ...again.moves]) === canonical(record.moves) ? undefined : t("distance.unfair.draws");
}

/** @param {any} record */
function withoutResult({ result: _, totals: __, ...record }) {
  return record;
}

// --- the table -------------------------------------------------------------------------------------------------------

/** @implements {Table} */
export class SealedTable {
  /** As the seat here may know it. @type {any} */
  #state;
  /** @type {Step[]} */
  #steps = [];
  /** As a spectator may know it. @type {any} */
  #record;
  /** @type {Ask} */
  #ask;
  /** @type {import("./table.js").Decision} */
  decision = { actor: "none", kind: "" };
  /** @type {any} */
  derived = {};
  hasHidden = true;
  goTo = undefined;
  foresee = undefined;
  /** @type {import("./choosing.js").Kind[]} */
  offered = [];
  /** @type {Move[] | undefined} */
  listed;
  /** @type {number[]} */
  later = [];
  onKept = () => {};

  /**
   * @param {DistanceGame & {table: Sealed}} saved
   * @param {Ask} ask
   */
  constructor(saved, ask) {
    this.saved = saved;
    this.#ask = ask;
    this.ask = (/** @type {string} */ resource, /** @type {unknown} */ body, /** @type {{sends?: string, wants?: string}} */ types = {}) => ask(`/v1/games/${saved.invitation.game}/${resource}`, body, types);
  }

  get id() {
    return this.saved.id;
  }
  get game() {
    return this.saved.invitation.game;
  }
  get names() {
    return this.saved.invitation.names;
  }
  get seat() {
    return this.saved.seat;
  }
  get table() {
    return this.saved.table;
  }
  /** @returns {Kind[]} */
  get kinds() {
    return this.names.map((_, seat) => (seat === this.seat ? "person" : "elsewhere"));
  }
  get ply() {
    return this.#record?.moves.length ?? 0;
  }
  get result() {
    return this.saved.opened?.result;
  }
  /** What the table waits for, and whether the player here can do it. */
  get waiting() {
    const { waiting } = this.table;
    return { ...waiting, isOwn: isAwaited(this.saved) };
  }
  get isWaiting() {
    return this.waiting.for !== "move" || !this.waiting.isOwn;
  }
  get isWhole() {
    return !!this.saved.opened;
  }
  record() {
    return this.#record;
  }

  async open() {
    const { table, opened } = this.saved;
    this.#record = opened?.record;
    const game = opened ? await this.ask("replays", { record: opened.record, texts: true }) : await this.ask("replays?texts=true", withHead(table.creation, table.record), { sends: NOTATION });
    this.#steps = stepsOf(game.course);
    const seen = opened ? { ...game, derived: {} } : await this.ask("tables/views", { table, ...this.#credentials() });
    this.#record ??= { ...recordHead(table.creation), moves: game.course.map((/** @type {any} */ one) => one.move) };
    this.#state = seen.state;
    this.decision = seen.decision;
    this.derived = seen.derived;
    if (opened) this.saved = { ...this.saved, opened: { ...opened, result: game.result } };
  }

  /** @returns {{seat: number | null, secret?: string}} */
  #credentials() {
    return this.seat === null ? { seat: null } : { seat: this.seat, secret: this.saved.secret };
  }

  /** @returns {Promise<Seen>} */
  async seenBy() {
    const last_moves = newSteps(this.#steps, this.seat).flatMap((step) => step.moves);
    const decides = this.waiting.for === "move" && this.waiting.isOwn;
    const [{ pictures }, legal] = await Promise.all([this.consult("pictures", { layout: "narrow", ...DRAWN, last_moves, ...(this.seat === null || this.saved.opened ? {} : { seat: this.seat }) }), decides && this.consult("legal-moves", { limit: LISTED, kinds: true })]);
    this.offered = legal ? legal.kinds : [];
    this.listed = wholeList(legal || undefined);
    return { steps: this.#steps, picture: pictures[0] };
  }

  /** @param {Move} move */
  async play(move) {
    this.saved = /** @type {DistanceGame & {table: Sealed}} */ (await transition(this.saved, [move], this.#ask));
    this.onKept();
    await this.open();
  }

  /** @param {string} resource @param {{[member: string]: unknown}} about */
  consult(resource, about) {
    return this.ask(resource, { state: this.#state, ...about });
  }
}

/** @param {Sealed["creation"]} creation */
function recordHead({ game, schema_version, rules_version, players, names, options }) {
  return { game, schema_version, rules_version, players, ...(names ? { names } : {}), options };
}

/**
 * @param {DistanceGame} saved
 * @param {number} seat
 */
export function nameOf(saved, seat) {
  return saved.invitation.names[seat];
}

/**
 * Another window may have gone on, even while an answer was on its way: what it has saved is not overwritten.
 * @param {DistanceGame} saved
 * @throws {OutdatedError}
 */
function refuseOlder({ id, table }) {
  const here = store.distanceGames.of(id)?.table;
  if (here && !(table && extendsTable(here, table))) throw new OutdatedError();
}

/** @param {DistanceGame} saved @returns {DistanceGame} */
function keep(saved) {
  refuseOlder(saved);
  const now = { ...saved, changed: new Date().toISOString() };
  store.distanceGames.keep(now);
  return now;
}
