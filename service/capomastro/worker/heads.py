"""The head of a request: request line and header fields, with checks that do not depend on the resource."""

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from urllib.parse import SplitResult, unquote_to_bytes, urlsplit

from capomastro.worker.behaviour import Environ
from capomastro.worker.refusals import Refusal

Address = tuple[str, int]

HOST = re.compile(rb"[A-Za-z0-9._~%!$&'()*+,;=:\[\]-]*")
ENCODED_SLASH = re.compile("%2f", re.IGNORECASE)
KNOWN_CODINGS = (b"chunked", b"compress", b"deflate", b"gzip", b"identity")


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
        """The parts of the target; two slashes at the beginning of a path do not make a host of what follows.

        Raises:
            ValueError: if it names a host that cannot be one, as `http://[/` does.
        """
        if self.target.startswith("/"):
            path, _, query = self.target.partition("?")
            return SplitResult("", "", path, query, "")
        return urlsplit(self.target)

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

    @cached_property
    def codings(self) -> list[bytes]:
        """The transfer codings of the body, in lower case."""
        listed = self.header.get(b"transfer-encoding", b"").lower().split(b",")
        return [coding for each in listed if (coding := each.strip(b" \t"))]

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
        if b"close" in options:
            return False
        return self.version >= (1, 1) or b"keep-alive" in options

    def check(self) -> None:
        """Refuses what the parser accepts but this server does not.

        Raises:
            Refusal: if there is anything.
        """
        if self.method == "CONNECT":
            raise Refusal("method-unknown")
        if "#" in self.target:
            raise Refusal("target-fragment")
        try:
            self.parts  # noqa: B018 - raises the error
        except ValueError:
            raise Refusal("target-malformed") from None
        self.check_host()
        if self.is_chunked:
            self.check_codings()
        if self.header.get(b"expect", b"100-continue").lower() != b"100-continue":
            raise Refusal("expectation")

    def check_host(self) -> None:
        hosts = [value for name, value in self.fields if name == b"host"]
        if len(hosts) > 1:
            raise Refusal("host-twice")
        if not hosts and self.version >= (1, 1):
            raise Refusal("host-missing")
        if hosts and not HOST.fullmatch(hosts[0]):
            raise Refusal("host-malformed")

    def check_codings(self) -> None:
        if b"content-length" in self.header:
            raise Refusal("length-and-chunks")
        if self.version < (1, 1):
            raise Refusal("chunks-in-1-0")
        if self.codings == [b"chunked"]:
            return
        ends_well = self.codings[-1:] == [b"chunked"] and self.codings.count(b"chunked") == 1
        if ends_well or not set(self.codings) <= set(KNOWN_CODINGS):
            raise Refusal("transfer-encoding")
        raise Refusal("chunked-last")


UNPARSED_HEAD = RequestHead("GET", "", (1, 1), [])
"""A substitute for a head that could not be parsed."""


def wsgi_environ(head: RequestHead, peer: Address, server: Address) -> Environ:
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
        "SERVER_SOFTWARE": "gunicorn",
        "REMOTE_ADDR": peer[0],
        "REMOTE_PORT": str(peer[1]),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
        "wsgi.input_terminated": True,
    }
    for name, value in head.header.items():
        if b"_" not in name and name != b"upgrade":  # no other protocol is taken up
            environ["HTTP_" + name.decode("latin-1").upper().replace("-", "_")] = value.decode("latin-1")
    for cgi_name in ("CONTENT_TYPE", "CONTENT_LENGTH"):
        if (declared := environ.pop("HTTP_" + cgi_name, None)) is not None:
            environ[cgi_name] = declared
    return environ
