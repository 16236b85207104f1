"""`capomastro replay` of archives: its output, and that an interruption loses and repeats no verdict."""

import gzip
import json
import os
import pty
import re
import signal
import subprocess
import termios
import threading
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from capomastro.batch.processes import MAXIMUM_BATCH_RECORDS
from capomastro.cli.faults import MAXIMUM_LISTED
from capomastro.settings import VARIABLES
from tests.cli.conftest import Ask
from tests.support.archives import archive_lines, expected, short_games, write_archive
from tests.support.lines import lines_of
from tests.support.serving import CAPOMASTRO, clean_environment
from tests.support.warm_process import warm_capomastro

PATIENCE = 60
"""Seconds to wait for what takes one or two."""


@pytest.fixture(autouse=True)
def _default_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for line in VARIABLES:
        monkeypatch.delenv(line.name, raising=False)


def verdicts(text: str | bytes) -> list[dict[str, object]]:
    return [json.loads(line) for line in lines_of(text)]


# --- what is judged --------------------------------------------------------------------------------------------------


def test_an_archive_is_summarised_and_its_wrong_records_are_named(ask: Ask, tmp_path: Path) -> None:
    write_archive(tmp_path / "club.ndjson", 30)
    answer = ask("replay", "club.ndjson", "--jobs", "1")
    assert answer.exit_code == 2
    lines = answer.stdout.splitlines()
    shown = [line for line in lines if line.startswith("club.ndjson:")]
    assert all(re.match(r"club\.ndjson:\d+:\d+: ", line) for line in shown)
    faults = [line for line in shown if ": the same " not in line]
    assert [line.split(":")[1] for line in faults] == ["7", "11", "14", "21", "22", "28"]
    assert re.fullmatch(r"club\.ndjson:11:\d+: This is not acceptable JSON: Input data was truncated\.", faults[1])
    repeated = [line for line in shown if line not in faults]
    assert repeated[0] == "club.ndjson:13:1: the same moves as club.ndjson:1 (game-13)"
    assert all(
        re.search(r": move \d+: after-the-end: .*\[[a-z-]+(\.[a-z-]+)+\] \(game-\d+\)$", line)
        for line in faults
        if ":11:" not in line and ":22:" not in line
    )
    (total,) = (line.split() for line in lines if line.startswith("all "))
    assert total[-1] == "30"
    assert sum(map(int, total[1:-1])) == 30
    head = next(line for line in lines if line.split()[:1] == ["legal"]).split()
    assert head[-2:] == ["unusable", "all"]
    (rules,) = (index for index, line in enumerate(lines) if line == "records  first rule broken")
    assert sum(int(line.split()[0]) for line in lines[rules + 1 : lines.index("", rules)]) == 4
    assert re.fullmatch(r"30 records in \d+\.\d s", lines[-1])


def test_a_single_record_is_one_record(ask: Ask, tmp_path: Path) -> None:
    write_archive(tmp_path / "club.ndjson", 1)
    assert re.fullmatch(r"1 record in \d+\.\d s", ask("replay", "club.ndjson", "--jobs", "1").stdout.splitlines()[-1])


def test_a_claimed_result_that_is_not_reached_is_not_called_wrong(ask: Ask, tmp_path: Path) -> None:
    record = {"game": "palazzo", "schema_version": 1, "rules_version": 1, "players": 2, "options": {}, "moves": []}
    (tmp_path / "club.ndjson").write_text(json.dumps({**record, "totals": [1, 2]}))
    answer = ask("replay", "club.ndjson", "--jobs", "1")
    assert answer.exit_code == 1
    assert re.match(r"club\.ndjson:1:\d\d+: the claimed result is not reached\n", answer.stdout)


def test_only_a_few_records_are_named_but_the_file_has_all(ask: Ask, tmp_path: Path) -> None:
    (tmp_path / "bad.ndjson").write_text("1\n" * 50, "utf-8")
    answer = ask("replay", "bad.ndjson", "--jobs", "1")
    assert sum(line.startswith("bad.ndjson:") for line in answer.stdout.splitlines()) == MAXIMUM_LISTED
    assert "… and 30 more; --all lists them all" in answer.stdout
    kept = ask("replay", "bad.ndjson", "--jobs", "1", "--verdicts", "v.ndjson").stdout
    assert "… and 30 more; v.ndjson has them all" in kept
    assert len(verdicts((tmp_path / "v.ndjson").read_text("utf-8"))) == 50


