// Fifth Avenue: a map of districts, each a ring of lots; Central Park; the points on the track.

import { h } from "../dom.js";
import { icon, mark, numberedMark } from "../icons.js";
import { afterKey, keypad, sumOf } from "../keys.js";
import { findingProps, findings, idOf, labelled, replaced } from "../parts.js";
import { t } from "../words.js";

/** @typedef {import("../game.js").Context} Context */
/** @typedef {import("../game.js").Entry} Entry */
/** @typedef {number | "dummy"} Owner */
/** @typedef {{businesses?: string[], owner?: Owner, buildings?: number}} Lot {} is an empty one */
/** @typedef {{[colour: string]: Lot}} Lots those that are typed in */
/** @typedef {{players: number, scores: string[], park: number[], tiles: string[], drawn: boolean, districts: {[name: string]: Lots | null}, six_lots: boolean, rings: {[name: string]: string[]}, hands: (number | null)[]}} Draft a district is null if it is closed; `drawn`: whether all tiles for Central Park are there, be they fewer than three */
/** @typedef {{place: string, lot?: string, seat: number, begun: boolean, ring?: string[]}} Cursor `place`: "map", "track", "park" or a district; `ring`: the lots of a new ring, in the order tapped so far */

export const DISTRICTS = ["34th-street-west", "34th-street-east", "42nd-street-west", "times-square", "42nd-street-east", "52nd-street-west", "52nd-street-east"];
const LINES = [["52nd-street-west", "52nd-street-east"], ["42nd-street-west", "times-square", "42nd-street-east"], ["34th-street-west", "34th-street-east"]];
export const COLOURS = ["orange", "green", "purple", "grey", "brown"];
const COLOURLESS = "colourless";
export const BUSINESSES = ["boutique", "gallery", "jeweller", "perfumery"];
const MOST_BUSINESSES = 2;
const PARK_TILES = 3;
export const BUILDINGS = 17;
const NUMBERS = [1, 2, 3, 4, 5, 6];
const PLACES = {
  5: [[50, 0], [83, 58], [70, 162], [30, 162], [17, 58]],
  6: [[50, 0], [83, 50], [83, 126], [50, 176], [17, 126], [17, 50]],
};
const BAND = /** @type {{[colour: string]: string}} */ ({ green: "lot-green" });

/** @param {Draft} draft @param {string} district */
const ringOf = (draft, district) => draft.rings[district] ?? (draft.six_lots ? [...COLOURS, COLOURLESS] : COLOURS);
/** @param {Draft} draft @param {string} district */
const isWhole = (draft, district) => {
  const lots = draft.districts[district];
  return lots === null || (!!lots && ringOf(draft, district).every((lot) => lots[lot]));
};
/** @param {string} district */
const named = (district) => t(`fifth-avenue.${district}`);
/** @param {Draft} draft @param {string} district */
const nextOf = (draft, district) => {
  const order = LINES.flat();
  const from = order.indexOf(district);
  return [...order.slice(from + 1), ...order.slice(0, from)].find((one) => !isWhole(draft, one));
};
/** @param {Draft} draft @param {string} district @param {Lots | null} lots @returns {Draft} */
const withDistrict = (draft, district, lots) => ({ ...draft, districts: { ...draft.districts, [district]: lots } });
/** @param {Draft} draft @param {string} district @param {string} [from] */
const missingLot = (draft, district, from) => {
  const ring = ringOf(draft, district);
  const start = from === undefined ? 0 : ring.indexOf(from) + 1;
  return [...ring.slice(start), ...ring.slice(0, start)].find((lot) => !draft.districts[district]?.[lot]);
};

