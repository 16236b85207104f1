// A game of Palazzo at a sealed table through the client: node sealed.js ADDRESS.
//
// Each player has nothing but their secret and the tables that are passed round.
import { createHash, randomBytes } from "node:crypto";
import { createCapomastro, extendsTable, Problem, type PalazzoTable } from "capomastro-client";

interface Player {
  seat: number;
  secret: string;
  kept?: PalazzoTable;
}

const digest = (text: string): string => createHash("sha256").update(text).digest("hex");
const one = <Item>(items: readonly Item[]): Item => {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error("there is nothing to choose from");
  return item;
};
const takes = (player: Player, table: PalazzoTable): void => {
  if (player.kept !== undefined && !extendsTable(player.kept, table)) throw new Error("somebody has gone back");
  player.kept = table;
};

const [, , address = ""] = process.argv;
const { palazzo } = createCapomastro(address);
const players = [0, 1, 2].map((seat): Player => ({ seat, secret: randomBytes(32).toString("base64url") }));
const locks = players.map(({ secret }) => digest(digest(secret)));
const awaited = (table: PalazzoTable): Player => {
  const seat = one(table.waiting.seats);
  return one(players.filter((player) => player.seat === seat));
};

let { table } = await palazzo.createTable({ players: players.length, locks });
const first = table;
let before = table;
while (table.waiting.for !== "opening") {
  const player = awaited(table);
  const { seat, secret } = player;
  takes(player, table);
  const asks = { table, seat, secret };
  const legal = table.waiting.for === "move" ? (await palazzo.viewTable({ ...asks, legal_moves: 1000 })).legal_moves : undefined;
  before = table;
  ({ table } = await palazzo.advanceTable({ ...asks, moves: legal === undefined ? [] : [one(legal.moves)] }));
  takes(player, table);
}
if (extendsTable(table, before) || !extendsTable(first, table)) throw new Error("a game goes on and not back");
const { seat, secret } = awaited(table);
const opened = await palazzo.openGame({ table, seat, secret });
if (digest(opened.root) !== table.commitment || opened.shares.map(digest).join() !== locks.join()) {
  throw new Error("another game was opened");
}
await palazzo.viewTable({ table, seat: 0, secret: players[1]?.secret ?? "" }).catch((error: unknown) => {
  if (!(error instanceof Problem)) throw error;
  console.log(error.kind);
});
console.log("opened");
