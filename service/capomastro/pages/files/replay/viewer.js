// The viewer: the service checks a recorded game, this page shows it position by position, with its variations and notes.
// tree.js keeps the lines of the game, list.js lists them, trying.js puts moves together from taps; door.js opens games.

import { download, openChoice, openDialog } from "../dialogs.js";
import { isolated } from "../direction.js";
import { focusHeading, h, holdingFocus, holdingScroll, moveInGroup, patch, updateTabStops } from "../dom.js";
import { icon, mark } from "../icons.js";
import { inflated, packedRecord } from "../link.js";
import { findingText } from "../parts.js";
import { inWords, outline } from "../picture.js";
import { STRIDES, found, mendedMoves, placesOf, pointsOf, scoringsOf, stepFrom, turnsOf } from "./course.js";
import { eventText, pointsChart } from "./chart.js";
import { savedPage, savedPageHere } from "./file.js";
import { summaryOf } from "./list.js";
import { openedGames } from "./opened.js";
import { PAGE, Pictures, decoded } from "./pictures.js";
import { verdictOf } from "./slip.js";
import { isFailure, namesOf, notationWith, replayed, toldOf, treeIn, valueOrFailure, withNames } from "./source.js";
import { branchAt, labelOf, movesOf, newBranch, noteAt, ownerOf, pathOf, pathTo, pathsIn, played, promoted, withBranch, withNote, without } from "./tree.js";
import { isOnTable, stateOf, tapped } from "./trying.js";
import { ask, rulesOf, useRules } from "../service.js";
import { header, openMenu, startLink } from "../shell.js";
import * as store from "../store.js";
import { language, loadWords, number, sentence, t, useWords } from "../words.js";
import "./board.js";

/** @typedef {import("./course.js").MoveWithTexts} MoveWithTexts */
/** @typedef {import("./course.js").Stride} Stride */
/** @typedef {import("./source.js").Record_} Record_ */
/** @typedef {import("./source.js").Failure} Failure */
/** @typedef {import("./source.js").Told} Told */
/** @typedef {import("./tree.js").Path} Path */
/** @typedef {import("./tree.js").Branch} Branch */
/** @typedef {import("./trying.js").Trial} Trial */
/** @typedef {import("../service.js").Rule} Rule */

/**
 * The record or a variation, from the set-up on, as far as it is legal.
 * @typedef {object} Line
 * @property {number} id that of its branch
 * @property {Record_} record
 * @property {any} answer of `replays`
 * @property {readonly MoveWithTexts[]} course as the chosen viewer may know it
 * @property {readonly MoveWithTexts[]} brief the same in brief
 * @property {readonly import("./course.js").Turn[]} turns
 * @property {number[][]} points
 * @property {readonly import("./course.js").Scoring[]} scorings
 * @property {readonly number[]} mistakes
 */

const BUSY_AFTER = 400;
const MOVES_AT_ONCE = 60;
/** So many of the moves that contain what is chosen are offered as sentences. */
const FITTING_AT_ONCE = 12;
/** Room for the table and the players beside each other, and the moves beside them. */
const WIDE = "(min-width: 80em)";
const MOST_DECODED = 512 * 1024 * 1024;
const LONGEST_NOTE = 2000;
const MOST_OPENED = 20;
/** Milliseconds between two steps of a wheel. */
const WHEEL = 60;

/** Where a game comes from: its id on this device, the place that a link names; an example is not kept. @typedef {{id?: string, where?: string, isExample?: boolean}} From */

export class ReplayViewer extends HTMLElement {
  files = "";
  /** Opens another game. */
  close = () => {};
  /** @type {import("./file.js").SavedPage | undefined} on a saved page, which has no service */
  saved;
  busy = false;
  /** Whether the position that comes next was asked for by keys or buttons, which stay where they are when the page scrolls. */
  hasStepped = false;
  /** @type {string | undefined} what was just done, or why it cannot be */
  news;
  /** What is also said beside what was tapped, since the line below the picture may be out of sight. @type {{news: string, by: "search" | "choices"} | undefined} */
  said;
  /** @type {import("../sealed.js").Opened | undefined} the record of a sealed table, opened after its end */
  opened;
  /** @type {import("./fair.js").Fairness | undefined} */
  fair;
  /** @type {Record_} as given, or as a promoted variation made it: without names if it has none */
  record = /** @type {any} */ (undefined);
  /** With its notes and variations. */
  notation = "";
  /** @type {string | undefined} the same, packed for a fragment */
  link;
  /** The record on this device. */
  id = "";
  /** @type {Branch} */
  tree = newBranch(0, []);
  /** What the service says of each line, with the moves that it was asked about, by the id of its branch. @type {Map<number, Told & {moves: readonly any[]}>} */
  told = new Map();
  /** @type {Path} of the line that is shown */
  path = [];
  /** @type {Line} */
  line = /** @type {any} */ (undefined);
  /** @type {string[]} for sentences */
  names = [];
  /** @type {Map<string, Rule>} */
  rules = new Map();
  at = 0;
  /** @type {Stride} */
  stride = "move";
  /** Whose view: a seat, null for a spectator, undefined for all that the record says. @type {number | null | undefined} */
  seat;
  isText = store.setting("replay.text") === "yes";
  /** Whether what is wrong with the record is unfolded. */
  isOpen = false;
  /** @type {Pictures} */
  pictures = /** @type {any} */ (undefined);
  /** Milliseconds from one step to the next while it plays by itself. */
  pause = 1200;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  playing;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  addressTimer;
  /** @type {{moves: any[], texts: string[], total: number, next?: string} | undefined} what can be played here */
  choices;
  /** @type {Trial | undefined} a move that is being put together from taps */
  trial;
  wheeledAt = 0;

  #listening = new AbortController();

