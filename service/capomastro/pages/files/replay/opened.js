// The recorded games that were opened on this device.

import { collection } from "../store.js";

/**
 * A recorded game that was opened in the viewer, as a packed link, with what its list says of it.
 * @typedef {{id: string, changed: string, link: string, game: string, names: string[], points: number[], plies: number, verdict: string}} OpenedGame
 */
export const openedGames = collection("opened", "opened-game", (/** @type {OpenedGame} */ kept) => typeof kept.link === "string" && Array.isArray(kept.names));
