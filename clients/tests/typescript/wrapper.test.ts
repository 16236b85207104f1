// What the hand-written part of the client does, held against a service that is made up: run by test_typescript.py.
import assert from "node:assert/strict";
import test from "node:test";
import {
  createCapomastro,
  never,
  patient,
  Problem,
  UnexpectedAnswerError,
  UnreachableError,
  type Capomastro,
  type PalazzoRecord,
  type Retries,
} from "capomastro-client";
// no part of the package's interface
import { pauseAfter } from "./node_modules/capomastro-client/dist/retries.js";

type Answer = (request: Request) => Promise<Response>;

const quick: Retries = { ...patient, firstPause: 1 };
const problem = {
  type: "/v1/problems/illegal-move",
  title: "The move is not legal",
  status: 422,
  detail: "The first move breaks a rule.",
  errors: [{ pointer: "/moves/0", message: "the bid is 12", rule: "palazzo.auction.raise" }],
};
const record: PalazzoRecord = { game: "palazzo", schema_version: 1, rules_version: 1, players: 2, options: {}, moves: [] };

/** A client whose requests are answered one after the other, and the requests. */
const askedInTurn = (answers: readonly Answer[], retries = quick, address = "http://referee/") => {
  const requests: Request[] = [];
  const fetch: Answer = (request) => {
    requests.push(request.clone());
    const answer = answers[requests.length - 1];
    return answer === undefined ? Promise.reject(new Error("not expected")) : answer(request);
  };
  return { capomastro: createCapomastro(address, { retries, fetch }), requests };
};

const json = (document: object, status = 200, headers = {}): Answer => async () =>
  new Response(JSON.stringify(document), { status, headers });
const status = (code: number, headers = {}): Answer => async () => new Response("", { status: code, headers });
const text = (body: string, mediaType: string): Answer => async () =>
  new Response(body, { headers: { "Content-Type": mediaType } });
const alive = json({ status: "alive" });
const refused: Answer = () => Promise.reject(new TypeError("fetch failed"));
/** An answer that breaks off. */
const broken = (status: number): Answer => async () =>
  new Response(new ReadableStream({ start: (controller) => controller.error(new TypeError("terminated")) }), { status });
const times = (count: number, answer: Answer): Answer[] => Array.from({ length: count }, () => answer);

const questions: ((capomastro: Capomastro) => Promise<unknown>)[] = [
  ({ showHealth }) => showHealth(),
  ({ palazzo }) => palazzo.createSetup({ players: 2 }),
  ({ palazzo }) => palazzo.replayRecordInText("game: palazzo\n"),
  ({ palazzo }) => palazzo.convertRecordForText({ record }),
  ({ palazzo }) => palazzo.drawPicturesForSvg({ record }),
  ({ replayRecords }) => replayRecords(["a"]).next(),
];

const now = "Sun, 06 Nov 1994 08:49:37 GMT";
const beyond = "Mon, 01 Jan 99999999999 00:00:00 GMT";
const busy = [429, 503];
const atOnce = ["0", now, beyond, "soon", "-1", "1.5", ""];
const mayPass = [
  refused,
  broken(200),
  broken(500),
  status(502),
  status(504),
  ...busy.map((code) => status(code)),
  ...busy.flatMap((code) => atOnce.map((after) => status(code, { "Retry-After": after }))),
];
for (const [number, first] of mayPass.entries()) {
  test(`what may pass is asked again (${number})`, async () => {
    const { capomastro, requests } = askedInTurn([first, alive]);
    assert.equal((await capomastro.showHealth()).status, "alive");
    assert.equal(requests.length, 2);
  });
}

const willNotPass = [
  status(500),
  status(404),
  ...busy.map((code) => status(code, { "Retry-After": "3600" })),
  ...busy.map((code) => status(code, { "Retry-After": "Sun, 06 Nov 1994 09:49:37 GMT", Date: now })),
];
for (const [number, first] of willNotPass.entries()) {
  test(`what will not pass is not asked again (${number})`, async () => {
    const { capomastro, requests } = askedInTurn([first, alive]);
    await assert.rejects(capomastro.showHealth(), UnexpectedAnswerError);
    assert.equal(requests.length, 1);
  });
}

