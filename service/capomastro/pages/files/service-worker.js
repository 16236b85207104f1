// Answers pages without a network: files from the kit, requests by the referee that a page runs (offline.js). The line above
// this one names the edition of the kit; a new edition takes over when no page of the old one is open any more.

/** @typedef {{at: string, from: string, size: number, sha256: string, type: string, engine: boolean}} Entry a file of the kit: its address for pages, and where it is fetched from */
/** @typedef {{files: Entry[], languages: string[], policies: {[type: string]: string}}} Kit */
/** @typedef {{waitUntil: (work: Promise<unknown>) => void}} Lasting */
/** @typedef {Lasting & {data: any, ports: readonly MessagePort[]}} Message */
/** @typedef {Lasting & {request: Request, clientId: string, respondWith: (answer: Promise<Response>) => void}} Fetched */
/** @typedef {{url: string, postMessage: (message: unknown, ports: MessagePort[]) => void}} Client */
/** @typedef {{EDITION: string, location: Location, addEventListener: (type: string, act: (event: any) => void) => void, navigator: {languages: readonly string[]}, skipWaiting: () => Promise<void>, clients: {claim: () => Promise<void>, get: (id: string) => Promise<Client | undefined>, matchAll: () => Promise<Client[]>}}} Scope */

const scope = /** @type {Scope} */ (/** @type {unknown} */ (self));
const ROOT = new URL("./", scope.location.href);
const FILES = "capomastro";
const PATIENCE = 120_000;

const CATALOGUE = new URL(`kit/${scope.EDITION}`, ROOT).href;
const keyOf = (/** @type {Entry} */ { sha256 }) => new URL(`kit/${sha256}`, ROOT).href;

/** @type {Promise<Kit> | undefined} */
let known;

/** The kit of this edition. */
async function kit() {
  const found = await caches.match(CATALOGUE);
  if (!found) throw new Error("no kit");
  return /** @type {Promise<Kit>} */ (found.json());
}

/** @param {string} at */
async function entryAt(at) {
  known ??= kit();
  const { files } = await known.catch((error) => ((known = undefined), Promise.reject(error)));
  return files.find((entry) => entry.at === at);
}

/**
 * A file, fetched once and kept if it is the one that the kit was made with.
 * @param {Entry} entry
 */
async function fileOf(entry) {
  const files = await caches.open(FILES);
  const found = await files.match(keyOf(entry));
  if (found) return found;
  const response = await fetch(new URL(entry.from, ROOT), { cache: "no-cache" });
  const content = await response.arrayBuffer();
  const digest = [...new Uint8Array(await crypto.subtle.digest("SHA-256", content))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  if (digest !== entry.sha256) throw new Error(`${entry.from} is not the file of this kit`);
  const { policies } = await (known ??= kit());
  const policy = policies[entry.at.endsWith("/engine.js") ? "engine" : entry.type];
  const headers = { "Content-Type": entry.type, ...(policy ? { "Content-Security-Policy": policy } : {}) };
  await files.put(keyOf(entry), new Response(content, { headers }));
  return new Response(content, { headers });
}

/** Keeps all pages; the referee itself, which is most of the kit, has time until they are shown. */
async function install() {
  const files = await caches.open(FILES);
  const catalogue = await fetch(new URL("kit.json", ROOT), { cache: "no-cache" });
  await files.put(CATALOGUE, catalogue.clone());
  const wanted = /** @type {Kit} */ (await catalogue.json()).files;
  await Promise.all(wanted.filter(({ engine }) => !engine).map(fileOf));
}

/** Forgets what only earlier editions had, and keeps the rest of this one, so that no network is needed any more. */
async function activate() {
  const files = await caches.open(FILES);
  const { files: wanted } = await kit();
  const needed = new Set([CATALOGUE, ...wanted.map(keyOf)]);
  for (const { url } of await files.keys()) if (!needed.has(url)) await files.delete(url);
  await scope.clients.claim();
  await Promise.all(wanted.map(fileOf)).catch(() => undefined); // without a network now: what is missing is fetched when it is asked for
}

/** @param {URL} address */
async function pageAt(address) {
  const { pathname, searchParams } = address;
  const path = pathname.slice(ROOT.pathname.length).replace(/\/$/, "");
  const { languages } = await (known ??= kit());
  const wanted = [searchParams.get("lang") ?? "", ...scope.navigator.languages].map((tag) => tag.toLowerCase().split("-")[0]);
  const language = wanted.find((one) => languages.includes(one)) ?? languages[0];
  const entry = await entryAt(`${path}?lang=${language}`);
  if (entry && path !== pathname.slice(ROOT.pathname.length)) return Response.redirect(new URL(path + address.search, ROOT), 301);
  return entry && fileOf(entry);
}

/**
 * The answer of the referee in a page: in the one that asks, else in any.
 * @param {Fetched} event
 * @param {ArrayBuffer} body
 */
async function judged({ request, clientId }, body) {
  const client = (await scope.clients.get(clientId)) ?? (await scope.clients.matchAll())[0];
  if (!client) return Response.error();
  const { pathname, search } = new URL(request.url);
  const question = { method: request.method, path: `/${pathname.slice(ROOT.pathname.length)}${search}`, headers: [...request.headers], body: new Uint8Array(body) };
  const { port1, port2 } = new MessageChannel();
  client.postMessage({ question, folder: new URL("engine/", ROOT).href }, [port2]);
  const answered = await new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data);
    setTimeout(() => resolve(undefined), PATIENCE);
  });
  if (!answered) return Response.error();
  return new Response(answered.body.length ? answered.body : null, { status: answered.status, headers: [...answered.headers, ["Capomastro-Referee", "device"]] });
}

/** @param {Request} request */
async function fileFor(request) {
  const entry = await entryAt(new URL(request.url).pathname.slice(ROOT.pathname.length)).catch(() => undefined);
  return entry ? fileOf(entry) : fetch(request);
}

/** Takes over at once if nobody is in the middle of anything: all that is open is the start page. */
async function takeOver() {
  const open = await scope.clients.matchAll();
  if (open.every(({ url }) => new URL(url).pathname === ROOT.pathname)) await scope.skipWaiting();
}

scope.addEventListener("install", (/** @type {Lasting} */ event) => event.waitUntil(install()));
scope.addEventListener("activate", (/** @type {Lasting} */ event) => event.waitUntil(activate()));
scope.addEventListener("message", (/** @type {Message} */ event) => event.waitUntil(takeOver()));
scope.addEventListener("fetch", (/** @type {Fetched} */ event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== ROOT.origin || !pathname.startsWith(ROOT.pathname)) return;
  if (pathname.startsWith(`${ROOT.pathname}v1/`)) event.respondWith(request.arrayBuffer().then((body) => judged(event, body)));
  else if (request.method !== "GET") return;
  else if (request.mode === "navigate") event.respondWith(pageAt(new URL(request.url)).then((page) => page ?? fetch(request)));
  else event.respondWith(fileFor(request));
});