/** @type {import("../game.js").GamePad} */
const fifthAvenue = {
  englishTitle: "Fifth Avenue",
  common: true,
  options: [{ key: "six_lots" }],
  begin: (players, options) => ({
    draft: { players, scores: Array(players).fill(""), park: Array(players).fill(0), tiles: [], drawn: false, districts: {}, six_lots: !!options.six_lots, rings: {}, hands: Array(players).fill(null) },
    cursor: { place: LINES[0][0], lot: COLOURS[0], seat: 0, begun: false },
  }),
  enter,
  sheet(/** @type {Draft} */ draft, names) {
    const seats = names.map((name, seat) => ({
      name,
      ...(sumOf(draft.scores[seat]) === undefined ? {} : { score: sumOf(draft.scores[seat]) }),
      central_park: draft.park[seat],
      ...(draft.hands[seat] === null ? {} : { hand_size: draft.hands[seat] }),
    }));
    const districts = Object.fromEntries(
      DISTRICTS.filter((district) => draft.districts[district] !== undefined).map((district) => {
        const lots = draft.districts[district];
        return [district, lots && Object.fromEntries(ringOf(draft, district).filter((lot) => lots[lot]).map((lot) => [lot, lots[lot]]))];
      }),
    );
    const park = draft.drawn ? { park_tiles: draft.tiles } : {};
    return { game: "fifth-avenue", schema_version: 1, seats, districts, ...park, ...(draft.six_lots ? { six_lots: true } : {}), ...(Object.keys(draft.rings).length ? { rings: draft.rings } : {}) };
  },
  draftOf(sheet) {
    const figure = (/** @type {number | undefined} */ value) => (value === undefined ? "" : String(value));
    /** @type {Draft} */
    const draft = {
      players: sheet.seats.length,
      scores: sheet.seats.map((/** @type {any} */ seat) => figure(seat.score)),
      park: sheet.seats.map((/** @type {any} */ seat) => seat.central_park ?? 0),
      tiles: sheet.park_tiles ?? [],
      drawn: !!sheet.park_tiles,
      districts: sheet.districts ?? {},
      six_lots: !!sheet.six_lots,
      rings: sheet.rings ?? {},
      hands: sheet.seats.map((/** @type {any} */ seat) => seat.hand_size ?? null),
    };
    return { draft, cursor: { place: "map", seat: 0, begun: false } };
  },
  reseated(/** @type {Draft} */ draft, order) {
    const lot = (/** @type {Lot} */ one) => (one.owner === undefined || (one.owner === "dummy" && order.length === 2) ? one : one.owner !== "dummy" && order.includes(one.owner) ? { ...one, owner: order.indexOf(one.owner) } : {});
    const districts = Object.fromEntries(Object.entries(draft.districts).map(([district, lots]) => [district, lots && Object.fromEntries(Object.entries(lots).map(([colour, one]) => [colour, lot(one)]))]));
    const of = (/** @type {any[]} */ list, /** @type {any} */ none) => order.map((seat) => (seat === null ? none : list[seat]));
    return { ...draft, players: order.length, districts, scores: of(draft.scores, ""), park: of(draft.park, 0), hands: of(draft.hands, null) };
  },
  hasEntries: (/** @type {Draft} */ draft, seat) => draft.scores[seat] !== "" || draft.park[seat] > 0 || Object.values(draft.districts).some((lots) => Object.values(lots ?? {}).some((lot) => lot.owner === seat)),
  firstFieldOf: (seat) => `track/${seat}`,
  missingFields(/** @type {Draft} */ draft) {
    const districts = LINES.flat().filter((district) => !isWhole(draft, district));
    const park = draft.drawn ? [] : ["park"];
    return [...districts, ...park, ...draft.scores.flatMap((text, seat) => (sumOf(text) === undefined ? [`track/${seat}`] : []))];
  },
  fieldOf(pointer) {
    const [, member, name, lot] = pointer.split("/");
    if (member === "districts" && name) return lot ? `${name}/${lot}` : name;
    if (member === "rings" && name) return name;
    if (member === "seats") return lot === "score" ? `track/${name}` : lot === "hand_size" ? `hand/${name}` : lot === "central_park" ? "park" : "table";
    return member === "park_tiles" || member === "under_central_park" ? "park" : "table";
  },
  goTo(field, draft, cursor) {
    const [place, detail] = field.split("/");
    if (place === "track") return { ...cursor, place, seat: Number(detail), begun: false };
    if (place === "park") return { ...cursor, place };
    return DISTRICTS.includes(place) ? { ...cursor, place, lot: detail ?? missingLot(draft, place) ?? COLOURS[0], ring: undefined } : { ...cursor, place: "map" };
  },
  nameOf(field, names) {
    const [place, detail] = field.split("/");
    if (place === "track" || place === "hand") return `${names[Number(detail)]}, ${t(`fifth-avenue.${place}`)}`;
    if (place === "park") return t("fifth-avenue.central-park");
    if (place === "table") return t("fifth-avenue.table");
    return detail ? `${named(place)}, ${t(`fifth-avenue.${detail}`)}` : named(place);
  },
  removal(field) {
    const [place, lot] = field.split("/");
    return lot && DISTRICTS.includes(place) ? { type: "clear", place, lot } : undefined;
  },
  seatOf: (field) => (field.startsWith("track/") || field.startsWith("hand/") ? Number(field.split("/")[1]) : undefined),
  picture: (context) => (DISTRICTS.includes(context.cursor.place) ? district(context) : [context.cursor.place !== "map" && head(context), map(context)]),
  pad,
  hint({ cursor, names }) {
    if (cursor.ring) return t("fifth-avenue.hint.ring");
    if (cursor.place === "track") return t("fifth-avenue.hint.track", { name: names[cursor.seat] });
    if (cursor.place === "map" || cursor.place === "park") return t(`fifth-avenue.hint.${cursor.place}`);
    return t("fifth-avenue.hint.lot", { lot: t(`fifth-avenue.${cursor.lot}`) });
  },
  key(key, draft, cursor) {
    if (cursor.place !== "track") return undefined;
    if (key === "Enter") return { type: "next" };
    return /^[\d+]$/.test(key) || key === "Backspace" ? { type: "press", key } : undefined;
  },
  inWords(line) {
    if (line.district) return { group: named(line.district), reason: t("line.fifth-avenue.end.districts", { lot: t(`fifth-avenue.${line.lot}`), buildings: line.buildings, each: line.each }) };
    if (line.rule === "fifth-avenue.end.central-park") return { group: t("fifth-avenue.central-park"), reason: t(`line.${line.rule}`, { buildings: line.buildings, each: line.each }) };
    return { group: "", reason: t(`line.${line.rule}`) };
  },
  tieField: (seat) => `hand/${seat}`,
  tieForm(context, seat) {
    const { draft, enter: put, names } = context;
    const id = `hand-${seat}`;
    return h(
      "p",
      { class: "pad-title" },
      mark(seat),
      h("label", { for: id }, `${names[seat]}, ${t("fifth-avenue.hand")}`),
      h("input", { id, ...findingProps(context, `hand/${seat}`), type: "number", min: 0, max: 110, inputmode: "numeric", value: draft.hands[seat] === null ? "" : String(draft.hands[seat]), on: { input: (/** @type {any} */ event) => put({ type: "hand", seat, text: event.target.value }) } }),
    );
  },
  tieKnown: (/** @type {Draft} */ draft, seat) => draft.hands[seat] !== null,
  tieReason: (values) => t("fifth-avenue.tie", { values }),
  notes: () => [t("fifth-avenue.checked")],
};

