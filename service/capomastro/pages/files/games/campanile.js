// Campanile: one table, five towers; under each the rows of markers in their order, and the tokens of the Intermezzo.

import { h } from "../dom.js";
import { mark } from "../icons.js";
import { repeatWhileHeld } from "../keys.js";
import { findingProps, findings, idOf, labelled, replaced } from "../parts.js";
import { list, t } from "../words.js";

/** @typedef {import("../game.js").Context} Context */
/** @typedef {import("../game.js").Entry} Entry */
/** @typedef {"small" | "medium" | "large"} Size */
/** @typedef {{seat: number, markers: Size[]}} Row */
/** @typedef {{height?: number, rows: Row[]}} Tower */
/** @typedef {{players: number, towers: {[style: string]: Tower}, tokens: number[][], order: string[], move_medium_marker: boolean}} Draft */
/** @typedef {{part: "height" | "rows" | "tokens", tower: string}} Cursor */

const STYLES = ["a", "b", "c", "d", "e"];
const SIZES = /** @type {Size[]} */ (["small", "medium", "large"]);
const VALUE = { small: 1, medium: 2, large: 3 };
export const MARKERS = { small: 5, medium: 3, large: 1 };
/** The tokens on the flags of the Intermezzo, each flag for one tower. */
const FLAGS = { two: [4, 2, 3, 2, 2, 1, 1], more: [4, 2, 3, 1, 2, 1] };
const RANKS = ["I", "II", "III", "IV", "V"];
const CARDS = { two: 6, more: 12 };
const HIGHEST_SHOWN = 24;

/** What a tower is called, as in sentences and pictures. @param {string} style */
const towerName = (style) => t(`campanile.${style}`);
/** @param {Draft} draft */
const flags = (draft) => (draft.players === 2 ? FLAGS.two : FLAGS.more);
/** @param {Draft} draft */
const highest = (draft) => 3 * (draft.players === 2 ? CARDS.two : CARDS.more);
/** @param {number} players @returns {Draft} */
const emptyDraft = (players) => ({ players, towers: Object.fromEntries(STYLES.map((style) => [style, { rows: [] }])), tokens: Array.from({ length: players }, () => []), order: STYLES, move_medium_marker: false });
/** @param {Draft} draft @param {number} seat @param {Size} size */
const placed = (draft, seat, size) => Object.values(draft.towers).flatMap((tower) => tower.rows.filter((row) => row.seat === seat).flatMap((row) => row.markers.filter((one) => one === size))).length;
/** @param {Draft} draft @param {string} style @param {Partial<Tower>} part @returns {Draft} */
const withTower = (draft, style, part) => ({ ...draft, towers: { ...draft.towers, [style]: { ...draft.towers[style], ...part } } });
/** The towers from the highest down; of two equally high the one nearer to the display comes first. @param {Draft} draft */
const ranking = (draft) => [...draft.order].sort((one, other) => (draft.towers[other].height ?? 0) - (draft.towers[one].height ?? 0) || draft.order.indexOf(one) - draft.order.indexOf(other));
/** @param {Draft} draft */
const allHeights = (draft) => STYLES.every((style) => draft.towers[style].height !== undefined);