  async connectedCallback() {
    const { signal } = this.#listening;
    document.addEventListener("keydown", (event) => this.pressed(event), { signal });
    this.addEventListener("keydown", moveInGroup, { signal });
    matchMedia(WIDE).addEventListener("change", () => this.line && this.show(), { signal });
    addEventListener("online", () => this.line && !this.notation && void this.pack(), { signal });
    this.saved = savedPageHere();
    if (this.saved) await this.showSaved(this.saved);
  }

  disconnectedCallback() {
    this.#listening.abort();
    this.stop();
  }

  // --- opening a game ------------------------------------------------------------------------------------------------

  /** @param {import("./file.js").SavedPage} saved */
  async showSaved(saved) {
    useWords(saved.words);
    useRules(saved.record.game, saved.rules);
    const pictures = decoded(JSON.parse(await inflated(saved.pictures, MOST_DECODED)));
    this.begin(saved);
    this.notation = saved.notation;
    for (const [ply, svg] of pictures.entries()) if (svg) this.pictures.known.set(ply, svg);
    this.show();
  }

  /**
   * @param {import("./source.js").Judged} game
   * @param {import("../sealed.js").Opened | undefined} opened
   * @param {From} from
   * @param {() => void} enter puts this on the page, once there is something to see, unless another game was asked for since
   */
  async open(game, opened, { id = "", where, isExample = false }, enter) {
    performance.mark("replay.answered");
    const tree = game.commented ? await treeIn(game.record, game.commented) : undefined;
    const place = placeIn(where);
    this.opened = opened;
    this.id = isExample ? "example" : id;
    const { answer, record } = game;
    const position = Math.min((place?.label ? undefined : place?.position) ?? (answer.first_divergence || answer.verdict === "wrong-result" ? answer.plies : 0), answer.plies);
    // what comes with the first view does not push it about afterwards
    const pictures = new Pictures(cutOff(withNames(record), answer.plies), undefined, () => {});
    [this.rules] = await Promise.all([answer.first_divergence ? rulesOf(record.game) : new Map(), pictures.page(Math.floor(position / PAGE))]);
    enter();
    if (!this.isConnected) return;
    this.begin(game, tree, position, pictures);
    if (opened) void this.checkChance();
    performance.measure("replay.shown", "replay.answered");
    await this.tellVariations();
    if (place?.label && this.record === game.record) await this.goToPlace(where);
    if (this.record === game.record) await this.pack();
  }

  /** @param {string | undefined} where in an address */
  async goToPlace(where) {
    const place = placeIn(where);
    if (place) await this.goTo(pathOf(this.tree, place.label) ?? [], place.position);
  }

  /** Checks what was opened after the end of a sealed table. @param {import("../sealed.js").Sealed} [table] */
  async checkChance(table) {
    const { opened } = this;
    const [{ fairness }] = await Promise.all([import("./fair.js"), loadWords(this.files, "replay", "distance")]);
    const fair = opened && (await this.waitFor(fairness(opened, table)));
    if (opened === this.opened) this.setState({ fair });
  }

  /**
   * @param {{record: Record_} & Told} game
   * @param {Branch} [tree]
   * @param {number} [position] by default that of the mistake, if there is one
   * @param {Pictures} [pictures] the first ones
   */
  begin({ record, ...told }, tree = newBranch(0, record.moves), position = undefined, pictures = undefined) {
    this.record = record;
    this.notation = "";
    this.link = undefined;
    this.names = namesOf(record).map(isolated);
    this.tree = tree;
    this.told = new Map([[tree.id, { ...told, moves: tree.moves }]]);
    this.seat = undefined;
    this.isOpen = matchMedia(WIDE).matches;
    this.pictures = /** @type {any} */ (pictures);
    this.line = this.lineAt([]);
    this.showLine([], position ?? this.line.mistakes[0] ?? 0);
    void rulesOf(record.game).then((rules) => {
      this.rules = rules;
      this.update();
    });
  }

  /**
   * Packs the record with its notes and variations, for the link and for this device.
   * @returns {Promise<void>}
   */
  async pack() {
    const { record, tree } = this;
    const notation = await notationWith(record, tree);
    if (this.tree !== tree || this.record !== record) return;
    if (isFailure(notation)) return this.setState({ news: notation.why });
    const link = await packedRecord(notation);
    if (this.tree !== tree || this.record !== record) return;
    this.notation = notation;
    this.link = link;
    this.updateAddress();
    if (link && this.id !== "example") this.keep(link);
  }

  /** Keeps the game on this device, for the list of games. @param {string} link */
  keep(link) {
    const { answer, record } = this.lineAt([]);
    const { id = "", names = [], game } = this.record;
    this.id ||= `${game}-${digestOf(JSON.stringify([id, names, this.record.moves]))}`;
    openedGames.keep({ id: this.id, changed: new Date().toISOString(), link, game, names: names.length ? names : Array.from({ length: record.players }, () => ""), points: answer.course.at(-1)?.points ?? [], plies: answer.plies, verdict: answer.verdict });
    for (const old of openedGames.all().slice(MOST_OPENED)) openedGames.forget(old.id);
  }

  /**
   * @template Answer
   * @param {Promise<Answer>} answer
   * @returns {Promise<Answer>}
   */
  async waitFor(answer) {
    const slow = setTimeout(() => this.setState({ busy: true }), BUSY_AFTER);
    const known = await answer;
    clearTimeout(slow);
    this.busy = false;
    return known;
  }

  /** @param {Partial<ReplayViewer>} what */
  setState(what) {
    Object.assign(this, what);
    this.update();
  }

  // --- lines ---------------------------------------------------------------------------------------------------------

  /**
   * The record that a line is, its illegal moves included.
   * @param {Branch} tree
   * @param {Path} path
   * @returns {Record_}
   */
  recordOf(tree, path) {
    const given = withNames(this.record);
    return path.length ? { ...cutOff(given, 0), moves: movesOf(tree, path) } : given;
  }

