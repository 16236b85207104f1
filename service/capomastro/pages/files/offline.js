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

/**
 * Keeps everything on this device.
 * @param {string} address of the service worker
 * @param {(share: number) => void} progress from 0 to 1
 */
export async function keepOffline(address, progress) {
  await navigator.serviceWorker.register(address);
  const { active } = await navigator.serviceWorker.ready;
  const { port1, port2 } = new MessageChannel();
  const kept = new Promise((resolve, reject) => {
    port1.onmessage = ({ data }) => {
      if (data.failed) reject(new Error("not kept"));
      else if (data.isKept) resolve(undefined);
      else progress(data.bytes / data.total);
    };
  });
  active?.postMessage("keep", [port2]);
  await kept;
  await navigator.storage?.persist?.();
}
