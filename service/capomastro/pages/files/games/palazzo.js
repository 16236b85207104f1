// Palazzo: each player's palaces, tile by tile or in outline.

import { h } from "../dom.js";
import { mark } from "../icons.js";
import { checkbox, findingProps, findings, labelled, replaced } from "../parts.js";
import { capitalized, list, number, t } from "../words.js";

/** @typedef {import("../game.js").Context} Context */
/** @typedef {import("../game.js").Entry} Entry */
/** @typedef {{floors: number, windows: number, material: "one" | "mixed"}} Outline */
/** @typedef {string[] | Outline} Palace */
/** @typedef {{palaces: Palace[], hand?: string[]}} Seat */
/** @typedef {{seats: Seat[]}} Draft */
/** @typedef {{seat: number, palace: number, storey?: number, outline: boolean, floors?: number, one: boolean}} Cursor `storey`: which one of the palace is to be replaced */

export const MATERIALS = ["brick", "sandstone", "marble"];
export const FLOORS = [1, 2, 3, 4, 5];
export const WINDOWS = [1, 2, 3];
const CURRENCIES = ["red", "green", "blue"];
const VALUES = [3, 4, 5, 6, 7];
const CERTIFICATE = "certificate-2";

/** @param {string} tile */
export const copies = (tile) => (tile.endsWith("-3-1") ? 2 : 1);
/** @param {string} card */
const copiesOfCard = (card) => (card === CERTIFICATE ? 10 : 3);
/** @param {string} tile */
const parts = (tile) => {
  const [material, floor, windows] = tile.split("-");
  return { material, floor: Number(floor), windows: Number(windows) };
};
/** @param {string} tile */
const named = (tile) => {
  const { material, floor, windows } = parts(tile);
  return t(`palazzo.${material}-{floor}-{windows}`, { floor, windows });
};
/**
 * @param {Palace} palace
 * @returns {palace is Outline}
 */
const isOutline = (palace) => !Array.isArray(palace);

/**
 * Where the copies of a tile lie.
 * @param {Draft} draft
 * @param {string} tile
 */
const placesOf = (draft, tile) =>
  draft.seats.flatMap(({ palaces }, seat) => palaces.flatMap((palace, index) => (isOutline(palace) ? [] : palace).flatMap((one, storey) => (one === tile ? [{ seat, palace: index, storey }] : []))));
/** @param {string[]} tiles */
const rising = (tiles) => [...tiles].sort((one, other) => parts(one).floor - parts(other).floor);
/** @param {string[]} palace @param {string} tile */
const hasFloorOf = (palace, tile) => palace.some((one) => parts(one).floor === parts(tile).floor);

/**
 * @param {Draft} draft
 * @param {number} seat
 * @param {Palace[]} palaces
 * @returns {Draft}
 */
const withPalaces = (draft, seat, palaces) => ({ ...draft, seats: replaced(draft.seats, seat, { ...draft.seats[seat], palaces }) });

