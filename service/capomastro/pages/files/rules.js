// All rules of a game in the reader's language, by their sections; each has an address of its own.

import { openDialog } from "./dialogs.js";
import { savedTablesDialog } from "./saved-tables.js";
import { h, patch } from "./dom.js";
import "./picture.js";
import { exchange, rulesOf } from "./service.js";
import { header, openMenu, startLink } from "./shell.js";
import * as store from "./store.js";
import { keepLanguage, language, loadWords, t } from "./words.js";

/** @typedef {import("./service.js").Rule} Rule */
/** @typedef {import("./picture.js").GamePicture} GamePicture */

const MARKS = ["text", "ruling", "assumed"];

class RuleList extends HTMLElement {
  async connectedCallback() {
    if (keepLanguage(store.setting)) return;
    const game = this.getAttribute("game") ?? "";
    await loadWords(this.getAttribute("files") ?? "");
    const rules = [...(await rulesOf(game)).values()];
    patch(this, [top(game), h("main", { class: "wrap rules" }, h("h1", {}, t("rules.title", { game: t(`${game}.title`) })), rules.length ? body(rules) : h("p", { role: "status" }, t("gone.rules")))]);
    showExamples(this, `/v1/games/${game}/rules/`);
    const wanted = document.getElementById(location.hash.slice(1));
    if (wanted) location.replace(location.hash);
  }
}

/** @param {string} game */
function top(game) {
  const score = { text: t("start.score"), href: `/score/${game}?lang=${language}` };
  return header({
    back: startLink(),
    title: t(`${game}.title`),
    isHeading: false,
    tools: h("a", { class: "button small-one", key: "score", href: score.href }, score.text),
    menu: () => openMenu([score, { text: t("kept.title"), act: () => openDialog(savedTablesDialog()) }]),
  });
}

/** @param {Rule[]} rules */
function body(rules) {
  const sections = grouped(rules);
  const used = MARKS.filter((mark) => rules.some((rule) => rule.mark === mark));
  return [
    h("p", {}, t("rules.lead")),
    h("dl", { class: "marks" }, used.map((mark) => h("div", {}, h("dt", {}, tag(mark)), h("dd", {}, t(`mark.${mark}.about`))))),
    h("nav", { class: "sections", "aria-label": t("rules.sections") }, h("ul", {}, [...sections.keys()].map((section) => h("li", {}, h("a", { href: `#${section}` }, t(`section.${section}`)))))),
    [...sections].map(([section, those]) => h("section", { id: section, "aria-labelledby": `${section}-name` }, h("h2", { id: `${section}-name` }, t(`section.${section}`)), those.map(article))),
  ];
}

/** @param {Rule} rule */
function article(rule) {
  return h(
    "article",
    { id: rule.id },
    h("p", {}, rule.wording),
    rule.illustration && example(rule),
    h("p", { class: "origin" }, tag(rule.mark), h("span", { class: "fine" }, rule.source), h("a", { class: "anchor", href: `#${rule.id}` }, t("rules.link"))),
  );
}

/** The room for a picture, which is asked for when it comes near. @param {Rule} rule */
function example({ id, illustration: { caption, width, height } }) {
  return h(
    "figure",
    { class: "example" },
    h("game-picture", { "data-rule": id, style: { "--width": `${width}px`, "--proportion": `${width} / ${height}` } }),
    h("figcaption", {}, caption),
  );
}

const NEAR = "100% 0px";

/**
 * Fetches the pictures of examples: those that come near as soon as they do, then the others one after the other, so
 * that a print has all of them.
 * @param {Element} page
 * @param {string} path
 */
async function showExamples(page, path) {
  const left = new Set(/** @type {Iterable<GamePicture>} */ (page.querySelectorAll("game-picture")));
  /** @param {GamePicture} picture */
  const show = async (picture) => {
    if (!left.delete(picture)) return;
    const reply = await exchange(path + picture.dataset.rule, undefined, { wants: "image/svg+xml" });
    if (reply.reached && reply.status === 200) picture.show(reply.value);
  };
  const near = new IntersectionObserver(
    (seen) => seen.filter((one) => one.isIntersecting).forEach((one) => show(/** @type {GamePicture} */ (one.target))),
    { rootMargin: NEAR },
  );
  left.forEach((picture) => near.observe(picture));
  for (const picture of left) await show(picture);
  near.disconnect();
}

/** @param {string} mark */
function tag(mark) {
  return h("span", { class: mark === "text" ? "tag" : "tag ours" }, t(`mark.${mark}`));
}

/** @param {Rule[]} rules */
function grouped(rules) {
  /** @type {Map<string, Rule[]>} */
  const found = new Map();
  for (const rule of rules) {
    const section = rule.id.split(".")[1];
    found.set(section, [...(found.get(section) ?? []), rule]);
  }
  return found;
}

customElements.define("rule-list", RuleList);
