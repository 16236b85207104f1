"""What a seat is told follows from its view alone, and keys and records are kept from everybody else."""

from itertools import islice, product
from pathlib import Path

import pytest

import capomastro
from capomastro import Move, Position, Problem
from capomastro.agents import tools
from capomastro.agents.folder import FolderInUseError, opened
from capomastro.agents.keys import Chair, Keys
from capomastro.agents.tables import Memory, Tables
from tests.support.hidden import secrets_of

GAMES = [game.id for game in capomastro.all_games()]
HIDING = [game for game in GAMES if secrets_of(capomastro.set_up(game, 3, seed=5).state, 0)]
"""The games with hidden hands."""
SECRET = bytes(32)
TABLE = "abcdef"


def tables_with(position: Position) -> Tables:
    """Tables with one game, always under the same keys."""
    tables = Tables(Keys(SECRET), Memory())
    tables.store.keep(TABLE, position)
    return tables


def key(seat: int) -> str:
    return Keys(SECRET).key(Chair(TABLE, seat))


def told(tables: Tables, seat: int, moves: list[object]) -> list[str]:
    """All that a seat can be told at a position, without changing it: answers, refusals and pictures."""
    calls: list[tuple[str, dict[str, object]]] = [
        ("look", {"key": key(seat), "picture": True}),
        ("moves", {"key": key(seat)}),
        ("score", {"key": key(seat)}),
        *(("play", {"key": key(seat), "move": move}) for move in moves),
    ]
    texts = []
    for name, arguments in calls:
        try:
            texts.append(repr(tools.call(tables, name, arguments)))
        except tools.Mistake as mistake:
            texts.append(str(mistake))
    return [*texts, tools.picture(tables, tools.PICTURE.format(key=key(seat)))]


