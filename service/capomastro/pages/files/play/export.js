// A game leaves the page: as a link, or as its record in text notation, which the service writes.

import { copied, download } from "../dialogs.js";
import { packedRecord } from "../link.js";
import { NOTATION, exchange } from "../service.js";
import { language, pathHere, t } from "../words.js";

/**
 * What is used of the page.
 * @typedef {object} Page
 * @property {string} game
 * @property {import("./table.js").Table | undefined} table
 * @property {(what: {note: string}) => void} setState
 */

/** @param {Page} page @returns {Promise<string | undefined>} undefined if the service cannot be reached */
async function notation({ game, table }) {
  const reply = await exchange(`/v1/games/${game}/records`, JSON.stringify({ record: table?.record() }), { wants: NOTATION });
  return reply.reached && reply.status === 200 ? String(reply.value) : undefined;
}

/**
 * A link to a game; undefined if none can be made now.
 * @param {Page} page
 * @param {string} path
 */
async function linkTo(page, path) {
  const written = await notation(page);
  const packed = written && (await packedRecord(written));
  return packed && `${location.origin}${pathHere(path)}?lang=${language}#${packed}.${page.table?.ply}`;
}

/** @param {Page} page */
export async function copyLink(page) {
  const link = await linkTo(page, `/play/${page.game}`);
  if (!link) page.setState({ note: t("play.no-link") });
  else if (await copied(link, t("play.link"))) page.setState({ note: t("play.copied") });
}

/** @param {Page} page */
export async function openInViewer(page) {
  const link = await linkTo(page, "/replay");
  if (link) location.assign(link);
  else page.setState({ note: t("play.no-link") });
}

/** @param {Page} page */
export async function saveNotation(page) {
  const written = await notation(page);
  if (written) download(`${page.game}.capo`, "text/plain", written);
  else page.setState({ note: t("play.no-link") });
}
