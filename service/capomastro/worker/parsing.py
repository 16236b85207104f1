"""Parses HTTP/1 with httptools, which is written in C, and refuses what that accepts but this server does not.

httptools tells when a message is complete, but not where in its input that was. A head, and a body in chunks, can only
end with an empty line; so it is fed in parts that end after empty lines, and what follows the last is the next
request's.
"""

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from urllib.parse import SplitResult, unquote_to_bytes, urlsplit

from httptools import (
    HttpParserError,
    HttpParserInvalidMethodError,
    HttpParserInvalidURLError,
    HttpParserUpgrade,
    HttpRequestParser,
)

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


EMPTY_LINE = b"\r\n\r\n"
MAXIMUM_HEAD_BYTES = 32 * 1024
MAXIMUM_LINE_BYTES = 8190
"""Maximum length of a target, and of a field with its name."""
MAXIMUM_FIELDS = 100
REQUEST_LINE = re.compile(rb"[\r\n]*[!#$%&'*+.^_`|~0-9A-Za-z-]+ [^ \r\n]+ HTTP/([0-9]\.?[0-9]?)(\r\n)?")
WHAT_IS_WRONG = (
    ("present with", "length-and-chunks"),
    ("Content-Length", "length-malformed"),
    ("whitespace after header value", "header-folded"),
    ("LF", "header-line-ends"),
)
"""What the parser says of a field, and the reason that this is; all else is a malformed field."""
CHUNKED_HEAD = b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"


class PartFeeder:
    """Feeds a parser in parts that end where a message can end."""

    def __init__(self, message: "HeadParser | ChunkDecoder") -> None:
        self.message = message
        self.parser = HttpRequestParser(message)
        self.tail = b""
        """The last bytes fed, with which an empty line may begin."""

    def feed(self, content: bytes) -> bytes | None:
        """Feeds content up to the end of the message; returns what follows it, or None if that has not arrived.

        Raises:
            HttpParserError: if it is not HTTP.
        """
        arrived, view, message, feed = self.tail + content, memoryview(content), self.message, self.parser.feed_data
        offset = len(self.tail)
        fed = end = 0
        while end < len(arrived):
            found = arrived.find(EMPTY_LINE, end)
            end = found + len(EMPTY_LINE) if found >= 0 else len(arrived)
            try:
                feed(view[fed : end - offset])
            except HttpParserUpgrade:  # another protocol is asked for: the request is answered as it is
                message.is_complete = True
            fed = end - offset
            if message.is_complete:
                return content[fed:]
        self.tail = arrived[1 - len(EMPTY_LINE) :]
        return None


class HeadParser:
    """Parses the request line and the fields of a request."""

    def __init__(self) -> None:
        self.is_complete = False
        self.feeder = PartFeeder(self)
        # What codings there are is checked with all that depends on several fields.
        self.feeder.parser.set_dangerous_leniencies(lenient_transfer_encoding=True)
        self.arrived = bytearray()
        self.target = b""
        self.fields: list[tuple[bytes, bytes]] = []
        self.refusal: Refusal | None = None

    def on_url(self, part: bytes) -> None:
        """Called by the parser."""
        self.target += part
        if len(self.target) > MAXIMUM_LINE_BYTES:
            self.refuse("request-line")

    def on_header(self, name: bytes, value: bytes) -> None:
        """Called by the parser."""
        if len(self.fields) == MAXIMUM_FIELDS or len(name) + len(value) > MAXIMUM_LINE_BYTES:
            self.refuse("header-fields")
        self.fields.append((name.lower(), value.strip(b" \t")))

    def on_headers_complete(self) -> None:
        """Called by the parser."""
        self.is_complete = True

    def refuse(self, reason: str) -> None:
        self.refusal = Refusal(reason)
        raise self.refusal

    def feed(self, content: bytes) -> bytes | None:
        """Takes received bytes; returns those after the head, or None if it is not complete.

        Raises:
            Refusal: if it is not the head of a request.
        """
        if not self.arrived:
            content = content.lstrip(b"\r\n") or content[-1:]  # a robust server ignores empty lines before a request
        room = MAXIMUM_HEAD_BYTES - len(self.arrived)
        self.arrived += content[:room]
        try:
            rest = self.feeder.feed(content[:room])
        except HttpParserError as error:
            raise self.refusal or self.refusal_of(error) from None
        if rest is not None:
            if (found := REQUEST_LINE.match(self.arrived)) is None:
                raise Refusal("request-line-malformed")  # such as that of RTSP, or with two blanks
            if found[1] not in (b"1.0", b"1.1"):
                raise Refusal("http-versions")
            return rest + content[room:]
        if len(content) > room:
            raise Refusal("header-bytes", bytes=MAXIMUM_HEAD_BYTES)
        return None

    def refusal_of(self, error: HttpParserError) -> Refusal:
        """What is wrong with a head that the parser refuses."""
        line = REQUEST_LINE.match(self.arrived)
        if self.arrived.startswith(b"PRI "):
            return Refusal("http-2-preface")
        if isinstance(error, HttpParserInvalidMethodError):
            return Refusal("method-unknown" if line is not None else "request-line-malformed")
        if isinstance(error, HttpParserInvalidURLError):
            return Refusal("target-malformed")
        if line is not None and line[1] not in (b"1.", b"1.0", b"1.1"):
            return Refusal("http-versions")
        said = str(error)
        known = (reason for part, reason in WHAT_IS_WRONG if part in said)
        return Refusal(next(known, "header-field-malformed" if line is not None else "request-line-malformed"))

    @property
    def method(self) -> str:
        name: bytes = self.feeder.parser.get_method()
        return name.decode("latin-1")

    @property
    def version(self) -> tuple[int, int]:
        return (1, 1) if self.feeder.parser.get_http_version() == "1.1" else (1, 0)


class ChunkDecoder:
    """Decodes a body in chunks; trailers are checked and ignored."""

    def __init__(self) -> None:
        self.pieces: list[bytes] = []
        """The content that has arrived; whoever feeds takes it out."""
        self.taken = 0
        """Number of pieces taken out: at least one for each chunk."""
        self.is_complete = False
        self.on_body = self.pieces.append  # written in C, since there may be a call for every byte
        self.feeder = PartFeeder(self)
        self.feeder.parser.feed_data(CHUNKED_HEAD)

    def on_message_complete(self) -> None:
        """Called by the parser."""
        self.is_complete = True

    def feed(self, content: bytes) -> bytes | None:
        """Takes received bytes; returns those after the body, or None if it is not complete.

        Raises:
            Refusal: if they are not chunks.
        """
        try:
            return self.feeder.feed(content)
        except HttpParserError:
            raise Refusal("chunks-malformed") from None

    def take(self) -> bytes:
        """The content that has arrived since the last call."""
        content = b"".join(self.pieces)
        self.taken += len(self.pieces)
        self.pieces.clear()
        return content
