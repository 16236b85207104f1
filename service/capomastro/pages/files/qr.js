// QR codes of bytes (ISO/IEC 18004, model 2), made in the page so that no link is sent anywhere.

/** By level, from version 1: error correction codewords of a block. */
const CORRECTION = /** @type {{[level: string]: number[]}} */ ({
  L: [7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28, 28, 28, 30, 30, 26, 28, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30],
  M: [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28],
});
/** By level, from version 1: blocks. */
const BLOCKS = /** @type {{[level: string]: number[]}} */ ({
  L: [1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8, 8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17, 18, 19, 19, 20, 21, 22, 24, 25],
  M: [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23, 25, 26, 28, 29, 31, 33, 35, 37, 38, 40, 43, 45, 47, 49],
});
const FORMAT_BITS = /** @type {{[level: string]: number}} */ ({ L: 1, M: 0 });
const MASKS = /** @type {((x: number, y: number) => boolean)[]} */ ([
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]);
const LARGEST = 40;

/** @typedef {(boolean | undefined)[][]} Grid */

/**
 * The modules of a code, dark ones true, row by row; undefined if the text is too long for any.
 * @param {string} text
 * @param {"L" | "M"} [level]
 * @param {number} [mask] if a certain one is wanted
 * @returns {boolean[][] | undefined}
 */
export function qrCode(text, level = "M", mask) {
  const bytes = new TextEncoder().encode(text);
  const version = Array.from({ length: LARGEST }, (_, index) => index + 1).find((one) => bytes.length <= room(one, level));
  if (!version) return undefined;
  const codewords = interleaved(dataOf(bytes, version, level), version, level);
  const tried = (mask === undefined ? MASKS.map((_, index) => index) : [mask]).map((one) => drawn(codewords, version, level, one));
  return tried.reduce((best, one) => (penalty(one) < penalty(best) ? one : best));
}

/**
 * Bytes that fit.
 * @param {number} version
 * @param {string} level
 */
function room(version, level) {
  return dataCodewords(version, level) - (version < 10 ? 2 : 3);
}

/** @param {number} version */
function rawCodewords(version) {
  const alignments = version === 1 ? 0 : Math.floor(version / 7) + 2;
  let modules = (16 * version + 128) * version + 64;
  if (alignments) modules -= (25 * alignments - 10) * alignments - 55;
  if (version >= 7) modules -= 36;
  return Math.floor(modules / 8);
}

/**
 * @param {number} version
 * @param {string} level
 */
function dataCodewords(version, level) {
  return rawCodewords(version) - CORRECTION[level][version - 1] * BLOCKS[level][version - 1];
}

/**
 * @param {Uint8Array} bytes
 * @param {number} version
 * @param {string} level
 */
function dataOf(bytes, version, level) {
  /** @type {number[]} */
  const bits = [];
  const put = (/** @type {number} */ value, /** @type {number} */ length) => {
    for (let bit = length - 1; bit >= 0; bit--) bits.push((value >> bit) & 1);
  };
  const capacity = 8 * dataCodewords(version, level);
  put(4, 4);
  put(bytes.length, version < 10 ? 8 : 16);
  bytes.forEach((byte) => put(byte, 8));
  put(0, Math.min(4, capacity - bits.length));
  put(0, (8 - (bits.length % 8)) % 8);
  for (let pad = 0; bits.length < capacity; pad ^= 1) put(pad ? 0x11 : 0xec, 8);
  return Array.from({ length: bits.length / 8 }, (_, index) => parseInt(bits.slice(8 * index, 8 * index + 8).join(""), 2));
}

/**
 * @param {number} one
 * @param {number} other
 */
function product(one, other) {
  let found = 0;
  for (let bit = 7; bit >= 0; bit--) found = ((found << 1) ^ ((found >> 7) * 0x11d)) ^ (((other >> bit) & 1) * one);
  return found;
}

/** @param {number} degree */
function generator(degree) {
  let polynomial = [...Array(degree - 1).fill(0), 1];
  for (let index = 0, root = 1; index < degree; index++, root = product(root, 2)) {
    polynomial = polynomial.map((coefficient, at) => product(coefficient, root) ^ (polynomial[at + 1] ?? 0));
  }
  return polynomial;
}

/**
 * @param {number[]} data
 * @param {number[]} divisor
 */
function remainder(data, divisor) {
  let found = Array(divisor.length).fill(0);
  for (const byte of data) {
    const factor = byte ^ found[0];
    found = [...found.slice(1), 0].map((value, at) => value ^ product(divisor[at], factor));
  }
  return found;
}

/**
 * @param {number[]} data
 * @param {number} version
 * @param {string} level
 */
