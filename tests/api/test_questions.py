"""The POST resources for every game over HTTP: a whole game can be played, judged, replayed and scored."""

from collections import Counter
from random import Random
from typing import Any

import pytest
from werkzeug.test import TestResponse

from capomastro.documents import json_text
from capomastro.documents.shapes import documents_of
from capomastro.engine.game import AnyGame
from capomastro.games import all_games
from tests.api.asking import Asker, pointers
from tests.support.documents import as_document
from tests.support.hidden import occurrences, secrets_of, shown_beyond
from tests.support.playouts import play_out
from tests.support.shapes import shape_of

every_game = pytest.mark.parametrize(
    "game", [game for game in all_games().values() if "record" in documents_of(game.id)], ids=lambda game: game.id
)


def is_shaped(game: AnyGame, kind: str, document: Any) -> bool:
    shape = shape_of(game.id, kind)
    return shape.accepts(document) or not shape.errors(document)


@every_game
def test_a_game_from_set_up_to_score(ask: Asker, game: AnyGame) -> None:
    """Plays a random game as a client does: each request sends what the last answer offered."""
    random = Random(7)
    at = f"/v1/games/{game.id}"
    players = game.players[0]
    names = [f"player {seat}" for seat in range(players)]
    answer = ask.post(f"{at}/setups", {"players": players, "names": names, "seed": "7"})
    played = answer["moves"]
    points: Counter[int] = Counter()
    record = {
        "game": game.id,
        "schema_version": answer["state"]["schema_version"],
        "rules_version": game.rules_version,
        "players": players,
        "names": names,
        "options": answer["state"]["options"],
    }
    for _ in range(20_000):
        assert is_shaped(game, "state", answer["state"])
        assert answer["state_hash"] == json_text.state_hash(answer["state"])
        for event in answer["events"]:
            points[event.get("seat", -1)] += event.get("points", 0)
        if answer["decision"]["actor"] == "none":
            break
        moves = ask.post(f"{at}/legal-moves", {"state": answer["state"], "limit": 20})
        assert moves["decision"] == answer["decision"]
        assert len(moves["moves"]) == min(20, moves["total"])
        move = random.choice(moves["moves"])
        answer = ask.post(f"{at}/transitions", {"state": answer["state"], "moves": [move], "seed": "7"})
        played += answer["moves"]
    assert ask.post(f"{at}/audits", {"state": answer["state"]}) == {"findings": []}
    assert ask.post(f"{at}/scores", {"state": answer["state"]}) == {"result": answer["result"]}
    totals = [player["total"] for player in answer["result"]["players"]]
    assert totals == [points[seat] for seat in range(players)]
    for claim in ({"result": answer["result"]}, {"totals": totals}, {"result": answer["result"], "totals": totals}):
        judged = ask.post(f"{at}/replays", {"record": {**record, "moves": played, **claim}})
        assert judged["legal"]
        assert judged["claimed_result_matches"]
        assert judged["plies"] == len(played)
        assert judged["state"] == answer["state"]
    wrong = ask.post(f"{at}/replays", {"record": {**record, "moves": played, "totals": [99] * players}})
    assert not wrong["claimed_result_matches"]


@every_game
def test_without_a_seed_chance_is_to_move(ask: Asker, game: AnyGame) -> None:
    at = f"/v1/games/{game.id}"
    answer = ask.post(f"{at}/setups", {"players": game.players[-1]})
    assert answer["state"]["ply"] == 0
    assert answer["moves"] == []
    if answer["decision"]["actor"] == "chance":
        page = ask.post(f"{at}/legal-moves", {"state": answer["state"], "limit": 1000})
        assert len(page["probabilities"]) == len(page["moves"])
        for move in page["moves"][:3]:
            after = ask.post(f"{at}/transitions", {"state": answer["state"], "moves": [move]})
            assert after["state"]["ply"] == 1


@every_game
def test_one_request_serves_a_whole_table(ask: Asker, game: AnyGame) -> None:
    """The views of a transition are those of the views resource, and its moves those of `legal-moves`."""
    at = f"/v1/games/{game.id}"
    players = game.players[-1]
    *_, ply = (ply for _, ply in zip(range(40), play_out(game, players, seed="5"), strict=False))
    viewers = [*range(players), None]
    answer = ask.post(
        f"{at}/transitions",
        {"state": as_document(ply.before), "moves": [as_document(ply.move)], "views": viewers, "legal_moves": 5},
    )
    assert [view["seat"] for view in answer["views"]] == viewers
    for view in answer["views"]:
        alone = ask.post(f"{at}/views", {"state": answer["state"], "seat": view["seat"]})
        assert alone == {"state": view["state"]}
        assert is_shaped(game, "state", view["state"])
    assert answer["legal_moves"] == ask.post(f"{at}/legal-moves", {"state": answer["state"], "limit": 5})


