// Answers pages without a network: files from the kit, requests by the referee that a page runs (offline.js). Where there is a
// service, it is asked first. The line above this one names the edition of the kit and its folder; a new edition takes over
// when no page of the old one is open any more.

/** @typedef {{at: string, from: string, bytes: number, sha256: string, type: string, when: "page" | "engine" | "asked"}} Entry a file of the kit: its address for pages, where it is fetched from and how long it is there, and when it is kept */
/** @typedef {{files: Entry[], languages: string[], policies: {[type: string]: string}, routes: string[]}} Kit `routes`: paths outside /v1 that the referee answers */
/** @typedef {{waitUntil: (work: Promise<unknown>) => void}} Lasting */
/** @typedef {Lasting & {request: Request, clientId: string, respondWith: (answer: Promise<Response>) => void}} Fetched */
/** @typedef {{id: string, url: string, postMessage: (message: unknown, ports?: MessagePort[]) => void}} Client */
/** @typedef {{EDITION: string, KIT: string, location: Location, addEventListener: (type: string, act: (event: any) => void) => void, navigator: {languages: readonly string[]}, skipWaiting: () => Promise<void>, clients: {claim: () => Promise<void>, get: (id: string) => Promise<Client | undefined>, matchAll: (options?: {includeUncontrolled: boolean}) => Promise<Client[]>}}} Scope */

const scope = /** @type {Scope} */ (/** @type {unknown} */ (self));
const ROOT = new URL("./", scope.location.href);
const KIT = new URL(scope.KIT, ROOT);
const HAS_SERVICE = KIT.href !== ROOT.href;
const FILES = "capomastro";
/** How often to look whether the page that judges is still open, in milliseconds: while a request waits, no new edition takes over. */
const WATCH = 1_000;
/** How long a page has to take a question, in milliseconds: then it answers, however long that needs. */
const DEAF = 10_000;
/** How long the service has for an answer before the device is asked as well, in milliseconds. */
const HASTE = 4_000;
/** What gateways and a busy service answer. */
const BUSY = [429, 502, 503, 504];
const MOST_TRIES = 30;
/** The status of what this device cannot do: a service has all the time it needs for that. */
const CANNOT = 501;

const CATALOGUE = new URL(`kit/${scope.EDITION}`, ROOT).href;
const keyOf = (/** @type {Entry} */ { sha256 }) => new URL(`kit/${sha256}`, ROOT).href;

/** @type {Promise<Kit> | undefined} */
let known;
/** Files that are being fetched, by their key. @type {Map<string, Promise<Response>>} */
const coming = new Map();
/** Whether all that is not only kept when it is asked for is here, as far as is known. */
let isWhole = false;

/** The kit of this edition. @returns {Promise<Kit>} */
function kit() {
  known ??= caches.match(CATALOGUE).then((found) => (found ? found.json() : Promise.reject(new Error("no kit"))));
  return known.catch((error) => ((known = undefined), Promise.reject(error)));
}

/** @param {string} at */
async function entryAt(at) {
  return (await kit()).files.find((entry) => entry.at === at);
}

/**
 * A file, fetched once and kept if it is the one that the kit was made with.
 * @param {Entry} entry
 * @param {(bytes: number) => void} [progress] told of every part that arrives, if it is not being fetched already
 */
async function fileOf(entry, progress) {
  const key = keyOf(entry);
  const found = await (await caches.open(FILES)).match(key);
  if (found) return found;
  if (!coming.has(key)) coming.set(key, fetchFile(entry, progress).finally(() => coming.delete(key)));
  return (await /** @type {Promise<Response>} */ (coming.get(key))).clone();
}

/**
 * @param {Entry} entry
 * @param {(bytes: number) => void} [progress]
 */
async function fetchFile(entry, progress) {
  const content = await unpacked(await arrived(await fetched(entry.from), progress));
  const digest = [...new Uint8Array(await crypto.subtle.digest("SHA-256", content))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  if (digest !== entry.sha256) throw new Error(`${entry.from} is not the file of this kit`);
  const { policies } = await kit();
  const policy = policies[entry.at.endsWith("/engine.js") ? "engine" : entry.type];
  const headers = { "Content-Type": entry.type, ...(policy ? { "Content-Security-Policy": policy } : {}) };
  await (await caches.open(FILES)).put(keyOf(entry), new Response(content, { headers }));
  return new Response(content, { headers });
}

/**
 * Fetches a file of the kit; a host to which that is too much at once has its time.
 * @param {string} path
 * @returns {Promise<Response>}
 */
async function fetched(path, tries = MOST_TRIES) {
  const response = await fetch(new URL(path, KIT), { cache: "no-cache" });
  if (!BUSY.includes(response.status) || !tries) return response;
  const seconds = Number(response.headers.get("Retry-After")) || 1;
  await new Promise((resolve) => setTimeout(resolve, 1000 * seconds * (1 + Math.random())));
  return fetched(path, tries - 1);
}

/**
 * @param {Response} response
 * @param {(bytes: number) => void} [progress]
 */
async function arrived(response, progress) {
  const reader = response.body?.getReader();
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const parts = [];
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    parts.push(part.value);
    progress?.(part.value.length);
  }
  return new Blob(parts);
}

