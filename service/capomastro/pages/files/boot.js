// The first visit to a site without a service: its service worker is installed, and shows the page.

/** @param {string} id */
const show = (id) => document.getElementById(id)?.removeAttribute("hidden");

if (!("serviceWorker" in navigator)) show(location.protocol === "file:" ? "file" : "https");
else {
  navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
  const root = new URL(document.body.dataset.root ?? "", location.href);
  navigator.serviceWorker.register(new URL("service-worker.js", root)).then(
    ({ installing }) => installing?.addEventListener("statechange", () => installing.state === "redundant" && show("failed")),
    () => show("failed"),
  );
}
