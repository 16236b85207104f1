// Campanile: one table, five towers; under each the rows of markers in their order, and the tokens of the Intermezzo.

import { h } from "../dom.js";
import { mark } from "../icons.js";
import { columnName, findingProps, findings, labelled, replaced } from "../parts.js";
import { list, t } from "../words.js";

/** @typedef {import("../game.js").Context} Context */
/** @typedef {import("../game.js").Entry} Entry */
/** @typedef {"small" | "medium" | "large"} Size */
/** @typedef {{seat: number, markers: Size[]}} Row */
/** @typedef {{height?: number, rows: Row[], placed?: number[]}} Tower `placed`: whose markers they are, in the order typed in */
/** @typedef {{players: number, towers: {[style: string]: Tower}, tokens: number[][], order: string[], move_medium_marker: boolean}} Draft */
/** @typedef {"height" | "rows" | "tokens"} Part */
/** @typedef {{part: Part, tower: string, high?: boolean}} Cursor `high`: whether the higher numbers are shown */

const STYLES = ["a", "b", "c", "d", "e"];
const SIZES = /** @type {Size[]} */ (["small", "medium", "large"]);
const VALUE = { small: 1, medium: 2, large: 3 };
export const MARKERS = { small: 5, medium: 3, large: 1 };
/** The tokens on the flags of the Intermezzo, each flag for one tower. */
const FLAGS = { two: [4, 2, 3, 2, 2, 1, 1], more: [4, 2, 3, 1, 2, 1] };
const RANKS = ["I", "II", "III", "IV", "V"];
const CARDS = { two: 6, more: 12 };
/** The numbers that are shown at once. */
const NUMBERS = 24;
const PARTS = /** @type {Part[]} */ (["height", "rows", "tokens"]);

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

