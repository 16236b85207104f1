"""The operations on any game: find the decision and the legal moves, judge a move, play it."""

from collections.abc import Iterator
from typing import Any

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from capomastro.engine.decisions import ChanceDecision, Decision, SeatDecision
from capomastro.engine.events import Event
from capomastro.engine.game import AnyGame
from capomastro.engine.moves import NO_MOVES, ChanceMove, Move, Moves, seat_of, type_of
from capomastro.engine.partial import Partial
from capomastro.engine.refusals import Refusal, refuse
from capomastro.engine.rules import Amount, MoveRule
from capomastro.engine.sources import Chained

Asker = int | None | UnsetType
"""Who asks: a seat, None for a spectator; UNSET if the question is nobody's, and anything may be supplied."""


def decision(game: AnyGame, state: Any) -> Decision:
    """The next decision and who makes it."""
    stage = state.stage
    kind: str = stage.__struct_config__.tag
    current_decision = game.decision_at.get(type(stage))
    if isinstance(current_decision, SeatDecision):
        return Decision("seat", kind, current_decision.seat(state))
    return Decision("chance" if current_decision else "none", kind)


def is_over(game: AnyGame, state: Any) -> bool:
    return type(state.stage) not in game.decision_at


def seat_decision(game: AnyGame, state: Any) -> SeatDecision[Any]:
    """The decision of a seat that is due.

    Raises:
        ValueError: if no seat decides.
    """
    current_decision = game.decision_at.get(type(state.stage))
    if not isinstance(current_decision, SeatDecision):
        raise ValueError("no seat decides here")
    return current_decision


def legal_moves(game: AnyGame, state: Any, all_payments: bool = False) -> Moves:
    """The legal moves of the deciding seat, counted but not listed.

    If that seat's hand has unknown cards, only moves with known ones.
    """
    offered = [
        found
        for rule in seat_decision(game, state).rules.values()
        if (found := offered_by(rule, state, all_payments)).total
    ]
    return offered[0] if len(offered) == 1 else Chained(offered)


def completions(game: AnyGame, state: Any, kind: type[Move], partial: Partial, all_payments: bool = False) -> Moves:
    """The legal moves of one kind that contain a partial move, counted without being listed.

    `partial` names the members chosen so far: single values, and of sets (cards, tiles, payments) the tokens chosen,
    to which more may be added, but none of those whose number is `final`. `total` is exact also where millions of
    payments are legal, and 0 if nothing legal contains the choice; `openings(name, partial)` counts, for a member, the
    moves with each value or token that can still be added. Spelling a move token by token in a fixed order, a prefix
    leads on to a token exactly if this counts a move with the token added and all tokens before it final.

    Raises:
        ValueError: if no seat decides, as `legal_moves` does.
    """
    rule = seat_decision(game, state).rules.get(kind)
    if rule is None:
        return NO_MOVES
    return offered_by(rule, state, all_payments).completing(partial)


def offered_by(rule: MoveRule[Any, Any], state: Any, all_payments: bool) -> Moves:
    """The legal moves of one kind."""
    return rule.offered_with_all_payments(state) if all_payments else rule.offered(state)


def unavailable_kinds(game: AnyGame, state: Any) -> Iterator[tuple[type[Move], Refusal]]:
    """Each kind of move of this decision that has no legal move, and the rule that forbids it."""
    current_decision = game.decision_at.get(type(state.stage))
    if isinstance(current_decision, SeatDecision):
        for kind, rule in current_decision.rules.items():
            refusal = rule.why_unavailable(state)
            if refusal is None and not rule.offered(state).total:
                refusal = rule.why_none(state)
            if refusal is not None:
                yield kind, refusal


