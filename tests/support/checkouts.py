"""Copies of the checkout, for tests that change one."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
builds_a_wheel = pytest.mark.skipif(
    "CAPOMASTRO_TEST_WHEEL" not in os.environ, reason="the wheel is tested by `make campaign NAME=wheel`"
)
MADE = shutil.ignore_patterns(
    ".git",
    ".venv",
    "dist",
    "build",
    "__pycache__",
    ".pytest_cache",
    ".mypy_cache",
    ".ruff_cache",
    ".hypothesis",
    ".fuzz",
    "node_modules",
)


def copy_of_checkout(directory: Path, *, committed: bool) -> Path:
    """A copy without generated files; if `committed`, a repository with one commit."""
    copy = directory / "copy"
    shutil.copytree(CHECKOUT, copy, ignore=MADE)
    if committed:
        git(copy, "init", "--quiet", "--initial-branch", "main")
        git(copy, "clean", "--quiet", "--force", "-dX")  # generated too, as .gitignore says
        git(copy, "config", "user.name", "nobody")
        git(copy, "config", "user.email", "nobody@example.invalid")
        git(copy, "add", "--all")
        git(copy, "commit", "--quiet", "--message", "All there is")
    return copy


def copy_bytecode(copy: Path) -> None:
    """Spares the Python that runs in a copy compiling it again: its files are as old as those of the checkout."""
    for folder in ("service", "tests", "tools"):
        for cache in (CHECKOUT / folder).rglob("__pycache__"):
            if (copy / cache.relative_to(CHECKOUT)).parent.exists():
                shutil.copytree(cache, copy / cache.relative_to(CHECKOUT), dirs_exist_ok=True)


def git(copy: Path, *arguments: str) -> str:
    """The output of git in that directory."""
    done = subprocess.run(["git", *arguments], cwd=copy, check=True, capture_output=True, text=True)
    return done.stdout.strip()
