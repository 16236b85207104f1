// The Palaces of Carrara: a sheet of figures, a column for each player.

import { h } from "../dom.js";
import { icon, mark } from "../icons.js";
import { afterKey, keypad, sumOf } from "../keys.js";
import { columnName, findingProps, findings, labelled, replaced } from "../parts.js";
import { number, t } from "../words.js";

/** @typedef {import("../game.js").Context} Context */
/** @typedef {import("../game.js").Entry} Entry */
/** @typedef {{points: string, costs: number[], built: boolean, objects: string, coins: string, blocks: string}} Seat figures as typed, sums such as "12+5" */
/** @typedef {{seats: Seat[], blocks: boolean}} Draft `blocks`: whether the blocks left are asked for */
/** @typedef {{seat: number, row: Row, begun: boolean, high?: boolean}} Cursor `begun`: whether the next digit goes on with what stands there; `high`: whether a number is typed that is not shown */
/** @typedef {"points" | "costs" | "objects" | "coins" | "blocks"} Row */

/** @type {Row[]} */
const ROWS = ["points", "costs", "objects", "coins"];
export const COSTS = [1, 2, 3, 4, 5];
/** Of each cost there is one building of each of six types. */
export const BUILDINGS_OF_A_COST = 6;
/** The numbers of objects and coins that are shown at once, from 0. */
const NUMBERS = 23;

/** @returns {Seat} */
const emptySeat = () => ({ points: "", costs: [], built: false, objects: "", coins: "", blocks: "" });
/** @param {Draft} draft */
const rowsOf = (draft) => (draft.blocks ? [...ROWS, /** @type {Row} */ ("blocks")] : ROWS);
/** @param {Seat} seat @param {Row} row */
const isThere = (seat, row) => (row === "costs" ? seat.built || seat.costs.length > 0 : sumOf(seat[row]) !== undefined);
/** @param {Draft} draft @param {number} at @param {Partial<Seat>} part */
const withSeat = (draft, at, part) => ({ ...draft, seats: replaced(draft.seats, at, { ...draft.seats[at], ...part }) });

/** @type {import("../game.js").GamePad} */
export default {
  englishTitle: "The Palaces of Carrara",
  common: true,
  hasPlayerRow: true,
  options: [],
  begin: (players) => ({ draft: { seats: Array.from({ length: players }, emptySeat), blocks: false }, cursor: { seat: 0, row: "points", begun: false } }),
  enter,
  sheet(/** @type {Draft} */ draft, names) {
    const seats = draft.seats.map((seat, at) => {
      const figures = { points: sumOf(seat.points), objects: sumOf(seat.objects), costs: isThere(seat, "costs") ? seat.costs : undefined, coins: sumOf(seat.coins), blocks: sumOf(seat.blocks) };
      return { name: names[at], ...Object.fromEntries(Object.entries(figures).filter(([, value]) => value !== undefined)) };
    });
    return { game: "carrara", schema_version: 1, seats };
  },
  draftOf(sheet) {
    const figure = (/** @type {any} */ value) => (value === undefined ? "" : String(Array.isArray(value) ? value.length : value));
    const seats = sheet.seats.map((/** @type {any} */ seat) => ({ points: figure(seat.points), costs: seat.costs ?? [], built: seat.costs !== undefined, objects: figure(seat.objects), coins: figure(seat.coins), blocks: figure(seat.blocks) }));
    return { draft: { seats, blocks: seats.some((/** @type {Seat} */ seat) => seat.blocks !== "") }, cursor: { seat: 0, row: "points", begun: false } };
  },
  reseated: (/** @type {Draft} */ draft, order) => ({ ...draft, seats: order.map((seat) => (seat === null ? emptySeat() : draft.seats[seat])) }),
  hasEntries: (/** @type {Draft} */ draft, seat) => ROWS.some((row) => isThere(draft.seats[seat], row)),
  firstFieldOf: (seat) => `points/${seat}`,
  missingFields,
  fieldOf(pointer) {
    const [, , seat, member] = pointer.split("/");
    return seat === undefined || member === undefined ? "table" : `${member}/${seat}`;
  },
  goTo(field, draft, cursor) {
    const [row, seat] = field.split("/");
    return seat === undefined ? cursor : { seat: Number(seat), row, begun: false };
  },
  nameOf(field, names) {
    const [row, seat] = field.split("/");
    return seat === undefined ? t("carrara.all") : `${names[Number(seat)]}, ${t(`carrara.${row}`)}`;
  },
  seatOf: (field) => (field.includes("/") ? Number(field.split("/")[1]) : undefined),
  picture,
  pad,
  hint: ({ cursor, names }) => t(`carrara.hint.${cursor.row}`, { name: names[cursor.seat] }),
  key(key, draft, cursor) {
    if (key === "Enter") return { type: "next" };
    if (cursor.row === "costs") return COSTS.includes(Number(key)) ? { type: "cost", cost: Number(key) } : key === "Backspace" ? { type: "cost-back" } : undefined;
    return /^[\d+]$/.test(key) || key === "Backspace" ? { type: "press", key } : undefined;
  },
  inWords: (line) => ({ group: "", reason: t(`line.${line.rule}`, { number: line.number ?? 0, costs: (line.costs ?? []).join(" + ") || "0", coins: line.coins ?? 0 }) }),
  tieField: (seat) => `blocks/${seat}`,
  tieForm(context, seat) {
    const { draft, enter: put, names } = context;
    const value = sumOf(draft.seats[seat].blocks);
    const field = `blocks-${seat}`;
    return h(
      "p",
      { class: "pad-title" },
      mark(seat),
      h("label", { for: field }, `${names[seat]}, ${t("carrara.blocks")}`),
      h("input", { id: field, ...findingProps(context, `blocks/${seat}`), type: "number", min: 0, max: 42, inputmode: "numeric", value: value === undefined ? "" : String(value), on: { input: (/** @type {any} */ event) => put({ type: "blocks", seat, text: event.target.value }) } }),
    );
  },
  tieKnown: (/** @type {Draft} */ draft, seat) => sumOf(draft.seats[seat].blocks) !== undefined,
  tieReason: (values) => t("carrara.tie", { values }),
  notes: () => [t("carrara.checked")],
};

