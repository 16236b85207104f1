// A game as one HTML file that opens from a disk, without network and service: the modules and styles of this page, and the
// answers that they would request.

import { deflated } from "../link.js";
import { rulesOf } from "../service.js";
import { allWords, language } from "../words.js";
import { encoded } from "./pictures.js";

/** @typedef {{record: any, notation: string, answer: any, brief: readonly any[], pictures: string, words: {[key: string]: string}, rules: any[]}} SavedPage `pictures`: encoded, as JSON, deflated, base64url */

const ENTRY = "replay/viewer.js";
const IMPORT = /^(\s*(?:import|export)\b.*?)"(\.[^"]+)";$/gm;
const POLICY = "default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline'; img-src data:";

/**
 * @param {string} files the folder of this page's files
 * @param {{record: any, notation: string, answer: any, brief: readonly any[], pictures: readonly string[], title: string}} shown
 * @returns {Promise<string>} HTML
 */
export async function savedPage(files, { record, notation, answer, brief, pictures, title }) {
  const named = new Set(JSON.stringify(answer).match(/[a-z-]+(\.[a-z-]+){2,}/g));
  const rules = [...(await rulesOf(record.game)).values()].filter((rule) => named.has(rule.id));
  /** @type {SavedPage} */
  const saved = { record, notation, answer, brief, pictures: await deflated(JSON.stringify(encoded(pictures))), words: allWords(), rules };
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
    `<script type="application/json" id="kept">${inScript(saved)}</script>`,
    `<replay-viewer></replay-viewer>`,
    `<script type="module">import "${nameOf(ENTRY)}";</script>`,
    `</body>\n</html>\n`,
  ].join("\n");
}

/** The data in this page, if it is a saved one. @returns {SavedPage | undefined} */
export function savedPageHere() {
  const text = document.getElementById("kept")?.textContent;
  return text ? JSON.parse(text) : undefined;
}

/**
 * A module and all that it imports, by path, with imports by the names of the import map.
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

/** JSON that cannot end the script it is in. @param {unknown} value */
function inScript(value) {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}

/** @param {string} text */
function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
