// What is chosen of a move, and what a tap makes of it. Pure functions: of a game they know no more than the kinds of moves
// tell, with their parameters and where on the table these lie.

/** @typedef {{type: string, seat: number, [member: string]: any}} Move */
/** @typedef {{member: string, type: "token" | "place" | "number" | "word", lies_in: string[], is_set: boolean, least: number, most: number}} Parameter */
/** @typedef {{type: string, text: string, group?: string, total: number, move?: Move, parameters: Parameter[]}} Kind a kind of move */
/** @typedef {{place: string, token?: string, isPlace: boolean, key: string, move?: string}} Spot something on the table: a place itself, or a token in its place; `move`: the kind of move that makes the place */
/** @typedef {{member: string, value: string, binds: {[member: string]: string}, at: string}} Pick a value for a parameter, what else its place says, and the key of its spot ("" without one) */
/** @typedef {{total: number, open: {[member: string]: {[value: string]: number}}, moves: Move[], isWhole: boolean}} Options what can follow: the values that can be added, and the moves (`isWhole`: all of them) */
/** @typedef {{text: string, kinds: Kind[]}} Verb a kind of move, or a group of them */

// --- what to offer ---------------------------------------------------------------------------------------------------

/**
 * How a decision is offered. Where all that can be done is one kind of move, and ways around it, that kind leads and its
 * parameters are asked for at once; else there are verbs first.
 * @param {readonly Kind[]} kinds
 * @returns {{leading?: Kind, ways: Kind[], verbs: Verb[]}}
 */
export function menuOf(kinds) {
  const possible = kinds.filter(({ total }) => total > 0);
  const open = possible.filter(({ parameters }) => parameters.length);
  const leading = [...open].sort((one, other) => other.parameters.length - one.parameters.length)[0];
  const membersOf = (/** @type {Kind} */ kind) => kind.parameters.map(({ member }) => member);
  const isDirect = leading && kinds.filter(({ parameters }) => !parameters.length).length < 2 && open.every((kind) => membersOf(kind).every((member) => membersOf(leading).includes(member)));
  if (isDirect) return { leading, ways: possible.filter((kind) => kind !== leading), verbs: [] };
  return { ways: [], verbs: verbsOf(kinds.filter(({ total, parameters }) => total > 0 || parameters.length)) };
}

/** @param {readonly Kind[]} kinds @returns {Verb[]} */
function verbsOf(kinds) {
  /** @type {Verb[]} */
  const verbs = [];
  for (const kind of kinds) {
    const before = kind.group && verbs.find(({ text }) => text === kind.group);
    if (before) before.kinds.push(kind);
    else verbs.push({ text: kind.group ?? kind.text, kinds: [kind] });
  }
  return verbs;
}

/** The only legal move of a decision, if there is only one. @param {readonly Kind[]} kinds */
export function onlyMove(kinds) {
  const possible = kinds.filter(({ total }) => total > 0);
  return possible.length === 1 ? possible[0].move : undefined;
}

/**
 * The parameters to ask for: not those that another one's place tells.
 * @param {Kind} kind
 */
export function asked(kind) {
  const told = new Set(kind.parameters.flatMap(({ member, lies_in }) => lies_in.flatMap(slotsIn).filter((slot) => slot !== member)));
  return kind.parameters.filter(({ member }) => !told.has(member));
}

/** @param {string} pattern */
function slotsIn(pattern) {
  return [...pattern.matchAll(/\{(\w+)\}/g)].map(([, slot]) => slot);
}

/** Whether places tell more than one parameter: then what goes together is only known from the moves. @param {Kind} kind */
export function isJoined(kind) {
  return asked(kind).length < kind.parameters.length;
}

/** So many pieces lie in the tray, such as the buildings of Carrara. */
const MOST_PIECES = 9;

/**
 * What a parameter is chosen with.
 * @param {Parameter} parameter
 * @param {number} seat
 * @param {(pattern: string) => number} lying how many tokens lie in a place
 * @returns {"cards" | "pieces" | "spots" | "segments" | "stepper"}
 */
