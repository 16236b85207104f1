"""Parses HTTP/1 with httptools, which is written in C, and refuses what that accepts but this server does not.

httptools tells when a message is complete, but not where in its input that was. A head, and a body in chunks, can only
end with an empty line; so it is fed in parts that end after empty lines, and what follows the last is the next
request's.
"""

import re
import sys
from contextlib import suppress
from urllib.parse import unquote_to_bytes, urlsplit

import httptools

from capomastro.worker.behaviour import Environ, Refusal

Address = tuple[str, int]

HOST = re.compile(rb"[A-Za-z0-9._~%!$&'()*+,;=:\[\]-]*")
ENCODED_SLASH = re.compile("%2f", re.IGNORECASE)
KNOWN_CODINGS = {b"chunked", b"compress", b"deflate", b"gzip", b"identity"}
ITEM = re.compile(rb"[^, \t](?:[^,]*[^, \t])?")
"""An item of a list, without the blanks around it; endless commas cost little."""


class RequestHead:
    """Request line and header fields of HTTP/1; names of fields in lower case."""

    def __init__(self, method: str, target: str, version: tuple[int, int], fields: list[tuple[bytes, bytes]]) -> None:
        """Takes the target apart; two slashes at the beginning of a path do not make a host of what follows."""
        self.method, self.target, self.version, self.fields = method, target, version, fields
        path, _, self.query = target.partition("?")
        if not target.startswith("/"):
            with suppress(ValueError):  # it names a host that cannot be one, as `http://[/` does: `check` refuses it
                _, _, path, self.query, _ = urlsplit(target)
        self.path = unquote_to_bytes(ENCODED_SLASH.sub("%252F", path)).decode("latin-1")
        """Decoded. An encoded slash is not a separator, but part of a name that no resource has."""
        self.header: dict[bytes, bytes] = {}
        """The value of each field; fields with the same name are joined as HTTP defines."""
        for name, value in fields:
            self.header[name] = self.header[name] + b"," + value if name in self.header else value
        self.length = int(self.header[b"content-length"]) if b"content-length" in self.header else None
        """The declared length of the body, if any."""
        self.is_chunked = b"transfer-encoding" in self.header
        self.has_body = self.is_chunked or bool(self.length)
        self.expects_continue = b"expect" in self.header and version >= (1, 1)
        """Whether the client waits for 100 Continue before it sends the body."""

    def listed(self, name: bytes) -> list[bytes]:
        """The items of a field that is a list, in lower case."""
        return ITEM.findall(self.header.get(name, b"").lower())

    @property
    def keeps_alive(self) -> bool:
        """Whether the connection may be reused."""
        options = self.listed(b"connection")
        return b"close" not in options and (self.version >= (1, 1) or b"keep-alive" in options)

    def check(self) -> None:
        """Refuses what the parser accepts but this server does not.

        Raises:
            Refusal: if there is anything.
        """
        hosts = [value for name, value in self.fields if name == b"host"]
        wrong = {
            "method-unknown": self.method == "CONNECT",
            "target-fragment": "#" in self.target,
            "target-malformed": self.path[:1] not in "/*",
            "host-twice": len(hosts) > 1,
            "host-missing": not hosts and self.version >= (1, 1),
            "host-malformed": not HOST.fullmatch(b"".join(hosts)),
            "length-and-chunks": self.is_chunked and self.length is not None,
            "chunks-in-1-0": self.is_chunked and self.version < (1, 1),
            "expectation": self.header.get(b"expect", b"100-continue").lower() != b"100-continue",
        }
        for reason, is_wrong in wrong.items():
            if is_wrong:
                raise Refusal(reason)
        codings = self.listed(b"transfer-encoding")
        if self.is_chunked and codings != [b"chunked"]:
            ends_well = codings[-1:] == [b"chunked"] and codings.count(b"chunked") == 1
            is_known = KNOWN_CODINGS.issuperset(codings)
            raise Refusal("chunked-last" if is_known and not ends_well else "transfer-encoding")


UNPARSED_HEAD = RequestHead("GET", "*", (1, 1), [])
"""A substitute for a head that could not be parsed; no resource has its path."""


def wsgi_environ(head: RequestHead, peer: Address, server: Address) -> Environ:
    """The WSGI environment, without a body; omits fields with underscores, which could be mistaken for others."""
    environ: Environ = {
        "REQUEST_METHOD": head.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": head.path,
        "QUERY_STRING": head.query,
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1]),
        "SERVER_PROTOCOL": f"HTTP/{head.version[0]}.{head.version[1]}",
        "REMOTE_ADDR": peer[0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
        "wsgi.input_terminated": True,
    }
    for name, value in head.header.items():
        if b"_" not in name and name not in (b"connection", b"upgrade"):  # no other protocol is taken up
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
REQUEST_LINE = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+ [^ \r\n]+ HTTP/([0-9]\.?[0-9]?)(\r\n)?")
CHUNKED_HEAD = b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"


