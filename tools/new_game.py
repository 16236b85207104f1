"""Writes the skeleton of a new game, or removes it again: make game NAME=demo, make game NAME=demo REMOVE=yes.

The templates are in `tools/skeleton`, in the same places as the files made from them; they are named after a game
called "New Game". Marks show what to fill in, and a test of the game lists them. Until the game has a
`GAME`, nothing else knows it.
"""

import argparse
import keyword
import re
import shutil
import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]
SKELETON = CHECKOUT / "tools" / "skeleton"
README = CHECKOUT / "README.md"
NAME = re.compile(r"[a-z]{2,20}(-[a-z]{2,20})*")
RESERVED = {"common", "new-game", *map(str.lower, keyword.kwlist)}
"""The schemas of all games, the templates, and what is no name of a module or a class."""
LONGEST_NAME = 40
"""Characters with which no line of the templates, which no tool wraps, gets too long."""


class CannotDoError(Exception):
    """A game cannot be written or removed; the message says why."""


def spellings(name: str) -> dict[str, str]:
    """The spellings of the name in the templates, with those of the game's name.

    >>> spellings("two-towers")
    {'new-game': 'two-towers', 'new_game': 'two_towers', 'NewGame': 'TwoTowers', 'New Game': 'Two Towers'}
    """
    words = [word.capitalize() for word in name.split("-")]
    return {
        "new-game": name,
        "new_game": name.replace("-", "_"),
        "NewGame": "".join(words),
        "New Game": " ".join(words),
    }


def respelled(text: str, name: str) -> str:
    for template, spelling in spellings(name).items():
        text = text.replace(template, spelling)
    return text


def files_of(name: str) -> dict[Path, str]:
    """The files of a new game, as paths relative to the checkout, with their texts."""
    folders = (folder for folder in SKELETON.glob("[!.]*") if folder.is_dir())  # ruff has a hidden one here
    templates = sorted(path for folder in folders for path in folder.rglob("*"))
    return {
        Path(respelled(path.relative_to(SKELETON).as_posix(), name)): respelled(path.read_text("utf-8"), name)
        for path in templates
        if path.is_file() and path.suffix != ".pyc"
    }


def folders_of(name: str) -> list[Path]:
    """The folders that belong only to one game; that of its schemas is made later."""
    written = {file.parent for file in files_of(name)} - {Path("docs")}
    return sorted(CHECKOUT / folder for folder in (*written, Path("schemas", name)))


def line_of(name: str) -> str:
    """The line in the table of games in the README."""
    return respelled("| [New Game](docs/new-game.md), unfinished | | `new-game` |\n", name)


def with_line(readme: str, name: str) -> str:
    """The README with another line at the end of the table of games."""
    rows = list(re.finditer(r"^\| \[.*\]\(docs/.*\|\n", readme, re.MULTILINE))
    return readme[: rows[-1].end()] + line_of(name) + readme[rows[-1].end() :]


def require_free_name(name: str) -> None:
    """Raises unless this can be the name of a game."""
    if not NAME.fullmatch(name) or len(name) > LONGEST_NAME or name in RESERVED:
        form = f"in kebab case, like two-towers, with at most {LONGEST_NAME} characters"
        raise CannotDoError(f"{name!r} is not a name for a game, which is {form}")


def write(name: str) -> None:
    """Writes a new game into the checkout."""
    files = {CHECKOUT / file: text for file, text in files_of(name).items()}
    for path in [*folders_of(name), *files]:
        if path.exists():
            raise CannotDoError(f"{path.relative_to(CHECKOUT)} exists")
    # first, because what it names can be removed, however little of it was written
    README.write_text(with_line(README.read_text("utf-8"), name), "utf-8")
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    code = [path for path in files if path.suffix == ".py"]
    for command in (
        ["format", "--no-cache", "--quiet"],
        ["check", "--no-cache", "--quiet", "--fix"],
    ):  # a longer name may need a line break, and another order of imports
        subprocess.run([sys.executable, "-m", "ruff", *command, *code], cwd=CHECKOUT, check=True)
    tests = respelled("tests/games/new_game", name)
    print(f"{len(files)} files are written. What is to be filled in says: make test PYTEST_ARGS={tests}")


def remove(name: str) -> None:
    """Removes an unfinished game from the checkout, whatever has been added to its folders."""
    readme = README.read_text("utf-8")
    if line_of(name) not in readme:
        raise CannotDoError(f"README.md has no unfinished game {name}")
    for folder in folders_of(name):
        shutil.rmtree(folder, ignore_errors=True)
    for file in files_of(name):
        (CHECKOUT / file).unlink(missing_ok=True)
    README.write_text(readme.replace(line_of(name), ""), "utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", help="in kebab case, like two-towers")
    parser.add_argument("--remove", action="store_true", help="remove it again")
    arguments = parser.parse_args()
    try:
        require_free_name(arguments.name)
        (remove if arguments.remove else write)(arguments.name)
    except CannotDoError as reason:
        print(f"{reason}.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
