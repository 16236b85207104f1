// The viewer: the service checks a recorded game, this page shows it position by position.

import { download, ruleLink } from "./dialogs.js";
import { isolated } from "./direction.js";
import { focusHeading, h, holdingFocus, holdingScroll, moveInGroup, patch, updateTabStops } from "./dom.js";
import { icon } from "./icons.js";
import { inflated, packedRecord, unpackedRecord } from "./link.js";
import { findingText } from "./parts.js";
import { inWords, outline, proportion } from "./picture.js";
import { STRIDES, mendedMoves, placesOf, pointsOf, scoringsOf, stepFrom, turnsOf } from "./replay/course.js";
import { eventText, pointsChart } from "./replay/chart.js";
import { savedPage, savedPageHere } from "./replay/file.js";
import { summaryOf } from "./replay/list.js";
import { Pictures, decoded } from "./replay/pictures.js";
import { isFailure, judged, namesOf, notationOf, replayed, textOf, valueOrFailure, withNames } from "./replay/source.js";
import { ask, rulesOf, useRules } from "./service.js";
import { header, openMenu, startLink } from "./shell.js";
import * as store from "./store.js";
import { keepLanguage, language, loadWords, number, sentence, t, useWords } from "./words.js";

/** @typedef {import("./replay/course.js").MoveWithTexts} MoveWithTexts */
/** @typedef {import("./replay/course.js").Stride} Stride */
/** @typedef {import("./replay/source.js").Record_} Record_ */
/** @typedef {import("./replay/source.js").Failure} Failure */
/** @typedef {import("./service.js").Rule} Rule */

/**
 * A sequence of moves that can be stepped through: the record, the record without its slips, or a variation.
 * @typedef {object} Line
 * @property {"record" | "mended" | "variation"} kind
 * @property {number} branch the position up to which it equals the record
 * @property {Record_} record its moves as far as they are legal
 * @property {any} answer of `replays`
 * @property {readonly MoveWithTexts[]} course as the chosen viewer may know it
 * @property {readonly import("./replay/course.js").Turn[]} turns
 * @property {number[][]} points
 * @property {readonly import("./replay/course.js").Scoring[]} scorings
 * @property {readonly number[]} mistakes
 * @property {Map<number, any>} mended
 */

const CLAIMED = ["line", "total", "place", "winners"];
const EXAMPLE = "replay/example.json";
const BUSY_AFTER = 400;
const MOVES_AT_ONCE = 60;
/** The wide picture is drawn for 1200 pixels: much smaller, it is illegible. */
const WIDE = "(min-width: 80em)";
const MOST_DECODED = 512 * 1024 * 1024;

class ReplayViewer extends HTMLElement {
  files = "";
  /** @type {string[]} */
  games = [];
  /** @type {import("./replay/file.js").SavedPage | undefined} on a saved page, which has no service */
  saved;
  /** @type {Failure | undefined} why a record cannot be shown */
  failure;
  typed = "";
  busy = false;
  /** @type {string | undefined} what was just done, or why it cannot be */
  news;
  /** @type {import("./sealed.js").Opened | undefined} the record of a sealed table, opened after its end */
  opened;
  /** @type {import("./replay/fair.js").Fairness | undefined} */
  fair;
  /** @type {Record_} as given: without names if it has none */
  record = /** @type {any} */ (undefined);
  notation = "";
  /** @type {string | undefined} the record, packed for a fragment */
  link;
  /** @type {Line} */
  main = /** @type {any} */ (undefined);
  /** @type {Line} the line that is shown */
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
  /** @type {Pictures} */
  pictures = /** @type {any} */ (undefined);
  /** Milliseconds from one step to the next while it plays by itself. */
  pause = 1200;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  playing;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  addressTimer;
  /** @type {{position: number, moves: any[], texts: string[], total: number, next?: string} | undefined} */
  choices;

