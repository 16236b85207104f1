// Random games with hidden hands through the client: node play.js ADDRESS GAME GAMES.
//
// One function plays every game, since all are asked in the same way; the types say that they are.
import { createCapomastro, type Decision } from "capomastro-client";

interface Position<State> {
  state: State;
  decision: Decision;
  result?: object;
  views?: { seat: number | null; state: State }[];
}

interface Game<State, Move> {
  createSetup(request: { players: number; seed: string; views: (number | null)[] }): Promise<Position<State>>;
  listLegalMoves(request: { state: State; limit: number }): Promise<{ moves: Move[]; complete: boolean }>;
  playMoves(request: {
    state: State;
    moves: Move[];
    seed: string;
    views: (number | null)[];
  }): Promise<Position<State>>;
}

const seatsOf = [2, 3, 4] as const;
const allMoves = 1000;

/** A game to its end, each seat choosing from the legal moves of its own view; how many decisions that took. */
const play = async <State, Move>(game: Game<State, Move>, players: number, seed: string): Promise<number> => {
  const views = Array.from({ length: players }, (_, seat) => seat);
  let now = await game.createSetup({ players, seed, views });
  let decisions = 0;
  for (; now.decision.actor !== "none"; decisions += 1) {
    const { seat, kind } = now.decision;
    const view = now.views?.find((viewed) => viewed.seat === seat);
    if (seat === undefined || view === undefined) throw new Error(`nobody decides ${kind}`);
    const legal = await game.listLegalMoves({ state: view.state, limit: allMoves });
    if (!legal.complete) throw new Error(`${kind}: seat ${seat} does not know its own moves`);
    const move = legal.moves[Math.floor(Math.random() * legal.moves.length)];
    if (move === undefined) throw new Error(`${kind}: seat ${seat} has no move`);
    now = await game.playMoves({ state: now.state, moves: [move], seed, views });
  }
  if (now.result === undefined) throw new Error("the game is over, and has no result");
  return decisions;
};

const playMany = async <State, Move>(game: Game<State, Move>, games: number): Promise<number> => {
  let decisions = 0;
  for (let number = 0; number < games; number += 1) {
    decisions += await play(game, seatsOf[number % seatsOf.length] ?? 2, `${number}`);
  }
  return decisions;
};

const [, , address = "", title = "", games = ""] = process.argv;
const capomastro = createCapomastro(address);
const titles = new Map<string, (games: number) => Promise<number>>([
  ["campanile", (games) => playMany(capomastro.campanile, games)],
  ["carrara", (games) => playMany(capomastro.carrara, games)],
  ["fifth-avenue", (games) => playMany(capomastro.fifthAvenue, games)],
  ["palazzo", (games) => playMany(capomastro.palazzo, games)],
]);
const playTitle = titles.get(title);
if (playTitle === undefined) throw new RangeError(title);
console.log(`${title}: ${games} games, ${await playTitle(Number(games))} decisions`);