export function widgetOf(parameter, seat, lying) {
  const { type, lies_in, least, most } = parameter;
  if (type === "number") return most - least < 6 ? "segments" : "stepper";
  if (type === "word") return "segments";
  if (type === "place" || lies_in.some((pattern) => pattern.includes("{"))) return "spots";
  if (lies_in.every((pattern) => pattern === `/seats/${seat}/hand`)) return "cards";
  return lies_in.reduce((sum, pattern) => sum + lying(pattern), 0) <= MOST_PIECES ? "pieces" : "spots";
}

// --- what a tap means ------------------------------------------------------------------------------------------------

/**
 * What a spot can be in a move of a kind.
 * @param {Kind} kind
 * @param {Spot} spot
 * @returns {Pick[]}
 */
export function meanings(kind, spot) {
  return asked(kind).flatMap(({ member, type, lies_in }) =>
    lies_in.flatMap((pattern) => {
      const told = type === "token" ? spot.token !== undefined && slotsAt(pattern, spot.place, true) : spot.isPlace && slotsAt(pattern, spot.place, false);
      if (!told) return [];
      const { [member]: named, ...binds } = told;
      const value = type === "token" ? spot.token : named;
      return value === undefined ? [] : [{ member, value, binds, at: spot.key }];
    }),
  );
}

/**
 * @param {string} pattern
 * @param {string} place
 * @param {boolean} isWithin whether the place may also lie below it
 * @returns {{[slot: string]: string} | undefined}
 */
function slotsAt(pattern, place, isWithin) {
  const source = pattern.replace(/[.*+?^$()[\]\\|]/g, "\\$&").replace(/\{(\w+)\}/g, "(?<$1>[^/]+)");
  const found = new RegExp(`^${source}${isWithin ? "(?:/.*)?" : ""}$`).exec(place);
  return found ? { ...found.groups } : undefined;
}

/**
 * What can follow what is chosen, from a list of all legal moves.
 * @param {Kind} kind
 * @param {readonly Move[]} listed
 * @param {{[member: string]: any}} partial what is chosen
 * @returns {Options}
 */
export function optionsIn(kind, listed, partial) {
  const times = (/** @type {any} */ all, /** @type {string} */ value) => [all ?? []].flat().filter((one) => String(one) === value).length;
  const moves = listed.filter((move) => Object.entries(partial).every(([member, value]) => [value].flat().every((one) => times(move[member], String(one)) >= times(value, String(one)))));
  /** @type {Options["open"]} */
  const open = {};
  for (const { member } of kind.parameters) {
    for (const move of moves) {
      for (const value of new Set([move[member]].flat().map(String))) {
        if (times(move[member], value) > times(partial[member], value)) (open[member] ??= {})[value] = (open[member][value] ?? 0) + 1;
      }
    }
  }
  return { total: moves.length, open, moves, isWhole: true };
}

/**
 * Whether another value of a parameter would take the place of one that is chosen.
 * @param {Kind} kind
 * @param {readonly Pick[]} picks
 * @param {Pick} pick
 */
export function isFilled(kind, picks, { member }) {
  const { is_set, most } = parameterOf(kind, member);
  return picks.filter((one) => one.member === member).length >= (is_set ? most : 1);
}

/**
 * Whether a pick can follow what is chosen.
 * @param {Kind} kind
 * @param {Options} options
 * @param {Pick} pick
 */
export function canFollow(kind, options, { member, value, binds }) {
  const parts = { ...binds, [member]: value };
  if (parameterOf(kind, member).is_set && !options.open[member]?.[value]) return false;
  if (options.isWhole && isJoined(kind)) return options.moves.some((move) => Object.entries(parts).every(([part, wanted]) => [move[part]].flat().map(String).includes(wanted)));
  return Object.entries(parts).every(([part, wanted]) => options.open[part] === undefined || options.open[part][wanted] > 0);
}

/**
 * What is chosen after a pick: what contradicts it goes; of a full set the oldest.
 * @param {Kind} kind
 * @param {readonly Pick[]} picks
 * @param {Pick} pick
 * @returns {Pick[]}
 */
export function withPick(kind, picks, pick) {
  const { is_set, most } = parameterOf(kind, pick.member);
  const told = tells(kind, pick);
  const kept = picks.filter((one) => Object.entries(tells(kind, one)).every(([part, value]) => told[part] === undefined || told[part] === value));
  const alike = kept.filter(({ member }) => member === pick.member);
  const gone = !is_set ? alike : alike.length >= most ? [alike[0]] : [];
  return [...kept.filter((one) => !gone.includes(one)), pick];
}