@pytest.mark.parametrize(
    ("number", "exit_code"), [(6, 0), (10, 1), (11, 2)], ids=["all right", "one is wrong", "one is no record"]
)
def test_exit_codes(ask: Ask, tmp_path: Path, number: int, exit_code: int) -> None:
    write_archive(tmp_path / "club.ndjson", number)
    assert ask("replay", "club.ndjson", "--jobs", "1").exit_code == exit_code


def test_json_output_has_the_verdicts_or_a_summary_if_they_go_to_a_file(ask: Ask, tmp_path: Path) -> None:
    texts = list(archive_lines(12))
    write_archive(tmp_path / "club.ndjson", 12)
    printed = ask("replay", "club.ndjson", "--jobs", "1", "--json").stdout
    assert printed.encode() == expected("club.ndjson", texts)
    figures = json.loads(ask("replay", "club.ndjson", "--jobs", "1", "--json", "--verdicts", "v.ndjson").stdout)
    assert (tmp_path / "v.ndjson").read_text("utf-8") == printed
    assert figures["records"] == 12
    assert sum(number for game in figures["games"] for number in game["verdicts"].values()) == 12
    assert {"game": None, "verdicts": {"unusable": 1}} in figures["games"]
    assert [rule["records"] for rule in figures["rules_broken"]] == [1]


def test_files_directories_and_compressed_files_are_judged_together(ask: Ask, tmp_path: Path) -> None:
    texts = list(archive_lines(6))
    season = tmp_path / "season" / "spring"
    season.mkdir(parents=True)
    (season / "one.json").write_text(json.dumps(json.loads(texts[0]), indent=1), "utf-8")
    (season / "two.jsonl.gz").write_bytes(gzip.compress(b"\n".join(texts[1:3])))
    write_archive(tmp_path / "rest.ndjson", 3)
    answer = ask("replay", "season", "rest.ndjson", "missing.json", "--jobs", "1", "--json")
    found = verdicts(answer.stdout)
    assert [(verdict["source"], verdict["line"]) for verdict in found] == [
        ("season/spring/one.json", 1),
        ("season/spring/two.jsonl.gz", 1),
        ("season/spring/two.jsonl.gz", 2),
        ("rest.ndjson", 1),
        ("rest.ndjson", 2),
        ("rest.ndjson", 3),
        ("missing.json", 1),
    ]
    assert [verdict["verdict"] for verdict in found] == ["legal"] * 6 + ["unusable"]
    assert answer.exit_code == 2


def test_a_single_compressed_record_is_reported_in_full(ask: Ask, tmp_path: Path) -> None:
    text = json.dumps(short_games()[0]).encode()
    (tmp_path / "game.json.gz").write_bytes(gzip.compress(text))
    (tmp_path / "torn.json.gz").write_bytes(gzip.compress(text)[:-20])
    (tmp_path / "none.json.gz").write_bytes(text)
    assert ask("replay", "game.json.gz").stdout.startswith("game.json.gz: legal, ")
    for file in ("torn.json.gz", "none.json.gz"):
        answer = ask("replay", file)
        assert answer.exit_code == 2
        assert f"{file}: The file cannot be read: " in answer.stderr


def test_text_notation_is_judged_too(ask: Ask, tmp_path: Path) -> None:
    from capomastro.documents import notation
    from capomastro.games import all_games

    document = short_games()[0]
    text = notation.written(all_games()[document["game"]], document)
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "a.capo").write_text(text, "utf-8")
    (tmp_path / "d" / "b.capo").write_text(text.replace(document["game"], "chess"), "utf-8")
    first, second = verdicts(ask("replay", "d", "--jobs", "1", "--json").stdout)
    assert (first["verdict"], first["game"]) == ("legal", document["game"])
    assert (second["verdict"], second["problem"]) == ("unusable", "malformed-notation")
    assert isinstance(second["errors"], list)
    assert second["errors"][0]["line"] >= 1


def test_standard_input_has_one_record_or_with_lines_one_per_line(ask: Ask) -> None:
    text = "".join(json.dumps(document) + "\n" for document in short_games()[:3])
    assert len(verdicts(ask("replay", "--lines", "-", "--json", "--jobs", "1", given=text).stdout)) == 3
    assert ask("replay", "-", given=text).exit_code == 2
    assert ask("replay", "-", given=text.split("\n")[0]).stdout.startswith("-: legal")


LINES_HINT = "It looks like one record per line; `capomastro replay --lines` reads that."


