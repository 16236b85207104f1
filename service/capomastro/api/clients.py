"""Who asks: the address of a client, as trusted proxies name it."""

import ipaddress

from capomastro.settings import Network

MAPPED = "::ffff:"
"""What stands before the IPv4 address of a client if the service listens on IPv6: ::ffff:192.0.2.1."""


MAXIMUM_HOPS = 20
"""Maximum number of proxies on the way that are looked at."""


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
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def is_in(address: str, networks: tuple[Network, ...]) -> bool:
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    return any(found in network for network in networks)