/** What a pick says of the members that have one value. @param {Kind} kind @param {Pick} pick */
function tells(kind, { member, value, binds }) {
  return parameterOf(kind, member).is_set ? binds : { ...binds, [member]: value };
}

/** @param {Kind} kind @param {string} member */
export function parameterOf(kind, member) {
  return /** @type {Parameter} */ (kind.parameters.find((one) => one.member === member));
}

/**
 * The picks as a partial move.
 * @param {Kind} kind
 * @param {readonly Pick[]} picks
 * @returns {{type: string, [member: string]: any}}
 */
export function partialOf(kind, picks) {
  /** @type {{type: string, [member: string]: any}} */
  const partial = { type: kind.type };
  for (const { member, value, binds } of picks) {
    for (const [name, bound] of Object.entries({ ...binds, [member]: value })) {
      const parameter = parameterOf(kind, name);
      const typed = parameter.type === "number" || /^\d+$/.test(bound) ? Number(bound) : bound;
      partial[name] = parameter.is_set ? [...(partial[name] ?? []), typed].sort() : typed;
    }
  }
  return partial;
}

/**
 * The picks as a whole move; undefined as long as a parameter is missing.
 * @param {Kind} kind
 * @param {readonly Pick[]} picks
 * @param {number} seat
 * @returns {Move | undefined}
 */
export function exactMove(kind, picks, seat) {
  const partial = partialOf(kind, picks);
  /** @type {Move} */
  const move = { seat, ...partial };
  for (const { member, is_set, least } of kind.parameters) {
    if (is_set) move[member] ??= [];
    if (is_set ? move[member].length < least : move[member] === undefined) return undefined;
  }
  return move;
}

/**
 * The move to be played: the picks themselves if they are one, else the only one that contains them, unless that takes more
 * of a set than was picked of it.
 * @param {Kind} kind
 * @param {readonly Pick[]} picks
 * @param {Options | undefined} options
 * @param {Move | undefined} exact
 * @param {boolean} isLegal whether `exact` is
 * @returns {Move | undefined}
 */
export function readyMove(kind, picks, options, exact, isLegal) {
  if (exact && isLegal) return exact;
  const only = options?.total === 1 ? options.moves[0] : undefined;
  const isPicked = (/** @type {Parameter} */ { member, is_set }) => is_set && picks.some((pick) => pick.member === member);
  const partial = partialOf(kind, picks);
  return only && kind.parameters.every((parameter) => !isPicked(parameter) || only[parameter.member].length === partial[parameter.member].length) ? only : undefined;
}

/**
 * The picks that make a move: to those there are, what goes with them, at the first spots that fit.
 * @param {Kind} kind
 * @param {readonly Pick[]} picks
 * @param {Move} move
 * @param {readonly Spot[]} spots
 * @returns {Pick[]}
 */
export function completed(kind, picks, move, spots) {
  const all = [...picks];
  for (const { member } of asked(kind)) {
    if (picks.some((pick) => pick.member === member)) continue;
    for (const value of [move[member]].flat().map(String)) {
      const isMeant = (/** @type {Pick} */ pick) => pick.member === member && pick.value === value && Object.entries(pick.binds).every(([part, bound]) => String(move[part]) === bound);
      const found = spots.flatMap((spot) => meanings(kind, spot)).find((pick) => isMeant(pick) && all.every(({ at }) => at !== pick.at));
      all.push(found ?? { member, value, binds: {}, at: `${member} ${value}` });
    }
  }
  return all;
}

// --- cards -----------------------------------------------------------------------------------------------------------

/** From so many cards on, equal ones lie on one another. */
const MOST_APART = 16;

/**
 * Cards in the order in which they are offered: what fits comes first. Of many, equal ones are a pile.
 * @template {{token?: string}} Card
 * @param {readonly Card[]} cards
 * @param {(card: Card) => boolean} fits
 * @returns {Card[][]}
 */
export function pilesOf(cards, fits) {
  const ordered = [...cards.filter(fits), ...cards.filter((card) => !fits(card))];
  if (cards.length <= MOST_APART) return ordered.map((card) => [card]);
  /** @type {Map<string | undefined, Card[]>} */
  const piles = new Map();
  for (const card of ordered) piles.set(card.token, [...(piles.get(card.token) ?? []), card]);
  return [...piles.values()];
}