/** What is long is compressed in the kit, since not every host does that. @param {Blob} content */
async function unpacked(content) {
  const [first, second] = new Uint8Array(await content.slice(0, 2).arrayBuffer());
  const isCompressed = first === 0x1f && second === 0x8b;
  return isCompressed ? new Response(content.stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer() : content.arrayBuffer();
}

/** Keeps files; open pages are told how many bytes have arrived, and of the last when all are kept. @param {Entry[]} entries */
async function keep(entries) {
  const total = sizeOf(entries);
  const kept = new Set((await (await caches.open(FILES)).keys()).map(({ url }) => url));
  const missing = entries.filter((entry) => !kept.has(keyOf(entry)));
  let bytes = total - sizeOf(missing);
  let told = bytes;
  const add = (/** @type {number} */ more) => {
    bytes += more;
    if (bytes >= total || bytes - told < total / 100) return;
    told = bytes;
    void tell({ bytes, total });
  };
  await Promise.all(missing.map((entry) => fileOf(entry, add)));
  await tell({ bytes: total, total });
}

/** @param {Entry[]} entries */
function sizeOf(entries) {
  return entries.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** @param {unknown} message for all pages */
async function tell(message) {
  for (const client of await scope.clients.matchAll({ includeUncontrolled: true })) client.postMessage(message);
}

/** Keeps the pages; the referee itself, which is most of the kit, has time until they are shown, unless a service shows them. */
async function install() {
  const files = await caches.open(FILES);
  const catalogue = await fetched("kit.json");
  await files.put(CATALOGUE, catalogue.clone());
  const wanted = /** @type {Kit} */ (await catalogue.json()).files;
  await keep(wanted.filter(({ when }) => when === "page" || (when === "engine" && HAS_SERVICE)));
}

/** Forgets what only earlier editions had. No page is shown before that is done, so the rest of this one comes later. */
async function activate() {
  const files = await caches.open(FILES);
  const { files: wanted } = await kit();
  const needed = new Set([CATALOGUE, ...wanted.map(keyOf)]);
  for (const { url } of await files.keys()) if (!needed.has(url)) await files.delete(url);
  await scope.clients.claim();
}

/** Fetches what is missing, so that no network is needed any more; what cannot be had now comes later. */
async function keepRest() {
  const { files } = await kit();
  isWhole = await keep(files.filter(({ when }) => when !== "asked")).then(() => true, () => false);
}

/**
 * The answer of the service, or, if it cannot be reached, is busy or takes long, the first of the two.
 * @param {Request} request
 * @param {() => Promise<Response>} here makes an answer without it
 */
async function soonest(request, here) {
  const service = ofService(request);
  const late = new Promise((resolve) => setTimeout(resolve, HASTE));
  const soon = await Promise.race([service.catch(() => undefined), late]);
  if (soon instanceof Response) return soon;
  const made = here().then((answer) => (answer.status === CANNOT ? service.catch(() => answer) : answer));
  return Promise.any([service, made]).catch(() => Response.error());
}

/** @param {Request} request */
async function ofService(request) {
  if (!HAS_SERVICE) throw new Error("no service");
  const response = await fetch(request);
  if (BUSY.includes(response.status)) throw new Error("busy");
  return response;
}

/**
 * The answer of the referee in a page: in the one that asks, else in any.
 * @param {Fetched} event
 * @param {ArrayBuffer} body
 */
async function judged({ request, clientId }, body) {
  const client = (await scope.clients.get(clientId)) ?? (await scope.clients.matchAll())[0];
  if (!client) throw new Error("no page");
  const question = { method: request.method, path: `/${within(request.url)}${new URL(request.url).search}`, headers: [...request.headers], body: new Uint8Array(body) };
  const { port1, port2 } = new MessageChannel();
  client.postMessage({ question, folder: new URL("engine/", ROOT).href }, [port2]);
  const answered = await new Promise((resolve) => {
    const watch = setInterval(async () => (await scope.clients.get(client.id)) ?? done(undefined), WATCH);
    const deaf = setTimeout(() => done(undefined), DEAF);
    const done = (/** @type {unknown} */ data) => (clearInterval(watch), clearTimeout(deaf), resolve(data));
    port1.onmessage = ({ data }) => (data === "taken" ? clearTimeout(deaf) : done(data));
  });
  if (!answered) throw new Error("no answer");
  return new Response(answered.body.length ? answered.body : null, { status: answered.status, headers: [...answered.headers, ["Capomastro-Referee", "device"]] });
}

/**
 * A page of the kit in the reader's language.
 * @param {Request} request
 */
async function pageFor(request) {
  const { pathname, search, searchParams } = new URL(request.url);
  const named = within(request.url);
  const path = named.replace(/\/$/, "");
  const { languages } = await kit();
  const wanted = [searchParams.get("lang") ?? "", ...scope.navigator.languages].map((tag) => tag.toLowerCase().split("-")[0]);
  const language = wanted.find((one) => languages.includes(one)) ?? languages[0];
  const entry = await entryAt(`${path}?lang=${language}`);
  if (entry && path !== named) return Response.redirect(new URL(path + search, ROOT), 301);
  if (entry) return fileOf(entry).catch(() => instead("not-kept", language, 503));
  if (await isJudged(path)) return Response.redirect(new URL(`answer?of=${encodeURIComponent(pathname + search)}`, ROOT), 302);
  const response = await fetch(request).catch(() => undefined);
  return response && response.status !== 404 ? response : instead(response ? "no-page" : "not-kept", language, response ? 404 : 503);
}

/**
 * A page that says why another one is not shown, at any address.
 * @param {string} name
 * @param {string} language
 * @param {number} status
 */
async function instead(name, language, status) {
  const shown = await fileOf(/** @type {Entry} */ (await entryAt(`${name}?lang=${language}`)));
  return new Response((await shown.text()).replaceAll('="./', `="${ROOT.pathname}`), { status, headers: shown.headers });
}

/**
 * A file of the kit, else of the host. Pages of another edition, which only a service shows, get the files of this one where
 * those of their own are not to be had, as they would from a service.
 * @param {Request} request
 */
async function fileFor(request) {
  const path = within(request.url);
  const entry = await entryAt(path).catch(() => undefined);
  if (entry) return fileOf(entry);
  const response = await fetch(request).catch(() => undefined);
  if (response) return response;
  const name = /^pages\/[^/]+(\/.*)/.exec(path)?.[1];
  const alike = name && (await kit()).files.find(({ at }) => at.startsWith("pages/") && at.replace(/^pages\/[^/]+/, "") === name);
  return alike ? fileOf(alike) : Response.error();
}

/** A path within the root, without the slash before it. @param {string} address */
function within(address) {
  return new URL(address).pathname.slice(ROOT.pathname.length);
}

/** Whether the referee answers requests for a path, in a browser as in a service. @param {string} path */
async function isJudged(path) {
  return path.startsWith("v1/") || (await kit()).routes.includes(path);
}

/** @param {Fetched} event */
async function answerTo(event) {
  const { request } = event;
  if (request.mode === "navigate") {
    if (!isWhole) event.waitUntil(keepRest().catch(() => undefined));
    return soonest(request, () => pageFor(request));
  }
  if (await isJudged(within(request.url)).catch(() => false)) {
    const body = await request.clone().arrayBuffer();
    return soonest(request, () => judged(event, body));
  }
  return request.method === "GET" ? fileFor(request) : fetch(request);
}

/** A page that is in the middle of nothing asks for the rest of the kit; a new edition takes over if only such pages are open. */
async function beginAnew() {
  const open = await scope.clients.matchAll({ includeUncontrolled: true });
  if (open.every(({ url }) => within(url) === "")) void scope.skipWaiting();
  await keepRest();
}

scope.addEventListener("install", (/** @type {Lasting} */ event) => event.waitUntil(install()));
scope.addEventListener("activate", (/** @type {Lasting} */ event) => event.waitUntil(activate()));
scope.addEventListener("message", (/** @type {Lasting & {data: unknown}} */ event) => event.waitUntil(event.data === "claim" ? scope.clients.claim() : beginAnew()));
scope.addEventListener("fetch", (/** @type {Fetched} */ event) => {
  const { origin, pathname } = new URL(event.request.url);
  if (origin === ROOT.origin && pathname.startsWith(ROOT.pathname)) event.respondWith(answerTo(event));
});
