"""Runs commands of the command line."""

import gc
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from capomastro.cli.commands import main

Ask = Callable[..., Result]


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Ask:
    """Runs a command in an empty directory; an exception that is not an answer fails the test.

    The garbage collector, which `serve` stops for the server that it starts, continues for the tests that follow.
    """
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str, given: str | bytes | None = None) -> Result:
        try:
            result = CliRunner().invoke(main, arguments, input=given, prog_name="capomastro")
        finally:
            gc.enable()
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert "Traceback" not in result.output
        return result

    return run


@pytest.fixture
def ask_json(ask: Ask) -> Callable[..., Any]:
    """The same, but returns the printed document."""

    def run(*arguments: str, given: str | None = None) -> Any:
        return json.loads(ask(*arguments, "--json", given=given).stdout)

    return run


@pytest.fixture
def save(tmp_path: Path) -> Callable[[str, Any], str]:
    """Writes a document to a file and returns its name."""

    def write(name: str, document: Any) -> str:
        (tmp_path / name).write_text(json.dumps(document), "utf-8")
        return name

    return write