/** @type {import("../game.js").GamePad} */
export default {
  englishTitle: "Palazzo",
  common: false,
  options: [],
  begin: (players) => ({ draft: { seats: Array.from({ length: players }, () => ({ palaces: [] })) }, cursor: cursorAt(0) }),
  enter,
  sheet: (/** @type {Draft} */ draft, names) => ({ game: "palazzo", schema_version: 1, seats: draft.seats.map((seat, index) => ({ name: names[index], ...seat })) }),
  draftOf: (sheet) => ({ draft: { seats: sheet.seats.map((/** @type {Seat} */ seat) => ({ palaces: seat.palaces ?? [], ...(seat.hand ? { hand: seat.hand } : {}) })) }, cursor: cursorAt(0) }),
  reseated: (/** @type {Draft} */ draft, order) => ({ seats: order.map((seat) => (seat === null ? { palaces: [] } : draft.seats[seat])) }),
  hasEntries: (/** @type {Draft} */ draft, seat) => draft.seats[seat].palaces.length > 0,
  firstFieldOf: (seat) => `seat/${seat}`,
  missingFields: (/** @type {Draft} */ draft) => (draft.seats.every((seat) => !seat.palaces.length) ? draft.seats.map((_, seat) => `seat/${seat}`) : []),
  fieldOf(pointer) {
    const [, , seat, member, index] = pointer.split("/");
    if (seat === undefined) return "table";
    return member === "palaces" && index !== undefined ? `seat/${seat}/${index}` : member === "hand" ? `hand/${seat}` : `seat/${seat}`;
  },
  goTo(field, draft, cursor) {
    const [, seat, palace] = field.split("/");
    return seat === undefined ? cursor : atPalace(draft, { ...cursor, seat: Number(seat) }, palace === undefined ? -1 : Number(palace));
  },
  nameOf(field, names) {
    const [kind, seat, palace] = field.split("/");
    if (kind === "table") return t("palazzo.all");
    if (kind === "hand") return t("palazzo.hand", { name: names[Number(seat)] });
    return palace === undefined ? names[Number(seat)] : t("palazzo.palace-of", { name: names[Number(seat)], palace: Number(palace) + 1 });
  },
  removal(field) {
    const [kind, seat, palace] = field.split("/");
    return kind === "seat" && palace !== undefined ? { type: "remove", seat: Number(seat), palace: Number(palace) } : undefined;
  },
  seatOf: (field) => (field.includes("/") ? Number(field.split("/")[1]) : undefined),
  picture,
  pad,
  hint,
  key: () => undefined,
  inWords(line) {
    const group = t("palazzo.group", { palace: line.palace + 1, floors: t("palazzo.floors", { floors: line.floors }) });
    const extra = line.points - line.windows;
    const plain = line.rule === "palazzo.scoring.windows" && extra === 0;
    return { group, reason: plain ? t("palazzo.windows", { windows: line.windows }) : t(`line.${line.rule}`, { windows: line.windows, extra }) };
  },
  tieField: (seat) => `hand/${seat}`,
  tieForm,
  tieKnown: (/** @type {Draft} */ draft, seat) => draft.seats[seat].hand !== undefined,
  tieReason: (values) => t("palazzo.tie", { values }),
  onPaper: (/** @type {Draft} */ { seats }, seat) => h("div", { class: "built on-paper" }, seats[seat].palaces.map((palace) => drawn(palace))),
  notes: () => [t("palazzo.checked")],
};

/** @param {number} seat @returns {Cursor} */
function cursorAt(seat) {
  return { seat, palace: -1, outline: false, one: false };
}

/**
 * At a palace; the pad is the one for palaces of its kind.
 * @param {Draft} draft
 * @param {Cursor} cursor
 * @param {number} palace -1 for a new one
 * @returns {Cursor}
 */
function atPalace(draft, { seat, outline }, palace) {
  const chosen = draft.seats[seat].palaces[palace];
  if (!chosen) return { ...cursorAt(seat), outline };
  return isOutline(chosen) ? { seat, palace, outline: true, floors: chosen.floors, one: chosen.floors > 1 && chosen.material === "one" } : { seat, palace, outline: false, one: false };
}

/**
 * @param {Draft} draft
 * @param {Cursor} cursor
 * @param {Entry} entry
 * @returns {import("../game.js").EntryResult}
 */
