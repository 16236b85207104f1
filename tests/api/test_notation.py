"""Records in text notation over HTTP: as the body of replays, and converted to JSON and back by records."""

from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from capomastro.api.application import create_app
from capomastro.documents import json_text, notation
from capomastro.games import all_games
from capomastro.settings import Settings
from tests.api.asking import Asker, problem_in
from tests.support.annotated import ANNOTATED, COMMENTS, PLAIN
from tests.support.recorded import record_files
from tests.support.shapes import shape_of

GAME = """\
# Two of us.
game: palazzo
players: 2

draw-tile brick-1-1
draw-tile marble-3-1
draw-tile sandstone-5-3
"""
RECORDS = {file.parent.parent.name: json_text.decode(file.read_bytes()) for file in record_files()}

every_game = pytest.mark.parametrize("record", RECORDS.values(), ids=RECORDS)


def sent(
    client: FlaskClient, path: str, text: str | bytes, type: str = notation.MEDIA_TYPE, **headers: str
) -> TestResponse:
    """The response to a record in text notation; a path without a slash is one of Palazzo's."""
    address = path if path.startswith("/") else f"/v1/games/palazzo/{path}"
    return client.post(address, data=text, headers={"Content-Type": type, **headers})


def answered(response: TestResponse) -> Any:
    assert response.status_code == 200, response.get_data(as_text=True)
    assert response.mimetype == "application/json"
    return json_text.decode(response.get_data())


def of_game(record: dict[str, Any]) -> str:
    return notation.written(all_games()[record["game"]], record)


# --- records ---------------------------------------------------------------------------------------------------------


@every_game
def test_a_record_is_answered_in_the_accepted_format(client: FlaskClient, record: dict[str, Any]) -> None:
    path = f"/v1/games/{record['game']}/records"
    text = of_game(record)
    for accept in ("", "*/*", "application/json", "application/*;q=0.9, text/*;q=0.5"):
        for response in (
            sent(client, path, text, Accept=accept),
            sent(client, path, json_text.encode({"record": record}), "application/json", Accept=accept),
        ):
            assert answered(response) == record
            assert response.vary.as_set() == {"accept", "accept-language"}
    for accept in (
        notation.MEDIA_TYPE,
        f"{notation.MEDIA_TYPE}; charset=utf-8",
        "text/*",
        "application/json;q=0.5, text/vnd.capomastro.record",
    ):
        for response in (
            sent(client, path, text, Accept=accept),
            sent(client, path, json_text.encode({"record": record}), "application/json", Accept=accept),
        ):
            assert response.status_code == 200
            assert response.headers["Content-Type"] == f"{notation.MEDIA_TYPE}; charset=utf-8"
            assert response.get_data(as_text=True) == text


def test_text_keeps_its_comments_and_is_judged_without_them(client: FlaskClient) -> None:
    same = sent(client, "records", ANNOTATED, Accept=notation.MEDIA_TYPE).get_data()
    assert notation.read(same, all_games()).comments == COMMENTS
    assert answered(sent(client, "records", ANNOTATED)) == answered(sent(client, "records", PLAIN))
    assert answered(sent(client, "replays", ANNOTATED)) == answered(sent(client, "replays", PLAIN))


def test_a_record_of_other_rules_is_written_as_it_is(client: FlaskClient) -> None:
    assert answered(sent(client, "records", GAME + "rules_version: 99"))["rules_version"] == 99
    assert problem_in(sent(client, "records", GAME + "schema_version: 99"))["id"] == "other-version"


@pytest.mark.parametrize("accept", ["text/html", "application/xml", "text/vnd.capomastro.record;q=0", "nonsense"])
def test_unavailable_formats_are_refused(client: FlaskClient, accept: str) -> None:
    problem = problem_in(sent(client, "records", GAME, Accept=accept))
    assert problem["id"] == "not-acceptable"
    assert problem["detail"] == "This resource answers with application/json or text/vnd.capomastro.record."


# --- replays ---------------------------------------------------------------------------------------------------------


@every_game
def test_a_replay_of_a_text_is_that_of_its_record(client: FlaskClient, ask: Asker, record: dict[str, Any]) -> None:
    path = f"/v1/games/{record['game']}/replays"
    assert answered(sent(client, path, of_game(record))) == ask.post(path, {"record": record})


