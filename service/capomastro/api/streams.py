"""Streams: reads lines and sends verdicts at the same time, one verdict per line, in the same order.

Two threads serve a stream: one reads and judges lines; the other, the server's own, sends. Between them is the backlog
of verdicts that the client has not read yet, so that a client may send everything before it reads. Where there are no
threads, as in a browser, all lines are judged before the first verdict is sent.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from threading import BoundedSemaphore, Lock, Thread
from time import monotonic, sleep, thread_time
from typing import Any

from flask import Request

from capomastro import archive
from capomastro.answers import VerdictOnLine
from capomastro.api.backlog import PIECE_BYTES, Abandoned, Backlog
from capomastro.api.bodies import encoding_of, incomplete_body
from capomastro.api.exchanges import Exchange
from capomastro.api.metrics import count_paced, count_record, count_stream
from capomastro.api.request_log import HEADER, log_fault
from capomastro.api.shares import UNLIMITED, Share
from capomastro.api.unpacking import CODINGS, Unpacker
from capomastro.archive import Line, is_blank
from capomastro.cores import HAS_THREADS
from capomastro.documents import json_text
from capomastro.documents.languages import current_language, set_language
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import phrase
from capomastro.settings import Settings

Judge = Callable[[Line], VerdictOnLine]


class ArrivingBody:
    """The body of a request, read as it arrives; `line` is the number of the current line."""

    def __init__(self, request: Request, idle_seconds: int) -> None:
        coding = encoding_of(request.environ)
        self.unpacker = Unpacker(coding) if coding in CODINGS else None
        # `read` may block until it has as much as requested; `read1`, where a server has it, does not
        self.stream: Any = request.stream
        self.length = request.content_length or 0
        self.line = 1
        self.received = 0
        self.idle_seconds = idle_seconds
        self.waits_since: float | None = None
        """Since when the client has sent nothing but blank lines; None while its lines are judged."""

    def pieces(self) -> Iterator[bytes]:
        """Yields its bytes.

        Raises:
            Problem: `bad-request` if the body does not end as HTTP requires.
        """
        read = getattr(self.stream, "read1", self.stream.read)
        self.waits_since = since = monotonic()
        is_line_begun = False
        while data := self.arrived(read):
            self.received += len(data)
            for piece in (data,) if self.unpacker is None else self.unpacker.pieces(data):
                self.line += piece.count(b"\n")
                is_activity = is_line_begun or not is_blank(piece)
                _, line_feed, begun = piece.rpartition(b"\n")
                is_line_begun = not is_blank(begun) or (is_line_begun and not line_feed)
                if is_activity:
                    self.waits_since = None
                yield piece
                if is_activity:
                    self.waits_since = since = monotonic()
            if monotonic() - since > self.idle_seconds:
                raise Problem("bad-request", phrase("body-pauses"))
        if self.received < self.length or not (self.unpacker is None or self.unpacker.is_whole):
            raise incomplete_body()

    def end(self) -> None:
        """Ends the body, where the server can: nothing else will be read."""
        if (close := getattr(self.stream, "close", None)) is not None:
            close()

    def arrived(self, read: Callable[[int], bytes]) -> bytes:
        try:
            return read(PIECE_BYTES)
        except Exception as error:  # each server raises its own errors for a badly framed body
            raise incomplete_body(error) from error


IDLE_SECONDS = 10
"""Seconds without a record after which a stream ends if another one wants its place."""
PACE_SECONDS = 0.5
"""Seconds after which a stream that waits for its share looks again."""
ROOM_SECONDS = 5
"""Seconds for which a stream waits for a place that another one is leaving."""


class Places:
    """The places of the streams of a process. If all are taken, the one that has been idle longest makes room."""

    def __init__(self, count: int) -> None:
        self.free = BoundedSemaphore(count)
        self.lock = Lock()
        self.taken: list[Stream] = []

    def take(self) -> bool:
        """Takes a place; returns whether there is one, perhaps after another stream has left it."""
        if self.free.acquire(blocking=False):
            return True
        with self.lock:
            idle = [stream for stream in self.taken if stream.idle_for() > IDLE_SECONDS and not stream.makes_room]
            if idle:
                max(idle, key=lambda stream: stream.idle_for()).make_room()
        return bool(idle) and self.free.acquire(timeout=ROOM_SECONDS)

    def add(self, stream: "Stream") -> None:
        """Records the stream that has the place."""
        with self.lock:
            self.taken.append(stream)

    def leave(self, stream: "Stream") -> None:
        """Frees the place of a stream."""
        with self.lock:
            self.taken.remove(stream)
        self.free.release()


class Stream:
    """The verdicts on the lines of a request."""

    def __init__(
        self,
        request: Request,
        judge: Judge,
        settings: Settings,
        request_id: str,
        places: Places,
        share: Share = UNLIMITED,
    ) -> None:
        self.body = ArrivingBody(request, settings.idle_timeout)
        self.makes_room = False
        self.judge = judge
        self.maximum_bytes = settings.maximum_record_bytes
        self.backlog = Backlog(settings.maximum_waiting_bytes if HAS_THREADS else sys.maxsize)
        self.request_id = request_id
        self.share = share
        self.is_paced = False
        """Whether it waits because its client has used up its share."""
        self.places = places
        places.add(self)
        self.language = current_language()
        self.verdicts: Counter[str] = Counter()
        self.problem: Problem | None = None
        self.fault: Exception | None = None
        self.complete = False
        self.last_record = self.last_read = monotonic()
        """When a record was last judged, and when the client last read an answer."""
        self.answered = 0
        self.cpu_seconds = 0.0

    def complete_exchange(self, exchange: Exchange) -> None:
        """Adds the number of records by verdict to an exchange at its end, and whether the stream is complete.

        The server may seem to send verdicts to a client that has gone; but then the body is incomplete.
        """
        verdicts = dict(self.verdicts)
        complete = self.complete and self.problem is None
        outcome: dict[str, Any] = {"records": sum(verdicts.values()), "verdicts": verdicts, "complete": complete}
        if self.problem is not None:
            exchange.problem = self.problem.id
            outcome["detail"] = self.problem.detail
        exchange.bytes_in, exchange.bytes_out = self.body.received, self.answered
        exchange.cpu_seconds += self.cpu_seconds
        exchange.stream = outcome

    def idle_for(self) -> float:
        """Seconds for which the client has neither sent a whole record, though it is its turn, nor read an answer.

        It is also its turn while it waits for its share.
        """
        waits = self.is_paced or self.body.waits_since is not None
        return 0.0 if not waits else monotonic() - max(self.last_record, self.last_read)

    def make_room(self) -> None:
        """Ends the stream, with a verdict that says why, because others want its place."""
        self.makes_room = True
        self.body.end()

    def sent(self) -> Iterator[bytes]:
        """The verdicts for the server to send. If it closes this early, nothing more is read or judged.

        Raises:
            Exception: if a fault prevents further verdicts. The client must not take this for the end.
        """
        try:
            if HAS_THREADS:
                Thread(target=self.judge_all, name="judge", daemon=True).start()
            else:
                self.judge_all()
            yield b""  # makes the server send status and headers before the first verdict
            for piece in self.backlog.drain():
                yield piece
                self.answered += len(piece)
                self.last_read = monotonic()
            if self.fault is not None:
                raise self.fault
            self.complete = True
        finally:
            self.backlog.abandon()
            if not self.complete:
                self.body.end()
            self.places.leave(self)
            count_stream(-1)

    def judge_all(self) -> None:
        """Puts the verdicts into the backlog; runs in a thread of its own."""
        set_language(self.language)
        try:
            for answer in self.answers():
                self.verdicts[answer.verdict] += 1
                count_record(answer)
                self.backlog.put(json_text.encode(answer) + b"\n")
                spent = thread_time()
                self.share.charge(spent - self.cpu_seconds)
                self.cpu_seconds = spent
                self.last_record = monotonic()
                self.pace()
        except Abandoned:
            pass
        except Exception as error:  # noqa: BLE001 - such as a full disk: raised again in `sent`, to break off the answer
            log_fault(self.request_id, error)
            self.problem, self.fault = Problem("internal", phrase("answers-break-off")), error
        finally:
            self.backlog.end()

    def pace(self) -> None:
        """Waits until the client may use more CPU time; less long if the stream ends or has to make room."""
        while (seconds := self.share.wait_seconds()) and not (self.makes_room or self.backlog.abandoned):
            self.is_paced = True
            sleep(min(seconds, PACE_SECONDS))
            count_paced(min(seconds, PACE_SECONDS))
        self.is_paced = False

    def answers(self) -> Iterator[VerdictOnLine]:
        """The verdict on each line; if the body breaks off, the last one is on the incomplete line."""
        try:
            for line in archive.lines(self.body.pieces(), self.maximum_bytes):
                yield self.answer(line)
        except Problem as problem:
            self.problem = Problem("busy", phrase("stream-makes-room")) if self.makes_room else problem
            yield archive.unusable(self.problem, Line(self.body.line, None))

    def answer(self, line: Line) -> VerdictOnLine:
        """The verdict on a line, whatever happens."""
        try:
            return self.judge(line)
        except Problem as raised:
            problem = raised
        except Exception as error:  # noqa: BLE001 - a fault in one line must not end the stream
            log_fault(self.request_id, error)
            problem = Problem("internal", phrase("cause-in-log", header=HEADER))
        return archive.unusable(problem, line)