export default fifthAvenue;

/**
 * The entry that completes a district goes on to the next one, with a message; but a lot with one business can take a second.
 * @param {Draft} draft
 * @param {Cursor} cursor
 * @param {Entry} entry
 * @returns {import("../game.js").EntryResult}
 */
function enter(draft, cursor, entry) {
  const place = cursor.place;
  const lots = draft.districts[place] ?? {};
  const withLot = (/** @type {Lot} */ lot) => {
    const next = withDistrict(draft, place, { ...lots, [String(cursor.lot)]: lot });
    const after = missingLot(next, place, cursor.lot);
    if (after || isWhole(draft, place) || lot.businesses?.length === 1) return { draft: next, cursor: { ...cursor, lot: after ?? cursor.lot } };
    const there = toNextPlace(next, cursor);
    return { draft: next, cursor: there, say: t("fifth-avenue.whole", { district: named(place), next: nameOfPlace(there.place) }) };
  };
  switch (entry.type) {
    case "go":
      if (entry.place === "map" || entry.place === "park") return { draft, cursor: { ...cursor, place: entry.place, ring: undefined } };
      if (entry.place === "track") return { draft, cursor: { ...cursor, place: "track", seat: entry.seat ?? 0, begun: false } };
      return { draft, cursor: { ...cursor, place: entry.place, lot: missingLot(draft, entry.place) ?? ringOf(draft, entry.place)[0], ring: undefined } };
    case "lot": {
      if (!cursor.ring) return { draft, cursor: { ...cursor, lot: entry.lot } };
      const ring = cursor.ring.includes(entry.lot) ? cursor.ring : [...cursor.ring, entry.lot];
      if (ring.length < ringOf(draft, place).length) return { draft, cursor: { ...cursor, ring } };
      return { draft: { ...draft, rings: { ...draft.rings, [place]: ring } }, cursor: { ...cursor, ring: undefined } };
    }
    case "ring":
      return { draft, cursor: { ...cursor, ring: cursor.ring ? undefined : [] } };
    case "closed": {
      if (draft.districts[place] === null) {
        const { [place]: _, ...rest } = draft.districts;
        return { draft: { ...draft, districts: rest }, cursor: { ...cursor, lot: ringOf(draft, place)[0] } };
      }
      const next = withDistrict(draft, place, null);
      return { draft: next, cursor: toNextPlace(next, cursor) };
    }
    case "business": {
      const here = lots[String(cursor.lot)]?.businesses ?? [];
      return withLot({ businesses: here.length < MOST_BUSINESSES ? [...here, entry.business].sort() : [entry.business] });
    }
    case "empty":
      return withLot({});
    case "clear": {
      const { [entry.lot]: _, ...rest } = draft.districts[entry.place] ?? {};
      return { draft: withDistrict(draft, entry.place, rest), cursor: { ...cursor, place: entry.place, lot: entry.lot } };
    }
    case "buildings": {
      const here = lots[String(cursor.lot)];
      const more = entry.buildings === 6 && here?.owner === entry.owner && (here?.buildings ?? 0) >= 6 ? (here?.buildings ?? 0) + 1 : entry.buildings;
      return withLot({ owner: entry.owner, buildings: Math.min(more, BUILDINGS + (entry.owner === "dummy" ? 1 : 0)) });
    }
    case "rest": {
      const rest = Object.fromEntries(ringOf(draft, place).map((lot) => [lot, lots[lot] ?? {}]));
      const next = withDistrict(draft, place, rest);
      return { draft: next, cursor: toNextPlace(next, cursor) };
    }
    case "park":
      return { draft: { ...draft, park: replaced(draft.park, entry.seat, entry.buildings) }, cursor };
    case "drawn":
      return { draft: { ...draft, drawn: true }, cursor: { ...cursor, place: "track", seat: 0, begun: false } };
    case "tile": {
      const tiles = draft.tiles.length < PARK_TILES ? [...draft.tiles, entry.business].sort() : [entry.business];
      if (tiles.length < PARK_TILES) return { draft: { ...draft, tiles, drawn: false }, cursor };
      return { draft: { ...draft, tiles, drawn: true }, cursor: { ...cursor, place: "track", seat: 0, begun: false }, say: t("fifth-avenue.whole", { district: t("fifth-avenue.central-park"), next: t("line.fifth-avenue.end.track") }) };
    }
    case "no-tiles":
      return { draft: { ...draft, tiles: [], drawn: false }, cursor };
    case "press": {
      const before = cursor.begun || entry.key === "Backspace" || entry.key === "+" ? draft.scores[cursor.seat] : "";
      return { draft: { ...draft, scores: replaced(draft.scores, cursor.seat, afterKey(before, entry.key)) }, cursor: { ...cursor, begun: true } };
    }
    case "next":
      return { draft, cursor: cursor.seat + 1 < draft.players ? { ...cursor, seat: cursor.seat + 1, begun: false } : { ...cursor, place: "map", seat: 0 } };
    case "hand":
      return { draft: { ...draft, hands: replaced(draft.hands, entry.seat, /^\d{1,3}$/.test(entry.text) ? Number(entry.text) : null) }, cursor };
    default:
      return { draft, cursor };
  }
}