/**
 * @param {Draft} draft
 * @param {Cursor} cursor
 * @param {Entry} entry
 * @returns {import("../game.js").EntryResult}
 */
function enter(draft, cursor, entry) {
  const { seat, row } = cursor;
  const own = draft.seats[seat];
  switch (entry.type) {
    case "choose":
      return { draft, cursor: { seat: entry.seat, row: entry.row, begun: false } };
    case "choose-seat":
      return { draft, cursor: { ...cursor, seat: entry.seat, begun: false } };
    case "press": {
      if (row === "costs") return { draft, cursor };
      const before = cursor.begun || entry.key === "Backspace" || entry.key === "+" ? own[row] : "";
      return { draft: withSeat(draft, seat, { [row]: afterKey(before, entry.key) }), cursor: { ...cursor, begun: true } };
    }
    case "number": {
      // Only an empty field is next: another tap would change one that is filled in.
      const next = after(draft, cursor);
      const isNext = !isThere(draft.seats[next.seat], next.row);
      return { draft: withSeat(draft, seat, { [row]: String(entry.number) }), cursor: isNext ? next : cursor };
    }
    case "high":
      return { draft, cursor: { ...cursor, high: true, begun: false } };
    case "cost": {
      const all = draft.seats.flatMap((one) => one.costs).filter((cost) => cost === entry.cost).length;
      if (all >= BUILDINGS_OF_A_COST) return { draft, cursor, say: t("carrara.cost-used", { cost: entry.cost, box: BUILDINGS_OF_A_COST }) };
      return { draft: withSeat(draft, seat, { costs: [...own.costs, entry.cost], built: true }), cursor };
    }
    case "cost-back":
      return { draft: withSeat(draft, seat, { costs: own.costs.slice(0, -1), built: own.costs.length > 1 }), cursor };
    case "next":
      return { draft: row === "costs" ? withSeat(draft, seat, { built: true }) : draft, cursor: after(draft, cursor) };
    case "swap": {
      const rows = rowsOf(draft);
      return { draft, cursor: { seat, row: rows[(rows.indexOf(row) + 1) % rows.length], begun: false } };
    }
    case "blocks":
      return { draft: withSeat({ ...draft, blocks: true }, entry.seat, { blocks: /^\d{1,3}$/.test(entry.text) ? String(Number(entry.text)) : "" }), cursor };
    default:
      return { draft, cursor };
  }
}

/**
 * The field after this one: the next player of the row, then the next row.
 * @param {Draft} draft
 * @param {Cursor} cursor
 * @returns {Cursor}
 */
function after(draft, { seat, row }) {
  const rows = rowsOf(draft);
  if (seat + 1 < draft.seats.length) return { seat: seat + 1, row, begun: false };
  return { seat: 0, row: rows[(rows.indexOf(row) + 1) % rows.length], begun: false };
}

