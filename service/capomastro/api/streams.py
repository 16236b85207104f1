"""Streams: lines are read and answers sent at the same time, one answer a line, in the same order.

Two threads serve a stream. One reads lines and judges them; the other, the server's own, sends. Between them lies the
backlog of answers that the client has not taken yet, so that a client may send everything before it reads.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from threading import Thread
from time import thread_time
from typing import Any

from flask import Request

from capomastro import archive
from capomastro.adjudicator import Answer
from capomastro.api.backlog import Abandoned, Backlog
from capomastro.api.bodies import broken_off
from capomastro.api.exchanges import Exchange
from capomastro.api.metrics import count_record
from capomastro.api.request_log import HEADER, log_fault
from capomastro.archive import Line
from capomastro.documents import json_text
from capomastro.documents.problems import Problem
from capomastro.settings import Settings

Judge = Callable[[Line], Answer]

PIECE = 64 * 1024
"""So many bytes of the body are read at most at once."""


class ArrivingBody:
    """The body of a request, read as it arrives; `line` is the number of the line that has been begun."""

    def __init__(self, request: Request) -> None:
        # `read` may wait until all it was asked for is there; a server that can do otherwise has `read1`
        self.stream: Any = request.stream
        self.length = request.content_length or 0
        self.line = 1
        self.received = 0

    def pieces(self) -> Iterator[bytes]:
        """Its bytes.

        Raises:
            Problem: `bad-request`, if the body does not end as HTTP has it to.
        """
        read = getattr(self.stream, "read1", self.stream.read)
        while piece := self.arrived(read):
            self.received += len(piece)
            self.line += piece.count(b"\n")
            yield piece
        if self.received < self.length:
            raise broken_off()

    def arrived(self, read: Callable[[int], bytes]) -> bytes:
        try:
            return read(PIECE)
        except Exception as error:  # every server has errors of its own for a body that is badly framed
            raise broken_off(error) from error


class Stream:
    """Answers to the lines of a request."""

    def __init__(
        self,
        request: Request,
        judge: Judge,
        settings: Settings,
        request_id: str,
        at_the_end: Callable[[], None],
    ) -> None:
        self.body = ArrivingBody(request)
        self.judge = judge
        self.most_bytes = settings.maximum_record_bytes
        self.backlog = Backlog(settings.maximum_waiting_bytes)
        self.request_id = request_id
        self.at_the_end = at_the_end
        self.verdicts: Counter[str] = Counter()
        self.problem: Problem | None = None
        self.fault: Exception | None = None
        self.complete = False
        self.answered = 0
        self.cpu_seconds = 0.0

    def completed(self, exchange: Exchange) -> Exchange:
        """The exchange, with what is known at its end: how many records came to which verdict, whether all was taken.

        Answers to a client that is gone may go out nevertheless; but then its body has not come whole.
        """
        verdicts = dict(self.verdicts)
        complete = self.complete and self.problem is None
        said: dict[str, Any] = {"records": sum(verdicts.values()), "verdicts": verdicts, "complete": complete}
        if self.problem is not None:
            exchange = replace(exchange, problem=self.problem.id)
            said["detail"] = self.problem.detail
        return replace(
            exchange,
            bytes_in=self.body.received,
            bytes_out=self.answered,
            cpu_seconds=exchange.cpu_seconds + self.cpu_seconds,
            stream=said,
        )

    def sent(self) -> Iterator[bytes]:
        """The answers for the server to send. If it closes this before the end, nothing more is read or judged.

        Raises:
            Exception: if there are further answers that cannot be given. The client must not take this for the end.
        """
        Thread(target=self.judge_all, name="judge", daemon=True).start()
        try:
            yield b""  # the server sends status and headers, before there is anything to answer
            for piece in self.backlog.taken():
                yield piece
                self.answered += len(piece)
            if self.fault is not None:
                raise self.fault
            self.complete = True
        finally:
            self.backlog.abandon()
            if not self.complete:
                self.body.stream.close()
            self.at_the_end()

    def judge_all(self) -> None:
        """Puts the answers into the backlog, in a thread of its own."""
        try:
            for answer in self.answers():
                self.verdicts[answer["verdict"]] += 1
                count_record(answer)
                self.backlog.put(json_text.encode(answer) + b"\n")
                self.cpu_seconds = thread_time()
        except Abandoned:
            pass
        except Exception as error:  # noqa: BLE001 - such as a full disk: it is raised where it breaks off the answer
            log_fault(self.request_id, error)
            self.problem, self.fault = Problem("internal", "The answers break off."), error
        finally:
            self.backlog.end()

    def answers(self) -> Iterator[Answer]:
        """An answer for each line; a last one, if the body breaks off, for the line it breaks off in."""
        try:
            for line in archive.lines(self.body.pieces(), self.most_bytes):
                yield self.answer(line)
        except Problem as problem:
            self.problem = problem
            yield {"line": self.body.line, **archive.unusable(problem)}

    def answer(self, line: Line) -> Answer:
        """The answer for a line, whatever happens."""
        try:
            return self.judge(line)
        except Problem as ended:
            problem = ended
        except Exception as error:  # noqa: BLE001 - a fault in one line must not end the stream
            log_fault(self.request_id, error)
            problem = Problem("internal", f"The log has the cause, under the id in {HEADER}.")
        return {"line": line.number, **archive.unusable(problem)}
