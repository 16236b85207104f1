// What all pages have around them: the header, the menu, the choice of the language.

import { openDialog } from "./dialogs.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";
import { LANGUAGES, language, t } from "./words.js";

/** @typedef {import("./dom.js").Content} Content */
/** @typedef {{href: string, label: string}} BackLink of the arrow on the left */
/** @typedef {{text: string, act?: () => void, href?: string, isDanger?: boolean}} Item of a menu: something to do, or a link */

/**
 * The header of a page: the link back, the title, and on the right the buttons, the menu always last.
 * @param {{back: BackLink, title: Content, isHeading?: boolean, tools?: Content, menu: () => void}} top `isHeading`: whether the title is the heading of the page
 */
export function header({ back, title, isHeading = true, tools, menu }) {
  return h(
    "header",
    { class: "top", key: "top" },
    h(
      "div",
      { class: "wrap" },
      h("a", { class: "icon back", key: back.href, href: back.href, "aria-label": back.label }, icon("back")),
      h(isHeading ? "h1" : "p", { class: "where", key: isHeading ? "title" : "where" }, title),
      h("span", { class: "space", key: "space" }),
      tools,
      h("button", { type: "button", key: "menu", class: "icon", "aria-label": t("menu"), "aria-haspopup": "dialog", on: { click: menu } }, icon("menu")),
    ),
  );
}

/** @returns {BackLink} */
export function startLink() {
  return { href: `/?lang=${language}`, label: t("back") };
}

/**
 * Opens the menu: items, and below them the languages.
 * @param {(Item | false | undefined | null)[]} items
 * @param {() => void} [leave] what is done before the page is left for another language
 */
export function openMenu(items, leave) {
  /** @type {() => void} */
  let close = () => {};
  const shown = items.filter((one) => !!one);
  close = openDialog({
    title: t("menu"),
    content: () => [
      h(
        "ul",
        { class: "menu" },
        shown.map(({ text, act, href, isDanger }) => h("li", { key: text }, href !== undefined ? h("a", { href }, text) : h("button", { type: "button", class: isDanger ? "danger" : undefined, on: { click: () => (close(), act?.()) } }, text))),
      ),
      h("p", { class: "label" }, t("language")),
      h("p", { class: "languages" }, LANGUAGES.map((one) => h("a", { href: inLanguage(one), lang: one, hreflang: one, "aria-current": one === language ? "true" : undefined, on: { click: () => leave?.() } }, t(`language.${one}`)))),
    ],
  });
}

/**
 * The address of this page in another language.
 * @param {string} one
 */
function inLanguage(one) {
  const address = new URL(location.href);
  address.searchParams.set("lang", one);
  return address.href;
}
