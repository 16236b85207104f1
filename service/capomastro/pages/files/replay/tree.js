// A game with its variations and notes: a tree of lines of moves. Pure functions over immutable values.
//
// A position is the number of moves from the set-up on, in every line. A line is reached by its path: by which branch of the
// record, by which branch of that, and so on; the record itself has the path [].

/** @typedef {{[position: number]: string}} Notes */
/** @typedef {readonly number[]} Path */
/**
 * A line of moves: the record, or a variation of the line that it branches off.
 * @typedef {object} Branch
 * @property {number} id the same while it changes
 * @property {number} ply the position where it begins
 * @property {readonly any[]} moves which need not be legal
 * @property {Notes} notes by position
 * @property {readonly Branch[]} branches in the order of the positions where they begin
 */
/** @typedef {{tree: Branch, path: Path, position: number}} Place a position in a line of a tree */

let ids = 0;

/**
 * @param {number} ply
 * @param {readonly any[]} moves
 * @param {Partial<Branch>} [further]
 * @returns {Branch}
 */
export function newBranch(ply, moves, further = {}) {
  return { id: ++ids, ply, moves, notes: {}, branches: [], ...further };
}

/**
 * @param {Branch} tree
 * @param {Path} path
 * @returns {Branch}
 */
export function branchAt(tree, path) {
  return path.reduce((branch, at) => branch.branches[at], tree);
}

/** The last position of a line. @param {Branch} branch */
export function endOf({ ply, moves }) {
  return ply + moves.length;
}

/**
 * All moves of a line from the set-up on.
 * @param {Branch} tree
 * @param {Path} path
 * @returns {any[]}
 */
export function movesOf(tree, path) {
  if (!path.length) return [...tree.moves];
  const branch = branchAt(tree, path);
  return [...movesOf(tree, path.slice(0, -1)).slice(0, branch.ply), ...branch.moves];
}

/**
 * The line in which a position of a line was reached: before a variation begins, that is the line it branches off.
 * @param {Branch} tree
 * @param {Path} path
 * @param {number} position
 * @returns {Path}
 */
export function ownerOf(tree, path, position) {
  let owner = path;
  while (owner.length && branchAt(tree, owner).ply >= position) owner = owner.slice(0, -1);
  return owner;
}

/**
 * The tree with another branch in the place of the one at a path.
 * @param {Branch} tree
 * @param {Path} path
 * @param {(branch: Branch) => Branch} change
 * @returns {Branch}
 */
export function changed(tree, path, change) {
  if (!path.length) return change(tree);
  const [first, ...rest] = path;
  return { ...tree, branches: tree.branches.map((branch, at) => (at === first ? changed(branch, rest, change) : branch)) };
}

/**
 * Plays a move: the next one of the line, or the first one of a variation that is known there, or else a new one.
 * @param {Place} place
 * @param {any} move
 * @returns {Place & {isNew: boolean}}
 */
export function played({ tree, path, position }, move) {
  const next = { tree, path, position: position + 1, isNew: false };
  const isNext = (/** @type {Path} */ line, /** @type {number} */ at) => isSame(movesOf(tree, line)[at], move);
  if (isNext(path, position)) return next;
  const owner = ownerOf(tree, path, position);
  const line = position === branchAt(tree, path).ply && path.length ? path.slice(0, -1) : owner;
  if (isNext(line, position)) return { ...next, path: line };
  const known = branchAt(tree, line).branches.findIndex((branch) => branch.ply === position && isSame(branch.moves[0], move));
  if (known >= 0) return { ...next, path: [...line, known] };
  if (line.length && position === endOf(branchAt(tree, line))) return { ...next, isNew: true, tree: changed(tree, line, (branch) => ({ ...branch, moves: [...branch.moves, move] })), path: line };
  const grown = withBranch(tree, line, newBranch(position, [move]));
  return { ...next, isNew: true, ...grown };
}

/**
 * @param {Branch} tree
 * @param {Path} path of the line it branches off
 * @param {Branch} branch
 * @returns {{tree: Branch, path: Path}} the path of the branch
 */