function enter(draft, cursor, entry) {
  const palaces = draft.seats[cursor.seat]?.palaces ?? [];
  const now = { draft, cursor };
  switch (entry.type) {
    case "choose-seat":
      return { draft, cursor: { ...cursorAt(entry.seat), outline: cursor.outline, palace: cursor.outline ? -1 : draft.seats[entry.seat].palaces.length - 1 } };
    case "choose-palace":
      return { draft, cursor: atPalace(draft, cursor, entry.palace) };
    case "choose-storey":
      return { draft, cursor: { ...atPalace(draft, cursor, entry.palace), storey: cursor.palace === entry.palace && cursor.storey === entry.storey ? undefined : entry.storey } };
    case "mode":
      return { draft, cursor: { ...cursorAt(cursor.seat), outline: entry.outline, palace: entry.outline ? -1 : cursor.palace } };
    case "tile":
      return placed(draft, cursor, entry.tile);
    case "move":
      return moved(draft, cursor, entry.tile);
    case "floors":
      return { draft, cursor: { ...cursor, floors: entry.floors, one: entry.floors > 1 && cursor.one } };
    case "one":
      return { draft, cursor: { ...cursor, one: !cursor.one } };
    case "windows": {
      if (cursor.floors === undefined) return now;
      /** @type {Outline} */
      const palace = { floors: cursor.floors, windows: entry.windows, material: cursor.one || cursor.floors === 1 ? "one" : "mixed" };
      const next = cursor.palace >= 0 ? replaced(palaces, cursor.palace, palace) : [...palaces, palace];
      return { draft: withPalaces(draft, cursor.seat, next), cursor: { ...cursor, palace: -1, floors: undefined, one: false } };
    }
    case "take-off": {
      const palace = palaces[cursor.palace];
      if (!palace) return now;
      if (isOutline(palace) || palace.length === 1) return enter(draft, cursor, { type: "remove", seat: cursor.seat, palace: cursor.palace });
      const gone = cursor.storey ?? palace.length - 1;
      return { draft: withPalaces(draft, cursor.seat, replaced(palaces, cursor.palace, palace.filter((_, storey) => storey !== gone))), cursor: { ...cursor, storey: undefined } };
    }
    case "remove": {
      const rest = draft.seats[entry.seat].palaces.filter((_, index) => index !== entry.palace);
      return { draft: withPalaces(draft, entry.seat, rest), cursor: { ...cursorAt(entry.seat), outline: cursor.outline } };
    }
    case "hand": {
      const seat = { ...draft.seats[entry.seat], hand: entry.hand };
      return { draft: { ...draft, seats: replaced(draft.seats, entry.seat, seat) }, cursor };
    }
    default:
      return now;
  }
}

/**
 * A tile goes on top of the chosen palace; one that does not fit there begins a new palace, with a message.
 * @param {Draft} draft
 * @param {Cursor} cursor
 * @param {string} tile
 * @returns {import("../game.js").EntryResult}
 */
function placed(draft, cursor, tile) {
  const palaces = draft.seats[cursor.seat].palaces;
  const below = palaces[cursor.palace];
  const { floor } = parts(tile);
  if (below && !isOutline(below) && cursor.storey !== undefined) {
    const others = below.filter((_, storey) => storey !== cursor.storey);
    if (hasFloorOf(others, tile)) return { draft, cursor, say: t("palazzo.floor-there", { floor }) };
    const say = capitalized(t("palazzo.exchanged", { tile: named(tile), before: named(below[cursor.storey]) }));
    return { draft: withPalaces(draft, cursor.seat, replaced(palaces, cursor.palace, rising([...others, tile]))), cursor: { ...cursor, storey: undefined }, say };
  }
  if (below && !isOutline(below) && floor > parts(/** @type {string} */ (below.at(-1))).floor) {
    return { draft: withPalaces(draft, cursor.seat, replaced(palaces, cursor.palace, [...below, tile])), cursor };
  }
  const top = below && !isOutline(below) ? parts(/** @type {string} */ (below.at(-1))).floor : undefined;
  const say = top === undefined ? undefined : t("palazzo.new-begun", { floor, top });
  return { draft: withPalaces(draft, cursor.seat, [...palaces, [tile]]), cursor: { ...cursor, palace: palaces.length }, say };
}

/**
 * A tile that lies elsewhere comes into the chosen palace: at its floor, or instead of the chosen storey, else into a new palace.
 * @param {Draft} draft
 * @param {Cursor} cursor
 * @param {string} tile
 * @returns {import("../game.js").EntryResult}
 */
