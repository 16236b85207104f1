// The game behind the page. The page uses only the members of `Table`, so that a sealed table, for players far apart, can take
// the place of a local one.

import * as store from "../store.js";
import { called } from "../words.js";
import { MOVES_INSTEAD } from "./targets.js";

/** @typedef {import("./targets.js").Move} Move */
/** @typedef {import("../replay/source.js").Record_} Record_ */
/** @typedef {"person" | "random" | "planning" | "elsewhere"} Kind who plays at a seat: a person at this screen, a player of the service, or somebody at another screen */
/** @typedef {number | null | undefined} Viewer who looks: a seat, a spectator (null), or everybody once the game is over */
/** @typedef {{actor: string, kind: string, seat?: number}} Decision */
/** @typedef {{type: string, text: string, seat?: number | null, points?: number, rule?: string, [member: string]: any}} Event_ */
/**
 * A player's move with the draws after it, or the set-up.
 * @typedef {object} Step
 * @property {number | null} seat
 * @property {number} from the ply before it
 * @property {number} ply the one after it
 * @property {any[]} moves
 * @property {Event_[]} events told
 */
/**
 * What a viewer knows of the position.
 * @typedef {object} Seen
 * @property {Step[]} steps
 * @property {Move[]} moves that are legal, if the viewer decides
 * @property {string[]} texts of the moves
 * @property {boolean} complete whether these are all; there may be too many to fetch
 * @property {{type: string, rule: string, message: string}[]} unavailable why there are no moves of the other types
 */
/** @typedef {{legal: boolean, refusal?: {rule: string, message: string}, text?: string}} Verdict `text` is the move as a sentence */
/** @typedef {(path: string, body: unknown, types?: {sends?: string, wants?: string}) => Promise<any>} Ask what the service answers; retries while it cannot be reached. A body of another type than JSON is text */
/**
 * @typedef {object} Table
 * @property {string} id
 * @property {string} game
 * @property {string[]} names
 * @property {Kind[]} kinds by seat
 * @property {Decision} decision
 * @property {number} ply
 * @property {any} derived
 * @property {import("../service.js").Scored | undefined} result
 * @property {boolean} hasHidden whether some players know more than others
 * @property {Viewer} [seat] whose it is, if the players are far apart
 * @property {boolean} isWaiting whether it waits for anything but a move at this screen
 * @property {boolean} isWhole whether its record is complete
 * @property {() => Promise<void>} open finds out where the game stands; to be called first
 * @property {(viewer: Viewer) => Promise<Seen>} seenBy
 * @property {(viewer: Viewer, layout: "wide" | "narrow") => Promise<string>} picture
 * @property {(move: Move) => Promise<void>} play
 * @property {() => Promise<Move>} suggestion of the player of the service whose turn it is
 * @property {(move: Move) => Promise<Verdict>} verdict
 * @property {((ply: number) => Promise<void>) | undefined} goTo back to a position, or forward again; undefined if nothing can be taken back
 * @property {number[]} later plies that were taken back
 * @property {() => Record_} record
 */

const PAGE = 1000;
const MOST_PAGES = 5;

/**
 * What is saved of a local table. The record is the game; all else follows from it.
 * @typedef {object} SavedGame
 * @property {string} id
 * @property {string} begun when, ISO 8601
 * @property {string} changed
 * @property {boolean} finished
 * @property {Kind[]} kinds
 * @property {string} seed
 * @property {Record_} record
 * @property {any[]} later the moves that were taken back
 * @property {number[]} [unnamed] the seats whose players are called by their number, in the language of the page
 */

/** @implements {Table} */
export class LocalTable {
  /** @type {any} */
  #state;
  /** By viewer, once each has looked. @type {Map<Viewer, Step[]>} */
  #steps = new Map();
  /** @type {Decision} */
  decision = { actor: "none", kind: "" };
  /** @type {any} */
  derived = {};
  /** @type {import("../service.js").Scored | undefined} */
  result;
  hasHidden = false;
  isWaiting = false;
  isWhole = true;

  /**
   * @param {SavedGame} saved
   * @param {Ask} ask
   */
  constructor(saved, ask) {
    const names = saved.record.names?.map((name, seat) => (saved.unnamed?.includes(seat) ? "" : name));
    this.saved = names ? { ...saved, record: { ...saved.record, names: called(names, saved.kinds) } } : saved;
    this.ask = (/** @type {string} */ resource, /** @type {unknown} */ body) => ask(`/v1/games/${saved.record.game}/${resource}`, body);
  }

