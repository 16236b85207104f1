"""The worker process: one thread handles all connections, others answer complete requests.

No slow connection occupies a thread. The connection thread, which never blocks, gathers requests (header and body) and
sends responses; only a stream occupies a thread for as long as it lasts, and there are few of them. Lanes choose the
next request: health checks are answered whatever else is going on, large bodies leave room for small ones, and a slow
request gives its place to the next.
"""

import os
import select
import time
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from typing import Any

from gunicorn.workers.base import Worker

from capomastro.api import readiness
from capomastro.api.metrics import count_connections
from capomastro.api.reception import Reading, Reception
from capomastro.api.server import system
from capomastro.api.server.answering import Answering
from capomastro.api.server.connections import MAXIMUM_LINGERING_BYTES, READ, RECEIVING, WRITE, Connection, Phase
from capomastro.api.server.gathering import IN_MEMORY, Gathering, Store
from capomastro.api.server.heads import Head, environment
from capomastro.api.server.lanes import Lane
from capomastro.api.server.threads import Threads
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import phrase
from capomastro.settings import Settings, networks_in

TICK = 0.25
"""Seconds between two checks of the deadlines of all connections."""
AGE = 0.25
"""Seconds after which a request counts as slow."""
LONGEST_WAIT = 15.0
"""Seconds that a request waits for a thread before it is refused as busy."""
LINGERING = 2.0
"""Seconds to wait for a client to notice the end; longer if it is still sending."""
MAXIMUM_UNSENT_BYTES = 64 * 1024 * 1024
"""Maximum number of unread bytes of responses; beyond that, the client that has waited longest is cut off."""
ACCEPTED_AT_ONCE = 16
NOWHERE = ("127.0.0.1", 0)


