"""Who asks, and how much CPU time one address may use: a budget that all processes of an instance share.

What a request costs is known only when it has been answered. It is charged then, and an address that owes too much is
refused until time has paid it off.

The memory has a fixed size, however many addresses ask. Each has a cell in every row, which others may share; what it
owes is the least that one of its cells says. An address is wrongly refused only if others have used up all its cells,
and there are so many of them that the cores of a machine do not suffice for that. A secret key prevents anybody from
looking for addresses that share the cells of another.

A cell holds when it will be paid off. It is one number, which is written at once, so processes need no lock, which a
killed one would keep for ever: of two charges to a cell in the same instant one may be lost.
"""

from hashlib import blake2b
from ipaddress import IPv6Address, ip_address
from math import ceil
from mmap import mmap
from secrets import token_bytes
from threading import Lock
from time import monotonic
from typing import Any

from capomastro.documents.problems import Problem
from capomastro.documents.wordings import phrase
from capomastro.settings import Network, Settings

Environ = dict[str, Any]

WINDOW_SECONDS = 20.0
"""An address may use at once what it may use in so many seconds."""
ROWS = 4
COLUMNS = 4096
CELL_BYTES = 8
LOOPBACK = "localhost"
NETWORK_BITS = 64
"""Length of the prefix of the network in which a client of IPv6 can have any address."""
MAPPED = "::ffff:"
"""What stands before the IPv4 address of a client if the service listens on IPv6: ::ffff:192.0.2.1."""
MAXIMUM_HOPS = 20
"""Maximum number of proxies on the way that are looked at."""
KEY = "capomastro.share"
"""Key of the `Share` of a request in its environment."""


class Shares:
    """What all addresses have used lately, in memory that processes share if they are forked after it was made."""

    def __init__(self, rate: float) -> None:
        """`rate` is in seconds of CPU time per second."""
        self.rate = rate
        self.memory = mmap(-1, ROWS * COLUMNS * CELL_BYTES)
        self.paid_off_at = memoryview(self.memory).cast("d")
        self.key = token_bytes(16)
        self.lock = Lock()

    def cells_of(self, owner: str) -> list[int]:
        """The cell of an owner in each row."""
        digest = blake2b(owner.encode(), digest_size=2 * ROWS, key=self.key).digest()
        columns = (int.from_bytes(digest[2 * row : 2 * row + 2]) % COLUMNS for row in range(ROWS))
        return [row * COLUMNS + column for row, column in enumerate(columns)]

    def charge(self, owner: str, seconds: float) -> None:
        """Charges an owner with CPU time."""
        now = monotonic()
        with self.lock:
            for cell in self.cells_of(owner):
                self.paid_off_at[cell] = max(self.paid_off_at[cell], now) + seconds / self.rate

    def wait_seconds(self, owner: str) -> float:
        """Seconds until an owner may use more; 0 for now."""
        owed = min(self.paid_off_at[cell] for cell in self.cells_of(owner)) - monotonic()
        return max(0.0, owed - WINDOW_SECONDS)


class Share:
    """The share of a client."""

    def __init__(self, shares: Shares | None, owner: str) -> None:
        self.shares = shares
        self.owner = owner

    def charge(self, seconds: float) -> None:
        if self.shares is not None:
            self.shares.charge(self.owner, seconds)

    def wait_seconds(self) -> float:
        """Seconds until the client may use more CPU time; 0 for now."""
        return 0.0 if self.shares is None else self.shares.wait_seconds(self.owner)

    def problem(self) -> Problem | None:
        """The problem with any request of the client, if it has used up its share."""
        seconds = ceil(self.wait_seconds())
        return too_many_requests(seconds) if seconds else None


UNLIMITED = Share(None, "")


def too_many_requests(seconds: int) -> Problem:
    """The problem with a request that should be made in so many seconds."""
    return Problem("too-many-requests", lambda: phrase("share-used-up", seconds=str(seconds)), retry_seconds=seconds)


def client_address(peer: str, forwarded_for: str, trusted: tuple[Network, ...]) -> str:
    """The client: the last untrusted address in the chain of proxies."""
    client = peer.removeprefix(MAPPED) if "." in peer else peer
    if not trusted or not forwarded_for:
        return client
    for hop in reversed(forwarded_for.rsplit(",", MAXIMUM_HOPS)[-MAXIMUM_HOPS:]):
        named = hop.strip()
        if not is_in(client, trusted) or not is_address(named) or "%" in named:  # after it, any text would be a zone
            break
        client = named
    return client


def is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def is_in(address: str, networks: tuple[Network, ...]) -> bool:
    try:
        found = ip_address(address)
    except ValueError:
        return False
    return any(found in network for network in networks)


def owner_of(address: str) -> str:
    """Whose share an address belongs to: of IPv6 the network in which one client can have any address."""
    try:
        found = ip_address(address)
    except ValueError:  # such as a socket without an address
        return address
    if not isinstance(found, IPv6Address):
        return address
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    bits = found.max_prefixlen - NETWORK_BITS
    return str(IPv6Address(int(found) >> bits << bits))


def is_limited(settings: Settings) -> bool:
    """Whether addresses are limited: not if there is but one, that of this machine."""
    return settings.client_cpu > 0 and (settings.trusted_proxies != "" or not is_loopback(settings.host))


def is_loopback(host: str) -> bool:
    try:
        return host == LOOPBACK or ip_address(host).is_loopback
    except ValueError:
        return False


def shares_for(settings: Settings) -> Shares | None:
    """The shares of an instance; None if there is no limit."""
    return Shares(settings.client_cpu / 1000) if is_limited(settings) else None


def share_of(environ: Environ) -> Share:
    """The share that is kept with a request."""
    share: Share = environ.get(KEY, UNLIMITED)
    return share
