"""Of the states that are answered a few are audited: a fault in a rule would stay unseen else.

A state that was answered counts as sound, and is not audited when it comes back. That is right as long as the rules
are. What a sample finds is a fault of the service: it is logged as one, without the state, and the answer goes out.
"""

from collections.abc import Callable
from itertools import count
from typing import Any

from capomastro import adjudicator
from capomastro.api.request_log import LOGGER, log_fault
from capomastro.documents import json_text
from capomastro.documents.problems import Problem
from capomastro.engine.game import AnyGame

Listener = Callable[[str, tuple[str, ...]], None]
"""Is told the game of a state that was audited, and which rules it breaks."""


class AuditSamples:
    """Audits one answered state in so many; none if 0. Threads may share it."""

    def __init__(self, one_in: int, *listeners: Listener) -> None:
        self.one_in = one_in
        self.listeners = listeners
        self._numbers = count(1)

    def look(self, game: AnyGame, answer: Any, request_id: str) -> None:
        """Audits the state in an answer, if there is one and it is its turn."""
        if not self.one_in or type(answer) is not dict or type(answer.get("state")) is not game.state_type:
            return
        if next(self._numbers) % self.one_in:
            return
        try:
            found = faults(game, answer["state"])
        except Exception as error:  # noqa: BLE001 - the answer is there, and has nothing to do with it
            log_fault(request_id, error)
            return
        if found:
            places = [{"pointer": pointer, "rule": rule} for pointer, rule in found]
            LOGGER.error({"request_id": request_id, "error": "UnsoundState", "game": game.id, "findings": places})
        for listener in self.listeners:
            listener(game.id, tuple(rule for _, rule in found))


def faults(game: AnyGame, state: Any) -> list[tuple[str, str]]:
    """Where a state is not what the service takes as one that can be, and the rule; "shape" if its schema says so."""
    try:
        findings = adjudicator.audit(game, json_text.decode(json_text.encode(state)))["findings"]
    except Problem as problem:
        findings = problem.errors
    return [(finding["pointer"], finding.get("rule", "shape")) for finding in findings]
