// The result page: who won and why, the places, sharing, and the bills with every point.

import { copied, download, openChoice, openDialog, openResultPicture, ruleLink } from "./dialogs.js";
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
 * @property {(ties: string[]) => void} leave leaves ties as they are
 * @property {() => void} keep
 * @property {() => void} another
 * @property {{say: string, seat?: number} | undefined} news `seat`: at whose form it is said
 * @property {(say: string, seat?: number) => void} tell
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
  const counted = scoredIn(answer) ?? (found.length && page.tieSeats.length ? page.before : undefined);
  if (!answer || !counted) {
    const fields = [...new Set(found.map((one) => game.fieldOf(one.pointer ?? "", context.draft)))].filter((field) => !page.tieSeats.some((seat) => field === game.tieField(seat)));
    return h(
      "main",
      { class: "wrap result", key: "result" },
      h("h1", {}, t(found.length ? "result.cannot" : "result.waiting")),
      fields.map((field) => findings(context, field, game.nameOf(field, context.names, context.draft))),
      page.tieSeats.length > 0 && tieForms(game, context, page, []),
      page.shared && keepButton(page),
    );
  }
  const open = answer.outcomes ? [] : openTies(counted).filter((tie) => !table.left?.includes(tieKey(tie)));
  const scored = answer.outcomes ? counted : settled(counted, open);
  const why = reason(game, context, scored, answer);
  return h(
    "main",
    { class: "wrap result", key: "result" },
    h("p", { class: "on-paper" }, printHeading(context, table, page)),
    found.length > 0 && impossible(context.game, wrongIn(game, context, found), page),
    winnerHeading(context, scored, answer),
    h("p", { class: "why" }, why),
    h(
      "div",
      { class: "ends" },
      h("div", {}, standings(context, scored), page.tieSeats.length ? tieForms(game, context, page, open) : open.map((tie) => question(game, context, page, tie)), askAgain(game, context, counted, open, page), answer.outcomes ? outcomes(context, answer) : null),
      h("div", {}, shares(game, context, table, scored, why, found, page), h("p", { role: "status", class: "small no-print" }, page.news?.seat === undefined ? (page.news?.say ?? "") : ""), page.shared && keepButton(page)),
    ),
    h("div", { class: "bills" }, ranked(scored).map((player) => bill(game, context, player))),
    rulesApplied(context, scored),
    notes(game, context, scored, answer),
    h("p", { class: "pad-foot no-print" }, h("button", { type: "button", class: "button small-one", on: { click: page.another } }, t("result.another")), h("a", { class: "button small-one", href: `/book?lang=${language}` }, t("book.title"))),
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
  return h("button", { type: "button", class: "button small-one keep no-print", on: { click: page.keep } }, t("link.keep"));
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
  const comparison = comparisons(scored).find((one) => one.seats.includes(best.seat));
  if (!comparison) return `${tied} ${t("tie.left")}`;
  const values = comparison.seats.map((seat, at) => `${names[seat]} ${number(comparison.values[at] ?? 0)}`).join(", ");
  return [tied, game.tieReason(values, draft), scored.winners.length > 1 ? t("why.shared") : ""].filter(Boolean).join(" ");
}

/** What was compared to break ties, once all of it is known. @param {Scored} scored */
function comparisons(scored) {
  return scored.tie_break.filter((one) => one.values.every((value) => value !== null));
}

/** @typedef {{seats: number[], place: number, total: number}} Tie players who are level for a place */

/** The ties that nothing has broken yet. @param {Scored} scored @returns {Tie[]} */
function openTies(scored) {
  const totals = [...new Set(scored.undecided.map((seat) => scored.players[seat].total))].sort((one, other) => other - one);
  return totals.map((total) => ({
    seats: scored.undecided.filter((seat) => scored.players[seat].total === total),
    place: 1 + scored.players.filter((player) => player.total > total).length,
    total,
  }));
}

/** Tells a tie from others of the same table. @param {Tie} tie */
function tieKey({ seats, total }) {
  return `${seats.join()}:${total}`;
}

/**
 * A result in which the ties that are not open any more are shared places.
 * @param {Scored} scored
 * @param {Tie[]} open
 * @returns {Scored}
 */
function settled(scored, open) {
  const shared = openTies(scored).filter((tie) => !open.some((one) => one.place === tie.place));
  const places = new Map(shared.flatMap(({ seats, place }) => seats.map((seat) => [seat, place])));
  const players = scored.players.map((player) => ({ ...player, place: places.get(player.seat) ?? player.place }));
  return { ...scored, players, winners: scored.winners ?? shared.find(({ place }) => place === 1)?.seats };
}

