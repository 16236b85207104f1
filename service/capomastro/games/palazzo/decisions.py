"""Every decision of Palazzo, in the order of the rulebook: legal moves, refusals, effects."""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import combinations, product
from typing import Any, TypeVar

from msgspec.structs import astuple, replace

from capomastro.engine.auctions import cards_of, drop_out, lay, still_bidding
from capomastro.engine.cards import DealHandsRule
from capomastro.engine.chance import Outcomes
from capomastro.engine.decisions import ChanceDecision, SeatDecision
from capomastro.engine.events import Effect, Event, with_earlier_events
from capomastro.engine.hands import gain_open, lose
from capomastro.engine.moves import NO_MOVES, Moves
from capomastro.engine.multisets import Multiset, first_missing, kinds, minus, multiset, plus
from capomastro.engine.piles import without_revealed
from capomastro.engine.refusals import Refusal, implements, refuse
from capomastro.engine.rules import Amount, BareRule, ChanceRule, CountedRule, MoveRule, SureRule
from capomastro.engine.seats import next_seat, replaced, with_seat
from capomastro.engine.sources import Chained, Listed, Mapped, Paired, Source
from capomastro.engine.stages import GameOver, deciding_seat, stage_of
from capomastro.games.palazzo import components as box
from capomastro.games.palazzo import events, moves, stages, supplies, tokens
from capomastro.games.palazzo.auction import highest_bid, locked_currency, total_bid
from capomastro.games.palazzo.money import Plays, minimal_payments, most_playable, play_of, plays_worth, valid_plays
from capomastro.games.palazzo.state import State

# --- small steps on the state ----------------------------------------------------------------------------------------


def pay(state: State, seat: int, cards: Multiset) -> Effect[State]:
    """Moves `cards` from the hand of `seat` to the discards."""
    hand = lose(state.seats[seat].hand, cards)
    return supplies.discard(replace(state, seats=with_seat(state, seat, hand=hand)), cards)


def with_quarry(state: State, tiles: Multiset) -> State:
    """The state with other tiles on the builder's quarry."""
    return replace(state, quarries=replaced(state.quarries, state.builder, tiles))


@implements("palazzo.turn.left-of-active", "palazzo.end.no-length-limit")
def next_turn(state: State) -> State:
    """Ends the turn; the player to the left of the active one is next, no matter who won an auction."""
    return replace(state, active_seat=next_seat(state, state.active_seat), stage=stages.ChooseAction())


# --- set-up ----------------------------------------------------------------------------------------------------------


class DrawTileRule(ChanceRule[State, moves.DrawTile]):
    """The next tile of the stacks."""

    refuses = "palazzo.draw.tile"

    def outcomes(self, state: State) -> Outcomes:
        return supplies.next_tiles(state)


class DrawSetupTileRule(DrawTileRule):
    """Five tiles: one for each quarry, then one for the supply."""

    rules = ("palazzo.setup.order", "palazzo.setup.step")

    def play(self, state: State, move: moves.DrawTile) -> Effect[State]:
        quarry = sum(map(bool, state.quarries))
        if quarry < box.QUARRIES:
            laid_out = replace(state, quarries=replaced(state.quarries, quarry, (move.tile,)))
            return laid_out, [events.TileDrawn(move.tile, "quarry", quarry)]
        laid_out = replace(state, supply=(move.tile,), stage=stages.DealCard())
        return laid_out, [events.TileDrawn(move.tile, "supply")]


class DealCardRule(DealHandsRule[State, moves.DealCard]):
    """Four secret cards to seat 0, then four to seat 1, and so on."""

    rules = ("palazzo.setup.order", "palazzo.setup.step", "palazzo.setup.secret")
    refuses = "palazzo.draw.card"
    hand_size = box.HAND_SIZE
    following = stages.ChooseAction()

    def outcomes(self, state: State) -> Outcomes:
        return supplies.deck(state).next_cards()


# --- action 1: take money --------------------------------------------------------------------------------------------