/** @type {import("../game.js").GamePad} */
export default {
  englishTitle: "Campanile",
  common: true,
  options: [{ key: "move_medium_marker", players: [2] }],
  begin: (players, options) => ({ draft: { ...emptyDraft(players), move_medium_marker: !!options.move_medium_marker }, cursor: { part: "height", tower: "a" } }),
  enter,
  sheet(/** @type {Draft} */ draft, names) {
    const towers = Object.fromEntries(STYLES.map((style) => [style, { ...(draft.towers[style].height === undefined ? {} : { height: draft.towers[style].height }), rows: draft.towers[style].rows }]));
    return { game: "campanile", schema_version: 1, seats: names.map((name) => ({ name })), tower_order: draft.order, ...(draft.move_medium_marker ? { move_medium_marker: true } : {}), towers, intermezzo: { type: "tokens", by_seat: draft.tokens } };
  },
  draftOf(sheet) {
    const players = sheet.seats.length;
    const tokens = Array.from({ length: players }, (_, seat) => sheet.intermezzo?.by_seat?.[seat] ?? []);
    const towers = Object.fromEntries(STYLES.map((style) => [style, { rows: [], ...sheet.towers[style] }]));
    return { draft: { players, towers, tokens, order: sheet.tower_order ?? STYLES, move_medium_marker: !!sheet.move_medium_marker }, cursor: { part: "height", tower: "a" } };
  },
  reseated(/** @type {Draft} */ draft, order) {
    const towers = Object.fromEntries(STYLES.map((style) => [style, { ...draft.towers[style], rows: draft.towers[style].rows.filter((row) => order.includes(row.seat)).map((row) => ({ ...row, seat: order.indexOf(row.seat) })) }]));
    return { ...draft, players: order.length, towers, tokens: order.map((seat) => (seat === null ? [] : draft.tokens[seat])), move_medium_marker: draft.move_medium_marker && order.length === 2 };
  },
  hasEntries: (/** @type {Draft} */ draft, seat) => draft.tokens[seat].length > 0 || STYLES.some((style) => draft.towers[style].rows.some((row) => row.seat === seat)),
  firstFieldOf: () => `rows/${STYLES[0]}`,
  missingFields: (/** @type {Draft} */ draft) => STYLES.filter((style) => draft.towers[style].height === undefined).map((style) => `height/${style}`),
  isWhole: (/** @type {Draft} */ draft) => draft.tokens.flat().length === flags(draft).length,
  fieldOf(pointer) {
    const [, member, style, part] = pointer.split("/");
    if (member === "towers" && style) return `${part === "height" ? "height" : "rows"}/${style}`;
    return member === "intermezzo" ? "tokens" : "table";
  },
  goTo(field, _draft, cursor) {
    const [part, tower] = field.split("/");
    return part === "table" ? cursor : { part, tower: tower ?? cursor.tower };
  },
  nameOf(field) {
    const [part, tower] = field.split("/");
    return part === "table" ? t("campanile.all") : part === "tokens" ? t("campanile.intermezzo") : t(`campanile.field.${part}`, { tower: towerName(tower) });
  },
  removal(field) {
    const [part, tower] = field.split("/");
    return part === "rows" ? { type: "clear", tower } : part === "tokens" ? { type: "clear-tokens" } : undefined;
  },
  seatOf: () => undefined,
  picture,
  pad,
  hint({ draft, cursor }) {
    if (cursor.part === "tokens") return t("campanile.hint.tokens");
    return t(`campanile.hint.${cursor.part}`, { tower: towerName(cursor.tower), most: highest(draft) });
  },
  key(key, draft, cursor) {
    if (key === "Enter") return { type: "next" };
    if (cursor.part === "height" && /^\d$/.test(key)) return { type: "digit", digit: key };
    return undefined;
  },
  inWords(line) {
    if (line.tower === undefined) return { group: t("campanile.intermezzo"), reason: t("line.campanile.scoring.intermezzo") };
    return { group: t("campanile.group", { tower: towerName(line.tower), rank: RANKS[line.rank - 1], height: line.height }), reason: t("line.campanile.scoring.finito", { place: line.place, influence: line.influence }) };
  },
  tieField: () => "tokens",
  tieForm: () => null,
  tieReason: (values) => t("campanile.tie", { values }),
  notes: () => [t("campanile.checked")],
};

/**
 * @param {Draft} draft
 * @param {Cursor} cursor
 * @param {Entry} entry
 * @returns {import("../game.js").EntryResult}
 */
