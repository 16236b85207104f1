// A move is put together from what is tapped: the legal moves that have it all are left. Pure functions, for any game.

import { targetsOf } from "./targets.js";

/** @typedef {import("./targets.js").Move} Move */
/** @typedef {{move: Move, text: string, targets: string[]}} Way a legal move: as a sentence, and what is tapped for it */

/**
 * @param {string} game
 * @param {{moves: Move[], texts: string[]}} legal
 * @param {(target: string) => boolean} isThere whether the picture has it; what it has not, nobody needs to tap
 * @returns {Way[]}
 */
export function waysOf(game, { moves, texts }, isThere) {
  return moves.map((move, at) => ({ move, text: texts[at], targets: targetsOf(game, move).filter(isThere) }));
}

/**
 * The moves that have all that is chosen.
 * @param {readonly Way[]} ways
 * @param {readonly string[]} chosen
 */
export function waysWith(ways, chosen) {
  return ways.filter(({ targets }) => chosen.every((one) => count(targets, one) >= count(chosen, one)));
}

/**
 * The moves that can be said in a sentence now: those that need nothing more, and all that are left if they are few.
 * @param {readonly Way[]} left
 * @param {readonly string[]} chosen
 * @param {number} few
 */
export function waysToSay(left, chosen, few) {
  return left.length <= few ? left : left.filter(({ targets }) => targets.length === chosen.length);
}

/**
 * What may be tapped next.
 * @param {readonly Way[]} left
 * @param {readonly string[]} chosen
 * @returns {Set<string>}
 */
export function nextTargets(left, chosen) {
  return new Set(left.flatMap(({ targets }) => targets.filter((one) => count(targets, one) > count(chosen, one))));
}

/**
 * What is chosen after something was tapped: it, and of all before what goes together with it; the later the rather.
 * @param {readonly Way[]} ways
 * @param {readonly string[]} chosen
 * @param {string} tapped
 * @returns {string[]}
 */
export function chosenWith(ways, chosen, tapped) {
  let kept = [tapped];
  for (const one of [...chosen].reverse()) if (waysWith(ways, [one, ...kept]).length) kept = [one, ...kept];
  return [...kept.filter((_, at) => at !== kept.lastIndexOf(tapped)), tapped];
}

/**
 * @param {readonly string[]} chosen
 * @param {string} target
 * @returns {string[]} without it, once
 */
export function chosenWithout(chosen, target) {
  return chosen.filter((_, at) => at !== chosen.lastIndexOf(target));
}

/**
 * @param {readonly string[]} list
 * @param {string} item
 */
export function count(list, item) {
  return list.filter((one) => one === item).length;
}