export function withBranch(tree, path, branch) {
  const siblings = branchAt(tree, path).branches;
  const after = siblings.findIndex((one) => one.ply > branch.ply);
  const at = after < 0 ? siblings.length : after;
  return { tree: changed(tree, path, (line) => ({ ...line, branches: [...siblings.slice(0, at), branch, ...siblings.slice(at)] })), path: [...path, at] };
}

/**
 * The tree without a variation.
 * @param {Branch} tree
 * @param {Path} path
 * @returns {Branch}
 */
export function without(tree, path) {
  const at = path[path.length - 1];
  return changed(tree, path.slice(0, -1), (line) => ({ ...line, branches: line.branches.filter((_, index) => index !== at) }));
}

/**
 * A variation in the place of the line that it branches off, and what that went on with as a variation of it.
 * @param {Branch} tree
 * @param {Path} path
 * @returns {{tree: Branch, path: Path}} the path of what was the variation
 */
export function promoted(tree, path) {
  const into = path.slice(0, -1);
  const line = branchAt(tree, into);
  const branch = branchAt(tree, path);
  const { ply } = branch;
  const isAfter = (/** @type {Branch} */ one) => one.ply > ply;
  const before = line.branches.filter((one) => one !== branch && !isAfter(one));
  const remaining = line.moves.slice(ply - line.ply);
  const old = newBranch(ply, remaining, { notes: parted(line.notes, ply)[1], branches: line.branches.filter(isAfter) });
  return {
    tree: changed(tree, into, () => ({
      ...line,
      moves: [...line.moves.slice(0, ply - line.ply), ...branch.moves],
      notes: { ...parted(line.notes, ply)[0], ...branch.notes },
      branches: [...before, ...(remaining.length ? [old] : []), ...branch.branches],
    })),
    path: into,
  };
}

/**
 * The tree with a note on a position; without one, if it is empty.
 * @param {Place} place
 * @param {string} text
 * @returns {Branch}
 */
export function withNote({ tree, path, position }, text) {
  return changed(tree, ownerOf(tree, path, position), (branch) => {
    const { [position]: _, ...others } = branch.notes;
    return { ...branch, notes: text.trim() ? { ...others, [position]: text.trim() } : others };
  });
}

/** @param {Place} place */
export function noteAt({ tree, path, position }) {
  return branchAt(tree, ownerOf(tree, path, position)).notes[position] ?? "";
}

/**
 * The paths of all variations, each after the line that it branches off.
 * @param {Branch} tree
 * @param {Path} [path]
 * @returns {Path[]}
 */
export function pathsIn(tree, path = []) {
  return branchAt(tree, path).branches.flatMap((_, at) => [[...path, at], ...pathsIn(tree, [...path, at])]);
}

/**
 * Where a variation is now. @param {Branch} tree @param {number} id
 * @returns {Path | undefined}
 */
export function pathTo(tree, id) {
  return [[], ...pathsIn(tree)].find((path) => branchAt(tree, path).id === id);
}

/**
 * What a variation is called: "a", its second variation "a2", the first of that "a2a"; "" is the record.
 * @param {Path} path
 */
export function labelOf(path) {
  return path.map((at, depth) => (depth % 2 ? String(at + 1) : letters(at))).join("");
}

/**
 * The path of a variation by what it is called; undefined if there is none.
 * @param {Branch} tree
 * @param {string} label
 * @returns {Path | undefined}
 */
export function pathOf(tree, label) {
  return [[], ...pathsIn(tree)].find((path) => labelOf(path) === label);
}

/** @param {number} at @returns {string} a, b … z, aa, ab … */
function letters(at) {
  return at < 26 ? String.fromCharCode(97 + at) : letters(Math.floor(at / 26) - 1) + letters(at % 26);
}

/**
 * The notes up to a position, and those after it.
 * @param {Notes} notes
 * @param {number} position
 * @returns {[Notes, Notes]}
 */
function parted(notes, position) {
  const all = Object.entries(notes);
  const [before, after] = [all.filter(([at]) => Number(at) <= position), all.filter(([at]) => Number(at) > position)];
  return [Object.fromEntries(before), Object.fromEntries(after)];
}

/** @param {any} one @param {any} other */
function isSame(one, other) {
  return written(one) === written(other);
}

/** @param {any} move */
function written(move) {
  return JSON.stringify(Object.entries(move ?? {}).sort(([one], [other]) => (one < other ? -1 : 1)));
}
