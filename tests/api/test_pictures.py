"""Pictures over HTTP: their documents, viewers and formats."""

from typing import Any
from xml.etree import ElementTree as ET

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from capomastro.adjudicator import MAXIMUM_PICTURES
from capomastro.documents import notation
from capomastro.documents.files import schemas_directory
from capomastro.documents.json_text import decode
from capomastro.documents.languages import languages, using_language
from capomastro.documents.wordings import SHARED, phrase
from capomastro.engine.game import AnyGame
from capomastro.games import all_games
from tests.api.asking import pointers, problem_in
from tests.support.recorded import records_folder

SVG, JSON = "image/svg+xml", "application/json"
GAMES = list(all_games().values())
PALAZZO = all_games()["palazzo"]
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)


def drawn(client: FlaskClient, game: AnyGame, body: Any, accept: str | None = SVG, **headers: str) -> TestResponse:
    all_headers = headers if accept is None else {"Accept": accept, **headers}
    return client.post(f"/v1/games/{game.id}/pictures", json=body, headers=all_headers)


def picture(response: TestResponse) -> ET.Element:
    assert response.status_code == 200, response.get_data(as_text=True)
    assert response.mimetype == SVG
    return ET.fromstring(response.get_data(as_text=True))


def title_of(svg: ET.Element) -> str:
    return svg[0].text or ""


def recorded(game: AnyGame) -> dict[str, Any]:
    """A recorded game of two."""
    document: dict[str, Any] = decode((records_folder(game.id) / "two-plan.json").read_bytes())
    return document


def ply_in(record: dict[str, Any]) -> int:
    """A ply some way after the set-up."""
    return 20 + next(index for index, move in enumerate(record["moves"]) if "seat" in move)


def state_after(client: FlaskClient, game: AnyGame, record: dict[str, Any], ply: int) -> Any:
    begun = {**record, "moves": record["moves"][:ply]}
    answer = client.post(f"/v1/games/{game.id}/replays", json={"record": begun}).get_json()
    assert answer["plies"] == ply
    return answer["state"]


def last_moves(record: dict[str, Any], ply: int) -> list[Any]:
    """The last move of a seat before the ply, and the chance after it."""
    last = max(index for index, move in enumerate(record["moves"][:ply]) if "seat" in move)
    return list(record["moves"][last:ply])


@every_game
def test_a_position_of_a_record_is_drawn_as_its_state_is(client: FlaskClient, game: AnyGame) -> None:
    record = recorded(game)
    ply = ply_in(record)
    body = {"state": state_after(client, game, record, ply), "last_moves": last_moves(record, ply)}
    of_state = drawn(client, game, body)
    assert title_of(picture(of_state)).endswith(f"after move {ply}")
    assert "Accept" in of_state.headers["Vary"]
    assert of_state.headers["Content-Language"] == "en"
    assert drawn(client, game, {"record": record, "ply": ply}).get_data() == of_state.get_data()
    assert drawn(client, game, body, accept=None).get_data() == of_state.get_data()
    assert drawn(client, game, body, accept="*/*").get_data() == of_state.get_data()
    assert drawn(client, game, body, accept=JSON).get_json() == {
        "first": ply,
        "pictures": [of_state.get_data(as_text=True)],
    }


@every_game
def test_several_positions_of_a_record_come_in_one_answer(client: FlaskClient, game: AnyGame) -> None:
    record = recorded(game)
    ply = ply_in(record)
    answer = drawn(client, game, {"record": record, "ply": ply, "count": 5, "seat": None}, JSON).get_json()
    assert answer["first"] == ply
    alone = [drawn(client, game, {"record": record, "ply": ply + step, "seat": None}) for step in range(5)]
    assert answer["pictures"] == [one.get_data(as_text=True) for one in alone]
    end = len(record["moves"])
    answer = drawn(client, game, {"record": record, "ply": end - 1, "count": MAXIMUM_PICTURES}, JSON).get_json()
    assert len(answer["pictures"]) == 2
    assert answer["pictures"][1] == drawn(client, game, {"record": record}).get_data(as_text=True)
    unasked = drawn(client, game, {"record": record, "ply": ply, "count": 2, "seat": None}, accept=None).get_json()
    assert unasked == {"first": ply, "pictures": [one.get_data(as_text=True) for one in alone[:2]]}
    problem = problem_in(drawn(client, game, {"record": record, "ply": ply, "count": 2}))
    assert problem["id"] == "not-acceptable"


