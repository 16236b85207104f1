"""Runs tests of the checkout with the Python for browsers: `make test-site`, by `python.mjs`."""

import sys
import time

time.thread_time = time.process_time
sys.dont_write_bytecode = True
sys.path[:0] = ["/here/service", "/here", "/here/build/engine/tests", "/here/build/engine/application"]

import pytest  # noqa: E402 - from the folders above

# Neither plugins nor their options: there are no processes among which to spread tests.
OPTIONS = ("-o", "addopts=", "-p", "no:cacheprovider", "--disable-plugin-autoload", "--rootdir=/here", "-q")

TESTS = ("tests/engine", "tests/documents/test_pointers.py", "tests/documents/test_claims.py")
NEEDS_PROCESSES = "--deselect=tests/engine/test_players.py::test_the_same_is_suggested_in_every_process"

sys.exit(int(pytest.main([*OPTIONS, NEEDS_PROCESSES, *(sys.argv[1:] or TESTS)])))
