"""Connections to a served address, and waiting for what happens on them."""

import socket
import time
from collections.abc import Callable
from urllib.parse import urlsplit

Address = tuple[str, int]

PATIENCE = 60
"""Seconds for anything that happens soon; no test may depend on the speed of the machine."""


def address_of(url: str) -> Address:
    parts = urlsplit(url)
    assert parts.hostname is not None
    assert parts.port is not None
    return parts.hostname, parts.port


def connected(address: Address) -> socket.socket:
    return socket.create_connection(address, timeout=PATIENCE)


def soon(holds: Callable[[], bool]) -> bool:
    """Whether a condition becomes true before the time-out."""
    deadline = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True