class TakeMoneyRule(BareRule[State, moves.TakeMoney]):
    """Requires one card more than there are players."""

    def why_unavailable(self, state: State) -> Refusal | None:
        available, needed = supplies.deck_size(state) + len(state.discards), len(state.seats) + 1
        if available < needed:
            return refuse("palazzo.take-money.enough-cards", "/type", available=available, needed=needed)
        return None

    def play(self, state: State, move: moves.TakeMoney) -> Effect[State]:
        return replace(state, stage=stages.RevealCard(())), [events.ActionChosen(move.seat, "take-money")]


class RevealCardRule(ChanceRule[State, moves.RevealCard]):
    """Turns up one card more than there are players; an empty deck is reshuffled on the way."""

    rules = ("palazzo.take-money.row", "palazzo.take-money.row-full")
    refuses = "palazzo.draw.card"

    def outcomes(self, state: State) -> Outcomes:
        return supplies.deck(state).next_cards()

    def play(self, state: State, move: moves.RevealCard) -> Effect[State]:
        face_up = plus(stage_of(state, stages.RevealCard).face_up, (move.card,))
        complete = len(face_up) == len(state.seats) + 1
        revealed = replace(
            state,
            stage=stages.ChooseTwoCards(face_up) if complete else stages.RevealCard(face_up),
            shuffled_in=without_revealed(state.shuffled_in, move.card),
        )
        return with_earlier_events([events.CardRevealed(move.card)], supplies.reshuffle_if_empty(revealed))


@implements("palazzo.take-money.no-limit")
def take(state: State, seat: int, face_up: Multiset, cards: Multiset) -> Effect[State]:
    """`seat` takes `cards` from the row; the next seat chooses from the rest, or the turn ends."""
    rest = minus(face_up, cards)
    seats = with_seat(state, seat, hand=gain_open(state.seats[seat].hand, cards))
    happened = events.CardsTaken(seat, cards)
    if rest:
        return replace(state, seats=seats, stage=stages.ChooseCard(next_seat(state, seat), rest)), [happened]
    return next_turn(replace(state, seats=seats)), [happened]


class TakeTwoCardsRule(SureRule[State, moves.TakeTwoCards]):
    """The active player chooses two from the row."""

    rules = ("palazzo.take-money.row",)

    def candidates(self, state: State) -> Sequence[moves.TakeTwoCards]:
        pairs = dict.fromkeys(combinations(stage_of(state, stages.ChooseTwoCards).face_up, 2))
        return [moves.TakeTwoCards(state.active_seat, pair) for pair in pairs]

    def refusal(self, state: State, move: moves.TakeTwoCards) -> Refusal | None:
        if (index := first_missing(move.cards, stage_of(state, stages.ChooseTwoCards).face_up)) is not None:
            return refuse("palazzo.take-money.face-up", f"/cards/{index}", card=move.cards[index])
        return None

    def play(self, state: State, move: moves.TakeTwoCards) -> Effect[State]:
        return take(state, move.seat, stage_of(state, stages.ChooseTwoCards).face_up, multiset(move.cards))


class TakeCardRule(SureRule[State, moves.TakeCard]):
    """Every other player, clockwise, chooses one from the rest."""

    rules = ("palazzo.take-money.row", "palazzo.take-money.others", "palazzo.take-money.choose")

    def candidates(self, state: State) -> Sequence[moves.TakeCard]:
        stage = stage_of(state, stages.ChooseCard)
        return [moves.TakeCard(stage.seat, card) for card in kinds(stage.face_up)]

    def refusal(self, state: State, move: moves.TakeCard) -> Refusal | None:
        if move.card not in stage_of(state, stages.ChooseCard).face_up:
            return refuse("palazzo.take-money.face-up", "/card", card=move.card)
        return None

    def play(self, state: State, move: moves.TakeCard) -> Effect[State]:
        return take(state, move.seat, stage_of(state, stages.ChooseCard).face_up, (move.card,))