  /**
   * A line that the service has described.
   * @param {Path} path
   * @returns {Line}
   */
  lineAt(path) {
    const { id } = branchAt(this.tree, path);
    const { answer, brief } = /** @type {Told} */ (this.told.get(id));
    const record = cutOff(this.recordOf(this.tree, path), answer.plies);
    const { course } = answer;
    const isWrong = answer.first_divergence || answer.verdict === "wrong-result";
    return { id, record, answer, course, brief, turns: turnsOf(course), points: pointsOf(course, record.players), scorings: scoringsOf(course), mistakes: isWrong ? [answer.plies] : [] };
  }

  /** Whether the service has told of a line as it is now. @param {Path} path */
  isTold(path) {
    const branch = branchAt(this.tree, path);
    return this.told.get(branch.id)?.moves === branch.moves;
  }

  /**
   * Has the service tell of a line, unless it has.
   * @param {Path} path
   * @returns {Promise<Failure | undefined>}
   */
  async tell(path) {
    if (this.isTold(path)) return undefined;
    const { tree, record } = this;
    const { id, moves } = branchAt(tree, path);
    const told = await toldOf(this.recordOf(tree, path));
    if (isFailure(told)) return told;
    if (this.record === record) this.told.set(id, { ...told, moves });
    return undefined;
  }

  /** Has the service tell of all variations, one after the other. */
  async tellVariations() {
    const { record } = this;
    for (const { id } of pathsIn(this.tree).map((path) => branchAt(this.tree, path))) {
      const path = this.record === record ? pathTo(this.tree, id) : undefined;
      if (!path || this.isTold(path)) continue;
      if (await this.tell(path)) return;
      this.update();
    }
  }

  /**
   * Shows a position of a line.
   * @param {Path} path
   * @param {number} position
   * @returns {Promise<boolean>} false if the service has not told of the line
   */
  async goTo(path, position) {
    const owner = ownerOf(this.tree, path, position);
    const { tree } = this;
    const lost = await this.waitFor(this.tell(owner));
    if (lost) this.setState({ news: lost.why });
    else if (this.tree === tree) this.goToLine(owner, position);
    return !lost;
  }

  /**
   * The same, if the service has told of the line.
   * @param {Path} path
   * @param {number} position
   * @returns {void}
   */
  goToLine(path, position) {
    const { id } = branchAt(this.tree, path);
    if (id === this.line.id && this.pictures && this.told.get(id)?.answer === this.line.answer) {
      this.path = path;
      return this.go(position);
    }
    this.showLine(path, position);
    this.updateAddress();
  }

  /**
   * @param {Path} path
   * @param {number} position
   */
  showLine(path, position) {
    this.path = path;
    this.line = this.lineAt(path);
    this.seat = undefined;
    this.stop();
    this.leave();
    this.at = Math.min(Math.max(0, position || 0), this.plies);
    this.draw();
  }

  /** Drops what belongs to the position that was shown. */
  leave() {
    this.choices = undefined;
    this.trial = undefined;
    this.news = undefined;
  }

  /** Requests the pictures of the line and viewer that are shown now. */
  draw() {
    const before = this.pictures;
    const { record } = this.line;
    this.pictures = new Pictures(record, this.seat, () => this.update());
    if (before && before.seat === this.seat && before.record.game === record.game) {
      // what two lines have in common looks the same
      const common = commonMoves(before.record.moves, record.moves);
      for (const [ply, svg] of before.known) if (ply <= common) this.pictures.known.set(ply, svg);
    }
    this.show();
  }

  // --- stepping ------------------------------------------------------------------------------------------------------

  get plies() {
    return this.line.record.moves.length;
  }

  get places() {
    return { plies: this.plies, ...this.line };
  }

  /**
   * @param {number} position in the line that is shown
   * @returns {void}
   */
  go(position) {
    const next = Math.min(Math.max(0, position || 0), this.plies);
    if (next !== this.at) this.leave();
    this.news = undefined;
    this.at = next;
    const owner = ownerOf(this.tree, this.path, next);
    if (owner.length < this.path.length && this.isTold(owner) && this.seat === undefined) return this.goToLine(owner, next);
    this.updateAddress();
    this.update();
  }

  /**
   * @param {1 | -1} way
   * @param {Stride} [stride]
   */
  step(way, stride = this.stride) {
    const to = stepFrom(this.at, way, placesOf(stride, this.places));
    this.hasStepped = to !== undefined;
    if (to !== undefined) return this.go(to);
    this.setState({ news: way > 0 ? t(`replay.none-on.${stride}`) : t(`replay.none-back.${stride}`) });
  }

  play() {
    if (this.playing) return this.stop(true);
    const more = () => stepFrom(this.at, 1, placesOf(this.stride, this.places)) !== undefined;
    if (!more()) this.go(0);
    const next = () => {
      this.step(1);
      this.playing = more() ? setTimeout(next, this.pause) : undefined;
      this.show();
    };
    this.playing = setTimeout(next, this.pause);
    this.show();
  }

  /** @param {boolean} [shows] */
  stop(shows = false) {
    clearTimeout(this.playing);
    this.playing = undefined;
    if (shows) this.show();
  }

  /** To the next mistake, or from the last one to the first. */
  toMistake() {
    const to = stepFrom(this.at, 1, this.line.mistakes) ?? this.line.mistakes[0];
    if (to === undefined) return this.setState({ news: t("replay.none-on.mistake") });
    this.go(to);
    this.setState({ isOpen: true });
  }

  /** Into the first variation that begins here; without one, what could begin one. */
  async toVariation() {
    if (this.saved) return;
    const owner = ownerOf(this.tree, this.path, this.at);
    const at = branchAt(this.tree, owner).branches.findIndex(({ ply }) => ply === this.at);
    if (at >= 0) return void (await this.goTo([...owner, at], this.at + 1));
    await this.choose();
    /** @type {HTMLElement | null} */ (this.querySelector(".happening .near button"))?.focus();
  }

