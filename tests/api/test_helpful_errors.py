"""Errors that help: they say what was probably meant, and where a misplaced member belongs."""

import json
from difflib import get_close_matches
from typing import Any

import pytest
from flask.testing import FlaskClient

from capomastro.api.declarations import RESOURCES
from capomastro.documents import suggestions
from capomastro.documents.suggestions import MAXIMUM_SUGGESTIONS
from tests.api.asking import Asker, problem_in
from tests.api.test_catalogue import example_path
from tests.support.schemas import schema_files

STATE: Any = schema_files()["palazzo/state.json"]["examples"][0]
RECORD: Any = schema_files()["palazzo/record.json"]["examples"][0]
SCORESHEET: Any = schema_files()["palazzo/scoresheet.json"]["examples"][0]
MOVE = {"type": "pass", "seat": 0}


@pytest.mark.parametrize(
    ("path", "body", "message"),
    [
        ("legal-moves", STATE, 'is a bare state: put it into the member "state"'),
        ("scores", SCORESHEET, 'is a bare scoresheet: put it into the member "scoresheet"'),
        ("scores", STATE, 'is a bare state: put it into the member "state"'),
        ("replays", RECORD, 'is a bare record: put it into the member "record"'),
        ("views", RECORD, 'is a bare record: put it into the member "record"'),
        ("verdicts", MOVE, 'is a bare move: put it into the member "move"'),
        ("transitions", MOVE, 'is a bare move: put it into the list "moves"'),
    ],
)
def test_a_document_without_its_envelope_gets_a_hint_where_it_belongs(
    ask: Asker, path: str, body: Any, message: str
) -> None:
    problem = ask.refused(path, body)
    assert (problem["id"], problem["errors"]) == ("envelope", [{"pointer": "", "message": message}])


@pytest.mark.parametrize("path", ["legal-moves", "suggestions", "transitions", "verdicts", "audits", "views", "scores"])
def test_a_whole_answer_gets_a_hint_which_member_to_send(ask: Asker, path: str) -> None:
    answer = ask.post("setups", {"players": 2, "seed": "7"})
    message = 'has the members of a whole answer: of it, send only the member "state"'
    assert ask.refused(path, answer)["errors"] == [{"pointer": "", "message": message}]


def test_a_form_gets_a_hint_to_send_json(client: FlaskClient) -> None:
    problem = problem_in(client.post("/v1/games/palazzo/setups", data={"players": 2}))
    assert problem["detail"].endswith(", in UTF-8, not application/x-www-form-urlencoded.")


def test_a_body_in_another_charset_is_not_refused_for_its_right_media_type(client: FlaskClient) -> None:
    response = client.post(
        "/v1/games/palazzo/setups", data=b'{"players": 2}', content_type="application/json; charset=latin-1"
    )
    assert problem_in(response)["detail"] == "The body must have the Content-Type application/json, in UTF-8."


@pytest.mark.parametrize(
    ("path", "meant"),
    [
        ("/v1/games/palazzo/setup", "/v1/games/palazzo/setups"),
        ("/v1/games/palazzo/legal_moves", "/v1/games/palazzo/legal-moves"),
        ("/v1/game/palazzo", "/v1/games/palazzo"),
        ("/v1/games/", "/v1/games"),
        ("/games/palazzo", "/v1/games/palazzo"),
        ("/games/palazzo/setup", "/v1/games/palazzo/setups"),
        ("/problems", "/v1/problems"),
    ],
)
def test_an_unknown_path_has_a_suggestion(client: FlaskClient, path: str, meant: str) -> None:
    assert problem_in(client.get(path))["detail"].endswith(f" Did you mean “{meant}”?")


@pytest.mark.parametrize(
    "path", ["/v1/nothing/like/it", "/v1/games/palazzo/" + "x" * 5000, "/v1//////////setups", "/v1" + "/x" * 3000]
)
def test_an_unfamiliar_path_has_no_suggestion(client: FlaskClient, path: str) -> None:
    assert problem_in(client.get(path))["detail"] == "No resource has this path; /docs lists them all."


