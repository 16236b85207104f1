// What a set-up and a transition have in common, so that one variable holds either.
import type { Decision } from "./generated/specification.js";

/** A position as a seat or a spectator may know it. */
export interface Seen<State, Derived, Move> {
  readonly seat: number | null;
  readonly state: State;
  readonly decision: Decision;
  readonly derived: Derived;
  readonly moves: readonly Move[];
}

/** What a set-up or a transition leads to; each game has one, such as `PalazzoPosition`. */
export interface Position<State, Derived, Move, View = Seen<State, Derived, Move>> {
  readonly state: State;
  readonly decision: Decision;
  readonly derived: Derived;
  readonly moves: readonly Move[];
  readonly views?: readonly View[];
}

/** The position as a seat (null: a spectator) may know it; throws if the request did not ask for this view. */
export const viewOf = <View extends { readonly seat: number | null }>(
  position: { readonly views?: readonly View[] },
  seat: number | null,
): View => {
  const view = position.views?.find((seen) => seen.seat === seat);
  if (view === undefined) throw new Error(`there is no view of seat ${seat}: ask for it with views`);
  return view;
};
