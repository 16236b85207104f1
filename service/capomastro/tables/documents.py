"""The table: the document that players pass around, and its decrypted form within the service.

All clear-text members are authenticated together with the sealed part. They are authenticated exactly as received,
before any schema or struct sees them, so nothing can be altered, removed or added, not even an unknown member.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from capomastro.adjudicator.loading import require_game_and_version
from capomastro.answers import Answer, Options, State
from capomastro.documents import json_text
from capomastro.documents.problems import Problem
from capomastro.documents.reading import reader_of
from capomastro.documents.wordings import phrase
from capomastro.engine import referee
from capomastro.engine.game import AnyGame
from capomastro.engine.hands import Hand
from capomastro.tables import history, sealing
from capomastro.tables.keys import KeyRing, SealingKey
from capomastro.tables.shares import digest
from capomastro.tables.terms import Draws

MINIMUM_BYTES, BYTES_PER_UNKNOWN_CARD, BLOCK = 512, 16, 256
"""Parameters of the length of a plaintext: see `padded`."""


# --- in clear --------------------------------------------------------------------------------------------------------


class TableCreation(Answer, frozen=True, kw_only=True):
    """What the players agreed on before the game; its hash is the id of the table."""

    format: Annotated[Literal[1], Meta(description="The format of the table.")] = sealing.FORMAT
    game: Annotated[str, Meta(description="The id of the game.")]
    schema_version: Annotated[int, Meta(ge=1, description="The version of the shape of documents.")]
    rules_version: Annotated[int, Meta(ge=1, description="The version of the game's rules.")]
    players: Annotated[int, Meta(ge=1, description="The number of players.")]
    names: Annotated[Sequence[str], Meta(description="The players' names by seat.")] | UnsetType = UNSET
    options: Annotated[Options, Meta(description="All options of the game, with defaults filled in.")]
    locks: Annotated[Sequence[str], Meta(description="The lock of each seat: the hash of its share.")]
    draws: Annotated[
        Draws,
        Meta(description="`witnessed`: a seat other than the last to move draws; `at-once`: draws follow each move."),
    ]
    nonce: Annotated[str, Meta(description="Distinguishes games that are otherwise the same.")]


class Waiting(Answer, frozen=True):
    """What the table waits for, and who can do it."""

    what: Annotated[
        Literal["join", "move", "draw", "opening"],
        Meta(description="Join with a secret, move, draw, or open the finished game."),
    ] = msgspec.field(name="for")
    seats: Annotated[Sequence[int], Meta(description="The seats that can do it; one of them suffices.")]


class Table(Answer, frozen=True, kw_only=True):
    """A game in progress, sealed: anybody may see it, nobody can alter it."""

    creation: TableCreation
    id: Annotated[str, Meta(description="SHA-256 of the canonical JSON of `creation`.")]
    commitment: Annotated[str, Meta(description="SHA-256 of the root, which is published when the game is over.")]
    waiting: Waiting
    record: Annotated[
        str, Meta(description="The moves so far as a spectator saw them, in text notation, one per line.")
    ]
    state: Annotated[State, Meta(description="The state as a spectator may know it.")]
    sealed: Annotated[str, Meta(description="The sealed part: closed cards, the root, the shares of those who joined.")]


# --- what is hidden --------------------------------------------------------------------------------------------------


class Hidden(Struct, frozen=True):
    """The sealed part: the hidden cards and shares by seat (shares of those that have joined), and the root."""

    hands: tuple[tuple[str, ...], ...]
    root: str
    shares: tuple[str, ...]


def closed_cards(state: Any) -> tuple[tuple[str, ...], ...]:
    """The hidden cards of each seat; empty in games without hands."""
    hands = (getattr(seat, "hand", None) for seat in state.seats)
    return tuple(hand.closed if isinstance(hand, Hand) else () for hand in hands)


def with_closed_cards(view: Any, hands: Sequence[tuple[str, ...]]) -> Any:
    """The full state, restored from the spectator's view and the hidden cards."""
    if not any(hands):
        return view
    seats = tuple(
        replace(seat, hand=Hand(seat.hand.open, cards)) if cards else seat
        for seat, cards in zip(view.seats, hands, strict=True)
    )
    return replace(view, seats=seats)


