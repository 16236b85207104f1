"""The four resources of tables: who may do what and when, and the problems otherwise."""

from typing import Any

import pytest

from capomastro.documents.languages import using_language
from capomastro.documents.problems import Problem
from capomastro.engine import referee
from capomastro.games import all_games
from capomastro.tables import questions
from capomastro.tables.documents import opened_table
from capomastro.tables.history import lines_of
from capomastro.tables.keys import KeyRing
from capomastro.tables.shares import digest, lock_of, seed_of, share_of
from tests.support.documents import as_document
from tests.tables.games import RING, most, played
from tests.tables.players import MASTERS, Ask, by_hand, play

PALAZZO = all_games()["palazzo"]
SECRETS = ("A" * 43, "B" * 42 + "A", "C" * 42 + "A")
every_game = pytest.mark.parametrize("game_id", all_games())


def created(**given: Any) -> dict[str, Any]:
    members = {"players": 3, "names": None, "options": {}, "locks": [lock_of(secret) for secret in SECRETS], **given}
    return as_document(questions.create_table(PALAZZO, RING, **members).table)  # type: ignore[no-any-return]


def advanced(table: Any, seat: int, *moves: Any, secret: str | None = None) -> dict[str, Any]:
    answer = questions.advance(PALAZZO, RING, table, seat, secret or SECRETS[seat], moves)
    return as_document(answer)  # type: ignore[no-any-return]


def problem_of(question: Any, *given: Any) -> dict[str, Any]:
    with pytest.raises(Problem) as refused:
        question(*given)
    return refused.value.document()


def begun(draws: str = "witnessed") -> dict[str, Any]:
    """A table that all players have joined."""
    table = created(draws=draws)
    for seat in range(3):
        table = advanced(table, seat)["table"]
    return table


def at_first_move() -> dict[str, Any]:
    table = begun()
    return advanced(table, 0)["table"]  # type: ignore[no-any-return]


# --- creating and joining --------------------------------------------------------------------------------------------


def test_the_vector_of_the_protocol() -> None:
    carrara = all_games()["carrara"]
    locks = [lock_of(secret) for secret in SECRETS[:2]]
    table = as_document(questions.create_table(carrara, RING, 2, None, {}, locks).table)
    root = RING.sealing.root_of(table["id"])
    assert table["id"].startswith("dd73c3cc")
    assert root.startswith("1a82e08b")
    assert table["commitment"].startswith("81beea6e")
    assert table["commitment"] == digest(root)
    assert seed_of(root, [share_of(secret) for secret in SECRETS[:2]]).startswith("f0a67066")


def test_nothing_is_drawn_before_all_have_joined_in_their_order() -> None:
    table = created(names=["Ä", "b", "c"])
    assert table["creation"]["names"] == ["Ä", "b", "c"]
    assert table["creation"]["options"] == table["state"]["options"]
    for seat in range(3):
        assert table["waiting"] == {"for": "join", "seats": [seat]}
        assert table["record"] == ""
        assert table["state"]["ply"] == 0
        for other in {0, 1, 2} - {seat}:
            assert problem_of(advanced, table, other)["problem"] == "not-awaited"
        table = advanced(table, seat)["table"]
    assert table["waiting"] == {"for": "draw", "seats": [0, 1]}
    assert table["state"]["ply"] == 0


def test_without_witnesses_the_last_to_join_sees_the_set_up() -> None:
    table = created(draws="at-once")
    for seat in range(2):
        table = advanced(table, seat)["table"]
    answer = advanced(table, 2)
    table = answer["table"]
    assert answer["view"]["moves"]
    assert table["waiting"]["for"] == "move"
    assert table["state"]["seats"][0]["hand"]["unknown"]


def test_options_names_and_locks_have_to_fit() -> None:
    assert problem_of(lambda: created(locks=[lock_of(SECRETS[0])]))["errors"][0]["pointer"] == "/locks"
    assert problem_of(lambda: created(names=["a"]))["errors"][0]["pointer"] == "/names"
    assert problem_of(lambda: created(players=9))["errors"][0]["pointer"] == "/players"
    assert problem_of(lambda: created(options={"builder": "x"}))["problem"] == "shape"


def test_the_nonce_makes_another_game_of_the_same() -> None:
    assert created() == created()
    one, other = created(nonce="1"), created(nonce="2")
    assert one["id"] != other["id"]
    assert one["commitment"] != other["commitment"]


# --- looking ---------------------------------------------------------------------------------------------------------


def test_players_see_their_own_hand_and_spectators_none() -> None:
    table = at_first_move()
    for seat in range(3):
        view = as_document(questions.view_of_table(PALAZZO, RING, table, seat, SECRETS[seat], 5))
        hands = [one["hand"] for one in view["state"]["seats"]]
        assert [bool(hand["closed"]) for hand in hands] == [other == seat for other in range(3)]
        assert view["legal_moves"]["decision"] == view["decision"]
    public = as_document(questions.view_of_table(PALAZZO, RING, table, None, None))
    assert public["state"] == table["state"]
    assert not any(one["hand"]["closed"] for one in public["state"]["seats"])
    assert "legal_moves" not in public