/**
 * To the next district that is not typed in, then to Central Park.
 * @param {Draft} draft
 * @param {Cursor} cursor
 * @returns {Cursor}
 */
function toNextPlace(draft, cursor) {
  const next = nextOf(draft, cursor.place);
  return next ? { ...cursor, place: next, lot: missingLot(draft, next), ring: undefined } : { ...cursor, place: "park", ring: undefined };
}

/** @param {string} place */
const nameOfPlace = (place) => (place === "park" ? t("fifth-avenue.park-buildings") : named(place));

// --- the map -----------------------------------------------------------------------------------------------------------

const WIDTH = 76;

/** @param {Draft} draft @param {string} district */
function smallRing(draft, district) {
  const lots = draft.districts[district] ?? {};
  const ring = ringOf(draft, district);
  const at = ring.map((_, index) => {
    const angle = (2 * Math.PI * index) / ring.length - Math.PI / 2;
    return [WIDTH / 2 + 27 * Math.cos(angle), 30 + 21 * Math.sin(angle)];
  });
  return h(
    "svg",
    { viewBox: `0 0 ${WIDTH} 58`, "aria-hidden": "true" },
    h("path", { d: `M${at.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}z`, fill: "none", stroke: "var(--edge)" }),
    ring.map((lot, index) => {
      const [x, y] = at[index];
      const { businesses, owner, buildings } = lots[lot] ?? {};
      if (businesses?.length) {
        const text = businesses.map(abbreviation).join("");
        const half = 5 * text.length + 2;
        const middle = Math.min(Math.max(x, half + 1), WIDTH - half - 1);
        return h("g", { key: lot }, h("rect", { x: middle - half, y: y - 7.5, width: 2 * half, height: 15, rx: 7.5, fill: "var(--sheet)", stroke: "var(--ink)", "stroke-width": 1.4 }), h("text", { x: middle, y: y + 4, "text-anchor": "middle", "font-size": 11, "font-weight": 700, fill: "var(--ink)" }, text));
      }
      if (owner !== undefined) return h("g", { key: lot }, numberedMark(owner, x, y, 18, buildings));
      return h("rect", { key: lot, x: x - 4, y: y - 4, width: 8, height: 8, fill: "var(--sheet)", stroke: "var(--edge)", "stroke-dasharray": lots[lot] ? "none" : "2 2" });
    }),
  );
}

