// The service as an object: one member per game, plus what holds for all games.
import createClient, { type Client } from "openapi-fetch";
import { questions, type AnyRecord } from "./generated/questions.js";
import type { paths, VerdictOnLine } from "./generated/specification.js";
import { replayed, type ReplayOptions } from "./many-records.js";
import { patient, retrying, sleep, whole, type Fetch, type Retries } from "./retries.js";

export type Http = Client<paths, "application/json">;

export interface Settings {
  /** When a request is sent again. */
  readonly retries?: Retries;
  /** A `fetch` of your own. */
  readonly fetch?: Fetch;
}

/**
 * The service at an address such as "http://localhost:8000".
 *
 * Each game is a member: `capomastro.palazzo.createSetup({ players: 2 })`. A question takes the request as the
 * specification has it, and answers a promise of the document. It throws `Problem` if the service refuses the request,
 * and other `CapomastroError`s if there is no proper answer.
 */
export const createCapomastro = (address: string, settings: Settings = {}) => {
  const { retries = patient, fetch = (request) => globalThis.fetch(request) } = settings;
  const base = address.replace(/\/+$/, "").replace(/\/v1$/, ""); // the paths of questions have it
  const http: Http = createClient<paths, "application/json">({ baseUrl: base, fetch: retrying(whole(fetch), retries) });
  const streaming = retrying(whole(fetch, { stream: true }), retries);
  return {
    ...questions(http),
    /**
     * One verdict for each record, in their order, as soon as it is known.
     *
     * Records are objects, or lines of an archive as they are, blank ones included; there may be any number of them.
     */
    replayRecords: (
      records: Iterable<AnyRecord | string> | AsyncIterable<AnyRecord | string>,
      options?: ReplayOptions,
    ): AsyncGenerator<VerdictOnLine, void, undefined> =>
      replayed({ address: base, fetch: streaming, retries, sleep }, records, options),
    /** The client of openapi-fetch below, for whatever has no method here. */
    http,
  };
};

export type Capomastro = ReturnType<typeof createCapomastro>;
