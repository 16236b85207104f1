"""Each attack in docs/tables.md is prevented, or shown by the witness's tool, or named there as neither.

Every line of the list there has a test that tries it, here or elsewhere; the verdict of the test must be the
one on the page.
"""

import json
import re
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

import pytest
from msgspec.structs import replace

from capomastro.api.application import create_app
from capomastro.documents import json_text, notation
from capomastro.documents.problems import Problem
from capomastro.documents.reading import reader_of
from capomastro.engine import referee
from capomastro.games import all_games
from capomastro.settings import Settings
from capomastro.tables import history, questions
from capomastro.tables.documents import opened_table, sealed_table
from capomastro.tables.draws import deviations_from_table, faults
from capomastro.tables.keys import KeyRing
from capomastro.tables.shares import digest, lock_of, seed_of, share_of
from tests.support.documents import as_document
from tests.support.lines import lines_of
from tests.tables.games import RING, played
from tests.tables.players import MASTERS, by_hand
from tests.tables.test_questions import PALAZZO, SECRETS, advanced, at_first_move, begun, created
from tests.tables.verifying import unfair

PAGE = Path(__file__).parents[2] / "docs" / "tables.md"


Test = TypeVar("Test", bound=Callable[..., None])
TRIED: dict[str, str] = {}
"""The beginnings of the line and of the verdict of each attack that is tried here."""

ELSEWHERE = {
    "Comparing ciphertexts": ("equal ones say nothing", "tables/test_secrecy.py", "answers_to_a_seat_do_not_depend"),
    "Lengths, compression": ("prevented", "tables/test_secrecy.py", "the_length_of_the_sealed_part_follows"),
    "Secrets or keys as arguments": ("taken from a file", "cli/test_tables.py", "no_command_takes_a_secret_or_a_key"),
    "Instances without common keys": ("`foreign-table`", "tables/test_cheats.py", "an_instance_with_another_key"),
    "The operator answers with another game": (
        "`extends` does not hold",
        "cli/test_tables.py",
        "a_table_that_the_service_replaced",
    ),
    "A file that only looks like a table": (
        "nothing in it is",
        "cli/test_tables.py",
        "a_forged_file_is_not_trusted",
    ),
    "New rules in the middle": ("`other-version`", "tables/test_questions.py", "a_genuine_table_is_of_one_game"),
    "A guess at a hand": (
        "prevented",
        "tables/test_sooner.py",
        "a_right_guess_takes_as_much_work_as_in_another_process",
    ),
}
"""Attacks that are tried in other files: the beginning of the verdict, and the test."""

ON_PAGES = {"The host makes everybody's link", "Sharing the address bar"}
"""Attacks on links, which no page makes."""


def attack(line: str, verdict: str) -> Callable[[Test], Test]:
    """Marks a test with the attack that it tries, as the page calls it, and with the verdict."""
    TRIED[line] = verdict
    return lambda test: test


def listed() -> dict[str, str]:
    """The attacks on the page with their verdicts."""
    lines = PAGE.read_text("utf-8").partition("## Attacks")[2].partition("\n##")[0]
    return dict(re.findall(r"^\| (?!-)(.+?) \| (.+) \|$", lines, re.MULTILINE))


def test_every_attack_of_the_page_is_tried_and_ends_as_it_says() -> None:
    verdicts = TRIED | {line: verdict for line, (verdict, _, _) in ELSEWHERE.items()}
    for line, verdict in listed().items():
        if not line.startswith(tuple(ON_PAGES)):
            (found,) = (begin for begin in verdicts if line.startswith(begin))
            assert verdict.startswith(verdicts.pop(found)), line
    assert not verdicts, "the page does not list these"
    for _, file, name in ELSEWHERE.values():
        assert f"def test_{name}" in (PAGE.parents[1] / "tests" / file).read_text("utf-8"), name


