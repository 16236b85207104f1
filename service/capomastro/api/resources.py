"""Every resource: its body, its answer and its problems, declared on the view that answers it."""

from collections.abc import Sequence
from functools import cache
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, field

from capomastro import __version__, addresses, adjudicator, archive, catalogue
from capomastro import answers as answered
from capomastro.api import envelopes, problems, readiness
from capomastro.api.declarations import RESOURCES, operation
from capomastro.api.documentation import PATH as DOCUMENTATION
from capomastro.api.media_types import NDJSON, SVG, YAML
from capomastro.documents import notation, shapes
from capomastro.documents.files import openapi_json, openapi_yaml
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import phrase
from capomastro.engine.game import AnyGame
from capomastro.engine.referee import Asker
from capomastro.games import all_games
from capomastro.tables import questions as tables
from capomastro.tables.keys import KeyRing
from capomastro.tables.terms import Draws

__all__ = ["RESOURCES"]

SUMMARY = "A stateless referee for building games: it judges moves, plays them, lists legal ones, and scores."

DOCUMENT = ("shape", "other-game", "other-version", "options")
STATE = (*DOCUMENT, "impossible-state", "too-long")


# --- catalogue -------------------------------------------------------------------------------------------------------


@operation("GET", "/v1/games", answers=catalogue.Games)
def list_games() -> catalogue.Games:
    """List the games."""
    return catalogue.games()


@operation("GET", "/v1/games/<game>", answers=catalogue.GamePage)
def show_game(game: AnyGame) -> catalogue.GamePage:
    """Show a game: players, options, components, decisions with their moves, assumptions."""
    return catalogue.page(game, operations())


@operation("GET", "/v1/games/<game>/rules", answers=catalogue.Rules)
def list_rules(game: AnyGame) -> catalogue.Rules:
    """List the rules of a game, in our words."""
    return catalogue.rules(game)


def example_of_rule(game: AnyGame, answer: catalogue.Rule, _notated: notation.Notated | None) -> str | None:
    """The picture of an example; not every rule has one."""
    return adjudicator.example_of(game, answer.id).svg() if answer.illustration else None


@operation("GET", "/v1/games/<game>/rules/<rule>", answers=catalogue.Rule, forms={SVG: example_of_rule})
def show_rule(game: AnyGame, rule: str) -> catalogue.Rule:
    """Show a rule by its full id, as refusals name it: wording, source, and whether it is text or a ruling.

    As `image/svg+xml` it is the picture of its `illustration`, if it has one.
    """
    return catalogue.rule_page(game, rule)


@operation("GET", "/v1/games/<game>/schemas/<document>", answers=catalogue.JsonSchema)
def show_game_schema(game: AnyGame, document: str) -> shapes.Schema:
    """Show the JSON Schema of a kind of document of a game."""
    return catalogue.schema(game.id, document)


@operation("GET", "/v1/schemas/<document>", answers=catalogue.JsonSchema)
def show_schema(document: str) -> shapes.Schema:
    """Show a JSON Schema that all games share."""
    return catalogue.schema(None, document)


@operation("GET", "/v1/problems", answers=problems.ProblemKinds)
def list_problems() -> problems.ProblemKinds:
    """List the kinds of problems."""
    return problems.ProblemKinds([problems.explained(id) for id in problems.catalogue()])


@operation("GET", "/v1/problems/<problem>", answers=problems.ProblemKind)
def show_problem(problem: str) -> problems.ProblemKind:
    """Explain a kind of problem; the `type` of every problem leads here."""
    return problems.explained(problem)


# --- questions -------------------------------------------------------------------------------------------------------


@operation(
    "POST",
    "/v1/games/<game>/setups",
    body=envelopes.Setup(),
    answers=answered.Setup,
    refuses=("shape", "options", "no-such-seat"),
)
def create_setup(
    game: AnyGame,
    players: int,
    options: Any,
    names: list[str] | None = None,
    seed: str | None = None,
    views: list[int | None] | None = None,
    legal_moves: int | None = None,
    texts: bool = False,
    kinds: bool = False,
) -> answered.Setup:
    """Set up a game; with a seed, all chance in the set-up is drawn."""
    return adjudicator.set_up(game, players, names, options, seed, views, legal_moves, texts, kinds)


