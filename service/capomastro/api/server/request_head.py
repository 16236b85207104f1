"""The head of a request: request line and header fields, with checks that do not depend on the resource."""

import ipaddress
import re
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any
from urllib.parse import SplitResult, unquote_to_bytes

from gunicorn import SERVER_SOFTWARE
from gunicorn.util import split_request_uri

from capomastro.documents.problems import Problem
from capomastro.documents.wordings import phrase
from capomastro.settings import Network

Address = tuple[str, int]

HOST = re.compile(rb"[A-Za-z0-9._~%!$&'()*+,;=:\[\]-]*")
ENCODED_SLASH = re.compile("%2f", re.IGNORECASE)


@dataclass(frozen=True)
class RequestHead:
    """Request line and header fields of HTTP/1; names of fields in lower case."""

    method: str
    target: str
    version: tuple[int, int]
    fields: list[tuple[bytes, bytes]] = field(repr=False)

    @cached_property
    def header(self) -> dict[bytes, bytes]:
        """The value of each field; fields with the same name are joined as HTTP defines."""
        values: dict[bytes, list[bytes]] = {}
        for name, value in self.fields:
            values.setdefault(name, []).append(value)
        return {name: b",".join(parts) for name, parts in values.items()}

    @cached_property
    def parts(self) -> SplitResult:
        """The parts of the target.

        Raises:
            ValueError: if it names a host that cannot be one, as `http://[/` does.
        """
        parts: SplitResult = split_request_uri(self.target)
        return parts

    @cached_property
    def path(self) -> str:
        """The decoded path. An encoded slash is not a separator, but part of a name that no resource has."""
        return unquote_to_bytes(ENCODED_SLASH.sub("%252F", self.parts.path)).decode("latin-1")

    @property
    def query(self) -> str:
        return self.parts.query

    @property
    def length(self) -> int | None:
        """The declared length of the body, if any."""
        declared = self.header.get(b"content-length")
        return None if declared is None else int(declared)

    @property
    def is_chunked(self) -> bool:
        return b"transfer-encoding" in self.header

    @property
    def has_body(self) -> bool:
        return self.is_chunked or bool(self.length)

    @property
    def expects_continue(self) -> bool:
        """Whether the client waits for 100 Continue before it sends the body."""
        return b"expect" in self.header and self.version >= (1, 1)

    @property
    def keeps_alive(self) -> bool:
        """Whether the connection may be reused."""
        options = {option.strip(b" \t") for option in self.header.get(b"connection", b"").lower().split(b",")}
        if b"close" in options or self.method == "CONNECT":
            return False
        return self.version >= (1, 1) or b"keep-alive" in options

    def check(self) -> None:
        """Refuses what the parser accepts but this server does not.

        Raises:
            Problem: `bad-request`, `expectation-failed` or `not-implemented`.
        """
        host = self.header.get(b"host")
        if host is None and self.version >= (1, 1):
            raise Problem("bad-request", partial(phrase, "host-missing"))
        if host is not None and not HOST.fullmatch(host):
            raise Problem("bad-request", partial(phrase, "host-malformed"))
        if self.header.get(b"transfer-encoding", b"chunked").lower() != b"chunked":
            raise Problem("not-implemented", partial(phrase, "transfer-encoding"))
        if self.header.get(b"expect", b"100-continue").lower() != b"100-continue":
            raise Problem("expectation-failed", partial(phrase, "expectation"))


UNPARSED_HEAD = RequestHead("GET", "", (1, 1), [])
"""A substitute for a head that could not be parsed."""


def wsgi_environ(head: RequestHead, peer: Address, server: Address, trusted: tuple[Network, ...]) -> dict[str, Any]:
    """The WSGI environment, without a body; omits fields with underscores, which could be mistaken for others."""
    environ: dict[str, Any] = {
        "REQUEST_METHOD": head.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": head.path,
        "QUERY_STRING": head.query,
        "RAW_URI": head.target,
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1]),
        "SERVER_PROTOCOL": f"HTTP/{head.version[0]}.{head.version[1]}",
        "SERVER_SOFTWARE": SERVER_SOFTWARE,
        "REMOTE_PORT": str(peer[1]),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
        "wsgi.input_terminated": True,
    }
    for name, value in head.header.items():
        if b"_" not in name:
            environ["HTTP_" + name.decode("latin-1").upper().replace("-", "_")] = value.decode("latin-1")
    for cgi_name in ("CONTENT_TYPE", "CONTENT_LENGTH"):
        if (declared := environ.pop("HTTP_" + cgi_name, None)) is not None:
            environ[cgi_name] = declared
    environ["REMOTE_ADDR"] = client_address(peer[0], environ.get("HTTP_X_FORWARDED_FOR", ""), trusted)
    return environ


def client_address(peer: str, forwarded_for: str, trusted: tuple[Network, ...]) -> str:
    """The client: the last untrusted address in the chain of proxies."""
    client = peer
    for hop in reversed([one.strip() for one in forwarded_for.split(",")] if forwarded_for and trusted else []):
        if not is_in(client, trusted) or not is_address(hop) or "%" in hop:  # after it, any text would be a zone
            break
        client = hop
    return client


def is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def is_in(address: str, networks: tuple[Network, ...]) -> bool:
    return is_address(address) and any(ipaddress.ip_address(address) in network for network in networks)
