// What can go wrong: the problems the service answers with, and what is not an answer at all.
import type { Problem as ProblemDocument, ProblemType } from "./generated/specification.js";

/** The last part of a problem's `type`, such as "illegal-move". */
export type ProblemKindId = ProblemType extends `/v1/problems/${infer Id}` ? Id : never;

/** How many faults the message of an error shows; `errors` has all. */
const shown = 5;

/** Any reason why a question has no answer. */
export class CapomastroError extends Error {
  override name = "CapomastroError";
}

/** The service could not be reached, or the connection broke off. */
export class UnreachableError extends CapomastroError {
  override name = "UnreachableError";
}

/** An answer that is not what the specification promises, such as the page of a proxy. */
export class UnexpectedAnswerError extends CapomastroError {
  override name = "UnexpectedAnswerError";
}

/** The service refuses the request, and says why (RFC 9457). Go by `kind` or by the `rule` of an error, not by wordings. */
export class Problem extends CapomastroError implements ProblemDocument {
  override name = "Problem";
  readonly type: ProblemDocument["type"];
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly errors: NonNullable<ProblemDocument["errors"]>;

  constructor(
    document: ProblemDocument,
    /** The `X-Request-Id` of the answer: the log of the service has it. */
    readonly requestId: string | null,
  ) {
    const faults = (document.errors ?? []).slice(0, shown).map((fault) => `\n  ${fault.pointer || "the body"}: ${fault.message}`);
    super(`${document.title} (${document.status}). ${document.detail}${faults.join("")}`);
    this.type = document.type;
    this.title = document.title;
    this.status = document.status;
    this.detail = document.detail;
    this.errors = document.errors ?? [];
  }

  /** The id of the problem, for a `switch`: a newer service may know further ones. */
  get kind(): ProblemKindId | (string & {}) {
    return this.type.slice(this.type.lastIndexOf("/") + 1);
  }
}

const isProblem = (body: unknown): body is ProblemDocument =>
  typeof body === "object" &&
  body !== null &&
  ["type", "title", "detail"].every((name) => name in body) &&
  "status" in body &&
  typeof body.status === "number";

/** The error that an answer without success becomes. */
export const problemOf = (response: Response, body: unknown): CapomastroError =>
  isProblem(body)
    ? new Problem(body, response.headers.get("X-Request-Id"))
    : new UnexpectedAnswerError(`status ${response.status} without a problem: ${String(body).slice(0, 200)}`);

/** The media type of an answer, without its parameters. */
const mediaTypeOf = (response: Response): string =>
  (response.headers.get("Content-Type") ?? "").replace(/;.*/, "").trim().toLowerCase();

/** What openapi-fetch answers, as the document or an error. Any text would do for one, so it has to be of a media type. */
export const answered = async <Document>(
  call: Promise<{ data?: Document; error?: unknown; response: Response }>,
  mediaType?: string,
): Promise<Document> => {
  const { data, error, response } = await call.catch((reason: unknown) => {
    throw reason instanceof SyntaxError ? new UnexpectedAnswerError("an answer that is no JSON", { cause: reason }) : reason;
  });
  if (!response.ok || data === undefined) throw problemOf(response, error);
  if (mediaType !== undefined && mediaTypeOf(response) !== mediaType) {
    throw new UnexpectedAnswerError(`an answer that is not ${mediaType}, but ${mediaTypeOf(response) || "of no type"}`);
  }
  return data;
};
