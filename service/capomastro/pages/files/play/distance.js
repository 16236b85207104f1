// A table whose players sit far apart: it goes from one to the next, by any channel, with the hands sealed in it. What every
// client of sealed tables has to do (docs/tables.md) stands here: keep, compare, believe nothing that was not asked for.

import { NOTATION } from "../service.js";
import { canonical, digest, extendsTable, fork, idOf, isSameGame, lockOf, merged, newNonce, newSecret, received, seedOf, unfair, withHead } from "../sealed.js";
import * as store from "../store.js";
import { has, t } from "../words.js";
import { GoneOn, NOTHING, legalMoves, newSteps, stepsOf } from "./table.js";

/** @typedef {import("../sealed.js").Sealed} Sealed */
/** @typedef {import("../sealed.js").Opened} Opened */
/** @typedef {import("../sealed.js").Invitation} Invitation */
/** @typedef {import("../sealed.js").Seat} Seat */
/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("./table.js").Ask} Ask */
/** @typedef {import("./table.js").Step} Step */
/** @typedef {import("./table.js").Seen} Seen */
/** @typedef {import("./table.js").Viewer} Viewer */
/** @typedef {import("./table.js").Verdict} Verdict */
/** @typedef {import("./table.js").Kind} Kind */
/** @typedef {import("./targets.js").Move} Move */
/**
 * What this browser keeps of a game at a distance: what was agreed, the own seat with its secret, the latest table.
 * @typedef {object} Far
 * @property {string} id the nonce of the game
 * @property {string} begun when, ISO 8601
 * @property {string} changed
 * @property {boolean} finished
 * @property {Invitation} invitation
 * @property {number | null} seat null for whoever only looks on
 * @property {string} secret "" for whoever only looks on
 * @property {Sealed} [table] from the creation on
 * @property {Opened} [opened] after the end
 */
/**
 * What came of something that was sent: the game as it is kept now, and what there is to be said of it.
 * @typedef {{far: Far | undefined, news?: string, contested?: Sealed, moving?: Seat}} Arrival `moving` waits for its player's word
 */

// --- before there is a table ------------------------------------------------------------------------------------------

/**
 * A new game, for which the own place is taken at once.
 * @param {Pick<Invitation, "game" | "names" | "options" | "draws">} wanted
 * @param {number} seat
 */
export async function invited(wanted, seat) {
  const nonce = newNonce();
  return seated({ ...wanted, nonce, locks: wanted.names.map(() => null) }, seat);
}

/**
 * Takes a place that nobody has taken: a secret is made for it, which stays here, and its lock is given away.
 * @param {Invitation} invitation
 * @param {number} seat
 * @returns {Promise<Far>}
 */
export async function seated(invitation, seat) {
  const now = new Date().toISOString();
  const secret = newSecret();
  const locks = [...invitation.locks];
  locks[seat] = await lockOf(secret);
  return kept({ id: invitation.nonce, begun: now, changed: now, finished: false, invitation: { ...invitation, locks }, seat, secret });
}

/**
 * Creates the table, once everybody has given a lock. Whoever does it, it is the same table.
 * @param {Far} far
 * @param {Ask} ask
 */
export async function created(far, ask) {
  const { game, names, options, locks, draws, nonce } = far.invitation;
  const { table } = await ask(`/v1/games/${game}/tables`, { players: names.length, names, options, locks, draws, nonce });
  if (!(await isAgreed(far, table))) throw new Error(t("distance.service"));
  return kept({ ...far, table });
}

// --- what comes from others -----------------------------------------------------------------------------------------------

/**
 * Looks at what was sent, and keeps it if it may be kept.
 * @param {string} text a link, what stands behind its #, or the text of a file
 * @param {string} game
 * @param {Ask} ask
 * @returns {Promise<Arrival>}
 */