def unknown_cards(view: Any) -> int:
    """The number of hidden cards in a view."""
    hands = (getattr(seat, "hand", None) for seat in view.seats)
    return sum(hand.unknown_size for hand in hands if isinstance(hand, Hand))


def padded(plaintext: bytes, unknown: int) -> bytes:
    """Pads a plaintext with spaces to a length that depends only on the number of hidden cards, which is public."""
    blocks = -(-(MINIMUM_BYTES + BYTES_PER_UNKNOWN_CARD * unknown) // BLOCK)
    assert len(plaintext) <= blocks * BLOCK, "a game has more to hide than a table leaves room for"
    return plaintext.ljust(blocks * BLOCK)


# --- open ------------------------------------------------------------------------------------------------------------


class OpenTable(Struct, frozen=True, kw_only=True):
    """A decrypted table; everything else in the document follows from this."""

    creation: TableCreation
    root: str
    shares: tuple[str, ...]
    record: str
    state: Any
    """The full state."""

    @property
    def begun(self) -> bool:
        """Whether all seats have joined."""
        return len(self.shares) == self.creation.players


def id_of(creation: TableCreation) -> str:
    return sha256(json_text.canonical(creation)).hexdigest()


def new_table(key: SealingKey, creation: TableCreation, state: Any) -> OpenTable:
    """A table that nobody has joined yet."""
    return OpenTable(creation=creation, root=key.root_of(id_of(creation)), shares=(), record="", state=state)


def waiting(game: AnyGame, table: OpenTable) -> Waiting:
    """What the table waits for.

    The player who moved last neither draws nor opens: they would see what their move leads to, and could take it back.
    """
    players = table.creation.players
    if not table.begun:
        return Waiting("join", (len(table.shares),))
    decision = referee.decision(game, table.state)
    if decision.seat is not None:
        return Waiting("move", (decision.seat,))
    last = history.last_to_move(table.record, players)
    seats = tuple(seat for seat in range(players) if seat != last)
    return Waiting("draw" if decision.actor == "chance" else "opening", seats)


def sealed_table(game: AnyGame, key: SealingKey, table: OpenTable) -> Table:
    """The table as a document, sealed with `key`."""
    view = game.view(table.state, None)
    clear = Table(
        creation=table.creation,
        id=id_of(table.creation),
        commitment=digest(table.root),
        waiting=waiting(game, table),
        record=table.record,
        state=view,
        sealed="",
    )
    members = {name: getattr(clear, name) for name in clear.__struct_fields__ if name != "sealed"}
    hidden = Hidden(closed_cards(table.state), table.root, table.shares)
    plaintext = padded(json_text.canonical(hidden), unknown_cards(view))
    return replace(clear, sealed=sealing.sealed(key, plaintext, associated_data(members)))


def associated_data(members: dict[str, Any]) -> bytes:
    """The associated data of the encryption: the hash of all other members."""
    return sha256(json_text.canonical(members)).digest()


def opened_table(game: AnyGame, ring: KeyRing, document: dict[str, Any]) -> OpenTable:
    """Decrypts and authenticates a document.

    Raises:
        Problem: `foreign-table`, the same whatever is wrong, unless a key of the ring sealed exactly this document;
            `other-game`, `other-version`.
    """
    members = dict(document)
    text = members.pop("sealed", None)
    try:
        if not isinstance(text, str):
            raise sealing.NotSealedHere  # noqa: TRY301 - every failure leaves the same way
        plaintext = sealing.unsealed(ring, text, associated_data(members))
    except sealing.NotSealedHere as error:
        raise foreign_table() from error
    # from here on the content is the service's own: it was sealed here
    require_game_and_version(game, members["creation"], "/table/creation")
    creation = msgspec.convert(members["creation"], TableCreation)
    hidden = msgspec.json.decode(plaintext, type=Hidden)
    view = reader_of(game, "state")(members["state"])
    return OpenTable(
        creation=creation,
        root=hidden.root,
        shares=hidden.shares,
        record=members["record"],
        state=with_closed_cards(view, hidden.hands),
    )


def foreign_table() -> Problem:
    """The same answer for every document that was not sealed here in this form; it does not say why."""
    detail = phrase("foreign-table")
    return Problem("foreign-table", detail, [{"pointer": "/table", "message": detail}])
