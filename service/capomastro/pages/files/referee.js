// The service itself, in this process: Python in WebAssembly, which answers requests as a server does (docs/offline.md).

/** @typedef {{method?: string, path: string, headers?: [string, string][], body?: Uint8Array | string}} Question `path` with its query, percent-encoded */
/** @typedef {{status: number, headers: [string, string][], body: Uint8Array}} Answered */

const ENCODER = new TextEncoder();
const MODULES = "/application";
/** Unpacks the application; `shutil`, by which Pyodide does it, takes twice as long. */
const UNPACK = `
import lzma, os, sys, tarfile
from io import BytesIO
archive = memoryview(lzma.decompress(APPLICATION))
for file in tarfile.open(fileobj=BytesIO(archive)):
    path = f"${MODULES}/{file.name}"
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as unpacked:
        unpacked.write(archive[file.offset_data : file.offset_data + file.size])
sys.path.insert(0, "${MODULES}")
`;

/**
 * Starts the referee whose files are in a folder.
 * @param {string} folder its address, which ends with /
 * @param {(address: string) => Promise<ArrayBuffer | Uint8Array>} [read]
 * @returns {Promise<(question: Question) => Answered>}
 */
export async function startReferee(folder, read = fetched) {
  const [{ loadPyodide }, application] = await Promise.all([import(`${folder}pyodide.mjs`), read(`${folder}application.tar.xz`)]);
  const python = await loadPyodide({ indexURL: folder.replace(/^file:\/\//, "") });
  python.runPython(UNPACK, { locals: python.toPy({ APPLICATION: application }) });
  const { answer } = python.pyimport("referee");
  return ({ method = "GET", path, headers = [], body = "" }) => {
    const [address, query = ""] = path.split(/\?(.*)/s);
    const answered = answer(method, address, query, python.toPy(headers), python.toPy(typeof body === "string" ? ENCODER.encode(body) : body));
    const [status, sent, content] = answered.toJs();
    answered.destroy();
    return { status, headers: sent, body: content };
  };
}

/** @param {string} address */
async function fetched(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return response.arrayBuffer();
}