  /**
   * A new game, set up by the service.
   * @param {{game: string, names: string[], unnamed: number[], kinds: Kind[], options: {[key: string]: unknown}, seed: string}} settings
   * @param {Ask} ask
   */
  static async start({ game, names, unnamed, kinds, options, seed }, ask) {
    const { state, moves } = await ask(`/v1/games/${game}/setups`, { players: names.length, names, options, seed });
    const { schema_version, rules_version } = state;
    return LocalTable.fromRecord({ game, schema_version, rules_version, players: names.length, names, options: state.options, moves }, kinds, seed, ask, unnamed);
  }

  /**
   * Continues a record.
   * @param {Record_} record
   * @param {Kind[]} kinds
   * @param {string} seed
   * @param {Ask} ask
   * @param {number[]} [unnamed]
   */
  static fromRecord(record, kinds, seed, ask, unnamed) {
    const now = new Date().toISOString();
    const { result: _, ...begun } = record;
    return new LocalTable({ id: store.unique(), begun: now, changed: now, finished: false, kinds, seed, record: begun, later: [], ...(unnamed?.length ? { unnamed } : {}) }, ask);
  }

  get id() {
    return this.saved.id;
  }
  get game() {
    return this.saved.record.game;
  }
  get names() {
    return this.saved.record.names ?? [];
  }
  get kinds() {
    return this.saved.kinds;
  }
  get ply() {
    return this.saved.record.moves.length;
  }
  get later() {
    return this.saved.later.map((_, at) => this.ply + at + 1);
  }
  record() {
    return this.saved.record;
  }

  async open() {
    const { state } = await this.ask("replays", { record: this.saved.record });
    const answer = await this.ask("transitions", { state, moves: [], seed: this.saved.seed, views: [null] });
    if (answer.moves.length) this.#keep({ ...this.saved, record: { ...this.saved.record, moves: [...this.saved.record.moves, ...answer.moves] }, later: [] });
    this.#steps.clear();
    this.#update(answer);
  }

