// Notes and variations as comments of the text notation (docs/notation.md). Pure functions; the service reads the moves.
//
// A record as the service writes it: members, a blank line, moves with comments between them, a blank line, the result.

import { endOf, newBranch } from "./tree.js";

/** @typedef {import("./tree.js").Branch} Branch */
/**
 * A block of lines: moves in notation with what stands between them.
 * @typedef {{ply: number, lines: string[], moves: string[], notes: import("./tree.js").Notes, blocks: Block[]}} Block
 */

const CLAIM = /^(result|totals)\b/;
/** Variations of variations that are deeper are notes. */
const DEEPEST = 12;

/**
 * The parts of a record in text: its head, the lines of its moves with their comments, and its claimed result.
 * @param {string} notation as the service writes it
 */
function parts(notation) {
  const [head, ...others] = notation.replace(/\n$/, "").split("\n\n");
  const moves = others[0] !== undefined && !CLAIM.test(others[0]) ? others[0].split("\n") : [];
  const claim = others.find((part) => CLAIM.test(part));
  return { head, moves, claim };
}

/**
 * What the comments of a record say.
 * @param {string} notation as the service writes it
 * @returns {Block}
 */
export function blockIn(notation) {
  return blockOf(parts(notation).moves, 0, 0);
}

/**
 * @param {string[]} lines
 * @param {number} ply
 * @param {number} depth
 * @returns {Block}
 */
function blockOf(lines, ply, depth) {
  /** @type {Block} */
  const block = { ply, lines, moves: [], notes: {}, blocks: [] };
  /** @type {string[] | undefined} */
  let quoted;
  /** @type {{ply: number, lines: string[]}[]} */
  const variations = [];
  const note = (/** @type {string} */ text) => {
    const position = ply + block.moves.length;
    block.notes[position] = position in block.notes ? `${block.notes[position]}\n${text}` : text;
  };
  for (const line of lines) {
    const [, , text = ""] = /^#([(|])\s?(.*)$/.exec(line) ?? [];
    if (line.startsWith("#(") && depth < DEEPEST) {
      quoted = [text];
      variations.push({ ply: ply + block.moves.length, lines: quoted });
    } else if (line.startsWith("#|") && quoted) quoted.push(text);
    else {
      quoted = undefined;
      if (line.startsWith("#")) note(line.slice(1).trim());
      else {
        const [, move, comment] = /^([^"#]*?)\s+#(.*)$/.exec(line) ?? [line, line, ""];
        block.moves.push(move.trim());
        if (comment?.trim()) note(comment.trim());
      }
    }
  }
  block.blocks = variations.map((one) => blockOf(one.lines, one.ply, depth + 1));
  return block;
}

/**
 * All blocks below one, each before its own.
 * @param {Block} block
 * @returns {Block[]}
 */
export function blocksIn(block) {
  return block.blocks.flatMap((one) => [one, ...blocksIn(one)]);
}

/**
 * A record, without comments, whose moves are the given lines, legal or not.
 * @param {string} notation as the service writes it
 * @param {readonly string[]} moves
 */
export function withMoves(notation, moves) {
  return `${parts(notation).head}\n\n${moves.map((line) => `${line}\n`).join("")}`;
}

/**
 * The lines of the moves of a record.
 * @param {string} notation as the service writes it, without comments
 */
export function movesIn(notation) {
  return parts(notation).moves;
}

/**
 * The moves of all variations.
 * @param {Branch} tree
 * @returns {any[]}
 */
export function variationMoves(tree) {
  return tree.branches.flatMap((branch) => [...branch.moves, ...variationMoves(branch)]);
}

/**
 * The tree that a block describes. A block that is no variation, because nobody could play its moves, is a note.
 * @param {Block} block
 * @param {(block: Block) => any[] | undefined} movesOf
 * @returns {Branch}
 */
export function treeOf(block, movesOf) {
  const notes = { ...block.notes };
  const branches = block.blocks.flatMap((one) => {
    if (one.moves.length && movesOf(one)) return [treeOf(one, movesOf)];
    const text = one.lines.map((line, at) => (at ? `| ${line}` : `( ${line}`)).join("\n");
    notes[one.ply] = notes[one.ply] ? `${notes[one.ply]}\n${text}` : text;
    return [];
  });
  return newBranch(block.ply, movesOf(block) ?? [], { notes, branches });
}

/**
 * A record with the notes and variations of a tree.
 * @param {string} notation without comments, as the service writes it
 * @param {Branch} tree
 * @param {(move: any) => string} lineOf a move of a variation in notation
 */
export function withComments(notation, tree, lineOf) {
  const { head, moves, claim } = parts(notation);
  const body = linesOf(tree, moves, lineOf);
  return [head, body.join("\n"), claim].filter(Boolean).map((part) => `${part}\n`).join("\n");
}

/**
 * @param {Branch} branch
 * @param {readonly string[]} moves its own moves in notation
 * @param {(move: any) => string} lineOf
 * @returns {string[]}
 */
function linesOf(branch, moves, lineOf) {
  const lines = [];
  for (let position = branch.ply; position <= Math.max(branch.ply + moves.length, endOf(branch)); position++) {
    if (branch.notes[position]) lines.push(...branch.notes[position].split("\n").map((line) => `# ${line}`.trimEnd()));
    for (const variation of branch.branches) if (variation.ply === position) lines.push(...quotedLines(variation, lineOf));
    const move = moves[position - branch.ply];
    if (move !== undefined) lines.push(move);
  }
  return lines;
}

/**
 * @param {Branch} variation
 * @param {(move: any) => string} lineOf
 * @returns {string[]}
 */
function quotedLines(variation, lineOf) {
  const lines = linesOf(variation, variation.moves.map(lineOf), lineOf);
  return lines.map((line, at) => (at ? `#| ${line}` : `#( ${line}`));
}
