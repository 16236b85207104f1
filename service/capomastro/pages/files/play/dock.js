// The dock: a tray with what is the player's own or on offer, and below it what can be done. It asks the service what fits
// what is chosen and whether it is a move; which widgets there are follows from the kinds of moves.

import { ruleLink } from "../dialogs.js";
import { betweenTaps, h } from "../dom.js";
import { icon } from "../icons.js";
import { capitalized, has, number, sentence, t, tokenName } from "../words.js";
import { asked, canFollow, completed, exactMove, isFilled, isJoined, meanings, menuOf, optionsIn, parameterOf, partialOf, pilesOf, readyMove, widgetOf, withPick } from "./choosing.js";

/** @typedef {import("../dom.js").Content} Content */
/** @typedef {import("./choosing.js").Kind} Kind */
/** @typedef {import("./choosing.js").Move} Move */
/** @typedef {import("./choosing.js").Options} Options */
/** @typedef {import("./choosing.js").Parameter} Parameter */
/** @typedef {import("./choosing.js").Pick} Pick */
/** @typedef {import("./board.js").DrawnSpot} DrawnSpot */
/** @typedef {import("./table.js").Verdict} Verdict */
/** @typedef {{text: string, rule?: string}} Reason why something cannot be */
/**
 * What the dock uses of the page.
 * @typedef {object} Host
 * @property {string} game
 * @property {import("./board.js").GameBoard | null} board
 * @property {number} working
 * @property {boolean} isQuick whether a tap plays that completes the only move left
 * @property {(resource: string, about: {[member: string]: unknown}) => Promise<any>} consult
 * @property {(move: Move) => Promise<void>} play
 * @property {(move: Move) => Promise<import("./table.js").Foreseen | undefined>} foresee
 * @property {() => void} show
 */

/** So many moves are listed to know which places and values go together. */
const MOST_LISTED = 1000;
const NOTHING = { total: 0, open: {}, moves: [], isWhole: true };

export class Dock {
  seat = 0;
  /** @type {readonly Kind[]} */
  kinds = [];
  /** All legal moves, if they are few: then what fits is known without asking. @type {readonly Move[] | undefined} */
  listed;
  /** @type {ReturnType<typeof menuOf>} */
  menu = { ways: [], verbs: [] };
  /** The kind of move that is being chosen. @type {Kind | undefined} */
  kind;
  /** The verbs of a group that is open. @type {import("./choosing.js").Verb | undefined} */
  group;
  /** @type {Pick[]} */
  picks = [];
  /** What can follow what is chosen. @type {Options} */
  options = NOTHING;
  /** What could follow when nothing was chosen yet. @type {Options} */
  base = NOTHING;
  /** The same of the kind that leads, while another one is chosen in the picture. @type {Options} */
  #led = NOTHING;
  /** @type {Verdict | undefined} */
  verdict;
  /** The move that would be played. @type {Move | undefined} */
  ready;
  /** What the move that is ready would make of the table. @type {import("./table.js").Foreseen | undefined} */
  foreseen;
  /** @type {Reason | undefined} */
  reason;
  /** Cards in the order of when the decision began. @type {DrawnSpot[][]} */
  piles = [];
  /** How many answers are awaited. */
  isBusy = 0;
  /** Increases with every change, so that late answers are dropped. */
  #latest = 0;
  /** Taps are taken one after the other, however long answers take. */
  #taps = Promise.resolve();

  /** @param {Host} host */
  constructor(host) {
    this.host = host;
  }

  /** The kind of move that a verb has opened, in words. */
  get chosenKind() {
    return this.kind && this.menu.verbs.length ? this.kind.text : undefined;
  }

  // --- choosing ------------------------------------------------------------------------------------------------------

  /**
   * Begins a decision.
   * @param {number} seat whose it is
   * @param {readonly Kind[]} kinds
   * @param {readonly Move[] | undefined} listed
   */
  async begin(seat, kinds, listed) {
    this.seat = seat;
    this.kinds = kinds;
    this.listed = listed;
    this.menu = menuOf(kinds);
    this.group = undefined;
    await this.open(this.menu.leading);
  }

