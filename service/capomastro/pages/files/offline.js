// The referee of a page, for use without a network: the service worker sends it questions. It starts with the first.

import { language } from "./words.js";

/** @type {Worker | undefined} */
let engine;

navigator.serviceWorker.addEventListener("message", ({ data, ports }) => {
  if (!data?.question) return;
  engine ??= new Worker(new URL("engine.js", import.meta.url), { type: "module" });
  engine.postMessage(data, [...ports]);
});
navigator.serviceWorker.startMessages();

/** Words that pages need only without a network, or before. @returns {Promise<{[key: string]: string}>} */
export async function offlineWords() {
  return (await fetch(new URL(`words/offline.${language}.json`, import.meta.url))).json();
}

/** @type {HTMLElement | undefined} */
let line;
let wasHere = false;

/**
 * Says in one line who judges, once that is this device, and when it is the service again.
 * @param {Response} answer
 */
export async function sayWhoJudged({ headers }) {
  const isHere = headers.get("Capomastro-Referee") === "device";
  if (isHere === wasHere) return;
  wasHere = isHere;
  line ??= document.body.appendChild(Object.assign(document.createElement("p"), { className: "wrap small judge", role: "status" }));
  line.textContent = (await offlineWords())[wasHere ? "judge.device" : "judge.service"];
}