@pytest.mark.parametrize("further", [(), ("--jobs", "1")], ids=["as one record", "as one of an archive"])
def test_archives_without_the_option_get_a_hint(ask: Ask, further: tuple[str, ...]) -> None:
    def detail_of(text: bytes) -> str:
        answer = ask("replay", "-", "--json", *further, given=text)
        assert answer.exit_code == 2
        (verdict,) = verdicts(answer.stdout)
        return str(verdict["detail"])

    text = b"\n".join(archive_lines(3))
    for many in (text, text + b"\r\n\n", gzip.compress(text)):
        assert re.fullmatch(r"This is not acceptable JSON: trailing .*\. " + re.escape(LINES_HINT), detail_of(many))
    for other in (b" \n " + text, b'{"a": 1,\n"b": 2,}', b"{", b"{}\noops", b"{} {}", b"[1]\n[2]", b"\xff\n{"):
        assert LINES_HINT not in detail_of(other)


def test_oversized_archives_get_a_hint_too(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAPOMASTRO_MAXIMUM_RECORD_BYTES", "1024")
    errors = ask("replay", "-", given=b'{"game": "palazzo"}\n' * 100).stderr
    assert errors == f"-: The file has more than 1024 bytes. {LINES_HINT}\n"


def test_compressed_standard_input_is_recognised_by_its_first_bytes(ask: Ask) -> None:
    lines = list(archive_lines(3))
    one, many = gzip.compress(lines[0]), gzip.compress(b"\n".join(lines))
    assert ask("replay", "-", given=one).stdout.startswith("-: legal")
    for command in (("replay", "-", "--lines"), ("replay", "-", "--lines", "--jobs", "1")):
        assert ask(*command, "--json", given=many).stdout.encode() == expected("-", lines)
    torn = ask("replay", "-", given=one[:-20])
    assert (torn.exit_code, torn.stderr.startswith("-: The file cannot be read: ")) == (2, True)
    assert "Cannot be read: " in ask("replay", "-", "--lines", given=many[:-20]).stdout
    for short in (b"\x1f", b"\x1f\x8b"):
        assert ask("replay", "-", given=short).exit_code == 2


def test_decompressed_standard_input_is_limited(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAPOMASTRO_MAXIMUM_RECORD_BYTES", "1024")
    bomb = gzip.compress(b" " * 40_000_000)
    tracemalloc.start()
    try:
        assert "more than 1024 bytes" in ask("replay", "-", given=bomb).stderr
        assert "more than the 1024 bytes" in ask("replay", "-", "--lines", "--jobs", "1", given=bomb).stdout
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("further", [(), ("--jobs", "1"), ("--lines",)], ids=" ".join)
def test_standard_input_can_be_read_only_once(ask: Ask, further: tuple[str, ...]) -> None:
    text = next(archive_lines(1))
    found = verdicts(ask("replay", "-", "-", "--json", *further, given=text).stdout)
    assert [verdict["verdict"] for verdict in found][:1] == ["legal"]
    assert [verdict["problem"] for verdict in found[1:]] == ["unreadable" if "--lines" in further else "malformed-json"]


def test_limits_and_repairs_hold_for_each_record(ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_archive(tmp_path / "club.ndjson", 8)
    repaired = verdicts(ask("replay", "club.ndjson", "--jobs", "1", "--json", "--repair", "skip").stdout)
    assert [verdict["line"] for verdict in repaired if "lenient" in verdict] == [7]
    monkeypatch.setenv("CAPOMASTRO_MAXIMUM_MOVES", "1")
    limited = verdicts(ask("replay", "club.ndjson", "--jobs", "1", "--json").stdout)
    assert {verdict["verdict"] for verdict in limited} == {"unusable"}


def test_a_file_without_records_is_unreadable(ask: Ask, tmp_path: Path) -> None:
    (tmp_path / "zero.ndjson").write_bytes(b"")
    (tmp_path / "blank.ndjson.gz").write_bytes(gzip.compress(b"\n \n"))
    write_archive(tmp_path / "club.ndjson", 2)
    answer = ask("replay", "zero.ndjson", "club.ndjson", "blank.ndjson.gz", "--jobs", "1")
    assert answer.exit_code == 2
    assert answer.stdout.splitlines()[:2] == [
        "zero.ndjson:1:1: Cannot be read: it contains no records.",
        "blank.ndjson.gz:1:1: Cannot be read: it contains no records.",
    ]
    found = verdicts(ask("replay", "zero.ndjson", "--jobs", "1", "--json").stdout)
    assert [(one["verdict"], one["problem"]) for one in found] == [("unusable", "unreadable")]


def test_ignored_files_of_a_directory_are_counted(ask: Ask, tmp_path: Path) -> None:
    season = tmp_path / "season"
    season.mkdir()
    write_archive(season / "club.ndjson", 2)
    (season / ".hidden").write_text("x")
    assert "ignored" not in ask("replay", "season", "--jobs", "1").stdout
    (season / "notes.txt").write_text("x")
    shown = "1 file ignored (not .json, .capo, .ndjson or .jsonl)"
    for command in (("--jobs", "1"), ("--jobs", "1", "--verdicts", "season/v.ndjson")):
        assert shown in ask("replay", "season", *command).stdout.splitlines()
    (season / "notes.md").write_text("x")
    assert "2 files ignored (" in ask("replay", "season", "--jobs", "1").stdout


def test_a_wrong_record_is_named_by_its_id_too(ask: Ask, tmp_path: Path) -> None:
    record = json.loads(next(archive_lines(1)))
    wrong = [{**record, "moves": record["moves"][1:], "id": "g\x1b97"}, {**record, "moves": record["moves"][1:]}]
    wrong[1].pop("id", None)
    wrong.append({"game": "palazzo", "id": "x" * 100_000})
    (tmp_path / "club.ndjson").write_text("\n".join(map(json.dumps, wrong)))
    first, second, third = ask("replay", "club.ndjson", "--jobs", "1").stdout.splitlines()[:3]
    assert third.startswith("club.ndjson:3:27: Does not match")
    assert first.endswith("] (g\\u001b97)")
    assert second.endswith("]")


def test_repaired_records_are_counted(ask: Ask, tmp_path: Path) -> None:
    good = short_games()[0]
    moves = good["moves"]
    slips = [[*moves, moves[-1]], [*moves[-1:] * 150, *moves], [*moves, moves[-1]]]
    records = [good, *({**good, "moves": spoilt} for spoilt in slips)]
    records[-1] = {**records[-1], "totals": [-99] * good["players"]}
    (tmp_path / "club.ndjson").write_text("\n".join(map(json.dumps, records)))
    shown = ask("replay", "club.ndjson", "--jobs", "1", "--repair", "skip").stdout
    assert "2 of 3 illegal records repaired to the end; 1 has the claimed result" in shown.splitlines()
    assert "repaired" not in ask("replay", "club.ndjson", "--jobs", "1").stdout


def test_the_first_fault_of_a_record_without_a_verdict_is_told(ask: Ask, tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "x.capo").write_text("game: chess\n")
    (tmp_path / "d" / "y.json").write_text(json.dumps({"game": "palazzo", "moves": 1}))
    first, second = ask("replay", "d", "--jobs", "1").stdout.splitlines()[:2]
    assert first.startswith("d/x.capo:1:7: The text is not a record in the notation. /game: expected a game")
    assert second.startswith("d/y.json:1:30: Does not match its schema: record. /")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (gzip.compress(b"{}\n" * 500)[:-9], "the compressed data breaks off"),
        (b"not compressed", "it is not compressed, although its name says so"),
        (gzip.compress(b"{}")[:-8] + b"12345678", "the compressed data is damaged"),
        (gzip.compress(b"{}") + b"not compressed", "the compressed data is damaged"),
    ],
    ids=["broken off", "not compressed", "damaged", "something follows"],  # compressed data contain the time
)
@pytest.mark.parametrize("language", ["en", "de"])
def test_why_a_compressed_file_cannot_be_read_is_told_in_the_readers_language(
    ask: Ask, tmp_path: Path, content: bytes, reason: str, language: str
) -> None:
    (tmp_path / "a.json.gz").write_bytes(content)
    for further in ((), ("--jobs", "1")):
        answer = ask("--language", language, "replay", "a.json.gz", *further)
        assert (reason in answer.output) == (language == "en")
        assert not re.search("end-of-stream|gzipped|CRC|Englisch", answer.output)


@pytest.mark.parametrize("typed", [("--restart",), ("--cluster", "local"), ("--restart", "--cluster", "local")])
def test_what_needs_verdicts_is_named_as_it_was_typed(ask: Ask, tmp_path: Path, typed: tuple[str, ...]) -> None:
    write_archive(tmp_path / "club.ndjson", 3)
    answer = ask("replay", "club.ndjson", *typed)
    assert answer.exit_code == 2
    options = " and ".join(one for one in typed if one.startswith("--"))
    assert answer.stderr.splitlines()[-1] == f"Error: {options} cannot be used without --verdicts."


@pytest.mark.parametrize("archive", [("game.json", "--all"), ("club.ndjson",), ("game.json", "--lines")], ids=" ".join)
def test_what_needs_a_single_record_is_refused_for_archives(ask: Ask, tmp_path: Path, archive: tuple[str, ...]) -> None:
    for name in ("game.json", "club.ndjson"):
        write_archive(tmp_path / name, 1)
    for typed in (["--seed", "x"], ["--table", "table.json"], ["--draws"], ["--tell"], ["--seed", "", "--draws"]):
        answer = ask("replay", *archive, *typed)
        options = " and ".join(word for word in typed if word.startswith("--"))
        assert (answer.exit_code, answer.stdout) == (2, "")
        assert answer.stderr.splitlines()[-1] == f"Error: {options}: only for files with a single record."


# --- going on --------------------------------------------------------------------------------------------------------


def test_a_second_run_resumes_and_counts_everything(ask: Ask, tmp_path: Path) -> None:
    write_archive(tmp_path / "club.ndjson", 30)
    command = ("replay", "club.ndjson", "--jobs", "1", "--verdicts", "v.ndjson")
    whole = ask(*command)
    kept = (tmp_path / "v.ndjson").read_bytes()
    assert whole.stderr == ""
    (tmp_path / "v.ndjson").write_bytes(kept[: len(kept) // 2])
    answered = kept[: len(kept) // 2].count(b"\n")
    again = ask(*command)
    assert (tmp_path / "v.ndjson").read_bytes() == kept
    assert again.stderr == f"Resuming after {answered} records.\n"
    assert again.stdout.splitlines()[:-1] == whole.stdout.splitlines()[:-1]
    assert again.exit_code == whole.exit_code
    assert "Resuming after 30 records." in ask(*command).stderr


def test_changed_records_are_refused_without_restart(ask: Ask, tmp_path: Path) -> None:
    write_archive(tmp_path / "club.ndjson", 6)
    command = ("replay", "club.ndjson", "--jobs", "1", "--verdicts", "v.ndjson")
    ask(*command)
    before = (tmp_path / "v.ndjson").read_bytes()
    (tmp_path / "club.ndjson").write_bytes(b"\n".join(reversed(list(archive_lines(6)))))
    for refused in (ask(*command), ask(*command, "--json"), ask(*command, "--under-current-rules")):
        assert refused.exit_code == 2
        assert "v.ndjson cannot be resumed: line 1" in refused.stdout + refused.stderr
    assert (tmp_path / "v.ndjson").read_bytes() == before
    assert ask(*command, "--restart").exit_code == 0
    assert len((tmp_path / "v.ndjson").read_bytes().splitlines()) == 6


def test_verdicts_are_never_written_over_records(ask: Ask, tmp_path: Path) -> None:
    file = write_archive(tmp_path / "club.ndjson", 3)
    before = file.read_bytes()
    assert ask("replay", "club.ndjson", "--verdicts", "club.ndjson").exit_code == 2
    assert file.read_bytes() == before


# --- the real command, interrupted -----------------------------------------------------------------------------------

MANY = 220
"""A few more than are under way at once: a run that has answered some waits for the last one."""
Start = Callable[..., "subprocess.Popen[bytes]"]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts a command in its own process group, as a shell does; whatever remains of it at the end is killed.

    Ctrl-C reaches it even if the tests run in the background of a script, which has their processes ignore it.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    started: list[subprocess.Popen[bytes]] = []

    def run(*arguments: str) -> "subprocess.Popen[bytes]":
        process = subprocess.Popen(
            [*CAPOMASTRO, *arguments],
            env=clean_environment(COLUMNS="100"),
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        started.append(process)
        return process

    yield run
    for process in started:
        if is_group_alive(process.pid):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate(timeout=PATIENCE)
    signal.signal(signal.SIGINT, before)


def is_group_alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def wait_until(condition: Callable[[], bool], process: "subprocess.Popen[bytes] | None" = None) -> None:
    """Waits for a condition, while `process` is running if it is given."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert process is None or process.poll() is None, process.communicate()
        assert time.monotonic() < deadline, "it does not happen"
        time.sleep(0.01)


def count_lines(file: Path) -> int:
    return file.read_bytes().count(b"\n") if file.exists() else 0


@contextmanager
def unfinished_archive(file: Path, count: int) -> Iterator[None]:
    """An archive that is still being written: a pipe without its last record, so nobody can read it to its end."""
    whole = file.with_suffix(".whole")
    write_archive(whole, count)
    beginning = b"".join(whole.read_bytes().splitlines(keepends=True)[:-1])
    read_enough = threading.Event()

    def write() -> None:
        with suppress(BrokenPipeError), file.open("wb", buffering=0) as pipe:
            pipe.write(beginning)
            read_enough.wait()

    file.unlink(missing_ok=True)
    os.mkfifo(file)
    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    yield
    read_enough.set()
    writer.join(PATIENCE)
    whole.replace(file)


COMMAND = ("replay", "club.ndjson", "--verdicts", "v.ndjson", "--jobs", "2")


@pytest.mark.long
@pytest.mark.longest
def test_a_run_that_was_killed_and_restarted_answers_every_record_once(ask: Ask, start: Start, tmp_path: Path) -> None:
    file = tmp_path / "v.ndjson"
    with unfinished_archive(tmp_path / "club.ndjson", MANY):
        process = start(*COMMAND)
        wait_until(lambda: count_lines(file) >= 1, process)
        os.kill(process.pid, signal.SIGKILL)
        process.communicate(timeout=PATIENCE)
    assert process.returncode == -signal.SIGKILL
    wait_until(lambda: not is_group_alive(process.pid))
    with file.open("ab") as torn:
        torn.write(b'{"source":"club.ndj')
    before = count_lines(file)
    again = ask(*COMMAND[:-1], "1")
    assert again.stderr == f"Resuming after {before} records.\n"
    assert again.stdout.splitlines()[-1].startswith(f"{MANY} records in ")
    assert again.exit_code == 2
    assert file.read_bytes() == expected("club.ndjson", list(archive_lines(MANY)))


@pytest.mark.long
@pytest.mark.longest
def test_an_interrupted_run_says_how_to_resume(ask: Ask, start: Start, tmp_path: Path) -> None:
    """By Ctrl-C; `test_endings.py` has other signals and other moments."""
    file = tmp_path / "v.ndjson"
    with unfinished_archive(tmp_path / "club.ndjson", MANY):
        process = start(*COMMAND)
        wait_until(lambda: count_lines(file) >= 20, process)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        printed, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert printed == b""
    answered = count_lines(file)
    shown = re.fullmatch(r"Stopped after (\d+) records. The same command resumes there.\n", errors.decode())
    assert shown is not None, errors
    assert answered - MAXIMUM_BATCH_RECORDS <= int(shown[1]) <= answered, "what was just written may not be counted yet"
    assert 20 <= answered < MANY
    assert file.read_bytes().endswith(b"\n")
    wait_until(lambda: not is_group_alive(process.pid))
    assert ask(*COMMAND[:-1], "1").stderr == f"Resuming after {answered} records.\n"
    assert file.read_bytes() == expected("club.ndjson", list(archive_lines(MANY)))


def test_progress_is_shown_on_a_terminal(start: Start, tmp_path: Path) -> None:
    write_archive(tmp_path / "club.ndjson", 100)
    terminal, end = pty.openpty()
    termios.tcsetwinsize(end, (24, 100))
    process = subprocess.Popen([*warm_capomastro(), *COMMAND[:2]], cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=end)
    os.close(end)
    shown = b""
    while True:
        try:
            shown += os.read(terminal, 4096)
        except OSError:
            break
    os.close(terminal)
    assert process.wait(PATIENCE) == 2
    assert re.search(rb"\d+%\|.*\| [\d,]+ records, [\d,]+/s, \d\d:\d\d left", shown)


def test_what_cannot_be_read_again_has_no_pictures(start: Start, tmp_path: Path) -> None:
    """A pipe that nobody writes to any more would be waited for without end."""
    broken = {**short_games()[0], "moves": short_games()[0]["moves"][1:]}
    (tmp_path / "game.json").write_text(json.dumps(broken), "utf-8")
    os.mkfifo(tmp_path / "pipe.json")
    process = start("replay", "pipe.json", "game.json", "--jobs", "1", "--report", "r.html")
    (tmp_path / "pipe.json").write_text(json.dumps(broken), "utf-8")
    output, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors) == (1, b""), output
    assert (tmp_path / "r.html").read_text("utf-8").count("data:image/svg+xml") == 1