@attack("Grinding", "prevented: there is no deal before all shares are in")
def test_grinding_shows_nothing_before_all_shares_are_in() -> None:
    """Whatever the creator or the last to join tries: nothing is drawn, and the root is behind its hash."""
    last = [lock_of("D" * 42 + letter) for letter in "AEIMQUYcgk"]
    first = [lock_of(secret) for secret in SECRETS[:2]]
    tried: list[dict[str, Any]] = [
        *({"nonce": nonce} for nonce in "0123456789"),
        *({"locks": [*first, lock]} for lock in last),
        *({"names": [name, "b", "c"]} for name in "defg"),
        *({"options": {"builder": seat}} for seat in range(3)),
    ]
    rings = [KeyRing([MASTERS[0]]), KeyRing([MASTERS[1], MASTERS[0]])]
    commitments = set()
    for given in tried:
        for ring in rings:
            members = {"players": 3, "names": None, "options": {}, "locks": [*first, lock_of(SECRETS[2])], **given}
            table = as_document(questions.create_table(PALAZZO, ring, **members).table)
            for seat in range(2):
                joined = questions.advance(PALAZZO, ring, table, seat, SECRETS[seat], [])
                assert not joined.view.moves
                table = as_document(joined.table)
            assert (table["state"]["ply"], table["record"]) == (0, "")
            assert not any(seat["hand"]["unknown"] for seat in table["state"]["seats"])
            assert ring.sealing.root_of(table["id"]) not in json.dumps(table)
            commitments.add(table["commitment"])
    assert len(commitments) == 2 * len(tried), "nor does any of them share its root with another"


@attack("The operator steers cards", "prevented by a root that is older than the shares")
@pytest.mark.parametrize("steers", ["root", "draw", "seed"])
def test_an_operator_who_steers_draws_is_detected_at_the_end(steers: str) -> None:
    """With another root than was committed to, or another draw than that of the seed."""
    done = played("palazzo", 2)
    opened, table = json.loads(json.dumps(done.opened)), done.tables[3]
    assert not deviations_from_table(PALAZZO, opened, table)
    assert not faults(PALAZZO, opened["record"], opened["seed"])
    if steers == "draw":
        opened["record"]["moves"][:2] = opened["record"]["moves"][1::-1]
        assert faults(PALAZZO, opened["record"], opened["seed"])
    else:
        opened["root"] = digest("a better deal")
        opened["seed"] = seed_of(opened["root"], opened["shares"]) if steers == "root" else opened["seed"]
        assert deviations_from_table(PALAZZO, opened, table)
        assert bool(faults(PALAZZO, opened["record"], opened["seed"])) == (steers == "root")


@attack("The operator looks; a key is stolen", "not prevented; draws can still be checked")
def test_whoever_has_a_key_sees_every_hand() -> None:
    done = played("palazzo", 2)
    table = next(one for one in done.tables if one["waiting"]["for"] == "move")
    state = opened_table(PALAZZO, KeyRing(MASTERS[:1]), table).state
    assert all(seat.hand.closed and not seat.hand.unknown for seat in state.seats)
    assert not unfair(done)


@attack(
    "The operator, or someone with a stolen key, seals moves",
    "not prevented: the client of the player concerned refuses",
)
def test_whoever_has_a_key_can_seal_a_move_that_nobody_made() -> None:
    """It is genuine for everybody, and a fork that accuses its seat; only that seat's own client knows better."""
    done, ring = played("palazzo", 2), KeyRing(MASTERS[:1])
    before, after = next(
        (before, after)
        for before, after in pairwise(done.tables)
        if before["waiting"]["for"] == "move" and before["state"]["stage"]["type"] == "choose-action"
    )
    (seat,) = before["waiting"]["seats"]
    opened = opened_table(PALAZZO, ring, before)
    made = history.lines_of(after["record"])[-1]
    other = next(line for line in (f"{seat} build", f"{seat} take-money") if line != made)
    document = notation.read_move(PALAZZO, other)
    state, _ = referee.play(PALAZZO, opened.state, reader_of(PALAZZO, "move")(document))
    forged = replace(opened, state=state, record=f"{opened.record}{other}\n")
    table = as_document(sealed_table(PALAZZO, ring.sealing, forged))
    assert opened_table(PALAZZO, ring, table).record == forged.record
    assert history.fork(after, table) == history.Fork(len(history.lines_of(before["record"])), "seat", seat)
    assert not history.extends(after, table)


@attack(
    "The last to join sees the deal and leaves", "`at-once`: not prevented, but visible. `witnessed`: they join blind"
)
def test_the_last_to_join_sees_the_deal_only_at_once() -> None:
    hands = {}
    for draws in ("witnessed", "at-once"):
        table = created(draws=draws)
        for seat in range(2):
            table = advanced(table, seat)["table"]
        answer = advanced(table, 2)
        hands[draws] = bool(answer["view"]["moves"])
        after = answer["table"]
        assert 2 not in after["waiting"]["seats"] or draws == "at-once"
    assert hands == {"witnessed": False, "at-once": True}


