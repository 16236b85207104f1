"""How commands end when they are stopped, or when what they write finds no room."""

import json
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import IO

import pytest

from capomastro.cli.records import can_be_replaced
from tests.cli.conftest import Ask
from tests.support.archives import short_games, write_archive
from tests.support.serving import CAPOMASTRO, clean_environment, with_files_up_to
from tests.support.warm_process import warm_capomastro

PATIENCE = 60
"""Seconds to wait for what takes one or two."""

INTERRUPTED_WHILE = """
import os, signal, sys
from {module} import {owner}

before = {owner}.{function}

def stop(number):
    if number == signal.SIGINT:
        os.killpg(0, number)  # as a terminal does
    else:
        os.kill(os.getpid(), number)

def interrupted(*arguments, **named):
    if {condition}:
        stop(signal.{number})
    return before(*arguments, **named)

{owner}.{function} = interrupted
from capomastro.cli import main

if __name__ == "__main__":
    main()
"""
"""A command line that a signal reaches at a certain moment."""


def interrupted_while(
    folder: Path, module: str, owner: str, function: str, number: str = "SIGINT", condition: str = "True"
) -> tuple[str, ...]:
    file = folder / "interrupted.py"
    names = {"module": module, "owner": owner, "function": function, "number": number, "condition": condition}
    file.write_text(INTERRUPTED_WHILE.format(**names))
    return (sys.executable, str(file))


def run(command: Sequence[str], folder: Path) -> "subprocess.CompletedProcess[bytes]":
    """Runs a command that Ctrl-C reaches, even if the tests run in the background of a script."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return subprocess.run(
            command,
            cwd=folder,
            env=clean_environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE,
            check=False,
            start_new_session=True,
        )
    finally:
        signal.signal(signal.SIGINT, before)


# --- signals ---------------------------------------------------------------------------------------------------------


def test_ctrl_c_while_the_command_is_loaded_leaves_no_traceback(tmp_path: Path) -> None:
    command = interrupted_while(
        tmp_path,
        "importlib.machinery",
        "PathFinder",
        "find_spec",
        condition='arguments[0] == "capomastro.cli.commands.records"',
    )
    ended = run([*command, "games"], tmp_path)
    assert (ended.returncode, ended.stdout, ended.stderr) == (-signal.SIGINT, b"", b"")


def test_a_command_that_ignores_ctrl_c_from_the_beginning_ignores_it(tmp_path: Path) -> None:
    command = interrupted_while(tmp_path, "capomastro", "catalogue", "rules_of", condition="True")
    ignoring = (
        "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_IGN); os.execvp(sys.argv[1], sys.argv[1:])"
    )
    ended = run([sys.executable, "-c", ignoring, *command, "rules", "palazzo"], tmp_path)
    assert (ended.returncode, ended.stderr) == (0, b"")


@pytest.mark.long
@pytest.mark.parametrize(("number", "exit_code"), [("SIGINT", 130), ("SIGTERM", 143)])
def test_an_archive_can_be_stopped_while_processes_are_started(tmp_path: Path, number: str, exit_code: int) -> None:
    """Once a process that had been started was not waited for, and complained that what it needed was gone."""
    write_archive(tmp_path / "club.ndjson", 10)
    command = interrupted_while(tmp_path, "multiprocessing", "forkserver", "read_signed", number)
    ended = run([*command, "replay", "club.ndjson", "--verdicts", "v.ndjson", "--jobs", "2"], tmp_path)
    assert ended.stderr.decode() == "Stopped after 0 records. The same command resumes there.\n"
    assert ended.returncode == exit_code


def test_who_presses_ctrl_c_again_waits_no_longer_and_sees_no_traceback(tmp_path: Path) -> None:
    write_archive(tmp_path / "club.ndjson", 200)
    command = interrupted_while(
        tmp_path, "capomastro.batch.processes", "Judges", "__exit__", condition="arguments[1] is not None"
    )
    file = Path(command[1])
    file.write_text(file.read_text().replace("from capomastro.cli import main", STOPPED_AT_A_VERDICT), "utf-8")
    ended = run([*command, "replay", "club.ndjson", "--verdicts", "v.ndjson", "--jobs", "2"], tmp_path)
    assert ended.stderr.decode() == "Stopped after 0 records. The same command resumes there.\n"
    assert ended.returncode == 130


STOPPED_AT_A_VERDICT = """
from capomastro.batch.verdict_file import VerdictFile
from capomastro.cli import main