# --- action 2: build -------------------------------------------------------------------------------------------------


class BuildRule(BareRule[State, moves.Build]):
    """Draws two tiles, then buys or calls an auction."""

    def play(self, state: State, move: moves.Build) -> Effect[State]:
        return replace(state, stage=stages.DrawFirstTile()), [events.ActionChosen(move.seat, "build")]


@implements("palazzo.end.fifth-rider", "palazzo.end.not-before")
def draw_rider(state: State, following: stages.DrawSecondTile | stages.BuyOrAuction) -> Effect[State]:
    """A rider is laid aside and not replaced; the fifth ends the game at once."""
    riders = state.riders + 1
    stage = GameOver() if riders == box.RIDERS else following
    return replace(state, riders=riders, stage=stage), [events.RiderDrawn("palazzo.build.riders", riders)]


class DrawFirstTileRule(DrawTileRule):
    """The first tile goes to the supply."""

    rules = ("palazzo.build.two-tiles", "palazzo.build.destination")

    def play(self, state: State, move: moves.DrawTile) -> Effect[State]:
        if move.tile == box.RIDER:
            return draw_rider(state, stages.DrawSecondTile())
        drawn = replace(state, supply=plus(state.supply, (move.tile,)), stage=stages.DrawSecondTile())
        return drawn, [events.TileDrawn(move.tile, "supply")]


class DrawSecondTileRule(DrawTileRule):
    """The second tile goes on a quarry, as many clockwise from the builder as it has windows."""

    rules = ("palazzo.build.two-tiles", "palazzo.build.destination")

    def play(self, state: State, move: moves.DrawTile) -> Effect[State]:
        if move.tile == box.RIDER:
            return draw_rider(state, stages.BuyOrAuction())
        quarry = (state.builder + box.windows_of(move.tile)) % box.QUARRIES
        quarries = replaced(state.quarries, quarry, plus(state.quarries[quarry], (move.tile,)))
        drawn = replace(state, quarries=quarries, stage=stages.BuyOrAuction())
        return drawn, [events.TileDrawn(move.tile, "quarry", quarry)]


# --- action 2a: buy tiles --------------------------------------------------------------------------------------------


@implements("palazzo.buy.price", "palazzo.buy.never-negative")
def price(state: State, number: int) -> int:
    """The price of a `number` of tiles: each costs 10 minus the number of tiles on the supply, never below 0."""
    return number * max(0, box.FULL_PRICE - len(state.supply))


def why_too_little(state: State, number: int, worth: int, pointer: str) -> Refusal | None:
    """A payment is worth the price of the tiles, or more."""
    cost = price(state, number)
    return refuse("palazzo.buy.price", pointer, worth=worth, price=cost) if worth < cost else None


