// The pictures of a game, fetched in pages: within one, and within the next, a step costs no request.

import { ask } from "../service.js";

export const PAGE = 25;
/** Milliseconds. */
const REST = 60;

/** @typedef {"wide" | "narrow"} Layout */

export class Pictures {
  /** @type {Map<number, string>} by position */
  known = new Map();
  /** @type {Set<number>} pages that are known or asked for */
  #requested = new Set();
  /** Whether the service has no picture of this game. */
  missing = false;

  /**
   * @param {import("./source.js").Record_} record its legal part
   * @param {Layout} layout
   * @param {number | null | undefined} seat whose view; null: a spectator's; undefined: of all that the record says
   * @param {() => void} changed
   */
  constructor(record, layout, seat, changed) {
    this.record = record;
    this.layout = layout;
    this.seat = seat;
    this.changed = changed;
  }

  /**
   * The picture of a position, if it is known yet; its page and the one after it are fetched, once the reader rests there
   * and does not only pull the slider across.
   * @param {number} ply
   */
  at(ply) {
    const page = Math.floor(ply / PAGE);
    const wanted = [page, page + 1, ...(ply % PAGE < PAGE / 2 ? [page - 1] : [])].filter((one) => this.#lacks(one));
    clearTimeout(this.#resting);
    if (wanted.length) this.#resting = setTimeout(() => void this.#fetch(wanted), REST);
    return this.known.get(ply);
  }
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #resting;

  /**
   * All of them.
   * @param {(known: number, of: number) => void} progress
   * @throws if the service cannot be reached
   */
  async all(progress) {
    const plies = this.record.moves.length + 1;
    for (let page = 0; this.#lacks(page); page++) {
      await this.page(page);
      if (!this.missing && !this.known.has(page * PAGE)) throw new Error("not reached");
      progress(Math.min((page + 1) * PAGE, plies), plies);
    }
    return Array.from({ length: plies }, (_, ply) => this.known.get(ply) ?? "");
  }

  /** @param {number[]} wanted */
  async #fetch(wanted) {
    for (const page of wanted) await this.page(page);
  }

  /** Whether a page exists and was not asked for. @param {number} page */
  #lacks(page) {
    return !this.missing && page >= 0 && page * PAGE <= this.record.moves.length && !this.#requested.has(page);
  }

  /** @param {number} page */
  async page(page) {
    const ply = page * PAGE;
    if (!this.#lacks(page)) return;
    this.#requested.add(page);
    const body = { record: this.record, layout: this.layout, ply, count: PAGE, ...(this.seat === undefined ? {} : { seat: this.seat }) };
    const reply = await ask(`/v1/games/${this.record.game}/pictures`, body);
    if (!reply.reached) this.#requested.delete(page);
    else if (reply.status !== 200) this.missing = true;
    else for (const [index, svg] of reply.value.pictures.entries()) this.known.set(ply + index, svg);
    this.changed();
  }
}

// --- for a file ------------------------------------------------------------------------------------------------------

/**
 * Pictures one after the other, small: most elements of one are those of the one before.
 * @param {readonly string[]} pictures
 */
export function folded(pictures) {
  /** @type {Map<string, number>} */
  const numbers = new Map();
  const numberOf = (/** @type {string} */ element) => {
    const number = numbers.get(element) ?? numbers.size;
    numbers.set(element, number);
    return number;
  };
  const sequences = pictures.map((svg) => svg.split(/(?=<)/).map(numberOf));
  return { elements: [...numbers.keys()], sequences };
}

/**
 * What `folded` was given.
 * @param {ReturnType<typeof folded>} kept
 */
export function unfolded({ elements, sequences }) {
  return sequences.map((sequence) => sequence.map((number) => elements[number]).join(""));
}
