// A result as a picture to pass on: drawn by the service, made a PNG here.

import { openDialog, openNoPicture } from "./dialogs.js";
import { h } from "./dom.js";
import { exchange } from "./service.js";
import { t } from "./words.js";

const SVG = "image/svg+xml";
const PNG = "image/png";
/** Pixels: three for each unit of the narrow layout. */
const WIDTH = 1080;

/**
 * Shows the picture of a result, with what can be done with it.
 * @param {{game: string, scoresheet?: any, record?: any, note?: string}} what
 */
export async function showResultPicture({ game, note = "", ...of }) {
  const body = { ...of, result: true, layout: "narrow", note: note.slice(0, 100), ...(of.scoresheet ? { even_if_impossible: true } : {}) };
  const reply = await exchange(`/v1/games/${game}/pictures`, JSON.stringify(body), { wants: SVG });
  const svg = reply.reached && reply.status === 200 ? String(reply.value) : undefined;
  const png = svg && (await asPng(svg).catch(() => undefined));
  if (!svg || !png) return openNoPicture();
  const file = new File([png.blob], `${game}.png`, { type: PNG });
  const address = URL.createObjectURL(file);
  const canShare = navigator.canShare?.({ files: [file] }) ?? false;
  const share = () => void navigator.share({ files: [file] }).catch(() => {});
  const close = openDialog({
    title: t("picture.title"),
    content: () => [
      h("img", { class: "result-picture", src: address, alt: describedIn(svg), width: WIDTH, height: png.height }),
      h("p", { class: "answers" }, canShare && h("button", { type: "button", class: "button main", on: { click: share } }, t("picture.share")), h("a", { class: canShare ? "button" : "button main", href: address, download: file.name }, t("picture.save"))),
    ],
  });
  return close;
}

/**
 * An SVG as a PNG; no font and nothing else is fetched for it.
 * @param {string} svg with a width and a height
 * @returns {Promise<{blob: Blob, height: number}>}
 */
export async function asPng(svg) {
  const [, width, height] = /<svg[^>]* width="(\d+)" height="(\d+)"/.exec(svg) ?? [];
  const tall = Math.round((WIDTH * Number(height)) / Number(width));
  // at its size: some browsers draw an image first, and enlarge it then
  const sized = svg.replace(` width="${width}" height="${height}"`, ` width="${WIDTH}" height="${tall}"`);
  const image = new Image();
  image.src = `data:${SVG};charset=utf-8,${encodeURIComponent(sized)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: WIDTH, height: tall });
  canvas.getContext("2d")?.drawImage(image, 0, 0, WIDTH, tall);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, PNG));
  if (!blob) throw new Error("no picture");
  return { blob, height: tall };
}

/** What a picture shows, in words; its style is left out, which the policy of the page would refuse. @param {string} svg */
function describedIn(svg) {
  return new DOMParser().parseFromString(svg.replace(/<style>[^<]*<\/style>/, ""), SVG).querySelector("desc")?.textContent ?? "";
}