@every_game
def test_a_set_up_serves_a_whole_table_too(ask: Asker, game: AnyGame) -> None:
    at = f"/v1/games/{game.id}"
    players = game.players[-1]
    viewers = [*range(players), None]
    answer = ask.post(f"{at}/setups", {"players": players, "seed": "5", "views": viewers, "legal_moves": 5})
    assert [view["seat"] for view in answer["views"]] == viewers
    begun = ask.post(f"{at}/setups", {"players": players})
    drawn = ask.post(f"{at}/transitions", {"state": begun["state"], "moves": [], "seed": "5", "views": viewers})
    assert answer["views"] == drawn["views"]
    assert answer["legal_moves"] == ask.post(f"{at}/legal-moves", {"state": answer["state"], "limit": 5})
    problem = ask.refused(f"{at}/setups", {"players": players, "views": [None, players]})
    assert (problem["id"], pointers(problem)) == ("no-such-seat", ["/views/1"])


@every_game
def test_a_verdict_has_the_nearest_legal_moves_on_request(ask: Asker, game: AnyGame) -> None:
    at = f"/v1/games/{game.id}"
    begun = ask.post(f"{at}/setups", {"players": game.players[0], "seed": "5", "legal_moves": 1})
    move = begun["legal_moves"]["moves"][0]
    wrong = {**move, "seat": 1 - move["seat"]}
    question = {"state": begun["state"], "move": wrong}
    assert ask.post(f"{at}/verdicts", {**question, "move": move, "nearest": 3}) == {"legal": True}
    without = ask.post(f"{at}/verdicts", question)
    assert without.keys() == {"legal", "refusal"}
    answer = ask.post(f"{at}/verdicts", {**question, "nearest": 3})
    assert {name: answer[name] for name in without} == without
    assert 0 < len(answer["nearest"]) <= 3
    assert answer["nearest"][0] == {"move": move, "distance": 2, "differs": ["seat"]}
    record = {
        **{name: begun["state"][name] for name in ("game", "schema_version", "rules_version", "options")},
        "players": game.players[0],
        "moves": [*begun["moves"], wrong],
    }
    replayed = ask.post(f"{at}/replays", {"record": record})["first_divergence"]["nearest"]
    assert replayed == ask.post(f"{at}/verdicts", {**question, "nearest": 5})["nearest"]


@every_game
def test_views_in_an_answer_reveal_no_secrets(ask: Asker, game: AnyGame) -> None:
    players = game.players[-1]
    for ply in list(play_out(game, players, seed="11"))[::25]:
        body = {"state": as_document(ply.before), "moves": [as_document(ply.move)], "views": [*range(players), None]}
        for view in ask.post(f"/v1/games/{game.id}/transitions", body)["views"]:
            assert not occurrences(view, secrets_of(ply.after, view["seat"]))
            assert not shown_beyond(view["state"], ply.after, view["seat"])


def test_pages_of_moves_join_to_the_whole_list(ask: Asker, auction: dict[str, Any]) -> None:
    whole = ask.post("legal-moves", {"state": auction, "limit": 1000})
    joined, cursor = [], None
    while True:
        page = ask.post("legal-moves", {"state": auction, "limit": 7} | ({"cursor": cursor} if cursor else {}))
        joined += page["moves"]
        assert page["total"] == whole["total"]
        cursor = page.get("next_cursor")
        if cursor is None:
            break
    assert joined[: len(whole["moves"])] == whole["moves"]
    assert len(joined) == whole["total"]


def test_unavailable_kinds_name_their_rule(ask: Asker) -> None:
    state = ask.post("setups", {"players": 2, "seed": "7"})["state"]
    answer = ask.post("legal-moves", {"state": state, "explain": True})
    assert {one["type"] for one in answer["unavailable"]} == {"rebuild-take-out", "rebuild-insert", "rebuild-remove"}
    for one in answer["unavailable"]:
        assert ask.get(f"/v1/games/palazzo/rules/{one['rule']}")["id"] == one["rule"]


def test_a_verdict_names_the_rule_and_the_place(ask: Asker, auction: dict[str, Any]) -> None:
    seat = auction["stage"]["seat"]
    assert ask.post("verdicts", {"state": auction, "move": {"type": "pass", "seat": seat}}) == {"legal": True}
    verdict = ask.post("verdicts", {"state": auction, "move": {"type": "pass", "seat": (seat + 1) % 3}})
    assert not verdict["legal"]
    refusal = verdict["refusal"]
    assert (refusal["rule"], refusal["pointer"]) == ("palazzo.turn.seat", "/move/seat")
    assert refusal["message"]
    assert ask.get(f"/v1/games/palazzo/rules/{refusal['rule']}")["wording"]