function moved(draft, cursor, tile) {
  const from = placesOf(draft, tile).findLast((place) => place.seat !== cursor.seat || place.palace !== cursor.palace);
  if (!from) return { draft, cursor };
  const left = /** @type {string[]} */ (draft.seats[from.seat].palaces[from.palace]).filter((_, storey) => storey !== from.storey);
  const without = withPalaces(draft, from.seat, draft.seats[from.seat].palaces.flatMap((palace, index) => (index !== from.palace ? [palace] : left.length ? [left] : [])));
  const isBefore = !left.length && from.seat === cursor.seat && from.palace < cursor.palace;
  const here = { ...cursor, palace: isBefore ? cursor.palace - 1 : cursor.palace };
  const palaces = without.seats[cursor.seat].palaces;
  const chosen = palaces[here.palace];
  if (chosen && !isOutline(chosen) && cursor.storey !== undefined) return { ...placed(without, here, tile) };
  const say = capitalized(t("palazzo.moved", { tile: named(tile) }));
  if (!chosen || isOutline(chosen) || hasFloorOf(chosen, tile)) return { draft: withPalaces(without, cursor.seat, [...palaces, [tile]]), cursor: { ...here, palace: palaces.length }, say };
  return { draft: withPalaces(without, cursor.seat, replaced(palaces, here.palace, rising([...chosen, tile]))), cursor: here, say };
}

// --- the picture -----------------------------------------------------------------------------------------------------

const WIDTH = 84;
const STOREY = 24;
const GABLE = 26;

/** @param {string} material @param {number} y @param {number} x @param {number} width @param {number} height */
function pattern(material, y, x, width, height) {
  const box = { x, y, width, height };
  const rows = Math.max(3, Math.round(height / 7));
  const row = height / rows;
  const columns = (/** @type {number} */ step, /** @type {number} */ odd, /** @type {number} */ even) =>
    Array.from({ length: rows }, (_, line) => Array.from({ length: Math.ceil(width / step) }, (_, at) => ({ x: x + at * step + (line % 2 ? odd : even), y: y + line * row })).filter((one) => one.x > x + 1 && one.x < x + width - 1)).flat();
  if (material === "brick") {
    const beds = Array.from({ length: rows - 1 }, (_, at) => `M${x} ${y + (at + 1) * row}h${width}`);
    const joints = columns(14, 7, 0).map((one) => `M${one.x} ${one.y}v${row}`);
    return [h("rect", { ...box, fill: "var(--brick)" }), h("path", { d: [...beds, ...joints].join(""), stroke: "var(--mortar)", "stroke-width": 1, fill: "none" })];
  }
  if (material === "sandstone") {
    const dots = columns(9, 2.5, 7).map((one) => `M${one.x} ${one.y + row / 2}h.01`);
    return [h("rect", { ...box, fill: "var(--sandstone)" }), h("path", { d: dots.join(""), stroke: "var(--grain)", "stroke-width": 1.8, "stroke-linecap": "round" })];
  }
  return [h("rect", { ...box, fill: "var(--marble)" }), h("path", { d: veins(x, y, width, height), stroke: "var(--vein)", "stroke-width": 1.2, fill: "none" })];
}

/** The approximate width and height of the slab of marble that is repeated to fill a wall. */
const SLAB = 28;
/** Its veins, in a square of 22 units: two straight ones, one with bends. */
const VEINS = [[[1, 12], [12, 1]], [[10, 21], [21, 10]], [[3, 20], [9, 13], [13, 14], [20, 4]]];

/** @param {number} x @param {number} y @param {number} width @param {number} height */
function veins(x, y, width, height) {
  const columns = Math.round(width / SLAB);
  const rows = Math.round(height / SLAB);
  const [wide, high] = [width / columns, height / rows];
  const slabs = Array.from({ length: rows * columns }, (_, at) => [at % columns, Math.floor(at / columns)]);
  const place = (/** @type {number[]} */ [column, row], /** @type {number[]} */ [across, down]) => `${(x + (column + across / 22) * wide).toFixed(1)} ${(y + (row + down / 22) * high).toFixed(1)}`;
  return slabs.flatMap((slab) => VEINS.map((vein) => `M${vein.map((one) => place(slab, one)).join("L")}`)).join("");
}

/** @param {number} count @param {number} x @param {number} y @param {number} width @param {number} size @param {string} [fill] */
function windows(count, x, y, width, size, fill = "var(--window)") {
  return Array.from({ length: count }, (_, at) => {
    const middle = x + (width * (at + 1)) / (count + 1);
    return h("path", { d: `M${middle - size / 2} ${y}v${-size}a${size / 2} ${size / 2} 0 0 1 ${size} 0v${size}z`, fill });
  });
}