function enter(draft, cursor, entry) {
  const style = cursor.tower;
  switch (entry.type) {
    case "choose":
      return { draft, cursor: { part: entry.part, tower: entry.tower ?? style } };
    case "height": {
      const after = STYLES[STYLES.indexOf(style) + 1];
      const next = withTower(draft, style, { height: entry.height });
      return { draft: next, cursor: after && !allHeights(next) ? { part: "height", tower: after } : { part: "rows", tower: "a" } };
    }
    case "digit": {
      const grown = Number(`${draft.towers[style].height ?? ""}${entry.digit}`);
      return { draft: withTower(draft, style, { height: grown <= highest(draft) ? grown : Number(entry.digit) }), cursor };
    }
    case "step": {
      const height = Math.min(Math.max((draft.towers[entry.tower].height ?? 0) + entry.by, 0), highest(draft));
      return { draft: withTower(draft, entry.tower, { height }), cursor: { part: "height", tower: entry.tower } };
    }
    case "next": {
      const after = STYLES[STYLES.indexOf(style) + 1];
      if (cursor.part === "tokens") return { draft, cursor: { part: "height", tower: "a" } };
      if (cursor.part === "height") return { draft, cursor: after ? { part: "height", tower: after } : { part: "rows", tower: "a" } };
      return { draft, cursor: after ? { part: "rows", tower: after } : { part: "tokens", tower: "a" } };
    }
    case "marker": {
      const rows = draft.towers[style].rows;
      const own = rows.findIndex((row) => row.seat === entry.seat);
      const next = own < 0 ? [...rows, { seat: entry.seat, markers: [entry.size] }] : replaced(rows, own, { ...rows[own], markers: [...rows[own].markers, entry.size] });
      return { draft: withTower(draft, style, { rows: next }), cursor };
    }
    case "clear":
      return { draft: withTower(draft, entry.tower ?? style, { rows: [] }), cursor };
    case "token": {
      const own = draft.tokens[entry.seat];
      return { draft: { ...draft, tokens: replaced(draft.tokens, entry.seat, [...own, entry.value]) }, cursor };
    }
    case "clear-tokens":
      return { draft: { ...draft, tokens: draft.tokens.map(() => []) }, cursor };
    case "swap": {
      const at = draft.order.indexOf(style);
      const order = [...draft.order];
      [order[at], order[(at + 1) % order.length]] = [order[(at + 1) % order.length], order[at]];
      return { draft: { ...draft, order }, cursor };
    }
    default:
      return { draft, cursor };
  }
}

// --- the picture -----------------------------------------------------------------------------------------------------

const ROOFS = ["M6 30L32 8L58 30z", "M12 30V14H52V30z", "M10 30a22 22 0 0 1 44 0z", "M4 30V20H16V10H48V20H60V30z", "M22 30L32 4L42 30z"];
const SCALE = 5;

/** @param {number} at @param {number} height */
function drawn(at, height) {
  const body = height * SCALE;
  const whole = body + 40;
  return h(
    "svg",
    { viewBox: `0 0 64 ${whole}`, "aria-hidden": "true" },
    h("path", { d: ROOFS[at], transform: `translate(0 ${whole - body - 38})`, fill: "var(--ink2)" }),
    h("rect", { x: 10, y: whole - body - 8, width: 44, height: body, fill: "var(--marble)", stroke: "var(--ink)", "stroke-width": height ? 1.5 : 0 }),
    h("path", { d: Array.from({ length: height }, (_, floor) => `M10 ${whole - 8 - floor * SCALE}h44`).join("") || "M0 0", stroke: "var(--ink)", "stroke-width": 0.9 }),
    h("path", { d: Array.from({ length: Math.floor(height / 5) }, (_, five) => `M6 ${whole - 8 - (five + 1) * 5 * SCALE}h52`).join("") || "M0 0", stroke: "var(--ink)", "stroke-width": 1.6 }),
    h("path", { d: `M32 ${whole - 10}V${whole - body - 5}`, stroke: "var(--window)", "stroke-width": height ? 5 : 0, "stroke-dasharray": "3 2" }),
    h("rect", { x: 4, y: whole - 8, width: 56, height: 8, fill: "var(--ink2)" }),
  );
}

/** @param {Context} context */
function picture(context) {
  const draft = /** @type {Draft} */ (context.draft);
  const ranks = ranking(draft);
  const known = allHeights(draft);
  const level = STYLES.map((style) => draft.order.filter((one) => (draft.towers[one].height ?? 0) === draft.towers[style].height)).filter((group) => group.length > 1);
  const groups = [...new Map(level.map((group) => [group.join(), group])).values()];
  return [
    h(
      "div",
      { class: "towers squares", "aria-hidden": "true" },
      draft.order.map((style) => h("div", { class: "tower", key: style }, h("span", { class: "rank" }, known ? RANKS[ranks.indexOf(style)] : ""), drawn(STYLES.indexOf(style), draft.towers[style].height ?? 0))),
    ),
    known && groups.map((group) => h("p", { class: "level", key: group.join() }, t("campanile.level", { towers: list(group.map(towerName)), first: towerName(group[0]) }))),
    h("div", { class: "steppers", role: "group", "aria-label": t("campanile.heights") }, draft.order.map((style) => stepper(context, style))),
    h("div", { class: "columns", role: "group", "aria-label": t("campanile.rows"), "data-group": "" }, draft.order.map((style) => column(context, style))),
    STYLES.flatMap((style) => [findings(context, `height/${style}`, t("campanile.field.height", { tower: towerName(style) })), findings(context, `rows/${style}`, t("campanile.field.rows", { tower: towerName(style) }))]),
    findings(context, "table", t("campanile.all")),
  ];
}

