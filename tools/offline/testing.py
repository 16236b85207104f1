"""Runs tests of the checkout with the Python for browsers: `make test-site`, by `python.mjs`."""

import sys
import time

time.thread_time = time.process_time
sys.dont_write_bytecode = True
sys.path[:0] = ["/here/service", "/here", "/here/build/engine/tests", "/here/build/engine/application"]

import pytest  # noqa: E402 - from the folders above

# Neither plugins nor their options: there are no processes among which to spread tests.
OPTIONS = ("-o", "addopts=", "-p", "no:cacheprovider", "--disable-plugin-autoload", "--rootdir=/here", "-q")

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
}
NEEDS_PROCESSES = ("tests/engine/test_players.py::test_the_same_is_suggested_in_every_process",)

ignored = (f"--ignore={file}" for file in LEFT_OUT)
deselected = (f"--deselect={test}" for test in NEEDS_PROCESSES)
sys.exit(int(pytest.main([*OPTIONS, *ignored, *deselected, *(sys.argv[1:] or TESTS)])))