/** @param {number} y */
const roof = (y) => h("path", { d: `M0 ${y}l6 -7h${WIDTH - 12}l6 7z`, fill: "var(--ink2)" });

/**
 * The storey of a palace that was tapped; none above the walls, in an outline, or without a pointer.
 * @param {MouseEvent} event on its button
 * @param {Palace} palace
 */
function storeyAt(event, palace) {
  const box = /** @type {Element} */ (event.currentTarget).querySelector("svg")?.getBoundingClientRect();
  if (!box || event.detail === 0 || isOutline(palace)) return undefined;
  const storey = Math.floor((box.bottom - event.clientY) / ((box.height * STOREY) / heightOf(palace.length)));
  return palace[Math.max(0, storey)] === undefined ? undefined : Math.max(0, storey);
}

/** @param {number} floors */
const heightOf = (floors) => floors * STOREY + 9;

/** @param {Palace} palace @param {number} [storey] that is chosen */
function drawn(palace, storey) {
  const floors = isOutline(palace) ? palace.floors : palace.length;
  const height = heightOf(floors);
  const storeys = isOutline(palace)
    ? [
        Array.from({ length: floors }, (_, at) => h("rect", { x: 4, y: height - (at + 1) * STOREY, width: WIDTH - 8, height: STOREY, fill: "var(--sheet)", stroke: "var(--ink)", "stroke-width": 1.5, "stroke-dasharray": "4 3" })),
        h("rect", { x: 22, y: height - (floors * STOREY) / 2 - 10, width: 40, height: 20, fill: "var(--sheet)", stroke: "var(--ink)" }),
        windows(1, 22, height - (floors * STOREY) / 2 + 6, 18, 7, "var(--ink)"),
        h("text", { x: 50, y: height - (floors * STOREY) / 2 + 5, "text-anchor": "middle", "font-size": 14, "font-weight": 700, fill: "var(--ink)" }, palace.windows),
      ]
    : palace.map((tile, at) => {
        const { material, floor, windows: count } = parts(tile);
        const y = height - (at + 1) * STOREY;
        return h(
          "g",
          { key: tile + at, class: "drop" },
          pattern(material, y, GABLE - 4, WIDTH - GABLE, STOREY),
          h("rect", { x: 4, y, width: GABLE - 8, height: STOREY, fill: "var(--sheet)" }),
          h("rect", { x: 4, y, width: WIDTH - 8, height: STOREY, fill: "none", stroke: "var(--ink)", "stroke-width": 1.5 }),
          h("path", { d: `M${GABLE - 4} ${y}v${STOREY}`, stroke: "var(--ink)", "stroke-width": 1.5 }),
          h("text", { x: 13, y: y + 18, "text-anchor": "middle", "font-size": 16, "font-weight": 700, fill: "var(--ink)" }, floor),
          windows(count, GABLE - 4, y + STOREY - 5, WIDTH - GABLE, 9),
          at === storey && h("rect", { class: "chosen", x: 4, y, width: WIDTH - 8, height: STOREY, fill: "none", stroke: "var(--blue)", "stroke-width": 5 }),
        );
      });
  return h("svg", { viewBox: `0 0 ${WIDTH} ${height}`, "aria-hidden": "true" }, storeys, roof(height - floors * STOREY));
}

/** @param {Palace} palace */
function palaceInWords(palace) {
  if (isOutline(palace)) return t("palazzo.outline", { floors: t("palazzo.floors", { floors: palace.floors }), windows: palace.windows });
  return palace.map(named).join(", ");
}