def test_the_other_members_are_in_the_query(client: FlaskClient) -> None:
    slip = GAME.replace("marble-3-1", "brick-1-1") + "rules_version: 99\n"
    assert problem_in(sent(client, "replays", slip))["id"] == "other-version"
    answer = answered(sent(client, "replays?under_current_rules=true&repair=skip", slip))
    assert answer["lenient"]["repair"] == "skip"
    places = [answer["first_divergence"]["refusal"], answer["lenient"]["divergences"][0]["refusal"]]
    assert [(one["pointer"], one["line"], one["column"]) for one in places] == [("/moves/1/tile", 6, 11)] * 2


def test_a_list_in_the_query_is_a_parameter_for_each_item(client: FlaskClient) -> None:
    for arranged, query in (
        ({"show": ["/quarries"]}, "show=/quarries"),
        ({"show": ["/supply", "/seats/0"], "layout": "narrow"}, "show=/supply&layout=narrow&show=%2Fseats%2F0"),
        ({"omit": ["bar", "/seats/0"], "layout": "narrow"}, "omit=bar&layout=narrow&omit=/seats/0"),
    ):
        body = {"record": answered(sent(client, "records", GAME)), **arranged}
        picture = client.post("/v1/games/palazzo/pictures", json=body, headers={"Accept": "image/svg+xml"})
        assert picture.status_code == 200
        assert sent(client, f"pictures?{query}", GAME).get_data() == picture.get_data()
    for query, pointer in (("&".join(["omit=bar"] * 51), "/omit"), (f"show=/seats/0&show={'x' * 101}", "/show/1")):
        problem = problem_in(sent(client, f"pictures?{query}", GAME))
        assert (problem["id"], [error["pointer"] for error in problem["errors"]]) == ("envelope", [pointer])


def test_the_query_applies_to_json_unless_the_body_overrides_it(client: FlaskClient, record: dict[str, Any]) -> None:
    other = {**record, "rules_version": 99}
    path = "/v1/games/palazzo/replays?under_current_rules=true"
    assert answered(client.post(path, json={"record": other}))["legal"]
    refused = client.post(path, json={"record": other, "under_current_rules": False})
    assert problem_in(refused)["id"] == "other-version"


@pytest.mark.parametrize(
    ("query", "pointer"),
    [
        ("under_current_rules=yes", "/under_current_rules"),
        ("under_current_rules=true&under_current_rules=true", "/under_current_rules"),
        ("repair=pray", "/repair"),
        ("record=x", "/record"),
        ("x=1", "/x"),
    ],
)
def test_a_query_is_validated_as_strictly_as_a_body(client: FlaskClient, query: str, pointer: str) -> None:
    problem = problem_in(sent(client, f"replays?{query}", GAME))
    assert (problem["id"], [error["pointer"] for error in problem["errors"]]) == ("envelope", [pointer])
    assert "member" not in repr(problem)


# --- what is wrong ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["replays", "records"])
def test_every_error_has_line_and_column(client: FlaskClient, path: str) -> None:
    text = GAME.replace("players: 2", "players: two").replace("draw-tile m", "draw-tiel m")
    problem = problem_in(sent(client, path, text))
    assert (problem["id"], problem["status"]) == ("malformed-notation", 400)
    assert problem["errors"] == [
        {"pointer": "/players", "line": 3, "column": 10, "message": 'expected a whole number, not "two"'},
        {
            "pointer": "/moves/1",
            "line": 6,
            "column": 1,
            "message": 'expected a type of move, not "draw-tiel"; did you mean "draw-tile"?',
        },
    ]
    problem = problem_in(sent(client, path, GAME.replace("brick-1-1", "brick-9-9").replace("players: 2\n", "")))
    assert problem["id"] == "shape"
    places = [(error["pointer"], error["line"], error["column"]) for error in problem["errors"]]
    assert sorted(places) == [("", 1, 1), ("/moves/0/tile", 4, 11)]


def test_the_game_is_that_of_the_path(client: FlaskClient) -> None:
    problem = problem_in(sent(client, "/v1/games/carrara/replays", GAME))
    assert problem["id"] == "other-game"
    assert (problem["errors"][0]["line"], problem["errors"][0]["column"]) == (2, 7)
    assert problem_in(sent(client, "/v1/games/chess/replays", GAME))["id"] == "not-found"


@pytest.mark.parametrize("body", [b"", b"  ", b"\xff", b"{}", b"\x00", b"game", "game: palazzo".encode("utf-16")])
def test_texts_that_are_not_records(client: FlaskClient, body: bytes) -> None:
    problem = problem_in(sent(client, "replays", body))
    assert problem["id"] == "malformed-notation"
    assert (problem["errors"][0]["line"], problem["errors"][0]["column"]) == (1, 1)


