"""The examples in docstrings, of whatever module has one."""

from doctest import DocTestFinder, DocTestRunner
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from tests.support.checkouts import CHECKOUT

PROMPT = ">>> "
FILES = sorted(
    path
    for folder in ("service", "tests/support", "tools", "bench")
    for path in (CHECKOUT / folder).rglob("*.py")
    if "skeleton" not in path.relative_to(CHECKOUT).parts
    and any(line.lstrip().startswith(PROMPT) for line in path.read_text("utf-8").splitlines())
)


def shown(path: Path) -> str:
    return path.relative_to(CHECKOUT).as_posix()


def module_of(path: Path) -> ModuleType:
    spec = spec_from_file_location(path.stem, path)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("path", FILES, ids=shown)
def test_examples_in_docstrings_are_true(path: Path) -> None:
    runner = DocTestRunner()
    for example in DocTestFinder(exclude_empty=True).find(module_of(path)):
        runner.run(example)
    tried = runner.summarize()
    assert tried.attempted
    assert not tried.failed


def test_there_are_examples() -> None:
    assert CHECKOUT / "tests" / "support" / "playouts.py" in FILES
