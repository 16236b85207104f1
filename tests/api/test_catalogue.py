"""Answers to GET: games, rules, schemas, problems."""

from typing import Any
from xml.etree import ElementTree as ET

import pytest
from flask.testing import FlaskClient

from capomastro.api import problems
from capomastro.api.declarations import Resource
from capomastro.api.exchanges import REFUSED
from capomastro.api.resources import RESOURCES
from capomastro.documents.problems import Problem
from capomastro.documents.shapes import documents_of
from capomastro.documents.wordings import rules_of
from capomastro.engine.game import AnyGame
from capomastro.games import all_games
from tests.api.asking import Asker, problem_in
from tests.support import problems_table

every_game = pytest.mark.parametrize(
    "game", [game for game in all_games().values() if "record" in documents_of(game.id)], ids=lambda game: game.id
)


def example_path(resource: Resource) -> str:
    """A path of the resource."""
    document = "state" if "{game}" in resource.path else "hand"
    return resource.path.format(game="palazzo", rule="palazzo.auction.raise", document=document, problem="shape")


READABLE = [example_path(one) for one in RESOURCES if one.method == "GET"]
CACHEABLE = [example_path(one) for one in RESOURCES if one.method == "GET" and one.cacheable]


def links_in(document: Any) -> list[str]:
    """Every address a document links to."""
    if isinstance(document, dict):
        own = [document["links"]] if "links" in document else []
        found = [value for link in own for value in leaves_of(link)]
        return found + [link for name, member in document.items() if name != "links" for link in links_in(member)]
    return [link for item in document for link in links_in(item)] if isinstance(document, list) else []


def leaves_of(links: Any) -> list[str]:
    return [leaf for link in links.values() for leaf in leaves_of(link)] if isinstance(links, dict) else [links]


def test_every_game_is_listed(ask: Asker) -> None:
    listed = ask.get("/v1/games")["games"]
    assert [entry["id"] for entry in listed] == sorted(all_games())


@every_game
def test_the_page_of_a_game(ask: Asker, game: AnyGame) -> None:
    page = ask.get(f"/v1/games/{game.id}")
    assert page["players"] == list(game.players)
    assert (page["title"], page["rules_version"]) == (game.title, game.rules_version)
    assert page["options"]["schema"]["type"] == "object"
    members = page["options"]["schema"].get("properties", {})
    assert set(page["options"]["defaults"]) <= set(members)
    stages = [decision["kind"] for decision in page["decisions"]]
    assert len(stages) == len(game.decisions)
    assert all(decision["actor"] in ("seat", "chance") and decision["moves"] for decision in page["decisions"])
    assert all(number > 0 for group in page["components"].values() for number in group.values())
    assert page["components"], "a game says what is in its box"


@every_game
def test_assumptions_are_the_rules_marked_so(ask: Asker, game: AnyGame) -> None:
    assumed = {id for id, rule in rules_of(game).items() if rule["mark"] == "assumed"}
    assert {one["rule"] for one in ask.get(f"/v1/games/{game.id}")["assumptions"]} == assumed


@every_game
def test_every_link_leads_somewhere(ask: Asker, client: FlaskClient, game: AnyGame) -> None:
    for link in links_in(ask.get(f"/v1/games/{game.id}")):
        assert client.options(link).status_code == 204, link


@every_game
def test_every_rule_has_its_page(ask: Asker, game: AnyGame) -> None:
    listed = ask.get(f"/v1/games/{game.id}/rules")["rules"]
    assert {rule["id"] for rule in listed} == set(rules_of(game))
    for rule in listed:
        assert ask.get(f"/v1/games/{game.id}/rules/{rule['id']}") == rule
        assert rule["wording"]
        assert rule["source"]
        assert rule["mark"] in ("text", "ruling", "assumed")


@every_game
def test_a_rule_with_an_illustration_is_a_picture_as_well(ask: Asker, client: FlaskClient, game: AnyGame) -> None:
    for rule in ask.get(f"/v1/games/{game.id}/rules")["rules"]:
        response = client.get(f"/v1/games/{game.id}/rules/{rule['id']}", headers={"Accept": "image/svg+xml"})
        if "illustration" not in rule:
            assert response.status_code == 406
            continue
        assert response.mimetype == "image/svg+xml"
        assert {"Accept", "Accept-Language"} <= set(response.vary)
        svg = ET.fromstring(response.get_data())
        assert (svg.get("width"), svg.get("height")) == (
            str(rule["illustration"]["width"]),
            str(rule["illustration"]["height"]),
        )
        assert svg[1].text == rule["illustration"]["caption"]