def test_media_types(client: FlaskClient) -> None:
    for type in (
        "text/vnd.capomastro.record",
        "text/vnd.capomastro.record; charset=utf-8",
        "Text/vnd.Capomastro.Record;charset=UTF-8",
    ):
        assert sent(client, "replays", GAME, type).status_code == 200
    for type in ("text/plain", "text/vnd.capomastro.record; charset=latin-1", "text/vnd.capomastro.records", ""):
        problem = problem_in(sent(client, "replays", GAME, type))
        assert problem["id"] == "unsupported-media-type"
        assert "application/json or text/vnd.capomastro.record" in problem["detail"]
    for path in ("views", "scores", "setups"):
        assert problem_in(sent(client, path, GAME))["id"] == "unsupported-media-type"
    compressed = sent(client, "replays", GAME, **{"Content-Encoding": "gzip"})
    assert problem_in(compressed)["id"] == "unsupported-media-type"


def test_limits() -> None:
    with create_app(Settings(maximum_record_bytes=200, maximum_moves=3)).test_client() as narrow:
        assert answered(sent(narrow, "replays", GAME))["plies"] == 3
        problem = problem_in(sent(narrow, "replays", GAME + "draw-tile brick-2-2\n"))
        assert problem["id"] == "envelope"
        error = {"pointer": "/moves", "message": "has 4 moves, at most 3 allowed", "line": 8, "column": 1}
        assert problem["errors"] == [error]
        assert problem_in(sent(narrow, "replays", GAME + "#" * 200))["id"] == "too-large"


def test_what_a_record_claims_is_repeated_as_it_is(client: FlaskClient) -> None:
    """What looks like a pointer in it is none; looking for its place would take the square of its length."""
    record = next(record for file in record_files() if "result" in (record := json_text.decode(file.read_bytes())))
    claim = {"pointer": "/record" + "/" * 900, "seats": [{"pointer": "/record/moves"}]}
    text = notation.written(all_games()[record["game"]], {**record, "result": {**record["result"], "x": claim}})
    lines = answered(sent(client, f"/v1/games/{record['game']}/replays", text))["claimed_result_lines"]
    assert [line["claimed"] for line in lines if line["what"] == "x"] == [claim]


def test_refusals_with_places_match_their_schema(client: FlaskClient) -> None:
    answer = answered(sent(client, "replays", GAME.replace("marble-3-1", "brick-1-1")))
    refusal = answer["first_divergence"]["refusal"]
    assert {"line", "column"} <= refusal.keys()
    assert shape_of(None, "refusal").accepts(refusal)
    assert not shape_of(None, "refusal").accepts({**refusal, "line": 0})


# --- the wrong kind of body ------------------------------------------------------------------------------------------


def detail_of(response: TestResponse) -> str:
    problem = json_text.decode(response.get_data())
    assert response.status_code == 400
    assert [error["message"] for error in problem.get("errors", ())] in ([], [problem["detail"]])
    return str(problem["detail"])


def test_json_sent_as_text_is_told_as_such(client: FlaskClient) -> None:
    document = json_text.encode({"record": {"game": "palazzo"}})
    sentence = "This looks like JSON, not like text notation: send it as application/json."
    for body in (document, b"\n " + document, b"\xef\xbb\xbf" + document, b"[" + document + b"]"):
        for question in ("replays", "records"):
            assert detail_of(sent(client, question, body)) == sentence
    wrong = client.post("/v1/games/palazzo/replays", data=b"0 build", headers={"Content-Type": "application/json"})
    assert "text/vnd.capomastro.record" in detail_of(wrong)


@pytest.mark.parametrize("type", [notation.MEDIA_TYPE, "application/json"])
def test_many_records_sent_as_one_are_told_as_such(client: FlaskClient, type: str) -> None:
    line = json_text.encode({"game": "palazzo"}) + b"\n"
    detail = detail_of(sent(client, "replays", line * 2, type))
    assert detail.endswith("This looks like one record per line, which /v1/replays takes as application/x-ndjson.")


@pytest.mark.parametrize("totals", ["12,5, 7", "12, 5, 7"])
def test_a_decimal_comma_is_a_fault_of_shape_with_its_place(client: FlaskClient, totals: str) -> None:
    text = f"game: palazzo\nplayers: 2\ntotals: {totals}\n"
    response = sent(client, "replays", text)
    problem = json_text.decode(response.get_data())
    assert (response.status_code, problem["type"]) == (422, "/v1/problems/shape")
    message = "has 3 items, 2 needed, one for each player"
    assert problem["errors"] == [{"pointer": "/totals", "message": message, "line": 3, "column": 9}]