export async function arrived(text, game, ask) {
  const what = await received(text).catch(() => undefined);
  if (!what) return { far: undefined, news: t("distance.unknown") };
  if ("moving" in what) return what.moving.invitation.game === game ? { far: undefined, news: t("distance.secret-came", { name: what.moving.invitation.names[what.moving.seat] }), moving: what.moving } : ofOtherGame(what.moving.invitation.game);
  if ("invitation" in what) return invitation(what.invitation, game);
  if ("opened" in what) return opening(what.opened, game, ask);
  const { creation } = "table" in what ? what.table : what.travelling;
  if (creation.game !== game) return ofOtherGame(creation.game);
  const table = "table" in what ? what.table : await arrivedInLink(what.travelling, ask);
  return compared(table, ask);
}

/**
 * Takes over a seat from another device of the same player. A secret that does not open the seat's lock, or another than the
 * one that is kept here, is not taken.
 * @param {Seat} given
 * @param {Ask} ask
 * @returns {Promise<Arrival>}
 */
export async function movedHere({ invitation, seat, secret, table }, ask) {
  const far = store.far.all().find(({ id }) => id === invitation.nonce);
  const isOther = far && far.seat !== null && (far.seat !== seat || far.secret !== secret);
  if (isOther || invitation.locks[seat] !== (await lockOf(secret))) return { far, news: t("distance.other-terms") };
  const here = kept({ ...(far ?? unseated(invitation)), seat, secret });
  return table ? compared(table, ask) : { far: here };
}

/**
 * What a player takes to another device of theirs.
 * @param {Far} far
 * @returns {string} JSON, with the secret in it
 */
export function toBeMoved({ invitation, seat, secret, table }) {
  return JSON.stringify({ invitation, seat, secret, ...(table ? { table } : {}) });
}

/** @param {unknown} game @returns {Arrival} */
function ofOtherGame(game) {
  return { far: undefined, news: t("distance.other-game", { game: has(`${game}.title`) ? t(`${game}.title`) : t("distance.no-game") }) };
}

/**
 * A table with what was left out of the link; the service is asked whether it is genuine afterwards.
 * @param {import("../sealed.js").Travelling} travelling
 * @param {Ask} ask
 * @returns {Promise<Sealed>}
 */
async function arrivedInLink(travelling, ask) {
  const { creation, record } = travelling;
  const { state } = await ask(`/v1/games/${creation.game}/replays`, withHead(creation, record), { sends: NOTATION });
  return { ...travelling, id: await idOf(creation), state };
}

/**
 * @param {Invitation} given
 * @param {string} game
 * @returns {Arrival}
 */
function invitation(given, game) {
  if (given.game !== game) return ofOtherGame(given.game);
  const far = store.far.all().find(({ id }) => id === given.nonce);
  if (!far) return { far: unseated(given) };
  const both = merged(far.invitation, given);
  if (!both) return { far, news: t("distance.other-terms") };
  const names = both.contested.map((seat) => given.names[seat]);
  if (names.length) return { far, news: t("distance.contested", { name: names[0] }) };
  return { far: far.table ? far : kept({ ...far, invitation: both.merged }) };
}

/**
 * A game in which no place was taken here; it is kept only once one is.
 * @param {Invitation} given
 * @returns {Far}
 */
function unseated(given) {
  const now = new Date().toISOString();
  return { id: given.nonce, begun: now, changed: now, finished: false, invitation: given, seat: null, secret: "" };
}

/**
 * A table from elsewhere beside the one that is kept. It is kept only if it is genuine, the agreed one, and goes on from there.
 * @param {Sealed} table
 * @param {Ask} ask
 * @returns {Promise<Arrival>}
 */
async function compared(table, ask) {
  const { creation } = table;
  const far = store.far.all().find(({ id }) => id === creation.nonce) ?? unseated(agreedIn(creation));
  await ask(`/v1/games/${creation.game}/tables/views`, { table, seat: null });
  if (!(await isAgreed(far, table))) return { far: far.table || far.seat !== null ? far : undefined, news: t("distance.other-terms") };
  if (!far.table) return { far: kept({ ...far, invitation: agreedIn(creation), table }) };
  if (extendsTable(far.table, table)) return { far: kept({ ...far, table }) };
  if (extendsTable(table, far.table)) return { far, news: t("distance.older") };
  if (!isSameGame(far.table, table)) return { far, news: t("distance.other-root"), contested: table };
  const { line, seat } = fork(far.table, table) ?? { line: 0, seat: null };
  const news = seat === null ? t("distance.fork.chance", { line }) : t("distance.fork", { name: nameOf(far, seat), line });
  return { far, news, contested: table };
}

