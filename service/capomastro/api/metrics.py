"""What a running service counts, for Prometheus.

Nothing is counted until `begin` is called, which only a server with `CAPOMASTRO_METRICS_PORT` does. Every label has a
closed set of values: paths of the specification, ids of the catalogues, words of this module. Nothing that a client
wrote ever becomes one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from capomastro import adjudicator
from capomastro.api import problems
from capomastro.api.exchanges import Exchange
from capomastro.api.resources import RESOURCES
from capomastro.games import all_games

OTHER = "other"
"""The route of what no resource has, and the game of records of no game there is."""
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)

ROUTES = frozenset(one.path for one in RESOURCES)
RECORDS = frozenset(one.path for one in RESOURCES if one.record and one.refusal_in)
"""Where one record is judged."""


class OfRoute:
    """The counters of one route, found once: to look them up by their labels takes longer than to count."""

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
    """Everything that is counted. Threads may share it; processes may as well, if the values of the library do."""

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        def counter(name: str, meaning: str, *labels: str) -> Counter:
            return Counter(f"capomastro_{name}", meaning, labels, registry=registry)

        self.requests = counter("requests", "Requests answered.", "route", "status")
        self.seconds = Histogram(
            "capomastro_request_seconds",
            "Time from a whole request to its answer; of streams, to their end.",
            ("route",),
            buckets=SECONDS,
            registry=registry,
        )
        self.cpu_seconds = counter("request_cpu_seconds", "CPU time of the threads that answered.", "route")
        self.received = counter("received_bytes", "Bytes of bodies that were read.", "route")
        self.sent = counter("sent_bytes", "Bytes of bodies that were answered.", "route")
        self.problems = counter("problems", "Requests answered with a problem.", "problem")
        self.verdicts = counter("verdicts", "Single moves that were judged.", "game", "verdict")
        self.refusals = counter("refusals", "Answers that name a broken rule; of several the first.", "game", "rule")
        self.records = counter("records", "Records that were judged, alone or in streams.", "game", "verdict")
        self.record_problems = counter("record_problems", "Records in streams that could not be judged.", "problem")
        self.recognitions = counter("recognitions", "States looked up among those known to be sound.", "known")
        self.audits = counter("audits", "Answered states that were audited, as a sample.", "game")
        self.findings = counter("audit_findings", "Faults an audit found in an answered state.", "game", "rule")
        self.workers_begun = counter("workers_begun", "Processes that were started to answer.")
        self.streams = Gauge(
            "capomastro_streams", "Streams that are served now.", multiprocess_mode="livesum", registry=registry
        )
        self.connections = Gauge(
            "capomastro_connections", "Connections that are open now.", multiprocess_mode="livesum", registry=registry
        )
        self.of_route: dict[str, OfRoute] = {}
        self.known = self.recognitions.labels("yes")
        self.unknown = self.recognitions.labels("no")
        self.show_what_never_happened()

    def show_what_never_happened(self) -> None:
        """What one wants to be told of the first time has to be there before, at 0."""
        for id in problems.catalogue():
            self.problems.labels(id)
        for game in all_games():
            self.audits.labels(game)
            for verdict in ("legal", "illegal"):
                self.verdicts.labels(game, verdict)

    def exchange(self, exchange: Exchange) -> None:
        """Counts a request that was answered."""
        route = exchange.route if exchange.route in ROUTES else OTHER
        if route not in self.of_route:
            self.of_route[route] = OfRoute(self, route)
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

    def record(self, answer: Mapping[str, Any]) -> None:
        """Counts a record of a stream, given what was answered to it."""
        game = answer.get("game")
        known = game if game in all_games() else OTHER
        self.records.labels(known, answer["verdict"]).inc()
        if "problem" in answer:
            self.record_problems.labels(answer["problem"]).inc()
        if "first_divergence" in answer:
            self.refusals.labels(known, answer["first_divergence"]["refusal"]["rule"]).inc()

    def recognition(self, known: bool) -> None:
        """Counts a state that was looked up."""
        (self.known if known else self.unknown).inc()


_counting: Metrics | None = None


def begin(registry: CollectorRegistry | None = None) -> Metrics:
    """From now on everything is counted, in a registry or, without one, in files that processes share."""
    global _counting  # noqa: PLW0603 - one process counts in one place
    if _counting is None or registry is not None:
        _counting = Metrics(registry)
        adjudicator.sound_states.noticed = _counting.recognition
    return _counting


def end() -> None:
    """From now on nothing is counted."""
    global _counting  # noqa: PLW0603
    _counting = None
    adjudicator.sound_states.noticed = None


def count_exchange(exchange: Exchange) -> None:
    """Counts a request that was answered, if anybody counts."""
    if _counting is not None:
        _counting.exchange(exchange)


def count_record(answer: Mapping[str, Any]) -> None:
    """Counts a record of a stream, if anybody counts."""
    if _counting is not None:
        _counting.record(answer)


def count_stream(change: int) -> None:
    """A stream begins (1) or ends (-1)."""
    if _counting is not None:
        _counting.streams.inc(change)


def count_connections(number: int) -> None:
    """So many connections are open in this process."""
    if _counting is not None:
        _counting.connections.set(number)


def count_audit(game: str, rules: tuple[str, ...]) -> None:
    """An answered state was audited as a sample, and breaks those rules."""
    if _counting is not None:
        _counting.audits.labels(game).inc()
        for rule in rules:
            _counting.findings.labels(game, rule).inc()