/** @param {Context} context @param {string} style */
function stepper(context, style) {
  const { draft, cursor, enter: put } = context;
  const height = draft.towers[style].height;
  const field = `height/${style}`;
  return h(
    "div",
    { class: context.findingsAt(field).length ? "stepper found" : "stepper", key: style },
    h("button", { type: "button", on: repeatWhileHeld(() => put({ type: "step", tower: style, by: 1 })) }, labelled(t("campanile.higher", { tower: towerName(style) }), "+")),
    h(
      "button",
      { type: "button", "data-types": "", class: "count", "aria-pressed": cursor.part === "height" && cursor.tower === style, ...findingProps(context, field), on: { click: () => put({ type: "choose", part: "height", tower: style }) } },
      labelled(t("campanile.height-of", { tower: towerName(style), height: height ?? "–" }), height ?? "–"),
    ),
    h("button", { type: "button", on: repeatWhileHeld(() => put({ type: "step", tower: style, by: -1 })) }, labelled(t("campanile.lower", { tower: towerName(style) }), "−")),
  );
}

/** @param {Context} context @param {string} style */
function column(context, style) {
  const { draft, cursor, enter: put, names } = context;
  const rows = /** @type {Row[]} */ (draft.towers[style].rows);
  const field = `rows/${style}`;
  const values = (/** @type {Row} */ row) => row.markers.map((size) => VALUE[size]).join("+");
  const inWords = rows.length ? rows.map((row) => `${names[row.seat]} ${values(row)}`).join(", ") : t("campanile.no-markers");
  return h(
    "button",
    { type: "button", key: style, class: context.findingsAt(field).length ? "column found" : "column", "aria-pressed": cursor.part === "rows" && cursor.tower === style, ...findingProps(context, field), on: { click: () => put({ type: "choose", part: "rows", tower: style }) } },
    labelled(t("campanile.rows-of", { tower: towerName(style), rows: inWords }), h("b", {}, towerName(style)), rows.length ? rows.map((row) => h("span", { class: "row", key: `r${row.seat}` }, mark(row.seat, true), values(row))) : h("span", { class: "none" }, "–")),
  );
}

// --- the pad -----------------------------------------------------------------------------------------------------------

/** @param {Context} context */
function pad(context) {
  const { draft, cursor, enter: put, finish } = context;
  const part = cursor.part === "height" ? heights(context) : cursor.part === "rows" ? markers(context) : tokens(context);
  const after = STYLES[STYLES.indexOf(cursor.tower) + 1];
  const next = cursor.part === "height" ? (after ? t("campanile.next.height", { tower: towerName(after) }) : t("campanile.next.rows", { tower: towerName("a") })) : cursor.part === "rows" ? (after ? t("campanile.next.rows", { tower: towerName(after) }) : t("campanile.next.tokens")) : null;
  return [
    part,
    h(
      "div",
      { class: "pad-foot" },
      cursor.part === "rows" && draft.towers[cursor.tower].rows.length > 0 && h("button", { type: "button", key: "clear", class: "button small-one", on: { click: () => put({ type: "clear" }) } }, t("campanile.clear", { tower: towerName(cursor.tower) })),
      cursor.part === "height" && h("button", { type: "button", key: "swap", class: "button small-one", on: { click: () => put({ type: "swap" }) } }, t("campanile.swap", { tower: towerName(cursor.tower) })),
      cursor.part === "tokens" && draft.tokens.some((/** @type {number[]} */ own) => own.length) && h("button", { type: "button", key: "clear-tokens", class: "button small-one", on: { click: () => put({ type: "clear-tokens" }) } }, t("campanile.clear-tokens")),
      h("button", { type: "button", key: "next", class: "button main", on: { click: () => (next ? put({ type: "next" }) : finish()) } }, next ?? t("result")),
      cursor.part !== "tokens" && h("button", { type: "button", key: "intermezzo", class: "button small-one", on: { click: () => put({ type: "choose", part: "tokens" }) } }, t("campanile.intermezzo")),
    ),
  ];
}

