"""The legal moves of the most expensive positions that the components allow, beside those in the middle of games.

Candidates are laid out by hand below, for each game, and all positions of the recorded games are tried as well. Which
is the most expensive is measured, with the caches of the rules cleared; it has to pass the audit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from typing import Any, NamedTuple

from tests.games.campanile import table as campanile
from tests.games.carrara import table as carrara
from tests.games.fifth_avenue import table as fifth_avenue
from tests.games.palazzo import table as palazzo

from bench.interleave import Figure, Goal, Report, Sampler, calls, interleave, median_call
from bench.positions import middle_of_games
from bench.reference_unit import Seconds, clock
from capomastro import adjudicator
from capomastro.documents import json_text
from capomastro.engine import referee
from capomastro.engine.game import AnyGame
from capomastro.engine.hands import Hand
from capomastro.engine.multisets import multiset
from capomastro.games import all_games
from capomastro.games.campanile.components import STYLES
from capomastro.games.carrara import stages as carrara_stages
from capomastro.games.fifth_avenue.components import BLACK, COLOURS, PILE_CARDS
from capomastro.games.fifth_avenue.state import Pile
from capomastro.games.palazzo import stages as palazzo_stages
from capomastro.games.palazzo.components import MONEY

GOAL = 10
WORST = ", worst"
EXTRAS: tuple[dict[str, Any], ...] = ({}, {"payments": "all"})
"""What else a request may ask that lengthens the list."""


class Candidate(NamedTuple):
    """A request for legal moves that might be expensive, and what it is about."""

    name: str
    body: bytes
    total: int


# --- laid out by hand ------------------------------------------------------------------------------------------------


def all_money() -> Iterator[tuple[str, Any]]:
    """Palazzo: all 55 cards in one hand, in an auction, before a purchase, and at the beginning of a turn."""
    everything = Hand((), multiset(card for card, copies in MONEY.items() for _ in range(copies)), {})
    none = Hand()
    auction = palazzo_stages.RaiseOrPass(1, (palazzo_stages.Bid(), palazzo_stages.Bid()))
    yield "all money, auction", palazzo.table(stage=auction, quarries=("m11", "", "", ""), hands=[none, everything])
    drawn: dict[str, Any] = {"supply": "b12 b31 b31 m11", "quarries": ("", "s11", "", "")}
    buying = palazzo_stages.BuyOrAuction()
    yield "all money, purchase", palazzo.table(stage=buying, **drawn, hands=[everything, none])
    full = ("m11", "m12", "b11", "b12")
    yield "all money, turn", palazzo.table(stage=palazzo_stages.ChooseAction(), quarries=full, hands=[everything, none])


def all_cards() -> Iterator[tuple[str, Any]]:
    """Fifth Avenue: in an auction, all cards of one colour or of all colours, and all black ones, in one hand."""
    for colours in ((COLOURS[3],), COLOURS):
        piles = (BLACK, *colours)
        hand = Hand(
            multiset(card for pile in piles for card, copies in PILE_CARDS[pile].items() for _ in range(copies))
        )
        offers = [fifth_avenue.offer() for _ in range(3)]
        bare = dict.fromkeys(colours, Pile(None, ()))
        free = {fifth_avenue.TIMES: "B . . . ."}
        yield (
            f"all cards, {len(colours)} colours",
            fifth_avenue.auction(*offers, hands=(hand, "", ""), districts=free, tops_of=bare),
        )


def all_blocks() -> Iterator[tuple[str, Any]]:
    """Carrara: all blocks before one player, or a full wheel and coins to buy anything of it."""
    yield "all blocks", carrara.table(carrara.seat(carrara.ALL_BLOCKS), carrara.seat(), sections=())
    most = "wyrgbkwyrgb"
    rest = carrara.rest_of(most)
    rich = carrara.seat(rest, coins=99)
    yield "all blocks but the full wheel", carrara.table(rich, carrara.seat(), sections=(most,))
    turned = carrara.table(rich, carrara.seat(), stage=carrara_stages.BuyBlocks(), sections=("", "", "", "", "", most))
    yield "all blocks but the full wheel, turned", turned


def all_styles() -> Iterator[tuple[str, Any]]:
    """Campanile: three different styles in hand and display, all towers bare."""
    yield "three styles", campanile.table(hands=["".join(STYLES[:3])] * 2)


BY_HAND: dict[str, Callable[[], Iterator[tuple[str, Any]]]] = {
    "palazzo": all_money,
    "fifth-avenue": all_cards,
    "carrara": all_blocks,
    "campanile": all_styles,
}


# --- the most expensive ----------------------------------------------------------------------------------------------


def lister(game: AnyGame) -> Callable[[bytes], bytes]:
    """Answers requests for legal moves, bytes to bytes."""

    def answer(body: bytes) -> bytes:
        members = json_text.decode(body)
        all_payments = members.get("payments") == "all"
        return json_text.encode(adjudicator.legal_moves(game, members["state"], all_payments=all_payments))

    return answer


def candidates(game: AnyGame) -> Iterator[Candidate]:
    """Every position that can be, of those laid out and of the middle of recorded games."""
    laid_out = list(BY_HAND[game.id]()) if game.id in BY_HAND else []
    recorded = [("recorded", position.state) for position in middle_of_games(game)]
    for name, state in laid_out + recorded:
        if not list(game.audit(state)):
            for extra in EXTRAS:
                total = referee.legal_moves(game, state, bool(extra)).total
                described = f"{name}, {total:,} moves" + "".join(f", {value} {key}" for key, value in extra.items())
                yield Candidate(described, json_text.encode({"state": state, **extra}), total)


def time_of(function: Callable[[bytes], object], body: bytes) -> Seconds:
    """The median of three calls."""
    times = []
    for _ in range(3):
        begin = clock()
        function(body)
        times.append(clock() - begin)
    return median(times)


def most_expensive(game: AnyGame) -> list[Candidate]:
    """The request that takes longest, and the one with the most moves, if that is another."""
    every = list(candidates(game))
    answer = lister(game)
    longest = max(every, key=lambda each: time_of(answer, each.body))
    most = max(every, key=lambda each: each.total)
    return [longest] if most.total == longest.total else [longest, most]


def reports(rounds: int, seconds: Seconds) -> list[Report]:
    """Legal moves of the most expensive requests beside the median over positions in the middle of games."""
    contenders: dict[str, Sampler] = {}
    own: dict[str, str] = {}
    for game in all_games().values():
        answer = lister(game)
        bodies = [json_text.encode({"state": position.state}) for position in middle_of_games(game)]
        contenders[game.id] = median_call(answer, bodies, seconds=seconds)
        for worst in most_expensive(game):
            name = f"{game.id}{WORST}: {worst.name}"
            contenders[name] = calls(partial(answer, worst.body), seconds=seconds)
            own[name] = game.id
    return [
        Report(
            interleave(contenders, rounds=rounds),
            title="Legal moves, the costliest beside the usual",
            figure=Figure.COST,
            work="request",
            goals=[Goal(name, GOAL, of=usual) for name, usual in own.items()],
            own=own,
        )
    ]
