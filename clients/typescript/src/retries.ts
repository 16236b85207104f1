// When a request is sent again. Every request may be: the service keeps nothing, and the same question has the same answer.
import { UnreachableError } from "./problems.js";

/** How often and after how many milliseconds to try again. */
export interface Retries {
  /** How often a request is sent in all, while nothing comes of it. */
  readonly attempts: number;
  /**
   * Twice as long before each further attempt, give or take a half.
   *
   * If the service says how long to wait, we wait that long, and at random up to this much longer.
   */
  readonly firstPause: number;
  /** If the service asks for more patience than this, there is no further attempt. */
  readonly longestPause: number;
}

export const patient: Retries = { attempts: 4, firstPause: 250, longestPause: 30_000 };
export const never: Retries = { ...patient, attempts: 1 };

export type Fetch = (request: Request) => Promise<Response>;
export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

/** The service, or what is in front of it, is busy, and may say with `Retry-After` when to come back. */
const overloaded = [429, 503];
/** A proxy's answers when it could not reach the service. */
const unreached = [502, 504];

/**
 * How long `Retry-After` says to wait, in seconds or as a date (RFC 9110), in milliseconds; undefined if it says nothing of
 * the kind. A date is compared with the `Date` of the answer, so that the clocks of both ends may differ.
 */
const milliseconds = (headers: Headers): number | undefined => {
  const retryAfter = headers.get("Retry-After") ?? "";
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1000;
  const at = date(retryAfter);
  return at === undefined ? undefined : Math.max(0, at - (date(headers.get("Date") ?? "") ?? Date.now()));
};

/** A date of HTTP, in any of its three forms, which are all in UTC; undefined if it is none. */
const date = (text: string): number | undefined => {
  if (!/^[A-Z][a-z]+,? .*\d\d:\d\d:\d\d/.test(text)) return undefined;
  const milliseconds = Date.parse(text.endsWith(" GMT") ? text : `${text} GMT`);
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
};

/** The milliseconds to wait after that attempt, counted from 1; undefined if another one is of no use. */
export const pauseAfter = (retries: Retries, attempt: number, response?: Response): number | undefined => {
  if (attempt >= retries.attempts) return undefined;
  if (response !== undefined && ![...overloaded, ...unreached].includes(response.status)) return undefined;
  const step = retries.firstPause * 2 ** (attempt - 1);
  const wanted = response !== undefined && overloaded.includes(response.status) ? milliseconds(response.headers) : undefined;
  if (wanted === undefined) return Math.min(step * (0.5 + Math.random()), retries.longestPause);
  if (wanted > retries.longestPause) return undefined;
  return Math.min(wanted + step * 1.5 * Math.random(), retries.longestPause);
};

export const sleep: Sleep = (pause, signal) =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, pause);
    signal?.addEventListener("abort", stop, { once: true });
  });

/** A `fetch` whose answers have all come; those with success may be left to `stream`. */
export const whole =
  (fetch: Fetch, { stream = false } = {}): Fetch =>
  async (request) => {
    const response = await fetch(request);
    if (response.body === null || (stream && response.ok)) return response;
    return new Response(await response.arrayBuffer(), response);
  };

/** A `fetch` that asks again where that may help. An aborted request is not sent again. */
export const retrying =
  (fetch: Fetch, retries: Retries, wait: Sleep = sleep): Fetch =>
  async (request) => {
    for (let attempt = 1; ; attempt += 1) {
      let pause: number | undefined;
      try {
        const response = await fetch(request.clone());
        pause = pauseAfter(retries, attempt, response);
        if (pause === undefined) return response;
        await response.body?.cancel();
      } catch (error) {
        request.signal.throwIfAborted();
        pause = pauseAfter(retries, attempt);
        if (pause === undefined) throw new UnreachableError(`${request.url} does not answer`, { cause: error });
      }
      await wait(pause, request.signal);
    }
  };