class Parser:
    """Feeds the parser in parts that end where a message can end; it calls the methods `on_…`."""

    def __init__(self) -> None:
        self.parser = httptools.HttpRequestParser(self)
        self.is_complete = False
        self.tail = b""
        """The last bytes fed, with which an empty line may begin."""

    def complete(self) -> None:
        """Called by the parser at the end of the message."""
        self.is_complete = True

    def feed_parts(self, content: bytes) -> bytes | None:
        """Feeds content up to the end of the message; returns what follows it, or None if that has not arrived.

        Raises:
            HttpParserError: if it is not HTTP.
        """
        arrived, view, feed, offset = self.tail + content, memoryview(content), self.parser.feed_data, len(self.tail)
        fed = end = 0
        while end < len(arrived):
            found = arrived.find(EMPTY_LINE, end)
            end = found + len(EMPTY_LINE) if found >= 0 else len(arrived)
            try:
                feed(view[fed : end - offset])
            except httptools.HttpParserUpgrade:  # another protocol is asked for: the request is answered as it is
                self.is_complete = True
            fed = end - offset
            if self.is_complete:
                return content[fed:]
        self.tail = arrived[1 - len(EMPTY_LINE) :]
        return None


class HeadParser(Parser):
    """Parses the request line and the fields of a request."""

    on_headers_complete = Parser.complete

    def __init__(self) -> None:
        super().__init__()
        # What codings there are, and a length beside them, is checked with all that depends on several fields.
        self.parser.set_dangerous_leniencies(lenient_transfer_encoding=True, lenient_chunked_length=True)
        self.arrived = bytearray()
        """What has arrived of the head, without empty lines before it."""
        self.target = b""
        self.fields: list[tuple[bytes, bytes]] = []
        self.too_long = ""
        """The reason to refuse what is too long."""

    def on_url(self, part: bytes) -> None:
        """Called by the parser."""
        self.target += part
        if len(self.target) > MAXIMUM_LINE_BYTES:
            self.too_long = "request-line"
            raise ValueError

    def on_header(self, name: bytes, value: bytes) -> None:
        """Called by the parser."""
        if len(self.fields) == MAXIMUM_FIELDS or len(name) + len(value) > MAXIMUM_LINE_BYTES:
            self.too_long = "header-fields"
            raise ValueError
        self.fields.append((name.lower(), value.strip(b" \t")))

    def feed(self, content: bytes) -> bytes | None:
        """Takes received bytes; returns those after the head, or None if it is not complete.

        Raises:
            Refusal: if it is not the head of a request.
        """
        content = content if self.arrived else content.lstrip(b"\r\n")  # empty lines before a request are ignored
        if not content:
            return None
        room = MAXIMUM_HEAD_BYTES - len(self.arrived)
        self.arrived += content[:room]
        try:
            rest = self.feed_parts(content[:room])
        except httptools.HttpParserError as error:
            raise Refusal(self.too_long or self.what_is_wrong(error)) from None
        if rest is None and len(content) > room:
            raise Refusal("header-bytes", bytes=MAXIMUM_HEAD_BYTES)
        return None if rest is None else rest + content[room:]

    def what_is_wrong(self, error: httptools.HttpParserError) -> str:
        """Why a head is refused that the parser does not accept."""
        line = REQUEST_LINE.match(self.arrived)
        if isinstance(error, httptools.HttpParserInvalidURLError):
            return "target-malformed"
        if line is None:
            return "request-line-malformed"
        if line[1] not in (b"1.", b"1.0", b"1.1"):
            return "http-versions"
        is_method = isinstance(error, httptools.HttpParserInvalidMethodError)
        return "method-unknown" if is_method else "header-field-malformed"

    def head(self) -> RequestHead:
        """The complete head, still to be checked.

        Raises:
            Refusal: if its request line is not as HTTP requires.
        """
        if (line := REQUEST_LINE.match(self.arrived)) is None:
            raise Refusal("request-line-malformed")  # such as that of RTSP, or with two blanks
        if line[1] not in (b"1.0", b"1.1"):
            raise Refusal("http-versions")
        version = (1, int(line[1][-1:]))
        method, target = self.parser.get_method().decode("latin-1"), self.target.decode("latin-1")
        return RequestHead(method, target, version, self.fields)


class ChunkDecoder(Parser):
    """Decodes a body in chunks; trailers are checked and ignored."""

    on_message_complete = Parser.complete

    def __init__(self) -> None:
        self.pieces: list[bytes] = []
        """The content that has arrived, until the caller takes it out."""
        self.taken = 0
        """Number of pieces taken out: at least one for each chunk."""
        self.on_body = self.pieces.append  # written in C, since there may be a call for every byte
        super().__init__()
        self.parser.feed_data(CHUNKED_HEAD)

    def feed(self, content: bytes) -> bytes | None:
        """Takes received bytes; returns those after the body, or None if it is not complete.

        Raises:
            Refusal: if they are not chunks.
        """
        try:
            return self.feed_parts(content)
        except httptools.HttpParserError:
            raise Refusal("chunks-malformed") from None

    def take(self) -> bytes:
        """The content that has arrived since the last call."""
        content = b"".join(self.pieces)
        self.taken += len(self.pieces)
        self.pieces.clear()
        return content
