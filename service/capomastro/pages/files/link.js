// A document in a fragment: it never reaches a server or its log. One letter says how it is packed.

const DEFLATED = "d";
/** What a scoresheet may need; a page of larger documents names its own. */
const SHEET = { characters: 16_000, bytes: 256 * 1024 };

/**
 * @param {unknown} value
 * @returns {Promise<string>}
 */
export async function packed(value) {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  return DEFLATED + base64url(await gathered(new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw")), Infinity));
}

/**
 * What `packed` was given.
 * @param {string} text
 * @param {{characters: number, bytes: number}} [most] of it, packed and unpacked
 * @returns {Promise<unknown>}
 * @throws if it is nothing of that kind, or grows too large
 */
export async function unpacked(text, most = SHEET) {
  if (text[0] !== DEFLATED || text.length > most.characters) throw new Error("not packed here");
  const stream = new Blob([bytesOf(text.slice(1))]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(await gathered(stream, most.bytes)));
}

/**
 * @param {ReadableStream<Uint8Array>} stream
 * @param {number} most bytes; more are not even unpacked
 */
async function gathered(stream, most) {
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

/** @param {Uint8Array} bytes */
function base64url(bytes) {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=+$/, "");
}

/** @param {string} text */
function bytesOf(text) {
  if (!/^[\w-]*$/.test(text)) throw new Error("not base64url");
  return Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (character) => character.charCodeAt(0));
}
