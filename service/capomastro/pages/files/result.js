// The result page: who won and why, the places, sharing, and the bills with every point.

import { copied, download, openChoice, openDialog, ruleLink } from "./dialogs.js";
import { h } from "./dom.js";
import { icon, mark } from "./icons.js";
import { findings, findingText } from "./parts.js";
import { asCsv, asText, bgStats, linkTo, ranked } from "./share.js";
import { capitalized, day, language, list, number, t } from "./words.js";

/** @typedef {import("./game.js").Context} Context */
/** @typedef {import("./game.js").GamePad} GamePad */
/** @typedef {import("./service.js").Answer} Answer */
/** @typedef {import("./service.js").Scored} Scored */
/** @typedef {import("./store.js").Table} Table */
/**
 * @typedef {object} ResultPage the state of the page, and what its buttons do
 * @property {boolean} shared whether the table came in a link
 * @property {Scored | undefined} before the latest result, while the table is impossible
 * @property {number[]} tieSeats the seats that are asked for what breaks a tie
 * @property {(seats: number[]) => void} askForTieBreak
 * @property {() => void} done the user has entered what breaks the tie
 * @property {() => void} keep
 * @property {() => void} another
 * @property {{say: string} | undefined} news
 * @property {(say: string) => void} tell
 * @property {(() => void) | undefined} showWrong leads to what is impossible, where that can be changed
 */

/** How many findings a result names; the rest is counted. */
const MOST_FINDINGS = 3;

/**
 * @param {GamePad} game
 * @param {Context} context
 * @param {Table} table
 * @param {Answer | undefined} answer
 * @param {ResultPage} page
 */
export function result(game, context, table, answer, page) {
  const found = answer?.findings ?? [];
  const scored = scoredIn(answer) ?? (found.length && page.tieSeats.length ? page.before : undefined);
  if (!answer || !scored) {
    const fields = [...new Set(found.map((one) => game.fieldOf(one.pointer ?? "", context.draft)))].filter((field) => !page.tieSeats.some((seat) => field === game.tieField(seat)));
    return h(
      "main",
      { class: "wrap result", key: "result" },
      h("h1", {}, t(found.length ? "result.cannot" : "result.waiting")),
      fields.map((field) => findings(context, field, game.nameOf(field, context.names, context.draft))),
      questions(game, context, page),
      page.shared && keepButton(page),
    );
  }
  const why = reason(game, context, scored, answer);
  const isUndecided = !answer.outcomes && !scored.winners;
  return h(
    "main",
    { class: "wrap result", key: "result" },
    h("p", { class: "on-paper" }, printHeading(context, table, page)),
    found.length > 0 && impossible(context.game, wrongIn(game, context, found), page),
    winnerHeading(context, scored, answer),
    h("p", { class: "why" }, why, isUndecided && h("span", { class: "no-print" }, ` ${t("why.undecided")}`)),
    h(
      "div",
      { class: "ends" },
      h("div", {}, standings(context, scored), questions(game, context, page), tieBreak(context, scored), askAgain(game, context, scored, page), answer.outcomes ? outcomes(context, answer) : null),
      h("div", {}, shares(game, context, table, scored, why, found, page), h("p", { role: "status", class: "small no-print" }, page.news?.say ?? "")),
    ),
    h("div", { class: "bills" }, ranked(scored).map((player) => bill(game, context, player))),
    rulesApplied(context, scored),
    notes(game, context, scored, answer),
    h("p", { class: "pad-foot no-print" }, page.shared ? keepButton(page) : null, h("button", { type: "button", class: "button small-one", on: { click: page.another } }, t("result.another")), h("a", { class: "button small-one", href: `/book?lang=${language}` }, t("book.title"))),
  );
}

/**
 * The heading on paper, where the header of the page is missing: the game, and the day unless the table came in a link.
 * @param {Context} context
 * @param {Table} table
 * @param {ResultPage} page
 */
function printHeading({ game }, table, { shared }) {
  return [t(`${game}.title`), !shared && day(table.begun)].filter(Boolean).join(", ");
}

/**
 * Findings as they are shared: where, what, by which rule.
 * @param {GamePad} game
 * @param {Context} context
 * @param {import("./service.js").Finding[]} found
 * @returns {import("./share.js").Wrong[]}
 */
