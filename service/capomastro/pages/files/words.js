// The texts of the pages, in the reader's language. Names of games, tokens, places and sections come with the page, from the
// catalogues of the service; rules and refusals come with its answers (service.js).

import { isolated } from "./direction.js";

/** The language this page was answered in. */
export const language = document.documentElement.lang || "en";
/** The kinds of players that are the service. */
const SERVICE = ["random", "planning"];
export const LANGUAGES = ["en", "it", "es", "de"];

/** The path of the start page: on a static host, that of a folder. */
export const ROOT = new URL(/^.*\/(?=pages\/[^/]+\/[^/]+$)/.exec(import.meta.url)?.[0] ?? "/", location.href).pathname;

/** The path here of an address such as /replay. @param {string} address */
export function pathHere(address) {
  return ROOT + address.slice(1);
}

/** @typedef {(key: string, slots?: {[name: string]: string | number}) => string} Say */

/** What came with the page. @type {{[key: string]: string}} */
const names = JSON.parse(document.body.dataset.names ?? "{}");
/** @type {{[key: string]: string}} */
let known = names;

/**
 * Fetches the words that all pages share, and those of a game or of one page.
 * @param {string} files
 * @param {...string} parts
 */
export async function loadWords(files, ...parts) {
  const addresses = [`${files}/words/${language}.json`, ...parts.map((part) => `${files}/words/${part}.${language}.json`)];
  const found = await Promise.all(addresses.map(async (address) => (await fetch(address)).json()));
  known = Object.assign({}, ...found, names);
}

/** Words that a page needs only now and then. @param {string} part @returns {Promise<{[key: string]: string}>} */
export async function rareWords(part) {
  return (await fetch(new URL(`words/${part}.${language}.json`, import.meta.url))).json();
}

/** For a saved page, which has its words in it. @param {{[key: string]: string}} words */
export function useWords(words) {
  known = words;
}

/** All words, for a saved page. */
export function allWords() {
  return known;
}

/**
 * A sentence by its key. `{name}` is a slot; `{n:palace|palaces}` a number with the form that goes with it.
 * @type {Say}
 */
export function t(key, slots = {}) {
  const sentence = known[key];
  if (sentence === undefined) {
    console.error(`no words for ${key}`);
    return key;
  }
  return filled(sentence, slots);
}

/**
 * @param {string} sentence
 * @param {{[name: string]: string | number}} slots
 */
export function filled(sentence, slots) {
  return sentence.replace(/\{(\w+)(?::([^|}]*)\|([^}]*))?\}/g, (all, name, one, other) => {
    const value = slots[name];
    if (value === undefined) return all;
    const figure = typeof value === "number" ? number(value) : isolated(value);
    return one === undefined ? figure : `${figure} ${value === 1 ? one : other}`;
  });
}

/**
 * What a token of a game is called: "red-4" has the name of "red-{value}".
 * @param {string} game
 * @param {string} token
 */
export function tokenName(game, token) {
  for (const key of Object.keys(names)) {
    const found = new RegExp(`^${key.replace(/\{(\w+)\}/g, "(?<$1>\\d+)")}$`).exec(`${game}.${token}`);
    if (found) return t(key, Object.fromEntries(Object.entries(found.groups ?? {}).map(([slot, figure]) => [slot, Number(figure)])));
  }
  return undefined;
}

/** @param {string} key */
export function has(key) {
  return key in known;
}

/**
 * A number as it is printed: with a real minus sign.
 * @param {number} value
 */
export function number(value) {
  return String(value).replace("-", "−");
}

/**
 * A text with a capital first letter.
 * @param {string} text
 */
export function capitalized(text) {
  return text.charAt(0).toLocaleUpperCase(language) + text.slice(1);
}

/**
 * A clause as a sentence, with a capital first letter and a full stop.
 * @param {string} clause
 */
export function sentence(clause) {
  const text = capitalized(clause);
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/**
 * A day with its name, as it is written.
 * @param {string} when
 */
export function day(when) {
  return new Intl.DateTimeFormat(language, { dateStyle: "full" }).format(new Date(when));
}

/**
 * The names of players as they are shown: who has none is called by their number, in the language of the page.
 * @param {readonly string[]} names
 * @param {readonly string[]} [kinds] who plays at each seat: the service, or a person
 * @param {Say} [say]
 */
export function called(names, kinds = [], say = t) {
  const computers = names.flatMap((name, seat) => (!name && SERVICE.includes(kinds[seat]) ? [seat] : []));
  return names.map((name, seat) => {
    const at = computers.indexOf(seat);
    return name || (at < 0 ? say("player.number", { number: seat + 1 }) : say(at ? "player.computer.number" : "player.computer", { number: at + 1 }));
  });
}

/**
 * Names; equal ones with the number of the player.
 * @param {readonly string[]} names
 */
export function toldApart(names) {
  const folded = names.map((name) => name.toLocaleLowerCase(language));
  return names.map((name, seat) => (folded.filter((one) => one === folded[seat]).length > 1 ? `${name} (${seat + 1})` : name));
}

/** The longest time, in milliseconds, in which a weekday says which day it was. */
const WEEK = 6 * 24 * 60 * 60 * 1000;

/**
 * The day of a moment, as people say it: the weekday, or of an earlier one the date.
 * @param {string} when ISO 8601
 */
export function recentDay(when) {
  const date = new Date(when);
  const isRecent = Date.now() - date.getTime() < WEEK;
  return new Intl.DateTimeFormat(language, isRecent ? { weekday: "long" } : { day: "numeric", month: "long" }).format(date);
}

/**
 * Names as a list: "Ada, Bruno and Cleo".
 * @param {string[]} names
 */
export function list(names) {
  return new Intl.ListFormat(language, { type: "conjunction" }).format(names.map(isolated));
}

/**
 * Remembers the requested language, or reloads the page in the remembered one; true if it is reloading.
 * @param {(key: string, value?: string) => string | null} setting
 */
export function keepLanguage(setting) {
  const address = new URL(location.href);
  const requested = address.searchParams.get("lang")?.toLowerCase().split("-")[0]; // "it-IT" is Italian, as for the service
  if (requested && LANGUAGES.includes(requested)) {
    setting("language", requested);
    return false;
  }
  const before = setting("language");
  if (!before || before === language || !LANGUAGES.includes(before)) return false;
  address.searchParams.set("lang", before);
  location.replace(address);
  return true;
}
