"""Suggested moves over HTTP: requests, answers and refusals."""

from itertools import cycle
from typing import Any

import pytest

from capomastro.api.application import create_app
from capomastro.games import all_games
from tests.api.asking import Asker

every_game = pytest.mark.parametrize("game", all_games().values(), ids=all_games())


@pytest.mark.parametrize(("game_id", "player"), list(zip(all_games(), cycle(["random", "planning"]), strict=False)))
def test_a_whole_game_is_played_by_suggestions(ask: Asker, game_id: str, player: str) -> None:
    game = all_games()[game_id]
    base = f"/v1/games/{game.id}"
    here = ask.post(f"{base}/setups", {"players": game.players[0], "seed": "7"})
    answer = suggested(ask, base, here, player)
    for _ in range(5_000):
        if "move" not in answer:
            break
        here = ask.post(f"{base}/transitions", {"state": here["state"], "moves": [answer["move"]], "seed": "7"})
        answer = suggested(ask, base, here, player)
    assert "result" in here
    assert answer == {"decision": here["decision"]}
    assert answer["decision"]["actor"] == "none"


def suggested(ask: Asker, base: str, here: Any, player: str) -> Any:
    answer = ask.post(f"{base}/suggestions", {"state": here["state"], "player": player, "seed": "7"})
    assert answer["decision"] == here["decision"]
    return answer


def test_every_process_suggests_the_same(ask: Asker, auction: dict[str, Any]) -> None:
    question = {"state": auction, "player": "random", "seed": "7"}
    with create_app().test_client() as other:
        answers = [ask.send("suggestions", question).get_data(), Asker(other).send("suggestions", question).get_data()]
    assert answers[0] == answers[1] == ask.send("suggestions", question).get_data()


def test_omitted_members_have_defaults(ask: Asker, auction: dict[str, Any]) -> None:
    whole = {"state": auction, "player": "planning", "seed": "", "texts": False}
    assert ask.post("suggestions", {"state": auction}) == ask.post("suggestions", whole)


def test_the_text_of_a_suggestion_is_in_the_requested_language(ask: Asker) -> None:
    begun = ask.post("setups", {"players": 2, "names": ["Ada", "Bruno"], "seed": "7"})
    question = {"state": begun["state"], "texts": True}
    english = ask.post("suggestions", question)
    answer = ask.send("suggestions", question, **{"Accept-Language": "it"})
    assert answer.headers["Content-Language"] == "it"
    assert answer.json is not None
    assert (answer.json["move"], english["move"]) == ({"type": "take-money", "seat": 0},) * 2
    assert (english["text"], answer.json["text"]) == ("Ada takes money", "Ada prende denaro")
    assert "text" not in ask.post("suggestions", {"state": begun["state"]})


def test_suggestions_depend_only_on_the_view_of_the_seat(ask: Asker, auction: dict[str, Any]) -> None:
    seat = ask.post("suggestions", {"state": auction})["decision"]["seat"]
    seen = ask.post("views", {"state": auction, "seat": seat})["state"]
    assert seen != auction
    for seed in "1234":
        question = {"player": "random", "seed": seed}
        assert ask.post("suggestions", {"state": seen, **question}) == ask.post(
            "suggestions", {"state": auction, **question}
        )


def test_there_is_no_suggestion_for_chance(ask: Asker) -> None:
    state = ask.post("setups", {"players": 2})["state"]
    problem = ask.refused("suggestions", {"state": state})
    assert problem["type"] == "/v1/problems/no-suggestion"
    told = "Chance decides here: draw first, by `transitions` or `capomastro move`, with a seed and without moves."
    assert problem["detail"] == told
    assert [error["pointer"] for error in problem["errors"]] == ["/state/stage"]
    assert ask.post(
        "suggestions", {"state": ask.post("transitions", {"state": state, "moves": [], "seed": "7"})["state"]}
    )


def test_without_the_hand_there_may_be_no_suggestion(ask: Asker) -> None:
    base = "/v1/games/campanile"
    begun = ask.post(f"{base}/setups", {"players": 2, "seed": "7", "views": [0, 1, None]})
    own, *others = (view["state"] for view in begun["views"])
    assert ask.post(f"{base}/suggestions", {"state": own}) == ask.post(f"{base}/suggestions", {"state": begun["state"]})
    for seen in others:
        problem = ask.refused(f"{base}/suggestions", {"state": seen})
        assert problem["type"] == "/v1/problems/no-suggestion"
        assert [error["pointer"] for error in problem["errors"]] == ["/state/seats/0/hand"]


@pytest.mark.parametrize(
    ("members", "pointer", "message"),
    [
        ({"player": "best"}, "/player", "must be one of: random, planning"),
        ({"player": None}, "/player", "must not be null"),
        ({"seed": 7}, "/seed", "must be a string"),
        ({"seed": "7" * 201}, "/seed", "must have 0 to 200 characters"),
        ({"texts": 1}, "/texts", "must be true or false"),
        ({"hint": 0}, "/hint", "is not a member this object can have"),
    ],
)
def test_requests_of_the_wrong_shape_are_refused(
    ask: Asker, auction: dict[str, Any], members: dict[str, Any], pointer: str, message: str
) -> None:
    problem = ask.refused("suggestions", {"state": auction, **members})
    assert problem["type"] == "/v1/problems/envelope"
    assert [(error["pointer"], error["message"]) for error in problem["errors"]] == [(pointer, message)]


def test_an_impossible_state_gets_no_suggestion(ask: Asker, auction: dict[str, Any]) -> None:
    assert ask.refused("suggestions", {"state": {**auction, "riders": 5}})["type"] == "/v1/problems/impossible-state"
    assert ask.refused("suggestions", {"state": {}})["type"] == "/v1/problems/shape"
    assert ask.refused("suggestions", {})["type"] == "/v1/problems/envelope"
