// Runs a Python program in Pyodide under Node: node python.mjs FOLDER PROGRAM [ARGUMENT …]. FOLDER is the only part of this
// machine that it sees, as /here; the program is a path within it.

import { loadPyodide } from "pyodide";

const [folder, program, ...rest] = process.argv.slice(2);
const python = await loadPyodide({ args: [program, ...rest] });
python.mountNodeFS("/here", folder);
python.FS.chdir("/here");
python.globals.set("PROGRAM", program);
python.globals.set("ARGUMENTS", python.toPy(rest));
process.exitCode = python.runPython(`
import runpy, sys
sys.argv = [PROGRAM, *ARGUMENTS]
try:
    runpy.run_path(PROGRAM, run_name="__main__")
    code = 0
except SystemExit as error:
    code = error.code if isinstance(error.code, int) else 0 if error.code is None else 1
code
`);