/**
 * The first letters of a business, as many as distinguish it from the others.
 * @param {string} business
 */
function abbreviation(business) {
  const names = BUSINESSES.map((one) => t(`fifth-avenue.${one}`));
  const own = t(`fifth-avenue.${business}`);
  const enough = [1, 2, 3].find((size) => names.filter((name) => name.slice(0, size) === own.slice(0, size)).length === 1) ?? 3;
  return own.charAt(0).toUpperCase() + own.slice(1, enough);
}

/** @param {Context} context @param {string} district */
function districtInWords({ draft, names }, district) {
  const lots = draft.districts[district];
  if (lots === null) return t("fifth-avenue.closed");
  if (!lots) return t("fifth-avenue.untyped");
  return ringOf(draft, district)
    .map((lot) => `${t(`fifth-avenue.${lot}`)}: ${lotInWords(lots[lot], names)}`)
    .join(", ");
}

/** @param {Lot | undefined} lot @param {string[]} names */
function lotInWords(lot, names) {
  if (!lot) return t("fifth-avenue.untyped");
  if (lot.businesses?.length) return lot.businesses.map((one) => t(`fifth-avenue.${one}`)).join(" + ");
  if (lot.owner !== undefined) return `${lot.owner === "dummy" ? t("fifth-avenue.dummy") : names[lot.owner]} ${lot.buildings}`;
  return t("fifth-avenue.empty");
}

/** @param {Context} context */
function map(context) {
  const { draft, cursor, enter: put } = context;
  const tile = (/** @type {string} */ one) => {
    const lots = draft.districts[one];
    const found = [one, ...ringOf(draft, one).map((lot) => `${one}/${lot}`)].some((field) => context.findingsAt(field).length);
    const look = [lots === null ? "district closed" : lots === undefined ? "district untyped" : "district", found ? "found" : ""].filter(Boolean).join(" ");
    return h(
      "button",
      { type: "button", key: one, class: look, on: { click: () => put({ type: "go", place: one }) } },
      labelled(
        `${named(one)}: ${districtInWords(context, one)}`,
        h("span", { class: "plate" }, named(one)),
        lots === null ? [h("br"), h("span", { class: "closed-sign" }, t("fifth-avenue.closed"))] : lots === undefined ? h("small", {}, t("fifth-avenue.still-to-type")) : smallRing(draft, one),
      ),
    );
  };
  const fields = DISTRICTS.flatMap((one) => [one, ...ringOf(draft, one).map((lot) => `${one}/${lot}`)]);
  return [
    h(
      "div",
      { class: cursor.place === "map" ? "map squares" : "map squares aside-map", role: "group", "aria-label": t("fifth-avenue.map"), "data-group": "" },
      h("button", { type: "button", class: context.findingsAt("park").length ? "place found" : "place", "aria-pressed": cursor.place === "park", ...findingProps(context, "park"), on: { click: () => put({ type: "go", place: "park" }) } }, h("b", {}, t("fifth-avenue.central-park")), h("span", {}, draft.park.join(" · "))),
      LINES.map((line) => h("div", { class: line.length === 2 ? "line two" : "line" }, line.map(tile))),
      h("button", { type: "button", class: "place", "aria-pressed": cursor.place === "track", on: { click: () => put({ type: "go", place: "track" }) } }, h("b", {}, t("fifth-avenue.track")), h("span", {}, draft.scores.map((/** @type {string} */ text) => text || "–").join(" · "))),
    ),
    fields.map((field) => findings(context, field, nameOfField(field))),
    findings(context, "park", t("fifth-avenue.central-park")),
    context.names.map((name, seat) => findings(context, `track/${seat}`, name)),
    findings(context, "table", t("fifth-avenue.table")),
  ];
}

