"""The names of the metrics of a running service."""

import os

from prometheus_client import CollectorRegistry

from capomastro.api.metrics import Metrics
from capomastro.api.server.metrics_server import ProcessMetrics

SUFFIXES = {"counter": ("_total",), "gauge": ("",), "histogram": ("_bucket", "_sum", "_count")}


def families() -> dict[str, str]:
    """Every family of metrics by name, with its kind."""
    registry = CollectorRegistry()
    Metrics(registry)
    registry.register(ProcessMetrics(os.getpid()))
    return {family.name: family.type for family in registry.collect()}


def metric_names() -> set[str]:
    """The names of the metrics in Prometheus."""
    return {name + suffix for name, kind in families().items() for suffix in SUFFIXES[kind]}