def test_audits_and_problems_list_the_same_findings(ask: Asker, auction: dict[str, Any]) -> None:
    twice = {**auction, "removed": [*auction["removed"], "marble-5-1", "marble-5-1"], "riders": 5}
    findings = ask.post("audits", {"state": twice})["findings"]
    assert findings
    problem = ask.refused("legal-moves", {"state": twice})
    assert problem["id"] == "impossible-state"
    assert problem["errors"] == findings
    for finding in findings:
        assert ask.get(f"/v1/games/palazzo/rules/{finding['rule']}")


def test_a_scoresheet_is_scored_with_every_line(ask: Asker) -> None:
    palaces = [["brick-1-2", "brick-2-3", "brick-3-1"]]
    sheet = {"game": "palazzo", "schema_version": 1, "seats": [{"palaces": palaces}, {"palaces": []}]}
    result = ask.post("scores", {"scoresheet": sheet})["result"]
    assert result["winners"] == [0]
    assert sum(line["points"] for line in result["players"][0]["lines"]) == result["players"][0]["total"]


def test_a_record_of_other_rules_can_be_judged_by_current_rules(ask: Asker, record: dict[str, Any]) -> None:
    other = {**record, "rules_version": record["rules_version"] + 1}
    assert ask.refused("replays", {"record": other})["id"] == "other-version"
    assert ask.post("replays", {"record": other, "under_current_rules": True})["legal"]


def test_a_record_that_breaks_a_rule_is_answered_with_the_place(ask: Asker, record: dict[str, Any]) -> None:
    index = next(index for index, move in enumerate(record["moves"]) if "seat" in move)
    moves = [*record["moves"]]
    moves[index] = {**moves[index], "seat": 1 - moves[index]["seat"]}
    answer = ask.post("replays", {"record": {**record, "moves": moves}})
    assert (answer["legal"], answer["plies"]) == (False, index)
    divergence = answer["first_divergence"]
    assert divergence["index"] == index
    assert divergence["move"] == moves[index]
    assert divergence["refusal"]["rule"] == "palazzo.turn.seat"
    assert divergence["refusal"]["pointer"] == f"/record/moves/{index}/seat"


def test_a_record_with_an_illegal_move_is_repaired_on_request(ask: Asker, record: dict[str, Any]) -> None:
    index = next(index for index, move in enumerate(record["moves"]) if "seat" in move)
    slipped = {**record, "moves": [*record["moves"][:index], *record["moves"][index + 1 :]]}
    answer = ask.post("replays", {"record": slipped})
    assert "lenient" not in answer
    state = answer["state"]
    for near in answer["first_divergence"]["nearest"]:
        assert ask.post("verdicts", {"state": state, "move": near["move"]})["legal"]
    lenient = ask.post("replays", {"record": slipped, "repair": "correct"})["lenient"]
    first = lenient["divergences"][0]
    assert (first["index"], first["conditional"]) == (index, False)
    assert first["remedy"] == {"action": "inserted", "move": record["moves"][index]}
    whole = ask.post("replays", {"record": record})
    assert lenient["state"] == whole["state"]
    assert ask.post("replays", {"record": lenient["record"]}) == whole
    skipped = ask.post("replays", {"record": slipped, "repair": "skip"})["lenient"]
    assert {one["remedy"]["action"] for one in skipped["divergences"]} == {"left-out"}
    assert ask.refused("replays", {"record": slipped, "repair": "guess"})["id"] == "envelope"


def test_a_claimed_result_is_answered_line_by_line(ask: Asker, record: dict[str, Any]) -> None:
    result = ask.post("replays", {"record": record})["result"]
    answer = ask.post("replays", {"record": {**record, "result": result}})
    assert (answer["verdict"], answer["claimed_result_matches"]) == ("legal", True)
    assert len([line for line in answer["claimed_result_lines"] if line["what"] == "line"]) == sum(
        len(player["lines"]) for player in result["players"]
    )
    result["players"][0]["total"] += 1
    answer = ask.post("replays", {"record": {**record, "result": result}})
    assert (answer["verdict"], answer["claimed_result_matches"]) == ("wrong-result", False)
    (wrong,) = [line for line in answer["claimed_result_lines"] if not line["matches"]]
    assert (wrong["seat"], wrong["what"], wrong["claimed"] - wrong["computed"]) == (0, "total", 1)


