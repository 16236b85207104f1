// A move is put together from what is tapped: the legal moves that have it all are left. Pure functions, for any game.

import { targetsOf } from "./targets.js";

/** @typedef {import("./targets.js").Move} Move */
/** @typedef {{move: Move, text: string, targets: string[]}} Way a legal move: as a sentence, and what is tapped for it */
/** @typedef {{label: string, ways: Way[], numbers: string[]}} Group moves that differ in a number: what they all say, and the number of each; or one move, without a label */

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
 * Puts together what differs in a number only, and says the rest once: "Ada raises tower A by … floors", 1, 2, 3.
 * @param {readonly Way[]} ways
 * @returns {Group[]}
 */
export function byNumber(ways) {
  /** @type {Way[][]} */
  const groups = [];
  for (const way of ways) {
    const group = groups.find((one) => one.every((other) => differsInNumber(one[0].move, other.move, way.move)));
    if (group) group.push(way);
    else groups.push([way]);
  }
  return groups.flatMap((group) => groupOf(group) ?? group.map((way) => ({ label: "", ways: [way], numbers: [] })));
}

/**
 * Whether a move differs from a group in the same single number as the group's members from each other.
 * @param {Move} first of the group
 * @param {Move} other
 * @param {Move} move
 */
function differsInNumber(first, other, move) {
  const members = differences(first, move);
  return members.length === 1 && typeof first[members[0]] === "number" && typeof move[members[0]] === "number" && (other === first || differences(first, other)[0] === members[0]);
}

/**
 * The members in which two moves differ.
 * @param {Move} one
 * @param {Move} other
 */
function differences(one, other) {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((member) => JSON.stringify(one[member]) !== JSON.stringify(other[member]));
}

/**
 * What all sentences of a group have in common, and what only one has; undefined unless that is a number and, in its
 * singular or plural, the word for what it counts.
 * @param {Way[]} ways
 * @returns {Group | undefined}
 */
function groupOf(ways) {
  if (ways.length < 2) return undefined;
  const words = ways.map(({ text }) => text.split(" "));
  const shortest = Math.min(...words.map((one) => one.length));
  const isCommon = (/** @type {number} */ at) => words.every((one) => one.at(at) === words[0].at(at));
  let before = 0;
  while (before < shortest && isCommon(before)) before++;
  let after = 0;
  while (after < shortest - before && isCommon(-1 - after)) after++;
  const counted = words.map((one) => one.slice(before, one.length - after)).map(([number, ...what]) => ({ number, what: what.join(" ") }));
  const forms = new Set(counted.flatMap(({ number, what }) => (number === "1" ? [] : [what])));
  if (!before || forms.size !== 1 || !counted.every(({ number, what }) => /^\d+$/.test(number) && !/\s/.test(what))) return undefined;
  const rest = [...words[0].slice(0, before), "…", ...forms, ...words[0].slice(words[0].length - after)];
  return { label: rest.filter(Boolean).join(" "), ways, numbers: counted.map(({ number }) => number) };
}

/**
 * @param {readonly string[]} list
 * @param {string} item
 */
export function count(list, item) {
  return list.filter((one) => one === item).length;
}