/** @param {Context} context */
function heights({ draft, cursor, enter: put }) {
  const most = Math.min(highest(draft), HIGHEST_SHOWN);
  return [
    h("p", { class: "label", id: "height-label" }, t("campanile.field.height", { tower: towerName(cursor.tower) })),
    h("div", { class: "choice five", role: "group", "aria-labelledby": "height-label", "data-group": "" }, Array.from({ length: most + 1 }, (_, height) => h("button", { type: "button", key: `n${height}`, "aria-pressed": draft.towers[cursor.tower].height === height, on: { click: () => put({ type: "height", height }) } }, height))),
    highest(draft) > most && h("p", { class: "label" }, t("campanile.higher-still", { most: highest(draft) })),
  ];
}

/** @param {Context} context */
function markers({ draft, cursor, enter: put, names, tell }) {
  return h(
    "table",
    { class: "matrix" },
    h("colgroup", {}, h("col", { class: "who" })),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("campanile.left")), SIZES.map((size) => h("th", { scope: "col" }, t(`campanile.${size}`))))),
    h(
      "tbody",
      { "data-group": "" },
      names.map((name, seat) =>
        h(
          "tr",
          { key: `m${seat}` },
          h("th", { scope: "row", title: name }, h("span", {}, mark(seat), h("bdi", { class: "name" }, name))),
          SIZES.map((size) => {
            const left = MARKERS[size] - placed(draft, seat, size);
            const tap = () => (left > 0 ? put({ type: "marker", seat, size }) : tell(t("campanile.none-left", { name, size: t(`campanile.${size}`), box: MARKERS[size] })));
            return h("td", {}, h("button", { type: "button", "aria-disabled": left > 0 ? undefined : "true", on: { click: tap } }, labelled(t("campanile.marker", { name, size: t(`campanile.${size}`), left, tower: towerName(cursor.tower) }), VALUE[size], h("small", {}, `${left}×`))));
          }),
        ),
      ),
    ),
  );
}

/** @param {Context} context */
function tokens(context) {
  const { draft, enter: put, names, tell } = context;
  const values = [...new Set(flags(draft))].sort((one, other) => other - one);
  const box = (/** @type {number} */ value) => flags(draft).filter((one) => one === value).length;
  const left = (/** @type {number} */ value) => box(value) - draft.tokens.flat().filter((/** @type {number} */ one) => one === value).length;
  return [
    h(
      "table",
      { class: "matrix", ...(context.findingsAt("tokens").length ? { "aria-describedby": idOf("finding", "tokens") } : {}) },
      h("colgroup", {}, h("col", { class: "who wide" })),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("campanile.tokens-left")), values.map((value) => h("th", { scope: "col" }, h("span", { class: "unseen" }, t("campanile.token", { value })), h("span", { "aria-hidden": "true" }, `${left(value)}×`))))),
      h(
        "tbody",
        { "data-group": "" },
        names.map((name, seat) =>
          h(
            "tr",
            { key: `t${seat}` },
            h("th", { scope: "row", title: name }, h("span", {}, mark(seat), h("bdi", { class: "name" }, name), draft.tokens[seat].length > 0 && h("b", {}, draft.tokens[seat].join("+")))),
            values.map((value) => {
              const tap = () => (left(value) > 0 ? put({ type: "token", seat, value }) : tell(t("campanile.token-used", { value, box: box(value) })));
              return h("td", {}, h("button", { type: "button", "aria-disabled": left(value) > 0 ? undefined : "true", on: { click: tap } }, labelled(t("campanile.token-for", { name, value, left: left(value) }), value)));
            }),
          ),
        ),
      ),
    ),
    findings(context, "tokens", t("campanile.intermezzo")),
  ];
}