/** @param {string} field */
function nameOfField(field) {
  const [place, lot] = field.split("/");
  return lot ? `${named(place)}, ${t(`fifth-avenue.${lot}`)}` : named(place);
}

/** What a place is called, with the way back to the map. @param {Context} context */
function head({ draft, cursor: { place }, enter: put }) {
  const isDistrict = DISTRICTS.includes(place);
  const lots = draft.districts[place];
  const little = h("svg", { viewBox: "0 0 38 30", "aria-hidden": "true" }, LINES.flatMap((line, row) => line.map((one, column) => h("rect", { x: (line.length === 2 ? 7 : 1) + column * 12.5, y: 1 + row * 10, width: 11, height: 8, fill: one === place ? "var(--blue)" : isWhole(draft, one) ? "var(--ink2)" : "none", stroke: "var(--ink2)" }))));
  return h(
    "div",
    { class: "district-head", key: "head" },
    h("button", { type: "button", class: "little-map", "aria-label": t("fifth-avenue.to-map"), on: { click: () => put({ type: "go", place: "map" }) } }, little),
    h("h2", {}, isDistrict ? named(place) : t(place === "park" ? "fifth-avenue.central-park" : "fifth-avenue.track")),
    isDistrict && h("button", { type: "button", class: "button small-one", "aria-pressed": lots === null, on: { click: () => put({ type: "closed" }) } }, t(lots === null ? "fifth-avenue.open-again" : "fifth-avenue.closed-button")),
  );
}

/** @param {Context} context */
function district(context) {
  const { draft, cursor, enter: put, lines, names } = context;
  const place = cursor.place;
  const lots = draft.districts[place];
  const ring = ringOf(draft, place);
  const places = PLACES[/** @type {5 | 6} */ (ring.length)];
  const points = lines.flat().filter((line) => line.district === place).reduce((sum, line) => sum + line.points, 0);
  const each = (/** @type {string} */ lot) => lines.flat().find((line) => line.district === place && line.lot === lot)?.each;
  const most = Math.max(...places.map(([, y]) => y));
  return [
    head(context),
    lots === null
      ? h("p", { class: "level" }, t("fifth-avenue.closed-text"))
      : h(
          "div",
          { class: "ring", role: "group", "aria-label": t("fifth-avenue.lots"), "data-group": "" },
          h("svg", { viewBox: "0 0 100 240", preserveAspectRatio: "none", "aria-hidden": "true" }, h("path", { d: `M${places.map(([x, y]) => `${x} ${y + 32}`).join("L")}z`, fill: "none", stroke: "var(--edge)", "stroke-width": 3, "vector-effect": "non-scaling-stroke" })),
          ring.map((lot, index) => {
            const here = lots?.[lot];
            const at = cursor.ring ? cursor.ring.indexOf(lot) : -1;
            const field = `${place}/${lot}`;
            return h(
              "button",
              {
                type: "button",
                key: lot,
                class: context.findingsAt(field).length ? "lot found" : "lot",
                style: { left: `${places[index][0]}%`, top: `calc((100% - var(--lot)) * ${(places[index][1] / most).toFixed(3)})`, "--band": `var(--${BAND[lot] ?? lot})` },
                "aria-pressed": !cursor.ring && cursor.lot === lot,
                ...findingProps(context, field),
                on: { click: () => put({ type: "lot", lot }) },
              },
              labelled(
                `${t(`fifth-avenue.${lot}`)}: ${cursor.ring ? (at < 0 ? "?" : at + 1) : lotInWords(here, names)}`,
                h("span", { class: "band" }, t(`fifth-avenue.${lot}`)),
                h("span", { class: "in" }, cursor.ring ? (at < 0 ? "?" : at + 1) : inLot(here, each(lot))),
              ),
            );
          }),
          !cursor.ring && lots && h("p", { class: "centre" }, h("b", {}, points), t(points === 1 ? "fifth-avenue.point-here" : "fifth-avenue.points-here")),
        ),
    findings(context, place, named(place)),
    ring.map((lot) => findings(context, `${place}/${lot}`, t(`fifth-avenue.${lot}`))),
    findings(context, "table", t("fifth-avenue.table")),
  ];
}