def test_texts_reveal_no_more_than_the_view() -> None:
    table, answers = begun(), {}
    for texts in (False, True):
        answer = questions.advance(PALAZZO, RING, table, 0, SECRETS[0], (), texts)
        answers[texts] = as_document(answer)
    for viewer in ("view", "public"):
        silent, with_texts = answers[False][viewer], answers[True][viewer]
        assert len(with_texts.pop("texts")) == len(with_texts["moves"]) > 0
        assert all(event.pop("text") for event in with_texts["events"])
        assert silent == with_texts
    with using_language("it"):
        seen = as_document(questions.view_of_table(PALAZZO, RING, answers[True]["table"], 1, SECRETS[1], 5, texts=True))
        public = as_document(questions.advance(PALAZZO, RING, table, 0, SECRETS[0], (), texts=True))["public"]
    assert len(seen["legal_moves"]["texts"]) == len(seen["legal_moves"]["moves"])
    hidden = {text for move, text in zip(public["moves"], public["texts"], strict=True) if move.get("card", 0) is None}
    assert hidden == {"Si distribuisce: una carta coperta"}


# --- moving and drawing ----------------------------------------------------------------------------------------------


def test_secrets_open_no_other_seat() -> None:
    table = at_first_move()
    for question in (
        lambda: questions.view_of_table(PALAZZO, RING, table, 0, SECRETS[1]),
        lambda: questions.view_of_table(PALAZZO, RING, table, 0, None),
        lambda: questions.view_of_table(PALAZZO, RING, table, None, SECRETS[0]),
        lambda: questions.advance(PALAZZO, RING, table, 0, SECRETS[1], []),
        lambda: questions.open_game(PALAZZO, RING, table, 0, SECRETS[1]),
    ):
        assert problem_of(question)["problem"] == "wrong-secret"
    assert problem_of(lambda: questions.view_of_table(PALAZZO, RING, table, 3, SECRETS[0]))["problem"] == "no-such-seat"


def test_the_last_seat_to_move_does_not_draw() -> None:
    table = advanced(at_first_move(), 0, {"type": "build", "seat": 0})["table"]
    assert table["waiting"] == {"for": "draw", "seats": [1, 2]}
    assert problem_of(advanced, table, 0)["problem"] == "not-awaited"
    assert advanced(table, 1)["table"] == advanced(table, 2)["table"], "who drew is not written down"


def test_at_once_draws_follow_the_move() -> None:
    table = begun("at-once")
    answer = advanced(table, 0, {"type": "build", "seat": 0})
    assert [move["type"] for move in answer["public"]["moves"]] == ["build", "draw-tile", "draw-tile"]
    assert answer["table"]["waiting"]["for"] == "move"


@pytest.mark.parametrize("draws", ["witnessed", "at-once"])
def test_no_move_is_judged_beyond_a_draw(draws: str) -> None:
    table = begun(draws) if draws == "at-once" else at_first_move()
    moves = ({"type": "build", "seat": 0}, {"type": "pass", "seat": 0})
    problem = problem_of(advanced, table, 0, *moves)
    assert problem["problem"] == "illegal-move"
    assert problem["errors"][0]["pointer"] == "/moves/1/type"
    assert problem["errors"][0]["rule"] == PALAZZO.rule("turn.chance")


def test_only_moves_of_the_seat_are_taken() -> None:
    table = at_first_move()
    for moves in (
        [],
        [{"type": "build", "seat": 1}],
        [{"type": "build", "seat": 0}, {"type": "draw-tile", "tile": "brick-1-1"}],
        [{"type": "draw-tile", "tile": "brick-1-1"}],
    ):
        assert problem_of(advanced, table, 0, *moves)["problem"] == "not-awaited"
    drawing = begun()
    assert problem_of(advanced, drawing, 0, {"type": "draw-tile", "tile": "brick-1-1"})["problem"] == "not-awaited"
    assert problem_of(advanced, created(), 0, {"type": "build", "seat": 0})["problem"] == "not-awaited"


def test_several_moves_are_played_all_or_nothing() -> None:
    """Taking two cards is two moves of one seat."""
    table = advanced(at_first_move(), 0, {"type": "take-money", "seat": 0})["table"]
    table = advanced(table, 1)["table"]
    view = as_document(questions.view_of_table(PALAZZO, RING, table, 0, SECRETS[0], 10))
    first = view["legal_moves"]["moves"][0]
    assert problem_of(advanced, table, 0, first, {"type": "build", "seat": 0})["problem"] == "illegal-move"
    after = advanced(table, 0, first)
    assert lines_of(after["table"]["record"])[-1].startswith("0 ")


def test_an_illegal_move_is_explained_as_anywhere() -> None:
    problem = problem_of(advanced, at_first_move(), 0, {"type": "pass", "seat": 0})
    assert problem["problem"] == "illegal-move"
    assert problem["errors"][0]["rule"]


