// A move is put together by taps on the picture. What can be tapped, and what follows, the service says: the kinds of moves of a
// decision with where their parameters lie, and the moves that contain what is chosen. Pure functions.

/** @typedef {import("./board.js").Spot} Spot */
/** @typedef {{member: string, type: string, lies_in: string[], is_set: boolean, least: number, most: number}} Parameter */
/** @typedef {{type: string, text: string, total: number, parameters: Parameter[]}} Kind */
/** @typedef {{type: string, [member: string]: any}} Chosen a part of a move */
/** @typedef {{chosen: Chosen, total: number, moves: any[], texts: string[], open: {[member: string]: {[value: string]: number}}}} Fitting the moves that contain what is chosen, the first of them, and what can be added */
/** @typedef {{state: any, kinds: Kind[], fitting: Fitting[]}} Trial `fitting`: none before the first tap, then one for each kind of move that it can be */

/**
 * What a tap makes of a trial: for each kind of move that it can be, what is chosen now.
 * @param {Trial} trial
 * @param {readonly Spot[]} spots what was tapped, the innermost first
 * @returns {Chosen[]}
 */
export function tapped({ kinds, fitting }, spots) {
  for (const spot of spots) {
    const found = kinds.flatMap((kind) => {
      const before = fitting.find(({ chosen }) => chosen.type === kind.type);
      if (!kind.total || (fitting.length && !before)) return [];
      return kind.parameters.flatMap((parameter) => withSpot(parameter, before?.chosen ?? { type: kind.type }, spot, before)).slice(0, 1);
    });
    if (found.length) return found;
  }
  return [];
}

/**
 * @param {Parameter} parameter
 * @param {Chosen} chosen
 * @param {Spot} spot
 * @param {Fitting | undefined} before
 * @returns {Chosen[]}
 */
function withSpot(parameter, chosen, spot, before) {
  const { member, is_set: isSet } = parameter;
  const values = valuesAt(parameter, spot);
  if (!values) return [];
  const value = values[member];
  if (!isSet) return [{ ...chosen, ...values }];
  const had = /** @type {any[]} */ (chosen[member] ?? []);
  const canAdd = !had.includes(value) || (before?.open[member]?.[value] ?? 0) > 0;
  const last = had.lastIndexOf(value);
  const items = canAdd ? [...had, value] : had.filter((_, at) => at !== last);
  const { [member]: _, ...others } = { ...chosen, ...values };
  return [items.length ? { ...others, type: chosen.type, [member]: items } : { ...others, type: chosen.type }];
}

/**
 * The values that a spot gives to a parameter, and to the members in its place; undefined if the parameter is not there.
 * @param {Parameter} parameter
 * @param {Spot} spot
 * @returns {{[member: string]: any} | undefined}
 */
function valuesAt({ member, type, lies_in: places }, { place, token }) {
  if ((type === "token") !== (token !== undefined)) return undefined;
  for (const pattern of places) {
    const slots = pattern.replace(/[.*+?^$()[\]\\|]/g, "\\$&").replace(/\{(\w+)\}/g, "(?<$1>[^/]+)");
    const found = new RegExp(`^${slots}${type === "token" ? "(?:/.*)?" : ""}$`).exec(place);
    if (!found) continue;
    const named = Object.fromEntries(Object.entries(found.groups ?? {}).map(([name, value]) => [name, /^\d+$/.test(value) ? Number(value) : value]));
    return type === "token" ? { ...named, [member]: token } : named;
  }
  return undefined;
}

/**
 * Whether a spot is chosen in a trial, or can be added.
 * @param {Trial} trial
 * @param {Spot} spot
 * @returns {"chosen" | "open" | undefined}
 */
export function stateOf({ kinds, fitting }, spot) {
  /** @type {"open" | undefined} */
  let state;
  for (const { chosen, open } of fitting) {
    for (const parameter of kinds.find(({ type }) => type === chosen.type)?.parameters ?? []) {
      const value = valuesAt(parameter, spot)?.[parameter.member];
      if (value === undefined) continue;
      const has = chosen[parameter.member];
      if (Array.isArray(has) ? has.includes(value) : has === value) return "chosen";
      if (open[parameter.member]?.[value]) state = "open";
    }
  }
  return state;
}

/** Whether anything of a decision lies on the table. @param {readonly Kind[]} kinds */
export function isOnTable(kinds) {
  return kinds.some(({ total, parameters }) => total > 0 && parameters.some((parameter) => parameter.lies_in.length > 0));
}
