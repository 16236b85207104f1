// The same choices as lists, and the table in words: for readers of screens, for keyboards, and for sceptics. Loaded when asked for.

import { h } from "../dom.js";
import { inWords, outline } from "../picture.js";
import { sentence, t } from "../words.js";
import { asked, canFollow, meanings } from "./choosing.js";

/** @typedef {import("./dock.js").Dock} Dock */
/** @typedef {import("../dom.js").Content} Content */
/** @typedef {{dock: Dock, isAsked: boolean, picture: string, log: Content, show: () => void, play: (move: import("./choosing.js").Move) => void}} Shown */

const PAGE = 50;

/** @param {Shown} shown */
export function wordsView({ dock, isAsked, picture, log, show, play }) {
  return h(
    "section",
    { class: "words", key: "words", "aria-label": t("play.in-words") },
    isAsked && choices(dock),
    isAsked && sentences(dock, show, play),
    h("details", { key: "table" }, h("summary", {}, t("play.words")), outline({ ...inWords(picture), title: "" })),
    h("div", { class: "happened", key: "happened" }, log),
  );
}

/** What can be chosen, by parameter. @param {Dock} dock */
function choices(dock) {
  const { kind } = dock;
  if (!kind) return null;
  return asked(kind).map((parameter) => {
    if (["number", "word"].includes(parameter.type)) return dock.numbers(parameter);
    const spots = dock.host.board?.spots ?? [];
    const seen = new Set();
    const values = spots.flatMap((spot) => meanings(kind, spot).filter(({ member }) => member === parameter.member).map((pick) => ({ spot, pick })));
    const { is_set } = parameter;
    const chosen = dock.chosen;
    const items = values.filter(({ spot }) => !seen.has(spot.key) && seen.add(spot.key));
    const isFilled = !is_set && dock.picks.some(({ member }) => member === parameter.member);
    return (
      items.length > 0 &&
      h(
        "div",
        { class: "choices", key: parameter.member, role: is_set ? "group" : "radiogroup", "aria-label": kind.text, "data-group": "" },
        items.map(({ spot, pick }) => {
          const fits = canFollow(kind, isFilled ? dock.base : dock.options, pick);
          const isOn = chosen.has(spot.key);
          return h("button", { type: "button", key: spot.key, role: is_set ? "checkbox" : "radio", "aria-checked": isOn, class: fits || isOn ? "" : "pale", on: { click: () => void dock.tap(spot) } }, spot.title);
        }),
      )
    );
  });
}

/** @type {{of: unknown, texts: string[], moves: import("./choosing.js").Move[], cursor?: string, total: number} | undefined} */
let listed;

/**
 * Every legal move as a sentence.
 * @param {Dock} dock
 * @param {() => void} show
 * @param {(move: import("./choosing.js").Move) => void} play
 */
function sentences(dock, show, play) {
  const known = listed?.of === dock.kinds ? listed : undefined;
  const more = async () => {
    const { moves, texts, next_cursor, total } = await dock.host.consult("legal-moves", { limit: PAGE, texts: true, ...(known?.cursor ? { cursor: known.cursor } : {}) });
    listed = { of: dock.kinds, texts: [...(known?.texts ?? []), ...texts], moves: [...(known?.moves ?? []), ...moves], cursor: next_cursor, total };
    show();
  };
  return h(
    "details",
    { key: "sentences", on: { toggle: (/** @type {any} */ event) => event.target.open && !known && void more() } },
    h("summary", {}, t("play.all-moves")),
    known && h("ul", {}, known.texts.map((text, at) => h("li", { key: JSON.stringify(known.moves[at]) }, h("button", { type: "button", class: "link", on: { click: () => play(known.moves[at]) } }, sentence(text))))),
    known?.cursor && h("p", {}, h("button", { type: "button", class: "link", on: { click: () => void more() } }, t("play.more-moves", { number: known.total - known.moves.length }))),
  );
}