@attack("The same secrets again", "another nonce gives another seed; only clients can refuse a repeated id")
def test_the_same_creation_is_the_same_game_and_another_nonce_another() -> None:
    assert begun() == begun()
    seeds = set()
    for nonce in "12":
        table = created(nonce=nonce)
        seeds.add(seed_of(RING.sealing.root_of(table["id"]), [share_of(secret) for secret in SECRETS]))
    assert len(seeds) == 2


def test_the_seed_needs_every_share_and_the_root() -> None:
    shares = [share_of(secret) for secret in SECRETS]
    seeds = {seed_of(root, [*shares[:2], last]) for root in "ab" for last in (*shares, "c")}
    assert len(seeds) == 2 * len({*shares, "c"})


@attack("Trying moves in private, `witnessed`", "detected: by the witness at once if two play; else")
def test_the_last_seat_to_move_cannot_draw_in_private_and_a_witness_sees_two_branches_as_a_fork() -> None:
    table = at_first_move()
    branches = [advanced(table, 0, {"type": kind, "seat": 0})["table"] for kind in ("build", "take-money")]
    for branch in branches:
        with pytest.raises(Problem, match="waits for something else"):
            advanced(branch, 0)
    kept = advanced(branches[0], 1)["table"]
    assert not history.extends(kept, branches[1]), "the witness's client refuses the second branch"
    assert history.fork(kept, branches[1]) == history.Fork(len(history.lines_of(table["record"])), "seat", 0)


def test_a_fork_shows_when_the_table_comes_round_though_each_branch_had_another_witness() -> None:
    table = at_first_move()
    one, other = (advanced(table, 0, {"type": kind, "seat": 0})["table"] for kind in ("build", "take-money"))
    first, second = advanced(one, 1)["table"], advanced(other, 2)["table"]
    assert not history.extends(first, second)
    assert not history.extends(second, first)
    found = history.fork(first, second)
    assert found is not None
    assert found.seat == 0


@attack("Trying moves in private, `at-once`", "**neither prevented nor detectable**")
def test_at_once_a_private_trial_leaves_no_trace() -> None:
    """Neither prevented nor detectable, as the page says and this test shows."""
    table = begun("at-once")
    advanced(table, 0, {"type": "build", "seat": 0})
    played = advanced(table, 0, {"type": "take-money", "seat": 0})["table"]
    assert history.extends(table, played)
    assert history.fork(table, played) is None


@attack("A player and their witness work together", "not prevented")
def test_a_witness_who_keeps_silent_lets_a_trial_pass() -> None:
    """Seat 1 draws for both branches of seat 0 and shows one of them: seat 2 sees nothing amiss."""
    table = at_first_move()
    branches = [advanced(table, 0, {"type": kind, "seat": 0})["table"] for kind in ("build", "take-money")]
    seen = [advanced(branch, 1)["table"] for branch in branches]
    assert history.extends(table, seen[1])
    assert history.fork(table, seen[1]) is None
    assert history.fork(*seen) is not None, "unless both come to light"


@attack("Ending the game alone to read the seed", "another seat has to open it; going back is then a fork")
@pytest.mark.parametrize("game_id", all_games())
def test_the_seat_that_ended_the_game_does_not_open_it_and_going_back_is_a_fork(game_id: str) -> None:
    game, done = all_games()[game_id], played(game_id, 2)
    finished = done.tables[-1]
    (opener,) = finished["waiting"]["seats"]
    ended = done.players[1 - opener]
    with pytest.raises(Problem) as refused:
        questions.open_game(game, RING, finished, ended.seat, ended.secret)
    assert refused.value.id == "not-awaited"
    ask = by_hand(game, RING)
    for table in reversed(done.tables[:-1]):
        if table["waiting"] != {"for": "move", "seats": [ended.seat]}:
            continue
        asks = {"table": table, "seat": ended.seat, "secret": ended.secret}
        legal = json.loads(ask("tables/views", {**asks, "legal_moves": 1000}))["legal_moves"]["moves"]
        for move in (legal[0], legal[-1]):
            other = json.loads(ask("tables/transitions", {**asks, "moves": [move]}))["table"]
            if not finished["record"].startswith(other["record"]):
                assert not history.extends(finished, other)
                found = history.fork(finished, other)
                assert found is not None
                assert found.seat == ended.seat
                return
    raise AssertionError("they never had a choice")