@operation(
    "POST",
    "/v1/games/<game>/legal-moves",
    body=envelopes.LegalMoves(),
    answers=answered.LegalMoves,
    refuses=(*STATE, "cursor", "no-such-seat"),
)
def list_legal_moves(
    game: AnyGame,
    state: Any,
    limit: int = adjudicator.DEFAULT_LIMIT,
    cursor: str | None = None,
    payments: str = "minimal",
    explain: bool = False,
    texts: bool = False,
    seat: Asker = UNSET,
    **choice: Any,
) -> answered.LegalMoves:
    """List the legal moves of a state, page by page, with their exact number, and with probabilities for chance."""
    return adjudicator.legal_moves(game, state, limit, cursor, payments == "all", explain, texts, seat, **choice)


@operation(
    "POST",
    "/v1/games/<game>/suggestions",
    body=envelopes.Suggestion(),
    answers=answered.Suggestion,
    refuses=(*STATE, "no-suggestion", "no-such-seat"),
)
def suggest_move(
    game: AnyGame,
    state: Any,
    player: str = adjudicator.DEFAULT_PLAYER,
    seed: str = "",
    texts: bool = False,
    seat: Asker = UNSET,
) -> answered.Suggestion:
    """Suggest a move for the seat that decides: that of a simple player, from what the seat may know."""
    return adjudicator.suggestion(game, state, player, seed, texts, seat)


@operation(
    "POST",
    "/v1/games/<game>/verdicts",
    body=envelopes.Verdict(),
    answers=answered.Verdict,
    refuses=(*STATE, "no-such-seat"),
)
def judge_move(
    game: AnyGame,
    state: Any,
    move: Any,
    nearest: int | None = None,
    texts: bool = False,
    seat: Asker = UNSET,
    amounts: bool = False,
) -> answered.Verdict:
    """Judge a move: whether it is legal and, if not, which rule it breaks and which legal moves are nearest."""
    return adjudicator.verdict(game, state, move, nearest, texts, seat, amounts)


@operation(
    "POST",
    "/v1/games/<game>/transitions",
    body=envelopes.Transition(),
    answers=answered.Transition,
    refuses=(*STATE, "illegal-move", "no-such-seat"),
)
def play_moves(
    game: AnyGame,
    state: Any,
    moves: list[Any],
    seed: str | None = None,
    views: list[int | None] | None = None,
    legal_moves: int | None = None,
    texts: bool = False,
    seat: Asker = UNSET,
    kinds: bool = False,
    computers: Sequence[str | None] = (),
    pictures: str | None = None,
    pictures_for: Asker = UNSET,
    **arranged: Any,
) -> answered.Transition:
    """Play moves, all or none, and return the next state; a seed draws chance that is not supplied.

    `computers` play on until a person decides; with `pictures`, each step comes with one.
    """
    viewer = seat if pictures_for is UNSET else pictures_for
    shown = adjudicator.Shown(pictures, viewer, adjudicator.Arrangement(**arranged)) if pictures else None
    return adjudicator.transition(game, state, moves, seed, views, legal_moves, texts, seat, kinds, computers, shown)


@operation("POST", "/v1/games/<game>/audits", body=envelopes.Audit(), answers=answered.Audit, refuses=DOCUMENT)
def audit_state(game: AnyGame, state: Any) -> answered.Audit:
    """Audit a state: list everything impossible in it."""
    return adjudicator.audit(game, state)


@operation(
    "POST",
    "/v1/games/<game>/scores",
    body=envelopes.Score(),
    answers=answered.Score,
    refuses=(*STATE, "impossible-scoresheet", "unfinished"),
)
def score_game(game: AnyGame, even_if_impossible: bool = False, **sheet_or_state: Any) -> answered.Score:
    """Score a scoresheet or a finished state, with every line of the arithmetic."""
    if "scoresheet" in sheet_or_state:
        sheet = sheet_or_state["scoresheet"]
        return adjudicator.score_scoresheet(game, sheet, even_if_impossible=even_if_impossible)
    return adjudicator.score_state(game, sheet_or_state["state"])


