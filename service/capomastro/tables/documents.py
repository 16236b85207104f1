"""The table: the one document that is passed round, and what the service finds when it opens it.

Everything in clear is bound to what is sealed. It is bound as it came, before any schema or struct has seen it, so that
nothing can be altered, left out or added, not even a member nobody knows.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from capomastro.adjudicator.loading import refuse_foreign
from capomastro.answers import Answer, Options, State
from capomastro.documents import json_text
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import phrase
from capomastro.engine import referee
from capomastro.engine.game import AnyGame
from capomastro.engine.hands import Hand
from capomastro.tables import history, sealing
from capomastro.tables.keys import KeyRing, SealingKey
from capomastro.tables.shares import digest
from capomastro.tables.terms import Draws

MINIMUM_BYTES, BYTES_PER_UNKNOWN_CARD, BLOCK = 512, 16, 256
"""How long a plaintext is made: see `padded`."""


# --- in clear --------------------------------------------------------------------------------------------------------


class TableCreation(Answer, frozen=True, kw_only=True):
    """What was agreed before the game; its hash is the id of the table."""

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
    """What has to be done next, and by whom."""

    what: Annotated[
        Literal["join", "move", "draw", "opening"],
        Meta(description="Join with a secret, move, have chance drawn, or have the finished game opened."),
    ] = msgspec.field(name="for")
    seats: Annotated[Sequence[int], Meta(description="The seats that can do it; one of them suffices.")]


class Table(Answer, frozen=True, kw_only=True):
    """A game in progress, sealed: anybody may see it, and nobody can alter it."""

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
    """What is sealed: the closed cards of each seat, the root, and the shares of those who have joined, by seat."""

    hands: tuple[tuple[str, ...], ...]
    root: str
    shares: tuple[str, ...]


def closed_cards(state: Any) -> tuple[tuple[str, ...], ...]:
    """The closed cards by seat; none where a game has no hands."""
    hands = (getattr(seat, "hand", None) for seat in state.seats)
    return tuple(hand.closed if isinstance(hand, Hand) else () for hand in hands)


def with_closed_cards(view: Any, hands: Sequence[tuple[str, ...]]) -> Any:
    """The full state, from the spectator's view and the closed cards."""
    if not any(hands):
        return view
    seats = tuple(
        replace(seat, hand=Hand(seat.hand.open, cards)) if cards else seat
        for seat, cards in zip(view.seats, hands, strict=True)
    )
    return replace(view, seats=seats)


def unknown_cards(view: Any) -> int:
    """How many cards a view does not show."""
    hands = (getattr(seat, "hand", None) for seat in view.seats)
    return sum(hand.unknown_size for hand in hands if isinstance(hand, Hand))


def padded(plaintext: bytes, unknown: int) -> bytes:
    """A plaintext with spaces behind it: how long it is follows from how many cards are unknown, which is public."""
    blocks = -(-(MINIMUM_BYTES + BYTES_PER_UNKNOWN_CARD * unknown) // BLOCK)
    assert len(plaintext) <= blocks * BLOCK, "a game has more to hide than a table leaves room for"
    return plaintext.ljust(blocks * BLOCK)


# --- open ------------------------------------------------------------------------------------------------------------


class OpenTable(Struct, frozen=True, kw_only=True):
    """A table as the service sees it: everything else in the document follows from this."""

    creation: TableCreation
    root: str
    shares: tuple[str, ...]
    record: str
    state: Any
    """The full state."""

    @property
    def begun(self) -> bool:
        """Whether all have joined."""
        return len(self.shares) == self.creation.players


def id_of(creation: TableCreation) -> str:
    return sha256(json_text.canonical(creation)).hexdigest()


def new_table(key: SealingKey, creation: TableCreation, state: Any) -> OpenTable:
    """A table nobody has joined yet."""
    return OpenTable(creation=creation, root=key.root_of(id_of(creation)), shares=(), record="", state=state)


def waiting(game: AnyGame, table: OpenTable) -> Waiting:
    """What has to be done next.

    Whoever moved last neither draws nor opens: they would see what their move brings, and could take it back.
    """
    players = table.creation.players
    if not table.begun:
        return Waiting("join", (len(table.shares),))
    decision = referee.decision(game, table.state)
    if decision.seat is not None:
        return Waiting("move", (decision.seat,))
    last = history.last_to_move(table.record, players)
    others = tuple(seat for seat in range(players) if seat != last)
    return Waiting("draw" if decision.actor == "chance" else "opening", others)


def sealed_table(game: AnyGame, key: SealingKey, table: OpenTable) -> Table:
    """The document, sealed with `key`."""
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
    return replace(clear, sealed=sealing.sealed(key, plaintext, associated(members)))


def associated(members: dict[str, Any]) -> bytes:
    """What is bound to what is sealed: the hash of all other members."""
    return sha256(json_text.canonical(members)).digest()


def opened_table(game: AnyGame, ring: KeyRing, document: dict[str, Any]) -> OpenTable:
    """What a document says that was sealed here.

    Raises:
        Problem: `foreign-table`, the same for all that is not just as a key of the ring has sealed it; `other-game`,
            `other-version`.
    """
    members = dict(document)
    text = members.pop("sealed", None)
    try:
        if not isinstance(text, str):
            raise sealing.NotSealedHere  # noqa: TRY301 - one way out for all that is foreign
        plaintext = sealing.unsealed(ring, text, associated(members))
    except sealing.NotSealedHere as error:
        raise foreign_table() from error
    # nothing that comes now is anybody else's: it was sealed here
    refuse_foreign(game, members["creation"], "/table/creation")
    creation = msgspec.convert(members["creation"], TableCreation)
    hidden = msgspec.json.decode(plaintext, type=Hidden)
    view = msgspec.convert(members["state"], game.state_type)
    return OpenTable(
        creation=creation,
        root=hidden.root,
        shares=hidden.shares,
        record=members["record"],
        state=with_closed_cards(view, hidden.hands),
    )


def foreign_table() -> Problem:
    """One answer to all that was not sealed here as it stands; it does not say why not."""
    detail = phrase("foreign-table")
    return Problem("foreign-table", detail, [{"pointer": "/table", "message": detail}])
