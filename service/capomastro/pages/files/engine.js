// Runs the referee in a thread of its own (offline.js starts it): a question comes with the port for its answer.

import { startReferee } from "./referee.js";

/** @type {Promise<(question: import("./referee.js").Question) => import("./referee.js").Answered> | undefined} */
let starting;

addEventListener("message", async ({ data, ports: [port] }) => {
  try {
    const ask = await (starting ??= startReferee(data.folder));
    if (data.question) port.postMessage(ask(data.question));
  } catch (error) {
    console.error(error);
    starting = undefined;
    port?.postMessage(undefined);
  }
});