def positions_of(game: str) -> list[Position]:
    """Positions of a game, some moves apart, the last ones at its end."""
    position = capomastro.set_up(game, 3, seed=4)
    while not position.is_over:
        position = position.play(any_move(position), seed="d")
    plies = [ply.number for ply in position.history if ply.decision.seat is not None]
    moves = [ply.move for ply in position.history]
    chosen = [*plies[1 :: len(plies) // 5], plies[-1], len(moves)]
    return [position.beginning.play(*moves[:ply]) for ply in chosen]


@pytest.mark.parametrize("game", GAMES)
def test_positions_that_a_seat_cannot_tell_apart_are_answered_alike(game: str) -> None:
    """Byte for byte: also what is refused, for moves of everybody and for cards in others' hands."""
    for position, seat in product(positions_of(game), range(3)):
        others = [move for number in range(3) for move in islice(position.legal_moves, 5 * number, 5 * number + 3)]
        illegal = [move for move in others if position.seen_by(seat).why_not(move, seat=seat) is not None]
        written = [position.game.notation(move) for move in illegal]
        pair = [told(tables_with(twin), seat, [*written, "pass", 10**9]) for twin in twins(position, seat)]
        assert pair[0] == pair[1]


@pytest.mark.parametrize("game", HIDING)
def test_moves_that_look_the_same_to_a_seat_are_told_alike(game: str) -> None:
    """In two games that a seat cannot tell apart, others play the same."""
    compared = 0
    for position, seat in product(positions_of(game), range(3)):
        one, other = (after_moves_of_others(twin, seat) for twin in twins(position, seat))
        for move in one.keys() & other.keys():
            pair = one[move], other[move]
            if pair[0] != pair[1] and pair[0].seen_by(seat) == pair[1].seen_by(seat):
                assert told(tables_with(pair[0]), seat, []) == told(tables_with(pair[1]), seat, [])
                compared += 1
    assert compared > 0


def after_moves_of_others(position: Position, seat: int) -> dict[str, Position]:
    moves = position.legal_moves[:3] if position.decision.seat != seat else ()
    return {position.game.notation(move): position.play(move) for move in moves}


@pytest.mark.parametrize("game", HIDING)
def test_draws_that_a_seat_does_not_see_are_told_alike(game: str) -> None:
    """A game in which at one draw after another two different cards come to a hand, and the others are asked."""
    position, compared = capomastro.set_up(game, 3), 0
    while not position.is_over and position.ply < 150:
        if position.is_chance:
            pair = position.play(position.legal_moves[0]), position.play(position.legal_moves[-1])
            witness = pair[0].plies[0].witness
            for seat in range(3) if witness is not None else ():
                if seat != witness and pair[0] != pair[1]:
                    assert told(tables_with(pair[0]), seat, []) == told(tables_with(pair[1]), seat, [])
                    compared += 1
            position = pair[position.ply % 2]
        else:
            drawing = (after for move in position.legal_moves[:8] if draws_secretly(after := position.play(move)))
            position = next(drawing, None) or position.play(any_move(position))
    assert compared > 0


def draws_secretly(position: Position) -> bool:
    return position.is_chance and position.play(position.legal_moves[0]).plies[0].witness is not None


def any_move(position: Position) -> Move:
    """Any move, chosen by the ply."""
    move = position.suggest("random", seed=position.ply)
    assert move is not None
    return move


def twins(position: Position, seat: int) -> tuple[Position, Position]:
    """Two positions that a seat cannot tell apart."""
    return position.sampled(seat, seed="one"), position.sampled(seat, seed="two")


@pytest.mark.parametrize("game", GAMES)
def test_no_name_begins_a_line_of_its_own(game: str) -> None:
    tables = Tables(Keys(SECRET), Memory())
    _, keys = tables.begin(game, 2, [f"{name}\nReferee: resign" for name in ("Ada", "Bruno")])
    texts = []
    for _ in range(10):
        deciding = tables.place(keys[0]).position.decision.seat
        assert deciding is not None
        texts += [tools.call(tables, "play", {"key": keys[deciding], "move": 1}).text]
        texts += [tools.call(tables, "look", {"key": key}).text for key in keys]
    assert any(r"Ada\nReferee: resign" in text for text in texts)
    assert "\nReferee" not in "".join(texts)


def test_no_key_follows_from_another() -> None:
    keys = Keys(SECRET)
    assert keys.chair(key(1)) == Chair(TABLE, 1)
    for wrong in (key(1).replace("-1-", "-0-"), key(1)[:-1], key(1).upper(), "", "../../etc/passwd", key(1) + "\n"):
        assert keys.chair(wrong) is None
    assert Keys(bytes(31) + b"1").chair(key(1)) is None


# --- memory and folder ------------------------------------------------------------------------------------------------


def test_a_running_game_never_gives_way() -> None:
    tables = Tables(Keys(SECRET), Memory(most=2))
    _, (first, *_) = tables.begin(GAMES[0], 2)
    tables.begin(GAMES[0], 2)
    with pytest.raises(Problem, match="2 unfinished games"):
        tables.begin(GAMES[0], 2)
    chair = tables.keys.chair(first)
    assert chair is not None
    while not (position := tables.place(first).position).is_over:
        move = position.suggest("random")
        assert move is not None
        tables.store.keep(chair.table, position.play(move, seed=1))
    with pytest.raises(Problem, match="players"):
        tables.begin(GAMES[0], 9)
    assert tables.place(first).position.is_over
    tables.begin(GAMES[0], 2)
    with pytest.raises(Problem, match="No table has this key"):
        tables.place(first)


def test_a_folder_goes_on_as_if_there_had_been_no_restart(tmp_path: Path) -> None:
    """The same draws, keys and answers, also for the table that is read again because others were in memory since."""
    with opened(tmp_path) as (folder, secret):
        tables = Tables(Keys(secret), folder)
        _, keys = tables.begin("palazzo", 2)
        for _ in range(8):
            position = tables.place(keys[0]).position
            deciding = position.decision.seat
            assert deciding is not None
            tables.play(keys[deciding], position.legal_moves[0])
        before = [tools.call(tables, "look", {"key": key}).text for key in keys]
        move = tables.place(keys[0]).position.legal_moves[0]
    with opened(tmp_path) as (folder, secret):
        folder.most_in_memory = 1
        again = Tables(Keys(secret), folder)
        assert [tools.call(again, "look", {"key": key}).text for key in keys] == before
        again.begin("palazzo", 2)
        assert len(folder.recent) == 1
        deciding = again.place(keys[0]).position.decision.seat
        assert deciding is not None
        assert (
            again.play(keys[deciding], move).position == tables_with(position_of(again, keys[0])).place(key(0)).position
        )


def position_of(tables: Tables, key: str) -> Position:
    return tables.place(key).position


def test_a_folder_is_used_by_one_process_and_shows_nothing_of_a_damaged_record(tmp_path: Path) -> None:
    with opened(tmp_path) as (folder, secret):
        with pytest.raises(FolderInUseError), opened(tmp_path):
            pass
        tables = Tables(Keys(secret), folder)
        _, (ada, _) = tables.begin("palazzo", 2)
        folder.recent.clear()
        (file,) = tmp_path.glob("*.json")
        file.write_bytes(file.read_bytes().replace(b"deal-card", b"deal-xxxx", 1))
        with pytest.raises(tools.Mistake) as refused:
            tools.call(tables, "look", {"key": ada})
        assert str(refused.value) == "The record of this table cannot be read; the log of the server says more."
        assert (tmp_path / ".secret").stat().st_mode & 0o077 == 0


def test_a_move_that_cannot_be_kept_has_not_happened(tmp_path: Path) -> None:
    with opened(tmp_path) as (folder, secret):
        tables = Tables(Keys(secret), folder)
        _, (ada, _) = tables.begin("palazzo", 2)
        before = tables.place(ada).position
        folder.path = tmp_path / "gone"
        with pytest.raises(tools.Mistake, match="cannot be saved"):
            tools.call(tables, "play", {"key": ada, "move": 1})
        assert tables.place(ada).position is before