class BuyRule(CountedRule[State, moves.Buy]):
    """One or two tiles from the supply, with one payment for both: any valid play worth the price or more."""

    def why_unavailable(self, state: State) -> Refusal | None:
        if not state.supply:
            return refuse("palazzo.buy.no-tiles", "/type")
        hand = state.seats[state.active_seat].hand
        if hand.unknown:  # its cards may be able to pay
            return None
        return why_too_little(state, 1, most_playable(hand.known), "/type")

    def refusal(self, state: State, move: moves.Buy) -> Refusal | None:
        if (index := first_missing(move.tiles, state.supply)) is not None:
            return refuse("palazzo.buy.supply", f"/tiles/{index}", tile=move.tiles[index])
        payment = multiset(move.payment)
        if refusal := supplies.why_not_in_hand(state, move.seat, payment, "/payment"):
            return refusal
        laid = play_of(payment)
        if len(laid.currencies) > 1:
            return refuse("palazzo.payment.currency", "/payment", currencies=laid.currencies)
        return why_too_little(state, len(move.tiles), laid.worth, "/payment")

    def amounts(self, state: State, move: moves.Buy) -> Iterable[Amount]:
        most = most_playable(state.seats[move.seat].hand.known)
        yield Amount("payment", play_of(multiset(move.payment)).worth, price(state, len(move.tiles)), most)

    def offered(self, state: State) -> Moves:
        """Counted, because a hand can pay in hundreds of ways: 469 in 400 random games (2026-11-28).

        Only payments without a superfluous part are offered, although all are legal.
        """
        return self.offered_with(minimal_payments, state)

    def offered_with_all_payments(self, state: State) -> Moves:
        return self.offered_with(plays_worth, state)

    def offered_with(self, payments: Callable[[Plays, int], Source[Multiset]], state: State) -> Moves:
        """Every choice of tiles with every one of the `payments` from the hand for its price."""
        plays = valid_plays(state.seats[state.active_seat].hand.known)
        choices = [list(dict.fromkeys(combinations(state.supply, count))) for count in range(1, box.MOST_BOUGHT + 1)]
        return Chained(
            Paired(Listed(tiles, "tiles"), payments(plays, price(state, count)), partial(moves.Buy, state.active_seat))
            for count, tiles in enumerate(choices, 1)
            if tiles
        )

    def play(self, state: State, move: moves.Buy) -> Effect[State]:
        payment, tiles = multiset(move.payment), multiset(move.tiles)
        bought = replace(
            state, supply=minus(state.supply, tiles), stage=stages.PlaceTile(move.seat, tiles, distribution=False)
        )
        happened = events.TilesBought(move.seat, tiles, price(state, len(tiles)), payment)
        return with_earlier_events([happened], pay(bought, move.seat, payment))


# --- action 2b: auction tiles ----------------------------------------------------------------------------------------


class CallAuctionRule(BareRule[State, moves.CallAuction]):
    """The builder moves clockwise to the next quarry with a tile; the active player opens with exactly 3.

    A player who does not buy must call an auction: the decision has no third kind of move.
    """

    rules = ("palazzo.build.compulsory", "palazzo.auction.builder")

    def play(self, state: State, move: moves.CallAuction) -> Effect[State]:
        clockwise = [(state.builder + steps) % box.QUARRIES for steps in range(1, box.QUARRIES + 1)]
        quarry = next((quarry for quarry in clockwise if state.quarries[quarry]), None)
        if quarry is None:
            return next_turn(state), [events.NothingToAuction(move.seat, "palazzo.auction.no-tiles")]
        tiles = state.quarries[quarry]
        if len(tiles) >= box.DISTRIBUTION:
            distributed = replace(state, builder=quarry, stage=stages.ChooseTile(move.seat))
            return distributed, [events.Distribution(move.seat, quarry, tiles, "palazzo.distribution.four")]
        bids = (stages.Bid(),) * len(state.seats)
        opened = replace(state, builder=quarry, stage=stages.RaiseOrPass(next_seat(state, move.seat), bids))
        return opened, [events.AuctionOpened(move.seat, quarry, tiles, "palazzo.auction.opening")]


def why_too_low(state: State, seat: int, added: int, pointer: str) -> Refusal | None:
    """With what is added, a bid must become higher than the highest."""
    bid, highest = total_bid(state, seat) + added, highest_bid(state)
    return refuse("palazzo.auction.raise", pointer, bid=bid, highest=highest) if bid <= highest else None