  /** Ends it: nothing is asked, and no answer that never comes holds up later taps. */
  end() {
    this.#latest++;
    this.#taps = Promise.resolve();
    this.kinds = [];
    this.menu = { ways: [], verbs: [] };
    this.#reset(undefined);
  }

  /** @param {Kind | undefined} kind */
  #reset(kind) {
    Object.assign(this, { kind, picks: [], options: NOTHING, base: NOTHING, verdict: undefined, ready: undefined, foreseen: undefined, reason: undefined, piles: [] });
  }

  /** Opens a kind of move, or goes back to the verbs. @param {Kind | undefined} kind */
  async open(kind) {
    this.#latest++;
    this.#reset(kind);
    if (!kind) return;
    if (!this.listed) {
      this.piles = pilesOf(this.#cards(), () => true);
      this.host.show();
    }
    await this.consider([]);
    if (this.kind !== kind) return;
    this.base = this.options;
    const told = this.#toldPicks(kind);
    if (told.length) await this.consider(told);
    if (this.kind !== kind) return;
    const fits = (/** @type {DrawnSpot} */ spot) => meanings(kind, spot).some((pick) => canFollow(kind, this.base, pick));
    this.piles = pilesOf(this.#cards(), fits);
  }

  /** Opens a kind of move by its verb, or goes back to the verbs, and brings into sight what it is about. @param {Kind | undefined} kind */
  async #enter(kind) {
    await this.open(kind);
    if (this.kind !== kind) return;
    this.host.show();
    this.host.board?.frame(true);
  }

  /** Picks of the values that have no alternative. @param {Kind} kind */
  #toldPicks(kind) {
    const spots = this.host.board?.spots ?? [];
    return asked(kind).flatMap(({ member, is_set }) => {
      const values = Object.keys(this.base.open[member] ?? {});
      if (is_set || values.length !== 1) return [];
      return spots.flatMap((spot) => meanings(kind, spot)).filter((pick) => pick.member === member && pick.value === values[0] && canFollow(kind, this.base, pick)).slice(0, 1);
    });
  }

  /**
   * Has what is chosen counted and judged.
   * @param {Pick[]} picks
   */
  async consider(picks) {
    const kind = /** @type {Kind} */ (this.kind);
    const latest = ++this.#latest;
    Object.assign(this, { picks, reason: undefined, ready: undefined, foreseen: undefined });
    if (picks.length) this.host.show();
    const exact = exactMove(kind, picks, this.seat);
    const [options, verdict] = await Promise.all([this.#optionsFor(kind, picks), exact && this.#verdictOn(exact)]);
    if (latest !== this.#latest) return;
    const ready = readyMove(kind, picks, options, exact, verdict?.legal ?? false);
    const judged = ready && ready !== exact ? await this.#verdictOn(ready) : verdict;
    if (latest !== this.#latest) return;
    Object.assign(this, { options, verdict: judged, ready, reason: undefined, picks: ready ? completed(kind, picks, ready, this.host.board?.spots ?? []) : picks });
    if (ready && !judged?.amounts?.length) void this.#foresee(ready);
  }

  /** Shows what a move would make of the table, once that is known; where figures tell it, they are enough. @param {Move} move */
  async #foresee(move) {
    const latest = this.#latest;
    const foreseen = await this.host.foresee(move).catch(() => undefined);
    betweenTaps(() => {
      if (latest !== this.#latest || !foreseen) return;
      this.foreseen = foreseen;
      this.host.show();
    });
  }

  /** @param {string} resource @param {{[member: string]: unknown}} about */
  async #ask(resource, about) {
    this.isBusy++;
    try {
      return await this.host.consult(resource, about);
    } finally {
      this.isBusy--;
    }
  }

  /** @param {Kind} kind @param {readonly Pick[]} picks @returns {Promise<Options>} */
  async #optionsFor(kind, picks) {
    if (this.listed) return optionsIn(kind, this.listed, partialOf(kind, picks));
    const answer = await this.#ask("legal-moves", { containing: partialOf(kind, picks), limit: isJoined(kind) ? MOST_LISTED : 1 });
    return { total: answer.total, open: answer.open, moves: answer.moves, isWhole: !answer.next_cursor };
  }

  /** @param {Move} move @returns {Promise<Verdict>} */
  #verdictOn(move) {
    return this.#ask("verdicts", { move, amounts: true, texts: true, brief: true });
  }

  /**
   * @param {DrawnSpot | undefined} spot what was tapped
   * @returns {Promise<void>}
   */
  tap(spot) {
    return this.#inTurn(() => this.#tap(spot));
  }

  /**
   * Plays what is chosen, once all earlier taps are judged; else says what is missing.
   * @returns {Promise<void>}
   */
  play() {
    return this.#inTurn(async () => (this.ready ? void this.host.play(this.ready) : this.#refuse({ text: this.#missing() })));
  }

  /** @param {() => Promise<void>} act */
  #inTurn(act) {
    const { kinds } = this;
    const done = this.#taps.then(() => (this.kinds === kinds && !this.host.working ? act() : undefined));
    this.#taps = done.catch(() => {});
    return done;
  }

  /** @param {DrawnSpot | undefined} spot */
  async #tap(spot) {
    const { kind, picks, menu } = this;
    if (!kind || !spot) return;
    if (picks.some(({ at }) => at === spot.key)) return this.choose(picks.filter(({ at }) => at !== spot.key));
    if (kind === menu.leading && kind.type === spot.move) return;
    const made = menu.ways.find(({ type }) => type === spot.move);
    if (made && made !== kind) return this.#turnTo(made);
    if (menu.leading && kind !== menu.leading && (made || (!meanings(kind, spot).length && meanings(menu.leading, spot).length))) {
      await this.#turnTo(menu.leading);
      if (made) return;
    }
    await this.add(meanings(/** @type {Kind} */ (this.kind), spot), spot.title);
  }

  /** Goes on with another kind of move, and what is chosen of it. @param {Kind} kind */
  async #turnTo(kind) {
    if (this.kind === this.menu.leading) this.#led = this.base;
    this.kind = kind;
    const picks = this.picks.filter(({ member }) => kind.parameters.some((parameter) => parameter.member === member));
    const [base] = await Promise.all([this.#optionsFor(kind, []), this.consider(picks)]);
    if (this.kind !== kind) return;
    this.base = base;
    this.host.show();
  }

  /** Whether a place of the picture stands for a kind of move, such as the plot for a new palace. @param {Kind} kind */
  #isInPicture(kind) {
    return !!this.host.board?.spots.some(({ move }) => move === kind.type);
  }

  /**
   * Adds a value to what is chosen, if a move takes it; else says why none does.
   * @param {readonly Pick[]} all what the value can be
   * @param {string} name
   */
  async add(all, name) {
    const { kind, picks, options, base } = this;
    if (!kind) return;
    if (!all.length) return this.#refuse({ text: t("play.nothing", { what: name }) });
    const next = all.find((pick) => !isFilled(kind, picks, pick) && canFollow(kind, options, pick));
    const instead = all.find((pick) => canFollow(kind, base, pick));
    if (next) return this.choose(withPick(kind, picks, next));
    if (instead && (isFilled(kind, picks, instead) || Object.keys(instead.binds).length)) return this.choose(withPick(kind, picks, instead), [instead]);
    await this.#explain(kind, all[0]);
  }

  /**
   * Takes picks as chosen; if no move contains them, those in `otherwise`.
   * @param {Pick[]} picks
   * @param {Pick[]} [otherwise]
   */
  async choose(picks, otherwise) {
    const { kind } = this;
    await this.consider(picks);
    if (this.kind === kind && otherwise && !this.options.total && !this.ready) await this.consider(otherwise);
    if (this.ready && this.host.isQuick && this.options.total === 1 && this.picks.length) return void this.host.play(this.ready);
    this.host.show();
  }

  /**
   * Why a value cannot be added. What the list of moves does not have, such as a payment that is too large, may be legal all
   * the same: then it is added.
   * @param {Kind} kind
   * @param {Pick} pick
   */
  async #explain(kind, pick) {
    const latest = ++this.#latest;
    const picks = withPick(kind, this.picks, pick);
    const exact = exactMove(kind, picks, this.seat);
    const like = exact ?? (await this.#ask("legal-moves", { containing: { type: kind.type }, limit: 1 })).moves[0];
    const move = exact ?? (like && { ...like, ...partialOf(kind, picks) });
    const verdict = move && (await this.#verdictOn(move));
    if (latest !== this.#latest || !verdict) return;
    if (verdict.legal) return this.choose(picks);
    this.#refuse({ text: sentence(verdict.refusal?.message ?? ""), rule: verdict.refusal?.rule });
  }

  /** Why a kind of move is not possible now. @param {Kind} kind */
  async explainKind(kind) {
    const latest = ++this.#latest;
    const { unavailable = [] } = await this.#ask("legal-moves", { limit: 0, explain: true });
    const why = unavailable.find((/** @type {any} */ one) => one.type === kind.type);
    if (latest === this.#latest) this.#refuse({ text: sentence(why?.message ?? t("play.nothing", { what: kind.text })), rule: why?.rule });
  }

  /** @param {Reason | undefined} reason */
  #refuse(reason) {
    this.reason = reason;
    this.host.show();
  }

  /** One step back: what is chosen, else the kind of move, else the group. Whether there was any. */
  back() {
    if (this.picks.length) void this.choose([]);
    else if (this.kind && this.kind !== this.menu.leading) void this.#enter(undefined);
    else if (this.group) this.group = undefined;
    else return false;
    this.host.show();
    return true;
  }

  // --- what it asks for ----------------------------------------------------------------------------------------------

  /** The tokens in a place that a move can take: where it takes one, of equal ones the first. @param {string} pattern @param {boolean} isSet */
  #lying(pattern, isSet) {
    const { kind, base } = this;
    const isThere = (/** @type {string} */ place) => place === pattern || place.startsWith(`${pattern}/`);
    const all = this.host.board?.spots.filter((spot) => kind && spot.token !== undefined && isThere(spot.place) && meanings(kind, spot).some((pick) => canFollow(kind, base, pick))) ?? [];
    return isSet ? all : all.filter(({ token }, at) => all.findIndex((one) => one.token === token) === at);
  }

  /** @param {Parameter} parameter */
  widget(parameter) {
    return widgetOf(parameter, this.seat, (pattern) => this.#lying(pattern, parameter.is_set).length);
  }

  /** The parameter that the tray is for: cards of the hand, else the first pieces that are not chosen yet. */
  get inTray() {
    const widgets = this.kind ? asked(this.kind).map((parameter) => ({ parameter, widget: this.widget(parameter) })) : [];
    const pieces = widgets.filter(({ widget }) => widget === "pieces");
    const isOpen = (/** @type {Parameter} */ { member, is_set }) => is_set || !this.picks.some((pick) => pick.member === member);
    return widgets.find(({ widget }) => widget === "cards") ?? pieces.find(({ parameter }) => isOpen(parameter)) ?? pieces.at(-1);
  }

  #cards() {
    return this.host.board?.spots.filter(({ place, token }) => token !== undefined && place === `/seats/${this.seat}/hand`) ?? [];
  }

  /** What can be tapped in the picture, what is chosen, and what of it is in the tray: keys of spots. Cards of the tray are not ringed a second time. */
  get marks() {
    const { kind, picks, options, base, menu, chosen } = this;
    const spots = this.host.board?.spots ?? [];
    if (!kind) return { can: new Set(), chosen: new Set(), docked: new Set() };
    const tray = this.inTray;
    const cards = tray?.widget === "cards" ? tray.parameter.member : undefined;
    const isOpen = (/** @type {Pick} */ pick) => pick.member !== cards && canFollow(kind, isFilled(kind, picks, pick) || Object.keys(pick.binds).length ? base : options, pick);
    const { leading, ways } = menu;
    const leads = leading && kind !== leading && this.#isInPicture(kind) ? leading : undefined;
    const isMade = (/** @type {DrawnSpot} */ { move }) => !!move && [leading, ...ways].some((one) => one?.type === move);
    const isLed = (/** @type {DrawnSpot} */ spot) => !!leads && meanings(leads, spot).some((pick) => canFollow(leads, this.#led, pick));
    const can = new Set(spots.filter((spot) => meanings(kind, spot).some(isOpen) || isMade(spot) || isLed(spot) || (chosen.has(spot.key) && spot.place !== `/seats/${this.seat}/hand`)).map(({ key }) => key));
    const made = spots.filter(({ move }) => move === kind.type && this.ready).map(({ key }) => key);
    const docked = tray?.widget === "pieces" ? tray.parameter.lies_in.flatMap((pattern) => this.#lying(pattern, tray.parameter.is_set)).map(({ key }) => key) : [];
    return { can, chosen: new Set([...chosen, ...made].filter((key) => can.has(key))), docked: new Set(docked) };
  }

  /** The spots that are chosen, in the tray and in the picture. */
  get chosen() {
    return new Set(this.picks.map(({ at }) => at));
  }

  // --- views ---------------------------------------------------------------------------------------------------------

  /** What is the player's own or on offer. */
  tray() {
    const { kind } = this;
    const shown = kind && this.inTray;
    const numbers = kind ? asked(kind).filter((parameter) => ["segments", "stepper"].includes(this.widget(parameter))) : [];
    const takesTokens = kind && asked(kind).some(({ type }) => type === "token");
    const chosen = takesTokens && !shown && !numbers.length && this.#chosenPieces();
    const isReading = !kind || (!shown && !numbers.length && !chosen);
    return h(
      "div",
      { class: "tray", key: "tray" },
      this.line(),
      isReading ? this.reading(this.seat) : h("div", { class: numbers.length && shown ? "beside" : "" }, shown?.widget === "cards" && this.#cardButtons(), shown?.widget === "pieces" && this.#pieceButtons(shown.parameter), chosen, numbers.map((parameter) => this.numbers(parameter))),
    );
  }

  /** The hand of a seat, to be read. @param {number} seat */
  reading(seat) {
    const cards = this.host.board?.spots.filter(({ place, token }) => token !== undefined && place === `/seats/${seat}/hand`) ?? [];
    return cards.length > 0 && h("div", { class: "reading", role: "img", "aria-label": t("play.hand", { cards: cards.map(({ title }) => title).join(", ") }) }, pilesOf(cards, () => true).map(({ length, 0: { key } }) => h("span", { class: "piece", key, "data-many": length > 1 ? `×${length}` : undefined }, h("game-piece", { "data-key": key, "aria-hidden": "true" }))));
  }

  /** Above the tray: why not, else what the choice makes. */
  line() {
    const { reason, foreseen } = this;
    if (reason) {
      const close = () => this.#refuse(undefined);
      return h("div", { class: "sum reason", key: "reason", role: "status" }, h("p", {}, reason.text, reason.rule && [" ", ruleLink(this.host.game, reason.rule, t("rule"))]), h("button", { type: "button", class: "icon", "aria-label": t("close"), on: { click: close } }, icon("close")));
    }
    const [amount] = this.verdict?.amounts ?? [];
    const cards = this.#cards().length;
    const end = cards > 0 && h("span", { class: "end" }, t("play.cards", { cards }));
    const label = foreseen ? gainOf(foreseen) : (this.ready && this.verdict?.text) || this.#chosenSoFar() || (cards ? t("play.your-hand") : "");
    return (label || amount) && h("p", { class: "sum", key: "sum", id: "sum", role: "status" }, amount ? sumOf(amount) : h("span", { class: "what" }, label), end);
  }

  /** The kind of move, and what is chosen of it apart from sets. */
  #chosenSoFar() {
    const { kind } = this;
    if (!kind) return "";
    const names = this.picks.filter(({ member }) => !parameterOf(kind, member).is_set && parameterOf(kind, member).type === "token").map(({ value }) => tokenName(this.host.game, value) ?? value);
    return [kind.text, names.join(", ")].filter(Boolean).join(": ");
  }

  #cardButtons() {
    const { kind, options, base, chosen } = this;
    if (!kind) return false;
    const size = this.piles.length > 14 ? "cards small" : "cards";
    return h(
      "div",
      { class: size, role: "group", "aria-label": t("play.your-hand"), "data-group": "", "aria-describedby": "sum" },
      this.piles.map((pile) => {
        const taken = pile.filter(({ key }) => chosen.has(key)).length;
        const [{ key }] = pile;
        const fits = meanings(kind, pile[0]).some((pick) => canFollow(kind, taken || parameterOf(kind, pick.member).is_set ? options : base, pick));
        const next = pile.find((spot) => !chosen.has(spot.key));
        const tap = () => (next ? this.tap(next) : this.choose(this.picks.filter(({ at }) => !pile.some((spot) => spot.key === at))));
        const many = taken ? `${taken}/${pile.length}` : `×${pile.length}`;
        const name = this.#nameOf(pile[0]);
        const label = pile.length > 1 ? `${name}, ${many}` : name;
        return h("button", { type: "button", key, class: taken ? "piece on" : fits ? "piece" : "piece pale", "aria-pressed": taken > 0, "aria-label": label, "data-many": pile.length > 1 ? many : undefined, on: { click: () => void (pile.length > 1 ? tap() : this.tap(pile[0])) } }, h("game-piece", { "data-key": key, "aria-hidden": "true" }));
      }),
    );
  }

  /** @param {Parameter} parameter */
  #pieceButtons(parameter) {
    const { kind, chosen, options, base, picks } = this;
    if (!kind) return false;
    const spots = parameter.lies_in.flatMap((pattern) => this.#lying(pattern, parameter.is_set));
    const isTaken = isFilled(kind, picks, { member: parameter.member, value: "", binds: {}, at: "" });
    return h(
      "div",
      { class: "pieces", role: "group", "aria-label": kind.text, "data-group": "", "aria-describedby": "sum" },
      spots.map((spot) => {
        const fits = meanings(kind, spot).some((pick) => canFollow(kind, isTaken ? base : options, pick));
        return this.#piece(spot, chosen.has(spot.key), fits);
      }),
    );
  }

  /** The pieces that were chosen in the picture. */
  #chosenPieces() {
    const { chosen } = this;
    const spots = this.host.board?.spots.filter(({ key, token }) => chosen.has(key) && token !== undefined) ?? [];
    if (!spots.length) return h("div", { class: "pieces", key: "none" }, h("p", { class: "piece none" }, t("play.tap-picture")));
    return h("div", { class: "pieces", key: "chosen", role: "group", "aria-label": t("play.chosen"), "data-group": "" }, spots.map((spot) => this.#piece(spot, true, true)));
  }

  /**
   * A piece to be tapped, with a word, unless that is drawn on it.
   * @param {DrawnSpot} spot
   * @param {boolean} isOn
   * @param {boolean} fits
   */
  #piece(spot, isOn, fits) {
    const word = this.#wordFor(spot);
    const isDrawn = [...spot.element.querySelectorAll("text")].some((text) => text.textContent?.trim() === word);
    const isSame = spot.title.toLocaleLowerCase() === word.toLocaleLowerCase();
    return h("button", { type: "button", key: spot.key, class: isOn ? "piece on" : fits ? "piece" : "piece pale", "aria-pressed": isOn, on: { click: () => void this.tap(spot) } }, h("game-piece", { "data-key": spot.key, "aria-hidden": "true" }), h("span", { class: isDrawn ? "unseen" : "word" }, word), !isSame && h("span", { class: "unseen" }, `, ${spot.title}`));
  }

  /** What a piece is called, with the word that is seen. @param {DrawnSpot} spot */
  #nameOf(spot) {
    const drawn = [...spot.element.querySelectorAll("text")].map((text) => text.textContent?.trim() ?? "");
    const said = new Set(spot.title.toLocaleLowerCase().split(/[^\p{L}\p{N}]+/u));
    const unsaid = drawn.filter((text) => text && !said.has(text.toLocaleLowerCase()));
    const word = this.#wordFor(spot);
    return [...unsaid, ...(spot.title.toLocaleLowerCase().includes(word.toLocaleLowerCase()) ? [] : [word]), spot.title].join(", ");
  }

  /** @param {DrawnSpot} spot */
  #wordFor({ token = "", title }) {
    return tokenName(this.host.game, token) ?? title;
  }

  /** @param {Parameter} parameter */
  numbers({ member }) {
    const { base, options, picks, ready } = this;
    const values = Object.keys(base.open[member] ?? options.open[member] ?? {});
    const chosen = picks.find((pick) => pick.member === member)?.value ?? (ready && String(ready[member]));
    return h(
      "div",
      { class: "segments", role: "group", "aria-label": this.kind?.text, "data-group": "", "aria-describedby": "sum" },
      values.map((value) => h("button", { type: "button", key: value, "aria-pressed": value === chosen, class: options.open[member] && !options.open[member][value] ? "pale" : "", on: { click: () => void this.#inTurn(() => this.add([{ member, value, binds: {}, at: `${member} ${value}` }], value)) } }, number(Number(value)))),
    );
  }

  /** What can be done: verbs; or ways around what is being chosen, and what plays it. */
  actions() {
    if (!this.kind) return this.#verbs(this.group ? this.group.kinds.map((kind) => ({ text: kind.text, kinds: [kind] })) : this.menu.verbs);
    const { kind, ready, picks } = this;
    const [amount] = this.verdict?.amounts ?? [];
    const isSetting = asked(kind).some(({ is_set, most }) => is_set && most > 1);
    const isLed = kind === this.menu.leading || this.#isInPicture(kind);
    const ways = isLed ? this.menu.ways.filter((way) => !this.#isInPicture(way)) : [];
    const back = !isLed ? [h("button", { type: "button", key: "other", class: "button", on: { click: () => (this.picks.length ? void this.#enter(undefined) : this.back()) } }, t("play.other"))] : [];
    const clear = !ways.length && !back.length && isSetting ? [h("button", { type: "button", key: "clear", class: "button", "aria-disabled": !picks.length, on: { click: () => void this.choose([]) } }, t("play.clear"))] : [];
    const others = [...back, ...ways.map((way) => this.#way(way)), ...clear];
    const lacks = amount?.needs !== undefined && amount.value < amount.needs ? amount.needs - amount.value : 0;
    const text = lacks && !ready ? t("play.at-least", { verb: kind.text, number: lacks }) : ready ? this.#playing(kind, ready, amount) : kind.text;
    return h(
      "div",
      { class: `actions ways${others.length}`, key: "actions", role: "group", "aria-label": t("play.actions") },
      others,
      h("button", { type: "button", key: "primary", class: "button main", "aria-disabled": !ready || this.host.working > 0, on: { click: () => void this.play() } }, h("span", {}, text), ready && this.#unsaid(kind, ready, text) && h("small", {}, this.#unsaid(kind, ready, text))),
    );
  }

  /**
   * What the button does not say of a move yet: the names of its tokens, or the whole move in brief.
   * @param {Kind} kind
   * @param {Move} move
   * @param {string} text of the button
   */
  #unsaid({ text: verb, parameters }, move, text) {
    const isPlain = text === verb && parameters.length > 1;
    if (isPlain || parameters.some(({ is_set }) => is_set)) return this.verdict?.text ?? "";
    const names = parameters.flatMap(({ member, type }) => (type === "token" ? [tokenName(this.host.game, String(move[member])) ?? ""] : []));
    return capitalized(names.filter((name) => !text.includes(name)).join(", "));
  }

  /**
   * What plays a move, with the figure that one decides by.
   * @param {Kind} kind
   * @param {Move} move
   * @param {import("./table.js").Amount} [amount]
   */
  #playing(kind, move, amount) {
    const isMore = amount?.needs !== undefined && amount.value > amount.needs;
    const [plain, more] = [`${this.host.game}.act.${kind.type}`, `${this.host.game}.act.${kind.type}.more`];
    const slots = Object.fromEntries(kind.parameters.map(({ member, type, is_set }) => {
      const value = move[member];
      if (is_set) return [member, value.length];
      return [member, type === "place" && typeof value === "number" ? value + 1 : (tokenName(this.host.game, String(value)) ?? value)];
    }));
    const key = isMore && has(more) ? more : plain;
    return has(key) ? t(key, { ...slots, ...(amount ? { value: amount.value, needs: amount.needs ?? 0 } : {}) }) : kind.text;
  }

  /** Why nothing can be played yet. */
  #missing() {
    const refusal = this.verdict?.refusal;
    return refusal ? sentence(refusal.message) : t("play.go-on");
  }

  /** A move other than the one being chosen, with what is chosen of it. @param {Kind} way @returns {Move | undefined} */
  #moveOf(way) {
    const members = new Set(way.parameters.map(({ member }) => member));
    const picks = this.picks.filter(({ member }) => members.has(member));
    const exact = exactMove(way, picks, this.seat);
    const ready = this.ready && way.parameters.length ? { ...partialOf(way, []), seat: this.seat, ...Object.fromEntries([...members].map((member) => [member, this.ready?.[member]])) } : undefined;
    return way.move ?? exact ?? /** @type {Move | undefined} */ (ready);
  }

  /** What plays such a move: at once if nothing is to be chosen for it, else once all earlier taps are judged. @param {Kind} way */
  #way(way) {
    const play = async () => {
      const move = this.#moveOf(way);
      return move ? void this.host.play(move) : this.#refuse({ text: t("play.go-on") });
    };
    return h("button", { type: "button", key: way.type, class: "button", "aria-disabled": !this.#moveOf(way), on: { click: () => void (way.move ? play() : this.#inTurn(play)) } }, this.#verb({ text: way.text, kinds: [way] }));
  }

  /** @param {readonly import("./choosing.js").Verb[]} verbs */
  #verbs(verbs) {
    const act = (/** @type {import("./choosing.js").Verb} */ verb) => {
      const possible = verb.kinds.filter(({ total }) => total > 0);
      const [kind] = possible;
      if (!kind) return void this.explainKind(verb.kinds[0]);
      if (possible.length > 1) this.group = verb;
      else if (kind.move && !kind.parameters.length) return this.host.play(kind.move);
      else return void this.#enter(kind);
      this.host.show();
    };
    const all = this.group ? [h("button", { type: "button", key: "other", class: "button", on: { click: () => this.back() } }, t("play.other"))] : [];
    const count = verbs.length + all.length;
    return h(
      "div",
      { class: `actions verbs ${count === 4 ? "four" : count > 3 ? "many" : ""}`, key: "verbs", role: "group", "aria-label": t("play.actions") },
      all,
      verbs.map((verb) => h("button", { type: "button", key: verb.text, class: "button", "aria-disabled": verb.kinds.every(({ total }) => !total), on: { click: () => act(verb) } }, h("span", {}, this.#verb(verb), verb.kinds.length > 1 && " ▸"))),
    );
  }

  /** A kind of move, or a group of them, in few words. @param {{text: string, kinds: readonly {type: string}[]}} verb */
  #verb({ text, kinds: [{ type }] }) {
    const short = `${this.host.game}.verb.${type}`;
    return has(short) ? t(short) : text;
  }

  /** The move of the only way without parts, such as a pass. */
  get passing() {
    const plain = this.menu.ways.filter(({ parameters }) => !parameters.length);
    return plain.length === 1 ? plain[0].move : undefined;
  }
}

/**
 * What a choice adds up to, and what it needs.
 * @param {import("./table.js").Amount} amount
 */
function sumOf({ name, text, value, before, added, needs, have }) {
  const isSpent = needs === undefined && have !== undefined;
  const parts = before !== undefined && added ? `${number(before)} + ${number(added)} = ${number(value)}` : isSpent ? (value ? `${number(have)} − ${number(value)} = ${number(have - value)}` : number(have)) : number(value);
  const enough = needs !== undefined && (name === "blocks" ? value === needs : value >= needs);
  return [capitalized(text), " ", h("b", {}, parts), enough && h("span", { class: "enough" }, " ✓"), needs !== undefined && h("span", { class: "need" }, " ", t("play.needs", { number: needs }))];
}

/**
 * What a move would make: points before and after, else what follows.
 * @param {import("./table.js").Foreseen} foreseen
 */
function gainOf({ points: [before, after], text }) {
  return before === after ? text : [t("play.points"), " ", h("b", {}, `${number(before)} → ${number(after)}`)];
}
