"""Each attack of docs/tables.md: prevented, shown by the witness's tool, or named there as neither."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from capomastro.documents.problems import Problem
from capomastro.games import all_games
from capomastro.tables import history, questions
from capomastro.tables.keys import KeyRing
from capomastro.tables.shares import lock_of, seed_of, share_of
from tests.support.documents import as_document
from tests.tables.games import RING
from tests.tables.players import MASTERS
from tests.tables.test_questions import PALAZZO, SECRETS, advanced, at_first_move, begun, created

PAGE = Path(__file__).parents[2] / "docs" / "tables.md"


def test_every_attack_has_its_line() -> None:
    listed = PAGE.read_text("utf-8").partition("## Attacks")[2].partition("\n## ")[0]
    lines = re.findall(r"^\| (?!-)(.+?) \| (.+) \|$", listed, re.MULTILINE)
    assert len(lines) >= 21
    assert "**neither prevented nor detectable**" in dict(lines)["Trying moves in private, `at-once`"]


def test_grinding_shows_nothing_before_all_shares_are_in() -> None:
    """Whatever the creator or the last to join tries: the state is empty, and the root is behind its hash."""
    commitments = set()
    for nonce in map(str, range(20)):
        table = created(nonce=nonce)
        for seat in range(2):
            table = advanced(table, seat)["table"]
        assert table["state"] == created()["state"]
        assert RING.sealing.root_of(table["id"]) not in json.dumps(table)
        commitments.add(table["commitment"])
    assert len(commitments) == 20


def test_the_seed_needs_every_share_and_the_root() -> None:
    shares = [share_of(secret) for secret in SECRETS]
    seeds = {seed_of(root, [*shares[:2], last]) for root in "ab" for last in (*shares, "c")}
    assert len(seeds) == 2 * len({*shares, "c"})


def test_who_moved_last_cannot_draw_in_private_and_two_branches_are_a_fork_for_a_witness() -> None:
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


def test_at_once_a_private_trial_leaves_no_trace() -> None:
    """Neither prevented nor detectable, as the page says: this test shows that it is so."""
    table = begun("at-once")
    advanced(table, 0, {"type": "build", "seat": 0})
    played = advanced(table, 0, {"type": "take-money", "seat": 0})["table"]
    assert history.extends(table, played)
    assert history.fork(table, played) is None


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


def test_the_same_creation_under_two_keys_is_two_games_and_only_one_can_be_gone_on_with() -> None:
    locks = [lock_of(secret) for secret in SECRETS]
    rings = (KeyRing(MASTERS[:1]), KeyRing(MASTERS[1:2]))
    one, other = (as_document(questions.create_table(PALAZZO, ring, 3, None, {}, locks).table) for ring in rings)
    assert one["id"] == other["id"]
    assert one["commitment"] != other["commitment"]
    assert not history.extends(one, other)


def test_a_lock_in_anothers_place_is_seen_and_of_no_use_to_both() -> None:
    locks = [lock_of(SECRETS[0]), lock_of(SECRETS[1]), lock_of("M" * 43)]
    table = created(locks=locks)
    assert lock_of(SECRETS[2]) not in table["creation"]["locks"]
    with pytest.raises(Problem, match="not the secret"):
        questions.view_of_table(PALAZZO, RING, table, 2, SECRETS[2])


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


def test_an_abandoned_game_can_be_drawn_for_and_stays_closed() -> None:
    table = begun()
    assert table["waiting"] == {"for": "draw", "seats": [0, 1]}, "without the last to join, who may have left"
    drawn = advanced(table, 1)["table"]
    assert not any(seat["hand"]["closed"] for seat in drawn["state"]["seats"])
    with pytest.raises(Problem) as refused:
        questions.open_game(all_games()["palazzo"], RING, drawn, 1, SECRETS[1])
    assert refused.value.id == "unfinished"