/**
 * Whether a table was created with the words and locks that were agreed on, the own lock in the own place among them.
 * @param {Far} far
 * @param {Sealed} table
 */
async function isAgreed({ invitation: agreed, seat, secret }, { creation }) {
  const theirs = agreedIn(creation);
  const options = Object.entries(agreed.options).every(([key, value]) => canonical(theirs.options[key]) === canonical(value));
  const locks = agreed.locks.every((lock, at) => lock === null || lock === theirs.locks[at]);
  const own = seat === null || theirs.locks[seat] === (await lockOf(secret));
  return options && locks && own && canonical([agreed.game, agreed.names, agreed.draws, agreed.nonce]) === canonical([theirs.game, theirs.names, theirs.draws, theirs.nonce]);
}

/** @param {Sealed["creation"]} creation @returns {Invitation} */
function agreedIn({ game, names, players, options, draws, nonce, locks }) {
  return { game, names: names ?? Array.from({ length: players }, (_, seat) => t("player.number", { number: seat + 1 })), options, draws, nonce, locks };
}

/**
 * A finished game that somebody else has opened.
 * @param {Pick<Opened, "record" | "root" | "shares">} given
 * @param {string} game
 * @param {Ask} ask
 * @returns {Promise<Arrival>}
 */
async function opening({ record, root, shares }, game, ask) {
  if (record?.game !== game) return ofOtherGame(record?.game);
  const commitment = await digest(root);
  const far = store.far.all().find(({ table }) => table?.commitment === commitment);
  if (!far?.table) return { far, news: t("distance.not-kept") };
  const played = without(record);
  const opened = { record: played, root, shares, seed: await seedOf(root, shares) };
  const wrong = await faultIn(opened, far.table, ask);
  if (wrong) return { far, news: wrong };
  // the result is counted again: whoever passed the game on may have written another one
  const { result } = await ask(`/v1/games/${game}/replays`, { record: played });
  return { far: kept({ ...far, opened: { ...opened, record: { ...played, result }, result }, finished: true }) };
}

/**
 * Checks a finished game: what was fixed before it, that the seed made every draw, and that it is the game of the kept table.
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
  const seen = await ask(`${base}/views`, { record: without(record), seat: null });
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
function without({ result: _, totals: __, ...record }) {
  return record;
}

// --- the table --------------------------------------------------------------------------------------------------------------

/** @implements {Table} */
export class FarTable {
  /** As the own seat may know it. @type {any} */
  #state;
  /** @type {Step[]} */
  #steps = [];
  /** As a spectator may know it. @type {any} */
  #record;
  /** @type {import("./table.js").Decision} */
  decision = { actor: "none", kind: "" };
  /** @type {any} */
  derived = {};
  hides = true;
  goTo = undefined;
  /** @type {number[]} */
  later = [];

  /**
   * @param {Far & {table: Sealed}} far
   * @param {Ask} ask
   */
  constructor(far, ask) {
    this.far = far;
    this.ask = (/** @type {string} */ resource, /** @type {unknown} */ body, /** @type {{sends?: string, wants?: string}} */ types = {}) => ask(`/v1/games/${far.invitation.game}/${resource}`, body, types);
  }

  get id() {
    return this.far.id;
  }
  get game() {
    return this.far.invitation.game;
  }
  get names() {
    return this.far.invitation.names;
  }
  get seat() {
    return this.far.seat;
  }
  get table() {
    return this.far.table;
  }
  /** @returns {Kind[]} */
  get kinds() {
    return this.names.map((_, seat) => (seat === this.seat ? "person" : "elsewhere"));
  }
  get ply() {
    return this.#record?.moves.length ?? 0;
  }
  get result() {
    return this.far.opened?.result;
  }
  /** What the table waits for, and whether it is for something that can be done here. */
  get waiting() {
    const { waiting } = this.table;
    return { ...waiting, isOwn: this.seat !== null && waiting.seats.includes(this.seat) && !this.far.opened };
  }
  get isElsewhere() {
    return this.waiting.for !== "move" || !this.waiting.isOwn;
  }
  get isWhole() {
    return !!this.far.opened;
  }
  record() {
    return this.#record;
  }

