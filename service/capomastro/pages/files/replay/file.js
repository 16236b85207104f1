// A game as one HTML file that shows itself from a disk, without network and without the service: this page's own
// modules and styles, with the answers they would ask for.

import { deflated } from "../link.js";
import { rulesOf } from "../service.js";
import { allWords, language } from "../words.js";
import { folded } from "./pictures.js";

/** @typedef {{record: any, notation: string, answer: any, pictures: string, words: {[key: string]: string}, rules: any[]}} Kept `pictures`: folded, as JSON, deflated, base64url */

const ENTRY = "replay.js";
const IMPORT = /^(\s*(?:import|export)\b.*?)"(\.[^"]+)";$/gm;
const POLICY = "default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline'; img-src data:";

/**
 * @param {string} files the folder of this page's files
 * @param {{record: any, notation: string, answer: any, pictures: readonly string[], title: string}} shown
 * @returns {Promise<string>} HTML
 */
export async function asFile(files, { record, notation, answer, pictures, title }) {
  const named = new Set(JSON.stringify(answer).match(/[a-z-]+(\.[a-z-]+){2,}/g));
  const rules = [...(await rulesOf(record.game)).values()].filter((rule) => named.has(rule.id));
  /** @type {Kept} */
  const kept = { record, notation, answer, pictures: await deflated(JSON.stringify(folded(pictures))), words: allWords(), rules };
  const [styles, modules] = await Promise.all([Promise.all(["style.css", "replay.css"].map((name) => textAt(files, name))), modulesFrom(files, ENTRY)]);
  const imports = Object.fromEntries([...modules].map(([path, text]) => [nameOf(path), `data:text/javascript;charset=utf-8,${encodeURIComponent(text)}`]));
  return [
    `<!doctype html>\n<html lang="${language}">\n<head>\n<meta charset="utf-8">`,
    `<meta name="viewport" content="width=device-width, initial-scale=1">`,
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    `<title>${escaped(title)}</title>`,
    `<style>\n${styles.join("\n")}</style>`,
    `<script type="importmap">${inScript({ imports })}</script>`,
    `</head>\n<body>`,
    `<script type="application/json" id="kept">${inScript(kept)}</script>`,
    `<replay-viewer></replay-viewer>`,
    `<script type="module">import "${nameOf(ENTRY)}";</script>`,
    `</body>\n</html>\n`,
  ].join("\n");
}

/** What a page has with it, if it is such a file. @returns {Kept | undefined} */
export function keptHere() {
  const text = document.getElementById("kept")?.textContent;
  return text ? JSON.parse(text) : undefined;
}

/**
 * A module and all that it imports, by their paths; each names the others as the import map does.
 * @param {string} files
 * @param {string} entry
 * @returns {Promise<Map<string, string>>}
 */
async function modulesFrom(files, entry) {
  /** @type {Map<string, string>} */
  const found = new Map();
  const waiting = [entry];
  for (let path = waiting.pop(); path; path = waiting.pop()) {
    if (found.has(path)) continue;
    const here = new URL(path, "file:///");
    const text = await textAt(files, path);
    found.set(
      path,
      text.replace(IMPORT, (_, before, to) => {
        const target = new URL(to, here).pathname.slice(1);
        waiting.push(target);
        return `${before}"${nameOf(target)}";`;
      }),
    );
  }
  return found;
}

/** @param {string} path */
function nameOf(path) {
  return `capomastro/${path}`;
}

/**
 * @param {string} files
 * @param {string} path
 */
async function textAt(files, path) {
  const response = await fetch(`${files}/${path}`);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.text();
}

/** JSON that ends no script. @param {unknown} value */
function inScript(value) {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}

/** @param {string} text */
function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
