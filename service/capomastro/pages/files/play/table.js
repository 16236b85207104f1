// The game behind the page. The page uses only the members of `Table`, so that a sealed table, for players far apart, can take
// the place of a local one.

import * as store from "../store.js";
import { called } from "../words.js";
import { onlyMove } from "./choosing.js";

/** @typedef {import("./choosing.js").Move} Move */
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
 * @property {string} [picture] of the table after it
 * @property {boolean} [isForced] whether it was played by itself, because nothing else was legal
 */
/** @typedef {{steps: Step[], picture: string}} Seen what a viewer knows: the course of the game, and a picture of the position */
/** @typedef {{picture: string, points: [number, number], text: string}} Foreseen what a move would make of the table: a picture, the mover's points before and after it, what follows in words */
/** @typedef {{rule: string, message: string, pointer?: string}} Refusal */
/** @typedef {{name: string, text: string, value: number, before?: number, added?: number, needs?: number, have?: number}} Amount what a choice adds up to */
/** @typedef {{legal: boolean, refusal?: Refusal, text?: string, amounts?: Amount[]}} Verdict `text` is the move as a sentence */
/** @typedef {(path: string, body: unknown, types?: {sends?: string, wants?: string}) => Promise<any>} Ask what the service answers; retries while it cannot be reached. A body of another type than JSON is text */
/**
 * @typedef {object} Table
 * @property {string} id
 * @property {string} game
 * @property {string[]} names
 * @property {Kind[]} kinds by seat
 * @property {Decision} decision
 * @property {import("./choosing.js").Kind[]} offered the kinds of moves of the decision, if a seat here decides
 * @property {Move[] | undefined} listed all moves of that decision, if they are few
 * @property {number} ply
 * @property {any} derived
 * @property {import("../service.js").Scored | undefined} result
 * @property {boolean} hasHidden whether some players know more than others
 * @property {Viewer} [seat] whose it is, if the players are far apart
 * @property {boolean} isWaiting whether it waits for anything but a move at this screen
 * @property {boolean} isWhole whether its record is complete
 * @property {(viewer: Viewer) => Promise<void>} open finds out where the game stands; to be called first
 * @property {(viewer: Viewer) => Promise<Seen>} seenBy
 * @property {(move: Move, playsForced?: boolean) => Promise<void>} play
 * @property {(resource: string, about: {[member: string]: unknown}) => Promise<any>} consult what the service answers about the position
 * @property {((move: Move) => Promise<{derived: any, step: Step} | undefined>) | undefined} foresee where a move would lead; undefined if chance follows
 * @property {((ply: number) => Promise<void>) | undefined} goTo back to a position, or forward again; undefined if nothing can be taken back
 * @property {number[]} later plies that were taken back
 * @property {() => Record_} record
 * @property {unknown} saved what is saved of it, another object after each move
 * @property {() => void} onKept called when a move is saved: from then on it counts
 */