  async open() {
    const { table, opened } = this.far;
    this.#record = opened?.record;
    const game = opened ? await this.ask("replays", { record: opened.record, texts: true }) : await this.ask("replays?texts=true", withHead(table.creation, table.record), { sends: NOTATION });
    this.#steps = stepsOf(game.course);
    const seen = opened ? { ...game, derived: {} } : await this.ask("tables/views", { table, ...this.#own() });
    this.#record ??= { ...recordHead(table.creation), moves: game.course.map((/** @type {any} */ one) => one.move) };
    this.#state = seen.state;
    this.decision = seen.decision;
    this.derived = seen.derived;
    if (opened) this.far = { ...this.far, opened: { ...opened, result: game.result } };
  }

  /** @returns {{seat: number | null, secret?: string}} */
  #own() {
    return this.seat === null ? { seat: null } : { seat: this.seat, secret: this.far.secret };
  }

  /** @param {Viewer} viewer @returns {Promise<Seen>} */
  async seenBy(viewer) {
    const decides = this.waiting.for === "move" && viewer === this.decision.seat && viewer === this.seat;
    return { steps: this.#steps, ...(decides ? await legalMoves((resource, body) => this.ask(resource, body), this.#state) : NOTHING) };
  }

  /**
   * @param {Viewer} _
   * @param {"wide" | "narrow"} layout
   */
  async picture(_, layout) {
    const since = newSteps(this.#steps, this.seat);
    const { pictures } = await this.ask("pictures", { state: this.#state, layout, last_moves: since.flatMap((step) => step.moves) });
    return pictures[0];
  }

  /** @param {Move} move */
  async play(move) {
    await this.#advance([move]);
  }

  /** Joins, or has chance drawn: what the table waits for says which. */
  async go() {
    await this.#advance([]);
  }

  /** @param {Move[]} moves */
  async #advance(moves) {
    this.#refuseOld();
    const { table } = this;
    const answer = await this.ask("tables/transitions", { table, ...this.#own(), moves });
    if (!extendsTable(table, answer.table)) throw new Error(t("distance.service"));
    this.#keep({ ...this.far, table: answer.table });
    await this.open();
  }

  /** Opens the game that is over, and checks it. */
  async finish() {
    this.#refuseOld();
    const { table } = this;
    const opened = await this.ask("tables/records", { table, ...this.#own() });
    const wrong = await faultIn(opened, table, (path, body, types) => this.ask(path.replace(`/v1/games/${this.game}/`, ""), body, types));
    if (wrong) throw new Error(wrong);
    this.#keep({ ...this.far, opened, finished: true });
    await this.open();
  }

  /** Nothing is done on an older table than the one that is kept. */
  #refuseOld() {
    refuseOlder(this.far);
  }

  async suggestion() {
    const { move } = await this.ask("suggestions", { state: this.#state, seed: this.table.id });
    return move;
  }

  /** @param {Move} move @returns {Promise<Verdict>} */
  verdict(move) {
    return this.ask("verdicts", { state: this.#state, move, texts: true });
  }

  /** @param {Far & {table: Sealed}} far */
  #keep(far) {
    this.far = /** @type {Far & {table: Sealed}} */ (kept(far));
  }
}

/** @param {Sealed["creation"]} creation */
function recordHead({ game, schema_version, rules_version, players, names, options }) {
  return { game, schema_version, rules_version, players, ...(names ? { names } : {}), options };
}

/**
 * @param {Far} far
 * @param {number} seat
 */
export function nameOf(far, seat) {
  return far.invitation.names[seat];
}

/**
 * Another window of this browser may have gone on, even while an answer was on its way: what it has kept stays.
 * @param {Far} far
 * @throws {GoneOn}
 */
function refuseOlder({ id, table }) {
  const here = store.far.of(id)?.table;
  if (here && !(table && extendsTable(here, table))) throw new GoneOn();
}

/** @param {Far} far @returns {Far} */
function kept(far) {
  refuseOlder(far);
  const now = { ...far, changed: new Date().toISOString() };
  store.far.keep(now);
  return now;
}
