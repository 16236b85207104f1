"""Makes a release of the checkout, without pushing: make release VERSION=0.2.0.

Writes the version into the package, the specification and what names the image, and with the date into
`CHANGELOG.md`. Then the check must pass, and everything is committed, tagged and built into `dist/`. If anything fails
before the commit, nothing changes.
"""

import argparse
import re
import shlex
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]
PACKAGE = CHECKOUT / "service" / "capomastro" / "__init__.py"
CHANGELOG = CHECKOUT / "CHANGELOG.md"
TYPESCRIPT = CHECKOUT / "clients" / "typescript"
VERSIONED = {
    CHECKOUT / "openapi.yaml": re.compile(r"^(  version: )(.*)()$", re.MULTILINE),
    CHECKOUT / "Dockerfile": re.compile(r'(image\.version=")(.*?)(")'),
    CHECKOUT / "deploy" / "kubernetes" / "kustomization.yaml": re.compile(r"^(    newTag: )(.*)()$", re.MULTILINE),
    TYPESCRIPT / "package.json": re.compile(r'("name": "capomastro-client",\s+"version": ")(.*?)(")'),
    TYPESCRIPT / "package-lock.json": re.compile(r'("name": "capomastro-client",\s+"version": ")(.*?)(")'),
}
"""The version in the specification, in the client that is made of it, and of the image."""

CONTRACT = CHECKOUT / "tools" / "contract"
COMPARED = (CONTRACT / "released.json", CONTRACT / "announced.toml")
"""What the next version is compared with: the specification of this one, and nothing announced yet."""

VERSION = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)")
VERSION_LINE = re.compile(r'^__version__ = "(.*)"$', re.MULTILINE)
UNRELEASED = "## Unreleased\n"
RELEASED = re.compile(r"^## (\d\S*) \(", re.MULTILINE)


class CannotReleaseError(Exception):
    """The checkout cannot be released; the message says why."""


def number(version: str) -> tuple[int, ...]:
    """A version as a tuple, for comparison.

    Raises:
        CannotReleaseError: if it is not three numbers.
    """
    if not VERSION.fullmatch(version):
        raise CannotReleaseError(f"{version!r} is not a version, which is three numbers, like 1.2.3")
    return tuple(map(int, version.split(".")))


def with_version(package: str, version: str) -> str:
    """The text of the package's `__init__.py` with another version.

    Raises:
        CannotReleaseError: if it is lower than the current version.
    """
    (current,) = VERSION_LINE.findall(package)
    if number(version) < number(current):
        raise CannotReleaseError(f"{version} is lower than {current}, which stands in the package")
    return VERSION_LINE.sub(f'__version__ = "{version}"', package)


def with_version_in(file: Path, version: str) -> str:
    """The text of a file of `VERSIONED` with another version."""
    return VERSIONED[file].sub(rf"\g<1>{version}\g<3>", file.read_text("utf-8"))


def with_release(changelog: str, version: str, date: str) -> str:
    """The changelog with the unreleased changes under the new version.

    Raises:
        CannotReleaseError: if there are none, or if this or a higher version has been released.
    """
    _, heading, rest = changelog.partition(UNRELEASED)
    if not heading or not re.split(r"^## ", rest, maxsplit=1, flags=re.MULTILINE)[0].strip():
        raise CannotReleaseError("CHANGELOG.md has nothing under Unreleased")
    for released in RELEASED.findall(changelog):
        if number(version) <= number(released):
            raise CannotReleaseError(f"{version} is not higher than {released}, which CHANGELOG.md says is released")
    return changelog.replace(UNRELEASED, f"{UNRELEASED}\n## {version} ({date})\n", 1)


def run(*command: str | Path) -> str:
    """Runs a command, which must succeed, and returns its output."""
    done = subprocess.run(command, cwd=CHECKOUT, check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout.strip()


def require_clean_tree(tag: str) -> None:
    """Raises if no branch is checked out, the tree has changes, or the tag exists."""
    if not run("git", "branch", "--show-current"):
        raise CannotReleaseError("no branch is checked out")
    if run("git", "status", "--porcelain"):
        raise CannotReleaseError("the tree has changes that are not committed")
    if run("git", "tag", "--list", tag):
        raise CannotReleaseError(f"the tag {tag} exists")


def release(version: str, check: str) -> None:
    tag = f"v{version}"
    require_clean_tree(tag)
    date = datetime.now(UTC).date().isoformat()
    changed = {
        PACKAGE: with_version(PACKAGE.read_text("utf-8"), version),
        CHANGELOG: with_release(CHANGELOG.read_text("utf-8"), version, date),
        **{file: with_version_in(file, version) for file in VERSIONED},
    }
    try:
        for file, text in changed.items():
            file.write_text(text, "utf-8")
        subprocess.run(shlex.split(check), cwd=CHECKOUT, check=True)
        run(sys.executable, "-m", "tools.contract", "--released")
        run("git", "commit", "--quiet", "--message", f"Version {version}", "--", *changed, *COMPARED)
    except BaseException:
        run("git", "checkout", "--quiet", "HEAD", "--", *changed, *COMPARED)
        raise
    run("git", "tag", "--annotate", tag, "--message", f"Version {version}")
    run(sys.executable, "-m", "hatchling", "build", "--directory", "dist")
    print(f"{tag} is tagged and built into dist/. Publish it with: git push --follow-tags")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("version")
    parser.add_argument("--check", default=".ci/run", help="what has to pass [.ci/run]")
    arguments = parser.parse_args()
    try:
        number(arguments.version)
        release(arguments.version, arguments.check)
    except CannotReleaseError as reason:
        print(f"Not released: {reason}.", file=sys.stderr)
        return 1
    except subprocess.CalledProcessError as failure:
        print(f"Not released: {shlex.join(map(str, failure.cmd))} failed.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