@attack("The seed shown at the end", "shows all hands of the whole game")
def test_the_seed_shows_every_hand_of_the_whole_game() -> None:
    done = played("palazzo", 2)
    shown = Counter(move.get("card") for move in done.opened["record"]["moves"])
    seen = [opened_table(PALAZZO, RING, table).state for table in done.tables]
    assert any(one.hand.closed for state in seen for one in state.seats)
    assert all({*one.hand.closed} <= {*shown} for state in seen for one in state.seats)


def test_an_instance_with_another_key_refuses_a_table_and_logs_the_key(
    capsys: pytest.CaptureFixture[str],
) -> None:
    client = create_app(Settings(log_level="WARNING", sealing_keys=" ".join(MASTERS[1:]))).test_client()
    body = json_text.encode({"table": created(), "seat": None})
    answer = client.post("/v1/games/palazzo/tables/views", data=body, content_type="application/json")
    assert answer.get_json()["type"] == "/v1/problems/foreign-table"
    assert RING.sealing.kid not in answer.get_data(as_text=True)
    logged = [json.loads(line) for line in lines_of(capsys.readouterr().err)]
    assert [line["unknown_sealing_key"] for line in logged if "unknown_sealing_key" in line] == [RING.sealing.kid]


def test_one_move_sealed_under_two_keys_or_sent_in_two_requests_is_no_fork() -> None:
    table = at_first_move()
    turned = KeyRing([MASTERS[1], MASTERS[0]])
    move = {"type": "build", "seat": 0}
    one = advanced(table, 0, move)["table"]
    other = as_document(questions.advance(PALAZZO, turned, table, 0, SECRETS[0], [move]).table)
    assert one["sealed"] != other["sealed"]
    assert history.fork(one, other) is None
    assert history.extends(one, other)
    assert history.extends(other, one)


def test_the_same_creation_under_two_keys_is_two_games_and_only_one_can_be_continued() -> None:
    locks = [lock_of(secret) for secret in SECRETS]
    rings = (KeyRing(MASTERS[:1]), KeyRing(MASTERS[1:2]))
    one, other = (as_document(questions.create_table(PALAZZO, ring, 3, None, {}, locks).table) for ring in rings)
    assert one["id"] == other["id"]
    assert one["commitment"] != other["commitment"]
    assert not history.extends(one, other)


@attack("The creator puts their own lock in another's place", "clients compare locks")
def test_a_lock_in_the_place_of_another_is_detected_and_useless() -> None:
    locks = [lock_of(SECRETS[0]), lock_of(SECRETS[1]), lock_of("M" * 43)]
    table = created(locks=locks)
    assert lock_of(SECRETS[2]) not in table["creation"]["locks"]
    with pytest.raises(Problem, match="not the secret"):
        questions.view_of_table(PALAZZO, RING, table, 2, SECRETS[2])


@attack("Downgrade", "one format, bound to what is sealed")
def test_a_downgrade_is_a_foreign_table() -> None:
    table: dict[str, Any] = created()
    for other in (
        {**table, "creation": {**table["creation"], "format": 0}},
        {**table, "sealed": table["sealed"].replace("1.", "0.", 1)},
        {**table, "creation": {**table["creation"], "draws": "at-once"}},
        {**table, "creation": {**table["creation"], "rules_version": 2}},
    ):
        with pytest.raises(Problem) as refused:
            questions.view_of_table(PALAZZO, RING, other, None, None)
        assert refused.value.id == "foreign-table"


@attack("An abandoned game, a lost secret", "stays closed; any seat that did not move last can still draw and open")
def test_an_abandoned_game_can_be_drawn_for_and_stays_closed() -> None:
    table = begun()
    assert table["waiting"] == {"for": "draw", "seats": [0, 1]}, "without the last to join, who may have left"
    drawn = advanced(table, 1)["table"]
    assert not any(seat["hand"]["closed"] for seat in drawn["state"]["seats"])
    with pytest.raises(Problem) as refused:
        questions.open_game(all_games()["palazzo"], RING, drawn, 1, SECRETS[1])
    assert refused.value.id == "unfinished"
