// The pictures of a game, fetched in pages, so that few steps need a request.

import { ask } from "../service.js";

export const PAGE = 25;
/** Milliseconds. */
const DEBOUNCE = 60;

export class Pictures {
  /** @type {Map<number, string>} by position */
  known = new Map();
  /** @type {Set<number>} pages that are known or asked for */
  #requested = new Set();
  /** Whether the service has no picture of this game. */
  missing = false;

  /**
   * @param {import("./source.js").Record_} record its legal part
   * @param {number | null | undefined} seat whose view; null: a spectator's; undefined: everything in the record
   * @param {() => void} changed
   */
  constructor(record, seat, changed) {
    this.record = record;
    this.seat = seat;
    this.changed = changed;
  }

  /**
   * The picture of a position, if it is known yet. Its page and the one after it are fetched, but not while the slider is being
   * dragged across.
   * @param {number} ply
   */
  at(ply) {
    const page = Math.floor(ply / PAGE);
    const wanted = [page, page + 1, ...(ply % PAGE < PAGE / 2 ? [page - 1] : [])].filter((one) => this.#lacks(one));
    clearTimeout(this.#debounce);
    if (wanted.length) this.#debounce = setTimeout(() => void this.#fetch(wanted), DEBOUNCE);
    return this.known.get(ply);
  }
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #debounce;

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
    const body = { record: this.record, layout: "narrow", order: "fixed", omit: ["bar"], ply, count: PAGE, ...(this.seat === undefined ? {} : { seat: this.seat }) };
    const reply = await ask(`/v1/games/${this.record.game}/pictures`, body);
    if (!reply.reached) this.#requested.delete(page);
    else if (reply.status !== 200) this.missing = true;
    else for (const [index, svg] of reply.value.pictures.entries()) this.known.set(ply + index, svg);
    this.changed();
  }
}

// --- for a saved page ------------------------------------------------------------------------------------------------

/**
 * Consecutive pictures in a small form: each has most of its elements in common with the one before.
 * @param {readonly string[]} pictures
 */
export function encoded(pictures) {
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
 * The pictures that were encoded.
 * @param {ReturnType<typeof encoded>} encoded
 */
export function decoded({ elements, sequences }) {
  return sequences.map((sequence) => sequence.map((number) => elements[number]).join(""));
}
