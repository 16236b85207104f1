"""Texts: moves and events as sentences, which change nothing else in an answer."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from capomastro.documents import json_text
from capomastro.engine.game import AnyGame
from capomastro.games import all_games
from tests.api.asking import Asker
from tests.support.recorded import SPECTATOR, label, record_files, records_of, replay_of

every_game = pytest.mark.parametrize("game", list(all_games().values()), ids=lambda game: game.id)
NAMES = ["Ada", "Bruno", "Chiara", "Dario", "Elsa"]
TEXTS = {"text", "texts", "course", "nearest_texts", "remedy_text"}
"""The members with sentences."""


def without_texts(answer: Any) -> Any:
    if isinstance(answer, dict):
        return {name: without_texts(member) for name, member in answer.items() if name not in TEXTS}
    return [*map(without_texts, answer)] if isinstance(answer, list) else answer


def sentences(answer: Any) -> Iterator[str]:
    """All sentences in an answer."""
    members = answer.items() if isinstance(answer, dict) else enumerate(answer) if isinstance(answer, list) else ()
    for name, member in members:
        if name in TEXTS and name != "course":
            yield from [member] if isinstance(member, str) else member
        else:
            yield from sentences(member)


def recorded(game: AnyGame) -> dict[str, Any]:
    """A recorded game, with names."""
    replay = next(replay_of(file) for file in records_of(game.id))
    return {**replay.document, "names": NAMES[: replay.players]}


@every_game
def test_texts_change_nothing_else_in_the_answer(ask: Asker, game: AnyGame) -> None:
    at = f"/v1/games/{game.id}"
    setup = {"players": game.players[0], "names": NAMES[: game.players[0]], "seed": "7", "views": [0, None]}
    for path, body in questions(ask, at, {**setup, "legal_moves": 5}, recorded(game)):
        silent, with_texts = ask.post(f"{at}/{path}", body), ask.post(f"{at}/{path}", {**body, "texts": True})
        assert not list(sentences(silent))
        assert list(sentences(with_texts))
        assert without_texts(with_texts) == silent
        assert ask.post(f"{at}/{path}", {**body, "texts": False}) == silent


def questions(ask: Asker, at: str, setup: Any, record: Any) -> Iterator[tuple[str, Any]]:
    """A request for every resource that has texts: its name and its body."""
    yield "setups", setup
    begun = ask.post(f"{at}/setups", setup)
    for all_payments in ("minimal", "all"):
        yield "legal-moves", {"state": begun["state"], "payments": all_payments, "explain": True}
    open_game = ask.post(f"{at}/setups", {"players": setup["players"]})
    yield "legal-moves", {"state": open_game["state"]}
    yield "suggestions", {"state": begun["state"]}
    move = begun["legal_moves"]["moves"][0]
    yield "transitions", {"state": begun["state"], "moves": [move], "seed": "7", "views": [0, None], "legal_moves": 5}
    for judged in (move, {**move, "seat": len(setup["names"])}):
        yield "verdicts", {"state": begun["state"], "move": judged, "nearest": 3}
        yield "verdicts", {"state": begun["state"], "move": judged}
    yield "replays", {"record": record}
    for repair in ("skip", "correct"):
        yield "replays", {"record": {**record, "moves": record["moves"][1:]}, "repair": repair}
    yield "views", {"record": record, "seat": None}
    yield "views", {"record": record, "seat": 0}


@every_game
def test_every_event_and_every_move_has_its_sentence(ask: Asker, game: AnyGame) -> None:
    at = f"/v1/games/{game.id}"
    setup = {"players": game.players[0], "names": NAMES[: game.players[0]], "seed": "7", "views": [None]}
    answer = ask.post(f"{at}/setups", {**setup, "legal_moves": 3, "texts": True})
    for one in (answer, *answer["views"]):
        assert all(event["text"] for event in one["events"])
        assert len(one["texts"]) == len(one["moves"])
    assert len(answer["legal_moves"]["texts"]) == len(answer["legal_moves"]["moves"])
    name = NAMES[answer["decision"]["seat"]]
    assert all(text.startswith(name) for text in answer["legal_moves"]["texts"])


@every_game
def test_a_replay_has_texts_for_every_move(ask: Asker, game: AnyGame) -> None:
    at = f"/v1/games/{game.id}"
    record = recorded(game)
    answer = ask.post(f"{at}/replays", {"record": record, "texts": True})
    assert [entry["move"] for entry in answer["course"]] == record["moves"]
    assert all(entry["text"] and all(event["text"] for event in entry["events"]) for entry in answer["course"])
    states = [ply.before for ply in replay_of(records_of(game.id)[0]).plies]
    assert [entry["active_seat"] for entry in answer["course"]] == [state.active_seat for state in states]
    points = [0] * record["players"]
    for event in (event for entry in answer["course"] for event in entry["events"] if "points" in event):
        points[event["seat"]] += event["points"]
    assert points == [player["total"] for player in answer["result"]["players"]] == answer["course"][-1]["points"]
    assert any(any(entry["points"]) for entry in answer["course"][: len(record["moves"]) // 2])


@every_game
def test_a_divergent_replay_has_texts_up_to_the_divergence(ask: Asker, game: AnyGame) -> None:
    record = recorded(game)
    broken = {**record, "moves": record["moves"][1:]}
    answer = ask.post(f"/v1/games/{game.id}/replays", {"record": broken, "texts": True, "repair": "correct"})
    first, lenient = answer["first_divergence"], answer["lenient"]
    assert len(answer["course"]) == answer["plies"]
    assert first["text"]
    assert len(first["nearest_texts"]) == len(first["nearest"])
    for one in lenient["divergences"]:
        assert one["text"]
        assert ("move" in one["remedy"]) == ("remedy_text" in one)


@pytest.mark.parametrize("file", [one for one in record_files() if one.stem.endswith(SPECTATOR)], ids=label)
def test_texts_of_a_view_reveal_only_what_the_viewer_knows(ask: Asker, file: Path) -> None:
    """The view of a record has exactly the texts of a replay of that viewer's own record."""
    full = json_text.decode(file.with_stem(file.stem.removesuffix(SPECTATOR)).read_bytes())
    at = f"/v1/games/{full['game']}"
    for seat in (0, None):
        seen = ask.post(f"{at}/views", {"record": full, "seat": seat, "texts": True})
        if seat is None:
            with_texts = ask.post(f"{at}/replays", {"record": seen["record"], "texts": True})
            assert seen["course"] == with_texts["course"]
        assert len(seen["course"]) == len(full["moves"])


def test_texts_are_in_the_requested_language(ask: Asker) -> None:
    body = {"players": 2, "names": ["Ada", "Bruno"], "seed": "7", "texts": True, "legal_moves": 1}
    responses = {
        language: ask.send("setups", body, **{"Accept-Language": language}) for language in ("en", "de", "es", "it")
    }
    texts = {language: response.get_json()["legal_moves"]["texts"] for language, response in responses.items()}
    assert len({*map(tuple, texts.values())}) == len(texts)
    assert all(response.headers["Content-Language"] == language for language, response in responses.items())


def test_a_move_of_a_seat_that_does_not_exist_has_a_text_with_its_number(ask: Asker) -> None:
    record = recorded(all_games()["palazzo"])
    place = next(index for index, move in enumerate(record["moves"]) if "seat" in move)
    moves = [*record["moves"][:place], {**record["moves"][place], "seat": 3}]
    answer = ask.post("/v1/games/palazzo/replays", {"record": {**record, "moves": moves}, "texts": True})
    assert "Seat 3" in answer["first_divergence"]["text"]
