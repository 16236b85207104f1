"""How the tests are run: in which order, by how many processes, and how often garbage is looked for."""

import gc
from collections.abc import Generator

import pytest

LONGEST = ("tests/test_wheel.py", "tests/bench/test_soak.py")
"""Tests of 20 seconds, which mostly wait: at the end, the other processes would have nothing to do meanwhile."""

# The modules and the tests that were collected are more than a million objects, which stay. With the defaults, made for
# small programs, looking for garbage among them takes a tenth of the CPU time.
gc.set_threshold(20_000, 20, 100)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest tests come first; the others stay in their order."""
    items.sort(key=lambda item: not item.nodeid.startswith(LONGEST))


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    """Looks for garbage until there is none, so that whatever it complains of is seen, and sets aside what is left.

    Else pytest looks through all of it five times more, and the interpreter takes it apart object by object.
    """
    while gc.collect():
        pass
    gc.freeze()


@pytest.hookimpl(wrapper=True, optionalhook=True)
def pytest_xdist_auto_num_workers() -> Generator[None, int, int]:
    """One process more than there are cores, for there is often one that waits."""
    return (yield) + 1