  /** Goes to a move by its number, or to the next one with certain words. @param {string} wanted */
  find(wanted) {
    const words = wanted.trim();
    if (!words) return;
    if (/^\d+$/.test(words)) return this.go(Number(words));
    const to = found([this.line.course, this.line.brief], words, this.at);
    if (to === undefined) return this.say(t("replay.not-found", { words }), "search");
    this.go(to);
  }

  /** @param {string} news @param {"search" | "choices"} by */
  say(news, by) {
    this.setState({ news, said: { news, by } });
  }

  /** @param {"search" | "choices"} by */
  saidBy(by) {
    const { said, news } = this;
    return said?.by === by && said.news === news && h("p", { class: "small nearby", key: "nearby" }, news);
  }

  /** Puts the position into the address, at most every 400 ms: browsers throttle pages that change it more often. */
  updateAddress() {
    if (!this.isConnected || this.addressTimer !== undefined || !this.link || location.href === this.linkHere()) return;
    history.replaceState(null, "", this.linkHere());
    this.addressTimer = setTimeout(() => {
      this.addressTimer = undefined;
      this.updateAddress();
    }, 400);
  }

  linkHere() {
    const address = new URL(location.href);
    address.hash = `${this.link}.${this.at}${labelOf(this.path)}`;
    return address.href;
  }