VerdictFile.append = lambda *_: stop(signal.SIGINT)
"""


@pytest.mark.long
@pytest.mark.parametrize(
    ("module", "owner", "function"),
    [
        ("capomastro.batch", "cluster", "LocalCluster"),
        ("distributed.client", "FutureState", "wait"),
    ],
)
def test_ctrl_c_stops_a_cluster_on_this_machine_without_a_traceback(
    tmp_path: Path, module: str, owner: str, function: str
) -> None:
    pytest.importorskip("distributed")
    write_archive(tmp_path / "club.ndjson", 200)
    command = interrupted_while(tmp_path, module, owner, function)
    ended = run(
        [*command, "replay", "club.ndjson", "--cluster", "local", "--jobs", "1", "--verdicts", "judged"], tmp_path
    )
    assert ended.stderr.decode() == "Stopped after 0 records. The same command resumes there.\n"
    assert ended.returncode == 130


def test_a_command_that_is_interrupted_says_neither_yes_nor_no(tmp_path: Path) -> None:
    command = interrupted_while(tmp_path, "capomastro", "adjudicator", "audit")
    (tmp_path / "state.json").write_text(json.dumps({"game": "palazzo"}))
    ended = run([*command, "audit", "state.json"], tmp_path)
    assert (ended.returncode, ended.stderr) == (130, b"\nAborted!\n")


# --- output ----------------------------------------------------------------------------------------------------------

PRINTING = {
    "help": ("--help",),
    "text": ("games",),
    "document": ("schema", "palazzo", "record"),
    "one record": ("replay", "game.json", "--json"),
    "archive": ("replay", "club.ndjson", "--jobs", "1"),
    "verdicts": ("replay", "club.ndjson", "--json", "--jobs", "2"),
    "repairs": ("repair", "club.ndjson", "--output", "mended.ndjson", "--jobs", "1"),
}
printing = pytest.mark.parametrize("arguments", PRINTING.values(), ids=PRINTING)


def printed_to(
    output: IO[bytes] | int, arguments: Sequence[str], directory: Path
) -> subprocess.CompletedProcess[bytes]:
    """One of them is started as a shell does; the others go the same way to their end without its beginning."""
    command = [*(CAPOMASTRO if arguments == PRINTING["text"] else warm_capomastro()), *arguments]
    return subprocess.run(command, cwd=directory, stdout=output, stderr=subprocess.PIPE, timeout=PATIENCE, check=False)


@pytest.fixture
def _files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "game.json").write_text(json.dumps(short_games()[0]), "utf-8")
    write_archive(tmp_path / "club.ndjson", 12)


@printing
@pytest.mark.usefixtures("_files")
def test_output_that_finds_no_room(tmp_path: Path, arguments: Sequence[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        ended = printed_to(full, arguments, tmp_path)
    assert ended.stderr.decode() == "The output cannot be written: No space left on device.\n"
    assert ended.returncode == 2


@pytest.mark.long
@printing
@pytest.mark.usefixtures("_files")
def test_output_that_nobody_reads(tmp_path: Path, arguments: Sequence[str]) -> None:
    """Exit code 1 would say that a record is wrong."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        ended = printed_to(writing, arguments, tmp_path)
    finally:
        os.close(writing)
    assert (ended.returncode, ended.stderr) == (128 + signal.SIGPIPE, b"")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("stats", "game.json", "--parquet", "game.json"), "game.json cannot be written: File exists"),
        (("repair", "game.json", "--output", "game.json/a"), "game.json/a cannot be written: Not a directory."),
        (("stats", "game.json", "absent.json"), "absent.json: The file cannot be read: No such file or directory."),
    ],
)
@pytest.mark.usefixtures("_files")
def test_what_cannot_be_written_or_read_is_named(ask: Ask, arguments: Sequence[str], told: str) -> None:
    answer = ask(*arguments)
    assert (answer.exit_code, told in answer.stderr) == (2, True), answer.stderr