@operation(
    "POST",
    "/v1/games/<game>/replays",
    body=envelopes.Replay(),
    answers=answered.Replay,
    refuses=DOCUMENT,
    record=True,
    accepts_notation=True,
)
def replay_record(
    game: AnyGame, record: Any, under_current_rules: bool = False, repair: str | None = None, texts: bool = False
) -> answered.Replay:
    """Replay a recorded game: how far it is legal, the state it reaches, and whether its claimed result is right."""
    return adjudicator.replay(game, record, under_current_rules, repair, texts=texts)


@operation(
    "POST",
    "/v1/games/<game>/views",
    body=envelopes.View(),
    answers=answered.View,
    refuses=(*STATE, "illegal-move", "no-such-seat"),
    record=True,
)
def view_document(game: AnyGame, seat: int | None, texts: bool = False, **state_or_record: Any) -> answered.View:
    """Return a state or a record as a seat or a spectator may know it."""
    if "record" in state_or_record:
        return adjudicator.view_of_record(game, state_or_record["record"], seat, texts)
    return adjudicator.view_of_state(game, state_or_record["state"], seat)


@operation(
    "POST",
    "/v1/games/<game>/samples",
    body=envelopes.Sample(),
    answers=answered.Samples,
    refuses=(*STATE, "illegal-move", "no-such-seat"),
    record=True,
)
def sample_states(
    game: AnyGame, seat: int | None, seed: str = "", count: int = 1, **state_or_record: Any
) -> answered.Samples:
    """Sample full states that agree with all that a seat knows: every unknown card drawn as chance would draw it."""
    if "record" in state_or_record:
        return adjudicator.samples_of_record(game, state_or_record["record"], seat, seed, count)
    return adjudicator.samples(game, state_or_record["state"], seat, seed, count)


def in_notation(game: AnyGame, record: Any, notated: notation.Notated | None) -> str:
    """The record in text notation; with its comments, if it came in it."""
    return notation.written(game, record, notated.comments if notated else {})


@operation(
    "POST",
    "/v1/games/<game>/records",
    body=envelopes.Conversion(),
    answers=answered.Record,
    refuses=("shape", "other-game", "other-version"),
    record=True,
    accepts_notation=True,
    forms={notation.MEDIA_TYPE: in_notation},
)
def convert_record(game: AnyGame, record: Any) -> Any:
    """Convert a record between JSON and text notation, which has one move per line.

    It must have a valid shape; any rules version is accepted. Converting from JSON and back loses nothing. Comments
    are part of the text only: text stays with them, JSON has none.
    """
    adjudicator.shaped_record(game, record, under_current_rules=True)
    return record


def only_picture(_game: AnyGame, answer: answered.Pictures, _notated: notation.Notated | None) -> str | None:
    """The picture by itself; several have no such form."""
    return answer.pictures[0] if len(answer.pictures) == 1 else None


@operation(
    "POST",
    "/v1/games/<game>/pictures",
    body=envelopes.Picture(),
    answers=answered.Pictures,
    refuses=(*STATE, "impossible-scoresheet", "illegal-move", "no-such-seat", "no-such-ply", "unfinished"),
    record=True,
    accepts_notation=True,
    forms={SVG: only_picture},
    default_media_type=SVG,
)
def draw_pictures(
    game: AnyGame,
    layout: str = "wide",
    result: bool = False,
    note: str = "",
    even_if_impossible: bool = False,
    **drawn: Any,
) -> answered.Pictures:
    """Draw a state, a position of a record, a scoresheet, or the result of any as SVG; several positions as JSON.

    The SVG has no script, no style attribute, and nothing from elsewhere. Every component has its token in
    `data-token`, and every place a JSON Pointer into the state in `data-place`.
    """
    if result:
        kind = next(kind for kind in envelopes.Picture.exactly_one_of if kind in drawn)
        return adjudicator.pictures_of_result(game, kind, drawn[kind], layout, note, even_if_impossible)
    if "state" in drawn:
        return adjudicator.pictures_of_state(game, drawn.pop("state"), layout, **drawn)
    if "record" in drawn:
        return adjudicator.pictures_of_record(game, drawn.pop("record"), layout, **drawn)
    return adjudicator.pictures_of_scoresheet(game, drawn["scoresheet"], layout)


