// The referee of a page, for use without a network: the service worker sends it questions. It starts with the first.

/** @type {Worker | undefined} */
let engine;

/** Where pages come without encryption from another device, there is none. @type {ServiceWorkerContainer | undefined} */
const serviceWorker = navigator.serviceWorker;

serviceWorker?.addEventListener("message", ({ data, ports }) => {
  if (!data?.question) return;
  engine ??= new Worker(new URL("engine.js", import.meta.url), { type: "module" });
  engine.postMessage(data, [...ports]);
});
serviceWorker?.startMessages();
