"""The requests about tables: create one, view it as a seat, join, move or draw, and open it when the game is over.

A request names a seat and contains its secret, which is checked against the lock in the table. Only the service can
make a table, so its state is neither validated nor audited.
"""

from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import replace

from capomastro import adjudicator
from capomastro.adjudicator.loading import load_names, load_options, read_documents
from capomastro.adjudicator.moves import page_of_moves
from capomastro.adjudicator.texts import events_with_texts, texts_of_moves
from capomastro.adjudicator.transitions import supplied_steps
from capomastro.adjudicator.views import require_seat
from capomastro.answers import (
    Answer,
    Decision,
    DerivedNow,
    Events,
    LegalMoves,
    PlayedMoves,
    Record,
    Result,
    StateNow,
    TextsOfMoves,
)
from capomastro.documents.problems import Problem
from capomastro.documents.reading import reader_of
from capomastro.documents.wordings import phrase
from capomastro.engine import referee
from capomastro.engine.game import SCHEMA_VERSION, AnyGame
from capomastro.engine.moves import Move, seat_of
from capomastro.engine.steps import Step, draw_steps, play_steps, state_after
from capomastro.tables.documents import (
    OpenTable,
    Table,
    TableCreation,
    Waiting,
    new_table,
    opened_table,
    sealed_table,
    waiting,
)
from capomastro.tables.draws import moves_in, record_line, redrawn
from capomastro.tables.keys import KeyRing
from capomastro.tables.shares import fits, seed_of, share_of
from capomastro.tables.terms import Draws

# --- answers ---------------------------------------------------------------------------------------------------------


class CreatedTable(Answer, frozen=True):
    """A table that nobody has joined yet."""

    table: Table


class TableView(Answer, frozen=True):
    """A table as a seat or a spectator may see it."""

    state: StateNow
    derived: DerivedNow
    decision: Decision
    legal_moves: (
        Annotated[
            LegalMoves,
            Meta(description="With `legal_moves` in the request: the first page of legal moves."),
        ]
        | UnsetType
    ) = UNSET


class SeenMoves(Answer, frozen=True):
    """The moves played, as a viewer saw them."""

    moves: PlayedMoves
    events: Events
    decision: Decision
    texts: TextsOfMoves = UNSET


class TableTransition(Answer, frozen=True):
    """The next table, and the moves that led to it."""

    table: Annotated[Table, Meta(description="The next table, to keep and to pass on.")]
    view: Annotated[SeenMoves, Meta(description="What the seat saw; for its player only.")]
    public: Annotated[SeenMoves, Meta(description="What a spectator saw.")]


class OpenedGame(Answer, frozen=True):
    """A finished game with everything that was hidden, so that anybody can check it."""

    record: Annotated[Record, Meta(description="The whole game with every draw and the result.")]
    root: Annotated[str, Meta(description="Its SHA-256 is the `commitment` of every table of the game.")]
    shares: Annotated[
        Sequence[str], Meta(description="The shares by seat; the SHA-256 of each is the lock of its seat.")
    ]
    seed: Annotated[str, Meta(description="SHA-256 of root and shares, joined by `/`. Every draw follows from it.")]
    result: Result


# --- creating --------------------------------------------------------------------------------------------------------


def create_table(
    game: AnyGame,
    keys: KeyRing,
    players: int,
    names: Sequence[str] | None,
    options: Any,
    locks: Sequence[str],
    draws: Draws = "witnessed",
    nonce: str = "",
) -> CreatedTable:
    """Creates a table. Nothing is drawn before all seats have joined.

    Raises:
        Problem: `shape` or `options`.
    """
    chosen = load_options(game, players, options, quoting=False)
    given = load_names(players, names)
    if len(locks) != players:
        detail = phrase("locks", players=players, locks=len(locks))
        raise Problem("options", detail, [{"pointer": "/locks", "message": detail}])
    state = game.start(players, chosen, given)
    creation = TableCreation(
        game=game.id,
        schema_version=SCHEMA_VERSION,
        rules_version=game.rules_version,
        players=players,
        names=UNSET if given is None else given,
        options=state.options,  # with the defaults that depend on the number of players
        locks=tuple(locks),
        draws=draws,
        nonce=nonce,
    )
    table = new_table(keys.sealing, creation, state)
    return CreatedTable(sealed_table(game, keys.sealing, table))


# --- looking ---------------------------------------------------------------------------------------------------------


def view_of_table(
    game: AnyGame,
    keys: KeyRing,
    document: dict[str, Any],
    seat: int | None,
    secret: str | None,
    legal_moves_limit: int | None = None,
    texts: bool = False,
) -> TableView:
    """What a seat may know; None is a spectator. `texts` adds each legal move as a sentence.

    Raises:
        Problem: `foreign-table`, `other-game`, `other-version`, `no-such-seat`, `wrong-secret`.
    """
    table = opened_table(game, keys, document)
    if seat is not None:
        authenticated_share(table, seat, secret)
    elif secret is not None:
        raise wrong_secret(phrase("secret-too-much"))
    view = game.view(table.state, seat)
    return TableView(
        state=view,
        derived=game.derived(view),
        decision=referee.decision(game, view),
        legal_moves=UNSET if legal_moves_limit is None else page_of_moves(game, view, legal_moves_limit, texts=texts),
    )


def authenticated_share(table: OpenTable, seat: int, secret: str | None) -> str:
    """The share of the seat that sends the request.

    Raises:
        Problem: `no-such-seat`, or `wrong-secret` if the secret does not match the lock of the seat.
    """
    require_seat(table.state, seat, "/seat")
    share = share_of(secret or "")
    if not fits(share, table.creation.locks[seat]):
        raise wrong_secret(phrase("secret-of-seat"))
    return share


