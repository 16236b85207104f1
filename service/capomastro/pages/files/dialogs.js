// Dialogs, on phones sheets from below: rules, questions, menus.

import { h, patch } from "./dom.js";
import { icon } from "./icons.js";
import { rulesOf } from "./service.js";
import { language, t } from "./words.js";

/** @typedef {{title: string, content: () => import("./dom.js").Node_[]}} Dialog */

let dialogs = 0;

/**
 * Opens a dialog over the page; Esc and "Close" end it, and the focus returns to where it was.
 * @param {Dialog} dialog
 * @returns {() => void} what closes it
 */
export function openDialog(dialog) {
  const element = document.createElement("dialog");
  const title = `dialog-${++dialogs}`;
  element.setAttribute("aria-labelledby", title);
  const close = () => element.close();
  const show = () =>
    patch(element, [
      h(
        "div",
        {},
        h("header", {}, h("h2", { id: title }, dialog.title), h("button", { type: "button", class: "icon", "aria-label": t("close"), on: { click: close } }, icon("close"))),
        dialog.content(),
      ),
    ]);
  addEventListener("popstate", close); // it is about the view that is left
  element.addEventListener("close", () => (removeEventListener("popstate", close), element.remove()));
  /** @type {EventTarget | null} */
  let pressed = null;
  element.addEventListener("pointerdown", ({ target }) => (pressed = target));
  element.addEventListener("click", (event) => {
    // not if what was pressed within is released beside it: there a text is being selected
    if (event.target === element && pressed === element) close();
    else queueMicrotask(() => element.open && show());
  });
  document.body.append(element);
  show();
  element.showModal();
  return close;
}

/**
 * Offers things to do, one below the other; what is chosen is done, and the dialog closes.
 * @param {string} title
 * @param {{text: string, act: () => void}[]} items
 */
export function openChoice(title, items) {
  const close = openDialog({
    title,
    content: () => [h("ul", { class: "menu" }, items.map(({ text, act }) => h("li", { key: text }, h("button", { type: "button", on: { click: () => (close(), act()) } }, text))))],
  });
}

/**
 * Asks a question; Esc and "Close" leave everything as it is.
 * @param {{title: string, text: string, answers: {text: string, act: () => void}[]}} question the first answer is the main one
 */
export function openQuestion({ title, text, answers }) {
  const close = openDialog({
    title,
    content: () => [
      h("p", {}, text),
      h("p", { class: "answers" }, answers.map((answer, at) => h("button", { type: "button", key: answer.text, class: at ? "button" : "button main", on: { click: () => (close(), answer.act()) } }, answer.text))),
    ],
  });
}

let isDrawing = false;

/**
 * Shows the picture of a result, or says that it cannot be drawn; while it is drawn, another tap does nothing.
 * @param {Parameters<import("./result-picture.js").showResultPicture>[0]} what
 */
export async function openResultPicture(what) {
  if (isDrawing) return;
  isDrawing = true;
  try {
    await (await import("./result-picture.js")).showResultPicture(what);
  } catch {
    openNoPicture();
  } finally {
    isDrawing = false;
  }
}

export function openNoPicture() {
  return openDialog({ title: t("picture.title"), content: () => [h("p", {}, t("picture.not"))] });
}

/**
 * A rule as a sentence, with its source and whether it is the rulebook's or ours.
 * @param {string} game
 * @param {string} id
 */
export async function openRule(game, id) {
  const rule = (await rulesOf(game)).get(id);
  openDialog({
    title: t("rule"),
    content: () =>
      rule
        ? [
            h("p", {}, rule.wording),
            h("p", { class: "small" }, h("span", { class: "tag" }, t(`mark.${rule.mark}`)), ` ${rule.source}`),
            h("p", {}, h("a", { class: "link", href: `/rules/${game}?lang=${language}#${id}` }, t("rule.all"))),
          ]
        : [h("p", {}, t("gone.rules"))],
  });
}

/**
 * A link to a rule: it opens a dialog, or, in a new tab, the page of rules.
 * @param {string} game
 * @param {string} id
 * @param {import("./dom.js").Content} text
 */
export function ruleLink(game, id, text) {
  const open = (/** @type {MouseEvent} */ event) => {
    event.preventDefault();
    void openRule(game, id);
  };
  return h("a", { href: `/rules/${game}?lang=${language}#${id}`, on: { click: open } }, text);
}

/** @param {string} when */
export function moment(when) {
  const written = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(new Date(when));
  // a line never ends within the day or within the time
  return written.replace(/(?<!,)\s/g, "\u00a0");
}

/**
 * Copies a text, or shows it to be copied by hand: browsers let only pages copy that came over https, or from this device.
 * @param {string} text
 * @param {string} title of what is shown
 * @returns {Promise<boolean>} whether it is copied
 */
export async function copied(text, title) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    openDialog({ title, content: () => [h("textarea", { readonly: true, rows: 10, class: "button wide", "aria-label": title, value: text })] });
    return false;
  }
}

/**
 * Gives the reader a file.
 * @param {string} name
 * @param {string} type
 * @param {string} content
 */
export function download(name, type, content) {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
