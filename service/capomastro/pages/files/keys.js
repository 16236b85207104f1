// Numbers to type: what the score pads have in common.

import { h } from "./dom.js";
import { icon } from "./icons.js";
import { t } from "./words.js";

/** @typedef {import("./dom.js").Content} Content */

/**
 * Digits, backspace, plus, and the next field.
 * @param {{press: (key: string) => void, next?: string, go?: () => void, swap?: () => void}} keys without `next` where another button does that
 */
export function keypad({ press, next, go, swap }) {
  const key = (/** @type {string} */ one, /** @type {string} */ label, /** @type {Content} */ shown) =>
    h("button", { type: "button", key: one, "aria-label": label, on: { click: () => press(one) } }, shown);
  const digit = (/** @type {number} */ one) => key(String(one), String(one), one);
  return h(
    "div",
    { class: "keys", role: "group", "aria-label": t("keys"), "data-group": "" },
    [1, 2, 3].map(digit),
    key("Backspace", t("keys.back"), icon("backspace", { width: 24, height: 24 })),
    [4, 5, 6].map(digit),
    key("+", t("keys.plus"), "+"),
    [7, 8, 9].map(digit),
    swap ? h("button", { type: "button", key: "swap", "aria-label": t("keys.swap"), on: { click: swap } }, icon("swap", { width: 24, height: 24 })) : h("span", { class: "blank", key: "blank" }),
    h("span", { class: "blank", key: "gap" }),
    digit(0),
    next && go && h("button", { type: "button", key: "next", class: "main", title: next, on: { click: go } }, h("span", {}, next)),
  );
}

/**
 * The text of a field after a key: digits, and sums such as "12+5".
 * @param {string} text
 * @param {string} pressed
 */
export function afterKey(text, pressed) {
  if (pressed === "Backspace") return text.slice(0, -1);
  if (pressed === "+") return /\d$/.test(text) && text.split("+").length < 12 ? `${text}+` : text;
  if (!/^\d$/.test(pressed)) return text;
  const last = text.split("+").at(-1) ?? "";
  if (last === "0") return text.slice(0, -1) + pressed;
  return last.length < 3 ? text + pressed : text;
}

/**
 * The number that a text of the keypad means; undefined if it is none yet.
 * @param {string | undefined} text
 */
export function sumOf(text) {
  const parts = (text ?? "").split("+").filter(Boolean);
  return parts.length ? parts.reduce((sum, part) => sum + Number(part), 0) : undefined;
}