/** @param {Context} context */
function picture(context) {
  const { draft, cursor, enter: put, names, totals, stale, lines } = context;
  const seats = /** @type {Draft} */ (draft).seats;
  const wrong = (/** @type {number} */ seat) => rowsOf(draft).some((row) => context.findingsAt(`${row}/${seat}`).length);
  const shown = (/** @type {Row} */ row, /** @type {number} */ at) => {
    const seat = seats[at];
    if (!isThere(seat, row)) return "–";
    if (row === "costs") return [seat.costs.reduce((sum, cost) => sum + cost, 0), h("small", {}, `${seat.costs.length}×`)];
    const scored = (lines[at] ?? []).find((line) => line.rule === `carrara.scoring.${row}` && (line.number ?? line.coins) === sumOf(seat[row]));
    return [/\+/.test(seat[row]) ? seat[row] : (sumOf(seat[row]) ?? "–"), row !== "points" && row !== "blocks" && scored && h("small", {}, `= ${number(scored.points)}`)];
  };
  return [
    h(
      "table",
      { class: "figures" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("td", {}),
          names.map((name, seat) => {
            const typed = ROWS.some((row) => isThere(seats[seat], row)) && totals[seat] !== undefined;
            return h("th", { scope: "col", title: name, key: `h${seat}` }, mark(seat), h("span", { class: stale ? "points stale" : "points" }, typed ? number(/** @type {number} */ (totals[seat])) : "–", wrong(seat) && icon("warn", { class: "warn" })), columnName(name, seat));
          }),
        ),
      ),
      h(
        "tbody",
        {},
        rowsOf(draft).flatMap((row) => [
          h(
            "tr",
            { key: row },
            h("th", { scope: "row" }, t(`carrara.${row}`)),
            seats.map((_, seat) =>
              h(
                "td",
                { key: `c${seat}` },
                h(
                  "button",
                  {
                    type: "button",
                    "data-types": "",
                    class: context.findingsAt(`${row}/${seat}`).length ? "found" : "",
                    "aria-pressed": cursor.seat === seat && cursor.row === row,
                    ...findingProps(context, `${row}/${seat}`),
                    on: { click: () => put({ type: "choose", seat, row }) },
                  },
                  labelled(`${names[seat]}, ${t(`carrara.${row}`)}: ${isThere(seats[seat], row) ? (row === "costs" ? seats[seat].costs.join(" + ") || "0" : seats[seat][row]) : t("carrara.untyped")}`, shown(row, seat)),
                ),
              ),
            ),
          ),
          seats.some((_, seat) => context.findingsAt(`${row}/${seat}`).length) &&
            h("tr", { key: `${row}-findings`, class: "findings" }, h("td", { colspan: names.length + 1 }, seats.map((_, seat) => findings(context, `${row}/${seat}`, `${names[seat]}, ${t(`carrara.${row}`)}`)))),
        ]),
      ),
    ),
    findings(context, "table", t("carrara.all")),
  ];
}

/** The fields that are still empty. @param {Draft} draft */
function missingFields(draft) {
  return draft.seats.flatMap((seat, at) => ROWS.filter((row) => !isThere(seat, row)).map((row) => `${row}/${at}`));
}

/** @param {Context} context */
function pad({ draft, cursor, enter: put, names, finish }) {
  const { seat, row } = /** @type {Cursor} */ (cursor);
  const next = after(draft, cursor);
  const isDone = !missingFields(draft).length;
  const go = () => (isDone ? finish() : put({ type: "next" }));
  const nextName = isDone ? t("result") : next.row === row ? t("carrara.next", { name: names[next.seat] }) : t("carrara.next", { name: t(`carrara.${next.row}`) });
  if (row === "costs") {
    const own = draft.seats[seat].costs;
    return [
      h("p", { class: "small", "aria-live": "polite" }, own.length ? own.join(" + ") : t("carrara.none-yet")),
      h("div", { class: "choice five", role: "group", "aria-label": t("carrara.costs"), "data-group": "" }, COSTS.map((cost) => h("button", { type: "button", key: `k${cost}`, on: { click: () => put({ type: "cost", cost }) } }, labelled(t("carrara.building", { cost }), cost)))),
      h("div", { class: "pad-foot pair" }, h("button", { type: "button", class: "button small-one", on: { click: () => put({ type: "cost-back" }) } }, t("carrara.cost-back")), h("button", { type: "button", class: "button main", on: { click: go } }, nextName)),
    ];
  }
  const keys = { press: (/** @type {string} */ key) => put({ type: "press", key }), swap: () => put({ type: "swap" }) };
  const typed = sumOf(draft.seats[seat][row]);
  if ((row !== "objects" && row !== "coins") || cursor.high || (typed ?? 0) >= NUMBERS) return keypad({ ...keys, next: nextName, go });
  return [
    h(
      "div",
      { class: "choice six", role: "group", "aria-label": t(`carrara.${row}`), "data-group": "" },
      Array.from({ length: NUMBERS }, (_, at) => h("button", { type: "button", key: `n${at}`, "aria-pressed": typed === at, on: { click: () => put({ type: "number", number: at }) } }, at)),
      h("button", { type: "button", key: "high", class: "plain", on: { click: () => put({ type: "high" }) } }, t("carrara.more")),
    ),
    h("div", { class: "pad-foot" }, h("button", { type: "button", class: "button main", on: { click: go } }, nextName)),
  ];
}
