// A host for three players with hidden hands: it keeps the whole game, and sends each player what their seat may know.
//
// Run: node host.ts http://localhost:8000 (Node 22.18 or newer; for Node 20 compile it with tsc first).
import {
  createCapomastro,
  type Capomastro,
  type Decision,
  type PalazzoEvent,
  type PalazzoMove,
  type PalazzoPosition,
  type PalazzoResult,
  type PalazzoState,
  type PalazzoViewedTransition,
} from "capomastro-client";

/** What a player is sent: nothing but their own view. */
interface Player {
  readonly name: string;
  informed(view: PalazzoState, events: readonly PalazzoEvent[]): void;
  choose(): Promise<PalazzoMove>;
}

/** A player who chooses at random. In a web game this is the person at the other end of a socket. */
const randomPlayer = (capomastro: Capomastro, name: string): Player => {
  let view: PalazzoState | undefined;
  return {
    name,
    informed: (state) => {
      view = state;
    },
    choose: async () => {
      if (view === undefined) throw new Error(`${name} has not been told anything yet`);
      const { moves } = await capomastro.palazzo.listLegalMoves({ state: view });
      const move = moves[Math.floor(Math.random() * moves.length)];
      if (move === undefined) throw new Error(`${name} has no move`);
      return move;
    },
  };
};

/** The seat that has to decide, if a seat has to. */
const seatOf = ({ actor, seat }: Decision): number | undefined => (actor === "seat" ? seat : undefined);

const tell = (players: readonly Player[], views: readonly PalazzoViewedTransition[] = []): void => {
  for (const { seat, state, events } of views) {
    if (seat !== null) players[seat]?.informed(state, events);
  }
};

/** Plays a game to its end. The seed draws everything: it is secret, and so is the state. */
export const host = async (capomastro: Capomastro, players: readonly Player[], seed: string): Promise<PalazzoResult> => {
  const views = players.map((_, seat) => seat);
  const names = players.map(({ name }) => name);
  let position: PalazzoPosition = await capomastro.palazzo.createSetup({ players: players.length, names, seed, views });
  tell(players, position.views);
  for (;;) {
    const { state, decision } = position;
    const seat = seatOf(decision);
    const player = seat === undefined ? undefined : players[seat];
    if (seat === undefined || player === undefined) throw new Error(`${decision.kind} is not for a player to decide`);
    const move = await player.choose();
    const next = await capomastro.palazzo.playMoves({ state, moves: [move], seat, seed, views });
    position = next;
    tell(players, next.views);
    if (next.result !== undefined) return next.result;
  }
};

const [, , address] = process.argv;
if (address !== undefined) {
  const capomastro = createCapomastro(address);
  const names = ["Ada", "Bruno", "Chiara"];
  const players = names.map((name) => randomPlayer(capomastro, name));
  const result = await host(capomastro, players, crypto.randomUUID());
  for (const { seat, total, place } of result.players) console.log(`${place}. ${names[seat]}: ${total} points`);
}
