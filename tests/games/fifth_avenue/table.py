"""Makes states of Fifth Avenue that have only what a test needs, the rest filled in so that they are possible."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from capomastro.engine import referee
from capomastro.engine.hands import Hand
from capomastro.engine.moves import Move
from capomastro.engine.multisets import Multiset, multiset
from capomastro.engine.refusals import Refusal
from capomastro.games.fifth_avenue import stages
from capomastro.games.fifth_avenue.components import (
    BLACK,
    BUSINESS_COPIES,
    BUSINESSES,
    CITY_HALL,
    COLOURS,
    COMMISSIONERS,
    DISTRICTS,
    DUMMY,
    FIRST_BUILDINGS,
    PILE_CARDS,
)
from capomastro.games.fifth_avenue.game import GAME
from capomastro.games.fifth_avenue.lots import (
    EMPTY,
    District,
    Districts,
    Lot,
    buildings_on,
    businesses_on,
    has_building,
)
from capomastro.games.fifth_avenue.scoresheet import Lots
from capomastro.games.fifth_avenue.state import Options, Pile, Seat, State
from capomastro.games.fifth_avenue.supplies import shown_cards
from tests.support.documents import as_document

LATER = 200
"""A ply after the set-up."""

WEST_34, EAST_34, WEST_42, TIMES, EAST_42, WEST_52, EAST_52 = DISTRICTS
KINDS = {kind[0].upper(): kind for kind in BUSINESSES}
PILES_IN_SHORT = {"o": "orange", "g": "green", "p": "purple", "y": "grey", "n": "brown", "k": BLACK}


def cards(text: str) -> Multiset:
    """Cards in shorthand: "y5 k4" is a grey 5 and a black 4 (o, g, p, y, n: the colours in their order)."""
    return multiset(f"{PILES_IN_SHORT[word[0]]}-{word[1]}" for word in text.split())


def all_of(*piles: str) -> Multiset:
    """Every card of some piles."""
    return multiset(Counter({card: copies for pile in piles for card, copies in PILE_CARDS[pile].items()}).elements())


def lot(word: str) -> Lot:
    """A lot in shorthand: "." empty, "GJ" a gallery and a jeweller, "b2" two buildings of seat 1, "x1" the dummy's."""
    if word == ".":
        return EMPTY
    if word[0].isupper():
        return Lot(multiset(KINDS[letter] for letter in word))
    return Lot(owner=DUMMY if word[0] == "x" else "abcd".index(word[0]), buildings=int(word[1:]))


def district(text: str) -> District:
    """A district in shorthand: its lots in the order orange, green, purple, grey, brown, and the colourless one."""
    return District(*map(lot, text.split()))


def typed(districts: Districts) -> dict[str, Lots | None]:
    """The same districts as on a scoresheet."""
    return msgspec.convert(as_document(districts), dict[str, Lots | None])


def board(laid: Mapping[str, str | None], six_lots: bool = False) -> Districts:
    """The districts: those that are not given have a single business."""
    colourless = (" B", " G", " J", " P", " B", " G", " J")
    plain = ["B . . . .", ". G . . .", ". . J . .", ". . . P .", ". . . . B", "G . . . .", ". J . . ."]
    if six_lots:
        plain = [". . . . ." + last for last in colourless]
    found = []
    for name, default in zip(DISTRICTS, plain, strict=True):
        text = laid.get(name, default)
        found.append(None if text is None else district(text))
    return Districts(*found)


def with_first_buildings(laid: Districts, players: int, named: Mapping[str, str | None]) -> Districts:
    """The districts with a building of every player in two of them, if necessary in those that are not given."""
    found = {name: laid[name] for name in DISTRICTS}
    needed = FIRST_BUILDINGS - sum(one is None for one in found.values())
    others = [name for name in reversed(DISTRICTS) if name not in named]
    for seat in range(players):
        lacking = needed - sum(one is not None and has_building(one, seat) for one in found.values())
        for name in others[: max(0, lacking)]:
            lots = laid_lots(found[name])
            lots[lots.index(EMPTY)] = Lot(owner=seat, buildings=1)
            found[name] = District(*lots)
    return Districts(*found.values())


def laid_lots(one: District | None) -> list[Lot]:
    assert one is not None
    return list(msgspec.structs.astuple(one))


def hand(opened: str = "", closed: str = "", **unknown: int) -> Hand:
    return Hand(cards(opened), cards(closed), dict(sorted(unknown.items())))


def offer(*bids: str, passed: bool = False) -> stages.Offer:
    return stages.Offer(tuple(map(cards, bids)), passed)


def row_after(placed: int, sizes: Sequence[int], left: list[str]) -> tuple[list[Multiset], list[str]]:
    """The row after so many placed tiles, and what went under Central Park; tiles are taken from `left`."""
    row: list[Multiset] = []
    under: list[str] = []
    for size in sizes:
        taken = min(placed, size - 1)
        placed -= taken
        if taken == size - 1:
            under.append(left.pop())
            row.append(())
        else:
            row.append(multiset(left.pop() for _ in range(size - taken)))
    return row, under


def piles_with(discards: Mapping[str, Multiset], gone: Counter[str]) -> dict[str, Pile]:
    """Piles with some discards and, if they have one left, a visible card."""
    piles = {}
    for colour in COLOURS:
        left = [card for card, copies in PILE_CARDS[colour].items() if gone[card] < copies]
        piles[colour] = Pile(left[0] if left else None, discards.get(colour, ()))
    return piles


