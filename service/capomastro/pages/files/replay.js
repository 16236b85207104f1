// The page on which a recorded game is opened. What shows it (replay/viewer.js) is fetched once there is one.

import { focusHeading, h, patch } from "./dom.js";
import { unpackedRecord } from "./link.js";
import { door } from "./replay/door.js";
import { openedGames } from "./replay/opened.js";
import { failure, isFailure, judged, textOf } from "./replay/source.js";
import { header, openMenu, startLink } from "./shell.js";
import * as store from "./store.js";
import { keepLanguage, loadWords, t } from "./words.js";

/** @typedef {import("./replay/viewer.js").ReplayViewer} ReplayViewer */
/** @typedef {import("./replay/viewer.js").From} From */

const EXAMPLES = "replay/examples";
const BUSY_AFTER = 400;

class ReplayDoor extends HTMLElement {
  files = "";
  /** @type {string[]} */
  games = [];
  /** @type {readonly import("./replay/door.js").Example[]} */
  examples = [];
  /** @type {import("./replay/source.js").Failure | undefined} why a record cannot be shown */
  failure;
  typed = "";
  isPasting = false;
  busy = false;
  /** Whether a game in a link is being opened: then there is nothing to choose. */
  isLinked = false;
  /** @type {ReplayViewer | undefined} what shows a game, while one is open */
  viewer;
  /** How often a game was asked for. */
  asked = 0;

  async connectedCallback() {
    if (keepLanguage(store.setting)) return;
    this.files = this.getAttribute("files") ?? "";
    this.games = (this.getAttribute("games") ?? "").split(" ");
    addEventListener("hashchange", () => void this.route());
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => {
      event.preventDefault();
      void this.openDropped(event.dataTransfer);
    });
    const examples = fetch(`${this.files}/${EXAMPLES}/index.json`).then((response) => response.json(), () => []);
    [this.examples] = await Promise.all([examples, loadWords(this.files, "replay")]);
    await this.route();
  }

  /** Opens what the address names: a record at a position of one of its lines, or nothing yet. */
  async route() {
    const [packed, where] = location.hash.slice(1).split(".");
    if (this.viewer && (!packed || packed === this.viewer.link)) return this.viewer.goToPlace(where);
    if (!packed) return this.show();
    this.isLinked = true;
    await this.openLink(packed, "", where);
    this.isLinked = false;
  }

  /**
   * Begins to open a game: what was asked for before and comes later is not shown any more.
   * @returns {() => boolean} whether nothing else was asked for since
   */
  begin() {
    const asked = ++this.asked;
    return () => asked === this.asked;
  }

  /**
   * @param {string} packed
   * @param {string} id of the record on this device
   * @param {string} [where] the position, and what its line is called
   */
  async openLink(packed, id, where) {
    const isLatest = this.begin();
    const text = await unpackedRecord(packed).catch(() => undefined);
    if (!isLatest()) return;
    if (text === undefined) return this.fail(t("replay.bad-link"));
    await this.open(text, { id, where });
  }

  /** @param {DataTransfer | null} data */
  async openDropped(data) {
    const file = data?.files[0];
    if (file) await this.openFile(file);
    else if (data?.getData("text")) await this.open(data.getData("text"));
  }

  /** @param {import("./replay/door.js").Example} example */
  async openExample({ file }) {
    const isLatest = this.begin();
    const text = await fetch(`${this.files}/${EXAMPLES}/${file}.json`).then((response) => (response.ok ? response.text() : undefined), () => undefined);
    if (!isLatest()) return;
    if (text === undefined) return this.fail(t("replay.unreached"));
    await this.open(text, { isExample: true });
  }

  /** @param {Blob} file */
  async openFile(file) {
    const isLatest = this.begin();
    const text = await textOf(file).catch(() => undefined);
    if (!isLatest()) return;
    if (text === undefined) return this.fail(t("replay.no-text"));
    await this.open(text);
  }

  /**
   * @param {string} text
   * @param {From} [from]
   */
  async open(text, from = {}) {
    const document = documentIn(text);
    if (this.viewer?.opened && document?.creation && document.commitment) return this.viewer.checkChance(document);
    const isLatest = this.begin();
    const slow = setTimeout(() => isLatest() && this.setState({ busy: true }), BUSY_AFTER);
    const [game, module] = await Promise.all([judged(text, this.games), import("./replay/viewer.js").catch(() => undefined)]);
    clearTimeout(slow);
    if (!isLatest()) return;
    this.busy = false;
    if (isFailure(game)) {
      this.typed = text;
      this.isPasting = true;
      return this.fail(game);
    }
    if (!module) return this.fail(t("replay.unreached"));
    Object.assign(this, { failure: undefined, typed: "", isPasting: false });
    const opened = document?.root && document.seed && Array.isArray(document.shares) ? document : undefined;
    const viewer = new module.ReplayViewer();
    viewer.files = this.files;
    viewer.close = () => this.close();
    await viewer.open(game, opened, from, () => {
      if (!isLatest()) return;
      this.viewer?.remove();
      this.viewer = viewer;
      patch(this, []);
      this.append(viewer);
      scrollTo({ top: 0, behavior: "instant" });
    });
  }

  /** Leaves a game. */
  close() {
    this.viewer?.remove();
    this.viewer = undefined;
    history.replaceState(null, "", `${location.pathname}${location.search}`);
    this.show();
    focusHeading(this.querySelector("h1"));
  }

  /** Says why a record cannot be shown. @param {string | import("./replay/source.js").Failure} why */
  fail(why) {
    this.isLinked = false;
    this.viewer?.remove();
    this.viewer = undefined;
    this.setState({ failure: typeof why === "string" ? failure(why) : why });
    this.querySelector("[role=alert]")?.scrollIntoView({ block: "nearest" });
  }

  /** @param {Partial<ReplayDoor>} what */
  setState(what) {
    Object.assign(this, what);
    if (!this.viewer) this.show();
  }

  show() {
    const { typed, isPasting, busy, failure: why, examples } = this;
    const content = door({
      ...{ typed, isPasting, busy, failure: why, examples },
      change: (what) => {
        Object.assign(this, what);
        if (what.isPasting === undefined) return;
        this.show();
        if (what.isPasting) /** @type {HTMLElement | null} */ (this.querySelector("#typed"))?.focus();
      },
      open: (text, id) => void this.open(text, { id }),
      openLink: (link, id) => void this.openLink(link, id),
      openFile: (file) => void this.openFile(file),
      openExample: (example) => void this.openExample(example),
    });
    patch(this, [header({ back: startLink(), title: t("start.check"), menu: () => this.openMenu() }), h("main", { class: "wrap opening", key: "opening" }, this.isLinked ? h("p", { class: "small", role: "status" }, t("checking")) : content)]);
  }

  openMenu() {
    const opened = openedGames.all();
    const forget = () => {
      for (const { id } of opened) openedGames.forget(id);
      this.show();
    };
    openMenu([opened.length > 0 && { text: t("replay.forget"), act: forget, isDanger: true }]);
  }
}

/** A document, if the text is one. @param {string} text */
function documentIn(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

customElements.define("replay-door", ReplayDoor);