/** @param {Lot | undefined} lot @param {number | undefined} each */
function inLot(lot, each) {
  if (!lot) return "–";
  if (lot.businesses?.length) return lot.businesses.map((one) => icon(one));
  if (lot.owner !== undefined) return [mark(lot.owner, true), h("b", {}, lot.buildings), each !== undefined && h("span", { class: "small" }, `× ${each}`)];
  return t("fifth-avenue.empty");
}

// --- the pad -----------------------------------------------------------------------------------------------------------

/** @param {Context} context */
function pad(context) {
  const { draft, cursor, enter: put } = context;
  if (cursor.place === "map") {
    const [next] = fifthAvenue.missingFields(draft).map((field) => field.split("/")[0]);
    if (!next) return h("button", { type: "button", class: "button main wide", on: { click: context.finish } }, t("result"));
    return h("button", { type: "button", class: "button wide", on: { click: () => put({ type: "go", place: next }) } }, t("fifth-avenue.next", { place: next === "park" ? t("fifth-avenue.central-park") : named(next) }));
  }
  if (cursor.place === "track") return track(context);
  return cursor.place === "park" ? park(context) : lotPad(context);
}

/** @param {Context} context */
function lotPad(context) {
  const { draft, cursor, enter: put, names, tell } = context;
  const place = cursor.place;
  const lots = draft.districts[place];
  const next = nextOf(draft, place);
  const to = next ? named(next) : t("fifth-avenue.central-park");
  const whole = isWhole(draft, place);
  const onward = h("button", { type: "button", class: "button wide", on: { click: () => put({ type: "rest" }) } }, whole ? t("fifth-avenue.next", { place: to }) : t("fifth-avenue.rest", { place: to }));
  if (lots === null) return h("button", { type: "button", class: "button wide", on: { click: () => put({ type: "go", place: next ?? "park" }) } }, t("fifth-avenue.next", { place: to }));
  const here = lots?.[cursor.lot];
  /** @type {Owner[]} */
  const owners = [...names.keys(), ...(names.length === 2 ? [/** @type {Owner} */ ("dummy")] : [])];
  const elsewhere = (/** @type {Owner} */ owner) => owner !== "dummy" && Object.entries(lots ?? {}).find(([lot, one]) => lot !== cursor.lot && /** @type {Lot} */ (one).owner === owner)?.[0];
  const nameOf = (/** @type {Owner} */ owner) => (owner === "dummy" ? t("fifth-avenue.dummy") : names[owner]);
  return [
    h(
      "div",
      { class: "kinds", role: "group", "aria-label": t("fifth-avenue.businesses"), "data-group": "" },
      BUSINESSES.map((business) => h("button", { type: "button", key: business, "aria-pressed": !!here?.businesses?.includes(business), on: { click: () => put({ type: "business", business }) } }, icon(business), t(`fifth-avenue.${business}`))),
      h("button", { type: "button", key: "empty", "aria-pressed": !!here && !here.businesses?.length && here.owner === undefined, on: { click: () => put({ type: "empty" }) } }, icon("empty"), t("fifth-avenue.empty")),
    ),
    h(
      "table",
      { class: "matrix" },
      h("colgroup", {}, h("col", { class: "who narrow" })),
      h("thead", { class: "unseen" }, h("tr", {}, h("th", { scope: "col" }, t("fifth-avenue.buildings")), NUMBERS.map((count) => h("th", { scope: "col" }, count)))),
      h(
        "tbody",
        { "data-group": "" },
        owners.map((owner) => {
          const taken = elsewhere(owner);
          return h(
            "tr",
            { key: String(owner) },
            h("th", { scope: "row", title: nameOf(owner) }, h("span", {}, mark(owner), h("span", { class: "name" }, nameOf(owner)))),
            NUMBERS.map((count) => {
              const tap = () => (taken ? tell(t("fifth-avenue.two-lots", { name: nameOf(owner), lot: t(`fifth-avenue.${taken}`) })) : put({ type: "buildings", owner, buildings: count }));
              return h("td", {}, h("button", { type: "button", "aria-disabled": taken ? "true" : undefined, "aria-pressed": here?.owner === owner && Math.min(here.buildings ?? 0, 6) === count, on: { click: tap } }, labelled(t("fifth-avenue.buildings-of", { name: nameOf(owner), buildings: count }), count === 6 ? "6+" : count)));
            }),
          );
        }),
      ),
    ),
    h("div", { class: "pad-foot pair" }, h("button", { type: "button", class: "button small-one", on: { click: () => put({ type: "ring" }) } }, t(cursor.ring ? "fifth-avenue.ring.stop" : "fifth-avenue.ring.other")), onward),
    h("p", { class: "small roomy" }, draft.rings[place] ? t("fifth-avenue.own-ring") : t("fifth-avenue.our-ring")),
  ];
}

