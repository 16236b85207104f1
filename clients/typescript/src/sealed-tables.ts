// What a client has to ask itself at a sealed table, before every move, draw and opening (docs/tables.md).

/** What is read of a sealed table, such as a `PalazzoTable`. */
export interface SealedTable {
  readonly creation: { readonly players: number };
  readonly id: string;
  readonly commitment: string;
  readonly waiting: { readonly for: string; readonly seats: readonly number[] };
  readonly record: string;
}

/**
 * Whether a table goes on from the one that was kept: the same game, and all that happened in it still happened.
 *
 * Ask this before every move, draw and opening, and of every table that is answered; then keep the new one. Both have to
 * be genuine: of a table from elsewhere `viewTable` with seat null says so.
 */
export const extendsTable = (kept: SealedTable, next: SealedTable): boolean =>
  canonical(kept.creation) === canonical(next.creation) &&
  kept.id === next.id &&
  kept.commitment === next.commitment &&
  joined(next) >= joined(kept) &&
  next.record.startsWith(kept.record);

/** How many seats have joined. */
const joined = ({ waiting, creation }: SealedTable): number =>
  waiting.for === "join" ? (waiting.seats[0] ?? 0) : creation.players;

/** A value as a text that does not depend on the order of its members. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
