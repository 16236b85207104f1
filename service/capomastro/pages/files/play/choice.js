// A move is assembled from taps: those legal moves remain that contain everything tapped. Pure functions, for any game.

import { targetAt, targetsOf } from "./targets.js";

/** @typedef {import("./targets.js").Move} Move */
/** @typedef {{move: Move, text: string, targets: string[]}} Choice a legal move, as a sentence, and its targets */
/** @typedef {{label: string, choices: Choice[], numbers: string[]}} Group moves that differ in a number: their common sentence, and the number of each; or one move, without a label */

/**
 * @param {string} game
 * @param {{moves: Move[], texts: string[]}} legal
 * @param {(target: string) => boolean} isThere whether the picture has it; nothing else needs to be tapped
 * @returns {Choice[]}
 */
export function choicesOf(game, { moves, texts }, isThere) {
  /** @type {Map<string, boolean>} */
  const known = new Map();
  const isKnown = (/** @type {string} */ target) => {
    if (!known.has(target)) known.set(target, isThere(target));
    return known.get(target);
  };
  return moves.map((move, at) => ({ move, text: texts[at], targets: targetsOf(game, move).filter(isKnown) }));
}

/**
 * The moves that contain everything chosen.
 * @param {readonly Choice[]} choices
 * @param {readonly string[]} chosen
 */
export function choicesWith(choices, chosen) {
  return choices.filter(({ targets }) => chosen.every((one) => count(targets, one) >= count(chosen, one)));
}

/**
 * The moves to offer as sentences: those that need no more targets; all that remain, if they are few.
 * @param {readonly Choice[]} left
 * @param {readonly string[]} chosen
 * @param {number} few
 */
export function choicesToSay(left, chosen, few) {
  return left.length <= few ? left : left.filter(({ targets }) => targets.length === chosen.length);
}

/**
 * The targets that can be tapped next.
 * @param {readonly Choice[]} left
 * @param {readonly string[]} chosen
 * @returns {Set<string>}
 */
export function nextTargets(left, chosen) {
  return new Set(left.flatMap(({ targets }) => targets.filter((one) => count(targets, one) > count(chosen, one))));
}

/**
 * The targets that can be tapped next where not all legal moves are listed: whatever may be a part of a move of a listed type.
 * @param {string} game
 * @param {readonly Move[]} legal
 * @param {readonly import("./targets.js").Spot[]} spots everything in the picture
 * @param {readonly string[]} chosen
 * @returns {Set<string>}
 */
export function possibleTargets(game, legal, spots, chosen) {
  const all = spots.flatMap((spot) => targetAt(game, legal, [spot]) ?? []);
  return new Set(all.filter((target) => count(all, target) > count(chosen, target)));
}

/**
 * What is chosen after a tap: the target, and of those before it what a legal move combines with it; later ones come first.
 * @param {readonly Choice[]} choices
 * @param {readonly string[]} chosen
 * @param {string} tapped
 * @returns {string[]}
 */
export function chosenWith(choices, chosen, tapped) {
  let kept = [tapped];
  for (const one of [...chosen].reverse()) if (choicesWith(choices, [one, ...kept]).length) kept = [one, ...kept];
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
 * Groups moves that differ only in a number: "Ada raises tower A by … floors", 1, 2, 3.
 * @param {readonly Choice[]} choices
 * @returns {Group[]}
 */
export function byNumber(choices) {
  /** @type {Choice[][]} */
  const groups = [];
  for (const choice of choices) {
    const group = groups.find((one) => one.every((other) => differsInNumber(one[0].move, other.move, choice.move)));
    if (group) group.push(choice);
    else groups.push([choice]);
  }
  return groups.flatMap((group) => groupOf(group) ?? group.map((choice) => ({ label: "", choices: [choice], numbers: [] })));
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
 * @param {Choice[]} choices
 * @returns {Group | undefined}
 */
function groupOf(choices) {
  if (choices.length < 2) return undefined;
  const words = choices.map(({ text }) => text.split(" "));
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
  return { label: rest.filter(Boolean).join(" "), choices, numbers: counted.map(({ number }) => number) };
}

/**
 * @param {readonly string[]} list
 * @param {string} item
 */
export function count(list, item) {
  return list.filter((one) => one === item).length;
}
