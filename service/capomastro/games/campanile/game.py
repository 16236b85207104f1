"""Campanile for the engine: the implementation of `GameDefinition`."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from capomastro.engine.events import Event, GameOver, events_in
from capomastro.engine.game import GameDefinition, Modules
from capomastro.engine.hands import Hand
from capomastro.engine.piles import FaceDownPile
from capomastro.engine.refusals import Refusal, implements
from capomastro.games.campanile import audit, deck, derived, events, picture, plan, reference, scoresheet, stages
from capomastro.games.campanile import components as box
from capomastro.games.campanile.decisions import DECISIONS
from capomastro.games.campanile.scoring import Result, final_scoring, result_at_end
from capomastro.games.campanile.state import Options, Seat, SettledOptions, State, Tower


class Campanile(GameDefinition[State]):
    """Raise five towers and bet on which will be the highest, at half-time and at the end."""

    id = "campanile"
    title = "Campanile"
    players = box.PLAYERS
    rules_version = 1
    state_type = State
    options_type = Options
    scoresheet_type = scoresheet.Scoresheet
    derived_type = derived.Derived
    reference_type = reference.CampanileReference
    result_type = Result
    events = events_in(events)
    decisions = DECISIONS
    modules = Modules(audit, derived, scoresheet, plan, picture, reference)

    def components(self) -> Mapping[str, Mapping[str, int]]:
        return {
            "tower_cards": dict.fromkeys(box.STYLES, box.COPIES),
            "scoring_cards": {box.INTERMEZZO: 1, box.FINITO: 1},
            "markers_of_each_player": box.MARKERS,
            "tokens": {str(value): number for value, number in box.TOKENS.items()},
        }

    def option_findings(self, players: int, options: Options | SettledOptions) -> Iterable[Refusal]:
        return audit.option_findings(players, options)

    @implements("campanile.setup.first-seat", "campanile.setup.tower-order")
    def start(self, players: int, options: Options, names: tuple[str, ...] | None) -> State:
        after = options.intermezzo_after
        half = box.cards_after_dealing(players) // 2
        return State(
            **self.header(names),
            options=SettledOptions(
                options.tower_order, half if after is msgspec.UNSET else after, options.move_medium_marker
            ),
            stage=stages.DealCard(),
            seats=(Seat(Hand(), ()),) * players,
            towers=dict.fromkeys(box.STYLES, Tower(0, 0, ())),
            display=(),
            intermezzo_seen=False,
        )

    def face_down(self, state: State, pile: str) -> FaceDownPile:
        return deck.deck(state)

    def final_events(self, state: State) -> Sequence[Event]:
        return [*events.of_scoring(final_scoring(state)), GameOver("campanile.end.finito")]

    def result(self, state: State) -> Result:
        return result_at_end(state)

    def points_now(self, state: State) -> Sequence[int]:
        return [player.total for player in result_at_end(state).players]

    def drawn_for_scoring(self, state: State) -> Mapping[str, Any]:
        return {"card": box.FINITO}


GAME = Campanile()