function wrongIn(game, { names, draft }, found) {
  return found.map((one) => ({ where: game.nameOf(game.fieldOf(one.pointer ?? "", draft), names, draft), why: findingText(one, names), rule: one.rule ?? "" }));
}

/**
 * The mark of a result that no rules allow.
 * @param {string} game
 * @param {import("./share.js").Wrong[]} wrong
 * @param {ResultPage} page
 */
function impossible(game, wrong, { showWrong }) {
  return h(
    "section",
    { class: "impossible", key: "impossible" },
    icon("plumb"),
    h(
      "div",
      {},
      h("h2", {}, t("impossible")),
      h("ul", {}, wrong.slice(0, MOST_FINDINGS).map(({ where, why, rule }) => h("li", {}, h("b", {}, `${capitalized(where)}: `), `${why} `, rule && ruleLink(game, rule, t("rule"))))),
      wrong.length > MOST_FINDINGS && h("p", {}, t("impossible.more", { more: wrong.length - MOST_FINDINGS })),
      h("p", {}, `${t("impossible.text")} `, showWrong && h("button", { type: "button", class: "link no-print", on: { click: showWrong } }, t("impossible.show"))),
    ),
  );
}

/** @param {Answer | undefined} answer */
function scoredIn(answer) {
  return answer?.result ?? answer?.outcomes?.[0]?.result;
}

/** @param {ResultPage} page */
function keepButton(page) {
  return h("button", { type: "button", class: "button small-one keep", on: { click: page.keep } }, t("link.keep"));
}

/** @param {Pick<Context, "names">} context @param {Scored} scored @param {Pick<Answer, "outcomes">} answer */
export function winnerHeading({ names }, scored, answer) {
  const winners = answer.outcomes ? [] : (scored.winners ?? []);
  const title = winners.length === 0 ? t(answer.outcomes ? "result.open" : "result.undecided") : winners.length === 1 ? t("result.wins", { name: names[winners[0]] }) : t("result.share", { names: list(winners.map((seat) => names[seat])) });
  return h("div", { class: "winner" }, winners.map((seat) => mark(seat)), h("h1", {}, title));
}

/**
 * Why the winner has won, in sentences.
 * @param {GamePad} game
 * @param {Pick<Context, "names" | "draft">} context
 * @param {Scored} scored
 * @param {Pick<Answer, "outcomes">} answer
 */
export function reason(game, { names, draft }, scored, answer) {
  if (answer.outcomes) return t("why.outcomes");
  const [best, second] = ranked(scored);
  const level = scored.players.filter((player) => player.total === best.total);
  if (level.length === 1) return t("why.points", { name: names[best.seat], points: best.total, ahead: best.total - second.total, second: names[second.seat] });
  const tied = t("why.level", { names: list(level.map((player) => names[player.seat])), points: best.total });
  if (!scored.winners) return tied;
  const comparison = scored.tie_break.find((one) => one.seats.includes(best.seat));
  const values = comparison ? comparison.seats.map((seat, at) => `${names[seat]} ${number(comparison.values[at] ?? 0)}`).join(", ") : "";
  return [tied, comparison ? game.tieReason(values, draft) : "", scored.winners.length > 1 ? t("why.shared") : ""].filter(Boolean).join(" ");
}

/** @param {Pick<Context, "names">} context @param {Scored} scored */
export function standings({ names }, scored) {
  return h(
    "ol",
    { class: "places" },
    ranked(scored).map(({ seat, place, total }) =>
      h(
        "li",
        { key: `r${seat}` },
        h("span", { class: "place-number" }, place ?? "–"),
        mark(seat),
        h("span", {}, h(place === 1 ? "b" : "span", { "data-name": "" }, names[seat]), scored.players.some((one) => one.total === total && place !== null && one.place !== null && one.place > place) && h("span", { class: "small" }, ` ${t("result.by-tie")}`)),
        h("span", { class: "points" }, number(total)),
      ),
    ),
  );
}

/** @param {Pick<Context, "names" | "game">} context @param {Scored} scored */
export function tieBreak({ names, game }, scored) {
  const shown = scored.tie_break.filter((one) => one.values.every((value) => value !== null));
  return shown.map((comparison, at) =>
    h(
      "section",
      { class: "aside", key: `tie${at}` },
      h("h2", {}, t("tie.title")),
      h("table", {}, h("tbody", {}, comparison.seats.map((seat, index) => h("tr", {}, h("td", {}, names[seat]), h("td", {}, number(comparison.values[index] ?? 0)))))),
      h("p", {}, ruleLink(game, comparison.rule, t("tie.rule"))),
    ),
  );
}

