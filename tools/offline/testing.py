"""Runs tests of the checkout with the Python for browsers: `make test-site`, by `python.mjs`."""

import sys
import time

time.thread_time = time.process_time
sys.dont_write_bytecode = True
sys.path[:0] = ["/here/service", "/here", "/here/build/engine/tests", "/here/build/engine/application"]

import pytest  # noqa: E402 - from the folders above

# Neither plugins nor their options: there are no processes among which to spread tests. Rewriting assertions takes as
# long as compiling all tests.
OPTIONS = ("-o", "addopts=", "-p", "no:cacheprovider", "--disable-plugin-autoload", "--rootdir=/here", "--assert=plain")

TESTS = ("tests/engine", "tests/games", "tests/documents", "tests/adjudicator")
LEFT_OUT = {
    "tests/documents/test_json_text.py": "needs Hypothesis",
    "tests/documents/test_notation.py": "needs Hypothesis",
    "tests/documents/test_plurals.py": "needs Babel",
    "tests/documents/test_shapes.py": "compares with jsonschema-rs, which has no build for browsers",
    "tests/documents/test_words.py": "reads sources, and runs nothing",
    "tests/adjudicator/test_absent_members.py": "takes long: most of it is the explanation of shapes",
    "tests/adjudicator/test_slips.py": "takes long: each test is hundreds of replays",
    "tests/games/test_bounds_of_states.py": "takes long: it plays on from the greatest states",
    "tests/engine/test_samples.py": "takes long: it counts how often each hand is drawn",
    "tests/games/carrara/test_playouts.py": "takes long: whole games at random, as those of all games",
    "tests/games/palazzo/test_money.py::test_plays_agree_with_brute_force": "takes long: every hand",
    "tests/games/carrara/test_purchases.py::test_payments_agree_with_brute_force": "takes long: every purse",
    "tests/games/carrara/test_purchases.py::test_offered_purchases_agree_with_brute_force": "takes long: every purse",
    "tests/games/campanile/test_scoresheet.py::test_counting_refuses_nothing_that_turns_can_lead_to": "takes long",
    "tests/games/fifth_avenue/test_audit.py::test_the_audit_answers_every_document_of_valid_shape": "takes long",
    (
        "tests/games/campanile/test_scoresheet.py::"
        "test_the_scoresheet_of_a_game_gives_its_result_and_no_more_tokens_than_the_box"
    ): "takes long",
    "tests/games/fifth_avenue/test_chance.py": "takes long: it counts how often each lot is drawn",
    "tests/engine/test_partial.py::test_what_completes_a_partial_move_is_counted_as_listed": "takes long",
    "tests/engine/test_players.py::test_a_planning_player_beats_a_random_one": "takes long",
    "tests/engine/test_players.py::test_the_same_is_suggested_in_every_process": "needs processes",
}
"""What shows nothing about another Python that other tests do not."""


class OneSetUpEach:
    """Of games at random, those with the usual set-up: the suite plays those with options as well."""

    @staticmethod
    def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if "=" not in item.name]


left_out = (f"--{'deselect' if '::' in name else 'ignore'}={name}" for name in LEFT_OUT)
sys.exit(int(pytest.main([*OPTIONS, "-q", *left_out, *(sys.argv[1:] or TESTS)], plugins=[OneSetUpEach])))
