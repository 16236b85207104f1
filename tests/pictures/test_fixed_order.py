"""Pictures for a page to play on: every place keeps its position through whole games; what is left out."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from capomastro.adjudicator.pictures import Arrangement, picture_of
from capomastro.documents.problems import Problem
from capomastro.engine.game import AnyGame
from capomastro.games import all_games
from tests.support.playouts import play_out, start
from tests.support.recorded import Replay, full_replays

every_game = pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.id)
GROUP = re.compile(r"<g([^>]*)>|</g>")
PLACE, SHIFT = re.compile(r'data-(place|part)="([^"]*)"'), re.compile(r"translate\((\S+) (\S+)\)")
WALKING = re.compile(r"/builder|/commissioners/|/markers/|.*/palaces/-$")
"""Figures, which are where they stand; and the plot for a new palace, which is where the next one is due."""
PARTS = re.compile(r'data-part="([^"]*)" data-box="(\S+) (\S+) (\S+) (\S+)"')


def fixed(state: Any, game: AnyGame, *omit: str, seat: int = 1) -> str:
    return picture_of(game, state, "narrow", (), seat, Arrangement("fixed", omit))


def positions_in(svg: str) -> Iterator[tuple[str, tuple[float, float]]]:
    """Every place and part with its position; a parser of XML would take longer than drawing."""
    around = [(0.0, 0.0)]
    for found in GROUP.finditer(svg):
        if found[1] is None:
            around.pop()
            continue
        (x, y), moved = around[-1], SHIFT.search(found[1])
        around.append((x + float(moved[1]), y + float(moved[2])) if moved else (x, y))
        if place := PLACE.search(found[1]):
            yield f"{place[1]} {place[2]}", around[-1]


def records_to_follow(game: AnyGame) -> list[Replay]:
    """Of a game for the least and for the most players every third position, of all others one now and then."""
    replays = [replay for replay in full_replays(game) if not replay.document.get("seat")]
    whole = {replay.players: replay for replay in replays if replay.players in (min(game.players), max(game.players))}

    def step(replay: Replay) -> int:
        return 3 if replay in whole.values() else max(len(replay.plies) // 8, 1)

    return [replay._replace(plies=replay.plies[:: -step(replay)]) for replay in replays]


@every_game
def test_in_fixed_order_every_place_keeps_its_position_through_the_whole_game(game: AnyGame) -> None:
    for replay in records_to_follow(game):
        known: dict[str, tuple[float, float]] = {}
        boxes, size = None, None
        for ply in replay.plies:
            svg = fixed(ply.after, game)
            for place, position in positions_in(svg):
                if not WALKING.match(place.partition(" ")[2]):
                    assert known.setdefault(place, position) == position, (replay.players, ply.after.ply, place)
            now, opening = PARTS.findall(svg), svg[: svg.index(">")]
            assert (boxes or now, size or opening) == (now, opening), ply.after.ply
            boxes, size = now, opening


def late(game: AnyGame, players: int) -> Any:
    """The last position of a game in which something is to be decided."""
    return [*play_out(game, players, seed="late")][-1].before


@every_game
def test_the_own_seat_comes_first_in_narrow_pictures(game: AnyGame) -> None:
    state = late(game, max(game.players))
    seats = len(state.seats)
    for order in ("fixed", "reading"):
        svg = picture_of(game, state, "narrow", (), seats - 1, Arrangement(order))
        players = re.findall(r'data-place="/seats/(\d)/(?:hand|coins)"', svg)
        if players:
            assert [int(seat) for seat in dict.fromkeys(players)] == [(turn - 1) % seats for turn in range(seats)]


def places_by_part(svg: str) -> dict[str, list[str]]:
    parts: dict[str, list[str]] = {}
    for kind, _, name in (found.partition(" ") for found, _ in positions_in(svg)):
        if kind == "part":
            parts[name] = []
        else:
            parts[next(reversed(parts))].append(name)
    return parts


@every_game
def test_what_is_left_out_is_not_drawn(game: AnyGame) -> None:
    state = late(game, min(game.players))
    whole = places_by_part(fixed(state, game))
    for omit in ("common", "/stage", "/seats", "/seats/0", "rest", "bar"):
        svg = fixed(state, game, omit)
        left = {name: part for name, part in whole.items() if name != omit and not name.startswith(f"{omit}/")}
        assert places_by_part(svg) == left
        assert (PARTS.findall(svg)[0][2] == "8") == (omit == "bar"), "the bar is above all parts"
    own_hand = fixed(state, game, "/seats/0/hand", seat=0)
    assert '"/seats/0/hand"' not in own_hand
    assert own_hand.count('data-place="') == sum(map(len, whole.values())) - ("/seats/0/hand" in whole["/seats/0"])


DOCUMENTATION = Path(__file__).parents[2] / "docs/pictures.md"


def test_what_is_to_be_shown_is_drawn_alone() -> None:
    """The places that the documentation names, of every game its own; all have players and hands."""
    told = DOCUMENTATION.read_text("utf-8").partition("- `show`")[2].partition("\n\n")[0]
    left = set(re.findall(r"`(/[^`]*)`", told))
    assert len(left) > 15
    for game in all_games().values():
        state = late(game, max(game.players))
        hands = {"/seats/0", *(f"/seats/{seat}/hand" for seat, held in enumerate(state.seats) if hasattr(held, "hand"))}
        for place in hands | left:
            try:
                svg = picture_of(game, state, "narrow", (), 0, Arrangement("fixed", (), [place]))
            except Problem:
                assert place not in hands
                continue
            assert not PARTS.findall(svg)
            left.discard(place)
    assert not left


@every_game
def test_a_place_where_nothing_lies_yet_is_drawn_alone(game: AnyGame) -> None:
    state = start(game, max(game.players))
    places = [pattern.replace("#", "0") for pattern in game.modules.picture.PARTS if "*" not in pattern]
    for place in places:
        picture_of(game, state, arrangement=Arrangement(show=[place]))


@every_game
def test_what_a_picture_does_not_have_may_be_left_out(game: AnyGame) -> None:
    state = late(game, min(game.players))
    assert fixed(state, game, "/seats/9", "/seats/9/hand", "/nowhere") == fixed(state, game)


@pytest.mark.parametrize("district", ["²", "7", "\N{ARABIC-INDIC DIGIT THREE}", "times"])
def test_what_is_no_district_is_not_drawn(district: str) -> None:
    game = all_games()["fifth-avenue"]
    with pytest.raises(Problem) as caught:
        picture_of(game, late(game, 2), arrangement=Arrangement(show=[f"/districts/{district}"]))
    assert caught.value.errors == [{"pointer": "/show/0", "message": "is not a place that is drawn by itself"}]


def test_places_that_overlap_are_each_drawn_whole() -> None:
    game = all_games()["palazzo"]
    svg = picture_of(game, late(game, 2), arrangement=Arrangement(show=["/quarries", "/supply"]))
    assert svg.count('data-place="/supply"') == 2
