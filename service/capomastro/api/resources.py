"""Every resource: what it takes, answers and refuses, declared over the question it asks."""

from collections.abc import Sequence
from functools import cache
from typing import Annotated, Any, Literal

from msgspec import Meta

from capomastro import adjudicator, archive, catalogue
from capomastro import answers as answered
from capomastro.adjudicator import Answer
from capomastro.api import envelopes, problems, readiness
from capomastro.api.declarations import NDJSON, RESOURCES, YAML, answers, body, lines, refuses, resource
from capomastro.api.specification import specification_as_json, specification_as_yaml
from capomastro.documents import notation, shapes
from capomastro.documents.problems import Problem
from capomastro.engine.game import AnyGame
from capomastro.games import all_games

__all__ = ["RESOURCES"]

DOCUMENT = ("shape", "other-game", "other-version", "options")
STATE = (*DOCUMENT, "impossible-state", "too-long")


# --- what there is ---------------------------------------------------------------------------------------------------


@resource("GET", "/v1/games")
@answers(catalogue.Games)
def list_games() -> catalogue.Games:
    """List the games."""
    return catalogue.games()


@resource("GET", "/v1/games/{game}")
@answers(catalogue.GamePage)
def show_game(game: AnyGame) -> catalogue.GamePage:
    """Show a game: players, options, components, decisions with their moves, assumptions."""
    return catalogue.page(game, operations())


@resource("GET", "/v1/games/{game}/rules")
@answers(catalogue.Rules)
def list_rules(game: AnyGame) -> catalogue.Rules:
    """List the rules of a game, in our words."""
    return catalogue.rules(game)


@resource("GET", "/v1/games/{game}/rules/{rule}")
@answers(catalogue.Rule)
def show_rule(game: AnyGame, rule: str) -> catalogue.Rule:
    """Show a rule by its full id, such as a refusal names it: wording, source, and whether it is text or a ruling."""
    return catalogue.rule_page(game, rule)


@resource("GET", "/v1/games/{game}/schemas/{document}")
@answers(catalogue.JsonSchema)
def show_game_schema(game: AnyGame, document: str) -> shapes.Schema:
    """Show the JSON Schema of a kind of document of a game."""
    return catalogue.schema(game.id, document)


@resource("GET", "/v1/schemas/{document}")
@answers(catalogue.JsonSchema)
def show_schema(document: str) -> shapes.Schema:
    """Show a JSON Schema that all games share."""
    return catalogue.schema(None, document)


@resource("GET", "/v1/problems")
@answers(problems.ProblemKinds)
def list_problems() -> problems.ProblemKinds:
    """List the kinds of problems."""
    return problems.ProblemKinds([problems.explained(id) for id in problems.catalogue()])


@resource("GET", "/v1/problems/{problem}")
@answers(problems.ProblemKind)
def show_problem(problem: str) -> problems.ProblemKind:
    """Show what a kind of problem means; the `type` of every problem leads here."""
    return problems.explained(problem)


# --- questions -------------------------------------------------------------------------------------------------------


@resource("POST", "/v1/games/{game}/setups")
@body(envelopes.Setup())
@answers(answered.Setup)
@refuses("shape", "options")
def create_setup(
    game: AnyGame, players: int, options: Any, names: list[str] | None = None, seed: str | None = None
) -> Answer:
    """Set up a game; with a seed, all chance of the set-up is drawn."""
    return adjudicator.set_up(game, players, names, options, seed)


@resource("POST", "/v1/games/{game}/legal-moves")
@body(envelopes.LegalMoves())
@answers(answered.LegalMoves)
@refuses(*STATE, "cursor")
def list_legal_moves(
    game: AnyGame,
    state: Any,
    limit: int = adjudicator.DEFAULT_LIMIT,
    cursor: str | None = None,
    payments: str = "minimal",
    explain: bool = False,
) -> answered.LegalMoves:
    """List the legal moves of a state, page by page, with their exact number; for chance with probabilities."""
    return adjudicator.legal_moves(game, state, limit, cursor, payments == "all", explain)


@resource("POST", "/v1/games/{game}/verdicts")
@body(envelopes.Verdict())
@answers(answered.Verdict, refusal_in=("refusal",))
@refuses(*STATE)
def judge_move(game: AnyGame, state: Any, move: Any) -> Answer:
    """Judge a move: whether it is legal, and if not which rule it breaks."""
    return adjudicator.verdict(game, state, move)


@resource("POST", "/v1/games/{game}/transitions")
@body(envelopes.Transition())
@answers(answered.Transition)
@refuses(*STATE, "illegal-move", "no-such-seat")
def play_moves(
    game: AnyGame,
    state: Any,
    moves: list[Any],
    seed: str | None = None,
    views: list[int | None] | None = None,
    legal_moves: int | None = None,
) -> Answer:
    """Play moves, all or nothing, and answer the next state; with a seed, chance that is not supplied is drawn."""
    return adjudicator.transition(game, state, moves, seed, views, legal_moves)