for (const code of busy) {
  test(`a service that stays busy is given up (${code})`, async () => {
    const { capomastro, requests } = askedInTurn(times(9, status(code)));
    await assert.rejects(capomastro.showHealth(), UnexpectedAnswerError);
    assert.equal(requests.length, quick.attempts);
  });
}

/** A hundred pauses, hardly two of them equal. */
const pauses = (attempt: number, code?: number, headers = {}) => {
  const response = code === undefined ? undefined : new Response("", { status: code, headers });
  const found = Array.from({ length: 100 }, () => pauseAfter(patient, attempt, response) ?? NaN);
  assert(new Set(found).size > 90);
  return found;
};

const inSevenSeconds = ["7", "Sun, 06 Nov 1994 08:49:44 GMT", "Sunday, 06-Nov-94 08:49:44 GMT", "Sun Nov  6 08:49:44 1994"];
for (const retryAfter of inSevenSeconds) {
  test(`a pause is as long as the service says, by its clock, and a little longer (${retryAfter})`, () => {
    for (const pause of pauses(2, 503, { "Retry-After": retryAfter, Date: now })) assert(7000 <= pause && pause <= 7750);
  });
}

test("without a date of the answer our own clock counts", () => {
  const inAWhile = new Date(Date.now() + 20_000).toUTCString();
  for (const pause of pauses(1, 429, { "Retry-After": inAWhile })) assert(15_000 < pause && pause < 21_000);
});

test("pauses that the service leaves open grow and differ", () => {
  for (const [attempt, least, most] of [[1, 125, 375], [2, 250, 750], [3, 500, 1500]] as const) {
    for (const code of [undefined, 429, 502, 503, 504]) {
      for (const pause of pauses(attempt, code)) assert(least <= pause && pause <= most);
    }
  }
  const long = new Response("", { status: 503, headers: { "Retry-After": "30" } });
  assert.equal(pauseAfter({ ...patient, attempts: 99 }, 90, long), patient.longestPause);
});

test("patience ends", async () => {
  for (const retries of [quick, never]) {
    for (const answer of [refused, broken(200), broken(500)]) {
      for (const ask of questions) {
        const { capomastro, requests } = askedInTurn(times(9, answer), retries);
        await assert.rejects(ask(capomastro), UnreachableError);
        assert.equal(requests.length, retries.attempts);
      }
    }
  }
});

test("a question that is given up while its answer comes is aborted", async () => {
  for (const status of [200, 500]) {
    for (const ask of [
      (capomastro: Capomastro, signal: AbortSignal) => capomastro.showHealth({ signal }),
      ({ replayRecords }: Capomastro, signal: AbortSignal) => replayRecords(["a"], { signal }).next(),
    ]) {
      const abandoned = new AbortController();
      const { capomastro, requests } = askedInTurn([
        (request) => {
          abandoned.abort();
          return broken(status)(request);
        },
      ]);
      await assert.rejects(ask(capomastro, abandoned.signal), { name: "AbortError" });
      assert.equal(requests.length, 1);
    }
  }
});

test("a question that is given up is not asked again", async () => {
  const abandoned = new AbortController();
  const { capomastro, requests } = askedInTurn([
    async () => {
      abandoned.abort();
      throw new TypeError("fetch failed");
    },
    alive,
  ]);
  await assert.rejects(capomastro.showHealth({ signal: abandoned.signal }), { name: "AbortError" });
  assert.equal(requests.length, 1);
});