/**
 * The seats that have to be asked for what breaks a tie: it is missing or impossible.
 * @param {GamePad} game
 * @param {Context} context
 * @param {Answer} answer
 * @returns {number[]}
 */
export function seatsToAsk(game, context, answer) {
  const scored = scoredIn(answer);
  const wrong = [...context.names.keys()].filter((seat) => context.findingsAt(game.tieField(seat)).length && game.tieForm(context, seat));
  return [...wrong, ...(scored?.undecided.length ? compared(game, context, scored) : [])];
}

/**
 * The tied seats that can be asked for more.
 * @param {GamePad} game
 * @param {Context} context
 * @param {Scored} scored
 */
function compared(game, context, scored) {
  const level = new Set([...scored.undecided, ...scored.tie_break.flatMap((one) => one.seats)]);
  return [...level].filter((seat) => game.tieForm(context, seat));
}

/**
 * The forms for what breaks a tie. They stay until the user is done, whatever the service answers between two taps.
 * @param {GamePad} game
 * @param {Context} context
 * @param {ResultPage} page
 */
function questions(game, context, page) {
  if (!page.tieSeats.length) return null;
  return h(
    "section",
    { class: "aside no-print", key: "questions" },
    h("h2", {}, t("tie.ask")),
    page.tieSeats.map((seat) => h("div", { key: `ask${seat}` }, game.tieForm(context, seat), findings(context, game.tieField(seat), context.names[seat]))),
    h("p", { class: "pad-foot" }, h("button", { type: "button", class: "button small-one", on: { click: page.done } }, t("tie.done"))),
  );
}

/**
 * @param {GamePad} game
 * @param {Context} context
 * @param {Scored} scored
 * @param {ResultPage} page
 */
function askAgain(game, context, scored, page) {
  const seats = page.tieSeats.length ? [] : compared(game, context, scored);
  if (!seats.length) return null;
  return h("p", { class: "pad-foot no-print" }, h("button", { type: "button", class: "link", on: { click: () => page.askForTieBreak(seats) } }, t("tie.ask-again")));
}

/** @param {Context} context @param {Answer} answer */
function outcomes({ names }, answer) {
  return h(
    "section",
    { class: "aside" },
    h("h2", {}, t("outcomes.title")),
    h(
      "table",
      {},
      h("tbody", {}, (answer.outcomes ?? []).map((one) => h("tr", {}, h("td", {}, one.result.players.map((player) => `${names[player.seat]} ${number(player.total)}`).join(", ")), h("td", {}, one.probability)))),
    ),
  );
}

/**
 * @param {GamePad} game
 * @param {Context} context
 * @param {Table} table
 * @param {Scored} scored
 * @param {string} why
 * @param {import("./service.js").Finding[]} found
 * @param {ResultPage} page
 */
function shares(game, context, table, scored, why, found, page) {
  const shared = { wrong: wrongIn(game, context, found), game: context.game, names: context.plainNames, sheet: game.sheet(context.draft, context.plainNames), result: scored, when: table.begun };
  // who has no name is called by their number in the language of whoever opens the link
  const named = context.plainNames.map((name, seat) => (table.names[seat] ? name : undefined));
  const link = () => linkTo({ ...shared, sheet: game.sheet(context.draft, named) });
  const text = async () => asText(shared, why, await link());
  const copy = async (/** @type {string} */ what) => {
    if (await copied(what, t("share.text"))) page.tell(t("share.copied"));
  };
  const share = async () => {
    const what = await text();
    if (!navigator.share) return copy(what);
    await navigator.share({ text: what }).catch(() => {});
  };
  const save = () =>
    openChoice(t("share.save.title"), [
      { text: t("share.csv"), act: () => download(`${context.game}.csv`, "text/csv", asCsv(shared, game.inWords)) },
      { text: t("share.json"), act: () => download(`${context.game}.json`, "application/json", JSON.stringify({ scoresheet: shared.sheet, result: scored, ...(found.length ? { findings: found } : {}) }, null, 1)) },
      { text: t("share.link"), act: async () => copy(await link()) },
    ]);
  const act = (/** @type {string} */ key, /** @type {() => unknown} */ go, main = false) =>
    h("button", { type: "button", class: main ? "button main" : "button small-one", on: { click: () => void go() } }, main && icon("share"), t(key));
  return [
    h(
      "div",
      { class: "shares no-print" },
      act("share", share, true),
      act("share.text", async () => copy(await text())),
      act("share.qr", async () => showQr(await link())),
      act("share.picture", async () => (await import("./result-picture.js")).showResultPicture({ game: context.game, scoresheet: shared.sheet, note: page.shared ? "" : day(table.begun) })),
      h("a", { class: "button small-one", href: bgStats(shared, game.englishTitle, table.id), rel: "noreferrer", target: "_blank" }, t("share.bg-stats")),
      act("share.print", () => print()),
      act("share.save", save),
    ),
  ];
}

