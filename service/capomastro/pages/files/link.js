// Documents packed into the fragment of a link, which never reaches a server or its log. The first letter says how.

const JSON_DEFLATED = "d";
const NOTATION_DEFLATED = "n";
/** The limits for a scoresheet, by default. */
const SHEET_LIMITS = { characters: 16_000, bytes: 256 * 1024 };
/** The limits for a record: 776 moves have some 3,400 characters. */
const RECORD_LIMITS = { characters: 60_000, bytes: 1024 * 1024 };

/**
 * Whether a fragment has something of a sealed table in it: an invitation, a table, an opened game (sealed.js).
 * @param {string} fragment
 */
export function isForTable(fragment) {
  return /^[ito]/.test(fragment);
}

/**
 * @param {unknown} value
 * @returns {Promise<string>}
 */
export async function packed(value) {
  return JSON_DEFLATED + (await deflated(JSON.stringify(value)));
}

/**
 * What `packed` was given.
 * @param {string} text
 * @param {{characters: number, bytes: number}} [most] its limits, packed and unpacked
 * @returns {Promise<unknown>}
 * @throws if it is nothing of that kind, or grows too large
 */
export async function unpacked(text, most = SHEET_LIMITS) {
  if (text[0] !== JSON_DEFLATED || text.length > most.characters) throw new Error("not packed here");
  return JSON.parse(await inflated(text.slice(1), most.bytes));
}

/**
 * A record in text notation, which is shorter than its JSON, once packed as well.
 * @param {string} notation
 * @returns {Promise<string | undefined>} undefined if it is too long for a link
 */
export async function packedRecord(notation) {
  const text = NOTATION_DEFLATED + (await deflated(notation));
  return text.length > RECORD_LIMITS.characters || notation.length > RECORD_LIMITS.bytes ? undefined : text;
}

/**
 * What `packedRecord` was given.
 * @param {string} text
 * @returns {Promise<string>}
 * @throws if it is nothing of that kind, or grows too large
 */
export async function unpackedRecord(text) {
  if (text[0] !== NOTATION_DEFLATED || text.length > RECORD_LIMITS.characters) throw new Error("not packed here");
  return inflated(text.slice(1), RECORD_LIMITS.bytes);
}

/** @param {string} text @returns {Promise<string>} base64url */
export async function deflated(text) {
  return base64url(await readAll(new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw")), Infinity));
}

/**
 * @param {string} packed base64url
 * @param {number} most bytes of the text
 */
export async function inflated(packed, most) {
  const stream = new Blob([bytesOf(packed)]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new TextDecoder("utf-8", { fatal: true }).decode(await readAll(stream, most));
}

/**
 * @param {ReadableStream<Uint8Array>} stream
 * @param {number} most bytes; more are not even unpacked
 */
export async function readAll(stream, most) {
  const reader = stream.getReader();
  /** @type {Uint8Array[]} */
  const parts = [];
  let size = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    size += read.value.length;
    if (size > most) {
      void reader.cancel();
      throw new Error("too large");
    }
    parts.push(read.value);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const PART = 8192;

/** @param {Uint8Array} bytes */
export function base64url(bytes) {
  // In parts, since a call takes only so many arguments.
  let text = "";
  for (let at = 0; at < bytes.length; at += PART) text += String.fromCharCode(...bytes.subarray(at, at + PART));
  return btoa(text)
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=+$/, "");
}

/** @param {string} text */
function bytesOf(text) {
  if (!/^[\w-]*$/.test(text)) throw new Error("not base64url");
  return Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (character) => character.charCodeAt(0));
}
