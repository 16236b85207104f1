// The course of a game, as `replays` answers it: its turns, its scores, and where a step leads. Pure functions.
//
// Positions are numbered as by the service: position n is the one after n moves, position 0 the empty table.

import { isScored } from "../gains.js";

/** @typedef {{type: string, text: string, seat?: number | null, points?: number, rule?: string, [member: string]: any}} Event_ */
/** @typedef {{active_seat: number, decision: {actor: string, kind: string, seat?: number}, move: any, text: string, events: Event_[], points: number[]}} MoveWithTexts `points`: each player's, if the game ended after it */
/** @typedef {{seat: number | null, number: number, round: number, from: number, to: number}} Turn moves `from` to before `to`; the set-up has no seat and the number 0 */
/** @typedef {{ply: number, events: Event_[]}} Scoring what position `ply` scored */
/** @typedef {"move" | "turn" | "round" | "score" | "mistake"} Stride */

/** @type {Stride[]} */
export const STRIDES = ["move", "turn", "round", "score", "mistake"];

/**
 * @param {readonly MoveWithTexts[]} course
 * @returns {Turn[]}
 */
export function turnsOf(course) {
  const first = course.findIndex((played) => played.decision.actor === "seat");
  const begun = first < 0 ? course.length : first;
  /** @type {Turn[]} */
  const turns = begun ? [{ seat: null, number: 0, round: 0, from: 0, to: begun }] : [];
  for (let at = begun; at < course.length; at++) {
    const seat = course[at].active_seat;
    const last = turns.at(-1);
    if (last && last.seat === seat) last.to = at + 1;
    else {
      const opener = turns.find((turn) => turn.seat !== null)?.seat ?? seat;
      turns.push({ seat, number: (last?.number ?? 0) + 1, round: (last?.round ?? 0) + (seat === opener ? 1 : 0), from: at, to: at + 1 });
    }
  }
  return turns;
}

/**
 * The points of each seat at each position, if the game ended there.
 * @param {readonly MoveWithTexts[]} course
 * @param {number} players
 * @returns {number[][]}
 */
export function pointsOf(course, players) {
  return [Array.from({ length: players }, () => 0), ...course.map((played) => played.points)];
}

/**
 * The rows of a list of turns: with two players the turns of a round beside each other, else one after the other.
 * @param {readonly Turn[]} turns without the set-up
 * @param {number} players
 * @returns {Turn[][]}
 */
export function rowsOf(turns, players) {
  if (players !== 2) return turns.map((turn) => [turn]);
  /** @type {Turn[][]} */
  const rows = [];
  for (const turn of turns) {
    if (rows.at(-1)?.[0].round === turn.round) rows.at(-1)?.push(turn);
    else rows.push([turn]);
  }
  return rows;
}

/**
 * The moves from one position to before another, with draws that follow each other together.
 * @param {readonly MoveWithTexts[]} course
 * @param {number} from
 * @param {number} to
 * @returns {{from: number, to: number, isChance: boolean}[]} the positions that they begin at and lead to
 */
export function stretchesOf(course, from, to) {
  /** @type {{from: number, to: number, isChance: boolean}[]} */
  const stretches = [];
  for (let at = from; at < to; at++) {
    const isChance = course[at].decision.actor !== "seat";
    const last = stretches.at(-1);
    if (isChance && last?.isChance) last.to = at + 1;
    else stretches.push({ from: at, to: at + 1, isChance });
  }
  return stretches;
}

/**
 * The position, after a given one and round to it again, of a move whose text has certain words.
 * @param {readonly (readonly MoveWithTexts[])[]} tellings of the same course
 * @param {string} words
 * @param {number} at
 * @returns {number | undefined}
 */
export function found(tellings, words, at) {
  const wanted = words.trim().toLocaleLowerCase();
  const plies = tellings[0]?.length ?? 0;
  const says = (/** @type {number} */ index) => tellings.some((course) => [course[index].text, ...course[index].events.map(({ text }) => text)].some((text) => text.toLocaleLowerCase().includes(wanted)));
  for (let step = 0; step < plies; step++) if (says((at + step) % plies)) return ((at + step) % plies) + 1;
  return undefined;
}

/**
 * @param {readonly MoveWithTexts[]} course
 * @returns {Scoring[]}
 */
export function scoringsOf(course) {
  return course.flatMap((played, at) => {
    const events = played.events.filter(isScored);
    return events.some((event) => event.points) ? [{ ply: at + 1, events }] : [];
  });
}

/**
 * The position that a step leads to; undefined if there is none in that direction.
 * @param {number} at
 * @param {1 | -1} way
 * @param {readonly number[]} places in order
 */
export function stepFrom(at, way, places) {
  return way > 0 ? places.find((place) => place > at) : places.findLast((place) => place < at);
}

/**
 * The positions that steps of a kind can lead to.
 * @param {Stride} stride
 * @param {{plies: number, turns: readonly Turn[], scorings: readonly Scoring[], mistakes: readonly number[]}} game
 * @returns {number[]}
 */
export function placesOf(stride, { plies, turns, scorings, mistakes }) {
  switch (stride) {
    case "move":
      return Array.from({ length: plies + 1 }, (_, ply) => ply);
    case "turn":
      return [...new Set([0, ...turns.map((turn) => turn.from), plies])];
    case "round":
      return [...new Set([0, ...turns.filter((turn, index) => turn.round !== turns[index - 1]?.round).map((turn) => turn.from), plies])];
    case "score":
      return scorings.map((scoring) => scoring.ply);
    case "mistake":
      return [...mistakes];
  }
}

/**
 * A record without its slips, which the service has left out, replaced, preceded by another move, or swapped with a neighbour.
 * @param {readonly any[]} moves as recorded
 * @param {{followed_to_the_end: boolean, divergences: readonly any[]}} lenient
 * @returns {{moves: any[], mended: Map<number, any>}} the moves, and by the index of a move the slip that was mended there
 */
export function mendedMoves(moves, { followed_to_the_end, divergences }) {
  /** @type {any[]} */
  const played = [];
  const mended = new Map();
  const slips = new Map(divergences.map((slip) => [slip.remedy.first ?? slip.index, slip]));
  const last = followed_to_the_end ? moves.length : Number(divergences.at(-1)?.index ?? moves.length);
  for (let index = 0; index < last; index++) {
    const slip = slips.get(index);
    if (slip) mended.set(played.length, slip);
    if (slip?.remedy.move) played.push(slip.remedy.move);
    if (!slip || ["inserted", "swapped"].includes(slip.remedy.action)) played.push(moves[index]);
    if (slip?.remedy.action === "swapped") index++;
  }
  return { moves: played, mended };
}