def test_a_rule_without_an_illustration_is_what_else_is_accepted(ask: Asker, client: FlaskClient) -> None:
    path = "/v1/games/palazzo/rules/palazzo.end.over"
    for accept in ("image/svg+xml, application/json;q=0.5", "image/svg+xml, */*;q=0.1"):
        response = client.get(path, headers={"Accept": accept})
        assert (response.status_code, response.mimetype) == (200, "application/json")
        assert (response.get_json(), response.headers["ETag"]) == (ask.get(path), client.get(path).headers["ETag"])
    problem = problem_in(client.get(path, headers={"Accept": "image/svg+xml, application/json;q=0"}))
    assert (problem["id"], "image/svg+xml" in problem["detail"]) == ("not-acceptable", False)


def test_the_picture_of_an_example_is_in_the_reader_s_language_and_can_be_cached(client: FlaskClient) -> None:
    path, headers = "/v1/games/palazzo/rules/palazzo.scoring.windows", {"Accept": "image/svg+xml"}
    drawn = {language: client.get(path, headers={**headers, "Accept-Language": language}) for language in ("en", "it")}
    assert [ET.fromstring(one.get_data()).get("lang") for one in drawn.values()] == ["en", "it"]
    assert drawn["it"].headers["Content-Language"] == "it"
    assert drawn["en"].headers["ETag"] != drawn["it"].headers["ETag"] != client.get(path).headers["ETag"]
    again = client.get(path, headers={**headers, "If-None-Match": drawn["en"].headers["ETag"]})
    assert again.status_code == 304


@every_game
def test_schemas_resolve_from_their_ids(ask: Asker, game: AnyGame) -> None:
    for document, link in ask.get(f"/v1/games/{game.id}")["links"]["schemas"].items():
        schema = ask.get(link)
        assert schema["$id"] == link == f"/v1/games/{game.id}/schemas/{document}"
        for reference in references_in(schema):
            assert ask.get(reference)["$id"] == reference


def references_in(schema: Any) -> set[str]:
    """The addresses of the other schemas a schema refers to."""
    if isinstance(schema, list):
        return {reference for item in schema for reference in references_in(item)}
    if not isinstance(schema, dict):
        return set()
    own = {schema["$ref"].partition("#")[0]} if isinstance(schema.get("$ref"), str) else set()
    return own.union(*(references_in(member) for member in schema.values())) - {""}


def test_every_problem_has_its_page(ask: Asker) -> None:
    listed = ask.get("/v1/problems")["problems"]
    assert [problem["id"] for problem in listed] == list(problems.catalogue())
    for problem in listed:
        assert ask.get(problem["type"]) == problem
        assert 400 <= problem["status"] <= 599
        assert problem["meaning"]


@pytest.mark.parametrize(
    "path",
    [
        "/v1/games/chess",
        "/v1/games/chess/rules",
        "/v1/games/palazzo/rules/palazzo.no.such",
        "/v1/games/palazzo/rules/raise",
        "/v1/games/palazzo/schemas/hand",
        "/v1/schemas/state",
        "/v1/schemas/..%2Fpalazzo%2Fstate",
        "/v1/problems/none",
        "/v1/games/",
        "//v1/games",
        "/v2/games",
        "/docs/none.css",
        "/docs/../settings.py",
        "/%00",
        "/v1/games/\N{SNOWMAN}",
    ],
)
def test_unknown_paths_are_not_found(client: FlaskClient, path: str) -> None:
    assert problem_in(client.get(path))["id"] == "not-found"


@pytest.mark.parametrize("path", CACHEABLE)
def test_lasting_answers_can_be_cached(client: FlaskClient, path: str) -> None:
    first = client.get(path)
    assert first.status_code == 200
    assert first.cache_control.max_age == 300
    again = client.get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.get_data()) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]
    assert client.get(path, headers={"If-None-Match": '"another"'}).status_code == 200


CONDITIONAL = ["/v1/games", "/v1/games/palazzo/openapi.json?examples=false", "/openapi.json", "/score/palazzo"]