class RaiseRule(CountedRule[State, moves.Raise]):
    """Adds cards until the player's total is above the highest bid."""

    rules = ("palazzo.auction.cards", "palazzo.auction.out")

    def why_unavailable(self, state: State) -> Refusal | None:
        stage = stage_of(state, stages.RaiseOrPass)
        hand = state.seats[stage.seat].hand
        if hand.unknown:  # its cards may be able to raise
            return None
        most = most_playable(hand.known, locked_currency(stage.bids[stage.seat]))
        return why_too_low(state, stage.seat, most, "/type")

    def refusal(self, state: State, move: moves.Raise) -> Refusal | None:
        cards = multiset(move.cards)
        if refusal := supplies.why_not_in_hand(state, move.seat, cards, "/cards"):
            return refusal
        laid, locked = play_of(cards), locked_currency(stage_of(state, stages.RaiseOrPass).bids[move.seat])
        if len(laid.currencies) > 1:
            return refuse("palazzo.payment.currency", "/cards", currencies=laid.currencies)
        if locked and laid.currencies and laid.currencies[0] != locked:
            return refuse("palazzo.auction.currency", "/cards", currency=laid.currencies[0], locked=locked)
        return why_too_low(state, move.seat, laid.worth, "/cards")

    def amounts(self, state: State, move: moves.Raise) -> Iterable[Amount]:
        before = total_bid(state, move.seat)
        locked = locked_currency(stage_of(state, stages.RaiseOrPass).bids[move.seat])
        most = before + most_playable(state.seats[move.seat].hand.known, locked)
        bid = before + play_of(multiset(move.cards)).worth
        yield Amount("bid", bid, highest_bid(state) + 1, most, before)

    def offered(self, state: State) -> Moves:
        """Counted, because a hand allows more than a million bids."""
        stage = stage_of(state, stages.RaiseOrPass)
        plays = valid_plays(state.seats[stage.seat].hand.known, locked_currency(stage.bids[stage.seat]))
        missing = highest_bid(state) - total_bid(state, stage.seat) + 1
        return Mapped(plays_worth(plays, missing, "cards"), partial(moves.Raise, stage.seat))

    def play(self, state: State, move: moves.Raise) -> Effect[State]:
        cards = multiset(move.cards)
        seats, bids = lay(state, stage_of(state, stages.RaiseOrPass).bids, move.seat, cards)
        following, *_ = still_bidding(bids, move.seat)
        raised = replace(state, seats=seats, stage=stages.RaiseOrPass(following, bids))
        return raised, [events.BidRaised(move.seat, cards, total_bid(raised, move.seat))]


class PassRule(BareRule[State, moves.Pass]):
    """The player takes back all cards of the bid; the last one left wins the tiles."""

    rules = ("palazzo.auction.passed", "palazzo.auction.out", "palazzo.auction.standing", "palazzo.auction.winner")

    def play(self, state: State, move: moves.Pass) -> Effect[State]:
        seats, bids = drop_out(state, stage_of(state, stages.RaiseOrPass).bids, move.seat)
        passed = replace(state, seats=seats)
        bidders = still_bidding(bids, move.seat)
        if len(bidders) > 1:
            return replace(passed, stage=stages.RaiseOrPass(bidders[0], bids)), [events.Passed(move.seat)]
        (winner,) = bidders
        tiles = state.quarries[state.builder]
        won = replace(with_quarry(passed, ()), stage=stages.PlaceTile(winner, tiles, distribution=False))
        victory = events.AuctionWon(winner, tiles, total_bid(state, winner))
        return with_earlier_events([events.Passed(move.seat), victory], supplies.discard(won, cards_of(bids[winner])))


# --- action 2b, exception: four or more tiles are distributed --------------------------------------------------------


class TakeTileRule(MoveRule[State, moves.TakeTile]):
    """Everybody, the active player first, takes one tile and builds it."""

    rules = ("palazzo.distribution.one",)

    def candidates(self, state: State) -> Sequence[moves.TakeTile]:
        seat = deciding_seat(state)
        return [moves.TakeTile(seat, tile) for tile in kinds(state.quarries[state.builder])]

    def refusal(self, state: State, move: moves.TakeTile) -> Refusal | None:
        if move.tile not in state.quarries[state.builder]:
            return refuse("palazzo.distribution.quarry", "/tile", tile=move.tile, quarry=state.builder)
        return None

    def play(self, state: State, move: moves.TakeTile) -> Effect[State]:
        taken = with_quarry(state, minus(state.quarries[state.builder], (move.tile,)))
        stage = stages.PlaceTile(move.seat, (move.tile,), distribution=True)
        return replace(taken, stage=stage), [events.TileTaken(move.seat, move.tile)]


