"""Documents in use: from recorded games, random games and faulty requests."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

from capomastro import adjudicator, archive
from capomastro.adjudicator.texts import events_with_texts
from capomastro.api.application import create_app
from capomastro.archive import Line, Terms
from capomastro.documents import json_text, notation
from capomastro.documents.shapes import COMMON
from capomastro.documents.wordings import explained
from capomastro.engine.chance import as_text
from capomastro.engine.game import AnyGame
from capomastro.games import all_games
from tests.support.documents import as_document
from tests.support.drift import Seen
from tests.support.playouts import Ply, play_out
from tests.support.recorded import records_of, replay_of
from tests.support.refusals import cases_of, refusals_of
from tests.support.schemas import schema_files
from tests.support.setups import setups

EVERY = 12
"""One in this many positions of a game is used, and the last one of every stage."""

Document = tuple[str, Any]
"""The kind of a document, and its content."""


class Game(NamedTuple):
    """A game that was played: its plies, and its result if it was finished."""

    plies: list[Ply]
    result: Any


@cache
def games_played(game: AnyGame) -> list[Game]:
    """Every recorded game, and a random one of every set-up."""
    recorded = [replay_of(file) for file in records_of(game.id)]
    games = [Game(replay.plies, replay.result) for replay in recorded]
    for setup in setups():
        if setup.game is game:
            plies = list(play_out(game, setup.players, setup.options, "in use"))
            games.append(Game(plies, game.result(plies[-1].after)))
    return games


@cache
def seen_in(folder: str) -> Seen:
    """Everything that occurs in the documents of a game, or in those that belong to no game."""
    seen = Seen(by_type=folder != COMMON)
    known = set()
    for name, document in documents_of_no_game() if folder == COMMON else documents_of(all_games()[folder]):
        text = json_text.encode(document)
        if (name, text) not in known:
            known.add((name, text))
            seen.look(json_text.decode(text), name)
    return seen


OF_A_GAME = ("derived", "event", "move", "record", "result", "stage")
OF_NO_GAME = (
    *("event", "finding", "values", "probability", "problem", "record-id", "refusal", "result", "state-hash", "tags"),
    *("totals", "verdict-on-line"),
)
"""The documents to examine."""


# --- of a game -------------------------------------------------------------------------------------------------------


def documents_of(game: AnyGame) -> Iterator[Document]:
    """Moves, stages, events, derived figures, results and records."""
    for plies, result in games_played(game):
        for ply in plies:
            yield "move", ply.move
            yield from (("event", event) for event in ply.events)
            yield from (("event", event) for event in events_with_texts(game, ply.before, ply.happened))
        for state in looked_at(plies):
            for seen in (state, game.view(state, None)):
                yield "stage", seen.stage
                yield "derived", game.derived(seen)
        if result is not None:
            yield "result", result
    yield from (("record", replay_of(file).document) for file in records_of(game.id))
    for example in schema_files()[f"{game.id}/record.json"]["examples"]:
        yield "record", example
        needed = {name: example[name] for name in schema_files()[f"{game.id}/record.json"]["required"]}
        yield "record", {**needed, "totals": [0] * example["players"]}
    yield from (("result", result) for result in results_of_scoresheets(game))


def results_of_scoresheets(game: AnyGame) -> Iterator[Any]:
    for example in schema_files()[f"{game.id}/scoresheet.json"]["examples"]:
        answer = as_document(adjudicator.score_scoresheet(game, example))
        yield from (one["result"] for one in answer.get("outcomes", [answer]))


def looked_at(plies: list[Ply]) -> list[Any]:
    of_each_stage = {type(ply.before.stage): ply.before for ply in plies}
    return [*of_each_stage.values(), *(ply.before for ply in plies[::EVERY]), plies[-1].after]


# --- of no game ------------------------------------------------------------------------------------------------------


def documents_of_no_game() -> Iterator[Document]:
    """Events and results in their general form, verdicts on moves and on records, refusals, problems."""
    for game in all_games().values():
        for plies, result in games_played(game):
            yield from (
                ("event", event) for event in {one["type"]: one for ply in plies for one in ply.events}.values()
            )
            yield from (("event", event) for event in events_with_texts(game, plies[-1].before, plies[-1].happened))
            if result is not None:
                yield "result", result
        yield from (("result", result) for result in results_of_scoresheets(game))
        for broken in cases_of(game):
            for refusal in refusals_of(game, broken):
                yield "refusal", explained(game, refusal)
                yield "values", refusal.values
        for record in (replay_of(file).document for file in records_of(game.id)):
            yield "record-id", record["id"]
            yield "tags", record["tags"]
    yield from (("finding", finding) for finding in findings_by_seat())
    yield "totals", [0]
    yield "state-hash", json_text.state_hash({})
    yield "probability", as_text(Fraction(1, 3))
    yield from (("verdict-on-line", verdict) for verdict in verdicts_on_records())
    yield from problems_and_refusals()


def findings_by_seat() -> list[Any]:
    """The findings on a state whose seats have unearned tokens; their values include a list for each seat."""
    state = schema_files()["campanile/state.json"]["examples"][0]
    seats = [{**seat, "tokens": [1, 4]} for seat in state["seats"]]
    audit = as_document(adjudicator.audit(all_games()["campanile"], {**state, "seats": seats}))
    return [*audit["findings"]]


def verdicts_on_records() -> Iterator[Any]:
    """The verdicts on an unchanged record, and on one with each kind of fault."""
    records = [replay_of(file).document for file in records_of("palazzo")]
    with_losers = [one for one in records if len(one["result"].get("winners", ())) == 1]
    record = min(with_losers, key=lambda one: len(one["moves"]))
    moves, result = record["moves"], record["result"]
    wrong_totals = {"totals": [player["total"] + 1 for player in result["players"]]}
    losers = [player["seat"] for player in result["players"] if player["seat"] not in result["winners"]]
    first_of_a_seat = next(index for index, move in enumerate(moves) if "seat" in move)
    for changes in (
        {},
        wrong_totals,
        {"result": {**result, "winners": losers}},
        {"moves": moves[:first_of_a_seat]},
        {"moves": [*moves, moves[-1]]},
        {"rules_version": record["rules_version"] + 1},
        {"options": {"stack_sizes": [1, 1, 1]}},
        {"game": "chess"},
        {"players": 1},
        {"names": ["Ada", "Bruno", "Carla", "Dora"][: record["players"]]},
    ):
        yield verdict_on({**record, **changes})
    before, after = moves[: first_of_a_seat - 1], moves[first_of_a_seat + 1 :]
    pair = moves[first_of_a_seat - 1 : first_of_a_seat + 1]
    yield verdict_on({**record, "moves": [*before, *reversed(pair), *after]}, "correct")
    claiming_nothing = {name: value for name, value in record.items() if name != "result"}
    for repair in ("skip", "correct"):
        for missing in (first_of_a_seat - 1, first_of_a_seat):
            shorter = [*moves[:missing], *moves[missing + 1 :]]
            yield verdict_on({**claiming_nothing, "moves": shorter}, repair)
            yield verdict_on({**record, "moves": shorter, **wrong_totals}, repair)
    yield as_document(archive.verdict(Line(1, b"{"), Terms()))


def verdict_on(record: Any, repair: str | None = None) -> Any:
    return as_document(archive.verdict(Line(1, json_text.encode(record)), Terms(repair=repair)))


IN_NOTATION = """\
game: palazzo
players: 2

