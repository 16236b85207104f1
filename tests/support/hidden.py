"""Searches answers for secrets of other players."""

from collections import Counter
from functools import lru_cache
from typing import Any

from capomastro.documents import json_text
from tests.support.documents import as_document, leaves, texts


def closed_cards_of_others(state: Any, seat: int | None) -> Counter[str]:
    """The cards `seat` (None: a spectator) must not know, although the document shows them."""
    hands = [getattr(one, "hand", None) for index, one in enumerate(state.seats) if index != seat]
    return Counter(card for hand in hands if hand is not None for card in hand.closed)


@lru_cache(maxsize=4)
def shown_in(document: bytes) -> Counter[str]:
    """How often each text is in a document; for the same state, this is asked again for every seat.

    Where nothing is hidden, the views of all seats are the same document, too.
    """
    return Counter(texts(json_text.decode(document)))


def shown_beyond(answer_state: Any, state: Any, seat: int | None) -> Counter[str]:
    """The cards that a view of `state` shows more often than `seat` may see them; empty if nothing leaks.

    Equal cards look equal, so they are counted: the view may show as many as the state does, less the closed ones of
    the other hands.
    """
    allowed = shown_in(json_text.encode(state)).copy()
    allowed.subtract(closed_cards_of_others(state, seat))
    return shown_in(json_text.encode(answer_state)) - allowed


def secrets_of(state: Any, seat: int | None) -> set[str]:
    """Kinds of cards that the document shows only in others' secret hands: no answer for `seat` may name them."""
    closed = closed_cards_of_others(state, seat)
    if not closed:
        return set()
    shown = shown_in(json_text.encode(state))
    return {card for card, number in closed.items() if shown[card] == number}


def occurrences(answer: Any, secrets: set[str]) -> list[str]:
    """JSON Pointers to every place in an answer that names one of `secrets`, even within a sentence."""
    content = json_text.encode(answer)
    if not any(json_text.encode(secret)[1:-1] in content for secret in secrets):
        return []  # as good as always, and found out much sooner
    found: list[str] = []
    for pointer, value in leaves(as_document(answer)):
        named = isinstance(value, str) and any(secret in value for secret in secrets)
        if named or secrets & set(pointer.split("/")):
            found.append(pointer)
    return found
