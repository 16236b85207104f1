// Records by the thousand: sent some at a time, judged one by one.
//
// A stream of any length could not be sent again, and browsers cannot send one. Batches can be: what has been answered is
// not asked again, and an answer that breaks off is continued with the next record.
import type { AnyRecord } from "./generated/questions.js";
import type { operations, VerdictOnLine } from "./generated/specification.js";
import { problemOf, UnexpectedAnswerError, UnreachableError } from "./problems.js";
import { pauseAfter, type Fetch, type Retries, type Sleep } from "./retries.js";

/** How all records are judged, as in the query of `POST /v1/replays`. */
export type ReplayOptions = NonNullable<operations["replay-records"]["parameters"]["query"]> & { signal?: AbortSignal };

export interface Batches {
  readonly address: string;
  readonly fetch: Fetch;
  readonly retries: Retries;
  readonly sleep: Sleep;
}

/** Lines without their ends, and how many there are before. */
interface Batch {
  readonly before: number;
  readonly lines: readonly string[];
}

const batchCharacters = 1 << 20;
const batchLines = 500;

/** A record as one line; a text is taken as it is, without its line end. */
const lineOf = (record: AnyRecord | string): string => {
  const line = typeof record === "string" ? record.replace(/\r?\n$/, "") : JSON.stringify(record);
  if (line.includes("\n")) throw new RangeError("a record among many is one line");
  return line;
};

/** Whether a line is blank as the service sees it, which has no verdict on it; `trim` would take more for blanks. */
const isBlank = (line: string): boolean => /^[ \t\r\v\f]*$/.test(line);

/** All records, some at a time. */
async function* batches(records: Iterable<AnyRecord | string> | AsyncIterable<AnyRecord | string>): AsyncGenerator<Batch> {
  let before = 0;
  let lines: string[] = [];
  let size = 0;
  for await (const record of records) {
    const line = lineOf(record);
    lines.push(line);
    size += line.length;
    if (lines.length >= batchLines || size >= batchCharacters) {
      yield { before, lines };
      before += lines.length;
      lines = [];
      size = 0;
    }
  }
  if (lines.length > 0) yield { before, lines };
}

/** The lines of an answer as they come; the last one need not be whole if the answer breaks off, and is left out then. */
async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = "";
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      const parts = (rest + decoder.decode(chunk.value, { stream: true })).split("\n");
      rest = parts.pop() ?? "";
      yield* parts.filter((part) => part !== "");
    }
  } finally {
    await reader.cancel();
  }
}

/** One verdict for each record that is not blank, with the number of its line. */
export async function* replayed(
  { address, fetch, retries, sleep }: Batches,
  records: Iterable<AnyRecord | string> | AsyncIterable<AnyRecord | string>,
  { signal, ...query }: ReplayOptions = {},
): AsyncGenerator<VerdictOnLine, void, undefined> {
  const url = new URL(`${address}/v1/replays`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  for await (const { before, lines } of batches(records)) {
    let done = 0;
    let broken = 0;
    const isLeft = () => lines.slice(done).some((line) => !isBlank(line));
    while (isLeft()) {
      const start = done;
      let reason: unknown;
      const response = await fetch(
        new Request(url, {
          method: "POST",
          headers: { "Content-Type": "application/x-ndjson", Accept: "application/x-ndjson, application/problem+json" },
          body: lines.slice(start).join("\n") + "\n",
          signal: signal ?? null,
        }),
      );
      if (!response.ok || response.body === null) throw problemOf(response, await documentOf(response));
      const answers = linesOf(response.body);
      try {
        for (;;) {
          const next = await answers.next().catch((error: unknown) => {
            signal?.throwIfAborted();
            reason = error;
          });
          if (next === undefined || next.done) break;
          const verdict = verdictIn(next.value);
          done = start + verdict.line;
          yield { ...verdict, line: before + done };
        }
      } finally {
        await answers.return(undefined).catch(() => undefined);
      }
      if (isLeft()) {
        broken = done > start ? 1 : broken + 1;
        const pause = pauseAfter(retries, broken);
        if (pause === undefined) {
          throw new UnreachableError(`the verdicts end before line ${before + done + 1}`, { cause: reason });
        }
        await sleep(pause, signal);
      }
    }
  }
}

const documentOf = async (response: Response): Promise<unknown> => documentIn(await response.text());

/** A text that is no JSON is itself. */
const documentIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const isVerdict = (document: unknown): document is VerdictOnLine =>
  typeof document === "object" && document !== null && "line" in document && typeof document.line === "number";

const verdictIn = (line: string): VerdictOnLine => {
  const document = documentIn(line);
  if (!isVerdict(document)) throw new UnexpectedAnswerError(`no verdict: ${line.slice(0, 200)}`);
  return document;
};