function interleaved(data, version, level) {
  const count = BLOCKS[level][version - 1];
  const correction = CORRECTION[level][version - 1];
  const raw = rawCodewords(version);
  const short = count - (raw % count);
  const length = Math.floor(raw / count) - correction;
  const divisor = generator(correction);
  let at = 0;
  const blocks = Array.from({ length: count }, (_, index) => {
    const own = data.slice(at, (at += length + (index < short ? 0 : 1)));
    return { own, check: remainder(own, divisor) };
  });
  const columns = (/** @type {number[][]} */ rows) => Array.from({ length: Math.max(...rows.map((row) => row.length)) }, (_, column) => rows.flatMap((row) => (column < row.length ? [row[column]] : []))).flat();
  return [...columns(blocks.map(({ own }) => own)), ...columns(blocks.map(({ check }) => check))];
}

/** @param {number} version */
function alignmentCentres(version) {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = version === 32 ? 26 : Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2;
  return [6, ...Array.from({ length: count - 1 }, (_, index) => version * 4 + 10 - (count - 2 - index) * step)];
}

/**
 * @param {number} value
 * @param {number} polynomial
 * @param {number} bits
 */
function withCheck(value, polynomial, bits) {
  let rest = value;
  const top = 1 << (bits - 1);
  for (let index = 0; index < bits; index++) rest = (rest << 1) ^ ((rest & top ? 1 : 0) * polynomial);
  return (value << bits) | (rest & ((1 << bits) - 1));
}

/**
 * @param {number[]} codewords
 * @param {number} version
 * @param {string} level
 * @param {number} mask
 * @returns {boolean[][]}
 */
function drawn(codewords, version, level, mask) {
  const size = version * 4 + 17;
  /** @type {Grid} */
  const grid = Array.from({ length: size }, () => Array(size).fill(undefined));
  const put = (/** @type {number} */ x, /** @type {number} */ y, /** @type {boolean} */ dark) => {
    if (x >= 0 && y >= 0 && x < size && y < size) grid[y][x] = dark;
  };
  for (let index = 0; index < size; index++) {
    put(6, index, index % 2 === 0);
    put(index, 6, index % 2 === 0);
  }
  for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]]) {
    for (let down = -4; down <= 4; down++) {
      for (let across = -4; across <= 4; across++) {
        const ring = Math.max(Math.abs(across), Math.abs(down));
        put(x + across, y + down, ring !== 2 && ring !== 4);
      }
    }
  }
  const centres = alignmentCentres(version);
  const last = centres.length - 1;
  centres.forEach((x, column) =>
    centres.forEach((y, row) => {
      if ((column === 0 && row === 0) || (column === 0 && row === last) || (column === last && row === 0)) return;
      for (let down = -2; down <= 2; down++) for (let across = -2; across <= 2; across++) put(x + across, y + down, Math.max(Math.abs(across), Math.abs(down)) !== 1);
    }),
  );
  const format = withCheck((FORMAT_BITS[level] << 3) | mask, 0x537, 10) ^ 0x5412;
  const bit = (/** @type {number} */ value, /** @type {number} */ at) => ((value >> at) & 1) === 1;
  for (let index = 0; index <= 5; index++) put(8, index, bit(format, index));
  put(8, 7, bit(format, 6));
  put(8, 8, bit(format, 7));
  put(7, 8, bit(format, 8));
  for (let index = 9; index < 15; index++) put(14 - index, 8, bit(format, index));
  for (let index = 0; index < 8; index++) put(size - 1 - index, 8, bit(format, index));
  for (let index = 8; index < 15; index++) put(8, size - 15 + index, bit(format, index));
  put(8, size - 8, true);
  if (version >= 7) {
    const number = withCheck(version, 0x1f25, 12);
    for (let index = 0; index < 18; index++) {
      const far = size - 11 + (index % 3);
      const near = Math.floor(index / 3);
      put(far, near, bit(number, index));
      put(near, far, bit(number, index));
    }
  }
  let at = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step++) {
      for (const x of [right, right - 1]) {
        const y = ((right + 1) & 2) === 0 ? size - 1 - step : step;
        if (grid[y][x] !== undefined) continue;
        const dark = at < codewords.length * 8 && bit(codewords[at >> 3], 7 - (at & 7));
        grid[y][x] = dark !== MASKS[mask](x, y);
        at++;
      }
    }
  }
  return /** @type {boolean[][]} */ (grid);
}

/** @param {boolean[][]} grid */
function penalty(grid) {
  const size = grid.length;
  const lines = [...grid, ...grid.map((_, column) => grid.map((row) => row[column]))];
  let found = 0;
  for (const line of lines) {
    const text = line.map((dark) => (dark ? "1" : "0")).join("");
    for (const run of text.match(/0{5,}|1{5,}/g) ?? []) found += run.length - 2;
    for (let at = 0; at + 11 <= size; at++) {
      const piece = text.slice(at, at + 11);
      if (piece === "10111010000" || piece === "00001011101") found += 40;
    }
  }
  for (let y = 0; y + 1 < size; y++) {
    for (let x = 0; x + 1 < size; x++) if (grid[y][x] === grid[y][x + 1] && grid[y][x] === grid[y + 1][x] && grid[y][x] === grid[y + 1][x + 1]) found += 3;
  }
  const dark = grid.flat().filter(Boolean).length / (size * size);
  return found + 10 * Math.floor(Math.abs(dark * 100 - 50) / 5);
}
