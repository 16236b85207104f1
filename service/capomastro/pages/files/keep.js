// The start page offers to keep everything on this device, pages and referee, for use without a network (docs/offline.md).

import { h, patch } from "./dom.js";
import { filled, language, pathHere, rareWords } from "./words.js";

const MEGABYTE = 1e6;
/** The name of the cache, as the service worker has it. */
const KEPT = "capomastro";

const place = /** @type {HTMLElement} */ (document.querySelector("[data-kit]"));
/** How long the kit of a service is, in bytes; 0 in a folder, which keeps itself. */
const size = Number(place.dataset.kit);
const { serviceWorker } = navigator;
const words = await rareWords("offline");

/** @param {import("./dom.js").Content[]} content */
function show(...content) {
  patch(place, content);
  place.hidden = false;
}

/** @param {string} key @param {() => void} act */
function button(key, act) {
  const megabytes = new Intl.NumberFormat(language, { style: "unit", unit: "megabyte", maximumFractionDigits: 1 }).format(size / MEGABYTE);
  return h("button", { class: key === "keep.offer" ? "button small-one" : "link", type: "button", key, on: { click: act } }, filled(words[key], { size: megabytes }));
}

/** @param {string} [why] what has just happened */
function offer(why) {
  show(why ? h("span", { role: "status", key: "why" }, words[why]) : null, button("keep.offer", keep));
}

/** Once, since the browser tells of each part that has arrived. @param {number} share from 0 to 1 */
function showShare(share) {
  if (share < 1) show(h("label", { key: "share" }, words["keep.keeping"], " ", h("progress", { max: 1, value: share, style: { "accent-color": "var(--ink)" } })));
  else show(h("span", { role: "status", key: "why" }, words["keep.kept"]), size ? button("keep.forget", forget) : null);
}

async function keep() {
  showShare(0);
  try {
    const registration = await serviceWorker.register(pathHere("/service-worker.js"));
    const coming = registration.installing;
    coming?.addEventListener("statechange", () => coming.state === "redundant" && offer("keep.failed"));
    if (!coming) registration.active?.postMessage("begin");
    await navigator.storage?.persist?.();
  } catch {
    offer("keep.failed");
  }
}

async function forget() {
  await (await serviceWorker.getRegistration())?.unregister();
  await caches.delete(KEPT);
  offer("keep.forgotten");
}

serviceWorker.addEventListener("message", async ({ data }) => {
  if (!data?.total) return;
  if (data.bytes === data.total) await serviceWorker.ready; // until then, the next page would still need the network
  showShare(data.bytes / data.total);
});
const registration = await serviceWorker.getRegistration();
registration?.waiting?.postMessage("begin");
if (registration?.active) registration.active.postMessage("begin");
else if (size) offer();