/** @param {Context} context */
function picture(context) {
  const { draft, cursor, lines, enter: put, names } = context;
  const palaces = /** @type {Draft} */ (draft).seats[cursor.seat].palaces;
  const own = lines[cursor.seat] ?? [];
  return [
    h(
      "div",
      { class: "palaces squares", "data-row": "", role: "group", "aria-label": t("palazzo.palaces-of", { name: names[cursor.seat] }), "data-group": "" },
      palaces.map((palace, index) => {
        const scored = own.filter((line) => line.palace === index);
        const points = scored.reduce((sum, line) => sum + line.points, 0);
        const bonus = scored.map((line) => number(line.points)).join(" + ");
        const isOld = scored.length > 0 && (scored[0].floors !== floorsOf(palace) || scored[0].windows !== windowsOf(palace));
        const field = `seat/${cursor.seat}/${index}`;
        return h(
          "button",
          {
            type: "button",
            key: `p${index}`,
            class: context.findingsAt(field).length ? "palace found" : "palace",
            "aria-pressed": cursor.palace === index,
            ...findingProps(context, field),
            on: {
              click: (/** @type {MouseEvent} */ event) => {
                const storey = storeyAt(event, palace);
                put(storey === undefined ? { type: "choose-palace", palace: index } : { type: "choose-storey", palace: index, storey });
              },
            },
          },
          labelled(
            [t("palazzo.palace", { palace: index + 1 }), palaceInWords(palace), scored.length ? t("points", { points }) : ""].filter(Boolean).join(", "),
            h("span", { class: isOld ? "points stale" : "points" }, scored.length ? number(points) : "", scored.length > 0 && h("br"), h("small", { class: scored.length > 1 ? "" : "size" }, scored.length > 1 ? bonus : scored.length ? sizeIn(scored[0]) : "")),
            drawn(palace, cursor.palace === index ? cursor.storey : undefined),
          ),
        );
      }),
      h("button", { type: "button", key: "new", class: "palace new", "aria-pressed": cursor.palace === -1, on: { click: () => put({ type: "choose-palace", palace: -1 }) } }, labelled(t("palazzo.new"), h("span", { class: "plot" }, "+"))),
    ),
    palaces.map((_, index) => findings(context, `seat/${cursor.seat}/${index}`, t("palazzo.palace", { palace: index + 1 }))),
    findings(context, `seat/${cursor.seat}`, names[cursor.seat]),
    findings(context, "table", t("palazzo.all")),
  ];
}

/** @param {Palace} palace */
const floorsOf = (palace) => (isOutline(palace) ? palace.floors : palace.length);
/** @param {Palace} palace */
const windowsOf = (palace) => (isOutline(palace) ? palace.windows : palace.reduce((sum, tile) => sum + parts(tile).windows, 0));

/** What a palace has its points for: as it was when they were counted. @param {import("../service.js").Line} line */
function sizeIn({ floors, windows }) {
  return floors < 3 ? t("palazzo.floors", { floors }) : t("palazzo.windows", { windows });
}

/** @param {Context} context */
function hint({ draft, cursor }) {
  const palace = /** @type {Draft} */ (draft).seats[cursor.seat].palaces[cursor.palace];
  if (palace && !isOutline(palace) && cursor.storey !== undefined) return t("palazzo.hint.storey", { palace: cursor.palace + 1, floor: parts(palace[cursor.storey]).floor });
  if (cursor.outline) return t(cursor.floors === undefined ? "palazzo.hint.floors" : "palazzo.hint.windows");
  if (!palace || isOutline(palace)) return t("palazzo.hint.new");
  return t("palazzo.hint.top", { top: parts(/** @type {string} */ (palace.at(-1))).floor });
}

// --- the pad -------------------------------------------------------------------------------------------------------

/** @param {Context} context */
function pad(context) {
  const { draft, cursor, enter: put } = context;
  const chosen = /** @type {Draft} */ (draft).seats[cursor.seat].palaces[cursor.palace];
  const storey = chosen && !isOutline(chosen) && cursor.storey !== undefined ? parts(chosen[cursor.storey]) : undefined;
  const act = (/** @type {string} */ text, /** @type {Entry} */ entry) => h("button", { type: "button", key: entry.type, class: "button small-one", on: { click: () => put(entry) } }, text);
  const remove = () => act(t("palazzo.remove-palace", { palace: cursor.palace + 1 }), { type: "remove", seat: cursor.seat, palace: cursor.palace });
  return [
    cursor.outline ? outlinePad(context) : tilePad(context),
    storey
      ? h("div", { class: "pad-foot stable", key: "storey" }, act(t("palazzo.remove-storey", { floor: storey.floor }), { type: "take-off" }), remove())
      : h(
          "div",
          { class: "pad-foot stable", key: "mode" },
          h(
            "div",
            { class: "either mode", role: "group", "aria-label": t("palazzo.mode") },
            h("button", { type: "button", "aria-pressed": !cursor.outline, on: { click: () => put({ type: "mode", outline: false }) } }, t("palazzo.mode.tiles")),
            h("button", { type: "button", "aria-pressed": cursor.outline, on: { click: () => put({ type: "mode", outline: true }) } }, t("palazzo.mode.outline")),
          ),
          chosen && (isOutline(chosen) || chosen.length === 1 ? remove() : act(t("palazzo.take-off"), { type: "take-off" })),
        ),
  ];
}