def test_the_view_of_a_record_replays_to_the_view_of_its_last_position(ask: Asker, record: dict[str, Any]) -> None:
    end = ask.post("replays", {"record": record})["state"]
    for seat in (0, 1, None):
        seen = ask.post("views", {"record": record, "seat": seat})["record"]
        at_the_end = ask.post("replays", {"record": seen})["state"]
        assert ask.post("views", {"state": end, "seat": seat}) == {"state": at_the_end}


def test_same_request_same_bytes(ask: Asker, auction: dict[str, Any]) -> None:
    body = {
        "state": auction,
        "moves": [{"type": "pass", "seat": auction["stage"]["seat"]}],
        "seed": "x",
        "views": [None],
    }
    assert ask.send("transitions", body).get_data() == ask.send("transitions", body).get_data()


def problem_of(response: TestResponse) -> Any:
    assert response.status_code == 422
    return json_text.decode(response.get_data())


# --- who asks --------------------------------------------------------------------------------------------------------


@every_game
def test_a_seat_asks_for_its_own_decisions_only(ask: Asker, game: AnyGame) -> None:
    """In all four resources, over a random game: the seat that decides, another one, and a spectator ask."""
    at, players, other_rule = f"/v1/games/{game.id}", game.players[-1], game.rule("turn.asker")
    answer = ask.post(f"{at}/setups", {"players": players, "seed": "5"})
    for _ in range(12):
        state, seat = answer["state"], answer["decision"]["seat"]
        own = ask.post(f"{at}/legal-moves", {"state": state, "seat": seat, "limit": 5, "texts": True})
        assert own["moves"] == ask.post(f"{at}/legal-moves", {"state": state, "limit": 5})["moves"]
        move = own["moves"][-1]
        for asker in ((seat + 1) % players, None):
            question = {"state": state, "move": move, "seat": asker, "nearest": 3}
            judged = ask.post(f"{at}/verdicts", question)
            assert (judged["refusal"]["rule"], judged["nearest"]) == (other_rule, [])
            listed = ask.post(f"{at}/legal-moves", {"state": state, "seat": asker, "explain": True})
            assert (listed["moves"], listed["total"], listed["unavailable"]) == ([], 0, [])
            refused = problem_of(ask.send(f"{at}/suggestions", {"state": state, "seat": asker}))
            assert refused["type"].endswith("no-suggestion")
            body = {"state": state, "moves": [move], "seed": "5", "seat": asker}
            assert problem_of(ask.send(f"{at}/transitions", body))["errors"][0]["rule"] == other_rule
        assert ask.post(f"{at}/verdicts", {"state": state, "move": move, "seat": seat}) == {"legal": True}
        assert "move" in ask.post(f"{at}/suggestions", {"state": state, "seat": seat})
        body = {"state": state, "moves": [move], "seed": "5"}
        answer = ask.post(f"{at}/transitions", {**body, "seat": seat})
        assert answer == ask.post(f"{at}/transitions", {**body, "views": [seat]})


def test_a_seat_learns_and_chooses_no_draw(ask: Asker) -> None:
    """The draws of a list are neither the seat's to supply nor to try out; a spectator supplies them."""
    state = ask.post("/v1/games/palazzo/setups", {"players": 2, "seed": "7"})["state"]
    build, drawn = {"type": "build", "seat": 0}, {"type": "draw-tile", "tile": "marble-1-3"}
    call = {"type": "call-auction", "seat": 0}
    for moves, seed, rule, index in (
        ([build, drawn], None, "turn.asker", 1),
        ([build, drawn], "7", "turn.asker", 1),
        ([drawn], None, "turn.asker", 0),
        ([build, call], "7", "turn.chance", 1),
    ):
        body = {"state": state, "moves": moves, "seat": 0, **({"seed": seed} if seed else {})}
        (error,) = problem_of(ask.send("transitions", body))["errors"]
        assert (error["rule"], error["pointer"].split("/")[2]) == (f"palazzo.{rule}", str(index))
    built = ask.post("/v1/games/palazzo/transitions", {"state": state, "moves": [build], "seat": 0})["state"]
    dealt = ask.post("/v1/games/palazzo/transitions", {"state": built, "moves": [drawn], "seat": None})
    assert [view["seat"] for view in dealt["views"]] == [None]
    assert drawn in ask.post("/v1/games/palazzo/legal-moves", {"state": built, "seat": None})["moves"]
    assert ask.post("/v1/games/palazzo/legal-moves", {"state": built, "seat": 0})["moves"] == []
    nobody = problem_of(ask.send("transitions", {"state": state, "moves": [], "seat": 2}))
    assert nobody["type"].endswith("no-such-seat")
