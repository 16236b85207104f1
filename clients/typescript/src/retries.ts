// When a request is sent again. Every request may be: the service keeps nothing, and the same question has the same answer.
import { UnreachableError } from "./problems.js";

/** How often and after how many milliseconds to try again. */
export interface Retries {
  /** How often a request is sent in all, while nothing comes of it. */
  readonly attempts: number;
  /** Twice as long before each further attempt, give or take a half, unless the service says how long. */
  readonly firstPause: number;
  /** If the service asks for more patience than this, there is no further attempt. */
  readonly longestPause: number;
}

export const patient: Retries = { attempts: 4, firstPause: 250, longestPause: 30_000 };
export const never: Retries = { ...patient, attempts: 1 };

export type Fetch = (request: Request) => Promise<Response>;
export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

/** Whoever answers this says with `Retry-After` when to come back; without it, coming back is of no use. */
const overloaded = [429, 503];
/** A proxy's answers when it could not reach the service. */
const unreached = [502, 504];

/** What a `Retry-After` in seconds says, in milliseconds; undefined for a date, which this service does not send. */
const milliseconds = (retryAfter: string | null): number | undefined =>
  retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : undefined;

/** The milliseconds to wait after that attempt, counted from 1; undefined if another one is of no use. */
export const pauseAfter = (retries: Retries, attempt: number, response?: Response): number | undefined => {
  if (attempt >= retries.attempts) return undefined;
  if (response !== undefined && overloaded.includes(response.status)) {
    const pause = milliseconds(response.headers.get("Retry-After"));
    return pause !== undefined && pause <= retries.longestPause ? pause : undefined;
  }
  if (response !== undefined && !unreached.includes(response.status)) return undefined;
  return Math.min(retries.firstPause * 2 ** (attempt - 1) * (0.5 + Math.random()), retries.longestPause);
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
