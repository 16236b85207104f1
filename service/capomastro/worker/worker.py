"""The worker process: one thread handles all connections, others answer complete requests.

No slow connection occupies a thread. The connection thread, which never blocks, buffers requests (head and body) and
sends responses; only a stream occupies a thread until it ends, and the number of streams is limited. Requests wait in
queues with separate concurrency limits: health checks are answered whatever else is going on, large bodies leave room
for small ones, and a slow request makes way for the next.
"""

import os
import select
import signal
import socket
import sys
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from typing import Any

from gunicorn.workers.base import Worker

from capomastro.worker.behaviour import Behaviour, BodyHandling
from capomastro.worker.connections import (
    MAXIMUM_IN_MEMORY,
    MAXIMUM_LINGERING_BYTES,
    READ,
    RECEIVING,
    SEND_FLAGS,
    WRITE,
    Connection,
    Phase,
    RequestReader,
    SpoolQuota,
)
from capomastro.worker.handler import RequestHandler
from capomastro.worker.ledger import Ledger
from capomastro.worker.parsing import RequestHead, wsgi_environ
from capomastro.worker.refusals import Refusal
from capomastro.worker.scheduling import RequestQueue, ThreadPool
from capomastro.worker.streams import CONTINUE

CLOCK_INTERVAL = 0.25
"""Seconds between two checks of the deadlines of all connections."""
TURN_SECONDS = 0.05
"""Seconds of CPU time for all connections in a turn of the loop; then new answers are sent, and the master is told."""
FIRST_BYTES = 4 * 1024
"""Bytes of a new request that are received at first: most requests as a whole."""
PARSED_AT_ONCE = 16 * 1024
"""Bytes of a connection that are parsed in a turn: less than 5 ms of work, whatever they are."""
SWITCH_INTERVAL = 0.0005
"""Seconds after which a thread that computes makes way for another, such as the one that handles all connections."""
SLOW_AFTER = 0.25
"""Seconds after which a request counts as slow."""
MAXIMUM_QUEUE_SECONDS = 15.0
"""Seconds that a request waits for a thread before it is refused as busy."""
MAXIMUM_REFUSALS = 100
"""Maximum number of refused requests that wait for their answers."""
LINGER_SECONDS = 2.0
"""Seconds for a client to close the connection after the response; longer if it is still sending."""
MAXIMUM_UNSENT_BYTES = 64 * 1024 * 1024
"""Maximum number of unread bytes of responses; beyond that, the oldest unfinished responses are cut off."""
ACCEPTED_AT_ONCE = 128
NO_ADDRESS = ("127.0.0.1", 0)
LATE = {Phase.IDLE: "idle", Phase.SENDING: "unread", Phase.LINGERING: "ended"}
"""Why a connection is closed whose client has missed a deadline."""