# --- sealed tables ---------------------------------------------------------------------------------------------------

OF_A_TABLE = ("no-sealing", "foreign-table", "other-game", "other-version", "no-such-seat", "wrong-secret")


@operation(
    "POST",
    "/v1/games/<game>/tables",
    body=envelopes.TableCreation(),
    answers=tables.CreatedTable,
    refuses=("no-sealing", "shape", "options"),
    sealed=True,
)
def create_table(
    game: AnyGame,
    keys: KeyRing,
    players: int,
    options: Any,
    locks: list[str],
    names: list[str] | None = None,
    draws: Draws = "witnessed",
    nonce: str = "",
) -> tables.CreatedTable:
    """Create a sealed table: a game in one document that everybody may see, and nobody alter.

    Nothing is drawn before all have joined, by `tables/transitions`, seat 0 first.
    """
    return tables.create_table(game, keys, players, names, options, locks, draws, nonce)


@operation(
    "POST",
    "/v1/games/<game>/tables/views",
    body=envelopes.TableView(),
    answers=tables.TableView,
    refuses=OF_A_TABLE,
    record=True,
    sealed=True,
)
def view_table(
    game: AnyGame,
    keys: KeyRing,
    table: dict[str, Any],
    seat: int | None,
    secret: str | None = None,
    legal_moves: int | None = None,
    texts: bool = False,
) -> tables.TableView:
    """View a table as a seat or a spectator may know it, which also shows whether it is genuine."""
    return tables.view_of_table(game, keys, table, seat, secret, legal_moves, texts)


@operation(
    "POST",
    "/v1/games/<game>/tables/transitions",
    body=envelopes.TableTransition(),
    answers=tables.TableTransition,
    refuses=(*OF_A_TABLE, "not-awaited", "shape", "too-long", "illegal-move"),
    record=True,
    sealed=True,
)
def advance_table(
    game: AnyGame,
    keys: KeyRing,
    table: dict[str, Any],
    seat: int,
    secret: str,
    moves: list[Any],
    texts: bool = False,
) -> tables.TableTransition:
    """Advance a table by what it waits for: join, move, or draw; return the next table."""
    return tables.advance(game, keys, table, seat, secret, moves, texts)


@operation(
    "POST",
    "/v1/games/<game>/tables/records",
    body=envelopes.TableRecord(),
    answers=tables.OpenedGame,
    refuses=(*OF_A_TABLE, "not-awaited", "unfinished"),
    record=True,
    sealed=True,
)
def open_game(game: AnyGame, keys: KeyRing, table: dict[str, Any], seat: int, secret: str) -> tables.OpenedGame:
    """Open a finished game: the whole record, and the proof of every draw. The seat that moved last cannot ask."""
    return tables.open_game(game, keys, table, seat, secret)


# --- archives --------------------------------------------------------------------------------------------------------


@operation(
    "POST",
    "/v1/replays",
    lines=envelopes.Terms(),
    answers=Annotated[answered.VerdictOnLine, answered.Document("verdict-on-line", shared=True)],
    media_type=NDJSON,
)
def replay_records(line: archive.Line, terms: archive.Terms) -> answered.VerdictOnLine:
    """Replay many recorded games, of any mixture of games: one record per line in, one verdict per line out.

    Verdicts come in the order of the records, each as soon as it is known, while further records are read. A line that
    cannot be judged gets a verdict that says so, and the stream continues. Blank lines are skipped. The body may have
    any length; the limits on bytes and moves apply to each record.

    If the body breaks off, the last verdict has the problem `bad-request`. A response that does not end as HTTP
    requires is incomplete.
    """
    return archive.verdict(line, terms)