def test_messages_that_find_no_room_leave_the_exit_code_as_it_is(tmp_path: Path) -> None:
    """Exit code 1 would say that the record is wrong."""
    with Path("/dev/full").open("wb") as full:
        ended = subprocess.run(
            [*warm_capomastro(), "replay", "absent.json"], cwd=tmp_path, stderr=full, timeout=PATIENCE, check=False
        )
    assert ended.returncode == 2


@pytest.mark.parametrize("lines", [(), ("--lines",)])
def test_standard_input_that_is_closed(tmp_path: Path, lines: Sequence[str]) -> None:
    command = ["sh", "-c", '"$0" "$@" <&-', *CAPOMASTRO, "replay", "-", *lines]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=PATIENCE, check=False)
    assert ended.returncode == 2
    assert b"annot be read: Bad file descriptor" in ended.stdout + ended.stderr
    assert b"Traceback" not in ended.stderr


# --- files -----------------------------------------------------------------------------------------------------------


def test_a_record_is_not_lost_when_its_continuation_finds_no_room(ask: Ask, tmp_path: Path) -> None:
    ask("new", "palazzo", "--players", "2", "--seed", "7", "--record", "game.capo")
    record = (tmp_path / "game.capo").read_bytes()
    command = with_files_up_to(len(record) - 10, *CAPOMASTRO)
    ended = run([*command, "move", "game.capo", "0 build", "--seed", "7", "--record", "game.capo"], tmp_path)
    assert ended.returncode == 2
    assert b"game.capo cannot be written: File too large." in ended.stderr
    assert (tmp_path / "game.capo").read_bytes() == record
    assert [file.name for file in tmp_path.iterdir()] == ["game.capo"]


def test_a_record_that_is_continued_keeps_its_permissions_and_its_link(ask: Ask, tmp_path: Path) -> None:
    (tmp_path / "club").mkdir()
    kept = tmp_path / "club" / "game.capo"
    (tmp_path / "game.capo").symlink_to(kept)
    ask("new", "palazzo", "--players", "2", "--seed", "7", "--record", "game.capo")
    kept.chmod(0o640)
    assert ask("move", "game.capo", "0 build", "--seed", "7", "--record", "game.capo").exit_code == 0
    assert (tmp_path / "game.capo").is_symlink()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o640
    assert kept.read_text().splitlines()[-3] == "0 build"


def test_a_record_can_have_the_longest_name(ask: Ask, tmp_path: Path) -> None:
    name = "a" * (os.pathconf(tmp_path, "PC_NAME_MAX") - len(".capo")) + ".capo"
    assert ask("new", "palazzo", "--players", "2", "--seed", "7", "--record", name).exit_code == 0
    assert (tmp_path / name).read_text().startswith("game: palazzo\n")


def test_a_record_can_be_written_to_what_is_no_file(tmp_path: Path) -> None:
    command = [*warm_capomastro(), "new", "palazzo", "--players", "2", "--seed", "7"]
    ended = run([*command, "--record", "/dev/stderr"], tmp_path)
    assert (ended.returncode, json.loads(ended.stderr)["game"]) == (0, "palazzo")


def test_redirected_output_is_not_replaced(tmp_path: Path) -> None:
    """The shell that redirected it would go on writing to the file that is gone."""
    command = [*warm_capomastro(), "new", "palazzo", "--players", "2", "--record", "/dev/stdout"]
    with (tmp_path / "output").open("wb") as output:
        subprocess.run(command, stdout=output, timeout=PATIENCE, check=True)
        assert (tmp_path / "output").stat().st_ino == os.fstat(output.fileno()).st_ino


def test_a_record_that_is_protected_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "game.capo"
    file.touch()
    assert can_be_replaced(str(file))
    monkeypatch.setattr(os, "access", lambda path, _: Path(path) != file)
    assert not can_be_replaced(str(file))


def test_a_record_is_not_written_through_links_in_a_circle(ask: Ask, tmp_path: Path) -> None:
    (tmp_path / "game.capo").symlink_to("game.capo")
    result = ask("new", "palazzo", "--players", "2", "--seed", "7", "--record", "game.capo")
    assert result.exit_code == 2
    assert "game.capo cannot be written: Too many levels of symbolic links." in result.stderr
    assert (tmp_path / "game.capo").is_symlink()