test("a POST is sent again as it was", async () => {
  const { capomastro, requests } = askedInTurn([refused, json(problem, 422)]);
  await assert.rejects(capomastro.palazzo.createSetup({ players: 2, seed: "7" }), Problem);
  assert.deepEqual(await Promise.all(requests.map((request) => request.text())), times(2, alive).map(() => '{"players":2,"seed":"7"}'));
  assert.equal(requests[1]?.url, "http://referee/v1/games/palazzo/setups");
});

test("an address may end with the version", async () => {
  for (const address of ["http://referee", "http://referee/v1", "http://referee/v1/"]) {
    const { capomastro, requests } = askedInTurn([alive], quick, address);
    await capomastro.showHealth();
    assert.equal(requests[0]?.url, "http://referee/healthz");
  }
});

test("a problem says what is wrong", async () => {
  const { capomastro } = askedInTurn([json(problem, 422, { "X-Request-Id": "17" })]);
  await assert.rejects(capomastro.palazzo.createSetup({ players: 2 }), (error) => {
    assert(error instanceof Problem);
    assert.deepEqual([error.kind, error.status, error.requestId], ["illegal-move", 422, "17"]);
    assert.equal(error.errors[0]?.rule, "palazzo.auction.raise");
    assert.match(error.message, /the bid is 12/);
    return true;
  });
});

const recordAsText = "text/vnd.capomastro.record";
test("text is sent and taken as it is", async () => {
  const { capomastro, requests } = askedInTurn([json({}), text("game: palazzo\n", recordAsText)]);
  await capomastro.palazzo.replayRecordInText("game: palazzo\n");
  assert.equal(await capomastro.palazzo.convertRecordForText({ record }), "game: palazzo\n");
  assert.equal(await requests[0]?.text(), "game: palazzo\n");
  assert.equal(requests[0]?.headers.get("Content-Type"), recordAsText);
  assert.equal(requests[1]?.headers.get("Accept"), recordAsText);
});

test("pictures come as JSON or as SVG", async () => {
  const { capomastro, requests } = askedInTurn([
    json({ first: 0, pictures: ["<svg/>"] }),
    text("<svg/>", "image/svg+xml; charset=utf-8"),
  ]);
  assert.deepEqual((await capomastro.palazzo.drawPictures({ record, ply: 0, count: 2 })).pictures, ["<svg/>"]);
  assert.equal(await capomastro.palazzo.drawPicturesForSvg({ record, layout: "narrow" }), "<svg/>");
  assert.deepEqual(requests.map((request) => request.headers.get("Accept")), [
    "application/json, application/problem+json",
    "image/svg+xml, application/problem+json",
  ]);
});

for (const [number, ask] of questions.entries()) {
  test(`a page of somebody else is unexpected (${number})`, async () => {
    const { capomastro, requests } = askedInTurn([text("<html>\nlogin\n</html>\n", "text/html")]);
    await assert.rejects(ask(capomastro), UnexpectedAnswerError);
    assert.equal(requests.length, 1);
  });
}

test("a picture is an SVG and nothing else", async () => {
  for (const answer of [json({ first: 0, pictures: [] }), async () => new Response(null, { status: 204 })]) {
    await assert.rejects(askedInTurn([answer]).capomastro.palazzo.drawPicturesForSvg({ record }), UnexpectedAnswerError);
  }
});

// --- many records