/** What has decided for a player against others with as many points. @param {Pick<Context, "game">} context @param {Scored} scored @param {number} seat */
function decidedBy({ game }, scored, seat) {
  const { place, total } = scored.players[seat];
  const behind = (/** @type {number} */ other) => scored.players[other].total === total && place !== null && (scored.players[other].place ?? 0) > place;
  const comparison = comparisons(scored).find((one) => one.seats.includes(seat) && one.seats.some(behind));
  if (!comparison) return null;
  const valueOf = (/** @type {number} */ one) => number(comparison.values[comparison.seats.indexOf(one)] ?? 0);
  const values = [seat, ...comparison.seats.filter((one) => one !== seat)].map(valueOf).join(" : ");
  return h("span", { class: "small" }, " ", ruleLink(game, comparison.rule, t(`${game}.tie.short`, { values })));
}

/** @param {Pick<Context, "names" | "game">} context @param {Scored} scored */
export function standings({ names, game }, scored) {
  return h(
    "ol",
    { class: "places", tabindex: -1 },
    ranked(scored).map(({ seat, place, total }) =>
      h(
        "li",
        { key: `r${seat}` },
        h("span", { class: "place-number" }, place ?? "–"),
        mark(seat),
        h("span", {}, h(place === 1 ? "b" : "span", { "data-name": "" }, names[seat]), decidedBy({ game }, scored, seat)),
        h("span", { class: "points" }, number(total)),
      ),
    ),
  );
}

/**
 * The seats whose tie-breaking entry is impossible and has to be typed in again.
 * @param {GamePad} game
 * @param {Context} context
 * @returns {number[]}
 */
export function seatsToAsk(game, context) {
  return [...context.names.keys()].filter((seat) => context.findingsAt(game.tieField(seat)).length && game.tieForm(context, seat));
}

/**
 * Who is level for which place, what decides it, and why it is asked; typing it in and leaving it are one tap each.
 * @param {GamePad} game
 * @param {Context} context
 * @param {ResultPage} page
 * @param {Tie} tie
 */
function question(game, context, page, tie) {
  const seats = tie.seats.filter((seat) => game.tieForm(context, seat));
  if (!seats.length) return null;
  const names = list(tie.seats.map((seat) => context.names[seat]));
  const canAnswer = !page.shared;
  return h(
    "section",
    { class: "aside no-print", key: `tie${tie.place}` },
    h("p", {}, `${t(`tie.level.${tie.place}`, { names })} ${t(`${context.game}.tie.asks`)} `, canAnswer && t("tie.why")),
    canAnswer && h("div", { class: "answers" }, h("button", { type: "button", key: "type", class: "button", on: { click: () => page.askForTieBreak(seats) } }, t(`${context.game}.tie.type`)), h("button", { type: "button", key: "leave", class: "button", on: { click: () => page.leave([tieKey(tie)]) } }, t("tie.leave"))),
  );
}

/**
 * The forms for what breaks a tie. They stay until the user is done, whatever the service answers between two taps.
 * @param {GamePad} game
 * @param {Context} context
 * @param {ResultPage} page
 * @param {Tie[]} open
 */
function tieForms(game, context, page, open) {
  const { tieSeats, news, done, leave } = page;
  const formOf = (/** @type {number} */ seat) => game.tieForm({ ...context, tell: (say) => page.tell(say, seat) }, seat);
  const ties = open.filter((tie) => tie.seats.some((seat) => tieSeats.includes(seat)));
  return h(
    "section",
    { class: "aside no-print", key: "questions" },
    h("p", {}, ties.map((tie) => `${t(`tie.level.${tie.place}`, { names: list(tie.seats.map((seat) => context.names[seat])) })} `), t(`${context.game}.tie.asks`)),
    tieSeats.map((seat) => h("div", { key: `ask${seat}` }, formOf(seat), h("p", { role: "status", class: "limit" }, news?.seat === seat ? news.say : ""), findings({ ...context, change: undefined, remove: undefined }, game.tieField(seat), context.names[seat]))),
    h(
      "div",
      { class: "answers" },
      h("button", { type: "button", key: "done", class: "button main", on: { click: done } }, t("tie.done")),
      ties.length > 0 && h("button", { type: "button", key: "leave", class: "button", on: { click: () => leave(ties.map(tieKey)) } }, t("tie.leave")),
    ),
  );
}

/**
 * @param {GamePad} game
 * @param {Context} context
 * @param {Scored} scored
 * @param {Tie[]} open
 * @param {ResultPage} page
 */
function askAgain(game, context, scored, open, page) {
  const known = new Set([...scored.undecided, ...scored.tie_break.flatMap((one) => one.seats)]);
  const seats = page.tieSeats.length || page.shared ? [] : [...known].filter((seat) => game.tieForm(context, seat) && !open.some((tie) => tie.seats.includes(seat)));
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
  // a player without a name is called by number, in the language of the person who opens the link
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
      act("share.picture", () => openResultPicture({ game: context.game, scoresheet: shared.sheet, note: page.shared ? "" : day(table.begun) })),
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