# --- building --------------------------------------------------------------------------------------------------------

T = TypeVar("T", moves.BeginPalace, moves.ThrowAway)


def after_placing(state: State, seat: int, tile: str, happened: Event) -> Effect[State]:
    """After a tile was placed: the next tile, the next seat of a distribution, or the end of the turn.

    The tiles that nobody took in a distribution leave the game.
    """
    stage = stage_of(state, stages.PlaceTile)
    rest = minus(stage.tiles, (tile,))
    if rest:
        return replace(state, stage=stages.PlaceTile(seat, rest, stage.distribution)), [happened]
    following = next_seat(state, seat)
    if stage.distribution and following != state.active_seat:
        return replace(state, stage=stages.ChooseTile(following)), [happened]
    left = state.quarries[state.builder] if stage.distribution else ()
    if not left:
        return next_turn(state), [happened]
    cleared = replace(with_quarry(state, ()), removed=plus(state.removed, left))
    return next_turn(cleared), [happened, events.TilesRemoved(tiles=left, rule="palazzo.distribution.rest")]


def why_not_this_tile(state: State, tile: str) -> Refusal | None:
    if tile not in stage_of(state, stages.PlaceTile).tiles:
        return refuse("palazzo.building.own-tiles", "/tile", tile=tile)
    return None


def tiles_to_place(state: State) -> Multiset:
    return kinds(stage_of(state, stages.PlaceTile).tiles)


class PlaceOnTopRule(MoveRule[State, moves.PlaceOnTop]):
    """On top of one of the player's palaces, whose floors must keep rising."""

    def why_unavailable(self, state: State) -> Refusal | None:
        if not state.seats[deciding_seat(state)].palaces:
            return refuse("palazzo.building.palace", "/type", palace=0, palaces=0)
        return None

    def candidates(self, state: State) -> Sequence[moves.PlaceOnTop]:
        seat = deciding_seat(state)
        palaces = range(len(state.seats[seat].palaces))
        return [moves.PlaceOnTop(seat, tile, palace) for tile in tiles_to_place(state) for palace in palaces]

    def refusal(self, state: State, move: moves.PlaceOnTop) -> Refusal | None:
        palaces = state.seats[move.seat].palaces
        if refusal := why_not_this_tile(state, move.tile):
            return refusal
        if move.palace >= len(palaces):
            return refuse("palazzo.building.palace", "/palace", palace=move.palace, palaces=len(palaces))
        top = palaces[move.palace][-1]
        if box.floor_of(move.tile) <= box.floor_of(top):
            return refuse("palazzo.building.floors", "/tile", floor=box.floor_of(move.tile), top=box.floor_of(top))
        return None

    def play(self, state: State, move: moves.PlaceOnTop) -> Effect[State]:
        palaces = state.seats[move.seat].palaces
        palaces = replaced(palaces, move.palace, (*palaces[move.palace], move.tile))
        built = replace(state, seats=with_seat(state, move.seat, palaces=palaces))
        happened = events.TilePlaced(move.seat, move.tile, move.palace)
        return after_placing(built, move.seat, move.tile, happened)


class AnywhereRule(SureRule[State, T]):
    """A tile goes where any tile may go."""

    def candidates(self, state: State) -> Sequence[T]:
        return [self.move(deciding_seat(state), tile) for tile in tiles_to_place(state)]

    def refusal(self, state: State, move: T) -> Refusal | None:
        return why_not_this_tile(state, move.tile)


class BeginPalaceRule(AnywhereRule[moves.BeginPalace]):
    """Any tile may stand alone."""

    def play(self, state: State, move: moves.BeginPalace) -> Effect[State]:
        palaces = (*state.seats[move.seat].palaces, (move.tile,))
        built = replace(state, seats=with_seat(state, move.seat, palaces=palaces))
        happened = events.PalaceBegun(move.seat, move.tile, len(palaces) - 1)
        return after_placing(built, move.seat, move.tile, happened)


