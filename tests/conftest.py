"""How the tests are run: in which order, by how many processes, and how often garbage is looked for."""

import gc
from collections.abc import Generator
from contextlib import suppress
from subprocess import CalledProcessError

import pytest
from tools.documentation import files as documentation
from tools.openapi.files import built

WAITING = (
    "tests/test_wheel.py",
    "tests/api/test_streams_served.py",
    "tests/api/test_connections.py",
    "tests/cli/test_archives.py",
    "tests/api/test_metrics.py",
    "tests/api/test_stopping.py",
    "tests/deploy/test_nginx.py",
    "tests/tables/test_served.py",
)
"""Files of tests that mostly wait: for time-outs, for other processes. The longest come first."""

# The modules and the tests that were collected are more than a million objects, which stay. With the defaults, made for
# small programs, looking for garbage among them takes a tenth of the CPU time.
gc.set_threshold(20_000, 20, 100)


def pytest_configure(config: pytest.Config) -> None:
    """Builds the specification and the documentation that the service shows, once for all processes."""
    if not hasattr(config, "workerinput"):
        with suppress(CalledProcessError, OSError):  # the tests that need it fail; in a browser there are no processes
            built()
            documentation.built()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests that mostly wait come first, so that one process waits while as many as there are cores compute.

    If they came last, all processes would wait at the same time. At first each process gets the same number of tests,
    in their order: those that take long come first among these, since a process that begins one of them last keeps the
    others waiting. The rest stay in their order.
    """
    rank = {file: place for place, file in enumerate(WAITING)}
    ranks = {item: rank.get(item.nodeid.partition("::")[0], len(rank)) for item in items}
    waiting = sorted((item for item in items if ranks[item] < len(rank)), key=ranks.__getitem__)
    long = [item for item in items if ranks[item] == len(rank) and "long" in item.keywords]
    rest = [item for item in items if ranks[item] == len(rank) and "long" not in item.keywords]
    processes: int = getattr(config, "workerinput", {}).get("workercount", 1)
    items[:] = waiting
    for process in range(processes):
        items += long[process::processes]
        count = max(0, len(ranks) * (process + 1) // processes - len(items))
        items += rest[:count]
        del rest[:count]


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
