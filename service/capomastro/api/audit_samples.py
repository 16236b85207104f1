"""Audits a sample of the states in answers, because a fault in a rule would otherwise go unnoticed.

A state that was answered counts as sound and is not audited when it comes back. That is right as long as the rules
are. A finding in a sample is a fault of the service: it is logged as such, without the state; the answer is still sent.
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
"""Called with the game of an audited state and the rules that it breaks."""


class AuditSamples:
    """Audits one in `one_in` answered states; none if that is 0. Thread-safe."""

    def __init__(self, one_in: int, *listeners: Listener) -> None:
        self.one_in = one_in
        self.listeners = listeners
        self._numbers = count(1)

    def sample(self, game: AnyGame, answer: Any, request_id: str) -> None:
        """Audits the state in an answer, if there is one and it falls into the sample."""
        state = getattr(answer, "state", None)
        if not self.one_in or type(state) is not game.state_type:
            return
        if next(self._numbers) % self.one_in:
            return
        try:
            found = faults(game, state)
        except Exception as error:  # noqa: BLE001 - a failing audit must not spoil the answer
            log_fault(request_id, error)
            return
        if found:
            places = [{"pointer": pointer, "rule": rule} for pointer, rule in found]
            LOGGER.error({"request_id": request_id, "error": "UnsoundState", "game": game.id, "findings": places})
        for listener in self.listeners:
            listener(game.id, tuple(rule for _, rule in found))


def faults(game: AnyGame, state: Any) -> list[tuple[str, str]]:
    """The pointers at which a state is impossible, each with the rule; "shape" if it violates the schema."""
    try:
        findings = adjudicator.audit(game, json_text.decode(json_text.encode(state))).findings
    except Problem as problem:
        findings = problem.errors
    return [(finding["pointer"], finding.get("rule", "shape")) for finding in findings]
