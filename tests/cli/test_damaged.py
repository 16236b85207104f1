"""A damaged archive: everything wrong is found at its place and nothing else, and what can be repaired is."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from capomastro.documents import notation
from capomastro.games import all_games
from tests.cli.conftest import Ask
from tests.support.archives import short_games
from tests.support.damaged import DAMAGES, OF_EACH, UNDAMAGED, damaged_archive
from tests.support.lines import lines_of


@pytest.mark.long
@pytest.mark.longest
def test_a_damaged_archive_is_judged_and_repaired(ask: Ask, tmp_path: Path) -> None:
    lines = list(damaged_archive())
    assert Counter(line.damage for line in lines if line.damage != UNDAMAGED) == dict.fromkeys(DAMAGES, OF_EACH)
    (tmp_path / "club.ndjson").write_bytes(b"\n".join(line.text for line in lines) + b"\n")
    found = [json.loads(line) for line in lines_of(ask("replay", "club.ndjson", "--jobs", "1", "--json").stdout)]
    for line, verdict in zip(lines, found, strict=True):
        assert verdict["verdict"] in line.verdicts, line.damage
        if line.move is not None:
            place = verdict["place"]
            before = line.text[: place["column"] - 1]
            assert before.count(b'"type"', before.index(b'"moves"')) == line.move + 1, "the place is in that move"
    shown = ask("replay", "club.ndjson", "--jobs", "1", "--all").stdout.splitlines()
    assert sum(": the same record as club.ndjson:" in line for line in shown) == OF_EACH
    answer = ask("repair", "club.ndjson", "--output", "out.ndjson", "--json")
    assert answer.exit_code == 2
    outcomes = [json.loads(line) for line in lines_of(answer.stdout)]
    by_damage: dict[str, Counter[str]] = {damage: Counter() for damage in DAMAGES}
    for line, outcome in zip(lines, outcomes, strict=True):
        if line.damage != UNDAMAGED:
            by_damage[line.damage][outcome["outcome"]] += 1
        if outcome["outcome"] == "repaired":
            assert not outcome["drops_claim"], "one remedy meets the claimed result"
            assert len(outcome["changes"]) == 1
    of_each = {damage: dict(outcomes) for damage, outcomes in by_damage.items()}
    repairable = ("illegal move", "missing draw", "wrong player", "swapped")
    repaired = {damage: {"repaired": OF_EACH} for damage in repairable}
    assert of_each == {
        **{damage: {"not-repaired": OF_EACH} for damage in DAMAGES},
        **repaired,
        "repeated": {"repeated": OF_EACH},
        "CRLF": {"kept": OF_EACH},
    }
    again = ask("replay", "out.ndjson", "--jobs", "1")
    assert again.exit_code == 0
    assert len((tmp_path / "out.ndjson").read_bytes().splitlines()) == sum(
        outcome["outcome"] in ("kept", "repaired") for outcome in outcomes
    )


@pytest.mark.long
def test_what_was_recorded_stays_as_a_comment(ask: Ask, tmp_path: Path) -> None:
    document: dict[str, Any] = short_games()[0]
    text = notation.written(all_games()[document["game"]], document)
    lines = text.split("\n")
    first = lines.index("") + 1
    seat = max(at for at in range(first, len(lines)) if lines[at][:2] in ("0 ", "1 "))
    other = str(1 - int(lines[seat][0]))
    spoilt = [*lines[:seat], f"{other}{lines[seat][1:]}  # mine", *lines[seat + 1 :]]
    (tmp_path / "a.capo").write_text("\n".join(["# by hand", *spoilt]), "utf-8")
    assert ask("repair", "a.capo", "--output", "b.capo").exit_code == 0
    mended = (tmp_path / "b.capo").read_text("utf-8").split("\n")
    assert mended == ["# by hand", *lines[:seat], f"{lines[seat]}  # was: {spoilt[seat]}", *lines[seat + 1 :]]
    assert ask("repair", "a.capo", "--output", "b.json").exit_code == 0
    tags = json.loads((tmp_path / "b.json").read_text("utf-8"))["tags"]
    assert f"“{other}{lines[seat][1:]}” becomes “{lines[seat]}”" in tags["repair-1"]
    assert ask("repair", "a.capo", "b.json", "--output", "d", "--json").exit_code == 0
    assert sorted(file.name for file in (tmp_path / "d").iterdir()) == ["a.capo", "b.json"]
    assert ask("repair", "a.capo", "b.json", "--output", "c.json").exit_code == 2
    assert not (tmp_path / "c.json").exists()


@pytest.mark.parametrize(
    "files",
    [
        ("a/x.ndjson", "a/y.ndjson", "b/x.ndjson"),
        ("a/x.json", "a/y.json", "b/x.json"),
        ("a/x.json", "b/x.json"),
        ("a/x.ndjson", "b/x.ndjson"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("by_name", [True, False])
def test_files_of_one_name_are_not_written_over_each_other(
    ask: Ask, tmp_path: Path, files: tuple[str, ...], by_name: bool
) -> None:
    for file, document in zip(files, short_games(), strict=False):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text(json.dumps(document), "utf-8")
    given = files if by_name else ("a", "b")
    answer = ask("repair", *given, "--output", "out")
    name = Path(files[0]).name
    assert (answer.exit_code, answer.stderr) == (2, f"out/{name} cannot be written: several files have this name.\n")
    assert not (tmp_path / "out").exists()
    assert ask("repair", *given, "--output", "out.ndjson").stdout.startswith(f"{len(files)} kept")
    assert ask("repair", *given[:1], given[0], "--output", "out").exit_code == 0


def test_records_over_several_lines_are_a_line_each_in_an_archive(ask: Ask, tmp_path: Path) -> None:
    documents = short_games()[:2]
    for number, document in enumerate(documents):
        (tmp_path / f"{number}.json").write_text(json.dumps(document, indent=2) + "\n", "utf-8")
    assert ask("repair", "0.json", "1.json", "--output", "out.ndjson").exit_code == 0
    assert [json.loads(line) for line in (tmp_path / "out.ndjson").read_bytes().splitlines()] == documents


@pytest.mark.parametrize("file", ["club.txt", "club.json", "club.capo"])
def test_files_of_lines_whatever_their_names_are_written_as_such_to_a_directory(
    ask: Ask, tmp_path: Path, file: str
) -> None:
    first, second = short_games()[:2]
    spoilt = {**second, "moves": [*second["moves"], second["moves"][-1]]}
    (tmp_path / file).write_bytes(b"".join(json.dumps(document).encode() + b"\n" for document in (first, spoilt)))
    answer = ask("repair", "--lines", file, "--output", "out")
    assert (answer.exit_code, answer.stderr) == (0, "")
    again = ask("replay", "--lines", f"out/{file}", "--jobs", "1")
    assert again.exit_code == 0
    assert "2 records" in again.stdout