@pytest.mark.parametrize("body", [SCORESHEET, MOVE, {}, {"state": STATE, **STATE}])
def test_an_unfamiliar_body_gets_no_hint(ask: Asker, body: Any) -> None:
    assert not any("bare" in error["message"] for error in ask.refused("audits", body)["errors"])


@pytest.mark.parametrize(
    ("path", "suggestion"),
    [
        ("/v1/games/palazo", "palazzo"),
        ("/v1/games/palazzo/rules/palazzo.auction.rais", "palazzo.auction.raise"),
        ("/v1/games/palazzo/schemas/score-sheet", "scoresheet"),
        ("/v1/problems/illegal_move", "illegal-move"),
    ],
)
def test_an_unknown_name_in_a_path_has_a_suggestion(client: FlaskClient, path: str, suggestion: str) -> None:
    assert problem_in(client.get(path))["detail"].endswith(f" Did you mean “{suggestion}”?")


@pytest.mark.parametrize("rule", ["palazzo.nothing", "palazzo.buy.nothing", "fifth-avenue.nothing", "carrara.nothing"])
def test_a_rule_that_shares_only_its_beginning_is_not_suggested(client: FlaskClient, rule: str) -> None:
    message = problem_in(client.get(f"/v1/games/{rule.partition('.')[0]}/rules/{rule}"))["detail"]
    assert "Did you mean" not in message


@pytest.mark.parametrize(
    ("unknown", "meant"),
    [
        ("carrara.buy.nothing", "carrara.buy.nothing-left"),
        ("palazzo.buy.prise", "palazzo.buy.price"),
        ("palazzo.bying.price", "palazzo.buy.price"),
        ("buy.price", "palazzo.buy.price"),
    ],
)
def test_a_rule_whose_own_part_is_near_is_suggested(unknown: str, meant: str) -> None:
    assert (
        suggestions.nearest_word(unknown, ["palazzo.scoring.tie", "carrara.buy.nothing-left", "palazzo.buy.price"])
        == meant
    )


def test_unknown_members_and_tokens_have_suggestions(ask: Asker) -> None:
    (error,) = ask.refused("legal-moves", {"state": STATE, "limits": 3})["errors"]
    assert error == {"pointer": "/limits", "message": 'is not a member this object can have; did you mean "limit"?'}
    messages = [error["message"] for error in ask.refused("audits", {"state": {**STATE, "suply": []}})["errors"]]
    assert messages == ['is not a member this object can have; did you mean "supply"?']
    move = {"type": "buy", "seat": 0, "tiles": ["brik-1-1"], "payment": []}
    (error,) = ask.refused("verdicts", {"state": STATE, "move": move})["errors"]
    assert error["message"].endswith('; did you mean "brick-1-1"?')
    (error,) = ask.refused("verdicts", {"state": STATE, "move": {**move, "type": "bye"}})["errors"]
    assert error["message"].endswith('; did you mean "buy"?')
    assert "did you mean" not in ask.refused("audits", {"state": {**STATE, "zzz": []}})["errors"][0]["message"]


def test_a_document_of_another_kind_gets_a_hint_what_it_looks_like(ask: Asker) -> None:
    assert ask.refused("replays", {"record": STATE})["detail"].endswith("record. It looks like a state.")
    assert ask.refused("audits", {"state": SCORESHEET})["detail"].endswith("state. It looks like a scoresheet.")
    assert ask.refused("audits", {"state": {**STATE, "ply": "1"}})["detail"].endswith("state.")


