"""The worked examples of the rulebook, over HTTP."""

from typing import Any

import pytest

from capomastro.api.application import create_app
from capomastro.games.carrara import stages
from capomastro.games.carrara.components import CITIES
from capomastro.games.carrara.state import State
from tests.api.asking import Asker
from tests.games.carrara.table import seat, table
from tests.support.documents import as_document

AT = "/v1/games/carrara/"
OBJECTS_OF_SEVEN = ["book", "book", "crown", "cup", "flag", "flag", "gate"]


@pytest.fixture(scope="module")
def ask() -> Asker:
    return Asker(create_app().test_client())


def transition(ask: Asker, state: Any, *moves: dict[str, Any]) -> Any:
    document = as_document(state) if isinstance(state, State) else state
    return ask.post(f"{AT}transitions", {"state": document, "moves": moves})


def refused(ask: Asker, state: State, move: dict[str, Any]) -> str | None:
    """The rule a move breaks, None if it is legal."""
    verdict = ask.post(f"{AT}verdicts", {"state": as_document(state), "move": move})
    return None if verdict["legal"] else str(verdict["refusal"]["rule"]).removeprefix("carrara.")


def test_the_first_purchase_of_a_game(ask: Asker) -> None:
    state = ask.post(f"{AT}setups", {"players": 4, "seed": "1"})["state"]
    turned = transition(ask, state, {"type": "turn-wheel", "seat": 0})
    assert turned["state"]["wheel"] == {
        "I": [],
        "II": ["black", "blue", "green", "red", "white", "yellow"],
        "III": [],
        "IV": [],
        "V": [],
        "VI": [],
    }
    assert turned["decision"] == {"actor": "chance", "kind": "draw-block"}
    drawn = [{"type": "draw-block", "block": block} for block in ("white", "black", "red", "white", "blue")]
    filled = transition(ask, turned["state"], *drawn)
    assert filled["state"]["wheel"]["I"] == ["black", "blue", "red", "white", "white"]
    assert filled["decision"] == {"actor": "seat", "kind": "buy-blocks", "seat": 0}
    blocks = ["black", "blue", "green"]
    bought = transition(ask, filled["state"], {"type": "buy-blocks", "seat": 0, "section": "II", "blocks": blocks})
    assert bought["events"][0]["price"] == 2 + 1 + 0
    assert bought["state"]["seats"][0]["coins"] == 20 - 3
    assert bought["state"]["seats"][0]["blocks"] == ["black", "black", "blue", "green"]


def test_a_white_and_a_yellow_block_of_section_vi_cost_one_coin(ask: Asker) -> None:
    sections = ("kk", "rgk", "", "bb", "gk", "wy")
    state = table(seat(coins=1), seat(), stage=stages.BuyBlocks(), sections=sections)
    bought = transition(ask, state, {"type": "buy-blocks", "seat": 0, "section": "VI", "blocks": ["yellow", "white"]})
    assert bought["events"][0]["price"] == 1 + 0
    assert bought["state"]["seats"][0]["coins"] == 0


def test_a_villa_of_cost_3_for_a_red_and_two_green_blocks(ask: Asker) -> None:
    state = table(seat("rgg"), seat(), face_up="vi3 li1 li2 li3 li4 li5 pa1 pa2 pa3")
    villa = {"type": "build", "seat": 0, "building": "villa-3", "payment": ["red", "green", "green"]}
    assert refused(ask, state, {**villa, "city": "viareggio"}) is None
    for city in ("lucca", "pisa", "livorno"):
        assert refused(ask, state, {**villa, "city": city}) == "build.city"
    built = transition(ask, state, {**villa, "city": "viareggio"})
    assert built["state"]["seats"][0]["cities"]["viareggio"] == ["villa-3"]
    assert built["state"]["seats"][0]["blocks"] == []
    assert built["derived"]["bag"]["green"] == 7 - 1  # one lies on the wheel


def test_a_palace_of_cost_4_for_a_red_a_green_and_two_blue_blocks(ask: Asker) -> None:
    state = table(seat("rgbb"), seat(), face_up="pa4 li1 li2 li3 li4 li5 pa1 pa2 pa3")
    palace = {"type": "build", "seat": 0, "building": "palace-4", "payment": ["red", "green", "blue", "blue"]}
    legal = [city for city in CITIES if refused(ask, state, {**palace, "city": city}) is None]
    assert legal == ["massa", "lerici"]


def test_scoring_the_libraries(ask: Asker) -> None:
    state = table(seat(pisa="li3 vi1", massa="li2 pa5 pa1"), seat())
    scored = transition(ask, state, {"type": "score-type", "seat": 0, "building_type": "library"})
    (event,) = scored["events"]
    assert (event["coins"], event["points"], event["objects"]) == (9, 2, ["book", "book"])
    scorer = scored["state"]["seats"][0]
    assert (scorer["coins"], scorer["points"], scorer["objects"]) == (9, 2, ["book", "book"])
    assert scorer["scored_types"] == ["library"]


def test_scoring_the_palaces(ask: Asker) -> None:
    state = table(seat(massa="li2 pa5 pa1"), seat())
    (event,) = transition(ask, state, {"type": "score-type", "seat": 0, "building_type": "palace"})["events"]
    assert (event["coins"], event["points"], event["objects"]) == (0, 6, ["crown", "crown"])


def test_scoring_massa(ask: Asker) -> None:
    state = table(seat(massa="pa1 ga3 cs5"), seat())
    (event,) = transition(ask, state, {"type": "score-city", "seat": 0, "city": "massa"})["events"]
    assert (event["coins"], event["points"], event["objects"]) == (0, 9, ["crown", "flag", "gate"])


def test_scoring_pisa(ask: Asker) -> None:
    state = table(seat(pisa="li2 vi4"), seat())
    scored = transition(ask, state, {"type": "score-city", "seat": 0, "city": "pisa"})
    event = scored["events"][0]
    assert (event["coins"], event["points"], event["objects"]) == (18, 0, ["book", "coat-of-arms"])
    assert scored["decision"] == {"actor": "seat", "kind": "buy-object", "seat": 0}


def scored_sheet(ask: Asker, *seats: dict[str, Any]) -> Any:
    return ask.post(f"{AT}scores", {"scoresheet": {"game": "carrara", "schema_version": 1, "seats": seats}})["result"]


@pytest.mark.parametrize("objects", [7, OBJECTS_OF_SEVEN])
def test_the_final_scoring_of_a_game_for_four(ask: Asker, objects: Any) -> None:
    # 5 points for announcing the end make it a finished game
    ours = {"points": 5, "objects": objects, "costs": [1, 4, 3, 5, 2, 3, 5], "coins": 4, "blocks": 0}
    others = {"points": 0, "objects": 0, "costs": [], "coins": 0, "blocks": 0}
    player = scored_sheet(ask, ours, others, others, others)["players"][0]
    assert [line["points"] for line in player["lines"]] == [5, 21, 23, 0]
    assert player["total"] == 44 + 5


def test_the_final_scoring_of_a_game_for_two(ask: Asker) -> None:
    ours = {"points": 0, "objects": 6, "costs": [2, 4, 4, 3, 5, 1, 2, 4], "coins": 31, "blocks": 0}
    other = {"points": 5, "objects": 8, "costs": [5, 5, 5, 5, 5, 3, 2], "coins": 0, "blocks": 0}
    player = scored_sheet(ask, ours, other)["players"][0]
    assert [line["points"] for line in player["lines"]] == [0, 18, 25, 6]
    assert player["total"] == 49