class GatheringWorker(Worker):
    """gunicorn's worker with our own handling of connections."""

    settings: Settings

    def init_process(self) -> None:
        system.end_with_parent()
        if os.getppid() != self.ppid:
            return  # the parent has died in the meantime
        super().init_process()

    def handle_exit(self, sig: int, frame: Any) -> None:
        """Handles SIGTERM: the signal wakes the loop, which then stops."""
        self.alive = False
        readiness.stop()

    # --- the loop ----------------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Answers until the process is told to stop, then finishes the requests in progress."""
        self.prepare()
        while self.alive and not self.is_orphan():
            self.turn()
        readiness.stop()
        grace = time.monotonic() + self.settings.grace
        while time.monotonic() < grace and not self.is_orphan():
            self.turn()
        self.stop_listening()
        end = time.monotonic() + self.settings.graceful_timeout
        while self.connections and time.monotonic() < end:
            self.turn()

    def prepare(self) -> None:
        self.settings = settings = self.app.settings  # type: ignore[attr-defined]
        trusted = networks_in(settings.trusted_proxies)
        application: Any = self.wsgi
        self.reception = Reception(application, settings)
        self.answering = Answering(application, self.cfg, settings, trusted)
        self.store = Store(settings.maximum_gathered_bytes)
        self.threads = Threads()
        self.vital: Lane[Connection] = Lane("vital", 1)
        self.refusals: Lane[Connection] = Lane("refusals", 1)
        self.usual: Lane[Connection] = Lane("usual", settings.threads)
        self.large: Lane[Connection] = Lane("large", max(1, settings.threads // 2))
        self.long: Lane[Connection] = Lane("long", settings.threads)
        # one more than are served: it is refused as busy
        self.streams: Lane[Connection] = Lane("streams", settings.maximum_streams + 1)
        self.lanes = (self.vital, self.refusals, self.usual, self.large, self.streams)
        self.connections: dict[int, Connection] = {}
        self.working: set[Connection] = set()
        self.done: deque[Connection] = deque()
        self.poll = select.poll()
        self.bell = system.Bell()
        self.poll.register(self.bell.descriptor, READ)
        self.poll.register(self.PIPE[0], READ)  # signals
        self.listeners = {one.fileno(): one for one in self.sockets}
        self.addresses = {number: one.getsockname()[:2] for number, one in self.listeners.items()}
        self.server = next(iter(self.addresses.values()), NOWHERE)
        self.listening = False
        self.listen(True)
        self.looked = time.monotonic()

    def is_orphan(self) -> bool:
        return os.getppid() != self.ppid

    def turn(self) -> None:
        """Waits for the next events and handles them."""
        self.notify()
        for descriptor, event in self.poll.poll(TICK * 1000):
            if (connection := self.connections.get(descriptor)) is not None:
                self.attend(connection, event)
            elif descriptor in self.listeners:
                self.accept(descriptor)
            elif descriptor == self.bell.descriptor:
                self.bell.silence()
            else:
                with suppress(OSError):
                    os.read(descriptor, 4096)
        while self.done:
            self.finish(self.done.popleft())
        now = time.monotonic()
        if now - self.looked >= TICK:
            self.looked = now
            self.look_at_clock(now)

    # --- connections -------------------------------------------------------------------------------------------------

    def listen(self, wanted: bool) -> None:
        """Starts or stops accepting connections."""
        if wanted == self.listening:
            return
        for descriptor in self.listeners:
            if wanted:
                self.poll.register(descriptor, READ)
            else:
                self.poll.unregister(descriptor)
        self.listening = wanted

    def stop_listening(self) -> None:
        """Closes the port; connections already accepted are served."""
        now = time.monotonic()
        for descriptor in self.listeners:
            while self.accept(descriptor):
                pass
        self.listen(False)
        closing, self.listeners = self.listeners, {}
        for descriptor, one in closing.items():
            # Nothing stands between the last accept and the close: who connects in between is cut off by the system.
            while self.accept(descriptor):
                pass
            system.close(one)
        for connection in list(self.connections.values()):
            if connection.phase is Phase.IDLE:
                connection.deadline = min(connection.deadline, now + LINGERING)

    def accept(self, listener: int) -> int:
        """Accepts connections; returns their number."""
        for count in range(ACCEPTED_AT_ONCE):
            if len(self.connections) >= self.settings.maximum_connections and not self.make_room():
                self.listen(False)
                return count
            try:
                accepted = system.accept(listener)
            except BlockingIOError:
                return count
            except OSError:  # the client has gone again, or no descriptor is left
                if not self.make_room():
                    self.listen(False)
                return count
            now = time.monotonic()
            connection = Connection(accepted, self.new_gathering(), now)
            connection.deadline = now + self.settings.header_timeout
            self.connections[connection.descriptor] = connection
            self.watch(connection, READ)
        return ACCEPTED_AT_ONCE

    def make_room(self) -> bool:
        """Closes a connection: one that only lingers, otherwise the one that has taken longest for a request."""
        for phases in ((Phase.LINGERING,), RECEIVING, (Phase.SENDING,)):
            found = [one for one in self.connections.values() if one.phase in phases]
            if found:
                self.close(min(found, key=lambda one: one.since))
                return True
        return False

    def new_gathering(self) -> Gathering:
        return Gathering(self.decide, self.store)

    def decide(self, head: Head) -> Reading:
        """What to do with the body of a request."""
        if not head.has_body:
            return Reading(stream=self.reception.is_stream(head.method, head.path))
        is_asked_for = not head.expects_to_be_asked
        stream = self.reception.is_stream(head.method, head.path)
        if is_asked_for and not stream and head.length is not None and head.length <= IN_MEMORY:
            return Reading(IN_MEMORY)
        return self.reception.reading(environment(head, NOWHERE, self.server, ()))

    def watch(self, connection: Connection, events: int) -> None:
        """Makes the loop wait for these events of a connection."""
        if events == connection.watched:
            return
        if events:
            self.poll.register(connection.descriptor, events)
        else:
            self.poll.unregister(connection.descriptor)
        connection.watched = events

    def attend(self, connection: Connection, event: int) -> None:
        """Handles an event of a connection."""
        try:
            if connection.phase in RECEIVING:
                self.receive(connection)
            elif connection.phase is Phase.SENDING:
                connection.outbox.go_on(connection.descriptor)
                self.go_on_sending(connection)
            elif connection.phase is Phase.LINGERING:
                self.throw_away(connection)
            else:
                self.watch(connection, 0)  # more has arrived than can be handled now, or the client has gone
        except OSError:
            self.close(connection)

    def receive(self, connection: Connection) -> None:
        """Receives bytes."""
        try:
            arrived = system.receive(connection.descriptor)
        except BlockingIOError:
            return
        if arrived:
            self.feed(connection, arrived)
        elif connection.gathering.has_begun:
            connection.is_over = True
            self.refuse(connection, Problem("bad-request", partial(phrase, "breaks-off")))
        else:
            self.close(connection)

    def feed(self, connection: Connection, arrived: bytes) -> None:
        """Continues gathering the request of a connection."""
        gathering = connection.gathering
        before = gathering.head
        try:
            gathering.feed(arrived)
        except Problem as problem:
            self.refuse(connection, problem)
            return
        except OSError:  # the disk is full
            self.refuse(connection, Problem("busy", partial(phrase, "no-room-for-body")))
            return
        if gathering.is_complete:
            self.choose_lane(connection)
            return
        now = time.monotonic()
        if gathering.head is not None:
            if before is None:
                self.enter(connection, Phase.BODY, now)
                if gathering.head.expects_to_be_asked:
                    system.send(connection.descriptor, b"HTTP/1.1 100 Continue\r\n\r\n")
            connection.deadline = self.deadline(connection.since, gathering.received)
        elif connection.phase is Phase.IDLE:
            self.enter(connection, Phase.HEAD, now)
            connection.deadline = now + self.settings.header_timeout
        self.watch(connection, READ)

    def enter(self, connection: Connection, phase: Phase, now: float) -> None:
        connection.phase, connection.since = phase, now

    def deadline(self, began: float, count: int) -> float:
        """The deadline by which more than `count` bytes must have been received or sent."""
        return began + self.settings.header_timeout + count / self.settings.least_rate

    def refuse(self, connection: Connection, problem: Problem) -> None:
        """Answers with a problem, without reading the rest of the request."""
        connection.refused = problem
        self.queue(connection, self.refusals)

    def close(self, connection: Connection) -> None:
        """Closes a connection and forgets it."""
        self.watch(connection, 0)
        del self.connections[connection.descriptor]
        connection.gathering.close()
        system.close(connection.socket)
        if self.listeners:
            self.listen(True)

    # --- requests ----------------------------------------------------------------------------------------------------

    def choose_lane(self, connection: Connection) -> None:
        """Starts work on a complete request, or queues it."""
        gathering = connection.gathering
        head = gathering.head
        assert head is not None
        if self.reception.is_vital(head.method, head.path):
            lane = self.vital
        elif gathering.reading.stream:
            lane = self.streams
        else:
            lane = self.large if gathering.length > IN_MEMORY else self.usual
            if not lane.has_room and len(self.usual.waiting) + len(self.large.waiting) >= self.settings.maximum_waiting:
                self.refuse(connection, Problem("busy", partial(phrase, "too-many-waiting")))
                return
        self.queue(connection, lane)

    def queue(self, connection: Connection, lane: Lane[Connection]) -> None:
        self.enter(connection, Phase.WAITING, time.monotonic())
        connection.lane = lane
        lane.waiting.append(connection)
        self.begin(lane)

    def begin(self, lane: Lane[Connection]) -> None:
        """Starts the jobs waiting in a lane, as far as there are places."""
        while (connection := lane.next()) is not None:
            self.enter(connection, Phase.WORKING, time.monotonic())
            if connection.gathering.reading.stream:
                self.watch(connection, 0)  # the thread reads
            self.working.add(connection)
            self.threads.begin(partial(self.work, connection))

    def work(self, connection: Connection) -> None:
        """Answers a request, in a thread."""
        try:
            self.answering.answer(connection, self.server, self.alive)
        finally:
            self.done.append(connection)
            self.bell.ring()

    def finish(self, connection: Connection) -> None:
        """Continues after a thread has answered a request."""
        self.threads.done()
        self.working.discard(connection)
        lane: Lane[Connection] = connection.lane
        lane.leave()
        self.begin(self.usual if lane is self.long else lane)
        now = time.monotonic()
        self.enter(connection, Phase.SENDING, now)
        try:
            self.go_on_sending(connection)
        except OSError:
            self.close(connection)

    def go_on_sending(self, connection: Connection) -> None:
        """Waits until the rest of the response can be sent, or begins with what follows it."""
        if not connection.outbox.is_empty:
            connection.deadline = self.deadline(connection.since, connection.outbox.sent)
            self.watch(connection, WRITE)
        elif connection.keep:
            self.begin_next(connection)
        else:
            self.linger(connection)

    def begin_next(self, connection: Connection) -> None:
        """Waits for the next request of a connection, or continues with it if it has already arrived."""
        now = time.monotonic()
        rest = connection.rest or connection.gathering.rest()
        connection.gathering.close()
        connection.gathering = self.new_gathering()
        connection.rest = b""
        connection.outbox.sent = connection.outbox.size = 0
        self.enter(connection, Phase.IDLE, now)
        connection.deadline = now + (self.settings.keep_alive if self.listeners else LINGERING)
        if rest:
            self.feed(connection, rest)
        else:
            self.watch(connection, READ)

    def linger(self, connection: Connection) -> None:
        """Closes a connection once the client has noticed the end."""
        connection.gathering.close()
        if connection.is_over:
            self.close(connection)
            return
        now = time.monotonic()
        system.end_sending(connection.socket)
        self.enter(connection, Phase.LINGERING, now)
        connection.deadline = now + LINGERING
        self.watch(connection, READ)

    def throw_away(self, connection: Connection) -> None:
        """Discards input, so that the client gets to read its response."""
        try:
            count = len(system.receive(connection.descriptor))
        except BlockingIOError:
            return
        connection.thrown_away += count
        if not count or connection.thrown_away > MAXIMUM_LINGERING_BYTES:
            self.close(connection)
            return
        # it is still sending: it gets as long as it would have had for that
        longest = self.deadline(connection.since, connection.thrown_away)
        connection.deadline = min(longest, time.monotonic() + LINGERING)

    # --- the clock ---------------------------------------------------------------------------------------------------

    def look_at_clock(self, now: float) -> None:
        """Enforces all deadlines."""
        count_connections(len(self.connections))
        for connection in self.working:
            if connection.lane is self.usual and now - connection.since > AGE and self.usual.move(self.long):
                connection.lane = self.long
        for lane in self.lanes:
            self.begin(lane)
        self.listen(bool(self.listeners) and len(self.connections) < self.settings.maximum_connections)
        for lane in (self.usual, self.large):
            while lane.waiting and now - lane.waiting[0].since > LONGEST_WAIT:
                self.refuse(lane.waiting.popleft(), Problem("busy", partial(phrase, "waited-too-long")))
        for connection in list(self.late(now)):
            if connection.phase in (Phase.HEAD, Phase.BODY):
                late = "header-late" if connection.phase is Phase.HEAD else "body-late"
                self.refuse(connection, Problem("request-timeout", partial(phrase, late)))
            else:
                self.close(connection)
        sending = [one for one in self.connections.values() if one.phase is Phase.SENDING]
        unsent = sum(one.outbox.size - one.outbox.sent for one in sending)
        for connection in sorted(sending, key=lambda one: one.since):
            if unsent <= MAXIMUM_UNSENT_BYTES:
                break
            unsent -= connection.outbox.size - connection.outbox.sent
            self.close(connection)

    def late(self, now: float) -> Iterator[Connection]:
        """The connections whose client has missed a deadline."""
        for connection in self.connections.values():
            if connection.deadline < now and connection.phase not in (Phase.WAITING, Phase.WORKING):
                yield connection
