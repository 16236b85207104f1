"""Cases of broken rules: the subject that breaks a rule, and the values and pointer of the refusal.

With a `Move`, the move is refused in the state; with a kind of move (a class), no such move is legal there; without a
move, the audit refuses the state, or the game refuses options or a scoresheet.
"""

from importlib import import_module
from typing import Any, NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from capomastro.documents.wordings import cause, rules_of, sentence, words_of
from capomastro.engine import referee
from capomastro.engine.game import AnyGame
from capomastro.engine.moves import Move
from capomastro.engine.referee import Asker
from capomastro.engine.refusals import Refusal
from capomastro.engine.steps import draw_steps, state_after
from tests.support.playouts import start
from tests.support.setups import folder_of
from tests.support.slots import all_slots


class Case(NamedTuple):
    """A subject that breaks a rule, and the values of its refusal."""

    rule: str
    subject: Any
    """A state, options or a scoresheet."""
    move: Move | type[Move] | None
    values: dict[str, Any]
    pointer: str
    asker: Asker = UNSET
    """Who asks for the move."""


def cases_of(game: AnyGame) -> list[Case]:
    """The cases of a game: `tests/games/<game>/refusals.py`, and those of moves that are not the asker's to supply."""
    cases: list[Case] = import_module(f"tests.games.{folder_of(game)}.refusals").CASES
    return [*cases, *asked_by_others(game)]


def asked_by_others(game: AnyGame) -> list[Case]:
    """The first draw of a game, asked for by a seat; and its first move of a seat, by another and by a spectator."""
    begun = start(game, game.players[0])
    drawn = referee.draw(game, begun, "1")
    ready = state_after(begun, draw_steps(game, begun, "1"))
    owner = referee.decision(game, ready).seat
    move = next(referee.legal_moves(game, ready).starting_at(0))
    assert owner is not None
    rule, other = game.rule("turn.asker"), 1 - owner
    return [
        Case(rule, ready, move, {"asker": other, "owner": owner}, "/seat", other),
        Case(rule, ready, move, {"asker": None, "owner": owner}, "/seat", None),
        Case(rule, begun, drawn, {"asker": owner, "owner": None}, "/type", owner),
    ]


def refusals_of(game: AnyGame, broken: Case) -> list[Refusal]:
    """The refusals of the subject of a case: one for a move, all findings for a document."""
    if isinstance(broken.subject, game.options_type):
        refusal = game.why_not_options(game.players[0], broken.subject)
        return [refusal] if refusal else []
    if isinstance(broken.subject, game.scoresheet_type):
        return list(game.faults_of_scoresheet(broken.subject))
    if broken.move is None:
        return list(game.audit(broken.subject))
    if isinstance(broken.move, type):
        return [refusal for kind, refusal in referee.unavailable_kinds(game, broken.subject) if kind is broken.move]
    refusal = referee.why_not_asked_by(game, broken.subject, broken.move, broken.asker)
    return [refusal] if refusal else []


def assert_refused(game: AnyGame, broken: Case) -> None:
    """Asserts that the rule of the case refuses it, in a sentence with its values; for a move, in a possible state."""
    found = refusals_of(game, broken)
    assert Refusal(broken.rule, broken.values, broken.pointer) in [replace(one, because=None) for one in found]
    for refusal in found:
        text, template = sentence(game, refusal), rules_of(game)[refusal.rule]["refusal"]
        for name, number in refusal.values.items():
            assert type(number) is not int or str(number + (f"{{{name}+1}}" in template)) in text
        assert all_slots([template]) == set(refusal.values)
        if refusal.because:
            assert all_slots([words_of(game, "en").catalogue["because"][refusal.because.key]]) == set(
                refusal.because.values
            )
            assert cause(game, refusal)
    if broken.move is not None:
        assert list(game.audit(broken.subject)) == []


def refusing_rules(game: AnyGame) -> set[str]:
    """The rules of the catalogue that can refuse: each needs a case."""
    return {rule for rule, entry in rules_of(game).items() if "refusal" in entry}