/** The towers as high as one, itself among them, the nearest to the display first. @param {Draft} draft @param {string} style */
const levelWith = (draft, style) => draft.order.filter((one) => draft.towers[one].height !== undefined && draft.towers[one].height === draft.towers[style].height);
/** @param {Draft} draft @param {string} style */
const rankOf = (draft, style) => RANKS[ranking(draft).indexOf(style)];
/** @param {Tower} tower */
const placedOn = ({ rows, placed: order }) => order ?? rows.flatMap((row) => row.markers.map(() => row.seat));

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
    return part === "rows" ? { type: "clear-rows", tower } : part === "tokens" ? { type: "clear-tokens" } : undefined;
  },
  seatOf: () => undefined,
  picture,
  pad,
  hint({ draft, cursor: { part, tower } }) {
    if (part !== "rows") return t(`campanile.hint.${part}`, { tower: towerName(tower) });
    const [first, ...others] = levelWith(draft, tower);
    if (!others.length) return t("campanile.hint.rows", { tower: towerName(tower) });
    return t("campanile.level", { towers: list([first, ...others].map(towerName)), first: towerName(first) });
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
  tieKnown: () => true,
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
    case "high":
      return { draft, cursor: { ...cursor, high: entry.high } };
    case "height": {
      const next = withTower(draft, style, { height: entry.height });
      if (allHeights(draft)) return { draft: next, cursor: { part: "height", tower: style } };
      if (allHeights(next)) return { draft: next, cursor: { part: "rows", tower: "a" }, say: t("campanile.heights-done", { tower: towerName("a") }) };
      return { draft: next, cursor: { part: "height", tower: nextWithoutHeight(next, style) } };
    }
    case "digit": {
      const grown = Number(`${draft.towers[style].height ?? ""}${entry.digit}`);
      return { draft: withTower(draft, style, { height: grown <= highest(draft) ? grown : Number(entry.digit) }), cursor };
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
      return { draft: withTower(draft, style, { rows: next, placed: [...placedOn(draft.towers[style]), entry.seat] }), cursor };
    }
    case "marker-back": {
      const order = placedOn(draft.towers[style]);
      const rows = draft.towers[style].rows.map((row) => (row.seat === order.at(-1) ? { ...row, markers: row.markers.slice(0, -1) } : row));
      return { draft: withTower(draft, style, { rows: rows.filter((row) => row.markers.length), placed: order.slice(0, -1) }), cursor };
    }
    case "clear-rows":
      return { draft: withTower(draft, entry.tower, { rows: [], placed: [] }), cursor: { part: "rows", tower: entry.tower } };
    case "token": {
      // As many as there are, then none again.
      const own = draft.tokens[entry.seat];
      const next = tokensLeft(draft, entry.value) > 0 ? [...own, entry.value] : own.filter((one) => one !== entry.value);
      return { draft: { ...draft, tokens: replaced(draft.tokens, entry.seat, next) }, cursor };
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

/** @param {Draft} draft @param {string} style */
function nextWithoutHeight(draft, style) {
  const from = STYLES.indexOf(style) + 1;
  return [...STYLES.slice(from), ...STYLES.slice(0, from)].find((one) => draft.towers[one].height === undefined) ?? style;
}

/** How many tokens of a value have not been given to anybody. @param {Draft} draft @param {number} value */
function tokensLeft(draft, value) {
  const of = (/** @type {number[]} */ tokens) => tokens.filter((one) => one === value).length;
  return Math.max(0, of(flags(draft)) - of(draft.tokens.flat()));
}

// --- the picture -----------------------------------------------------------------------------------------------------

const ROOFS = ["M0 20L24 0L48 20z", "M4 20V8H44V20z", "M4 20a20 18 0 0 1 40 0z", "M2 20V12H10V4H38V12H46V20z", "M14 20L24 0L34 20z"];

/** A tower as high as its floors, in what room there is. @param {Draft} draft @param {string} style */
function drawn(draft, style) {
  const floors = draft.towers[style].height;
  const most = Math.max(1, ...STYLES.map((one) => draft.towers[one].height ?? 0));
  return h(
    "span",
    { class: floors === undefined ? "tower untyped" : "tower", style: { "--floors": String(floors ?? 0), "--most": String(most) } },
    h("svg", { viewBox: "0 0 48 20", "aria-hidden": "true" }, h("path", { d: ROOFS[STYLES.indexOf(style)], fill: "var(--ink2)" })),
    h("span", { class: `floors stone-${style}` }),
  );
}

/** @param {Context} context */
function picture(context) {
  const { draft, cursor } = context;
  return [
    steps(context),
    h(
      "div",
      { class: cursor.part === "height" ? "towers" : "towers folded", key: cursor.part === "height" ? "towers" : "folded" },
      h(
        "div",
        cursor.part === "height" ? { class: "row-of-towers", role: "group", "aria-label": t("campanile.heights"), "data-group": "" } : { class: "row-of-towers", "aria-hidden": "true" },
        draft.order.map((/** @type {string} */ style) => (cursor.part === "height" ? tower(context, style) : h("span", { class: "of", key: style }, drawn(draft, style)))),
      ),
    ),
    cursor.part === "rows" && h("div", { class: "columns", key: "columns", role: "group", "aria-label": t("campanile.rows"), "data-group": "" }, draft.order.map((/** @type {string} */ style) => column(context, style))),
    STYLES.flatMap((style) => [findings(context, `height/${style}`, t("campanile.field.height", { tower: towerName(style) })), findings(context, `rows/${style}`, t("campanile.field.rows", { tower: towerName(style) }))]),
    findings(context, "tokens", t("campanile.intermezzo")),
    findings(context, "table", t("campanile.all")),
  ];
}

/** The three steps, each with what is done. @param {Context} context */
function steps({ draft, cursor, enter: put, findingsAt }) {
  const heights = STYLES.filter((style) => draft.towers[style].height !== undefined).length;
  const markers = STYLES.filter((style) => draft.towers[style].rows.length).length;
  const tokens = draft.tokens.flat().length;
  const done = {
    height: heights < STYLES.length ? t("campanile.of", { done: heights, all: STYLES.length }) : t("campanile.done"),
    rows: cursor.part === "rows" ? t("campanile.group-of", { tower: towerName(cursor.tower) }) : markers ? t("campanile.of", { done: markers, all: STYLES.length }) : "–",
    tokens: tokens ? t("campanile.of", { done: tokens, all: flags(draft).length }) : "–",
  };
  const wrong = (/** @type {Part} */ part) => (part === "tokens" ? findingsAt("tokens") : STYLES.flatMap((style) => findingsAt(`${part}/${style}`))).length;
  return h(
    "div",
    { class: "steps", role: "group", "aria-label": t("campanile.steps"), "data-group": "" },
    PARTS.map((part, at) =>
      h(
        "button",
        { type: "button", key: part, "aria-pressed": cursor.part === part, on: { click: () => put({ type: "choose", part }) } },
        h("span", {}, `${at + 1} ${t(`campanile.step.${part}`)}`),
        h("small", { class: wrong(part) ? "wrong" : "" }, wrong(part) ? t("campanile.findings", { findings: wrong(part) }) : done[part]),
      ),
    ),
  );
}

/** @param {Context} context @param {string} style */
function tower(context, style) {
  const { draft, cursor, enter: put } = context;
  const height = draft.towers[style].height;
  const field = `height/${style}`;
  return h(
    "button",
    { type: "button", "data-types": "", key: style, class: context.findingsAt(field).length ? "of found" : "of", "aria-pressed": cursor.tower === style, ...findingProps(context, field), on: { click: () => put({ type: "choose", part: "height", tower: style }) } },
    labelled(t("campanile.height-of", { tower: towerName(style), height: height ?? "–" }), drawn(draft, style), h("span", { class: "letter" }, towerName(style)), h("b", { class: height === undefined && cursor.tower === style ? "tap" : "" }, height ?? (cursor.tower === style ? t("campanile.tap") : "–"))),
  );
}

/** @param {Context} context @param {string} style */
function column(context, style) {
  const { draft, cursor, enter: put, names } = context;
  const { rows, height } = /** @type {Draft} */ (draft).towers[style];
  const field = `rows/${style}`;
  const values = (/** @type {Row} */ row) => row.markers.map((size) => VALUE[size]).join("+");
  const inWords = rows.length ? rows.map((row) => `${names[row.seat]} ${values(row)}`).join(", ") : t("campanile.no-markers");
  return h(
    "button",
    { type: "button", key: style, class: context.findingsAt(field).length ? "column found" : "column", "aria-pressed": cursor.tower === style, ...findingProps(context, field), on: { click: () => put({ type: "choose", part: "rows", tower: style }) } },
    labelled(
      t("campanile.rows-of", { tower: towerName(style), rows: inWords }),
      h("span", { class: "head" }, h("b", {}, towerName(style)), allHeights(draft) && h("small", {}, `${rankOf(draft, style)} · ${height}`)),
      rows.map((row) => h("span", { class: "row", key: `r${row.seat}` }, mark(row.seat, true), values(row))),
    ),
  );
}

// --- the pad -----------------------------------------------------------------------------------------------------------

/** @param {Context} context */
function pad(context) {
  const { cursor } = context;
  return cursor.part === "height" ? heights(context) : cursor.part === "rows" ? markers(context) : tokens(context);
}

/** @param {Context} context */
function heights({ draft, cursor, enter: put }) {
  const most = highest(draft);
  const from = cursor.high ? NUMBERS : 0;
  const numbers = Array.from({ length: Math.min(most + 1 - from, cursor.high ? most + 1 : NUMBERS) }, (_, at) => from + at);
  const isLevel = allHeights(draft) && levelWith(draft, cursor.tower).length > 1;
  return [
    h(
      "div",
      { class: "choice five", role: "group", "aria-label": t("campanile.field.height", { tower: towerName(cursor.tower) }), "data-group": "" },
      numbers.map((height) => h("button", { type: "button", key: `n${height}`, "aria-pressed": draft.towers[cursor.tower].height === height, on: { click: () => put({ type: "height", height }) } }, height)),
      most >= NUMBERS && h("button", { type: "button", key: "high", class: "plain", on: { click: () => put({ type: "high", high: !cursor.high }) } }, cursor.high ? `0–${NUMBERS - 1}` : t("campanile.more")),
    ),
    isLevel && h("div", { class: "pad-foot" }, h("button", { type: "button", key: "swap", class: "button small-one", on: { click: () => put({ type: "swap" }) } }, t("campanile.swap", { tower: towerName(cursor.tower) }))),
  ];
}

/** @param {Context} context */
function markers({ draft, cursor, enter: put, names, tell }) {
  const after = STYLES[STYLES.indexOf(cursor.tower) + 1];
  return [
    h(
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
            h("th", { scope: "row", title: name }, h("span", {}, mark(seat), columnName(name, seat))),
            SIZES.map((size) => {
              const left = MARKERS[size] - placed(draft, seat, size);
              const tap = () => (left > 0 ? put({ type: "marker", seat, size }) : tell(t("campanile.none-left", { name, size: t(`campanile.${size}`), box: MARKERS[size] })));
              return h("td", {}, h("button", { type: "button", "aria-disabled": left > 0 ? undefined : "true", on: { click: tap } }, labelled(t("campanile.marker", { name, size: t(`campanile.${size}`), left, tower: towerName(cursor.tower) }), VALUE[size], h("small", {}, `${left}×`))));
            }),
          ),
        ),
      ),
    ),
    h(
      "div",
      { class: "pad-foot pair" },
      h("button", { type: "button", key: "back", class: "button small-one", "aria-disabled": draft.towers[cursor.tower].rows.length ? undefined : "true", on: { click: () => put({ type: "marker-back" }) } }, t("campanile.marker-back")),
      h("button", { type: "button", key: "next", class: "button main", on: { click: () => put({ type: "next" }) } }, after ? t("campanile.next.tower", { tower: towerName(after) }) : t("campanile.next.tokens")),
    ),
  ];
}

