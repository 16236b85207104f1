"""The Python packages that a browser runs: those of this environment, which come from the locks, verified again.

All are pure Python except msgspec, which has a wheel for WebAssembly in the index. cryptography and httptools
have none: the application does without them. rpds has none either, and is replaced (`absent/rpds.py`).
"""

import re
import subprocess
import sys
from base64 import urlsafe_b64encode
from hashlib import sha256
from importlib.metadata import distribution
from pathlib import Path
from shutil import copytree, ignore_patterns
from tempfile import TemporaryDirectory
from zipfile import ZipFile

TOP = Path(__file__).resolve().parents[2]
LOCK = TOP / "locks" / "runtime.txt"
ABSENT = Path(__file__).with_name("absent")
PURE = (
    *("attrs", "blinker", "click", "flask", "itsdangerous", "jinja2", "jsonschema"),
    *("jsonschema-specifications", "markupsafe", "marshmallow", "prometheus-client", "referencing", "werkzeug"),
)
"""What the application imports of its dependencies, and what that imports in turn."""
TEST_PACKAGES = ("iniconfig", "packaging", "pluggy", "pygments", "pytest")
"""What `testing.py` needs in addition; no site has it."""
COMPILED = "msgspec"
FOR_PYTHON = ("--python-version", "3.14", "--implementation", "cp", "--abi", "cp314")
FOR_PLATFORM = ("--platform", "pyemscripten_2026_0_wasm32", "--only-binary", ":all:")
UNUSED = re.compile(r"(^|/)(tests|benchmarks|shared)/|^werkzeug/debug/|\.(so|pyi|pyc)$|/licenses/")
"""Files of packages that the application never reads."""
OWN_UNUSED = (
    *("__pycache__", "documents.json", "files", "templates"),
    *("agents", "batch", "cli", "learning", "library", "server"),
)
"""Parts of the application that answer no request."""


def add_packages(folder: Path, wheels: Path) -> None:
    """Copies all packages into a folder, as modules of Python.

    Raises:
        ValueError: if an installed file is not the one that was installed.
    """
    for name in PURE:
        add_installed(name, folder)
    with ZipFile(wheel(COMPILED, wheels)) as archive:
        archive.extractall(folder)
    copytree(ABSENT, folder, dirs_exist_ok=True, ignore=ignore_patterns("__pycache__"))


def add_application(folder: Path) -> None:
    """Copies the application, with its schemas and specifications."""
    own = folder / "capomastro"
    copytree(TOP / "service" / "capomastro", own, ignore=ignore_patterns(*OWN_UNUSED))
    copytree(TOP / "schemas", own / "_data" / "schemas")
    copytree(TOP / "build" / "openapi", own / "_data" / "openapi")


def add_installed(name: str, folder: Path) -> None:
    """Copies the files of an installed package whose digests are those that its installer noted."""
    for file in distribution(name).files or ():
        if file.hash is None or file.parts[0] == ".." or UNUSED.search(file.as_posix()):
            continue
        content = Path(str(file.locate())).read_bytes()
        if urlsafe_b64encode(sha256(content).digest()).rstrip(b"=").decode() != file.hash.value:
            raise ValueError(f"{file} of {name} was changed after it was installed")
        target = folder / file
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)


def wheel(name: str, wheels: Path) -> Path:
    """The wheel of a package for WebAssembly, with a digest that the lock has."""
    wheels.mkdir(parents=True, exist_ok=True)
    locked = next(entry for entry in re.split(r"\n(?=\S)", LOCK.read_text("utf-8")) if entry.startswith(f"{name}=="))
    requirements = wheels / f"{name}.txt"
    requirements.write_text(locked, "utf-8")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet", "--no-deps"]
    command = [*pip, "--require-hashes", *FOR_PYTHON, *FOR_PLATFORM, "--dest", str(wheels), "-r", str(requirements)]
    subprocess.run(command, check=True)
    return next(wheels.glob(f"{name}-*.whl"))


if __name__ == "__main__":  # fails if the index has no such wheel, as `.ci/run` asks before it makes the site
    with TemporaryDirectory() as folder:
        wheel(COMPILED, Path(folder))