@resource("POST", "/v1/games/{game}/audits")
@body(envelopes.Audit())
@answers(answered.Audit)
@refuses(*DOCUMENT)
def audit_state(game: AnyGame, state: Any) -> Answer:
    """Examine a state: everything in it that cannot be."""
    return adjudicator.audit(game, state)


@resource("POST", "/v1/games/{game}/scores")
@body(envelopes.Score())
@answers(answered.Score)
@refuses(*STATE, "impossible-scoresheet", "unfinished")
def score_game(game: AnyGame, **sheet_or_state: Any) -> Answer:
    """Score what lies on a table, or a finished state, with every line of the arithmetic."""
    if "scoresheet" in sheet_or_state:
        return adjudicator.score_scoresheet(game, sheet_or_state["scoresheet"])
    return adjudicator.score_state(game, sheet_or_state["state"])


@resource("POST", "/v1/games/{game}/replays")
@body(envelopes.Replay(), record=True, by_hand=True)
@answers(answered.Replay, refusal_in=("first_divergence", "refusal"))
@refuses(*DOCUMENT)
def replay_record(game: AnyGame, record: Any, under_current_rules: bool = False, repair: str | None = None) -> Answer:
    """Replay a recorded game: how far it is legal, where it stands then, and whether its claimed result is right."""
    return adjudicator.replay(game, record, under_current_rules, repair)


@resource("POST", "/v1/games/{game}/views")
@body(envelopes.View(), record=True)
@answers(answered.View)
@refuses(*STATE, "illegal-move", "no-such-seat")
def view_document(game: AnyGame, seat: int | None, **state_or_record: Any) -> answered.View:
    """Answer a state or a record as a seat, or a spectator, may know it."""
    if "record" in state_or_record:
        return answered.View(record=adjudicator.view_of_record(game, state_or_record["record"], seat))
    return answered.View(state=adjudicator.view_of_state(game, state_or_record["state"], seat))


@resource("POST", "/v1/games/{game}/records")
@body(envelopes.Conversion(), record=True, by_hand=True)
@answers(answered.Record, forms={notation.MEDIA_TYPE: notation.written})
@refuses("shape", "other-game", "other-version")
def convert_record(game: AnyGame, record: Any) -> Any:
    """Write a record in another form: it comes, and is answered, as JSON or as people write it, one move a line.

    It must be of valid shape, and may be of any rules version. Nothing is lost on the way from JSON and back.
    """
    adjudicator.shaped_record(game, record, under_current_rules=True)
    return record


# --- archives --------------------------------------------------------------------------------------------------------


@resource("POST", "/v1/replays")
@lines(envelopes.Terms())
@answers(answered.VerdictOnLine, NDJSON)
def replay_records(line: archive.Line, terms: archive.Terms) -> Answer:
    """Replay many recorded games, of any mixture of games: a record a line in, a verdict a line out.

    Verdicts come in the order of the records, each as soon as it is known, while further records are read. What cannot
    be used is answered in its place and never ends the stream. Blank lines are left out. A body of any length will do;
    the limits on bytes and moves apply to each record.

    The last verdict is of the problem `bad-request` if the body breaks off. An answer that does not end as HTTP has it
    to is not whole.
    """
    return archive.verdict(line, terms)


# --- the service itself ----------------------------------------------------------------------------------------------


class Health(answered.Answer, frozen=True):
    """The process is alive."""

    status: Literal["alive"] = "alive"


class Readiness(answered.Answer, frozen=True, kw_only=True):
    """The process is ready: every schema is compiled and every game is there."""

    status: Literal["ready"] = "ready"
    games: Annotated[Sequence[str], Meta(description="The ids of the games.")]
    schemas: Annotated[int, Meta(description="How many schemas are compiled.", ge=0)]


Specification = Annotated[dict[str, Any], Meta(description="This document, OpenAPI 3.1.")]


@resource("GET", "/healthz")
@answers(Health, lasting=False)
def show_health() -> Health:
    """Say that the process is alive."""
    return Health()


@resource("GET", "/readyz")
@answers(Readiness, lasting=False)
@refuses("not-ready")
def show_readiness() -> Readiness:
    """Say that every schema is compiled and every game is there, and that the service is not about to stop."""
    if readiness.is_stopping():
        raise Problem("not-ready", "The service is being stopped.")
    try:
        return Readiness(games=list(all_games()), schemas=shapes.compile_all())
    except Exception as error:
        raise Problem("not-ready", "The schemas could not be compiled.") from error


@resource("GET", "/openapi.yaml")
@answers(Specification, YAML)
def show_specification_as_yaml() -> bytes:
    """Show the specification of this service, OpenAPI 3.1."""
    return specification_as_yaml()


@resource("GET", "/openapi.json")
@answers(Specification)
def show_specification() -> bytes:
    """Show the specification of this service, OpenAPI 3.1, as JSON."""
    return specification_as_json()


@cache
def operations() -> dict[str, str]:
    """What can be asked of a game: the last part of the path and the path."""
    return {one.path.rpartition("/")[2]: one.path for one in RESOURCES if one.envelope}