class BufferingWorker(Worker, ABC):
    """gunicorn's worker with our own handling of connections; a subclass says how its application behaves."""

    def __init__(self, *arguments: Any) -> None:
        """Called before the worker is forked."""
        super().__init__(*arguments)
        self.ledger = Ledger()

    @abstractmethod
    def behaviour_of(self, application: Any) -> Behaviour:
        """What the server has to know about an application."""

    def init_process(self) -> None:
        sys.setswitchinterval(SWITCH_INTERVAL)
        super().init_process()

    def init_signals(self) -> None:
        super().init_signals()
        signal.signal(signal.SIGUSR2, signal.SIG_IGN)  # it would end the process; only the master knows what to do

    def handle_exit(self, sig: int, frame: Any) -> None:
        """Handles SIGTERM: the signal wakes the loop, which then stops."""
        self.alive = False
        self.ledger.stop()
        self.behaviour.stopping()

    def handle_quit(self, sig: int, frame: Any) -> None:
        """Handles SIGINT and SIGQUIT, at which the process ends at once."""
        self.ledger.stop()
        super().handle_quit(sig, frame)

    # --- the loop ----------------------------------------------------------------------------------------------------

    def load_wsgi(self) -> None:
        super().load_wsgi()
        self.behaviour = self.behaviour_of(self.wsgi)

    def run(self) -> None:
        """Serves until the process is signalled to stop, then finishes the requests in progress."""
        self.prepare()
        while self.alive:
            self.handle_events()
        self.behaviour.stopping()
        grace = time.monotonic() + self.settings.grace
        while time.monotonic() < grace and not self.is_orphan():
            self.handle_events()
        self.stop_listening()
        end = time.monotonic() + self.settings.graceful_timeout
        while self.connections and time.monotonic() < end:
            self.handle_events()

    def prepare(self) -> None:
        self.settings = settings = self.behaviour.settings
        self.request_handler = RequestHandler(self.behaviour)
        self.spool_quota = SpoolQuota(settings.maximum_gathered_bytes)
        self.thread_pool = ThreadPool()
        self.health: RequestQueue[Connection] = RequestQueue(1)
        self.refusals: RequestQueue[Connection] = RequestQueue(1)
        self.normal: RequestQueue[Connection] = RequestQueue(settings.threads)
        self.large: RequestQueue[Connection] = RequestQueue(settings.maximum_large)
        self.slow: RequestQueue[Connection] = RequestQueue(settings.threads)
        # one more than are served: it is refused as busy
        self.streams: RequestQueue[Connection] = RequestQueue(settings.maximum_streams + 1)
        self.queues = (self.health, self.refusals, self.normal, self.large, self.streams)
        self.connections: dict[int, Connection] = {}
        self.working: set[Connection] = set()
        self.turns: set[str] = set()
        """Owners with a normal or large request under way: the next one waits for it, so that others come between."""
        self.done: deque[Connection] = deque()
        self.fresh: deque[Connection] = deque()
        """Connections on which a request begins."""
        self.ready: deque[Connection] = deque()
        """Other connections to which something has happened."""
        self.charged = time.thread_time()
        """CPU time of this thread that has been counted, here or as a connection's."""
        self.poll = select.poll()
        self.poll.register(self.PIPE[0], READ)
        self.listeners = {one.fileno(): one for one in self.sockets}
        self.addresses = {number: one.getsockname()[:2] for number, one in self.listeners.items()}
        self.server = next(iter(self.addresses.values()), NO_ADDRESS)
        self.listening = False
        self.listen(True)
        self.last_check = time.monotonic()

    def is_orphan(self) -> bool:
        return os.getppid() != self.ppid

    def handle_events(self) -> None:
        """Waits for the next events and handles them."""
        for descriptor, _ in self.poll.poll(0 if self.fresh or self.ready else CLOCK_INTERVAL * 1000):
            if (connection := self.connections.get(descriptor)) is not None:
                if not connection.is_ready:
                    connection.is_ready = True
                    (self.fresh if connection.phase is Phase.IDLE else self.ready).append(connection)
            elif descriptor in self.listeners:
                self.accept(descriptor)
            else:  # a signal, or a thread with an answer
                with suppress(OSError):
                    os.read(descriptor, 4096)
        for _ in range(len(self.done)):  # not those that end in the meantime: there may be no end of them
            self.request_done(self.done.popleft())
        self.handle_ready()
        now = time.monotonic()
        if now - self.last_check >= CLOCK_INTERVAL:
            self.last_check = now
            self.notify()
            if self.is_orphan():
                self.alive = False
            self.check_deadlines(now)

    def handle_ready(self) -> None:
        """Handles connections in the order in which something happened to them; beyond a budget, the rest waits.

        Those come first that begin a request, which may be one for health.
        """
        began = time.thread_time()
        until = began + TURN_SECONDS
        while (self.fresh or self.ready) and began < until:
            if self.done:  # the next request can begin
                self.request_done(self.done.popleft())
            connection = (self.fresh or self.ready).popleft()
            connection.is_ready = False
            if self.connections.get(connection.descriptor) is connection:
                self.handle_event(connection)
                now = time.thread_time()
                connection.cpu_seconds += now - began
                self.charged += now - began
                began = now

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
        self.listen(False)
        closing, self.listeners = self.listeners, {}
        for listener in closing.values():
            with suppress(OSError):
                while self.has_room():
                    self.admit(listener.accept()[0])
            listener.close()  # at once: the kernel resets what has come since the last accept
        for connection in list(self.connections.values()):
            if connection.phase is Phase.IDLE:
                connection.deadline = min(connection.deadline, now + LINGER_SECONDS)

    def accept(self, listener: int) -> None:
        """Accepts connections, unless enough of them are still to be looked at."""
        for _ in range(ACCEPTED_AT_ONCE - len(self.fresh)):
            if not self.has_room():
                self.listen(False)
                return
            try:
                accepted, _ = self.listeners[listener].accept()
            except BlockingIOError:
                return
            except OSError:  # the client has gone again, or no descriptor is left
                if not self.evict():
                    self.listen(False)
                return
            self.admit(accepted)

    def has_room(self) -> bool:
        """Whether another connection can be accepted, if need be in place of one that is then closed."""
        return len(self.connections) < self.settings.maximum_connections or self.evictable() is not None

    def admit(self, accepted: socket.socket) -> None:
        """Waits for a request on an accepted connection, for which there is room."""
        if len(self.connections) >= self.settings.maximum_connections:
            self.evict()
        now = time.monotonic()
        connection = Connection(accepted, now)
        connection.reader = self.new_reader(connection)
        connection.deadline = now + self.settings.header_timeout
        self.connections[connection.descriptor] = connection
        self.watch(connection, READ)
        # most often its request has arrived: it is looked at before it may have to make room
        connection.is_ready = True
        self.fresh.append(connection)

    def evict(self) -> bool:
        """Closes the connection that is to make room; returns whether there was one."""
        connection = self.evictable()
        if connection is not None:
            self.close(connection, "evicted")
        return connection is not None

    def evictable(self) -> Connection | None:
        """The oldest connection that lingers, else receives, else sends."""
        for phases in ((Phase.LINGERING,), RECEIVING, (Phase.SENDING,)):
            found = [one for one in self.connections.values() if one.phase in phases]
            if found:
                return min(found, key=lambda one: one.since)
        return None

    def new_reader(self, connection: Connection) -> RequestReader:
        return RequestReader(partial(self.body_handling, connection), self.spool_quota)

    def body_handling(self, connection: Connection, head: RequestHead) -> BodyHandling:
        """What to do with the body of a request, whose owner this finds out.

        Raises:
            Refusal: if it is large, and the owner has used up its share.
        """
        forwarded_for = head.header.get(b"x-forwarded-for", b"").decode("latin-1")
        connection.client = self.behaviour.client_of(connection.address()[0], forwarded_for)
        connection.owner = self.behaviour.owner_of(connection.client)
        if not head.has_body:
            return BodyHandling(stream=self.behaviour.is_stream(head.method, head.path))
        client_sends_body_at_once = not head.expects_continue
        stream = self.behaviour.is_stream(head.method, head.path)
        if client_sends_body_at_once and not stream and head.length is not None and head.length <= MAXIMUM_IN_MEMORY:
            return BodyHandling(MAXIMUM_IN_MEMORY)
        if connection.owner is not None:
            self.behaviour.require_share(connection.owner)
        return self.behaviour.body_handling(wsgi_environ(head, NO_ADDRESS, self.server))

    def watch(self, connection: Connection, events: int) -> None:
        """Makes the loop wait for these events of a connection."""
        if events == connection.watched:
            return
        if events:
            self.poll.register(connection.descriptor, events)
        else:
            self.poll.unregister(connection.descriptor)
        connection.watched = events

    def handle_event(self, connection: Connection) -> None:
        """Handles an event of a connection."""
        try:
            if connection.phase in RECEIVING:
                self.receive(connection)
            elif connection.phase is Phase.SENDING:
                connection.send_buffer.send_more(connection.socket)
                self.continue_sending(connection)
            elif connection.phase is Phase.LINGERING:
                self.discard_input(connection)
            else:
                self.watch(connection, 0)  # more has arrived than can be handled now, or the client has gone
        except Exception as error:  # noqa: BLE001 - see `give_up`
            self.give_up(connection, error)

    def give_up(self, connection: Connection, error: Exception) -> None:
        """Closes a connection whose client has gone, or in which a bug showed; a bug must not end the others."""
        if not isinstance(error, OSError):
            self.behaviour.log_fault(error)
        self.close(connection, "gone" if isinstance(error, OSError) else "fault")

    def receive(self, connection: Connection) -> None:
        """Receives bytes."""
        try:
            arrived = connection.socket.recv(self.most_at_once(connection), socket.MSG_DONTWAIT)
        except BlockingIOError:
            return
        if arrived:
            self.handle_input(connection, arrived)
        elif connection.reader.has_begun:
            connection.input_ended = True
            self.refuse(connection, Refusal("breaks-off"))
        else:
            self.close(connection, "gone")

    def most_at_once(self, connection: Connection) -> int:
        """How many bytes are received in a turn: few of what has to be parsed, and of a new request fewer still."""
        if connection.phase is Phase.IDLE:
            return FIRST_BYTES
        return PARSED_AT_ONCE if connection.reader.parses else MAXIMUM_IN_MEMORY

    def handle_input(self, connection: Connection, arrived: bytes) -> None:
        """Continues reading the request of a connection."""
        reader = connection.reader
        before = reader.head
        try:
            reader.feed(arrived)
        except Refusal as refusal:
            self.refuse(connection, refusal)
            return
        except OSError:  # the disk is full
            self.refuse(connection, Refusal("no-room-for-body"))
            return
        if reader.is_complete:
            self.schedule(connection)
            return
        now = time.monotonic()
        if reader.head is not None:
            if before is None:
                self.set_phase(connection, Phase.BODY, now)
                if reader.head.expects_continue:
                    connection.socket.send(CONTINUE, SEND_FLAGS)
            connection.deadline = self.deadline(connection.since, reader.received)
        elif connection.phase is Phase.IDLE:
            self.set_phase(connection, Phase.HEAD, now)
            connection.deadline = now + self.settings.header_timeout
        self.watch(connection, READ)

    def set_phase(self, connection: Connection, phase: Phase, now: float) -> None:
        connection.phase, connection.since = phase, now

    def deadline(self, began: float, count: int) -> float:
        """The deadline by which more than `count` bytes must have been received or sent."""
        return began + self.settings.header_timeout + count / self.settings.least_rate

    def refuse(self, connection: Connection, refusal: Refusal) -> None:
        """Refuses a request, without reading the rest of it; without an answer if too many wait for theirs."""
        if len(self.refusals.waiting) >= MAXIMUM_REFUSALS:
            self.close(connection, "refused")
            return
        connection.refused = refusal
        self.enqueue(connection, self.refusals)

    def close(self, connection: Connection, reason: str) -> None:
        """Closes a connection and forgets it."""
        self.behaviour.count_closed(reason)
        spent = connection.take_cpu()
        self.behaviour.count_cpu("connections", spent)
        if connection.owner is not None and connection.reader.head is not None:
            self.behaviour.charge(connection.owner, spent)
        self.leave(connection)
        self.watch(connection, 0)
        del self.connections[connection.descriptor]
        connection.reader.close()
        connection.socket.close()
        if self.listeners:
            self.listen(True)

    # --- requests ----------------------------------------------------------------------------------------------------

    def schedule(self, connection: Connection) -> None:
        """Chooses the queue of a complete request; refuses the request if too many are waiting."""
        reader = connection.reader
        head = reader.head
        assert head is not None
        if self.behaviour.is_health_check(head.method, head.path):
            queue = self.health
        elif reader.body_handling.stream:
            queue = self.streams
        else:
            queue = self.large if reader.length > MAXIMUM_IN_MEMORY else self.normal
            waiting = len(self.normal.waiting) + len(self.large.waiting)
            may_start = queue.has_room and self.has_turn(connection)
            if not may_start and waiting >= self.settings.maximum_waiting:
                self.refuse(connection, Refusal("too-many-waiting"))
                return
        self.enqueue(connection, queue)

    def enqueue(self, connection: Connection, queue: RequestQueue[Connection]) -> None:
        self.set_phase(connection, Phase.WAITING, time.monotonic())
        connection.queue = queue
        self.enter(connection)
        queue.waiting.append(connection)
        self.start_waiting(queue)

    def enter(self, connection: Connection) -> None:
        """Writes a complete request into the ledger."""
        head = connection.reader.head
        if head is not None and connection.place is None:
            id = head.header.get(b"x-request-id", b"").decode("latin-1")
            connection.place = self.ledger.enter(id, connection.client, head.method, head.path)

    def leave(self, connection: Connection) -> None:
        """Takes a request out of the ledger."""
        self.ledger.leave(connection.place)
        connection.place = None

    def has_turn(self, connection: Connection) -> bool:
        """Whether a normal or large request may be under way now: the owner has no other."""
        return connection.owner not in self.turns

    def start_waiting(self, queue: RequestQueue[Connection]) -> None:
        """Starts the requests that wait in a queue, up to its concurrency limit."""
        in_turns = queue is self.normal or queue is self.large
        while (connection := queue.start_next(self.has_turn if in_turns else lambda _: True)) is not None:
            if in_turns and connection.owner is not None:
                self.turns.add(connection.owner)
            self.set_phase(connection, Phase.WORKING, time.monotonic())
            if connection.reader.body_handling.stream:
                self.watch(connection, 0)  # the thread reads
            self.working.add(connection)
            self.ledger.begin(connection.place)
            self.thread_pool.submit(partial(self.handle_request, connection))

    def handle_request(self, connection: Connection) -> None:
        """Answers a request, in a thread."""
        try:
            self.request_handler.handle(connection, self.server, self.alive)
        finally:
            self.done.append(connection)
            with suppress(BlockingIOError):  # a full pipe wakes the loop as well
                os.write(self.PIPE[1], b"!")

    def request_done(self, connection: Connection) -> None:
        """Continues after a thread has answered a request."""
        self.thread_pool.job_done()
        self.working.discard(connection)
        self.leave(connection)
        queue: RequestQueue[Connection] = connection.queue
        queue.finish()
        if connection.owner is not None and queue in (self.normal, self.slow, self.large):
            self.turns.discard(connection.owner)
        for one in {queue, self.normal, self.large} - {self.slow}:
            self.start_waiting(one)
        now = time.monotonic()
        self.set_phase(connection, Phase.SENDING, now)
        try:
            self.continue_sending(connection)
        except Exception as error:  # noqa: BLE001 - see `give_up`
            self.give_up(connection, error)

    def continue_sending(self, connection: Connection) -> None:
        """Waits until the rest of the response can be sent; when all has been sent, reuses or closes the connection."""
        if not connection.send_buffer.is_empty:
            connection.deadline = self.deadline(connection.since, connection.send_buffer.sent)
            self.watch(connection, WRITE)
        elif connection.keep_alive:
            self.await_next_request(connection)
        else:
            self.linger(connection)

    def await_next_request(self, connection: Connection) -> None:
        """Waits for the next request of a connection, or reads it at once if it has already arrived."""
        now = time.monotonic()
        rest = connection.reader.rest
        connection.reader.close()
        connection.reader = self.new_reader(connection)
        connection.send_buffer.sent = connection.send_buffer.size = 0
        self.set_phase(connection, Phase.IDLE, now)
        connection.deadline = now + (self.settings.keep_alive if self.listeners else LINGER_SECONDS)
        if rest:
            self.handle_input(connection, rest)
        else:
            self.watch(connection, READ)

    def linger(self, connection: Connection) -> None:
        """Ends the response, and closes the connection once the client has closed its side."""
        connection.reader.close()
        if connection.input_ended:
            self.close(connection, "ended")
            return
        now = time.monotonic()
        with suppress(OSError):  # the client has gone
            connection.socket.shutdown(socket.SHUT_WR)
        self.set_phase(connection, Phase.LINGERING, now)
        connection.deadline = now + LINGER_SECONDS
        self.watch(connection, READ)

    def discard_input(self, connection: Connection) -> None:
        """Discards input, so that the client gets to read its response."""
        try:
            count = len(connection.socket.recv(MAXIMUM_IN_MEMORY, socket.MSG_DONTWAIT))
        except BlockingIOError:
            return
        connection.discarded += count
        if not count or connection.discarded > MAXIMUM_LINGERING_BYTES:
            self.close(connection, "ended" if not count else "never-ending")
            return
        # the client is still sending: it gets as much time as it would have had to send a body
        latest = self.deadline(connection.since, connection.discarded)
        connection.deadline = min(latest, time.monotonic() + LINGER_SECONDS)

    # --- the clock ---------------------------------------------------------------------------------------------------

    def check_deadlines(self, now: float) -> None:
        """Enforces all deadlines."""
        self.behaviour.count_open(len(self.connections), len(self.working))
        spent = time.thread_time()
        self.behaviour.count_cpu("connections", max(0.0, spent - self.charged))
        self.charged = spent
        for connection in self.working:
            if connection.queue is self.normal and now - connection.since > SLOW_AFTER and self.normal.move(self.slow):
                connection.queue = self.slow
        for queue in self.queues:
            self.start_waiting(queue)
        self.listen(bool(self.listeners) and self.has_room())
        for queue in (self.normal, self.large):
            while queue.waiting and now - queue.waiting[0].since > MAXIMUM_QUEUE_SECONDS:
                self.refuse(queue.waiting.popleft(), Refusal("waited-too-long"))
        for connection in list(self.overdue(now)):
            if connection.phase in (Phase.HEAD, Phase.BODY):
                late = "header-late" if connection.phase is Phase.HEAD else "body-late"
                self.refuse(connection, Refusal(late))
            else:
                self.close(connection, LATE[connection.phase])
        sending = [one for one in self.connections.values() if one.phase is Phase.SENDING]
        unsent = sum(one.send_buffer.size - one.send_buffer.sent for one in sending)
        for connection in sorted(sending, key=lambda one: one.since):
            if unsent <= MAXIMUM_UNSENT_BYTES:
                break
            unsent -= connection.send_buffer.size - connection.send_buffer.sent
            self.close(connection, "unread")

    def overdue(self, now: float) -> Iterator[Connection]:
        """The connections whose client has missed a deadline."""
        for connection in self.connections.values():
            if connection.deadline < now and connection.phase not in (Phase.WAITING, Phase.WORKING):
                yield connection