/** Its module comes after the first paint: see `ScorePad.loadRules`. @param {string} link */
async function showQr(link) {
  const { qrCode } = await import("./qr.js");
  const code = qrCode(link, link.length > 500 ? "L" : "M");
  const size = (code?.length ?? 0) + 8;
  const path = code?.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x + 4} ${y + 4}h1v1h-1z`] : []))).join("");
  openDialog({
    title: t("share.qr"),
    content: () =>
      code
        ? [h("svg", { class: "qr", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": t("share.qr.label"), "shape-rendering": "crispEdges" }, h("path", { d: path, fill: "#000" })), h("p", { class: "small" }, t("share.qr.text"))]
        : [h("p", {}, t("share.qr.long"))],
  });
}

/** @param {GamePad} game @param {Pick<Context, "names" | "game" | "draft">} context @param {import("./service.js").Standing} player */
export function bill(game, { names, game: id, draft }, player) {
  let before = "";
  const rows = player.lines.flatMap((line) => {
    const { group, reason: text } = game.inWords(line);
    const head = group && group !== before ? [h("tr", {}, h("th", { scope: "rowgroup", colspan: 2 }, capitalized(group)))] : [];
    before = group;
    return [...head, h("tr", {}, h("td", {}, ruleLink(id, line.rule, capitalized(text))), h("td", {}, number(line.points)))];
  });
  return h(
    "section",
    { class: "card bill", key: `b${player.seat}` },
    h("h2", {}, mark(player.seat), names[player.seat]),
    draft && game.onPaper?.(draft, player.seat),
    h("table", {}, h("tbody", {}, rows.length ? rows : h("tr", {}, h("td", {}, t("bill.nothing")), h("td", {}, 0))), h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, t("bill.sum")), h("td", {}, number(player.total))))),
  );
}

/**
 * Every rule that gave points or broke a tie, once, as a sentence.
 * @param {Context} context
 * @param {Scored} scored
 */
function rulesApplied(context, scored) {
  const applied = [...ranked(scored).flatMap((player) => player.lines.map((line) => line.rule)), ...scored.tie_break.map((one) => one.rule)];
  const known = [...new Set(applied)].flatMap((rule) => {
    const wording = context.wording(rule);
    return wording ? [{ rule, wording }] : [];
  });
  if (!known.length) return null;
  return h("section", { class: "applied" }, h("h2", {}, t("result.rules")), h("ul", {}, known.map(({ rule, wording }) => h("li", { key: rule }, ruleLink(context.game, rule, wording)))));
}

/** @param {GamePad} game @param {Context} context @param {Scored} scored @param {Answer} answer */
function notes(game, context, scored, answer) {
  const skipped = scored.skipped_checks ?? [];
  return h(
    "div",
    { class: "notes" },
    game.notes(context.draft).map((note) => h("p", {}, note)),
    skipped.length > 0 && h("details", { key: "skipped" }, h("summary", {}, t("notes.skipped", { rules: skipped.length })), h("ul", {}, skipped.map((rule) => h("li", {}, ruleLink(context.game, rule, context.wording(rule) ?? t("rule")))))),
    answer.assumptions.length > 0 && [h("p", {}, t("notes.assumed")), h("ul", {}, answer.assumptions.map((rule) => h("li", {}, ruleLink(context.game, rule, context.wording(rule) ?? t("rule")))))],
  );
}