/** @param {Context} context */
function tilePad(context) {
  const { draft, cursor, enter: put, tell, names } = context;
  const cell = (/** @type {string} */ material, /** @type {number} */ floor, /** @type {number} */ count) => {
    const tile = `${material}-${floor}-${count}`;
    const those = placesOf(draft, tile);
    const left = copies(tile) - those.length;
    const own = left > 0 ? undefined : those.find(({ seat, palace }) => seat === cursor.seat && palace === cursor.palace);
    const used = left <= 0 && !own;
    const where = () => list(those.map(({ seat, palace }) => t("palazzo.palace-of", { name: names[seat], palace: palace + 1 })));
    const tap = () => {
      if (own) put({ type: "choose-storey", palace: own.palace, storey: own.storey });
      else if (used) tell(capitalized(t("palazzo.used", { tile: named(tile), places: where() })), { text: t("palazzo.move-here"), go: () => put({ type: "move", tile }) });
      else put({ type: "tile", tile });
    };
    return h(
      "button",
      { type: "button", class: own ? "tile own" : "tile", key: tile, "aria-disabled": used ? "true" : undefined, "aria-pressed": own ? own.storey === cursor.storey : undefined, on: { click: tap } },
      h("span", { class: "unseen" }, [named(tile), copies(tile) > 1 ? t("palazzo.left", { left }) : "", own ? t("palazzo.here") : used ? where() : ""].filter(Boolean).join(", ")),
      h("svg", { viewBox: "6 0 54 44", "aria-hidden": "true" }, pattern(material, -12, -52, 170, 68), windows(count, 0, 33, 66, 11)),
      copies(tile) > 1 && !used && h("span", { class: "twice", "aria-hidden": "true" }, `${left}×`),
      left <= 0 && mark(those[those.length - 1].seat, true),
    );
  };
  return h(
    "div",
    { class: "tiles" },
    h("div", { class: "floors", "aria-hidden": "true" }, h("span", {}, t("palazzo.floor")), FLOORS.map((floor) => h("span", {}, floor))),
    MATERIALS.map((material) =>
      h(
        "div",
        { class: "material", key: material, role: "group", "aria-label": t(`palazzo.${material}`) },
        h("span", { "aria-hidden": "true" }, t(`palazzo.${material}`)),
        h("div", { class: "cells", "data-group": "" }, WINDOWS.flatMap((count) => FLOORS.map((floor) => cell(material, floor, count)))),
      ),
    ),
  );
}

