// Why nothing comes of a tap on something in no legal move. Loaded when that is needed.

import { sentence, t } from "../words.js";
import { choicesWith } from "./choice.js";
import { TARGETS, membersAt, spotOf } from "./targets.js";

/** @typedef {import("./targets.js").Move} Move */
/** @typedef {import("./targets.js").Spot} Spot */
/** @typedef {import("../play.js").News} News */

/**
 * The moves that may be meant, each with the rule that forbids it; or why no such move can be made now.
 * @template {Spot} Tapped
 * @param {{table: import("./table.js").Table, seen: import("./table.js").Seen, choices: readonly import("./choice.js").Choice[], chosen: readonly string[]}} page
 * @param {readonly Tapped[]} spots what was tapped, and what it lies in
 * @param {(spot: Tapped) => string} nameOf
 * @returns {Promise<News>}
 */
export async function explanation({ table, seen, choices, chosen }, spots, nameOf) {
  const { game } = table;
  const likely = [...choicesWith(choices, chosen), ...choices].map(({ move }) => move);
  const meant = intendedMoves(game, likely, chosen, spots);
  const what = nameOf(meant?.spot ?? spots[0]);
  if (!meant) {
    const kinds = typesAt(game, spots, Number(table.decision.seat));
    const other = seen.unavailable.find(({ type }) => kinds.includes(type));
    return { text: other ? t("play.not-now", { what, why: sentence(other.message) }) : t("play.nothing", { what, decision: t(`decision.${table.decision.kind}`) }), rule: other?.rule };
  }
  /** @type {import("../play.js").Try[]} */
  const tries = [];
  for (const move of meant.moves) {
    const { refusal, text = "" } = await table.verdict(move);
    if (!refusal) return { text: t("play.also", { what }), also: { move, text: sentence(text) } };
    if (tries.every(({ rule }) => rule !== refusal.rule)) tries.push({ move: sentence(text), why: sentence(refusal.message), rule: refusal.rule });
  }
  return { text: t("play.in-none", { what }), tries };
}

/**
 * The moves that a tap on something in no legal move may intend: what is chosen, with what was tapped; and, since that may be
 * half a payment or bid, a legal move with what was tapped added. Also the spot that they are about.
 * @template {Spot} Tapped
 * @param {string} game
 * @param {readonly Move[]} legal the likeliest first
 * @param {readonly string[]} chosen
 * @param {readonly Tapped[]} spots what was tapped, and what it lies in
 * @returns {{moves: Move[], spot: Tapped} | undefined}
 */
function intendedMoves(game, legal, chosen, spots) {
  for (const spot of spots) {
    for (const [type, patterns] of Object.entries(TARGETS[game] ?? {})) {
      const like = legal.find((move) => move.type === type);
      for (const pattern of like ? patterns : []) {
        const tapped = membersAt(pattern, spot);
        if (!like || !tapped || (tapped.seat !== undefined && Number(tapped.seat) !== like.seat)) continue;
        const asChosen = withTapped(like, tapped, (member) => chosen.flatMap((target) => membersAt(pattern, spotOf(target))?.[member] ?? []));
        const besides = withTapped(like, tapped, (member) => like[member]);
        return { moves: JSON.stringify(asChosen) === JSON.stringify(besides) ? [asChosen] : [asChosen, besides], spot };
      }
    }
  }
  return undefined;
}

/**
 * The types of move that have a part at one of these spots.
 * @param {string} game
 * @param {readonly Spot[]} spots
 * @param {number} seat
 */
function typesAt(game, spots, seat) {
  return Object.entries(TARGETS[game] ?? {}).flatMap(([type, patterns]) => {
    const isThere = patterns.some((pattern) => spots.some((spot) => Number(membersAt(pattern, spot)?.seat ?? seat) === seat && membersAt(pattern, spot)));
    return isThere ? [type] : [];
  });
}

/**
 * A move with what was tapped in it: in place of what it has there, or added to a list.
 * @param {Move} like
 * @param {{[member: string]: string}} tapped
 * @param {(member: string) => string[]} before what is in a list already
 * @returns {Move}
 */
function withTapped(like, { seat: _, ...tapped }, before) {
  const members = Object.entries(tapped).map(([member, value]) => {
    if (Array.isArray(like[member])) return [member, [...before(member), value].sort()];
    return [member, typeof like[member] === "number" ? Number(value) : value];
  });
  return { ...like, ...Object.fromEntries(members) };
}
