// A game that is over: who won and why, and every point with its rule.

import { h } from "../dom.js";
import { bill, reason, standings, tieBreak, winnerHead } from "../result.js";
import { ranked } from "../share.js";
import { t } from "../words.js";

/**
 * @param {import("../game.js").GamePad} pad says in words what each line of a score is for
 * @param {import("./table.js").Table} table
 */
export function ending(pad, { game, names, result }) {
  if (!result) return null;
  const context = { game, names, draft: undefined };
  return h(
    "section",
    { class: "result", key: "result" },
    winnerHead(context, result, {}),
    h("p", { class: "why" }, reason(pad, context, result, {})),
    standings(context, result),
    tieBreak(context, result),
    h("details", { open: true }, h("summary", {}, t("play.bills")), h("div", { class: "bills" }, ranked(result).map((player) => bill(pad, context, player)))),
  );
}