/** @param {Context} context */
function outlinePad({ draft, cursor, enter: put, tell }) {
  const chosen = /** @type {Draft} */ (draft).seats[cursor.seat].palaces[cursor.palace];
  const floors = cursor.floors;
  const most = 3 * (floors ?? 5);
  const numbers = Array.from({ length: 15 }, (_, at) => at + 1);
  const sketch = (/** @type {number} */ count) =>
    h("svg", { viewBox: "0 0 34 62", "aria-hidden": "true" }, Array.from({ length: count }, (_, at) => h("rect", { x: 3, y: 61 - (at + 1) * 10, width: 28, height: 10, fill: "none", stroke: "currentColor", "stroke-width": 1.5 })), h("path", { d: `M0 ${61 - count * 10}l4 -5h26l4 5z`, fill: "currentColor" }));
  return [
    h("p", { class: "label", id: "floors" }, t("palazzo.floors-label")),
    h(
      "div",
      { class: "choice five tall", role: "group", "aria-labelledby": "floors", "data-group": "" },
      FLOORS.map((count) => h("button", { type: "button", "aria-pressed": count === floors, on: { click: () => put({ type: "floors", floors: count }) } }, labelled(t("palazzo.floors", { floors: count }), sketch(count), count))),
    ),
    checkbox(t("palazzo.one-material"), cursor.one || floors === 1, () => (floors === 1 ? tell(t("palazzo.one-floor")) : put({ type: "one" }))),
    h("p", { class: "label", id: "windows" }, t("palazzo.windows-label")),
    h(
      "div",
      { class: "choice five", role: "group", "aria-labelledby": "windows", "data-group": "" },
      numbers.map((count) => {
        const cannot = floors === undefined ? t("palazzo.hint.floors") : count < floors || count > most ? t("palazzo.windows-range", { floors: t("palazzo.floors", { floors }), fewest: floors, most }) : "";
        return h("button", { type: "button", key: `w${count}`, "aria-pressed": !!chosen && isOutline(chosen) && chosen.windows === count, "aria-disabled": cannot ? "true" : undefined, on: { click: () => (cannot ? tell(cannot) : put({ type: "windows", windows: count })) } }, count);
      }),
    ),
  ];
}

// --- a tie -----------------------------------------------------------------------------------------------------------

/** @param {Context} context @param {number} seat */
function tieForm(context, seat) {
  const { draft, enter: put, names, tell } = context;
  const hands = /** @type {Draft} */ (draft).seats.map((one) => one.hand ?? []);
  const hand = hands[seat];
  const known = /** @type {Draft} */ (draft).seats[seat].hand !== undefined;
  const count = (/** @type {string} */ card) => hand.filter((one) => one === card).length;
  const keepHand = (/** @type {string[]} */ next) => put({ type: "hand", seat, hand: next });
  const used = (/** @type {string} */ card) => hands.flat().filter((one) => one === card).length;
  const cell = (/** @type {string} */ card, columns = 1) => {
    const isUsed = used(card) >= copiesOfCard(card);
    const tap = () => (isUsed ? tell(t("palazzo.card-used", { card: cardName(card), box: copiesOfCard(card) })) : keepHand([...hand, card]));
    return h(
      "td",
      { colspan: columns },
      h("button", { type: "button", key: card, "aria-disabled": isUsed ? "true" : undefined, "aria-pressed": count(card) > 0, on: { click: tap } }, labelled(count(card) ? `${cardName(card)}, ${count(card)}×` : cardName(card), h("span", { class: `money ${card.split("-")[0]}` }, card.split("-")[1]), count(card) > 0 && h("small", {}, `${count(card)}×`))),
    );
  };
  return h(
    "div",
    { role: "group", "aria-label": t("palazzo.hand", { name: names[seat] }), ...findingProps(context, `hand/${seat}`) },
    h("p", { class: "pad-title", "aria-hidden": "true" }, mark(seat), t("palazzo.hand", { name: names[seat] })),
    h(
      "table",
      { class: "matrix hands" },
      h("colgroup", {}, h("col", { class: "who" })),
      h(
        "tbody",
        { "data-group": "" },
        CURRENCIES.map((currency) => h("tr", {}, h("th", { scope: "row" }, h("span", {}, capitalized(t(`palazzo.${currency}`)))), VALUES.map((value) => cell(`${currency}-${value}`)))),
        h("tr", {}, h("th", { scope: "row" }, h("span", {}, capitalized(t("palazzo.certificates")))), cell(CERTIFICATE, VALUES.length)),
      ),
    ),
    h(
      "div",
      { class: "pad-foot" },
      hand.length > 0 ? h("button", { type: "button", class: "button small-one", on: { click: () => keepHand(hand.slice(0, -1)) } }, t("palazzo.last-card-back")) : null,
      !known && h("button", { type: "button", class: "button small-one", on: { click: () => keepHand([]) } }, t("palazzo.no-cards")),
    ),
  );
}

/** @param {string} card */
function cardName(card) {
  const [currency, value] = card.split("-");
  return t(`palazzo.${currency}-{value}`, { value: Number(value) });
}
