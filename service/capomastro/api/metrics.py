"""Metrics of a running service, for Prometheus.

Nothing is counted until `begin` is called, which only a server with `CAPOMASTRO_METRICS_PORT` does. Every label has a
closed set of values: paths of the specification, ids of the catalogues, words of this module. Text from clients never
becomes a label.
"""

from __future__ import annotations

from msgspec import UNSET
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from capomastro.answers import Replay, VerdictOnLine
from capomastro.api import problems
from capomastro.api.exchanges import Exchange
from capomastro.api.resources import RESOURCES
from capomastro.games import all_games

OTHER = "other"
"""The route of unknown paths, and the game of records of unknown games."""
CLOSED = ("ended", "gone", "idle", "unread", "evicted", "refused", "fault")
"""Why a connection is closed: its client has all answers or has left; is silent, or does not read; it makes room; it is
one of too many that are refused; a bug."""
LOST = ("killed", "timeout", "stopping")
"""Why a worker with requests ended: it was killed; it did not respond; it was told to, and could not wait longer."""
ACTIVITIES = ("connections", "answers")
"""What the server does beside requests: connections that ask nothing; sending and logging what is answered."""
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)

ROUTES = frozenset(resource.path for resource in RESOURCES)
RECORDS = frozenset(resource.path for resource in RESOURCES if resource.answer is Replay)
"""Resources that judge one record."""


class RouteCounters:
    """The counters of one route, looked up once: a look-up by labels takes longer than counting."""

    def __init__(self, metrics: Metrics, route: str) -> None:
        self.requests = metrics.requests
        self.route = route
        self.by_status: dict[int, Counter] = {}
        self.seconds = metrics.seconds.labels(route)
        self.cpu_seconds = metrics.cpu_seconds.labels(route)
        self.received = metrics.received.labels(route)
        self.sent = metrics.sent.labels(route)

    def count(self, exchange: Exchange) -> None:
        status = exchange.status
        if status not in self.by_status:
            self.by_status[status] = self.requests.labels(self.route, status)
        self.by_status[status].inc()
        self.seconds.observe(exchange.seconds)
        self.cpu_seconds.inc(exchange.cpu_seconds)
        if exchange.bytes_in:
            self.received.inc(exchange.bytes_in)
        if exchange.bytes_out:
            self.sent.inc(exchange.bytes_out)


