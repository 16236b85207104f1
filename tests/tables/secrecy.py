"""Searches everything that a player at a table ever received for the secrets of others."""

from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterator
from typing import Any

from capomastro.documents import json_text
from capomastro.engine.game import AnyGame
from capomastro.tables.documents import opened_table
from capomastro.tables.keys import KeyRing
from capomastro.tables.shares import share_of
from tests.support.hidden import occurrences, secrets_of, shown_beyond
from tests.tables.players import Played, Player


def encodings(secret: str) -> Iterator[bytes]:
    """A text and the bytes of its hash, in every form in which they could be in a document."""
    for value in (secret.encode(), *([bytes.fromhex(secret)] if len(secret) == 64 else [])):
        for form in (value, value.hex().encode(), b64encode(value), urlsafe_b64encode(value)):
            yield form.rstrip(b"=")
            yield form.rstrip(b"=")[1:]


def leaks(done: Played, keys: KeyRing) -> Iterator[str]:
    """What anybody received of the secrets of others before the game was opened; must be empty."""
    states = {table["state"]["ply"]: opened_table(done.game, keys, table).state for table in done.tables}
    root, seed = done.opened["root"], done.opened["seed"]
    public = b"\n".join(map(json_text.encode, done.tables))
    for player in done.players:
        held = public + b"\n".join(content for _, content in player.held)
        others = [one.secret for one in done.players if one is not player]
        for secret in (*others, *map(share_of, others), root, seed):
            if any(form in held for form in encodings(secret)):
                yield f"seat {player.seat} held a secret text"
        yield from leaks_of_cards(player, states)
    for table in done.tables:
        state = states[table["state"]["ply"]]
        if occurrences({**table, "sealed": ""}, secrets_of(state, None)) or shown_beyond(table["state"], state, None):
            yield f"a table shows a card at ply {state.ply}"
        if list(table) != list(done.tables[0]):
            yield "the order of members differs"


def leaks_of_cards(player: Player, states: dict[int, Any]) -> Iterator[str]:
    """Cards of others in the answers to one player: in states, moves, events, sentences and names of members."""
    for ply, content in player.held:
        answer, state = json_text.decode(content), states[ply]
        members = {name: member for name, member in answer.items() if name != "table"}
        if occurrences(members, secrets_of(state, player.seat) - named_in_moves(answer)):
            yield f"seat {player.seat} was told a card at ply {ply}"
        if "state" in answer and shown_beyond(answer["state"], state, player.seat):
            yield f"seat {player.seat} was shown a card at ply {ply}"


def named_in_moves(answer: Any) -> set[str]:
    """Kinds of cards that legal moves name because the player has one of them, or can bid for it."""
    moves = answer.get("legal_moves", {}).get("moves", ())
    return {token for move in moves for token in json_text.encode(move).decode().split('"')}


def lengths(game: AnyGame, done: Played) -> dict[tuple[str, int, int], set[int]]:
    """The length of the sealed part, from public data: the game, the numbers of players and of unknown cards."""
    found: dict[tuple[str, int, int], set[int]] = {}
    for table in done.tables:
        unknown = sum(
            count for seat in table["state"]["seats"] for count in seat.get("hand", {}).get("unknown", {}).values()
        )
        found.setdefault((game.id, len(done.players), unknown), set()).add(len(table["sealed"]))
    return found