def wrong_secret(detail: str) -> Problem:
    return Problem("wrong-secret", detail, [{"pointer": "/secret", "message": detail}])


# --- going on --------------------------------------------------------------------------------------------------------


def advance(
    game: AnyGame,
    keys: KeyRing,
    document: dict[str, Any],
    seat: int,
    secret: str,
    moves: Sequence[Any],
    texts: bool = False,
) -> TableTransition:
    """Does what the table waits for: joins, moves, or draws; `texts` adds sentences.

    Raises:
        Problem: `foreign-table`, `other-game`, `other-version`, `no-such-seat`, `wrong-secret`, `not-awaited`; about
            moves `shape`, `too-long`, `illegal-move`.
    """
    table = opened_table(game, keys, document)
    share = authenticated_share(table, seat, secret)
    awaited = waiting(game, table)
    require_awaited(awaited, seat, moves)
    after, steps = table, []
    if awaited.what == "join":
        after = replace(table, shares=(*table.shares, share))
    elif awaited.what == "move":
        steps = play_moves(game, table.state, seat, moves)
    if awaited.what == "draw" or (table.creation.draws == "at-once" and after.begun):
        steps = [*steps, *draw_onwards(game, after, steps)]
    if steps:
        lines = (record_line(game, step.move_seen_by(None)) for step in steps)
        after = replace(after, state=steps[-1].after, record=after.record + "".join(lines))
    return TableTransition(
        table=sealed_table(game, keys.sealing, after),
        view=seen_moves(game, table.state, steps, seat, texts),
        public=seen_moves(game, table.state, steps, None, texts),
    )


def require_awaited(awaited: Waiting, seat: int, moves: Sequence[Any]) -> None:
    """Raises unless this is what the table waits for, and this seat may do it."""
    if seat not in awaited.seats or awaited.what == "opening" or bool(moves) != (awaited.what == "move"):
        raise not_awaited(awaited, "" if seat in awaited.seats else "/seat")


def not_awaited(awaited: Waiting, at: str) -> Problem:
    detail = phrase(f"awaits-{awaited.what}", seats=awaited.seats)
    return Problem("not-awaited", detail, [{"pointer": at, "message": detail}])


def play_moves(game: AnyGame, state: Any, seat: int, documents: Sequence[Any]) -> list[Step]:
    """Plays moves of a seat up to the next draw: all of them or none.

    Each move is first judged by what the seat may know, so that no refusal reveals more, and then played on the full
    state.
    """
    placed = [("move", document, f"/moves/{index}") for index, document in enumerate(documents)]
    # without quoting: a client that mixes up members may have put its secret into one of them
    own = read_documents(game, *placed, quoting=False)
    require_own_moves(own, seat)
    list(supplied_steps(game, game.view(state, seat), own, seed=None))  # raises for what the seat knows to be illegal
    return list(play_steps(game, state, own))  # what the seat's knowledge allows is legal, or the service is at fault


def require_own_moves(moves: Sequence[Move], seat: int) -> None:
    """Raises for a chance move, which only the service draws, or a move of a seat whose secret was not sent."""
    for index, move in enumerate(moves):
        if seat_of(move) != seat:
            detail = phrase("moves-of-others", seat=seat)
            raise Problem("not-awaited", detail, [{"pointer": f"/moves/{index}", "message": detail}])


def draw_onwards(game: AnyGame, table: OpenTable, steps: Sequence[Step]) -> list[Step]:
    """Draws by the seed until a seat must decide or the game is over."""
    state = steps[-1].after if steps else table.state
    return list(draw_steps(game, state, seed_of(table.root, table.shares)))


def seen_moves(game: AnyGame, before: Any, steps: Sequence[Step], seat: int | None, texts: bool) -> SeenMoves:
    """The moves as a seat, or with None a spectator, saw them, computed only from what they may know."""
    moves = [step.move_seen_by(seat) for step in steps]
    view = game.view(before, seat)
    seen = list(play_steps(game, view, moves))
    state, events = state_after(view, seen), [event for step in seen for event in step.events]
    decision = referee.decision(game, state)
    if not texts:
        return SeenMoves(moves, events, decision)
    return SeenMoves(moves, events_with_texts(game, state, events), decision, texts_of_moves(game, state, moves))


# --- the record ------------------------------------------------------------------------------------------------------


def open_game(game: AnyGame, keys: KeyRing, document: dict[str, Any], seat: int, secret: str) -> OpenedGame:
    """Reveals a finished game: record, root, shares and seed.

    The seat that moved last cannot do this: if it alone could end the game, it would see the seed and could go back.

    Raises:
        Problem: `foreign-table`, `other-game`, `other-version`, `no-such-seat`, `wrong-secret`, `not-awaited`,
            `unfinished`.
    """
    table = opened_table(game, keys, document)
    authenticated_share(table, seat, secret)
    awaited = waiting(game, table)
    if awaited.what != "opening":
        detail = phrase("table-not-over")
        raise Problem("unfinished", detail, [{"pointer": "/table/waiting", "message": detail}])
    if seat not in awaited.seats:
        raise not_awaited(awaited, "/seat")
    creation = table.creation
    names = None if creation.names is UNSET else tuple(creation.names)
    options = reader_of(game, "options")(creation.options)
    start = game.start(creation.players, options, names)
    seed = seed_of(table.root, table.shares)
    played = redrawn(game, start, moves_in(game, table.record), seed)
    if played.state != table.state:
        raise AssertionError("the record of a table does not lead to its state")
    result = game.result(table.state)
    return OpenedGame(
        record=adjudicator.record_of(game, start, played.moves, result),
        root=table.root,
        shares=table.shares,
        seed=seed,
        result=result,
    )
