// Runs the referee in a thread of its own, which offline.js starts. It says when it is ready, then answers question after
// question; whatever goes wrong, it says "failed", and is of no more use.

import { startReferee } from "./referee.js";

/** @type {ReturnType<typeof startReferee> | undefined} */
let starting;

addEventListener("message", async ({ data: { folder, question } }) => {
  try {
    const isFirst = !starting;
    const ask = await (starting ??= startReferee(folder));
    if (isFirst) postMessage("ready");
    postMessage(ask(question));
  } catch (error) {
    console.error(error);
    postMessage("failed");
  }
});
