"""`capomastro perft`: states and set-ups of the conformance kit."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Ask
from tests.support.conformance import CONFORMANCE

AskJson = Callable[..., Any]
Save = Callable[[str, Any], str]

SETUP = CONFORMANCE / "palazzo" / "perft" / "begin-2.json"
NEW = ("new", "palazzo", "--players", "2", "--seed", "1")


@pytest.fixture
def setup(save: Save) -> Callable[..., str]:
    """A set-up of the kit with its first four counts, and the changes of a test."""

    def write(**changes: Any) -> str:
        document = json.loads(SETUP.read_text("utf-8"))
        document["sequences"] = document["sequences"][:4]
        return save("setup.json", {**document, **changes})

    return write


def test_a_set_up_is_counted_to_its_published_depth_and_compared(ask: Ask, setup: Callable[..., str]) -> None:
    shown = ask("perft", setup())
    assert shown.exit_code == 0
    rows = [line.split(maxsplit=2) for line in shown.stdout.splitlines()[3:]]
    assert rows == [[str(depth), number, "as published"] for depth, number in enumerate(["2", "9", "22", "80"], 1)]


def test_a_differing_count_is_reported(ask: Ask, ask_json: AskJson, setup: Callable[..., str]) -> None:
    file = setup(sequences=[2, 9, 23])
    shown = ask("perft", file)
    assert shown.exit_code == 1
    assert "WRONG: 23 is published" in shown.stdout
    assert ask("perft", file, "--depth", "2").exit_code == 0
    assert ask("perft", file, "--depth", "3", "--divide").exit_code == 1
    assert ask_json("perft", file)["as_published"] is False


def test_the_moves_of_the_first_decision_divide_the_number(
    ask: Ask, ask_json: AskJson, setup: Callable[..., str]
) -> None:
    shown = ask("perft", setup(), "--depth", "3", "--divide")
    assert [line.split()[:2] for line in shown.stdout.splitlines()[2:]] == [
        ["2", "take-money"],
        ["20", "build"],
        ["22", "in"],
    ]
    answer = ask_json("perft", setup(), "--depth", "3", "--divide")
    assert answer["moves"] == [
        {"move": {"type": "take-money", "seat": 0}, "sequences": 2},
        {"move": {"type": "build", "seat": 0}, "sequences": 20},
    ]
    assert (answer["sequences"], answer["depth"], answer["as_published"]) == (22, 3, True)


def test_a_state_is_counted_with_the_given_seed(ask: Ask, ask_json: AskJson, save: Save) -> None:
    answer = ask_json(*NEW)
    bare, in_answer = save("state.json", answer["state"]), save("answer.json", answer)
    for file in (bare, in_answer):
        assert ask_json("perft", file, "--depth", "4", "--seed", "1")["sequences"] == [2, 9, 22, 80]
        assert "as_published" not in ask_json("perft", file, "--depth", "1")
    assert ask_json("perft", bare, "--depth", "4", "--seed", "2")["sequences"] != [2, 9, 22, 80]
    assert ask_json("perft", bare, "--depth", "1")["seed"] == "0"
    assert ask("perft", bare).exit_code == 2


def test_numbers_of_another_seed_or_other_payments_are_not_compared(
    ask: Ask, ask_json: AskJson, setup: Callable[..., str]
) -> None:
    file = setup(sequences=[77])
    assert ask("perft", file).exit_code == 1
    for other in (("--seed", "2"), ("--payments", "all")):
        assert ask("perft", file, "--depth", "1", *other).exit_code == 0
        assert "as_published" not in ask_json("perft", file, "--depth", "1", *other)
    for same in (("--seed", "1"), ("--payments", "minimal")):
        assert ask("perft", file, "--depth", "1", *same).exit_code == 1


def test_chance_at_the_beginning_is_drawn_and_after_the_end_nothing_is_counted(
    ask_json: AskJson, save: Save, tmp_path: Path
) -> None:
    begun = save("begun.json", ask_json("new", "palazzo", "--players", "2"))
    assert ask_json("perft", begun, "--depth", "3", "--seed", "1")["sequences"] == [2, 9, 22]
    record = CONFORMANCE / "palazzo" / "records" / "two-plan.json"
    over = save("over.json", {"state": ask_json("replay", str(record))["state"]})
    assert ask_json("perft", over, "--depth", "2")["sequences"] == [0, 0]


@pytest.mark.parametrize(
    "changes",
    [
        {"sequences": "2, 9"},
        {"sequences": [2, None]},
        {"sequences": [2, True]},
        {"seed": 1},
        {"payments": "some"},
    ],
)
def test_files_that_are_not_set_ups_are_refused(ask: Ask, setup: Callable[..., str], changes: dict[str, Any]) -> None:
    shown = ask("perft", setup(**changes))
    assert shown.exit_code == 2
    assert "not a perft set-up" in shown.stderr


def test_an_impossible_state_is_refused_with_pointers_into_the_file(ask: Ask, setup: Callable[..., str]) -> None:
    state = json.loads(SETUP.read_text("utf-8"))["state"]
    shown = ask("perft", setup(state={**state, "active_seat": 2}))
    assert shown.exit_code == 2
    assert "/state/active_seat" in shown.stderr


def test_of_several_files_the_one_that_cannot_be_counted_is_named(ask: Ask, setup: Callable[..., str]) -> None:
    shown = ask("perft", setup(), "nowhere.json")
    assert shown.exit_code == 2
    assert shown.stderr.startswith("nowhere.json: The file cannot be read")