def test_a_document_within_another_or_a_text_gets_a_hint_how_to_send_it(ask: Asker) -> None:
    def detail(path: str, body: Any) -> str:
        message: str = ask.refused(path, body)["detail"]
        return message.partition(": ")[2]

    only_state = "state. Of it, only the member `state` belongs here."
    assert detail("legal-moves", {"state": ask.post("setups", {"players": 2})}) == only_state
    assert detail("legal-moves", {"state": {"state": STATE}}) == only_state
    in_quotation_marks = "It looks like JSON written as a text: it belongs here without quotation marks."
    assert detail("audits", {"state": json.dumps(STATE)}) == f"state. {in_quotation_marks}"
    assert detail("replays", {"record": "game: palazzo"}) == "record."
    assert detail("audits", {"state": {"state": 1}}) == "state."


def test_a_record_as_text_declared_as_json_gets_a_hint(client: FlaskClient) -> None:
    for path in ("replays", "records", "pictures"):
        answer = client.post(
            f"/v1/games/palazzo/{path}", data="game: palazzo\nplayers: 2\n", content_type="application/json"
        )
        message = problem_in(answer)["detail"]
        assert message.endswith(" It looks like a record as text, which is sent as text/vnd.capomastro.record.")
        assert (
            "looks like"
            not in problem_in(client.post(f"/v1/games/palazzo/{path}", data="{", content_type="application/json"))[
                "detail"
            ]
        )


def test_errors_are_in_the_order_of_the_body(ask: Asker) -> None:
    """So every process gives the same answer to a request."""
    names = [f"unknown{number}" for number in range(50)]
    assert [error["pointer"] for error in ask.refused("legal-moves", dict.fromkeys(names))["errors"]] == [
        "",
        *(f"/{name}" for name in names),
    ]


@pytest.mark.parametrize("found", ["application/x-ndjson", "text/vnd.capomastro.record", "text/plain"])
def test_a_media_type_of_another_resource_gets_a_hint(client: FlaskClient, found: str) -> None:
    problem = problem_in(client.post("/v1/games/palazzo/setups", data="{}", content_type=found))
    assert problem["detail"].endswith(f", not {found}.")


def test_a_parameter_that_belongs_in_the_body_gets_a_hint(client: FlaskClient) -> None:
    answer = client.post("/v1/games/palazzo/legal-moves?limit=3&colour=red", json={"state": STATE})
    assert problem_in(answer)["errors"] == [
        {"pointer": "/limit", "message": "is not a parameter of this resource; it is a member of the body"},
        {"pointer": "/colour", "message": "is not a parameter of this resource"},
    ]


@pytest.mark.parametrize("resource", [one for one in RESOURCES if not one.streamed], ids=lambda one: one.name)
def test_unknown_parameters_are_refused(client: FlaskClient, resource: Any) -> None:
    answer = client.open(f"{example_path(resource)}?colour=red", method=resource.method, json={})
    problem = problem_in(answer)
    pointer = "" if resource.sealed else "/colour"  # a name could be a misplaced secret
    assert (problem["id"], [error["pointer"] for error in problem["errors"]]) == ("envelope", [pointer])


def test_the_number_of_suggestions_is_limited(ask: Asker, monkeypatch: pytest.MonkeyPatch) -> None:
    words: list[str] = []

    def counting(word: str, *rest: Any, **options: Any) -> list[str]:
        words.append(word)
        return get_close_matches(word, *rest, **options)

    monkeypatch.setattr(suggestions, "get_close_matches", counting)
    unknown = {f"suply{number}": 0 for number in range(5_000)}
    for body in ({"state": {**STATE, **unknown}}, {"state": {}, **{f"stat{letter}": 0 for letter in "abcdfghijk"}}):
        words.clear()
        problem = ask.refused("audits", body)
        suggested = [error for error in problem["errors"] if "did you mean" in error["message"]]
        assert len(suggested) == len(words) == MAXIMUM_SUGGESTIONS
    assert suggestions.nearest_word("a" * 100_000, ["a"]) is None
    assert len(words) == MAXIMUM_SUGGESTIONS