draw-tile brick-1-1
draw-tile {tile}
"""


def problems_and_refusals() -> Iterator[Document]:
    """The answers to faulty requests, in JSON and in notation."""
    with create_app().test_client() as client:

        def answer(path: str, body: Any) -> Any:
            media_type = notation.MEDIA_TYPE if isinstance(body, str) else "application/json"
            data = body if isinstance(body, str) else json_text.encode(body)
            response = client.post(f"/v1/games/palazzo/{path}", data=data, headers={"Content-Type": media_type})
            return json_text.decode(response.get_data())

        state = schema_files()["palazzo/state.json"]["examples"][0]
        impossible = {**state, "riders": 5}
        yield "problem", answer("nowhere", {})
        yield "problem", answer("setups", {})
        yield "problem", answer("legal-moves", {"state": impossible})
        yield "problem", answer("replays", IN_NOTATION.format(tile="brick-9-9"))
        yield from (("finding", finding) for finding in answer("audits", {"state": impossible})["findings"])
        yield "refusal", answer("replays", IN_NOTATION.format(tile="brick-1-1"))["first_divergence"]["refusal"]
        record = {
            **schema_files()["palazzo/record.json"]["examples"][0],
            "moves": [{"type": "call-auction", "seat": 0}],
        }
        yield "refusal", answer("replays", {"record": record})["first_divergence"]["refusal"]
