// Requests to the service, at this origin only.

import { language, pathHere } from "./words.js";

/** @typedef {import("capomastro-api").components["schemas"]} Schemas */
/** @typedef {Pick<Schemas["Finding"], "message"> & Partial<Schemas["Finding"]> & {values?: {[name: string]: unknown}}} Finding */
/** @typedef {{[member: string]: any, rule: string, points: number}} Line of any game */
/** @typedef {Omit<Schemas["PalazzoResultPlayer"], "lines"> & {lines: Line[]}} Standing */
/** @typedef {Omit<Schemas["PalazzoResult"], "players"> & {players: Standing[], assumptions?: string[]}} Scored a result, as far as those of all games are alike */
/** @typedef {{probability: string, result: Scored, [member: string]: any}} Outcome */
/** @typedef {{sheet: any, result?: Scored, outcomes?: Outcome[], findings: Finding[], assumptions: string[]}} Answer `sheet`: what it is about */
/** @typedef {{reached: true, status: number, value: any} | {reached: false}} Reply */

const BUSY = [429, 502, 503, 504];

const MOST_SECONDS = 30;

/**
 * Asks the service. A service that is busy, or silent for longer than it ever takes, counts as not reached: the same question is asked again later.
 * @param {string} path
 * @param {unknown} [body]
 * @param {number} [patience] in seconds
 * @returns {Promise<Reply>}
 */
export async function ask(path, body, patience) {
  return exchange(path, body === undefined ? undefined : JSON.stringify(body), { patience });
}

/** A record in text notation. */
export const NOTATION = "text/vnd.capomastro.record";
const JSON_TYPE = "application/json";

/**
 * Sends any text. An answer in JSON is parsed; any other is text.
 * @param {string} path
 * @param {string} [body]
 * @param {{sends?: string, wants?: string, patience?: number}} [types] media types; `patience` in seconds
 * @returns {Promise<Reply>}
 */
export async function exchange(path, body, { sends = JSON_TYPE, wants = JSON_TYPE, patience = 2 * MOST_SECONDS } = {}) {
  const silence = new AbortController();
  const late = setTimeout(() => silence.abort(), 1000 * patience);
  try {
    const offline = navigator.serviceWorker?.controller && (await import("./offline.js").catch(() => undefined)); // it answers where the service does not
    const response = await fetch(pathHere(path), {
      method: body === undefined ? "GET" : "POST",
      headers: { Accept: wants, "Accept-Language": language, ...(body === undefined ? {} : { "Content-Type": sends }) },
      body,
      signal: silence.signal,
    });
    if (offline) void offline.sayWhoJudged(response);
    if (BUSY.includes(response.status)) return { reached: false };
    const isJson = response.headers.get("Content-Type")?.includes("json") ?? false;
    return { reached: true, status: response.status, value: isJson ? await response.json() : await response.text() };
  } catch {
    // A page that was loading when all was kept, or past that, asks nobody but the service, until it is claimed.
    if (!navigator.serviceWorker?.controller) void navigator.serviceWorker?.getRegistration().then((kept) => kept?.active?.postMessage("claim"));
    return { reached: false };
  } finally {
    clearTimeout(late);
  }
}

/**
 * The rules of a game, by id; once for each page.
 * @param {string} game
 * @returns {Promise<Map<string, Rule>>}
 */
export function rulesOf(game) {
  const known = rules.get(game);
  if (known) return known;
  const asked = ask(`/v1/games/${game}/rules`).then((reply) => {
    if (reply.reached && reply.status === 200) return byId(reply.value.rules);
    rules.delete(game);
    return new Map();
  });
  rules.set(game, asked);
  return asked;
}

/** For a saved page, which has its rules in it. @param {string} game @param {Rule[]} known */
export function useRules(game, known) {
  rules.set(game, Promise.resolve(byId(known)));
}

/** @typedef {{id: string, wording: string, source: string, mark: string, [member: string]: any}} Rule */
/** By game. @type {Map<string, Promise<Map<string, Rule>>>} */
const rules = new Map();

