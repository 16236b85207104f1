"""The worker process: one thread handles all connections, others answer complete requests.

No slow connection occupies a thread. The connection thread, which never blocks, buffers requests (head and body) and
sends responses; only a stream occupies a thread until it ends, and the number of streams is limited. Requests wait in
queues with separate concurrency limits: health checks are answered whatever else is going on, large bodies leave room
for small ones, and a slow request makes way for the next.
"""

import os
import select
import socket
import sys
from collections import deque
from contextlib import suppress
from functools import partial
from time import monotonic, thread_time
from typing import Any

from gunicorn.workers.base import Worker

from capomastro.worker.behaviour import Behaviour, BodyHandling, Refusal
from capomastro.worker.connections import CONTINUE, MAXIMUM_IN_MEMORY, Connection, Phase, RequestReader, SpoolQuota
from capomastro.worker.handler import handle
from capomastro.worker.ledger import Ledger
from capomastro.worker.parsing import Address, RequestHead, wsgi_environ
from capomastro.worker.scheduling import RequestQueue, ThreadPool

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
MAXIMUM_LINGER_SECONDS = 30.0
MAXIMUM_UNSENT_BYTES = 64 * 1024 * 1024
"""Maximum number of unread bytes of responses; beyond that, the oldest unfinished responses are cut off."""
ACCEPTED_AT_ONCE = 128
READ, WRITE = select.POLLIN, select.POLLOUT
RECEIVING = (Phase.IDLE, Phase.HEAD, Phase.BODY)
EVICTABLE = {Phase.LINGERING: 0, **dict.fromkeys(RECEIVING, 1), Phase.SENDING: 2}
"""The phases in which a connection may have to make room for another, and in which order."""
LATE = {Phase.IDLE: "idle", Phase.SENDING: "unread", Phase.LINGERING: "ended"}
"""Why a connection is closed whose client has missed a deadline."""

Queue = RequestQueue[Connection]


