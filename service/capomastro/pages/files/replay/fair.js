// Whether chance was fair in a game at a sealed table: what is opened after its end shows it (docs/tables.md).

import { canSeal, digest, seedOf } from "../sealed.js";
import { faultIn, faultInDraws } from "../play/distance.js";
import { exchange } from "../service.js";
import * as store from "../store.js";
import { sentence, t } from "../words.js";
import { isFailure, valueOrFailure } from "./source.js";

/** @typedef {import("../sealed.js").Opened} Opened */
/** @typedef {import("../sealed.js").Sealed} Sealed */
/** @typedef {{isFair: boolean, text: string}} Fairness */

/**
 * Checks an opened game against the given table of it, else against the one saved in this browser. Without a table, nothing
 * shows what was fixed before the game: then only seed and draws are checked.
 * @param {Opened} opened
 * @param {Sealed} [given]
 * @returns {Promise<Fairness | undefined>} undefined where browsers do not hash
 */
export async function fairness(opened, given) {
  if (!canSeal()) return undefined;
  const commitment = await digest(opened.root);
  const table = given ?? store.distanceGames.all().find((game) => game.table?.commitment === commitment)?.table;
  try {
    const fault = table ? await faultIn(opened, table, ask) : await faultInSeed(opened);
    return { isFair: !fault, text: fault ?? t(table ? "replay.fair" : "replay.fair.no-table") };
  } catch (reason) {
    return { isFair: false, text: sentence(reason instanceof Error ? reason.message : String(reason)) };
  }
}

/** @param {Opened} opened */
async function faultInSeed(opened) {
  if ((await seedOf(opened.root, opened.shares)) !== opened.seed) return t("distance.unfair.seed");
  return faultInDraws(opened, ask);
}

/** @type {import("../play/table.js").Ask} */
async function ask(path, body, types = {}) {
  const value = valueOrFailure(await exchange(path, types.sends ? String(body) : JSON.stringify(body), types));
  if (isFailure(value)) throw new Error([value.why, ...value.details].join(" "));
  return value;
}