class ThrowAwayRule(AnywhereRule[moves.ThrowAway]):
    """A tile may leave the game instead of being built."""

    def play(self, state: State, move: moves.ThrowAway) -> Effect[State]:
        thrown = replace(state, removed=plus(state.removed, (move.tile,)))
        return after_placing(thrown, move.seat, move.tile, events.TilesRemoved(seat=move.seat, tiles=(move.tile,)))


# --- action 3: rebuild -----------------------------------------------------------------------------------------------

R = TypeVar("R", moves.RebuildTakeOut, moves.RebuildInsert, moves.RebuildRemove)
Change = tuple[Any, ...]
"""The members of a move that say what changes: all after `seat` and `card`, in that order."""


class RebuildRule(CountedRule[State, R]):
    """One of three changes, paid with any one card from the hand: which card pays does not matter to the change."""

    @abstractmethod
    def changes(self, palaces: tuple[tokens.Palace, ...]) -> Iterable[Change]:
        """Every change of this kind that could be legal; at least one if there is a palace."""

    why_not_change: Callable[..., Refusal | None]
    """The first rule that a change breaks; takes the palaces, then the members of the change."""

    @abstractmethod
    def change(self, palaces: list[tokens.Palace], move: R) -> Event:
        """Applies the change."""

    def why_unavailable(self, state: State) -> Refusal | None:
        seat = state.seats[state.active_seat]
        if not seat.hand.size:
            return refuse("palazzo.rebuild.card", "/type", seat=state.active_seat)
        if not seat.palaces:
            return refuse("palazzo.rebuild.palace", "/type", palace=0, palaces=0)
        refusals = (self.why_not_change(seat.palaces, *change) for change in self.changes(seat.palaces))
        first = next(refusals)
        return first if first and all(refusals) else None

    def refusal(self, state: State, move: R) -> Refusal | None:
        palaces = state.seats[move.seat].palaces
        if refusal := supplies.why_not_in_hand(state, move.seat, (move.card,), "/card"):
            return refusal
        if move.palace >= len(palaces):
            return refuse("palazzo.rebuild.palace", "/palace", palace=move.palace, palaces=len(palaces))
        return self.why_not_change(palaces, *astuple(move)[2:])

    def offered(self, state: State) -> Moves:
        """Every legal change with every card: counted, because there can be 30,000."""
        index, seat = state.active_seat, state.seats[state.active_seat]
        changes = [change for change in self.changes(seat.palaces) if not self.why_not_change(seat.palaces, *change)]
        if not changes:
            return NO_MOVES
        _, _, *changed = self.move.__struct_fields__
        return Paired(
            Listed(changes, tuple(changed)),
            Listed(kinds(seat.hand.known), "card"),
            lambda change, card: self.move(index, card, *change),
        )

    def play(self, state: State, move: R) -> Effect[State]:
        palaces = list(state.seats[move.seat].palaces)
        happened = self.change(palaces, move)
        rebuilt = replace(state, seats=with_seat(state, move.seat, palaces=tuple(palaces)))
        if isinstance(happened, events.TilesRemoved):
            rebuilt = replace(rebuilt, removed=plus(state.removed, happened.tiles))
        return with_earlier_events(
            [events.CardPaid(move.seat, move.card), happened], pay(next_turn(rebuilt), move.seat, (move.card,))
        )


class RebuildTakeOutRule(RebuildRule[moves.RebuildTakeOut]):
    """A tile of any floor leaves a palace of two or more tiles and stands alone."""

    def changes(self, palaces: tuple[tokens.Palace, ...]) -> Iterable[Change]:
        return ((index, tile) for index, palace in enumerate(palaces) for tile in palace)

    def why_not_change(self, palaces: tuple[tokens.Palace, ...], palace: int, tile: str) -> Refusal | None:
        if tile not in palaces[palace]:
            return refuse("palazzo.rebuild.take-out", "/tile", tile=tile, palace=palace)
        if len(palaces[palace]) < 2:
            return refuse("palazzo.rebuild.no-change", "/palace", palace=palace)
        return None

    def change(self, palaces: list[tokens.Palace], move: moves.RebuildTakeOut) -> Event:
        palaces[move.palace] = tuple(tile for tile in palaces[move.palace] if tile != move.tile)
        palaces.append((move.tile,))
        return events.TileTakenOut(move.seat, move.tile, move.palace, len(palaces) - 1)