class Metrics:
    """All metrics. Thread-safe; shared between processes if the library's values are."""

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        def counter(name: str, meaning: str, *labels: str) -> Counter:
            return Counter(f"capomastro_{name}", meaning, labels, registry=registry)

        self.requests = counter("requests", "Requests answered.", "route", "status")
        self.seconds = Histogram(
            "capomastro_request_seconds",
            "Time from the complete request to the answer; for streams, to their end.",
            ("route",),
            buckets=SECONDS,
            registry=registry,
        )
        self.cpu_seconds = counter("request_cpu_seconds", "CPU time of the threads that answered.", "route")
        self.received = counter("received_bytes", "Bytes of request bodies read.", "route")
        self.sent = counter("sent_bytes", "Bytes of response bodies.", "route")
        self.problems = counter("problems", "Requests answered with a problem.", "problem")
        self.verdicts = counter("verdicts", "Single moves judged.", "game", "verdict")
        self.refusals = counter("refusals", "Answers that name a broken rule; only the first counts.", "game", "rule")
        self.records = counter("records", "Records judged, alone or in streams.", "game", "verdict")
        self.record_problems = counter("record_problems", "Records in streams that could not be judged.", "problem")
        self.workers_begun = counter("workers_begun", "Worker processes started.")
        self.streams = Gauge(
            "capomastro_streams", "Streams being served.", multiprocess_mode="livesum", registry=registry
        )
        self.paced_seconds = counter("paced_seconds", "Seconds that streams waited for the share of their client.")
        self.connections = Gauge(
            "capomastro_connections", "Open connections.", multiprocess_mode="livesum", registry=registry
        )
        self.under_way = Gauge(
            "capomastro_requests_under_way", "Requests being answered.", multiprocess_mode="livesum", registry=registry
        )
        self.closed = counter("closed_connections", "Connections closed.", "reason")
        self.lost = counter("lost_requests", "Requests of workers that ended before they answered.", "reason")
        self.server_cpu_seconds = counter(
            "server_cpu_seconds", "CPU time of the server beside that of requests.", "activity"
        )
        self.of_route: dict[str, RouteCounters] = {}
        self.create_labels()

    def create_labels(self) -> None:
        """Creates counters at 0, so that alerts notice the first occurrence."""
        for id in problems.catalogue():
            self.problems.labels(id)
        for reason in CLOSED:
            self.closed.labels(reason)
        for reason in LOST:
            self.lost.labels(reason)
        for activity in ACTIVITIES:
            self.server_cpu_seconds.labels(activity)
        for game in all_games():
            for verdict in ("legal", "illegal"):
                self.verdicts.labels(game, verdict)

    def exchange(self, exchange: Exchange) -> None:
        """Counts an answered request."""
        route = exchange.route if exchange.route in ROUTES else OTHER
        if route not in self.of_route:
            self.of_route[route] = RouteCounters(self, route)
        self.of_route[route].count(exchange)
        if exchange.problem is not None:
            self.problems.labels(exchange.problem).inc()
        if exchange.game is None:
            return
        if exchange.rule is not None:
            self.refusals.labels(exchange.game, exchange.rule).inc()
        if exchange.verdict is not None:
            family = self.records if route in RECORDS else self.verdicts
            family.labels(exchange.game, exchange.verdict).inc()

    def record(self, answer: VerdictOnLine) -> None:
        """Counts a record of a stream, given its verdict."""
        known = answer.game if answer.game in all_games() else OTHER
        self.records.labels(known, answer.verdict).inc()
        if answer.problem is not UNSET:
            self.record_problems.labels(answer.problem).inc()
        if answer.broken_rule is not None:
            self.refusals.labels(known, answer.broken_rule).inc()


_counting: Metrics | None = None


def begin(registry: CollectorRegistry | None = None) -> Metrics:
    """Starts counting, in a registry or, without one, in files that processes share."""
    global _counting  # noqa: PLW0603 - one process counts in one place
    if _counting is None or registry is not None:
        _counting = Metrics(registry)
    return _counting


def end() -> None:
    """Stops counting."""
    global _counting  # noqa: PLW0603
    _counting = None


def count_exchange(exchange: Exchange) -> None:
    """Counts an answered request, if counting is on."""
    if _counting is not None:
        _counting.exchange(exchange)


def count_record(answer: VerdictOnLine) -> None:
    """Counts a record of a stream, if counting is on."""
    if _counting is not None:
        _counting.record(answer)


def count_stream(change: int) -> None:
    """Counts a stream that begins (1) or ends (-1)."""
    if _counting is not None:
        _counting.streams.inc(change)


def count_paced(seconds: float) -> None:
    """Counts seconds for which a stream waits because its client has used up its share."""
    if _counting is not None:
        _counting.paced_seconds.inc(seconds)


def count_open(connections: int, requests: int) -> None:
    """Sets the numbers of open connections of this process, and of requests under way."""
    if _counting is not None:
        _counting.connections.set(connections)
        _counting.under_way.set(requests)


def count_closed(reason: str) -> None:
    """Counts a connection that is closed for a reason."""
    if _counting is not None:
        _counting.closed.labels(reason).inc()


def count_lost(reason: str) -> None:
    """Counts a request of a worker that ended before it answered."""
    if _counting is not None:
        _counting.lost.labels(reason).inc()


def count_cpu(activity: str, seconds: float) -> None:
    """Counts CPU time of the server that belongs to no request."""
    if _counting is not None:
        _counting.server_cpu_seconds.labels(activity).inc(seconds)