  async connectedCallback() {
    this.saved = savedPageHere();
    if (!this.saved && keepLanguage(store.setting)) return;
    this.files = this.getAttribute("files") ?? "";
    this.games = (this.getAttribute("games") ?? "").split(" ");
    this.addEventListener("keydown", moveInGroup);
    matchMedia(WIDE).addEventListener("change", () => this.line && this.draw(true));
    addEventListener("hashchange", () => void this.route());
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => {
      event.preventDefault();
      if (!this.saved) void this.openDropped(event.dataTransfer);
    });
    if (this.saved) return this.showSaved(this.saved);
    await loadWords(this.files, "replay");
    await this.route();
  }

  // --- opening a game ------------------------------------------------------------------------------------------------

  /** Opens what the address names: a record at a position, or nothing yet. */
  async route() {
    const [packed, position] = location.hash.slice(1).split(".");
    if (!packed) {
      if (!this.line) this.show();
      else if (position) this.go(Number(position));
      return;
    }
    if (packed === this.link) return void (this.line === this.main && this.go(Number(position)));
    try {
      await this.open(await unpackedRecord(packed), position === undefined ? undefined : Number(position));
    } catch {
      this.failure = { why: t("replay.bad-link"), details: [] };
      this.show();
    }
  }

  /** @param {import("./replay/file.js").SavedPage} saved */
  async showSaved(saved) {
    useWords(saved.words);
    useRules(saved.record.game, saved.rules);
    this.notation = saved.notation;
    const pictures = decoded(JSON.parse(await inflated(saved.pictures, MOST_DECODED)));
    this.begin(saved.record, saved.answer);
    for (const [ply, svg] of pictures.entries()) if (svg) this.pictures.known.set(ply, svg);
    this.show();
  }

  /** @param {DataTransfer | null} data */
  async openDropped(data) {
    const file = data?.files[0];
    if (file) await this.openFile(file);
    else if (data?.getData("text")) await this.open(data.getData("text"));
  }

  /** An example, for whoever has no record at hand. */
  async openExample() {
    const example = await fetch(`${this.files}/${EXAMPLE}`).then((response) => (response.ok ? response.text() : undefined), () => undefined);
    if (example) return this.open(example);
    this.failure = { why: t("replay.unreached"), details: [] };
    this.show();
  }

  /** @param {Blob} file */
  async openFile(file) {
    try {
      await this.open(await textOf(file));
    } catch {
      this.failure = { why: t("replay.no-text"), details: [] };
      this.show();
    }
  }

  /**
   * @param {string} text
   * @param {number} [position] by default that of the mistake, if there is one
   */
  async open(text, position) {
    const document = documentIn(text);
    if (this.opened && document?.creation && document.commitment) return this.checkChance(document);
    this.typed = text;
    const found = await this.waitFor(judged(text, this.games));
    if (isFailure(found)) {
      this.failure = found;
      this.show();
      this.querySelector("[role=alert]")?.scrollIntoView({ block: "nearest" });
      return;
    }
    performance.mark("replay.answered");
    this.failure = undefined;
    this.opened = document?.root && document.seed && Array.isArray(document.shares) ? document : undefined;
    this.fair = undefined;
    this.begin(found.record, found.answer, position);
    if (this.opened) void this.checkChance();
    performance.measure("replay.shown", "replay.answered");
    const notation = await notationOf(found.record);
    if (isFailure(notation) || this.record !== found.record) return;
    this.notation = notation;
    this.link = await packedRecord(notation);
    this.updateAddress();
  }

  /** Checks what was opened after the end of a sealed table. @param {import("./sealed.js").Sealed} [table] */
  async checkChance(table) {
    const { opened } = this;
    const [{ fairness }] = await Promise.all([import("./replay/fair.js"), loadWords(this.files, "replay", "distance")]);
    const fair = opened && (await this.waitFor(fairness(opened, table)));
    if (opened === this.opened) this.setState({ fair });
  }

  /**
   * @param {Record_} record
   * @param {any} answer
   * @param {number} [position] by default that of the mistake, if there is one
   */
  begin(record, answer, position) {
    this.record = record;
    this.notation = this.saved?.notation ?? "";
    this.link = undefined;
    this.names = namesOf(record).map(isolated);
    this.main = lineOf("record", withNames(record), answer, 0);
    this.seat = undefined;
    this.goToLine(this.main, position ?? this.main.mistakes[0] ?? 0);
    void rulesOf(record.game).then((rules) => {
      this.rules = rules;
      this.update();
    });
  }

  /**
   * Shows a line of the game.
   * @param {Line} line
   * @param {number} position
   */
  goToLine(line, position) {
    this.line = line;
    this.choices = undefined;
    this.news = undefined;
    this.stop();
    this.at = Math.min(Math.max(0, position || 0), line.record.moves.length);
    this.draw();
  }

  /**
   * Requests the pictures of the line, layout and viewer that are shown now.
   * @param {boolean} [isSame] whether only their layout changes: until the new picture is there, the old one is as good
   */
  draw(isSame = false) {
    const before = this.pictures?.known.get(this.at);
    this.pictures = new Pictures(this.line.record, matchMedia(WIDE).matches ? "wide" : "narrow", this.seat, () => this.update());
    if ((isSame || (this.saved && this.line === this.main)) && before) this.pictures.known.set(this.at, before);
    this.show();
  }

  /**
   * @template Answer
   * @param {Promise<Answer>} answer
   * @returns {Promise<Answer>}
   */
  async waitFor(answer) {
    const slow = setTimeout(() => this.setState({ busy: true }), BUSY_AFTER);
    const found = await answer;
    clearTimeout(slow);
    this.busy = false;
    return found;
  }

  /** @param {Partial<ReplayViewer>} what */
  setState(what) {
    Object.assign(this, what);
    this.update();
  }

  // --- stepping ------------------------------------------------------------------------------------------------------

  get plies() {
    return this.line.record.moves.length;
  }

  /** @param {number} position */
  go(position) {
    const next = Math.min(Math.max(0, position || 0), this.plies);
    this.news = undefined;
    if (next !== this.at) this.choices = undefined;
    this.at = next;
    this.updateAddress();
    this.update();
  }

  /**
   * @param {1 | -1} way
   * @param {Stride} [stride]
   */
  step(way, stride = this.stride) {
    const to = stepFrom(this.at, way, placesOf(stride, { plies: this.plies, ...this.line }));
    if (to !== undefined) return this.go(to);
    this.setState({ news: t(way > 0 ? `replay.none-on.${stride}` : `replay.none-back.${stride}`) });
  }

  play() {
    if (this.playing) return this.stop(true);
    if (stepFrom(this.at, 1, placesOf(this.stride, { plies: this.plies, ...this.line })) === undefined) this.go(0);
    const next = () => {
      this.step(1);
      const more = stepFrom(this.at, 1, placesOf(this.stride, { plies: this.plies, ...this.line })) !== undefined;
      this.playing = more ? setTimeout(next, this.pause) : undefined;
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

  /** Puts the position into the address, at most every 400 ms: browsers throttle pages that change it more often. */
  updateAddress() {
    if (this.addressTimer !== undefined || !this.link || this.line !== this.main || location.href === this.linkHere()) return;
    history.replaceState(null, "", this.linkHere());
    this.addressTimer = setTimeout(() => {
      this.addressTimer = undefined;
      this.updateAddress();
    }, 400);
  }

  linkHere() {
    const address = new URL(location.href);
    address.hash = `${this.link}.${this.at}`;
    return address.href;
  }

  /** The keys of the viewer, while it has the focus. @param {KeyboardEvent} event */
  pressed(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.altKey || event.ctrlKey || event.metaKey || target.closest("input, select, dialog, [data-group]")) return;
    const act = {
      ArrowRight: () => this.step(1, "move"),
      ArrowLeft: () => this.step(-1, "move"),
      PageDown: () => this.step(1, "turn"),
      PageUp: () => this.step(-1, "turn"),
      Home: () => this.go(0),
      End: () => this.go(this.plies),
      " ": target.closest("button, a, summary") ? undefined : () => this.play(),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  // --- other lines and other views -----------------------------------------------------------------------------------

  /** Shows the record with its slips left out or corrected. @param {"skip" | "correct"} repair */
  async mend(repair) {
    const { line } = this;
    const given = withNames(this.record);
    const first = await this.waitFor(replayed(given, repair));
    if (this.line !== line) return;
    if (isFailure(first)) return this.setState({ news: first.why });
    const { moves, mended } = mendedMoves(given.moves, first.lenient);
    const record = { ...given, moves };
    const answer = await this.waitFor(replayed(record));
    if (this.line !== line) return;
    if (isFailure(answer)) return this.setState({ news: answer.why });
    this.seat = undefined;
    this.goToLine({ ...lineOf("mended", record, answer, this.main.record.moves.length), mended, mistakes: [...mended.keys()] }, this.main.record.moves.length);
    this.setState({ news: t("replay.mended", { slips: mended.size }) });
  }

  /** Lists what can be played at this position. @param {string} [cursor] to continue a long list */
  async choose(cursor) {
    const position = this.at;
    const cut = cutOff(this.line.record, position);
    const state = position === this.plies ? this.line.answer.state : undefined;
    const reached = state ? { state } : await this.waitFor(ask(`/v1/games/${cut.game}/replays`, { record: cut }).then(valueOrFailure));
    const reply = isFailure(reached) ? reached : valueOrFailure(await this.waitFor(ask(`/v1/games/${cut.game}/legal-moves`, { state: reached.state, texts: true, limit: MOVES_AT_ONCE, ...(cursor ? { cursor } : {}) })));
    if (position !== this.at) return;
    if (isFailure(reply)) return this.setState({ news: reply.why });
    const before = cursor ? this.choices : undefined;
    this.setState({ choices: { position, moves: [...(before?.moves ?? []), ...reply.moves], texts: [...(before?.texts ?? []), ...(reply.texts ?? [])], total: reply.total, next: reply.next_cursor } });
  }

  /** Plays another move than the recorded one. @param {any} move */
  async playVariation(move) {
    const { line } = this;
    const branch = this.line.kind === "record" ? this.at : Math.min(this.line.branch, this.at);
    const record = { ...cutOff(this.line.record, this.at), moves: [...this.line.record.moves.slice(0, this.at), move] };
    const answer = await this.waitFor(replayed(record));
    if (this.line !== line) return;
    if (isFailure(answer)) return this.setState({ news: answer.why });
    if (!answer.legal) return this.setState({ news: findingText(answer.first_divergence.refusal, this.names) });
    this.seat = undefined;
    this.goToLine(lineOf("variation", record, answer, branch), record.moves.length);
    if (answer.decision.actor !== "none") await this.choose();
  }

  back() {
    this.goToLine(this.main, Math.min(this.line.branch, this.main.record.moves.length));
  }

  /** @param {number | null | undefined} seat */
  async viewAs(seat) {
    const { line } = this;
    if (seat === undefined) {
      this.seat = seat;
      this.line = { ...line, course: line.answer.course };
      return this.draw();
    }
    const reply = valueOrFailure(await this.waitFor(ask(`/v1/games/${line.record.game}/views`, { record: line.record, seat, texts: true })));
    if (this.line !== line) return;
    if (isFailure(reply)) return this.setState({ news: reply.why });
    this.seat = seat;
    this.line = { ...line, course: reply.course };
    if (line === this.main) this.main = this.line;
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
    const record = this.main.record;
    try {
      const pictures = await new Pictures(record, "wide", undefined, () => {}).all((known, of) => this.setState({ news: t("replay.drawing", { known, of }) }));
      const { record: given, notation, title } = this;
      download(`${this.fileName}.html`, "text/html", await savedPage(this.files, { record: given, notation, answer: this.main.answer, pictures, title }));
      this.setState({ news: t("replay.saved") });
    } catch {
      this.setState({ news: t("replay.unreached") });
    }
  }

  openMenu() {
    const json = () => download(`${this.fileName}.json`, "application/json", `${JSON.stringify(this.record, null, 1)}\n`);
    const notation = () => download(`${this.fileName}.capo`, "text/plain", this.notation);
    const other = () => {
      this.stop();
      this.line = this.main = /** @type {any} */ (undefined);
      this.link = undefined;
      history.replaceState(null, "", `${location.pathname}${location.search}`);
      this.show();
    };
    openMenu(
      [
        this.line && !this.saved && { text: t("replay.other"), act: other },
        this.line && !this.saved && { text: t("replay.link"), act: () => void this.copyLink() },
        !!this.notation && { text: t("replay.save-notation"), act: notation },
        this.line && { text: t("replay.save-json"), act: json },
        this.line && !this.saved && { text: t("replay.save-html"), act: () => void this.saveFile() },
      ],
    );
  }

  // --- views ---------------------------------------------------------------------------------------------------------

  /** Shows what changed by itself, without moving anything under a finger. */
  update() {
    holdingScroll(this, () => this.show());
  }

  /** @type {"game" | "opening" | undefined} */
  view;

  show() {
    const { view } = this;
    this.view = this.line ? "game" : "opening";
    holdingFocus(this, () => {
      patch(this, this.line ? this.game() : this.opening());
      updateTabStops(this);
    });
    if (view && view !== this.view) focusHeading(this.querySelector("h1"));
    if (!this.line) return;
    const list = /** @type {import("./replay/list.js").MoveList} */ (this.querySelector("move-list"));
    const { course, turns, mended, answer } = this.line;
    list.go = (position) => {
      this.go(position);
    };
    list.linkTo = (position) => (this.link && this.line === this.main ? `#${this.link}.${position}` : undefined);
    if (this.shownCourse !== course || !list.firstChild) {
      this.shownCourse = course;
      list.show({ course, turns, mended, names: this.names, slip: this.line.kind === "record" && answer.first_divergence ? { text: answer.first_divergence.text } : undefined });
    }
    list.mark(this.at);
    const svg = this.picture();
    const frame = /** @type {import("./picture.js").GamePicture | null} */ (this.querySelector("game-picture"));
    if (svg && frame) frame.show(svg);
  }
  /** @type {readonly MoveWithTexts[] | undefined} */
  shownCourse;

  /** The picture of the position, if it is known yet. */
  picture() {
    return this.saved && this.pictures.record === this.main.record ? this.pictures.known.get(this.at) : this.pictures.at(this.at);
  }

  /** Where a game is opened. */
  opening() {
    const check = (/** @type {Event} */ event) => {
      event.preventDefault();
      void this.open(this.typed);
    };
    const choose = (/** @type {Event} */ event) => {
      const input = /** @type {HTMLInputElement} */ (event.target);
      if (input.files?.[0]) void this.openFile(input.files[0]);
      input.value = "";
    };
    return [
      header({ back: startLink(), title: "capomastro", isHeading: false, menu: () => this.openMenu() }),
      h(
        "main",
        { class: "wrap opening", key: "opening" },
        h("h1", {}, t("replay.check")),
        h("p", { class: "lead" }, t("replay.lead")),
        this.failure && h("div", { class: "finding", role: "alert" }, h("p", {}, h("strong", {}, this.failure.why)), this.failure.details.length > 0 && h("ul", {}, this.failure.details.map((one) => h("li", {}, one)))),
        h(
          "form",
          { on: { submit: check } },
          h("label", { class: "label", for: "typed" }, t("replay.paste")),
          h("textarea", { id: "typed", rows: 9, spellcheck: "false", autocomplete: "off", placeholder: "game: palazzo\nplayers: 3\n\ndraw-tile brick-1-1\n…", value: this.typed, on: { input: (/** @type {any} */ event) => (this.typed = event.target.value) } }),
          h(
            "p",
            { class: "go" },
            h("button", { type: "submit", class: "button main" }, t("replay.go")),
            h("label", { class: "button file" }, t("replay.file"), h("input", { type: "file", accept: ".json,.capo,.gz,application/json,text/plain,application/gzip", on: { change: choose } })),
            h("button", { type: "button", class: "link", on: { click: () => void this.openExample() } }, t("replay.example")),
          ),
          h("p", { class: "small", role: "status" }, this.busy ? t("checking") : ""),
          h("p", { class: "small drop" }, t("replay.drop")),
        ),
      ),
    ];
  }

  /** The game that is shown. */
  game() {
    const share = !this.saved && h("button", { type: "button", key: "share", class: "icon", "aria-label": t("replay.link"), on: { click: () => void this.copyLink() } }, icon("share"));
    return [
      header({ back: startLink(), title: this.title, tools: share, menu: () => this.openMenu() }),
      h(
        "main",
        { class: "wrap replay", key: "replay" },
        this.banner(),
        this.fair && h("div", { class: this.fair.isFair ? "verdict" : "verdict wrong", key: "fair", role: "status" }, icon(this.fair.isFair ? "check" : "warn"), h("p", {}, h("b", {}, t(this.fair.isFair ? "replay.chance" : "replay.chance-wrong")), this.fair.text)),
        h("div", { class: "halves" }, h("div", { class: "viewing" }, this.viewer(), this.slip(), this.claims(), this.happening()), h("div", { class: "side" }, this.moves(), this.score())),
      ),
    ];
  }

  banner() {
    const { answer, kind } = this.line;
    if (kind === "variation" || kind === "mended")
      return h(
        "div",
        { class: "verdict aside-line", key: "line", role: "status" },
        h("p", {}, h("b", {}, t(`replay.${kind}-line`)), kind === "variation" ? t("replay.variation-text", { number: this.line.branch }) : t("replay.mended", { slips: this.line.mended.size })),
        h("button", { type: "button", class: "button small-one", on: { click: () => this.back() } }, t("replay.back-to-record")),
      );
    const wrong = !["legal", "unfinished"].includes(answer.verdict);
    const place = answer.plies + 1;
    return h(
      "div",
      { class: wrong ? "verdict wrong" : "verdict", key: "verdict", role: "status" },
      h("svg", { viewBox: "0 0 14 30", "aria-hidden": "true" }, h("path", { d: "M7 0v16", stroke: "currentColor", "stroke-width": 1.6 }), h("path", { d: "M2.5 15h9v4L7 30 2.5 19z", fill: "currentColor" })),
      h(
        "p",
        {},
        h("b", {}, t(`replay.verdict.${answer.verdict}`, { number: place })),
        t(`replay.verdict-text.${answer.verdict}`, { plies: answer.plies, claimed: answer.claimed_result_matches ? t("replay.claim-right") : "" }),
        " ",
        wrong && h("a", { class: "no-print", href: "#slip", on: { click: (/** @type {Event} */ event) => (event.preventDefault(), this.toSlip()) } }, t("replay.show-it")),
      ),
    );
  }

  toSlip() {
    this.go(this.plies);
    const slip = /** @type {HTMLElement | null} */ (this.querySelector(".slip-card"));
    slip?.scrollIntoView({ block: "start" });
    slip?.focus({ preventScroll: true });
  }

  /** The number of the move that has just been made; people count them from 1. */
  get place() {
    return this.at ? t("replay.move-of", { number: this.at, plies: this.plies }) : sentence(t("replay.before-first"));
  }

  viewer() {
    const played = this.line.course[this.at - 1];
    const now = played ? summaryOf(played, 3) : t("replay.at-start");
    const svg = this.picture();
    const highest = this.pictures.layout === "wide" ? Math.max(...[...this.pictures.known.values()].map(proportion), 0) : 0;
    return h(
      "section",
      { class: "viewer", tabindex: 0, "aria-label": t("replay.viewer"), "aria-keyshortcuts": "ArrowLeft ArrowRight PageUp PageDown Home End Space", on: { keydown: (/** @type {KeyboardEvent} */ event) => this.pressed(event) } },
      this.isText || this.pictures.missing
        ? h("div", { class: "frame in-words", key: "words", tabindex: 0, role: "region", "aria-label": t("replay.text") }, svg ? outline(inWords(svg)) : h("p", { class: "small" }, this.pictures.missing ? t("replay.no-picture") : t("replay.waiting")))
        : h("div", { class: "frame", key: "picture", style: highest ? { "aspect-ratio": `1 / ${highest.toFixed(4)}` } : {}, "aria-busy": !svg }, h("game-picture", {})),
      h(
        "div",
        { class: "steer", key: "steer" },
        h("p", { class: "now", "aria-live": this.playing ? "off" : "polite" }, h("b", {}, this.place), " ", this.busy ? t("checking") : (this.news ?? now)),
        h("input", { type: "range", "aria-label": t("replay.position"), min: 0, max: this.plies, step: 1, value: String(this.at), "aria-valuetext": `${this.place} ${now}`, on: { input: (/** @type {any} */ event) => this.go(Number(event.target.value)) } }),
        h(
          "div",
          { class: "buttons", role: "group", "aria-label": t("replay.steps") },
          this.control("first", t("replay.first"), () => this.go(0)),
          this.control("previous", t(`replay.back.${this.stride}`), () => this.step(-1)),
          this.playing ? this.control("pause", t("replay.pause"), () => this.stop(true)) : this.control("play", t("replay.play"), () => this.play()),
          this.control("next", t(`replay.on.${this.stride}`), () => this.step(1)),
          this.control("last", t("replay.last"), () => this.go(this.plies)),
        ),
      ),
      h(
        "div",
        { class: "choices", key: "choices" },
        h("span", { class: "small", id: "by" }, t("replay.by")),
        h("div", { class: "either by", role: "group", "aria-labelledby": "by" }, STRIDES.map((one) => h("button", { type: "button", key: one, "aria-pressed": one === this.stride, on: { click: () => this.setState({ stride: one }) } }, t(`replay.stride.${one}`)))),
        h(
          "div",
          { class: "either", role: "group", "aria-label": t("replay.shown-as") },
          [false, true].map((isText) => h("button", { type: "button", key: String(isText), "aria-pressed": isText === this.isText, on: { click: () => this.present(isText) } }, t(isText ? "replay.text" : "replay.picture"))),
        ),
        !this.saved && this.seen(),
      ),
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
        { on: { change: choose } },
        h("option", { value: "all", selected: chosen === "all" }, t("replay.seen.all")),
        this.names.map((name, seat) => h("option", { value: seat, selected: chosen === String(seat) }, name)),
        h("option", { value: "spectator", selected: chosen === "spectator" }, t("replay.seen.spectator")),
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

  /** The first slip: the move, the rule, the legal moves nearest to it, and repairs. */
  slip() {
    const slip = this.line.kind === "record" ? this.line.answer.first_divergence : undefined;
    if (!slip) return null;
    const rule = this.rules.get(slip.refusal.rule);
    return h(
      "section",
      { class: "slip-card", key: "slip", id: "slip", tabindex: -1, "aria-labelledby": "slip-title" },
      h("h2", { id: "slip-title" }, icon("warn"), h("span", {}, t(`replay.slip.${slip.departure}`, { number: slip.index + 1 }))),
      h(
        "div",
        { class: "in" },
        h("p", {}, sentence(slip.text ?? "")),
        h("p", {}, h("strong", {}, findingText(slip.refusal, this.names))),
        h(
          "dl",
          {},
          h("dt", {}, t("rule")),
          h("dd", {}, ruleLink(this.record.game, slip.refusal.rule, rule?.wording ?? slip.refusal.rule)),
          rule && [h("dt", {}, t("replay.source")), h("dd", {}, h("span", { class: "tag" }, t(`mark.${rule.mark}`)), ` ${rule.source}`)],
        ),
        slip.nearest.length > 0 && [
          h("h3", {}, t("replay.nearest")),
          h(
            "div",
            { class: "near" },
            slip.nearest.map((/** @type {any} */ near, /** @type {number} */ at) => this.saved ? h("p", {}, sentence(slip.nearest_texts[at])) : h("button", { type: "button", key: `n${at}`, class: "button", on: { click: () => this.tryAt(slip.index, near.move) } }, h("span", {}, sentence(slip.nearest_texts[at])), h("span", { class: "small no-print" }, t("replay.try")))),
          ),
        ],
        !this.saved && [
          h("h3", { class: "no-print" }, t("replay.repair")),
          h(
            "p",
            { class: "repairs no-print" },
            h("button", { type: "button", class: "button small-one", on: { click: () => void this.mend("correct") } }, t("replay.correct")),
            h("button", { type: "button", class: "button small-one", on: { click: () => void this.mend("skip") } }, t("replay.skip")),
          ),
        ],
      ),
    );
  }

  /**
   * @param {number} position
   * @param {any} move
   */
  tryAt(position, move) {
    this.go(position);
    void this.playVariation(move);
  }

  /** What is wrong in the claimed result. */
  claims() {
    const { answer, kind } = this.line;
    const wrong = kind === "record" && answer.verdict === "wrong-result" ? (answer.claimed_result_lines ?? []).filter((/** @type {any} */ one) => !one.matches) : [];
    if (!wrong.length) return null;
    return h(
      "section",
      { class: "slip-card", key: "claims", id: "slip", tabindex: -1, "aria-labelledby": "slip-title" },
      h("h2", { id: "slip-title" }, icon("warn"), h("span", {}, t("replay.claims"))),
      h(
        "div",
        { class: "in" },
        h(
          "ul",
          {},
          wrong.map((/** @type {any} */ one) => h("li", {}, t("replay.claim", { name: this.names[one.seat] ?? t("players"), what: t(`replay.what.${CLAIMED.includes(one.what) ? one.what : "other"}`), claimed: figure(one.claimed), computed: figure(one.computed) }), (one.computed?.rule ?? one.claimed?.rule) && [" ", ruleLink(this.record.game, one.computed?.rule ?? one.claimed.rule, t("rule"))])),
        ),
      ),
    );
  }

  /** Everything that the last move did, with its rules; and what can be played now. */
  happening() {
    const played = this.line.course[this.at - 1];
    const isOver = this.at === this.plies && this.line.answer.decision.actor === "none";
    const choices = this.choices?.position === this.at ? this.choices : undefined;
    return h(
      "section",
      { class: "happening", key: "happening", "aria-labelledby": "happening" },
      h("h2", { id: "happening" }, this.at ? t("replay.happened", { number: this.at }) : t("replay.before-first")),
      played ? h("ul", {}, (played.events.length ? played.events : [{ type: "", text: played.text }]).map((event) => h("li", {}, eventText(this.record.game, event)))) : h("p", {}, t("replay.at-start")),
      !this.saved && !isOver && !choices && h("p", { class: "no-print" }, h("button", { type: "button", class: "button small-one", key: "choose", on: { click: () => void this.choose() } }, t("replay.choose"))),
      !this.saved && this.link && this.line === this.main && h("p", { class: "no-print" }, h("a", { class: "button small-one", key: "play-on", href: `/play/${this.record.game}?lang=${language}#${this.link}.${this.at}` }, t("replay.play-on"))),
      choices && [
        h("h3", {}, t("replay.choices", { total: choices.total })),
        h("ul", { class: "near", "data-group": "" }, choices.texts.map((text, at) => h("li", { key: `c${at}` }, h("button", { type: "button", class: "button", on: { click: () => void this.playVariation(choices.moves[at]) } }, sentence(text))))),
        choices.next && h("p", {}, h("button", { type: "button", class: "link", on: { click: () => void this.choose(choices.next) } }, t("replay.more"))),
      ],
    );
  }

  moves() {
    return [h("h2", { key: "moves" }, t("replay.moves")), h("move-list", { key: "list", role: "region", "aria-label": t("replay.moves") })];
  }

  score() {
    const { points, scorings, mistakes } = this.line;
    return [
      h("h2", { key: "points" }, t("replay.points")),
      h("div", { key: "chart" }, pointsChart({ game: this.record.game, plies: this.plies, points, scorings, mistakes, names: this.names, at: this.at, go: (position) => this.go(position) })),
    ];
  }
}

/**
 * @param {Line["kind"]} kind
 * @param {Record_} record
 * @param {any} answer
 * @param {number} branch
 * @returns {Line}
 */
function lineOf(kind, record, answer, branch) {
  const course = answer.course;
  const wrong = answer.first_divergence || answer.verdict === "wrong-result";
  return {
    kind,
    branch,
    record: cutOff(record, answer.plies),
    answer,
    course,
    turns: turnsOf(course),
    points: pointsOf(course, record.players),
    scorings: scoringsOf(course),
    mistakes: wrong ? [answer.plies] : [],
    mended: new Map(),
  };
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

/** A figure of a claimed result, be it a number, a line, or nothing. @param {any} value */
function figure(value) {
  const points = typeof value === "object" && value !== null ? value.points : value;
  return typeof points === "number" ? number(points) : t("replay.nothing");
}

/** A document, if the text is one. @param {string} text */
function documentIn(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

customElements.define("replay-viewer", ReplayViewer);