/** How the page has pictures drawn. */
export const DRAWN = { order: "fixed", omit: ["bar"] };
/** So many legal moves are listed at once: then what fits is known without asking again. */
export const LISTED = 200;
/** No game has so many forced moves in a row. */
const MOST_FORCED = 20;

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
  /** Whom the steps are for. @type {Viewer} */
  #viewer = null;
  /** @type {Step[]} */
  #steps = [];
  /** @type {import("./choosing.js").Kind[]} */
  offered = [];
  /** @type {Move[] | undefined} */
  listed;
  /** @type {Decision} */
  decision = { actor: "none", kind: "" };
  /** @type {any} */
  derived = {};
  /** @type {import("../service.js").Scored | undefined} */
  result;
  hasHidden = false;
  isWaiting = false;
  isWhole = true;
  onKept = () => {};

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

  /** @param {Viewer} viewer */
  async open(viewer) {
    const { record } = this.saved;
    const last = record.moves.findLastIndex((/** @type {any} */ move) => "seat" in move);
    const from = last < 0 ? record.moves.length : last;
    const [{ state }, course] = await Promise.all([this.ask("replays", { record: { ...record, moves: record.moves.slice(0, from) } }), this.#courseFor(viewer)]);
    this.#state = state;
    this.#viewer = viewer;
    this.#steps = course.filter(({ ply }) => ply <= from);
    await this.#advance(record.moves.slice(from), from);
  }

  /** @param {Viewer} viewer @returns {Promise<Seen>} */
  async seenBy(viewer) {
    const last = this.#steps.at(-1);
    if (viewer === this.#viewer && last?.picture) return { steps: this.#steps, picture: last.picture };
    const [steps, picture] = await Promise.all([viewer === this.#viewer ? this.#steps : this.#courseFor(viewer), this.#picture(viewer)]);
    this.#viewer = viewer;
    this.#steps = steps;
    return { steps, picture };
  }

  /** @param {Viewer} viewer */
  async #courseFor(viewer) {
    const { record } = this.saved;
    const { course } = await (viewer === undefined ? this.ask("replays", { record, texts: true }) : this.ask("views", { record, seat: viewer, texts: true }));
    return stepsOf(course);
  }

  /** @param {Viewer} viewer */
  async #picture(viewer) {
    const { pictures } = await this.consult("pictures", { layout: "narrow", ...DRAWN, ...this.#shownTo(viewer, "seat") });
    return pictures[0];
  }

  /**
   * Who a picture is for. Where nothing is hidden and several people look, it is the same for all, so that no place moves.
   * @param {Viewer} viewer
   * @param {string} member
   */
  #shownTo(viewer, member) {
    const isShared = !this.hasHidden && this.kinds.filter((kind) => kind === "person").length > 1;
    return viewer === undefined ? {} : { [member]: isShared ? null : viewer };
  }

  /** @param {Move} move */
  async play(move, playsForced = false) {
    await this.#advance([move], this.ply);
    for (let count = 0; playsForced && count < MOST_FORCED; count++) {
      const only = this.decision.actor === "seat" && this.kinds[this.decision.seat ?? 0] === "person" && onlyMove(this.offered);
      if (!only) return;
      const { length } = this.#steps;
      await this.#advance([only], this.ply);
      if (this.#steps[length]) this.#steps[length] = { ...this.#steps[length], isForced: true };
    }
  }

  /**
   * Plays moves, and for the computers, until a person decides: one request, unless they play for very long.
   * @param {any[]} moves
   * @param {number} from the ply before them
   */
  async #advance(moves, from) {
    const computers = this.kinds.map((kind) => (isServicePlayer(kind) ? kind : null));
    const wanted = { seed: this.saved.seed, texts: true, views: [null], computers, pictures: "narrow", ...DRAWN, ...this.#shownTo(this.#viewer, "pictures_for"), legal_moves: LISTED, kinds: true };
    for (let next = moves, isFirst = true; isFirst || isServicePlayer(this.kinds[this.decision.seat ?? -1]); next = [], isFirst = false) {
      const { record } = this.saved;
      const answer = await this.consult("transitions", { ...wanted, moves: next });
      const before = isFirst ? from : record.moves.length;
      const played = [...record.moves.slice(0, before), ...answer.moves];
      if (played.length !== record.moves.length) this.#keep({ ...this.saved, record: { ...record, moves: played }, later: [] });
      this.#update(answer, before);
      if (!answer.moves.length) break;
    }
    if (this.result && !this.saved.finished) this.#keep({ ...this.saved, finished: true });
  }

  /** @param {string} resource @param {{[member: string]: unknown}} about */
  consult(resource, about) {
    return this.ask(resource, { state: this.#state, ...about });
  }

  /** @param {Move} move */
  async foresee(move) {
    const { decision, derived, steps } = await this.consult("transitions", { moves: [move], texts: true, brief: true, pictures: "narrow", ...DRAWN, ...this.#shownTo(this.#viewer, "pictures_for") });
    return decision.actor === "chance" ? undefined : { derived, step: stepFrom(this.ply, steps[0]) };
  }

  /** @param {number} ply */
  async goTo(ply) {
    const all = [...this.saved.record.moves, ...this.saved.later];
    this.#keep({ ...this.saved, record: { ...this.saved.record, moves: all.slice(0, ply) }, later: all.slice(ply), finished: false });
    await this.open(this.#viewer);
  }

  /**
   * @param {any} answer
   * @param {number} before the ply before what was played
   */
  #update(answer, before) {
    this.#state = answer.state;
    this.decision = answer.decision;
    this.offered = answer.legal_moves?.kinds ?? [];
    this.listed = wholeList(answer.legal_moves);
    this.derived = answer.derived;
    this.result = answer.result;
    const spectator = answer.views.find((/** @type {any} */ view) => view.seat === null);
    this.hasHidden = spectator.state_hash !== answer.state_hash;
    let from = before;
    for (const told of answer.steps) {
      this.#steps = [...this.#steps, stepFrom(from, told)];
      from = told.ply;
    }
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
    this.onKept();
  }
}

/**
 * A step as the service tells it.
 * @param {number} from the ply before it
 * @param {any} told
 * @returns {Step}
 */
function stepFrom(from, { ply, moves, events, texts, picture }) {
  return { seat: moves[0].seat ?? null, from, ply, moves, events: events.length ? events : [{ type: moves[0].type, text: texts[0] }], picture };
}

/** All moves of a list, if it is whole. @param {{moves: Move[], total: number} | undefined} answer */
export function wholeList(answer) {
  return answer && answer.moves.length === answer.total ? answer.moves : undefined;
}

/**
 * What happened since a viewer last chose a move; for spectators, the last move.
 * @param {readonly Step[]} steps
 * @param {Viewer} viewer
 */
export function newSteps(steps, viewer) {
  const own = typeof viewer === "number" ? steps.findLastIndex(({ seat, isForced }) => seat === viewer && !isForced) : -1;
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
