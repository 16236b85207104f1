// The referee of a page, for use without a network: the service worker sends it questions. It starts with the first.

import { rareWords } from "./words.js";

/** How long the referee may take to start before it is given up, in milliseconds. */
const MOST_TO_START = 120_000;

/** @typedef {{ask: (question: unknown, port: MessagePort) => void}} Engine */

/** @type {Engine | undefined} */
let engine;

/**
 * Starts the referee. Whatever becomes of it, each question is answered, if only by nothing; the next one starts it again.
 * @param {string} folder of its files
 * @returns {Engine}
 */
function startEngine(folder) {
  const worker = new Worker(new URL("engine.js", import.meta.url), { type: "module" });
  /** @type {MessagePort[]} where questions are to be answered, in their order */
  const waiting = [];
  const giveUp = () => {
    clearTimeout(late);
    if (engine === started) engine = undefined;
    worker.terminate();
    for (const port of waiting.splice(0)) port.postMessage(undefined);
  };
  const late = setTimeout(giveUp, MOST_TO_START);
  worker.onerror = giveUp;
  worker.onmessage = ({ data }) => {
    if (data === "failed") giveUp();
    else if (data === "ready") clearTimeout(late);
    else waiting.shift()?.postMessage(data);
  };
  const started = {
    ask(/** @type {unknown} */ question, /** @type {MessagePort} */ port) {
      waiting.push(port);
      worker.postMessage({ folder, question });
    },
  };
  return started;
}

navigator.serviceWorker.addEventListener("message", ({ data, ports: [port] }) => {
  if (!data?.question) return;
  engine ??= startEngine(data.folder);
  port.postMessage("taken");
  engine.ask(data.question, port);
});
navigator.serviceWorker.startMessages();

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
  line.textContent = (await rareWords("offline"))[wasHere ? "judge.device" : "judge.service"];
}
