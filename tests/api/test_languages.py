"""Negotiation of languages: RFC 4647's lookup, and the language that answers declare."""

import pytest
from flask.testing import FlaskClient

from capomastro.api.application import create_app
from capomastro.documents.languages import ORIGINAL, current_language, preferred
from tests.support.schemas import schema_files

AVAILABLE = ("en", "de", "es", "it")


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("de-AT, en;q=0.5", "de"),
        ("fr, it;q=0.3", "it"),
        ("it;q=0.3, es;q=0.8", "es"),
        ("ES-419", "es"),
        ("de-Latn-x-private", "de"),
        ("fr", "en"),
        ("*", "en"),
        ("fr, *;q=0.1", "en"),
        ("it, *;q=0.1", "it"),
        ("*, en;q=0", "de"),
        ("en;q=0", "de"),
        ("en;q=0, de;q=0, es;q=0, it;q=0", "en"),
        ("de;q=0, de-AT", "en"),
        ("de;q=2, it;q=x, ;;;, , -, es", "es"),
        ("no language at all", "en"),
        ("," * 1000, "en"),
    ],
)
def test_the_language_is_looked_up_range_by_range(header: str, language: str) -> None:
    assert preferred(header, AVAILABLE) == language


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return create_app().test_client()


RULE = "/v1/games/palazzo/rules/palazzo.end.over"
WORDINGS = {
    "en": "Nothing can be done after the end.",
    "de": "Nach dem Ende ist nichts mehr möglich.",
    "es": "Después del final no se puede hacer nada.",
    "it": "Dopo la fine non si può fare nulla.",
}


@pytest.mark.parametrize("language", AVAILABLE)
def test_a_rule_is_explained_in_the_language_of_the_reader(client: FlaskClient, language: str) -> None:
    response = client.get(RULE, headers={"Accept-Language": f"{language}-x-here, fr;q=0.2"})
    assert response.headers["Content-Language"] == language
    assert "Accept-Language" in response.vary
    page, original = response.get_json(), client.get(RULE).get_json()
    assert page["wording"] == WORDINGS[language]
    translated = dict.fromkeys(("wording", "refusal", "source", "chapter"))
    assert {**page, **translated} == {**original, **translated}
    assert current_language() == ORIGINAL


def test_each_language_has_its_own_etag(client: FlaskClient) -> None:
    tags = {language: client.get(RULE, headers={"Accept-Language": language}).headers["ETag"] for language in AVAILABLE}
    assert len(set(tags.values())) == len(AVAILABLE)
    for language, tag in tags.items():
        again = client.get(RULE, headers={"Accept-Language": language, "If-None-Match": tag})
        assert again.status_code == 304
    assert client.get(RULE, headers={"Accept-Language": "it", "If-None-Match": tags["de"]}).status_code == 200


def test_refusals_and_problems_are_in_the_language_of_the_reader(client: FlaskClient) -> None:
    state = {**schema_files()["palazzo/state.json"]["examples"][0], "riders": 5}
    headers = {"Accept-Language": "it"}
    response = client.post("/v1/games/palazzo/legal-moves", json={"state": state}, headers=headers)
    problem = response.get_json()
    assert response.headers["Content-Language"] == "it"
    assert problem["title"] == "Stato impossibile"
    assert problem["errors"][0]["message"].startswith("cavalieri pescati: 5")
    assert problem["errors"][0]["values"]["riders"] == 5


def test_specification_schemas_and_health_have_no_language(client: FlaskClient) -> None:
    for path in ("/openapi.json", "/v1/schemas/refusal", "/healthz"):
        response = client.get(path, headers={"Accept-Language": "de"})
        assert "Content-Language" not in response.headers


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("de-AT, en;q=0.5", "de"),
        ("fr, it;q=0.3", "it"),
        ("*", "en"),
        ("en;q=0", "de"),
        (";;q=nonsense,,", "en"),
        ("es-419", "es"),
    ],
)
def test_every_kind_of_answer_is_in_the_requested_language(client: FlaskClient, header: str, language: str) -> None:
    """Pages, answers, refusals and problems alike have the language, `Vary`, and an ETag of that language."""
    headers = {"Accept-Language": header}
    plain = {"Accept-Language": language}
    for path in (RULE, "/v1/games", "/v1/games/palazzo", "/v1/games/palazzo/rules", "/v1/problems"):
        response = client.get(path, headers=headers)
        assert response.headers["Content-Language"] == language
        assert "Accept-Language" in response.vary
        assert response.headers["ETag"] == client.get(path, headers=plain).headers["ETag"]
        unchanged = client.get(path, headers={**headers, "If-None-Match": response.headers["ETag"]})
        assert unchanged.status_code == 304
        assert "Accept-Language" in unchanged.vary
    posted = [
        client.post("/v1/games/palazzo/setups", json={"players": 2, "seed": "7"}, headers=headers),
        client.post("/v1/games/palazzo/setups", json={"players": 9}, headers=headers),
        client.post("/v1/games/palazzo/setups", data=b"{", headers={**headers, "Content-Type": "application/json"}),
        client.get("/v1/games/chess", headers=headers),
        client.get("/nowhere", headers=headers),
        client.delete(RULE, headers=headers),
    ]
    for response in posted:
        assert response.headers["Content-Language"] == language
        assert "Accept-Language" in response.vary


DETAILS = {
    "en": "Palazzo is for 2 to 4 players, not for 9.",
    "de": "Palazzo ist für 2 bis 4 Personen, nicht für 9.",
    "es": "Palazzo es para entre 2 y 4 jugadores, no para 9.",
    "it": "Palazzo si gioca in 2–4, non in 9.",
}


@pytest.mark.parametrize("language", AVAILABLE)
def test_the_detail_of_a_problem_is_in_the_language_of_the_reader(client: FlaskClient, language: str) -> None:
    response = client.post("/v1/games/palazzo/setups", json={"players": 9}, headers={"Accept-Language": language})
    assert response.get_json()["detail"] == DETAILS[language]


def test_only_errors_of_shape_are_in_english(client: FlaskClient) -> None:
    state = client.post("/v1/games/palazzo/setups", json={"players": 2, "seed": "7"}).get_json()["state"]
    headers = {"Accept-Language": "de"}
    body = {"state": state, "cursor": "7-of-another-list"}
    problem = client.post("/v1/games/palazzo/legal-moves", json=body, headers=headers).get_json()
    assert problem["detail"] == "Der Cursor gehört nicht zu diesem Spielstand und diesen Zahlungen."
    assert problem["errors"] == [{"pointer": "/cursor", "message": problem["detail"]}]


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("de", "auf Englisch"), ("es", "en inglés"), ("it", "in inglese")],
)
def test_a_refusal_of_shape_says_that_its_errors_are_in_english(
    client: FlaskClient, language: str, sentence: str
) -> None:
    headers = {"Accept-Language": language}
    for body in ({"state": {"game": "palazzo"}}, {"unknown": 1}):
        problem = client.post("/v1/games/palazzo/legal-moves", json=body, headers=headers).get_json()
        assert sentence in problem["detail"]
        assert problem["errors"]
