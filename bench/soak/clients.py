"""The clients of a soak: each asks at its own pace, repeats once what failed, and compares every answer."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPResponse, IncompleteRead
from random import Random

from bench.soak.questions import Expected, Question

TIMEOUT = 60
LONGEST_PAUSE = 3.0
"""Maximum number of seconds before a client retries, whatever `Retry-After` says."""
REPEATED = {429, 502, 503, 504}
"""A client asks again when it is answered so and that is not the answer."""
SHARE_OF_STREAMS = 0.02
MAXIMUM_EXAMPLES = 20


class Failed(Exception):
    """There was no answer, or one with a `Retry-After`."""

    def __init__(self, why: str, pause: float = 0.5) -> None:
        super().__init__(why)
        self.pause = min(pause, LONGEST_PAUSE)


@dataclass
class Tally:
    """What became of the requests of all clients."""

    asked: Counter[str] = field(default_factory=Counter)
    repeated: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    lost: list[str] = field(default_factory=list)
    differing: list[str] = field(default_factory=list)
    seconds: dict[str, list[float]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, name: str, seconds: float) -> None:
        with self.lock:
            self.asked[name] += 1
            self.seconds.setdefault(name, []).append(seconds)

    def note_failure(self, name: str, why: str) -> None:
        with self.lock:
            self.repeated[name] += 1
            self.reasons[why] += 1

    def note_lost(self, what: str) -> None:
        with self.lock:
            self.lost.append(what)

    def note_differing(self, what: str) -> None:
        with self.lock:
            self.differing.append(what)


class Client(threading.Thread):
    """One client with an address of its own."""

    def __init__(
        self,
        number: int,
        port: int,
        known: Sequence[tuple[Question, Expected]],
        interval: float,
        tally: Tally,
        stopping: threading.Event,
    ) -> None:
        super().__init__(name=f"client {number}", daemon=True)
        self.address = f"10.0.{number // 250}.{number % 250 + 1}"
        self.port = port
        self.streams = [each for each in known if each[0].lines]
        self.others = [each for each in known if not each[0].lines]
        self.interval = interval
        self.tally = tally
        self.stopping = stopping
        self.random = Random(number)
        self.connection: HTTPConnection | None = None

    def run(self) -> None:
        next_one = time.monotonic() + self.random.random() * self.interval
        while not self.stopping.wait(max(0.0, next_one - time.monotonic())):
            stream = bool(self.streams) and self.random.random() < SHARE_OF_STREAMS
            self.ask(*self.random.choice(self.streams if stream else self.others))
            # a client that falls behind does not catch up: the load stays as requested
            next_one = max(next_one + self.interval, time.monotonic())
        self.close()

    def ask(self, question: Question, expected: Expected) -> None:
        """Asks, once more if there was no answer, and compares."""
        what = f"{question.method} {question.path}"
        began = time.monotonic()
        try:
            status, content = self.attempt(question, expected)
        except Failed as failed:
            self.tally.note_failure(question.name, str(failed))
            if self.stopping.wait(failed.pause):
                return
            try:
                status, content = self.attempt(question, expected)
            except Failed as again:
                self.tally.note(question.name, time.monotonic() - began)
                self.tally.note_lost(f"{stamp()} {what}: {failed}; then {again}")
                return
        self.tally.note(question.name, time.monotonic() - began)
        if (status, content) != expected:
            received = f"{status} {content[:200]!r} instead of {expected.status} {expected.content[:200]!r}"
            self.tally.note_differing(f"{stamp()} {what}: {received}")

    def attempt(self, question: Question, expected: Expected) -> Expected:
        """The answer.

        Raises:
            Failed: if there is none.
        """
        reused = self.connection is not None
        try:
            response, content = self.exchange(question)
        except (OSError, HTTPException) as error:
            self.close()
            raise Failed(type(error).__name__ + (" on a connection in use" if reused else "")) from error
        if response.will_close:
            self.close()
        if response.status in REPEATED and response.status != expected.status:
            retry_after = response.getheader("Retry-After", "")
            raise Failed(str(response.status), float(retry_after) if retry_after.isdigit() else 0.5)
        return Expected(response.status, content)

    def exchange(self, question: Question) -> tuple[HTTPResponse, bytes]:
        if self.connection is None:
            self.connection = HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
        connection = self.connection
        headers = {**question.headers, "X-Forwarded-For": self.address}
        if not question.lines:
            connection.request(question.method, question.path, question.body or None, headers)
            response = connection.getresponse()
            return response, response.read()
        connection.putrequest(question.method, question.path)
        for name, value in {**headers, "Transfer-Encoding": "chunked"}.items():
            connection.putheader(name, value)
        connection.endheaders()
        # http.client forgets a connection that ends with the answer, and would send the lines over a new one
        with connection.sock.makefile("wb") as body:
            response = connection.getresponse()
            if response.status != 200:
                self.close()  # nobody reads the lines
                return response, b""
            verdicts = []
            for line in question.lines:
                body.write(b"%x\r\n%s\r\n" % (len(line), line))
                body.flush()
                verdicts.append(response.readline())
                if not verdicts[-1]:  # `readline` takes an answer that breaks off for one that ends
                    raise IncompleteRead(b"".join(verdicts))
            body.write(b"0\r\n\r\n")
            body.flush()
            return response, b"".join([*verdicts, response.read()])

    def close(self) -> None:
        if self.connection is not None:
            self.connection.close()
            self.connection = None


def stamp() -> str:
    return time.strftime("%H:%M:%S", time.gmtime())