@pytest.mark.parametrize("language", languages(SHARED))
def test_a_ply_that_a_record_does_not_have_is_refused_in_every_language(client: FlaskClient, language: str) -> None:
    body: dict[str, Any] = {"record": recorded(PALAZZO), "ply": 99_999}
    answer = drawn(client, PALAZZO, body, accept=JSON, **{"Accept-Language": language})
    with using_language(language):
        problem = problem_in(answer)
        sentence = phrase("no-such-ply", moves=len(body["record"]["moves"]), ply=99_999)
    assert (problem["id"], pointers(problem)) == ("no-such-ply", ["/ply"])
    assert problem["detail"] == problem["errors"][0]["message"] == sentence


@every_game
def test_positions_before_an_illegal_move_are_drawn_and_none_after_it(client: FlaskClient, game: AnyGame) -> None:
    record = recorded(game)
    ply = ply_in(record)
    slipped = {**record, "moves": [*record["moves"][:ply], record["moves"][0], *record["moves"][ply:]]}
    answer = drawn(client, game, {"record": slipped, "ply": ply - 2, "count": 9}, JSON).get_json()
    assert len(answer["pictures"]) == 3
    problem = problem_in(drawn(client, game, {"record": slipped, "ply": ply + 1}))
    assert problem["id"] == "illegal-move"
    assert pointers(problem)[0].startswith(f"/record/moves/{ply}")
    problem = problem_in(drawn(client, game, {"record": record, "ply": len(record["moves"]) + 1}))
    assert (problem["id"], pointers(problem)) == ("no-such-ply", ["/ply"])


@every_game
def test_a_seat_is_drawn_what_its_view_shows(client: FlaskClient, game: AnyGame) -> None:
    state = state_after(client, game, recorded(game), ply_in(recorded(game)))
    for seat in (0, None):
        view = client.post(f"/v1/games/{game.id}/views", json={"state": state, "seat": seat}).get_json()["state"]
        assert drawn(client, game, {"state": state, "seat": seat}).data == drawn(client, game, {"state": view}).data
    problem = problem_in(drawn(client, game, {"state": state, "seat": 9}))
    assert (problem["id"], pointers(problem)) == ("no-such-seat", ["/seat"])


@every_game
def test_a_possible_scoresheet_is_drawn(client: FlaskClient, game: AnyGame) -> None:
    sheet = decode((schemas_directory() / game.id / "scoresheet.json").read_bytes())["examples"][0]
    svg = picture(drawn(client, game, {"scoresheet": sheet, "layout": "narrow"}))
    assert svg.get("width") == "360"
    assert title_of(svg).endswith("scoresheet")
    problem = problem_in(drawn(client, game, {"scoresheet": {**sheet, "game": "chess"}}))
    assert problem["id"] == "other-game"


@every_game
def test_a_record_in_text_notation_is_drawn_with_parameters_in_the_query(client: FlaskClient, game: AnyGame) -> None:
    record = recorded(game)
    ply = ply_in(record)
    sent = client.post(
        f"/v1/games/{game.id}/pictures?ply={ply}&layout=narrow&seat=null",
        data=notation.written(game, record),
        content_type=notation.MEDIA_TYPE,
    )
    body = {"record": record, "ply": ply, "layout": "narrow", "seat": None}
    assert picture(sent).get("width") == "360"
    assert sent.get_data() == drawn(client, game, body).get_data()


@every_game
@pytest.mark.parametrize(
    ("changes", "at"),
    [
        ({"count": 2}, ["/count"]),
        ({"ply": 3}, ["/ply"]),
        ({"layout": "tall"}, ["/layout"]),
        ({"seat": "0"}, ["/seat"]),
        ({"record": {}}, [""]),
    ],
)
def test_conflicting_members_are_refused(
    client: FlaskClient, game: AnyGame, changes: dict[str, Any], at: list[str]
) -> None:
    state = state_after(client, game, recorded(game), ply_in(recorded(game)))
    problem = problem_in(drawn(client, game, {"state": state, **changes}))
    assert (problem["id"], pointers(problem)) == ("envelope", at)