  /** @param {Viewer} viewer @returns {Promise<Seen>} */
  async seenBy(viewer) {
    const steps = this.#steps.get(viewer) ?? stepsOf((await this.#course(viewer)).course);
    this.#steps.set(viewer, steps);
    return { steps, ...(viewer === this.decision.seat && this.decision.actor === "seat" ? await legalMoves({ game: this.game, ask: this.ask, verdict: (move) => this.verdict(move) }, this.#state) : NO_MOVES) };
  }

  /** @param {Viewer} viewer */
  #course(viewer) {
    const { record } = this.saved;
    return viewer === undefined ? this.ask("replays", { record, texts: true }) : this.ask("views", { record, seat: viewer, texts: true });
  }

  /**
   * With rings around what has changed since the viewer last moved.
   * @param {Viewer} viewer
   * @param {"wide" | "narrow"} layout
   */
  async picture(viewer, layout) {
    const { pictures } = await this.ask("pictures", { state: this.#state, layout, last_moves: newSteps(this.#steps.get(viewer) ?? [], viewer).flatMap((step) => step.moves), ...(viewer === undefined ? {} : { seat: viewer }) });
    return pictures[0];
  }

  /** @param {Move} move */
  async play(move) {
    this.#steps.delete(undefined);
    const viewers = [...new Set([...this.#steps.keys(), null])];
    const answer = await this.ask("transitions", { state: this.#state, moves: [move], seed: this.saved.seed, texts: true, views: viewers });
    const from = this.ply;
    this.#keep({ ...this.saved, record: { ...this.saved.record, moves: [...this.saved.record.moves, ...answer.moves] }, later: [] });
    for (const view of answer.views) {
      const steps = this.#steps.get(view.seat);
      const events = view.events.length ? view.events : [{ type: move.type, text: view.texts[0] }];
      if (steps) this.#steps.set(view.seat, [...steps, { seat: move.seat, from, ply: this.ply, moves: view.moves, events }]);
    }
    this.#update(answer);
    if (this.result) this.#keep({ ...this.saved, finished: true });
  }

  async suggestion() {
    const { move } = await this.ask("suggestions", { state: this.#state, player: this.kinds[this.decision.seat ?? 0], seed: this.saved.seed });
    return move;
  }

  /** @param {Move} move @returns {Promise<Verdict>} */
  verdict(move) {
    return this.ask("verdicts", { state: this.#state, move, texts: true });
  }

  /** @param {number} ply */
  async goTo(ply) {
    const all = [...this.saved.record.moves, ...this.saved.later];
    this.#keep({ ...this.saved, record: { ...this.saved.record, moves: all.slice(0, ply) }, later: all.slice(ply), finished: false });
    await this.open();
  }

  /** @param {any} answer */
  #update(answer) {
    this.#state = answer.state;
    this.decision = answer.decision;
    this.derived = answer.derived;
    this.result = answer.result;
    const spectator = answer.views.find((/** @type {any} */ view) => view.seat === null);
    this.hasHidden = spectator.state_hash !== answer.state_hash;
  }

  /** @param {SavedGame} saved */
  #keep(saved) {
    this.keep({ ...saved, changed: new Date().toISOString() });
  }

  /** @throws {OutdatedError} instead of overwriting what another window has saved */
  keep(saved = this.saved) {
    const there = store.plays.of(this.id);
    if (there && there.changed !== this.saved.changed) throw new OutdatedError();
    this.saved = saved;
    store.plays.keep(saved);
  }
}

/**
 * The legal moves of a state, and why there are no others. Of more than a page of moves of any cards of a hand there is only
 * the first, as a pattern, with the moves that can be made instead.
 * @param {{game: string, ask: (resource: string, body: unknown) => Promise<any>, verdict: (move: Move) => Promise<Verdict>}} table
 * @param {any} state
 * @returns {Promise<Omit<Seen, "steps">>}
 */
export async function legalMoves({ game, ask, verdict }, state) {
  const first = await ask("legal-moves", { state, limit: PAGE, texts: true, explain: true });
  const { unavailable = [] } = first;
  const [pattern] = first.moves;
  const instead = MOVES_INSTEAD[game]?.[pattern?.type];
  if (first.next_cursor && instead) {
    const verdicts = await Promise.all(instead.map(async (type) => ({ move: { type, seat: pattern.seat }, ...(await verdict({ type, seat: pattern.seat })) })));
    const legal = verdicts.filter((one) => one.legal);
    return { moves: [pattern, ...legal.map(({ move }) => move)], texts: [first.texts[0], ...legal.map(({ text = "" }) => text)], complete: false, unavailable };
  }
  const pages = [first];
  for (let cursor = first.next_cursor; cursor && pages.length < MOST_PAGES; cursor = pages.at(-1).next_cursor) pages.push(await ask("legal-moves", { state, limit: PAGE, texts: true, cursor }));
  return { moves: pages.flatMap((page) => page.moves), texts: pages.flatMap((page) => page.texts), complete: !pages.at(-1).next_cursor, unavailable };
}

/** For viewers who do not decide. */
export const NO_MOVES = { moves: [], texts: [], complete: true, unavailable: [] };

/**
 * What happened since a viewer last moved; for spectators, the last move.
 * @param {readonly Step[]} steps
 * @param {Viewer} viewer
 */
export function newSteps(steps, viewer) {
  const own = typeof viewer === "number" ? steps.findLastIndex((step) => step.seat === viewer) : -1;
  const since = own < 0 ? steps.slice(-1) : steps.slice(own + 1);
  return (since.length ? since : steps.slice(-1)).filter((step) => step.seat !== null);
}

/**
 * @param {readonly import("../replay/course.js").MoveWithTexts[]} course
 * @returns {Step[]}
 */
export function stepsOf(course) {
  /** @type {Step[]} */
  const steps = [];
  for (const [ply, played] of course.entries()) {
    const events = played.events.length || played.decision.actor !== "seat" ? played.events : [{ type: played.move.type, text: played.text }];
    if (played.decision.actor === "seat" || !steps.length) steps.push({ seat: played.decision.seat ?? null, from: ply, ply, moves: [], events: [] });
    const step = /** @type {Step} */ (steps.at(-1));
    steps[steps.length - 1] = { ...step, ply: ply + 1, moves: [...step.moves, played.move], events: [...step.events, ...events] };
  }
  return steps;
}

/**
 * Whether the service plays at a seat.
 * @param {Kind} kind
 */
export function isServicePlayer(kind) {
  return kind === "random" || kind === "planning";
}

/** The page has gone on to something else. */
export class CancelledError extends Error {}

/** Another window has gone on with the game. */
export class OutdatedError extends Error {}