def table(
    *,
    stage: stages.AnyStage | None = None,
    hands: Sequence[Hand | str] = ("", "", ""),
    districts: Mapping[str, str | None] | None = None,
    commissioners: tuple[str, str] = (CITY_HALL, CITY_HALL),
    markers: tuple[Sequence[str], Sequence[str]] = ((), ()),
    reserves: Sequence[int] | None = None,
    central_park: Sequence[int] = (),
    scores: Sequence[int] = (),
    tops_of: Mapping[str, Pile] | None = None,
    six_lots: bool = False,
    options: Options | None = None,
    removed: Sequence[str] | None = None,
    **fields: Any,
) -> State:
    """A state with one seat per hand. Cards in shorthand are open ones.

    The row, the tiles under Central Park, reserves, and what left the game with closed districts are made to fit.
    The player who builds or stops has bid a 4. The black pile has been shuffled, unless somebody's cards are unknown.
    """
    chosen = options or Options(six_lots=six_lots)
    laid = with_first_buildings(board(districts or {}, chosen.six_lots), len(hands), districts or {})
    closed = [name for name in DISTRICTS if laid[name] is None]
    gone = list(removed if removed is not None else [BUSINESSES[index] for index, _ in enumerate(closed)])
    there = [*businesses_on(laid), *gone]
    counts = Counter(there)
    longest = max(BUSINESS_COPIES - counts[kind] for kind in BUSINESSES)
    left = [kind for round_ in range(longest) for kind in BUSINESSES if counts[kind] + round_ < BUSINESS_COPIES]
    row, under = row_after(len(there) - len(DISTRICTS), chosen.row_groups, left[::-1])
    built = buildings_on(laid)
    seats = []
    for seat, one in enumerate(hands):
        park = central_park[seat] if seat < len(central_park) else 0
        outside = built[seat] + park
        taken = next(number for number in (5, 8, 11, 14, 17) if number >= outside)
        reserve = taken - outside if reserves is None else reserves[seat]
        lost = 0 if reserves is None else -(outside + reserve - 5) % 3 if closed else 0
        held = one if isinstance(one, Hand) else hand(one)
        seats.append(Seat(held, reserve, park, lost, scores[seat] if seat < len(scores) else 0))
    discards = {stage.colour: (f"{stage.colour}-4",)} if isinstance(stage, stages.BuildOrStop) else {}
    shown = Counter(card for seat in seats for card in seat.hand.known)
    shown.update(card for cards_laid in discards.values() for card in cards_laid)
    if hasattr(stage, "offers"):
        shown.update(card for each in stage.offers for bid in each.laid for card in bid)  # type: ignore[union-attr]
    state = State(
        **{
            "game": "fifth-avenue",
            "schema_version": 1,
            "rules_version": GAME.rules_version,
            "ply": LATER,
            "options": chosen,
            "active_seat": 0,
            "stage": stage or stages.ChooseOption(),
            "seats": tuple(seats),
            "districts": laid,
            "commissioners": dict(zip(COMMISSIONERS, commissioners, strict=True)),
            "markers": {colour: multiset(there) for colour, there in zip(COMMISSIONERS, markers, strict=True)},
            "row": tuple(row),
            "under_central_park": multiset(under),
            "removed_businesses": multiset(gone),
            "piles": {**piles_with(discards, shown), **(tops_of or {})},
            "black_discards": (),
            "dummy_removed": 0 if len(seats) == 2 else None,
            **fields,
        }
    )
    if "shuffled_in" in fields or any(one.hand.unknown for one in seats):
        return state
    black = Counter(PILE_CARDS[BLACK]) - Counter(shown_cards(state, BLACK))
    return msgspec.structs.replace(state, shuffled_in=multiset(black.elements()))


def auction(
    *offers: stages.Offer,
    seat: int = 0,
    phase: int = 3,
    markers: Sequence[str] = (TIMES, WEST_52),
    dummy: str = "",
    hands: Sequence[Hand | str] = (),
    **fields: Any,
) -> State:
    """An auction by the white commissioner: of Times Square unless other markers are given, never of Central Park."""
    stage = stages.BidOrPass(phase, "white", seat, offers, cards(dummy))  # type: ignore[arg-type]
    return table(stage=stage, hands=hands or ("",) * len(offers), markers=(markers, ()), **fields)


def refusal(state: State, move: Move) -> Refusal | None:
    return referee.refusal(GAME, state, move)


def legal(state: State, move: Move) -> bool:
    return refusal(state, move) is None


def offered(state: State) -> list[Move]:
    return list(referee.legal_moves(GAME, state).starting_at(0))


def played(state: State, *moves: Move) -> State:
    """The state after moves; each must be legal in a possible state."""
    return happened(state, *moves)[0]


def happened(state: State, *moves: Move) -> tuple[State, list[Any]]:
    """The state after moves and the events as documents; each move must be legal in a possible state."""
    assert audited(state) == [], audited(state)
    events: list[Any] = []
    for move in moves:
        assert refusal(state, move) is None, (move, refusal(state, move))
        state, more = referee.play(GAME, state, move)
        events += as_document(more)
        assert audited(state) == [], (move, audited(state))
    return state, events


def types(events: Sequence[Any]) -> list[str]:
    return [event["type"] for event in events]


def audited(state: State) -> list[Refusal]:
    return GAME.audit(state)