# --- the service itself ----------------------------------------------------------------------------------------------


class StartLinks(answered.Answer, frozen=True, kw_only=True):
    """Where to go from here, as paths on this server."""

    here: Annotated[str, Meta(description="The path of this page.")] = field(name="self")
    games: Annotated[str, Meta(description="The games; each links to its rules, schemas and operations.")]
    problems: Annotated[str, Meta(description="The kinds of problems.")]
    specification: Annotated[str, Meta(description="The specification, OpenAPI 3.1.")]
    documentation: Annotated[str, Meta(description="The documentation, with a reference to try requests in.")]
    readiness: Annotated[str, Meta(description="Whether the service is ready.")]


class Start(answered.Answer, frozen=True):
    """What this service is, and where to go from here."""

    service: Annotated[str, Meta(description="The name of the service.")]
    version: Annotated[str, Meta(description="Its version.")]
    summary: Annotated[str, Meta(description="What it does, in one sentence.")]
    games: Annotated[Sequence[catalogue.GameEntry], Meta(description="Every game.")]
    links: StartLinks


@operation("GET", "/", answers=Start)
def show_start() -> Start:
    """Show what this service is and where to go from here."""
    return Start(
        "capomastro",
        __version__,
        SUMMARY,
        catalogue.games().games,
        StartLinks(
            here="/",
            games=addresses.games(),
            problems=addresses.problems(),
            specification="/openapi.json",
            documentation=DOCUMENTATION,
            readiness="/readyz",
        ),
    )


class Health(answered.Answer, frozen=True):
    """The process is alive."""

    status: Literal["alive"] = "alive"


class Readiness(answered.Answer, frozen=True, kw_only=True):
    """The process is ready: all games and schemas are loaded."""

    status: Literal["ready"] = "ready"
    games: Annotated[Sequence[str], Meta(description="The ids of the games.")]
    schemas: Annotated[int, Meta(description="Number of schemas.", ge=0)]


Specification = Annotated[dict[str, Any], Meta(description="This document, OpenAPI 3.1.")]


@operation("GET", "/healthz", answers=Health, cacheable=False)
def show_health() -> Health:
    """Report that the process is alive."""
    return Health()


@operation("GET", "/readyz", answers=Readiness, refuses=("not-ready",), cacheable=False)
def show_readiness() -> Readiness:
    """Report that all games and schemas are loaded, and the service is not about to stop."""
    if readiness.is_stopping():
        raise Problem("not-ready", phrase("stopping"))
    try:
        return Readiness(games=list(all_games()), schemas=shapes.prepare(all_games().values()))
    except Exception as error:
        raise Problem("not-ready", phrase("schemas-not-loaded")) from error


@operation("GET", "/openapi.yaml", answers=Specification, media_type=YAML)
def show_specification_as_yaml() -> bytes:
    """Show the specification of this service for people, OpenAPI 3.1: every resource once.

    It refers to the schemas at their addresses.
    """
    return openapi_yaml().read_bytes()


@operation("GET", "/openapi.json", query=envelopes.Specification(), answers=Specification)
def show_specification(*, examples: bool) -> bytes:
    """Show the specification of this service for programs, OpenAPI 3.1: every resource of every game.

    It refers to nothing outside. Each game has one of its own.
    """
    return openapi_json(examples=examples).read_bytes()


@operation("GET", "/v1/games/<game>/openapi.json", query=envelopes.Specification(), answers=Specification)
def show_game_specification(game: AnyGame, *, examples: bool) -> bytes:
    """Show the specification of a game for programs, OpenAPI 3.1: its resources, and those of no game."""
    return openapi_json(game.id, examples=examples).read_bytes()


HEALTH = frozenset(resource.path for resource in RESOURCES if resource.method == "GET" and not resource.cacheable)
"""The paths of health checks, which are answered whatever else is going on."""


@cache
def operations() -> dict[str, str]:
    """The operations on a game: path by the part of the path below that of the game."""
    return {resource.path.partition("{game}/")[2]: resource.path for resource in RESOURCES if resource.envelope}
