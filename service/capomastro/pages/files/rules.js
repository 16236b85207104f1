// All rules of a game in the reader's language, by their sections.

import { h, patch } from "./dom.js";
import { rulesOf } from "./service.js";
import * as store from "./store.js";
import { has, keepLanguage, loadWords, t } from "./words.js";

class RuleList extends HTMLElement {
  async connectedCallback() {
    if (keepLanguage(store.remembered)) return;
    const game = this.getAttribute("game") ?? "";
    await loadWords(this.getAttribute("files") ?? "");
    const rules = [...(await rulesOf(game)).values()];
    if (!rules.length) return patch(this, [h("p", { role: "status" }, t("gone.rules"))]);
    const sections = grouped(rules);
    patch(
      this,
      [...sections].map(([section, those]) =>
        h(
          "section",
          {},
          h("h2", {}, has(`section.${section}`) ? t(`section.${section}`) : section),
          those.map((rule) => h("article", { id: rule.id }, h("p", {}, rule.wording), h("span", { class: "tag" }, t(`mark.${rule.mark}`)), h("span", { class: "fine" }, ` ${rule.source}`))),
        ),
      ),
    );
    const wanted = document.getElementById(location.hash.slice(1));
    if (wanted) location.replace(location.hash);
  }
}

/** @param {import("./service.js").Rule} rule */
function sectionOf(rule) {
  return rule.id.split(".")[1];
}

/** @param {import("./service.js").Rule[]} rules */
function grouped(rules) {
  /** @type {Map<string, import("./service.js").Rule[]>} */
  const found = new Map();
  for (const rule of rules) found.set(sectionOf(rule), [...(found.get(sectionOf(rule)) ?? []), rule]);
  return found;
}

customElements.define("rule-list", RuleList);