/** Verdicts on the lines of a request; after some of them the connection breaks. */
const verdicts = (breaksAfter = Infinity): Answer => async (request) => {
  const lines = (await request.text()).split("\n");
  const answer = async function* () {
    for (const [index, line] of lines.entries()) {
      if (index >= breaksAfter) throw new TypeError("terminated");
      const verdict = JSON.stringify({ line: index + 1, verdict: "unusable", detail: line });
      if (/[^ \t\n\r\v\f]/.test(line)) yield new TextEncoder().encode(`${verdict}\n`);
    }
  };
  const iterator = answer();
  return new Response(
    new ReadableStream({
      async pull(controller) {
        const { done, value } = await iterator.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    }),
  );
};

test("lines keep their numbers through batches and blank lines", async () => {
  const lines = Array.from({ length: 1201 }, (_, index) => ((index + 1) % 7 === 0 ? "" : `${index + 1}`));
  const { capomastro, requests } = askedInTurn(times(9, verdicts()));
  const found: string[] = [];
  for await (const { line, detail } of capomastro.replayRecords(lines)) {
    assert.equal(detail, `${line}`);
    found.push(`${line}`);
  }
  assert.deepEqual(found, lines.filter((line) => line !== ""));
  assert.equal(requests.length, 3);
});

test("an answer that breaks off is continued", async () => {
  const { capomastro, requests } = askedInTurn([verdicts(2), verdicts(0), verdicts(1), verdicts()]);
  const found: [number, string | undefined][] = [];
  for await (const { line, detail } of capomastro.replayRecords(["a\n", "b", "", "d", "e"])) found.push([line, detail]);
  assert.deepEqual(found, [[1, "a"], [2, "b"], [4, "d"], [5, "e"]]);
  assert.deepEqual(await Promise.all(requests.map((request) => request.text())), [
    "a\nb\n\nd\ne\n",
    "\nd\ne\n",
    "\nd\ne\n",
    "\nd\ne\n",
  ]);
});

test("an answer that never goes on is given up", async () => {
  const { capomastro, requests } = askedInTurn([verdicts(1), ...times(9, verdicts(0))]);
  await assert.rejects(async () => {
    for await (const _ of capomastro.replayRecords(["a", "b"]));
  }, /before line 2/);
  assert.equal(requests.length, quick.attempts);
});

test("a record is one line", async () => {
  for (const text of ["a\nb", "a\r\nb", "a\n\n"]) {
    const { capomastro } = askedInTurn([]);
    await assert.rejects(capomastro.replayRecords([text]).next(), RangeError);
  }
});

/** The verdicts on records, as their lines and details. */
const found = async (answers: Answer[], records: string[]) => {
  const { capomastro, requests } = askedInTurn(answers);
  const verdicts: [number, string | undefined][] = [];
  for await (const { line, detail } of capomastro.replayRecords(records)) verdicts.push([line, detail]);
  return { verdicts, requests };
};

test("lines end with a line feed and nothing else", async () => {
  const lines = [..."\v\f\x1c\x1d\x1e\x85\u2028\u2029\r"].map((end) => `a${end}b`);
  const ends = ["\n", "\r\n", ""];
  const { verdicts: judged, requests } = await found([verdicts()], lines.map((line, at) => `${line}${ends[at % 3]}`));
  assert.deepEqual(judged, lines.map((line, at) => [at + 1, line]));
  assert.equal(await requests[0]?.text(), `${lines.join("\n")}\n`);
});

test("blank lines have no verdict, and none is waited for", async () => {
  for (const blank of [" ", "\t", "\r", "\v\f"]) {
    const { verdicts: judged } = await found([verdicts()], ["a", blank, "b", blank]);
    assert.deepEqual(judged, [[1, "a"], [3, "b"]]);
    assert.equal((await found([], [blank])).requests.length, 0);
  }
});

test("a line that only looks blank has a verdict", async () => {
  for (const record of "\x1c\x1d\x1e\x85\u00a0\u2028\u2029") {
    assert.deepEqual((await found([verdicts()], [record])).verdicts, [[1, record]]);
  }
});

test("a line of an answer that is no verdict is unexpected", async () => {
  for (const line of ["login", "null", "1", "{}", '{"line": "1"}']) {
    await assert.rejects(found([text(`${line}\n`, "application/x-ndjson")], ["a"]), UnexpectedAnswerError);
  }
});

test("how records are judged stands in the query", async () => {
  const { capomastro, requests } = askedInTurn([verdicts()]);
  for await (const _ of capomastro.replayRecords(["a"], { under_current_rules: true, repair: "skip" }));
  assert.equal(new URL(requests[0]?.url ?? "").search, "?under_current_rules=true&repair=skip");
});