class RebuildInsertRule(RebuildRule[moves.RebuildInsert]):
    """A tile that stands alone goes into another palace, at the height where floors keep rising."""

    def changes(self, palaces: tuple[tokens.Palace, ...]) -> Iterable[Change]:
        return product(range(len(palaces)), repeat=2)

    def why_not_change(self, palaces: tuple[tokens.Palace, ...], palace: int, into: int) -> Refusal | None:
        if refusal := why_not_single(palaces, palace):
            return refusal
        if into >= len(palaces):
            return refuse("palazzo.rebuild.palace", "/into", palace=into, palaces=len(palaces))
        if into == palace:
            return refuse("palazzo.rebuild.another-palace", "/into", palace=palace)
        floor = box.floor_of(palaces[palace][0])
        if any(box.floor_of(tile) == floor for tile in palaces[into]):
            return refuse("palazzo.rebuild.floors", "/into", floor=floor, palace=into)
        return None

    def change(self, palaces: list[tokens.Palace], move: moves.RebuildInsert) -> Event:
        (tile,) = palaces[move.palace]
        palaces[move.into] = tuple(sorted((*palaces[move.into], tile), key=box.floor_of))
        del palaces[move.palace]
        into = move.into - (move.palace < move.into)
        return events.TileInserted(move.seat, tile, into)


class RebuildRemoveRule(RebuildRule[moves.RebuildRemove]):
    """A tile that stands alone leaves the game."""

    def changes(self, palaces: tuple[tokens.Palace, ...]) -> Iterable[Change]:
        return ((index,) for index in range(len(palaces)))

    def why_not_change(self, palaces: tuple[tokens.Palace, ...], palace: int) -> Refusal | None:
        return why_not_single(palaces, palace)

    def change(self, palaces: list[tokens.Palace], move: moves.RebuildRemove) -> Event:
        return events.TilesRemoved(seat=move.seat, tiles=palaces.pop(move.palace))


def why_not_single(palaces: tuple[tokens.Palace, ...], palace: int) -> Refusal | None:
    if len(palaces[palace]) > 1:
        return refuse("palazzo.rebuild.single", "/palace", palace=palace, tiles=len(palaces[palace]))
    return None


# --- the table of decisions ------------------------------------------------------------------------------------------

DECISIONS: tuple[SeatDecision[State] | ChanceDecision[State], ...] = (
    ChanceDecision(stages.DrawSetupTile, DrawSetupTileRule()),
    ChanceDecision(stages.DealCard, DealCardRule()),
    SeatDecision(
        stages.ChooseAction,
        (TakeMoneyRule(), BuildRule(), RebuildTakeOutRule(), RebuildInsertRule(), RebuildRemoveRule()),
    ),
    ChanceDecision(stages.RevealCard, RevealCardRule()),
    SeatDecision(stages.ChooseTwoCards, (TakeTwoCardsRule(),)),
    SeatDecision(stages.ChooseCard, (TakeCardRule(),)),
    ChanceDecision(stages.DrawFirstTile, DrawFirstTileRule()),
    ChanceDecision(stages.DrawSecondTile, DrawSecondTileRule()),
    SeatDecision(stages.BuyOrAuction, (BuyRule(), CallAuctionRule())),
    SeatDecision(stages.RaiseOrPass, (RaiseRule(), PassRule())),
    SeatDecision(stages.ChooseTile, (TakeTileRule(),)),
    SeatDecision(stages.PlaceTile, (PlaceOnTopRule(), BeginPalaceRule(), ThrowAwayRule())),
)
