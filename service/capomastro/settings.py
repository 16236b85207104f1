"""What can be configured: one typed table, read from environment variables."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Any, NamedTuple

Network = IPv4Network | IPv6Network

PREFIX = "CAPOMASTRO_"
MOST_BYTES = 9_999_999_999
LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")


class SettingError(ValueError):
    """A variable holds what it must not; the message names it."""


class Variable(NamedTuple):
    """A line of the table: the environment variable, the field it fills, its default, and what it means."""

    name: str
    field: str
    kind: type
    default: Any
    meaning: str


def setting(
    default: Any,
    meaning: str,
    *,
    least: int = 0,
    most: int = 10**9,
    pattern: str = "",
    name: str = "",
    upper: bool = False,
    networks: bool = False,
) -> Any:
    """A line of the table: the range of numbers; the pattern of texts, and whether small letters count as capitals.

    `name` is that of the variable, if it is not CAPOMASTRO_<FIELD>; `networks` means that the text lists some.
    """
    metadata = {"meaning": meaning, "least": least, "most": most, "pattern": pattern, "name": name}
    return field(default=default, metadata={**metadata, "upper": upper, "networks": networks})


def networks_in(text: str) -> tuple[Network, ...]:
    """The networks in a setting: addresses or networks, apart by spaces.

    Raises:
        ValueError: if one is neither.
    """
    return tuple(ip_network(one, strict=False) for one in text.split())


def cores() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Everything that can be configured."""

    host: str = setting("127.0.0.1", "address to listen on; 0.0.0.0 for all", pattern=r"\S+")
    port: int = setting(8000, "port to listen on", least=1, most=65535, name="PORT")
    workers: int = setting(cores(), "processes; by default one per core", least=1)
    threads: int = setting(4, "requests each process works on at once, besides those that take long", least=1)
    timeout: int = setting(30, "seconds after which a process that does not respond is replaced", least=1)
    grace: int = setting(0, "seconds for which a service that is stopped says it is not ready, and goes on answering")
    graceful_timeout: int = setting(20, "seconds that requests have to finish when the service is stopped", least=1)
    keep_alive: int = setting(5, "seconds an idle connection stays open; more behind a load balancer")
    header_timeout: int = setting(10, "seconds in which the whole header of a request has to arrive", least=1)
    least_rate: int = setting(
        1024, "bytes a second in which a body has to arrive and an answer to be taken, after ten seconds", least=1
    )
    idle_timeout: int = setting(60, "seconds for which nothing more of a stream may arrive or be taken", least=1)
    maximum_connections: int = setting(
        1000, "connections of one process; beyond that the one that has waited longest is closed", least=1
    )
    maximum_waiting: int = setting(100, "requests that wait in one process; further ones are told that it is busy")
    trusted_proxies: str = setting(
        "", "addresses or networks, apart by spaces, whose X-Forwarded-For says who asks", networks=True
    )
    maximum_state_bytes: int = setting(256 * 1024, "largest request body with a state or a scoresheet", least=1024)
    maximum_record_bytes: int = setting(
        4 * 1024 * 1024, "largest request body, or line of a stream, that may hold a record", least=1024
    )
    maximum_moves: int = setting(10_000, "most moves in one request or record", least=1)
    maximum_gathered_bytes: int = setting(
        1024**3, "bodies that one process keeps in temporary files while they arrive", least=1024, most=MOST_BYTES
    )
    maximum_streams: int = setting(2, "streams one process serves at once", least=1)
    maximum_waiting_bytes: int = setting(
        1024**3, "answers of a stream that wait in a temporary file until they are taken", least=1024, most=MOST_BYTES
    )
    deadline: int = setting(10, "seconds of computing one request, or one line of a stream, may take", least=1)
    audit_one_in: int = setting(1000, "of so many states that are answered one is audited; 0 for none")
    cors_origin: str = setting("*", "origins whose pages may call, apart by spaces; * for any, empty for none")
    cache_seconds: int = setting(300, "seconds for which answers to GET may be kept before they are asked for again")
    metrics_port: int = setting(0, "port on which Prometheus finds figures, at /metrics; 0 for none", most=65535)
    metrics_host: str = setting("127.0.0.1", "address of that port; no public one", pattern=r"\S+")
    log_level: str = setting(
        "INFO", f"least severe line to log: {', '.join(LOG_LEVELS)}", pattern="|".join(LOG_LEVELS), upper=True
    )

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> "Settings":
        """The settings, where a variable is absent their defaults.

        Raises:
            SettingError: if a variable holds what it must not.
        """
        given = [line for line in VARIABLES if line.name in environment]
        values: dict[str, Any] = {line.field: value_of(line, environment[line.name]) for line in given}
        return cls(**values)


def value_of(line: Variable, text: str) -> int | str:
    """What `text` says for that line of the table."""
    rules = next(one.metadata for one in fields(Settings) if one.name == line.field)
    if line.kind is int:
        if not (text.isascii() and text.isdigit() and len(text) < 11 and rules["least"] <= int(text) <= rules["most"]):
            wanted = f"a whole number from {rules['least']} to {rules['most']}"
            raise SettingError(f"{line.name} must be {wanted}, not {text!r}")
        return int(text)
    text = text.upper() if rules["upper"] else text
    if rules["networks"]:
        try:
            networks_in(text)
        except ValueError:
            raise SettingError(f"{line.name} must be addresses or networks, apart by spaces, not {text!r}") from None
    if rules["pattern"] and not re.fullmatch(rules["pattern"], text):
        raise SettingError(f"{line.name} cannot be {text!r}: {line.meaning}")
    return text


VARIABLES = tuple(
    Variable(
        name=one.metadata["name"] or PREFIX + one.name.upper(),
        field=one.name,
        kind=type(one.default),
        default=one.default,
        meaning=one.metadata["meaning"],
    )
    for one in fields(Settings)
)
"""The table, for `--help` and the documentation."""