@every_game
def test_the_last_moves_have_to_be_moves(client: FlaskClient, game: AnyGame) -> None:
    state = state_after(client, game, recorded(game), ply_in(recorded(game)))
    problem = problem_in(drawn(client, game, {"state": state, "last_moves": [{"type": "castle"}]}))
    assert problem["id"] == "shape"
    assert pointers(problem)[0].startswith("/last_moves/0")


@every_game
def test_the_last_moves_must_be_of_existing_seats(client: FlaskClient, game: AnyGame) -> None:
    record = recorded(game)
    state = state_after(client, game, record, len(record["moves"]))
    moves = {move["type"]: move for move in record["moves"]}.values()
    for move in [one for one in moves if "seat" in one]:
        strange = [*last_moves(record, ply_in(record)), {**move, "seat": 2}]
        problem = problem_in(drawn(client, game, {"state": state, "last_moves": strange}))
        assert problem["id"] == "no-such-seat", move
        assert pointers(problem) == [f"/last_moves/{len(strange) - 1}/seat"]


@every_game
def test_the_last_moves_may_be_any_that_their_schema_allows(client: FlaskClient, game: AnyGame) -> None:
    """Whether they led to the state is not checked: what they did not move gets no ring."""
    record = recorded(game)
    moves = list({move["type"]: move for move in record["moves"]}.values())
    for ply in (0, ply_in(record), len(record["moves"])):
        state = state_after(client, game, record, ply)
        for move in moves:
            seats = [{**move, "seat": seat} for seat in (0, 1)] if "seat" in move else [move]
            for last in seats:
                picture(drawn(client, game, {"state": state, "last_moves": [last]}))


@every_game
def test_a_picture_is_in_the_requested_language(client: FlaskClient, game: AnyGame) -> None:
    record = recorded(game)
    spoken = {}
    for language in ("en", "it", "es", "de"):
        response = drawn(client, game, {"record": record}, **{"Accept-Language": language})
        assert response.headers["Content-Language"] == language
        assert "Accept-Language" in response.headers["Vary"]
        svg = picture(response)
        assert svg.get("lang") == language
        spoken[language] = title_of(svg)
    assert len(set(spoken.values())) == 4


def test_a_picture_as_png_is_not_acceptable(client: FlaskClient) -> None:
    problem = problem_in(drawn(client, GAMES[0], {"record": recorded(GAMES[0])}, accept="image/png"))
    assert problem["id"] == "not-acceptable"
    assert SVG in problem["detail"]


def test_a_number_in_the_query_is_validated_like_one_in_the_body(client: FlaskClient) -> None:
    """Numbers of ten digits and more, and negative ones, were once reported not to be integers."""
    game = all_games()["palazzo"]
    record = recorded(game)
    text = notation.written(game, record)
    for ply, id in ((10**9, "no-such-ply"), (10**40, "no-such-ply"), (-1, "envelope")):
        in_body = drawn(client, game, {"record": record, "ply": ply})
        in_query = client.post(
            f"/v1/games/palazzo/pictures?ply={ply}",
            data=text,
            content_type=notation.MEDIA_TYPE,
            headers={"Accept": SVG},
        )
        body_problem, query_problem = problem_in(in_body), problem_in(in_query)
        assert body_problem["id"] == query_problem["id"] == id
        messages = [[error["message"] for error in one["errors"]] for one in (body_problem, query_problem)]
        assert messages[0] == messages[1]


def test_a_result_is_drawn_like_any_picture(client: FlaskClient) -> None:
    body: dict[str, Any] = {"record": recorded(PALAZZO), "result": True, "note": "Friday", "layout": "narrow"}
    response = drawn(client, PALAZZO, body)
    assert title_of(picture(response)) == "Palazzo: result"
    text = notation.written(PALAZZO, body["record"])
    address = "/v1/games/palazzo/pictures?result=true&note=Friday&layout=narrow"
    assert client.post(address, data=text, content_type=notation.MEDIA_TYPE).data == response.data
    state = state_after(client, PALAZZO, body["record"], len(body["record"]["moves"]))
    del body["record"]
    assert drawn(client, PALAZZO, {**body, "state": state}).data == response.data
