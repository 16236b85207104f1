"""Searches answers for secrets of other players."""

from collections import Counter
from typing import Any

from tests.support.documents import as_document, leaves, texts


def closed_cards_of_others(state: Any, seat: int | None) -> Counter[str]:
    """The cards `seat` (None: a spectator) must not know, although the document shows them."""
    hands = [getattr(one, "hand", None) for index, one in enumerate(state.seats) if index != seat]
    return Counter(card for hand in hands if hand is not None for card in hand.closed)


def shown_beyond(answer_state: Any, state: Any, seat: int | None) -> Counter[str]:
    """The cards that a view of `state` shows more often than `seat` may see them; empty if nothing leaks.

    Equal cards look equal, so they are counted: the view may show as many as the state does, less the closed ones of
    the other hands.
    """
    allowed = Counter(texts(as_document(state)))
    allowed.subtract(closed_cards_of_others(state, seat))
    return Counter(texts(as_document(answer_state))) - allowed


def secrets_of(state: Any, seat: int | None) -> set[str]:
    """Kinds of cards that the document shows only in others' secret hands: no answer for `seat` may name them."""
    shown = Counter(texts(as_document(state)))
    return {card for card, number in closed_cards_of_others(state, seat).items() if shown[card] == number}


def occurrences(answer: Any, secrets: set[str]) -> list[str]:
    """JSON Pointers to every place in an answer that names one of `secrets`, even within a sentence."""
    found: list[str] = []
    for pointer, value in leaves(as_document(answer)) if secrets else ():
        named = isinstance(value, str) and any(secret in value for secret in secrets)
        if named or secrets & set(pointer.split("/")):
            found.append(pointer)
    return found