class BufferingWorker(Worker):
    """gunicorn's worker with our own handling of connections; a subclass says how its application behaves."""

    behaviour: Behaviour
    """Set when the application is loaded."""

    def __init__(self, *arguments: Any) -> None:
        """Called before the worker is forked."""
        super().__init__(*arguments)
        self.ledger = Ledger()

    def handle_exit(self, sig: int, frame: Any) -> None:
        """Handles SIGTERM: the signal wakes the loop, which then stops."""
        self.alive = False
        self.ledger.stop()

    def handle_quit(self, sig: int, frame: Any) -> None:
        """Handles SIGINT and SIGQUIT, at which the process ends at once."""
        self.ledger.stop()
        super().handle_quit(sig, frame)

    # --- the loop ----------------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Serves until the process is signalled to stop, then finishes the requests in progress."""
        self.prepare()
        while self.alive:
            self.handle_events()
        self.behaviour.stopping()
        grace = monotonic() + self.settings.grace
        while monotonic() < grace and os.getppid() == self.ppid:
            self.handle_events()
        self.stop_listening()
        end = monotonic() + self.settings.graceful_timeout
        while self.connections and monotonic() < end:
            self.handle_events()

    def prepare(self) -> None:
        sys.setswitchinterval(SWITCH_INTERVAL)
        self.settings = settings = self.behaviour.settings
        self.quota = SpoolQuota(settings.maximum_gathered_bytes)
        self.threads = ThreadPool()
        self.health, self.refusals = Queue(1), Queue(1)
        self.normal, self.slow = Queue(settings.threads), Queue(settings.threads)
        self.large = Queue(settings.maximum_large)
        self.streams = Queue(settings.maximum_streams + 1)  # one more than are served: it is refused as busy
        self.connections: dict[int, Connection] = {}
        self.working: set[Connection] = set()
        self.turns: set[str] = set()
        """Owners with a normal or large request under way: the next one waits for it, so that others come between."""
        self.done: deque[Connection] = deque()
        self.fresh: deque[Connection] = deque()
        """Connections on which a request begins."""
        self.ready: deque[Connection] = deque()
        """Other connections to which something has happened."""
        self.charged = thread_time()
        """CPU time of this thread that has been counted, here or as a connection's."""
        self.poll = select.poll()
        self.poll.register(self.PIPE[0], READ)
        self.listeners: dict[int, socket.socket] = {listener.fileno(): listener for listener in self.sockets}
        self.server: Address = self.sockets[0].getsockname()[:2]
        for descriptor in self.listeners:
            self.poll.register(descriptor, READ)
        self.last_check = monotonic()

    def handle_events(self) -> None:
        """Waits for the next events and handles them."""
        for descriptor, _ in self.poll.poll(0 if self.fresh or self.ready else CLOCK_INTERVAL * 1000):
            if (connection := self.connections.get(descriptor)) is not None:
                if not connection.is_ready:
                    connection.is_ready = True
                    (self.fresh if connection.phase is Phase.IDLE else self.ready).append(connection)
            elif descriptor in self.listeners:
                self.accept(self.listeners[descriptor])
            else:  # a signal, or a thread with an answer
                with suppress(OSError):
                    os.read(descriptor, 4096)
        for _ in range(len(self.done)):  # not those that end in the meantime: there may be no end of them
            self.request_done(self.done.popleft())
        self.handle_ready()
        now = monotonic()
        if now - self.last_check >= CLOCK_INTERVAL:
            self.last_check = now
            self.notify()
            self.alive = self.alive and os.getppid() == self.ppid
            self.check_deadlines(now)

    def handle_ready(self) -> None:
        """Handles connections in the order in which something happened to them; beyond a budget, the rest waits.

        Those come first that begin a request, which may be one for health.
        """
        began = thread_time()
        until = began + TURN_SECONDS
        while (self.fresh or self.ready) and began < until:
            if self.done:  # the next request can begin
                self.request_done(self.done.popleft())
            connection = (self.fresh or self.ready).popleft()
            connection.is_ready = False
            if self.connections.get(connection.descriptor) is connection:
                self.handle_event(connection)
                now = thread_time()
                connection.cpu_seconds += now - began
                self.charged += now - began
                began = now

    # --- connections -------------------------------------------------------------------------------------------------

    def stop_listening(self) -> None:
        """Closes the port; connections already accepted are served."""
        closing, self.listeners = self.listeners, {}
        for descriptor, listener in closing.items():
            self.poll.unregister(descriptor)
            with suppress(OSError):
                while True:
                    self.admit(*listener.accept())
            listener.close()  # at once: the kernel resets what has come since the last accept
        for connection in self.connections.values():
            if connection.phase is Phase.IDLE:
                connection.deadline = min(connection.deadline, monotonic() + LINGER_SECONDS)

    def accept(self, listener: socket.socket) -> None:
        """Accepts connections, unless enough of them are still to be looked at."""
        try:
            for _ in range(ACCEPTED_AT_ONCE - len(self.fresh)):
                self.admit(*listener.accept())
        except BlockingIOError:
            pass
        except OSError:  # the client has gone again, or no descriptor is left
            self.evict()

    def admit(self, accepted: socket.socket, address: Address) -> None:
        """Waits for a request on an accepted connection; another has to make room for it, unless all are answered."""
        if len(self.connections) >= self.settings.maximum_connections:
            self.evict()
        connection = Connection(accepted, address[:2])
        self.connections[connection.descriptor] = connection
        self.await_request(connection, self.settings.header_timeout)
        # most often its request has arrived: it is looked at before it may have to make room
        connection.is_ready = True
        self.fresh.append(connection)

    def evict(self) -> None:
        """Closes the oldest connection that lingers, else receives, else sends, if there is one."""
        if found := [connection for connection in self.connections.values() if connection.phase in EVICTABLE]:
            self.close(min(found, key=lambda connection: (EVICTABLE[connection.phase], connection.since)), "evicted")

    def await_request(self, connection: Connection, seconds: float) -> None:
        """Waits for the next request of a connection, for so many seconds."""
        connection.reader = RequestReader(partial(self.body_handling, connection), self.quota)
        connection.begin(Phase.IDLE, seconds)
        self.watch(connection, READ)

    def body_handling(self, connection: Connection, head: RequestHead) -> BodyHandling:
        """What to do with the body of a request, whose owner this finds out.

        Raises:
            Refusal: if the head is refused, or the body is large and the owner has used up its share.
        """
        forwarded_for = head.header.get(b"x-forwarded-for", b"").decode("latin-1")
        connection.client, connection.owner = self.behaviour.client_of(connection.peer[0], forwarded_for)
        head.check()
        is_stream = self.behaviour.is_stream(head.method, head.path)
        if not head.has_body:
            return BodyHandling(stream=is_stream)
        arrives_at_once = not head.expects_continue and not is_stream and head.length is not None
        if arrives_at_once and (head.length or 0) <= MAXIMUM_IN_MEMORY:
            return BodyHandling(MAXIMUM_IN_MEMORY)
        if connection.owner is not None:
            self.behaviour.require_share(connection.owner)
        return self.behaviour.body_handling(wsgi_environ(head, connection.peer, self.server))

    def watch(self, connection: Connection, events: int) -> None:
        """Makes the loop wait for these events of a connection."""
        number, before, connection.watched = connection.descriptor, connection.watched, events
        if events != before:
            self.poll.register(number, events) if events else self.poll.unregister(number)

    def handle_event(self, connection: Connection) -> None:
        """Handles an event of a connection. If its client has gone, or a bug shows, it is closed, and no other."""
        try:
            if connection.phase in RECEIVING:
                self.receive(connection)
            elif connection.phase is Phase.SENDING:
                connection.send()
                self.continue_sending(connection)
            elif connection.phase is Phase.LINGERING:
                self.discard_input(connection)
            else:
                self.watch(connection, 0)  # more has arrived than can be handled now, or the client has gone
        except OSError as error:
            if not isinstance(error, BlockingIOError):
                self.close(connection, "gone")
        except Exception as error:  # noqa: BLE001 - a bug
            self.behaviour.log_fault(error)
            self.close(connection, "fault")

    def receive(self, connection: Connection) -> None:
        """Receives bytes: few of what has to be parsed, and of a new request fewer still."""
        reader = connection.reader
        most = PARSED_AT_ONCE if reader.head is None or reader.chunks is not None else MAXIMUM_IN_MEMORY
        if connection.phase is Phase.IDLE:
            most = FIRST_BYTES
        if arrived := connection.socket.recv(most, socket.MSG_DONTWAIT):
            self.handle_input(connection, arrived)
        elif connection.phase is not Phase.IDLE:
            connection.input_ended = True
            self.refuse(connection, Refusal("breaks-off"))
        else:
            self.close(connection, "gone")

    def handle_input(self, connection: Connection, arrived: bytes) -> None:
        """Continues reading the request of a connection."""
        reader = connection.reader
        try:
            reader.feed(arrived)
        except (Refusal, OSError) as error:  # the disk may be full
            self.refuse(connection, error if isinstance(error, Refusal) else Refusal("no-room-for-body"))
            return
        if reader.is_complete:
            self.schedule(connection)
            return
        if reader.head is not None:
            if connection.phase is not Phase.BODY:
                connection.begin(Phase.BODY)
                if reader.head.expects_continue:
                    connection.sendall(CONTINUE)
                    connection.send()
            connection.deadline = self.deadline(connection, reader.received)
        elif connection.phase is Phase.IDLE and reader.parser.arrived:
            connection.begin(Phase.HEAD, self.settings.header_timeout)
        self.watch(connection, READ)

    def deadline(self, connection: Connection, count: int) -> float:
        """The deadline by which more than `count` bytes must have been received or sent."""
        return connection.since + self.settings.header_timeout + count / self.settings.least_rate

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
        self.ledger.leave(connection)
        self.watch(connection, 0)
        del self.connections[connection.descriptor]
        connection.reader.close()
        connection.socket.close()

    # --- requests ----------------------------------------------------------------------------------------------------

    def schedule(self, connection: Connection) -> None:
        """Chooses the queue of a complete request; refuses the request if too many are waiting."""
        reader, head = connection.reader, connection.reader.head
        assert head is not None
        if self.behaviour.is_health_check(head.method, head.path):
            queue = self.health
        elif reader.body_handling.stream:
            queue = self.streams
        else:
            queue = self.large if reader.length > MAXIMUM_IN_MEMORY else self.normal
            waiting = len(self.normal.waiting) + len(self.large.waiting)
            may_start = queue.running < queue.limit and connection.owner not in self.turns
            if not may_start and waiting >= self.settings.maximum_waiting:
                self.refuse(connection, Refusal("too-many-waiting"))
                return
        self.enqueue(connection, queue)

    def enqueue(self, connection: Connection, queue: Queue) -> None:
        connection.begin(Phase.WAITING)
        connection.queue = queue
        self.ledger.enter(connection)
        queue.waiting.append(connection)
        self.start_waiting(queue)

    def has_turn(self, connection: Connection) -> bool:
        """Whether a request may be under way now: the owner has no other normal or large one."""
        return connection.queue not in (self.normal, self.large) or connection.owner not in self.turns

    def start_waiting(self, queue: Queue) -> None:
        """Starts the requests that wait in a queue, up to its concurrency limit."""
        while queue.waiting and (connection := queue.start_next(self.has_turn)) is not None:
            if connection.owner is not None and queue in (self.normal, self.large):
                self.turns.add(connection.owner)
            connection.begin(Phase.WORKING)
            if connection.reader.body_handling.stream:
                self.watch(connection, 0)  # the thread reads
            self.working.add(connection)
            self.ledger.begin(connection)
            self.threads.submit(partial(self.answer, connection, self.alive), len(self.working))

    def answer(self, connection: Connection, may_keep_alive: bool) -> None:
        """Answers a request, in a thread."""
        try:
            handle(self.behaviour, connection, self.server, may_keep_alive)
        finally:
            self.done.append(connection)
            with suppress(BlockingIOError):  # a full pipe wakes the loop as well
                os.write(self.PIPE[1], b"!")

    def request_done(self, connection: Connection) -> None:
        """Continues after a thread has answered a request."""
        self.working.discard(connection)
        self.ledger.leave(connection)
        queue: Queue = connection.queue
        queue.running -= 1
        if connection.owner is not None and queue in (self.normal, self.slow, self.large):
            self.turns.discard(connection.owner)
        for candidate in {queue, self.normal, self.large}:
            self.start_waiting(candidate)
        connection.begin(Phase.SENDING)
        self.handle_event(connection)

    def continue_sending(self, connection: Connection) -> None:
        """Waits until the rest of the response can be sent; when all has been sent, reuses or closes the connection."""
        if connection.unsent:
            connection.deadline = self.deadline(connection, connection.sent)
            self.watch(connection, WRITE)
            return
        rest = connection.reader.rest
        connection.reader.close()
        connection.sent = 0
        if connection.keep_alive:
            self.await_request(connection, self.settings.keep_alive if self.listeners else LINGER_SECONDS)
            if rest:
                self.handle_input(connection, rest)
        elif connection.input_ended:
            self.close(connection, "ended")
        else:  # ends the response, and waits until the client has closed its side
            with suppress(OSError):  # the client has gone
                connection.socket.shutdown(socket.SHUT_WR)
            connection.begin(Phase.LINGERING, LINGER_SECONDS)
            self.watch(connection, READ)

    def discard_input(self, connection: Connection) -> None:
        """Discards input, so that the client gets to read its response: closing early could lose it."""
        if not connection.socket.recv(MAXIMUM_IN_MEMORY, socket.MSG_DONTWAIT):
            self.close(connection, "ended")
            return
        connection.deadline = min(connection.since + MAXIMUM_LINGER_SECONDS, monotonic() + LINGER_SECONDS)

    # --- the clock ---------------------------------------------------------------------------------------------------

    def check_deadlines(self, now: float) -> None:
        """Enforces all deadlines."""
        self.behaviour.count_open(len(self.connections), len(self.working))
        spent = thread_time()
        self.behaviour.count_cpu("connections", max(0.0, spent - self.charged))
        self.charged = spent
        slow = [job for job in self.working if job.queue is self.normal and now - job.since > SLOW_AFTER]
        for connection in slow[: self.slow.limit - self.slow.running]:
            connection.queue = self.slow
            self.normal.running -= 1
            self.slow.running += 1
        for queue in (self.health, self.refusals, self.normal, self.large, self.streams):
            self.start_waiting(queue)
        for queue in (self.normal, self.large):
            while queue.waiting and now - queue.waiting[0].since > MAXIMUM_QUEUE_SECONDS:
                self.refuse(queue.waiting.popleft(), Refusal("waited-too-long"))
        for connection in [connection for connection in self.connections.values() if connection.deadline < now]:
            if connection.phase in (Phase.HEAD, Phase.BODY):
                self.refuse(connection, Refusal("header-late" if connection.phase is Phase.HEAD else "body-late"))
            elif connection.phase in LATE:
                self.close(connection, LATE[connection.phase])
        sending = [connection for connection in self.connections.values() if connection.phase is Phase.SENDING]
        sending.sort(key=lambda connection: connection.since)
        while sum(len(connection.unsent) for connection in sending) > MAXIMUM_UNSENT_BYTES:
            self.close(sending.pop(0), "unread")
