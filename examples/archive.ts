// Checks an archive, one record a line, by a stream: says what is wrong with which game, and sums up.
//
// Run: node archive.ts http://localhost:8000 club.ndjson (Node 22.18 or newer; for Node 20 compile it with tsc first).
import { createReadStream } from "node:fs";
import { createCapomastro, type Capomastro, type VerdictOnLine } from "capomastro-client";

const fine = ["legal", "unfinished"];

/** One sentence on what is wrong with a record. */
const complaint = ({ line, game, id, verdict, first_divergence, detail }: VerdictOnLine): string => {
  const which = [game, id].filter((part) => part !== undefined).join(" ");
  const refusal = first_divergence?.refusal;
  const why = refusal === undefined ? detail : `move ${first_divergence?.index}: ${refusal.message} (${refusal.rule})`;
  return `line ${line}, ${which || "no record"}: ${verdict}${why === undefined ? "" : `, ${why}`}`;
};

/** How many records there are per verdict. Memory does not grow with the archive: lines are read as they are judged. */
export const check = async (
  capomastro: Capomastro,
  lines: Iterable<string> | AsyncIterable<string>,
  complain: (sentence: string) => void,
): Promise<Map<string, number>> => {
  const counts = new Map<string, number>();
  for await (const verdict of capomastro.replayRecords(lines)) {
    counts.set(verdict.verdict, (counts.get(verdict.verdict) ?? 0) + 1);
    if (!fine.includes(verdict.verdict)) complain(complaint(verdict));
  }
  return counts;
};

/** The lines of a text that comes in pieces. They end with "\n" and nothing else; `readline` splits records at U+2028 too. */
async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = "";
  for await (const piece of pieces) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}

const [, , address, file] = process.argv;
if (address !== undefined && file !== undefined) {
  const lines = linesOf(createReadStream(file, "utf-8"));
  const counts = await check(createCapomastro(address), lines, (sentence) => console.log(sentence));
  for (const [verdict, count] of counts) console.log(`${verdict}: ${count}`);
}
