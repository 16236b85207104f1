// The first visit to a site without a service: its service worker is installed, and shows the page. This is no module, since
// browsers load none for a page that was opened as a file.

/** @param {string} id */
const show = (id) => document.getElementById(id)?.removeAttribute("hidden");

if (location.protocol === "file:") show("file");
else if (!("serviceWorker" in navigator)) show("https");
else {
  navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
  const root = new URL(document.body.dataset.root ?? "", location.href);
  navigator.serviceWorker.register(new URL("service-worker.js", root)).then(
    ({ installing }) => installing?.addEventListener("statechange", () => installing.state === "redundant" && show("failed")),
    () => show("failed"),
  );
}