SECRET_PLACES: tuple[Any, ...] = (
    lambda secret: secret,
    lambda secret: {secret: 1},
    lambda secret: {"type": secret, "seat": 0},
    lambda secret: {"type": "buy", "seat": secret, "tiles": secret, "payment": [secret]},
    lambda secret: {"type": "buy", "seat": 0, "tiles": [{secret: secret}], "payment": [[secret]], secret: secret},
    lambda secret: [secret],
)


@pytest.mark.parametrize("place", range(len(SECRET_PLACES)))
def test_shape_errors_repeat_no_submitted_data(place: int) -> None:
    secret = "kEEp-tHis_tO-yourself" * 2 + "x"
    locks = [lock_of(one) for one in (secret, *SECRETS[1:])]
    table = created(locks=locks)
    table = advanced(table, 0, secret=secret)["table"]
    for seat in (1, 2, 1):
        table = advanced(table, seat)["table"]
    problem = problem_of(lambda: advanced(table, 0, SECRET_PLACES[place](secret), secret=secret))
    assert problem["problem"] == "shape"
    assert not any(secret[start : start + 6] in str(problem) for start in range(len(secret) - 6))


def test_a_genuine_table_is_of_one_game_and_version(monkeypatch: pytest.MonkeyPatch) -> None:
    table = at_first_move()
    other = all_games()["carrara"]
    assert problem_of(questions.view_of_table, other, RING, table, None, None)["problem"] == "other-game"
    monkeypatch.setattr(PALAZZO, "rules_version", PALAZZO.rules_version + 1)
    assert problem_of(questions.view_of_table, PALAZZO, RING, table, None, None)["problem"] == "other-version"


def test_a_foreign_table_is_refused_before_anything_is_revealed() -> None:
    table = {**at_first_move(), "x": 1}
    for question in (
        lambda: questions.view_of_table(all_games()["carrara"], RING, table, 9, SECRETS[1]),
        lambda: questions.advance(PALAZZO, RING, table, 0, SECRETS[1], [{}]),
        lambda: questions.open_game(PALAZZO, RING, table, 0, SECRETS[1]),
    ):
        assert problem_of(question)["problem"] == "foreign-table"


# --- the end ---------------------------------------------------------------------------------------------------------


@every_game
@pytest.mark.parametrize("draws", ["witnessed", "at-once"])
def test_a_finished_game_is_opened_by_another_seat_than_the_last_to_move(game_id: str, draws: str) -> None:
    game, done = all_games()[game_id], played(game_id, most(all_games()[game_id]), draws)
    table = done.tables[-1]
    (last,) = {*range(len(done.players))} - {*table["waiting"]["seats"]}
    for player in done.players:
        question = (game, RING, table, player.seat, player.secret)
        if player.seat == last:
            assert problem_of(questions.open_game, *question)["problem"] == "not-awaited"
        else:
            assert as_document(questions.open_game(*question)) == done.opened
    opened = done.opened
    assert digest(opened["root"]) == table["commitment"]
    assert [digest(share) for share in opened["shares"]] == table["creation"]["locks"]
    assert opened["seed"] == seed_of(opened["root"], opened["shares"])
    assert opened["record"]["result"] == opened["result"]
    from capomastro import adjudicator

    judged = adjudicator.replay(game, opened["record"])
    judged_document = as_document(judged)
    assert judged_document["legal"]
    assert judged_document["claimed_result_matches"]


@every_game
def test_no_game_is_opened_before_it_is_over(game_id: str) -> None:
    done = played(game_id, 2)
    for table in done.tables[:-1:9]:
        for player in done.players:
            problem = problem_of(questions.open_game, all_games()[game_id], RING, table, player.seat, player.secret)
            assert problem["problem"] == "unfinished"


# --- purity ----------------------------------------------------------------------------------------------------------


@every_game
def test_rings_that_differ_in_old_keys_answer_the_same_and_rotation_gives_no_second_deal(game_id: str) -> None:
    game = all_games()[game_id]
    first, second = (KeyRing([MASTERS[0], *more]) for more in ((), (MASTERS[1],)))
    turned, alone = KeyRing([MASTERS[1], MASTERS[0]]), KeyRing([MASTERS[1]])
    through: list[Ask] = [by_hand(game, ring) for ring in (first, second, turned)]
    plain = play(game, lambda _: through[0], "rotation", 2)
    rotated = play(game, lambda step: through[min(step // 20, 2)], "rotation", 2)
    for one, other in zip(plain.tables, rotated.tables, strict=True):
        assert {**one, "sealed": ""} == {**other, "sealed": ""}
        assert len(one["sealed"]) == len(other["sealed"])
    assert plain.tables[:19] == rotated.tables[:19]
    assert plain.opened == rotated.opened
    assert referee.is_over(game, opened_table(game, alone, rotated.tables[-1]).state)
