// A result to share: as a link, text for a chat, CSV, a play for BG Stats.

import { isolated } from "./direction.js";
import { packed } from "./link.js";
import { number, pathHere, t } from "./words.js";

/** @typedef {import("./service.js").Scored} Scored */
/** @typedef {import("./service.js").Line} Line */
/** @typedef {{where: string, why: string, rule: string}} Wrong a finding in words */
/** @typedef {{game: string, names: string[], sheet: any, result: Scored, wrong: Wrong[], when: string}} Shared `wrong`: why no rules allow the table */

/**
 * A link that contains the whole scoresheet.
 * @param {Shared} shared
 */
export async function linkTo({ game, sheet }) {
  return `${location.origin}${pathHere(`/score/${game}`)}#${await packed(sheet)}`;
}

/**
 * The standing, the winner first: a line for each player.
 * @param {Shared} shared
 * @param {string} why
 * @param {string} link
 */
export function asText({ game, names, result, wrong }, why, link) {
  const lines = ranked(result).map(({ seat, place, total }) => `${place === null ? "–" : `${place}.`} ${isolated(names[seat])} ${number(total)}`);
  return [t(`${game}.title`), ...lines, why, wrong.length > 0 && t("impossible.sentence"), link].filter(Boolean).join("\n");
}

/** @param {Scored} result */
export function ranked(result) {
  return [...result.players].sort((a, b) => b.total - a.total || (a.place ?? 0) - (b.place ?? 0) || a.seat - b.seat);
}

/**
 * Every line of every score, as RFC 4180 has it; then what no rules allow.
 * @param {Shared} shared
 * @param {(line: Line) => {group: string, reason: string}} inWords
 */
export function asCsv({ names, result, wrong }, inWords) {
  const head = [t("csv.player"), t("csv.place"), t("csv.group"), t("csv.reason"), t("csv.points"), t("csv.rule")];
  const rows = ranked(result).flatMap((player) => [
    ...player.lines.map((line) => {
      const { group, reason } = inWords(line);
      return [names[player.seat], player.place ?? "", group, reason, line.points, line.rule];
    }),
    [names[player.seat], player.place ?? "", "", t("bill.sum"), player.total, ""],
  ]);
  const remarks = wrong.map(({ where, why, rule }) => [t("impossible"), "", where, why, "", rule]);
  return [head, ...rows, ...remarks].map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";
}

/**
 * The beginning of a formula: of a text, or after what a spreadsheet may take for the end of a cell, even within quotes.
 * Where a decimal comma is usual, that is a semicolon.
 */
const FORMULA = /(?:^|[;\t\r\n])["'\s\p{C}]*(?=[=+\-@＝＋－＠])/gu;

/**
 * A text is quoted, and gets an apostrophe before what looks like a formula, so that no spreadsheet runs a name.
 * @param {string | number} value
 */
function cell(value) {
  return typeof value === "number" ? String(value) : `"${value.replace(FORMULA, "$&'").replaceAll('"', '""')}"`;
}

/**
 * What opens BG Stats with this play, if the app is there.
 * @param {Shared} shared
 * @param {string} title of the game in English, by which the app finds it
 * @param {string} id of the play: the same one twice is one play
 */
export function bgStats({ game, names, result, wrong, when }, title, id) {
  const play = {
    sourceName: "capomastro",
    sourcePlayId: id,
    playDate: when.slice(0, 19).replace("T", " "),
    ...(wrong.length ? { comments: t("impossible.sentence") } : {}),
    game: { name: title, sourceGameId: game, highestWins: true, noPoints: false },
    players: result.players.map(({ seat, total, place }) => ({
      name: names[seat],
      sourcePlayerId: names[seat],
      score: String(total),
      rank: place ?? 0,
      startPlayer: seat === 0,
      winner: result.winners?.includes(seat) ?? false,
    })),
  };
  return `https://app.bgstatsapp.com/createPlay.html?data=${encodeURIComponent(JSON.stringify(play))}`;
}