  /** The keys of the viewer, on the whole page but in fields and dialogs. @param {KeyboardEvent} event */
  pressed(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (!this.line || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    if (document.querySelector("dialog[open]") || target.closest("input, select, textarea") || (target.closest(".in-words, replay-board") && ["ArrowUp", "ArrowDown"].includes(event.key))) return;
    const onControl = target.closest("button, a, summary, [role=button]");
    const letters = {
      m: () => this.toMistake(),
      v: () => void this.toVariation(),
      n: () => this.writeNote(),
      "?": () => this.showKeys(),
    };
    const keys = {
      ArrowRight: () => this.step(1, "move"),
      ArrowLeft: () => this.step(-1, "move"),
      ArrowDown: () => this.step(1, "turn"),
      ArrowUp: () => this.step(-1, "turn"),
      Home: () => this.go(0),
      End: () => this.go(this.plies),
      Escape: this.trial || this.choices ? () => (this.leave(), this.update()) : undefined,
      " ": onControl ? undefined : () => this.play(),
    };
    const act = keys[/** @type {keyof typeof keys} */ (event.key)] ?? (usesLetters() ? letters[/** @type {keyof typeof letters} */ (event.key.toLowerCase())] : undefined);
    if (!act) return;
    event.preventDefault();
    act();
  }

  /** A wheel steps, where it has nothing to scroll. @param {WheelEvent} event */
  wheeled(event) {
    if (!matchMedia(WIDE).matches || event.ctrlKey || !event.deltaY || this.isText) return;
    const scrolled = event.composedPath().find((one) => one instanceof HTMLElement && one.classList.contains("part") && one.scrollHeight > one.clientHeight + 1);
    if (scrolled) return;
    event.preventDefault();
    if (event.timeStamp - this.wheeledAt < WHEEL) return;
    this.wheeledAt = event.timeStamp;
    this.step(event.deltaY > 0 ? 1 : -1, "move");
  }

  showKeys() {
    const keys = [["←", "→", "move"], ["↑", "↓", "turn"], ["Home", "End", "ends"], [t("replay.key.space"), "", "play"], ["M", "", "mistake"], ["V", "", "variation"], ["N", "", "note"], ["?", "", "keys"]];
    // who speaks to the computer can do without: a word is many letters
    const toggle = h("label", { class: "letters" }, h("input", { type: "checkbox", checked: usesLetters(), on: { change: (/** @type {any} */ event) => store.setting("replay.letters", event.target.checked ? "yes" : "no") } }), " ", t("replay.letters"));
    openDialog({ title: t("replay.keys"), content: () => [h("dl", { class: "key-list" }, keys.map(([one, other, what]) => h("div", { key: what }, h("dt", {}, h("kbd", {}, one), other && [" ", h("kbd", {}, other)]), h("dd", {}, t(`replay.key.${what}`))))), toggle] });
  }

  // --- variations, notes and other views -----------------------------------------------------------------------------

  /**
   * Takes another tree over, perhaps of another record.
   * @param {Branch} tree
   * @param {Path} path
   * @param {number} position
   * @param {Record_} [record]
   * @returns {Promise<boolean>} false if all is as before, since the service has not told of the line
   */
  async change(tree, path, position, record = this.record) {
    const before = { tree: this.tree, record: this.record, path: this.path, link: this.link, notation: this.notation };
    Object.assign(this, { tree, record, link: undefined, notation: "" });
    if (!(await this.goTo(path, position))) {
      if (this.tree === tree) this.setState(before);
      return false;
    }
    await Promise.all([this.pack(), this.tellVariations()]);
    return true;
  }

  /** The record with its slips left out or corrected, as a variation. @param {"skip" | "correct"} repair */
  async mend(repair) {
    const { tree } = this;
    const given = withNames(this.record);
    const answer = await this.waitFor(replayed(given, repair));
    if (this.tree !== tree) return;
    if (isFailure(answer)) return this.setState({ news: answer.why });
    const { moves, mended } = mendedMoves(given.moves, answer.lenient);
    const ply = moves.findIndex((move, at) => JSON.stringify(move) !== JSON.stringify(given.moves[at]));
    if (ply < 0) return;
    const notes = Object.fromEntries([...mended].map(([at, slip]) => [Math.max(at, ply) + 1, t(`replay.mended.${slip.remedy.action}`, { text: slip.text })]));
    const grown = withBranch(tree, [], newBranch(ply, moves.slice(ply), { notes }));
    if (await this.change(grown.tree, grown.path, ply + 1)) this.setState({ news: t("replay.mended", { slips: mended.size }) });
  }

  /** The state that is shown, or why there is none. */
  async reached() {
    const cut = cutOff(this.line.record, this.at);
    if (this.at === this.plies) return { state: this.line.answer.state };
    return valueOrFailure(await ask(`/v1/games/${cut.game}/replays`, { record: cut }));
  }

  /** Lists what can be played at this position. @param {string} [cursor] to continue a long list */
  async choose(cursor) {
    const { at, line } = this;
    const reached = await this.waitFor(this.reached());
    const reply = isFailure(reached) ? reached : valueOrFailure(await this.waitFor(ask(`/v1/games/${line.record.game}/legal-moves`, { state: reached.state, texts: true, limit: MOVES_AT_ONCE, ...(cursor ? { cursor } : {}) })));
    if (at !== this.at || line !== this.line) return;
    if (isFailure(reply)) return this.say(reply.why, "choices");
    const before = cursor ? this.choices : undefined;
    this.setState({ trial: undefined, choices: { moves: [...(before?.moves ?? []), ...reply.moves], texts: [...(before?.texts ?? []), ...(reply.texts ?? [])], total: reply.total, next: reply.next_cursor } });
  }

  /** Puts a move together. @param {import("./board.js").Spot[]} spots what was tapped, the innermost first */
  async tap(spots) {
    if (this.saved || this.seat !== undefined || this.line.answer.decision.actor === "none" && this.at === this.plies) return;
    const { at, line } = this;
    const path = `/v1/games/${line.record.game}/legal-moves`;
    const isHere = () => at === this.at && line === this.line;
    if (!this.trial) {
      const reached = await this.waitFor(this.reached());
      const reply = isFailure(reached) ? reached : valueOrFailure(await this.waitFor(ask(path, { state: reached.state, kinds: true, limit: 0 })));
      if (!isHere()) return;
      if (isFailure(reply)) return this.setState({ news: reply.why });
      if (!isOnTable(reply.kinds)) return this.choose();
      this.trial = { state: reached.state, kinds: reply.kinds, fitting: [] };
    }
    const { trial } = this;
    const parts = tapped(trial, spots);
    if (!parts.length) return this.setState({ news: t("replay.nothing-there") });
    const replies = await this.waitFor(Promise.all(parts.map((containing) => ask(path, { state: trial.state, containing, limit: FITTING_AT_ONCE, texts: true }).then(valueOrFailure))));
    if (!isHere() || this.trial !== trial) return;
    const lost = replies.find(isFailure);
    if (lost) return this.setState({ news: lost.why });
    const fitting = replies.map((reply, index) => ({ ...reply, chosen: parts[index] })).filter(({ total }) => total > 0);
    if (!fitting.length) return this.setState({ news: t("replay.not-together") });
    if (fitting.length === 1 && fitting[0].total === 1) return this.playMove(fitting[0].moves[0]);
    this.setState({ choices: undefined, news: undefined, trial: { ...trial, fitting } });
  }

  /** Plays a move here: the next one, one of a known variation, or a new one. @param {any} move */
  async playMove(move) {
    const { tree, line } = this;
    const next = played({ tree, path: this.path, position: this.at }, move);
    if (!next.isNew) return void (await this.goTo(next.path, next.position));
    const told = await this.waitFor(toldOf({ ...cutOff(line.record, this.at), moves: [...line.record.moves.slice(0, this.at), move] }));
    if (this.tree !== tree || this.line !== line) return;
    if (isFailure(told)) return this.setState({ news: told.why });
    if (!told.answer.legal) return this.setState({ news: findingText(told.answer.first_divergence.refusal, this.names) });
    const { id, moves } = branchAt(next.tree, next.path);
    this.told.set(id, { ...told, moves });
    await this.change(next.tree, next.path, next.position);
  }

  /** What can be done with a variation. @param {Path} path */
  openVariation(path) {
    const label = labelOf(path);
    const { ply } = branchAt(this.tree, path);
    openChoice(t("replay.variation", { label }), [
      { text: t("replay.show"), act: () => void this.goTo(path, ply + 1) },
      { text: t(path.length > 1 ? "replay.promote" : "replay.promote-to-record"), act: () => void this.promote(path) },
      { text: t("replay.delete-variation"), act: () => void this.change(without(this.tree, path), path.slice(0, -1), ply) },
    ]);
  }

  /** @param {Path} path */
  async promote(path) {
    const { ply } = branchAt(this.tree, path);
    const next = promoted(this.tree, path);
    const record = next.path.length ? this.record : { ...cutOff(this.record, 0), moves: [...next.tree.moves] };
    await this.change(next.tree, next.path, ply + 1, record);
  }

  /** Asks for a note on this position. */
  writeNote() {
    if (this.saved || this.seat !== undefined) return;
    const place = { tree: this.tree, path: this.path, position: this.at };
    let text = noteAt(place);
    /** @type {() => void} */
    let close = () => {};
    const save = (/** @type {Event} */ event) => {
      event.preventDefault();
      close();
      const path = pathTo(this.tree, branchAt(place.tree, place.path).id);
      if (path) void this.change(withNote({ ...place, tree: this.tree, path }, text), this.path, this.at);
    };
    close = openDialog({
      title: t("replay.note-on", { where: this.where }),
      content: () => [
        h(
          "form",
          { on: { submit: save } },
          h("textarea", { rows: 5, maxlength: LONGEST_NOTE, class: "button wide note-field", "aria-label": t("replay.note"), value: text, on: { input: (/** @type {any} */ event) => (text = event.target.value) } }),
          h("p", { class: "answers" }, h("button", { type: "submit", class: "button main" }, t("replay.save-note"))),
        ),
      ],
    });
    /** @type {HTMLElement | null} */ (document.querySelector("dialog .note-field"))?.focus();
  }

  /** @param {number | null | undefined} seat */
  async viewAs(seat) {
    const { line } = this;
    this.leave();
    if (seat === undefined) {
      this.seat = seat;
      this.line = this.lineAt(this.path);
      return this.draw();
    }
    const path = `/v1/games/${line.record.game}/views`;
    const [full, brief] = await this.waitFor(Promise.all([false, true].map((isBrief) => ask(path, { record: line.record, seat, texts: true, brief: isBrief }).then(valueOrFailure))));
    if (this.line !== line) return;
    const lost = [full, brief].find(isFailure);
    if (lost) return this.setState({ news: lost.why });
    this.seat = seat;
    this.line = { ...line, course: full.course, brief: brief.course };
    this.draw();
  }

  // --- export --------------------------------------------------------------------------------------------------------

  get title() {
    return t("replay.title", { game: t(`${this.record.game}.title`), players: this.record.players });
  }

  get fileName() {
    return String(this.record.id ?? `${this.record.game}-game`).replace(/[^\w-]+/g, "-").slice(0, 60);
  }

  async copyLink() {
    if (!this.notation) await this.pack();
    if (!this.notation) return;
    if (!this.link) return this.setState({ news: t("replay.no-link") });
    try {
      await navigator.clipboard.writeText(this.linkHere());
      this.setState({ news: t("replay.copied") });
    } catch {
      history.replaceState(null, "", this.linkHere());
      this.setState({ news: t("replay.in-address") });
    }
  }

  async saveFile() {
    const { record: legal } = this.lineAt([]);
    const { answer, brief } = /** @type {Told} */ (this.told.get(this.tree.id));
    try {
      const pictures = await new Pictures(legal, undefined, () => {}).all((known, of) => this.setState({ news: t("replay.drawing", { known, of }) }));
      const { record, notation, title } = this;
      download(`${this.fileName}.html`, "text/html", await savedPage(this.files, { record, notation, answer, brief, pictures, title }));
      this.setState({ news: t("replay.saved") });
    } catch {
      this.setState({ news: t("replay.unreached") });
    }
  }

  openMenu() {
    const json = () => download(`${this.fileName}.json`, "application/json", `${JSON.stringify(this.record, null, 1)}\n`);
    const notation = () => download(`${this.fileName}.capo`, "text/plain", this.notation);
    openMenu(
      [
        !this.saved && { text: t("replay.other"), act: () => this.close() },
        !this.saved && { text: t("replay.link"), act: () => void this.copyLink() },
        !this.saved && !!this.link && !this.path.length && { text: t("replay.play-on"), href: `/play/${this.record.game}?lang=${language}#${this.link}.${this.at}` },
        !!this.notation && { text: t("replay.save-notation"), act: notation },
        { text: t("replay.save-json"), act: json },
        !this.saved && { text: t("replay.save-html"), act: () => void this.saveFile() },
        { text: t("replay.keys"), act: () => this.showKeys() },
      ],
    );
  }

  // --- views ---------------------------------------------------------------------------------------------------------

  /** Shows what changed by itself, without moving anything under a finger. */
  update() {
    holdingScroll(this, () => this.show());
    if (this.hasStepped && this.picture()) this.showChange();
  }

  /** Scrolls a phone to what a step has changed. */
  showChange() {
    this.hasStepped = false;
    const board = /** @type {import("./board.js").ReplayBoard | null} */ (this.querySelector("replay-board"));
    board?.scrollToChange(/** @type {Element} */ (this.querySelector(".steer")).getBoundingClientRect().top);
  }

  show() {
    const isNew = !this.firstChild;
    holdingFocus(this, () => {
      patch(this, this.game());
      updateTabStops(this);
    });
    if (isNew) focusHeading(this.querySelector("h1"));
    this.showMoves();
    const svg = this.picture();
    const board = /** @type {import("./board.js").ReplayBoard | null} */ (this.querySelector("replay-board"));
    if (!svg || !board) return;
    board.onTap = (spots) => void this.tap(spots);
    board.show(svg, matchMedia(WIDE).matches);
    const { trial } = this;
    if (trial?.fitting.length || board.dataset.tried) board.highlight((spot) => (trial?.fitting.length ? stateOf(trial, spot) : undefined));
    board.dataset.tried = trial?.fitting.length ? "yes" : "";
  }

  showMoves() {
    const list = /** @type {import("./list.js").MoveList} */ (this.querySelector("move-list"));
    list.go = (path, position) => void this.goTo(path, position);
    list.openMenu = (path) => this.openVariation(path);
    list.linkTo = (path, position) => (this.link ? `#${this.link}.${position}${labelOf(path)}` : undefined);
    const toldLines = [...this.told.values()];
    const shown = [this.tree, this.seat, this.seat === undefined ? undefined : this.line, ...toldLines];
    if (!list.firstChild || shown.length !== this.shownMoves.length || shown.some((one, at) => one !== this.shownMoves[at])) {
      this.shownMoves = shown;
      list.show(this.seat === undefined ? this.listed([]) : { path: this.path, ply: 0, course: this.line.brief, slip: undefined, notes: {}, variations: [] }, this.names);
    }
    list.mark(this.path, this.at);
  }
  /** What the list of moves was made from. @type {readonly any[]} */
  shownMoves = [];

  /**
   * @param {Path} path
   * @returns {import("./list.js").Listed}
   */
  listed(path) {
    const { id, ply, notes, branches } = branchAt(this.tree, path);
    const told = this.isTold(path) ? this.told.get(id) : undefined;
    return { path, ply, course: told?.brief, slip: told?.answer.first_divergence?.text, notes, variations: branches.map((_, at) => this.listed([...path, at])) };
  }

  /** The picture of the position, if it is known yet. */
  picture() {
    return this.saved ? this.pictures.known.get(this.at) : this.pictures.at(this.at);
  }

  /** The game that is shown. */
  game() {
    const share = !this.saved && h("button", { type: "button", key: "share", class: "icon", "aria-label": t("replay.link"), on: { click: () => void this.copyLink() } }, icon("share"));
    const { answer } = this.told.get(this.tree.id) ?? this.line;
    const verdict = verdictOf({
      game: this.record.game,
      answer,
      names: this.names,
      rules: this.rules,
      isOpen: this.isOpen,
      unfold: (isOpen) => isOpen !== this.isOpen && this.setState({ isOpen }),
      tryMove: this.saved ? undefined : (position, move) => void this.tryAt(position, move),
      mend: (repair) => void this.mend(repair),
    });
    return [
      header({ back: startLink(), title: this.title, tools: [this.standing(), share], menu: () => this.openMenu() }),
      h(
        "main",
        { class: "wrap replay", key: "replay" },
        this.viewer(),
        h("div", { class: "side", key: "side" }, this.fair && h("div", { class: this.fair.isFair ? "verdict" : "verdict wrong", key: "fair", role: "status" }, icon(this.fair.isFair ? "check" : "warn"), h("p", {}, h("b", {}, t(this.fair.isFair ? "replay.chance" : "replay.chance-wrong")), " ", this.fair.text)), verdict, this.moves(), this.score(), this.happening()),
      ),
    ];
  }

  /** The points of everybody here, if the game ended. */
  standing() {
    return h("ul", { class: "standing-here", key: "standing", "aria-label": t("replay.points") }, this.names.map((name, seat) => h("li", { key: `s${seat}` }, mark(seat, true), h("b", {}, number(this.line.points[this.at][seat])), h("span", { class: "name" }, name))));
  }

  /**
   * @param {number} position
   * @param {any} move
   */
  async tryAt(position, move) {
    await this.goTo([], position);
    this.isOpen = false; // what follows is in the list
    await this.playMove(move);
  }

  /** The number of the move that has just been made, and the variation that it is in; people count moves from 1. */
  get where() {
    if (!this.at) return sentence(t("replay.before-first"));
    const label = labelOf(this.path);
    return label ? t("replay.move-in", { number: this.at, label }) : t("replay.move-of", { number: this.at, plies: this.plies });
  }

  viewer() {
    const played = this.line.course[this.at - 1];
    const now = played ? summaryOf(played, 3) : t("replay.at-start");
    const svg = this.picture();
    const note = this.seat === undefined ? noteAt({ tree: this.tree, path: this.path, position: this.at }) : "";
    return h(
      "section",
      { class: "viewer", key: "viewer", "aria-label": t("replay.viewer"), "aria-keyshortcuts": "ArrowLeft ArrowRight ArrowUp ArrowDown Home End Space M V N" },
      this.isText || this.pictures.missing
        ? h("div", { class: "frame in-words", key: "words", tabindex: 0, role: "region", "aria-label": t("replay.text") }, svg ? outline(inWords(svg)) : h("p", { class: "small" }, this.pictures.missing ? t("replay.no-picture") : t("replay.waiting")))
        : h("div", { class: "frame", key: "picture", "aria-busy": !svg, on: { wheel: (/** @type {WheelEvent} */ event) => this.wheeled(event) } }, h("replay-board", {})),
      h(
        "div",
        { class: "steer", key: "steer" },
        h("p", { class: "now", "aria-live": this.playing ? "off" : "polite" }, h("b", {}, this.where), " ", this.busy ? t("checking") : (this.news ?? now), note && !this.news && h("em", { class: "note" }, " ", note)),
        h("input", { type: "range", "aria-label": t("replay.position"), min: 0, max: this.plies, step: 1, value: String(this.at), "aria-valuetext": `${this.where} ${now}`, on: { input: (/** @type {any} */ event) => this.go(Number(event.target.value)) } }),
        h(
          "div",
          { class: "controls" },
          h(
            "div",
            { class: "buttons", role: "group", "aria-label": t("replay.steps") },
            this.control("first", t("replay.first"), () => this.go(0)),
            this.control("previous", t(`replay.back.${this.stride}`), () => this.step(-1)),
            this.playing ? this.control("pause", t("replay.pause"), () => this.stop(true)) : this.control("play", t("replay.play"), () => this.play()),
            this.control("next", t(`replay.on.${this.stride}`), () => this.step(1)),
            this.control("last", t("replay.last"), () => this.go(this.plies)),
          ),
          this.strides(),
        ),
      ),
      !matchMedia(WIDE).matches && this.trying(),
      h(
        "div",
        { class: "choices", key: "choices" },
        h(
          "div",
          { class: "either", role: "group", "aria-label": t("replay.shown-as") },
          [false, true].map((isText) => h("button", { type: "button", key: String(isText), "aria-pressed": isText === this.isText, on: { click: () => this.present(isText) } }, t(isText ? "replay.text" : "replay.picture"))),
        ),
        !this.saved && this.seen(),
        !this.saved && this.seat === undefined && h("button", { type: "button", key: "note", class: "button small-one", on: { click: () => this.writeNote() } }, t("replay.note")),
      ),
    );
  }

  /** What a step is: buttons where there is room for them. */
  strides() {
    const choose = (/** @type {Stride} */ stride) => this.setState({ stride });
    const label = t("replay.by");
    if (matchMedia(WIDE).matches) return h("div", { class: "either by", key: "by", role: "group", "aria-label": label }, STRIDES.map((one) => h("button", { type: "button", key: one, "aria-pressed": one === this.stride, on: { click: () => choose(one) } }, t(`replay.stride.${one}`))));
    return h("select", { class: "by", key: "by-select", "aria-label": label, value: this.stride, on: { change: (/** @type {any} */ event) => choose(event.target.value) } }, STRIDES.map((one) => h("option", { key: one, value: one }, t(`replay.stride.${one}`))));
  }

  /** A move that is put together: what is chosen, and the moves that it can still be. */
  trying() {
    const { trial } = this;
    if (!trial?.fitting.length) return null;
    const total = trial.fitting.reduce((sum, one) => sum + one.total, 0);
    const moves = trial.fitting.flatMap((one) => one.moves.map((move, at) => ({ move, text: one.texts[at] })));
    return h(
      "section",
      { class: "trying", key: "trying", "aria-label": t("replay.trying") },
      h("p", { role: "status" }, h("b", {}, t("replay.fitting", { total })), " ", t("replay.fitting-hint"), " ", h("button", { type: "button", class: "link", on: { click: () => this.setState({ trial: undefined }) } }, t("replay.clear"))),
      h("ul", { class: "near", "data-group": "" }, moves.slice(0, FITTING_AT_ONCE).map(({ move, text }, at) => h("li", { key: `f${at}` }, h("button", { type: "button", class: "button", on: { click: () => void this.playMove(move) } }, sentence(text))))),
    );
  }

  /** @param {boolean} isText */
  present(isText) {
    store.setting("replay.text", isText ? "yes" : "no");
    this.isText = isText;
    this.show();
  }

  seen() {
    const choose = (/** @type {any} */ event) => {
      const { value } = event.target;
      void this.viewAs(value === "all" ? undefined : value === "spectator" ? null : Number(value));
    };
    const chosen = this.seat === undefined ? "all" : this.seat === null ? "spectator" : String(this.seat);
    return h(
      "label",
      { class: "seen-by" },
      h("span", { class: "small" }, t("replay.seen-by")),
      h(
        "select",
        { value: chosen, on: { change: choose } },
        h("option", { value: "all" }, t("replay.seen.all")),
        this.names.map((name, seat) => h("option", { value: seat }, name)),
        h("option", { value: "spectator" }, t("replay.seen.spectator")),
      ),
    );
  }

  /**
   * @param {string} name
   * @param {string} label
   * @param {() => void} act
   */
  control(name, label, act) {
    return h("button", { type: "button", key: name, class: "icon", "aria-label": label, title: label, on: { click: act } }, icon(name));
  }

  /** Everything that the last move did, with its rules; and what can be played now. */
  happening() {
    const played = this.line.course[this.at - 1];
    const isOver = this.at === this.plies && this.line.answer.decision.actor === "none";
    const { choices } = this;
    return h(
      "section",
      { class: "happening", key: "happening", "aria-labelledby": "happening" },
      h("h2", { id: "happening" }, this.at ? t("replay.happened", { number: this.at }) : t("replay.before-first")),
      played ? h("ul", {}, (played.events.length ? played.events : [{ type: "", text: played.text }]).map((event) => h("li", {}, eventText(this.record.game, event)))) : h("p", {}, t("replay.at-start")),
      !this.saved && !isOver && !choices && h("p", { class: "no-print" }, h("button", { type: "button", class: "button small-one", key: "choose", on: { click: () => void this.choose() } }, t("replay.choose"))),
      this.saidBy("choices"),
      choices && [
        h("h3", {}, t("replay.choices", { total: choices.total })),
        h("ul", { class: "near", "data-group": "" }, choices.texts.map((text, at) => h("li", { key: `c${at}` }, h("button", { type: "button", class: "button", on: { click: () => void this.playMove(choices.moves[at]) } }, sentence(text))))),
        choices.next && h("p", {}, h("button", { type: "button", class: "link", on: { click: () => void this.choose(choices.next) } }, t("replay.more"))),
      ],
    );
  }

  moves() {
    const search = (/** @type {Event} */ event) => {
      event.preventDefault();
      this.find(/** @type {any} */ (event.target).elements.wanted.value);
    };
    return h(
      "div",
      { class: "moves", key: "moves" },
      h(
        "div",
        { class: "head" },
        h("h2", { id: "moves" }, t("replay.moves")),
        h("form", { role: "search", on: { submit: search } }, h("input", { name: "wanted", type: "search", enterkeyhint: "go", autocomplete: "off", "aria-label": t("replay.find"), placeholder: t("replay.find") })),
      ),
      this.saidBy("search"),
      h("move-list", { key: "list", role: "region", "aria-label": t("replay.moves") }),
      (matchMedia(WIDE).matches && this.trying()) || (!this.saved && h("p", { class: "small hint", key: "hint" }, t("replay.tap-hint"))),
    );
  }

  score() {
    const { points, scorings, mistakes } = this.line;
    return h(
      "section",
      { class: "curve", key: "points", "aria-labelledby": "points" },
      h("h2", { id: "points" }, t("replay.points")),
      pointsChart({ game: this.record.game, plies: this.plies, points, scorings, mistakes, names: this.names, at: this.at, go: (position) => this.go(position) }),
    );
  }
}

/**
 * The beginning of a record, without its claimed result.
 * @param {Record_} record
 * @param {number} plies
 * @returns {Record_}
 */
function cutOff({ result, totals, ...record }, plies) {
  return { ...record, moves: record.moves.slice(0, plies) };
}

/**
 * How many moves two lines begin with.
 * @param {readonly any[]} moves
 * @param {readonly any[]} others
 */
function commonMoves(moves, others) {
  const first = moves.findIndex((move, at) => move !== others[at]);
  return first < 0 ? moves.length : first;
}

/** Whether single letters are keys of the viewer. */
function usesLetters() {
  return store.setting("replay.letters") !== "no";
}

/**
 * A position in an address, such as 46a1: its number, and what its line is called.
 * @param {string | undefined} where
 */
function placeIn(where) {
  const [, position, label] = /^(\d+)(\w*)$/.exec(where ?? "") ?? [];
  return position === undefined ? undefined : { position: Number(position), label };
}

/** A short digest, to know a game again. @param {string} text */
function digestOf(text) {
  let digest = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) digest = Math.imul(digest ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return digest.toString(36);
}

customElements.define("replay-viewer", ReplayViewer);