/** @param {Context} context */
function tokens(context) {
  const { draft, enter: put, names, tell, finish } = context;
  const values = [...new Set(flags(draft))].sort((one, other) => one - other);
  return [
    h(
      "table",
      { class: "matrix", ...findingProps(context, "tokens"), "aria-invalid": undefined },
      h("colgroup", {}, h("col", { class: "who" })),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("campanile.tokens-left")), values.map((value) => h("th", { scope: "col" }, h("span", { class: "unseen" }, t("campanile.token", { value })), h("span", { "aria-hidden": "true" }, `${tokensLeft(draft, value)}×`))))),
      h(
        "tbody",
        { "data-group": "" },
        names.map((name, seat) =>
          h(
            "tr",
            { key: `t${seat}` },
            h("th", { scope: "row", title: name }, h("span", {}, mark(seat), columnName(name, seat))),
            values.map((value) => {
              const own = draft.tokens[seat].filter((/** @type {number} */ one) => one === value).length;
              const left = tokensLeft(draft, value);
              const box = flags(draft).filter((one) => one === value).length;
              const tap = () => (left > 0 || own ? put({ type: "token", seat, value }) : tell(t("campanile.token-used", { value, box })));
              return h("td", {}, h("button", { type: "button", class: "filled", "aria-disabled": left > 0 || own ? undefined : "true", "aria-pressed": own > 0, on: { click: tap } }, labelled([t("campanile.token-for", { name, value, left }), own > 1 ? `${own}×` : ""].filter(Boolean).join(", "), value, own > 1 && h("small", {}, `${own}×`))));
            }),
          ),
        ),
      ),
    ),
    h("div", { class: "pad-foot" }, h("button", { type: "button", key: "next", class: "button main", on: { click: finish } }, t("result"))),
  ];
}