/** @param {Rule[]} known */
function byId(known) {
  return new Map(known.map((rule) => [rule.id, rule]));
}

/**
 * What an answer to a scoresheet says.
 * @param {any} sheet
 * @param {Reply & {reached: true}} reply
 * @returns {Answer}
 */
function answerOf(sheet, { status, value }) {
  if (status !== 200) {
    const errors = Array.isArray(value?.errors) && value.errors.length ? value.errors : [{ message: value?.detail ?? String(status) }];
    return { sheet, findings: errors.map(onSheet), assumptions: [] };
  }
  const { result, outcomes, findings = [] } = value;
  return { sheet, result, outcomes, findings: findings.map(onSheet), assumptions: (result ?? outcomes?.[0]?.result)?.assumptions ?? [] };
}

/**
 * A finding with its pointer into the scoresheet itself.
 * @param {Finding} finding
 * @returns {Finding}
 */
function onSheet(finding) {
  return { ...finding, pointer: finding.pointer?.replace(/^\/scoresheet/, "") };
}

const PAUSE = 150;
const BUSY_AFTER = 400;

/**
 * Has a table scored whenever it changes, even one that the rules do not allow. A late answer never replaces a newer one; while the service cannot be reached, or is
 * silent for longer than it ever takes, it is asked again after 1, 2, 4 … 30 seconds, and when the browser is online again.
 */
export class Scorer {
  /** @type {Answer | undefined} the latest */
  answer;
  /** Whether `answer` is that of what is typed in now. */
  fresh = false;
  /** Whether an answer takes long. */
  busy = false;
  /** @type {Date | undefined} since when the service cannot be reached */
  lostAt;
  /** @type {Date | undefined} when it could be reached again */
  reachedAt;

  /**
   * @param {string} game
   * @param {() => void} changed
   */
  constructor(game, changed) {
    this.path = `/v1/games/${game}/scores`;
    this.changed = changed;
    this.tries = 0;
    this.latest = 0;
    this.asking = false;
    /** @type {unknown} */
    this.sheet = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    addEventListener("online", () => this.lostAt && this.#schedule(0));
  }

  /** @param {unknown} sheet */
  score(sheet) {
    if (JSON.stringify(sheet) === JSON.stringify(this.sheet) && (this.fresh || this.timer)) return;
    this.sheet = sheet;
    this.fresh = false;
    if (!this.lostAt || !(this.timer || this.asking)) this.#schedule(PAUSE);
  }

  /** For another table: answers about the last one, even late ones, are dropped. */
  reset() {
    clearTimeout(this.timer);
    this.latest++;
    Object.assign(this, { answer: undefined, fresh: false, busy: false, sheet: undefined, timer: undefined, asking: false });
  }

  /** @param {number} pause */
  #schedule(pause) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#ask(), pause);
  }

  async #ask() {
    this.timer = undefined;
    this.asking = true;
    const number = ++this.latest;
    const { sheet } = this;
    const slow = setTimeout(() => this.#setState({ busy: true }), BUSY_AFTER);
    const reply = await ask(this.path, { scoresheet: sheet, even_if_impossible: true }, Math.max(MOST_SECONDS, 2 ** this.tries));
    clearTimeout(slow);
    if (number !== this.latest) return;
    this.asking = false;
    if (!reply.reached) {
      const pause = Math.min(2 ** this.tries++, MOST_SECONDS);
      this.#schedule(pause * 1000);
      this.#setState({ busy: false, lostAt: this.lostAt ?? new Date(), reachedAt: undefined });
      return;
    }
    this.tries = 0;
    const fresh = JSON.stringify(sheet) === JSON.stringify(this.sheet);
    if (!fresh && !this.timer) this.#schedule(0);
    this.#setState({ busy: false, answer: answerOf(sheet, reply), fresh, reachedAt: this.lostAt ? new Date() : this.reachedAt, lostAt: undefined });
  }

  /** @param {Partial<Scorer>} what */
  #setState(what) {
    Object.assign(this, what);
    this.changed();
  }
}
