// Where the parts of a move are in the picture. Everything that the page knows of its games is here.
//
// A target is a place of the picture, as `data-place` names it, and perhaps, after a space, a token in it. In a pattern
// `{member}` stands for the value of that member of the move, or for each item of a list.

/** @typedef {{type: string, seat: number, [member: string]: any}} Move */
/** @typedef {{place: string, token?: string, isPlace: boolean}} Spot something on the table: a place itself, or a token in its place */

const HAND = "/seats/{seat}/hand";
const PALACE = "/seats/{seat}/palaces/{palace}";

/**
 * By game and type of move. What has no pattern, such as an amount or a pass, is not in the picture: it is offered as a sentence.
 * @type {{[game: string]: {[type: string]: string[]}}}
 */
export const TARGETS = {
  palazzo: {
    "take-two-cards": ["/stage/face_up {cards}"],
    "take-card": ["/stage/face_up {card}"],
    buy: ["/supply {tiles}", `${HAND} {payment}`],
    raise: [`${HAND} {cards}`],
    "take-tile": ["/quarries {tile}"],
    "place-on-top": ["/stage/tiles {tile}", PALACE],
    "begin-palace": ["/stage/tiles {tile}", "/seats/{seat}/palaces/-"],
    "throw-away": ["/stage/tiles {tile}"],
    "rebuild-take-out": [`${HAND} {card}`, `${PALACE} {tile}`],
    "rebuild-insert": [`${HAND} {card}`, PALACE, "/seats/{seat}/palaces/{into}"],
    "rebuild-remove": [`${HAND} {card}`, PALACE],
  },
  campanile: {
    "play-card": [`${HAND} {card}`],
    "place-marker": ["/towers/{tower}"],
    "move-marker": ["/towers/{source}", "/towers/{destination}"],
    "take-card": ["/display {card}"],
  },
  carrara: {
    "buy-blocks": ["/wheel/{section} {blocks}"],
    build: ["/face_up {building}", "/seats/{seat}/cities/{city}", "/seats/{seat}/blocks {payment}"],
    "score-type": ["/seats/{seat}/scored_types/{building_type}"],
    "score-city": ["/seats/{seat}/cities/{city}"],
    "buy-object": ["/objects_for_sale {object}"],
  },
  "fifth-avenue": {
    "place-first-building": ["/districts/{district}/{lot}"],
    "place-business": ["/row {business}", "/districts/{district}/{lot}"],
    "score-district": ["/districts/{district}"],
    "take-cards": ["/piles/{colours}"],
    "move-commissioner": ["/commissioners/{commissioner}", "/districts/{to}", "/places/{to}"],
    bid: [`${HAND} {cards}`],
  },
};

/**
 * Moves of any cards of a hand, of which there may be millions, each with the moves without parts that can be made instead.
 * @type {{[game: string]: {[type: string]: string[]}}}
 */
export const MOVES_INSTEAD = { palazzo: { buy: ["call-auction"], raise: ["pass"] }, "fifth-avenue": { bid: ["pass"] } };

/**
 * Points for what lies on the table, before any scoring.
 * @type {{[game: string]: (derived: any) => number[]}}
 */
export const POINTS_ON_TABLE = { palazzo: (derived) => derived.palace_points };

/**
 * The options that are offered; all others keep their defaults.
 * @type {{[game: string]: {key: string, values: (boolean | number)[], players?: number[]}[]}}
 */
export const OPTIONS = {
  palazzo: [{ key: "builder", values: [0, 1, 2, 3] }],
  campanile: [{ key: "move_medium_marker", values: [false, true], players: [2] }],
  carrara: [],
  "fifth-avenue": [{ key: "six_lots", values: [false, true] }],
};

/**
 * The targets of a move, in the order of its patterns; twice the same if it takes two.
 * @param {string} game
 * @param {Move} move
 * @returns {string[]}
 */
export function targetsOf(game, move) {
  return (TARGETS[game]?.[move.type] ?? []).flatMap((pattern) => filled(pattern, move));
}

/**
 * @param {string} pattern
 * @param {Move} move
 * @returns {string[]}
 */
function filled(pattern, move) {
  const slot = /\{(\w+)\}/.exec(pattern);
  if (!slot) return [pattern];
  const value = move[slot[1]];
  return [value].flat().flatMap((one) => filled(pattern.replace(slot[0], String(one)), move));
}

/**
 * Whether a spot is what a target names.
 * @param {Spot} spot
 * @param {string} target
 */
export function isAt(spot, target) {
  const [place, token] = target.split(" ");
  if (token === undefined) return spot.isPlace && spot.place === place;
  return spot.token === token && (spot.place === place || spot.place.startsWith(`${place}/`));
}

/**
 * What a tap means where not all legal moves are listed: a part of a move of one of the listed types.
 * @param {string} game
 * @param {readonly Move[]} legal
 * @param {readonly Spot[]} spots what was tapped, and what it lies in
 * @returns {string | undefined}
 */
export function targetAt(game, legal, spots) {
  const kinds = new Map(legal.map((move) => [move.type, move]));
  for (const spot of spots) {
    for (const [type, { seat }] of kinds) {
      for (const pattern of TARGETS[game]?.[type] ?? []) {
        const members = membersAt(pattern, spot);
        if (members && Number(members.seat ?? seat) === seat) return filled(pattern, { type, seat, ...members })[0];
      }
    }
  }
  return undefined;
}

/**
 * The move that the chosen targets make; what is missing comes from a legal move of that type.
 * @param {string} game
 * @param {readonly Move[]} legal
 * @param {readonly string[]} chosen
 * @returns {Move | undefined} undefined if no type of move takes it all
 */
export function composedMove(game, legal, chosen) {
  const patterns = (/** @type {Move} */ move) => TARGETS[game]?.[move.type] ?? [];
  const like = legal.find((move) => chosen.every((target) => patterns(move).some((pattern) => membersAt(pattern, spotOf(target)))));
  if (!like) return undefined;
  const move = { ...like };
  for (const pattern of patterns(like)) {
    const [, member] = /\{(\w+)\}$/.exec(pattern) ?? [];
    const values = chosen.flatMap((target) => membersAt(pattern, spotOf(target))?.[member] ?? []);
    if (member && values.length) move[member] = Array.isArray(like[member]) ? values.sort() : typeof like[member] === "number" ? Number(values.at(-1)) : values.at(-1);
  }
  return move;
}

/** @param {string} target @returns {Spot} */
export function spotOf(target) {
  const [place, token] = target.split(" ");
  return { place, token, isPlace: token === undefined };
}

/**
 * What a pattern's slots have to be for it to mean this spot.
 * @param {string} pattern
 * @param {Spot} spot
 * @returns {{[member: string]: string} | undefined}
 */
export function membersAt(pattern, spot) {
  const [place, token] = pattern.split(" ");
  if ((token === undefined) !== spot.isPlace && !(token !== undefined && spot.token)) return undefined;
  const slots = place.replace(/[.*+?^$()[\]\\|]/g, "\\$&").replace(/\{(\w+)\}/g, "(?<$1>[^/]+)");
  const found = new RegExp(`^${slots}${token === undefined ? "" : "(?:/.*)?"}$`).exec(spot.place);
  if (!found || (token !== undefined && spot.token === undefined)) return undefined;
  return { ...found.groups, ...(token === undefined ? {} : { [token.slice(1, -1)]: String(spot.token) }) };
}