@pytest.mark.parametrize("path", CONDITIONAL)
@pytest.mark.parametrize("others", ['"another"', "W/{tag}", '"another", W/{tag}'])
def test_an_answer_that_is_not_the_expected_one_is_not_sent(client: FlaskClient, path: str, others: str) -> None:
    """RFC 9110, section 13.1.1; weak tags never match here. It comes before If-None-Match (13.2.2)."""
    tag = client.get(path).headers["ETag"]
    for method in (client.get, client.head):
        for further in ({}, {"If-None-Match": tag}):
            refused = method(path, headers={"If-Match": others.format(tag=tag), **further})
            assert (refused.status_code, refused.headers.get("ETag")) == (412, None)
            assert refused.headers["Cache-Control"] == "no-store"
    assert problem_in(client.get(path, headers={"If-Match": '"another"'}))["id"] == "precondition-failed"


@pytest.mark.parametrize("path", ["/", "/score", "/docs"])
def test_a_browser_gets_a_page_about_that(client: FlaskClient, path: str) -> None:
    headers = {"If-Match": '"another"'}
    refused = client.get(path, headers={**headers, "Accept": "text/html"})
    assert (refused.status_code, refused.mimetype) == (412, "text/html")
    assert {"Accept", "Accept-Language"} <= set(refused.vary)
    if path == "/":
        problem = problem_in(client.get(path, headers={**headers, "Accept": "application/json"}))
        assert (problem["id"], problem["title"] in refused.get_data(as_text=True)) == ("precondition-failed", True)


def test_a_browser_gets_a_page_if_the_server_is_busy(client: FlaskClient) -> None:
    refused = Problem("busy", "Too many.")
    for path in ("/", "/score"):
        response = client.get(path, headers={"Accept": "text/html"}, environ_overrides={REFUSED: refused})
        assert (response.status_code, response.mimetype) == (503, "text/html")


@pytest.mark.parametrize("path", CONDITIONAL)
@pytest.mark.parametrize("expected", ["*", "{tag}", '"another", {tag}'])
def test_the_expected_answer_is_sent_unless_it_is_known(client: FlaskClient, path: str, expected: str) -> None:
    tag = client.get(path).headers["ETag"]
    condition = {"If-Match": expected.format(tag=tag)}
    assert client.get(path, headers=condition).status_code == 200
    assert client.get(path, headers={**condition, "If-None-Match": tag}).status_code == 304
    assert client.get(path, headers={**condition, "If-None-Match": '"another"'}).status_code == 200


def test_a_condition_means_nothing_where_nothing_has_an_etag(client: FlaskClient) -> None:
    headers = {"If-Match": '"another"'}
    assert client.get("/healthz", headers=headers).status_code == 200
    assert client.options("/v1/games", headers=headers).status_code == 204
    assert client.get("/v1/games/chess", headers=headers).status_code == 404
    for match in ("*", '"another"'):
        asked = client.post("/v1/games/palazzo/setups", json={"players": 2}, headers={"If-Match": match})
        assert asked.status_code == 200


@pytest.mark.parametrize("path", READABLE)
def test_head_is_get_without_a_body(client: FlaskClient, path: str) -> None:
    head, get = client.head(path), client.get(path)
    assert head.status_code == get.status_code == 200
    assert head.get_data() == b""
    assert head.headers["Content-Length"] == get.headers["Content-Length"]


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_health_must_not_be_cached(client: FlaskClient, path: str) -> None:
    response = client.get(path)
    assert (response.status_code, response.headers["Cache-Control"]) == (200, "no-store")


def test_the_specification_is_served_as_yaml_and_json(client: FlaskClient, ask: Asker) -> None:
    response = client.get("/openapi.yaml")
    assert (response.status_code, response.mimetype) == (200, "application/yaml")
    ask.get("/openapi.json")


def test_conditions_hold_for_the_pictures_of_the_documentation(client: FlaskClient) -> None:
    file = "/docs/fifth-avenue-board.svg"
    with client.get(file) as response:
        tag = response.headers["ETag"]
    assert problem_in(client.get(file, headers={"If-Match": '"another"'}))["id"] == "precondition-failed"
    for condition, status in (({"If-Match": tag}, 200), ({"If-Match": tag, "If-None-Match": tag}, 304)):
        with client.get(file, headers=condition) as response:
            assert response.status_code == status


def test_the_page_for_clients_has_every_problem() -> None:
    """To correct the table: python -m tests.support.problems_table"""
    assert problems_table.TABLE.findall(problems_table.PAGE.read_text("utf-8")) == [problems_table.table()]