def refusal(game: AnyGame, state: Any, move: Move) -> Refusal | None:
    """The first rule that `move` breaks in `state`; None if it is legal."""
    current_decision = game.decision_at.get(type(state.stage))
    if current_decision is None:
        return refuse(game.rule("end.over"), "/type")
    if isinstance(current_decision, ChanceDecision):
        if type(move) is not current_decision.rule.move:
            expected, decision = type_of(current_decision.rule.move), type_of(current_decision.stage)
            return refuse(game.rule("turn.chance"), "/type", expected_move=expected, decision=decision)
        return current_decision.rule.refusal(state, move)
    seat, to_decide = seat_of(move), current_decision.seat(state)
    if seat is None:
        decision = type_of(current_decision.stage)
        return refuse(game.rule("turn.decision"), "/type", seat=to_decide, decision=decision)
    if seat != to_decide:
        return game.why_not_out_of_turn(state, move) or refuse(
            game.rule("turn.seat"), "/seat", seat=seat, to_decide=to_decide
        )
    rule = current_decision.rules.get(type(move))
    if rule is None:
        return refuse(
            game.rule("turn.step"),
            "/type",
            move=type_of(type(move)),
            decision=type_of(current_decision.stage),
            expected_moves=tuple([type_of(kind) for kind in current_decision.rules]),
        )
    return rule.why_not(state, move)


def amounts(game: AnyGame, state: Any, move: Move) -> list[Amount]:
    """What a move adds up to, legal or not; nothing if it is none of this decision, or of another seat."""
    current_decision = game.decision_at.get(type(state.stage))
    if not isinstance(current_decision, SeatDecision):
        return []
    rule = current_decision.rules.get(type(move))
    if rule is None or seat_of(move) != current_decision.seat(state):
        return []
    return [*rule.amounts(state, move)]


def is_to_decide(game: AnyGame, state: Any, asker: int | None) -> bool:
    """Whether what comes next is the asker's to supply: a seat supplies its own decisions, a spectator draws."""
    due = decision(game, state)
    return due.actor == ("chance" if asker is None else "seat") and due.seat == asker


def why_not_asked_by(game: AnyGame, state: Any, move: Move, asker: Asker) -> Refusal | None:
    """The first rule that `move` breaks if `asker` asks for it: a seat, None for a spectator, UNSET for nobody.

    A seat supplies its own decisions and no draws, a spectator nothing but draws. A move is judged by what the asker
    may know before it is judged by the state, so that no refusal reveals more.
    """
    if asker is UNSET:
        return refusal(game, state, move)
    owner = seat_of(move)
    if owner != asker:
        return Refusal(game.rule("turn.asker"), {"asker": asker, "owner": owner}, "/type" if owner is None else "/seat")
    return refusal(game, game.view(state, asker), move) or refusal(game, state, move)


def play(game: AnyGame, state: Any, move: Move) -> tuple[Any, list[Event]]:
    """The state after a legal `move`, and its events; check `refusal` first."""
    rule = game.decision_at[type(state.stage)].rules[type(move)]
    after, events = rule.play(state, move)
    after = replace(after, ply=state.ply + 1)
    if type(after.stage) in game.decision_at:
        return after, events
    return after, [*events, *game.final_events(after)]


def draw(game: AnyGame, state: Any, seed: str) -> ChanceMove:
    """The move of chance that `seed` draws in `state`."""
    current_decision = game.decision_at[type(state.stage)]
    assert isinstance(current_decision, ChanceDecision)
    move: ChanceMove = current_decision.rule.move(current_decision.rule.outcomes(state).draw(seed, state.ply))
    return move


def is_at_chance(game: AnyGame, state: Any) -> bool:
    return isinstance(game.decision_at.get(type(state.stage)), ChanceDecision)


def sole_witness(game: AnyGame, state: Any) -> int | None:
    """The only seat that sees what chance reveals in `state`; None if everybody does, or if chance does not decide."""
    current_decision = game.decision_at.get(type(state.stage))
    return current_decision.rule.sole_witness(state) if isinstance(current_decision, ChanceDecision) else None


def as_seen(move: Move, witness: int | None, seat: int | None) -> Move:
    """`move` as `seat` (None: a spectator) sees it, if only `witness` (None: everybody) sees what it reveals."""
    if witness is None or witness == seat or not isinstance(move, ChanceMove):
        return move
    return replace(move, **{move.reveals: None})
