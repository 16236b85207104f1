"""Makes the engine: Python for browsers, and in one archive the application with all that it imports."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from shutil import copy, move, rmtree
from tarfile import USTAR_FORMAT, TarFile, TarInfo
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from tools.offline.packages import TEST_PACKAGES, TOP, add_application, add_installed, add_packages

HERE = Path(__file__).parent
PYODIDE = HERE / "node_modules" / "pyodide"
FROM_PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
STANDARD_LIBRARY = "python_stdlib.zip"
APPLICATION = "application.tar.xz"
"""A third smaller than as a zip, which the part of the library has to be with which Python starts."""
WORK = TOP / "build" / "engine"
UNUSED_IN_LIBRARY = (
    *("_pyrepl", "multiprocessing", "sqlite3", "unittest", "xml", "xmlrpc", "_ast_unparse.py"),
    *("_pyio.py", "argparse.py", "bdb.py", "calendar.py", "cmd.py", "code.py", "configparser.py", "csv.py"),
    *("doctest.py", "filecmp.py", "fileinput.py", "ftplib.py", "imaplib.py", "mailbox.py", "modulefinder.py"),
    *("optparse.py", "pdb.py", "pickletools.py", "plistlib.py", "poplib.py", "profile.py", "pstats.py", "pyclbr.py"),
    *("pydoc.py", "smtplib.py", "statistics.py", "symtable.py", "tabnanny.py", "trace.py", "tracemalloc.py", "wave.py"),
    *("asyncio/proactor_events.py", "asyncio/windows_events.py", "concurrent/futures/process.py"),
    *("logging/config.py", "logging/handlers.py"),
)
"""Modules that nothing in the application imports, and that are large."""
CODECS = ("cp437", "utf_16", "utf_32", "utf_8", "latin_1", "iso8859_1")
"""Of the encodings with a number, those that archives and texts have."""
EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The time of all files in archives: the same content, the same bytes."""


def make_engine(target: Path) -> None:
    """Writes the engine into a folder."""
    rmtree(WORK, ignore_errors=True)
    application, library, tests = WORK / "application", WORK / "library", WORK / "tests"
    for folder in (application, library, tests, target):
        folder.mkdir(parents=True, exist_ok=True)
    for name in TEST_PACKAGES:
        add_installed(name, tests)
    add_packages(application, WORK / "wheels")
    add_application(application)
    with ZipFile(PYODIDE / STANDARD_LIBRARY) as archive:
        archive.extractall(library)
    for program in ("compiling.py", "booting.py"):
        copy(HERE / program, WORK)
    for name in UNUSED_IN_LIBRARY:
        remove(library / name)
    for codec in (library / "encodings").glob("*[0-9].py"):
        if codec.stem not in CODECS:
            codec.unlink()
    run_python("compiling.py", application.name, library.name)
    needed = {*run_python("booting.py").split(), "encodings"}
    for part in library.iterdir():
        if part.stem not in needed:
            move(part, application)
    pack_tightly(application, target / APPLICATION)
    pack(library, target / STANDARD_LIBRARY)
    for name in FROM_PYODIDE:
        copy(PYODIDE / name, target)
    write_lock(target / "pyodide-lock.json")


def run_python(*arguments: str) -> str:
    """Runs a program of the folder `WORK` in Pyodide; what it prints."""
    command = ["node", str(HERE / "python.mjs"), str(WORK), *arguments]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def remove(path: Path) -> None:
    """Removes a module or a package.

    Raises:
        FileNotFoundError: if there is no such module.
    """
    if path.suffix:
        path.unlink()
    else:
        rmtree(path)


def write_lock(file: Path) -> None:
    """Writes the list of packages that Pyodide may load by name, which is empty."""
    known = json.loads((PYODIDE / file.name).read_text("utf-8"))
    file.write_text(json.dumps({"info": known["info"], "packages": {}}), "utf-8")


def pack(folder: Path, archive: Path) -> None:
    """Packs a folder, with the same bytes for the same files: not compressed, since the whole will be."""
    with ZipFile(archive, "w", ZIP_STORED) as packed:
        for file in files_in(folder):
            packed.writestr(ZipInfo(file.relative_to(folder).as_posix(), EARLIEST), file.read_bytes())


def pack_tightly(folder: Path, archive: Path) -> None:
    """Packs a folder into a tar, compressed as a whole."""
    with TarFile.open(archive, "w:xz", format=USTAR_FORMAT, preset=9) as packed:
        for file in files_in(folder):
            entry = TarInfo(file.relative_to(folder).as_posix())
            entry.size = file.stat().st_size
            with file.open("rb") as content:
                packed.addfile(entry, content)


def files_in(folder: Path) -> Iterator[Path]:
    yield from sorted(path for path in folder.rglob("*") if path.is_file())
