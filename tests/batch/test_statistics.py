"""Figures about games, compared with what the records say of themselves; the tables that are written; the filters."""

import json
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from capomastro.archive import Line, Terms
from capomastro.batch.sources import Record
from capomastro.batch.statistics import Collected, Comparison, Question, collect, read_collected
from tests.cli.conftest import Ask, ask
from tests.support.archives import short_games

__all__ = ["ask"]
DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "archives.md"


def collected(documents: list[dict[str, Any]], question: Question) -> Collected:
    records = [Record("a", Line(number, json.dumps(one).encode())) for number, one in enumerate(documents, 1)]
    (line,) = collect(records, Terms(), question)
    return read_collected(line)


def test_figures_are_those_of_the_records() -> None:
    documents = list(short_games())
    total = Collected()
    for document in documents:
        total.merge(collected([document], Question()))
    whole = collected(documents, Question())
    assert whole == total, "parts add up"
    for key, found in whole.figures.items():
        game, players = key.split(" ")
        own = [one for one in documents if (one["game"], one["players"]) == (game, int(players))]
        assert (found.games, found.finished) == (len(own), sum("result" in one for one in own))
        assert found.lengths == Counter(len(one["moves"]) for one in own)
        assert found.kinds == Counter(move["type"] for one in own for move in one["moves"])
        assert (
            found.decisions.total == found.choices.count == sum("seat" in move for one in own for move in one["moves"])
        )
        assert sum(phase.moves for phase in found.phases.values()) == sum(found.kinds.values())
        results = [one["result"] for one in own]
        for seat, figures in found.seats.items():
            assert figures.points.total == sum(one["players"][seat]["total"] for one in results)
            assert figures.wins == sum(1 / len(one["winners"]) for one in results if seat in one["winners"])
        assert sum(place.points.total for place in found.places.values()) == sum(
            player["total"] for one in results for player in one["players"] if player["place"] is not None
        )
        for number in (1, 2):
            firsts = [[move for move in one["moves"] if "seat" in move][number - 1]["type"] for one in own]
            assert Counter(firsts) == {
                name.split(" ")[1]: opening.games
                for name, opening in found.first_moves.items()
                if name.startswith(f"{number} ")
            }


@pytest.mark.parametrize(
    ("question", "admitted"),
    [
        (Question(players=("Ada",)), 1),
        (Question(players=("Ada", "Zoe")), 0),
        (Question(tags=(("place", "Bologna"),)), 1),
        (Question(since="2024"), 1),
        (Question(until="2024"), 1),
        (Question(since="2024-04"), 0),
        (Question(until="2024-02"), 0),
        (Question(rules_version=7), 0),
        (Question(where=(Comparison("/stage/type", "=", "game-over"),)), 1),
        (Question(where=(Comparison("/ply", ">=", 100_000),)), 0),
        (Question(where=(Comparison("/no/such", "=", 1),)), 0),
        (Question(where=(Comparison("/stage", "<", 1),)), 0),
    ],
)
def test_only_games_that_were_asked_for_count(question: Question, admitted: int) -> None:
    document: dict[str, Any] = dict(short_games()[0])
    names = ["Ada", "Bruno", "Carla", "Dora", "Emma"][: document["players"]]
    tagged = {**document, "names": names, "tags": {"date": "2024-03-09", "place": "Bologna"}}
    found = collected([tagged], question)
    assert (sum(one.games for one in found.figures.values()), found.others) == (admitted, 1 - admitted)


def test_the_command_prints_tables_csv_and_json(ask: Ask, tmp_path: Path) -> None:
    spoilt = {**short_games()[0], "moves": [*short_games()[0]["moves"], short_games()[0]["moves"][-1]]}
    (tmp_path / "a.ndjson").write_text("".join(json.dumps(one) + "\n" for one in (*short_games(), spoilt)))
    shown = ask("stats", "a.ndjson").stdout
    assert "Left out, with an illegal move or unusable: 1" in shown
    document = json.loads(ask("stats", "a.ndjson", "--json").stdout)
    assert document["left_out"] == 1
    assert sum(game["games"] for game in document["games"]) == len(short_games())
    rows = ask("stats", "a.ndjson", "--csv").stdout.splitlines()
    assert rows[0] == '"game","players","table","of","measure","value"'
    assert all(row.count(",") >= 5 for row in rows)
    assert ask("stats", "a.ndjson", "--where", "points").exit_code == 2
    for date in ("2024-13", "2023-02-29", "2024-3-9", "20240309", "2024-W01-1", "2024-", "202", "March", ""):
        assert ask("stats", "a.ndjson", "--since", date).exit_code == 2
        assert ask("stats", "a.ndjson", "--until", date).exit_code == 2
    assert ask("stats", "a.ndjson", "--since", "2024-02-29", "--until", "2024-03").exit_code == 0


def examples() -> Mapping[str, str]:
    """The examples for other programs in the documentation."""
    return dict(re.findall(r"```python (\w+)\n(.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL))


@pytest.mark.parametrize("program", ["duckdb", "pandas"])
def test_other_programs_read_the_tables_as_documented(
    program: str, ask: Ask, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pyarrow")
    pytest.importorskip(program)
    (tmp_path / "a.ndjson").write_text("".join(json.dumps(one) + "\n" for one in short_games()))
    assert ask("stats", "a.ndjson", "--parquet", "tables").exit_code == 0
    exec(examples()[program], {})  # the documentation's own example
    shown = capsys.readouterr().out
    assert str(len(short_games())) in shown


def test_tables_have_a_row_per_game_seat_and_move(ask: Ask, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    (tmp_path / "a.ndjson").write_text("".join(json.dumps(one) + "\n" for one in short_games()))
    ask("stats", "a.ndjson", "--parquet", "tables")
    games, results, moves = (
        parquet.read_table(tmp_path / "tables" / f"{name}.parquet") for name in ("games", "results", "moves")
    )
    assert games.column("plies").to_pylist() == [len(one["moves"]) for one in short_games()]
    assert results.column("points").to_pylist() == [
        player["total"] for one in short_games() for player in one["result"]["players"]
    ]
    assert moves.column("type").to_pylist() == [move["type"] for one in short_games() for move in one["moves"]]
    assert {field.name for field in moves.schema} == {
        "source",
        "line",
        "ply",
        "decision",
        "seat",
        "type",
        "legal_moves",
        "move",
    }