/** @param {Context} context */
function park({ draft, names, enter: put, findingsAt }) {
  const numbers = [0, ...NUMBERS.slice(0, 5), 6];
  return [
    h(
      "table",
      { class: "matrix", ...(findingsAt("park").length ? { "aria-describedby": idOf("finding", "park") } : {}) },
      h("colgroup", {}, h("col", { class: "who narrow" })),
      h("thead", { class: "unseen" }, h("tr", {}, h("th", { scope: "col" }, t("fifth-avenue.buildings")), numbers.map((count) => h("th", { scope: "col" }, count)))),
      h(
        "tbody",
        { "data-group": "" },
        names.map((name, seat) =>
          h(
            "tr",
            { key: `p${seat}` },
            h("th", { scope: "row", title: name }, h("span", {}, mark(seat), h("bdi", { class: "name" }, name))),
            numbers.map((count) => {
              const here = draft.park[seat];
              const more = count === 6 && here >= 6 ? here + 1 : count;
              return h("td", {}, h("button", { type: "button", "aria-pressed": Math.min(here, 6) === count, on: { click: () => put({ type: "park", seat, buildings: Math.min(more, BUILDINGS) }) } }, labelled(t("fifth-avenue.park-of", { name, buildings: count }), count === 6 && here > 6 ? here : count)));
            }),
          ),
        ),
      ),
    ),
    h("p", { class: "label", id: "park-tiles" }, t("fifth-avenue.park-tiles", { tiles: draft.tiles.map((/** @type {string} */ one) => t(`fifth-avenue.${one}`)).join(", ") || "–" })),
    h(
      "div",
      { class: "kinds", role: "group", "aria-labelledby": "park-tiles", "data-group": "" },
      BUSINESSES.map((business) => h("button", { type: "button", key: business, "aria-pressed": draft.tiles.includes(business), on: { click: () => put({ type: "tile", business }) } }, icon(business), t(`fifth-avenue.${business}`))),
      draft.tiles.length > 0 && h("button", { type: "button", key: "none", on: { click: () => put({ type: "no-tiles" }) } }, icon("backspace"), t("fifth-avenue.clear-tiles")),
    ),
    h("button", { type: "button", class: "button wide", on: { click: () => put({ type: "drawn" }) } }, draft.tiles.length < PARK_TILES && !draft.drawn ? t(draft.tiles.length ? "fifth-avenue.all-tiles" : "fifth-avenue.none-drawn") : t("fifth-avenue.next", { place: t("fifth-avenue.track") })),
  ];
}

/** @param {Context} context */
function track({ draft, cursor, names, enter: put }) {
  const after = cursor.seat + 1 < names.length ? names[cursor.seat + 1] : t("fifth-avenue.map-short");
  return [
    h("div", { class: "choice each", role: "group", "aria-label": t("fifth-avenue.track"), "data-group": "" }, names.map((name, seat) => h("button", { type: "button", "data-types": "", key: `t${seat}`, "aria-pressed": cursor.seat === seat, on: { click: () => put({ type: "go", place: "track", seat }) } }, labelled(`${name}: ${draft.scores[seat] || "–"}`, mark(seat, true), " ", draft.scores[seat] || "–")))),
    keypad({ press: (key) => put({ type: "press", key }), next: t("fifth-avenue.next", { place: after }), go: () => put({ type: "next" }) }),
  ];
}
