"""Settings: one typed table, read from environment variables."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from ipaddress import IPv4Network, IPv6Network, ip_network
from json import dumps
from typing import Any, NamedTuple

from capomastro.cores import cores

Network = IPv4Network | IPv6Network

PREFIX = "CAPOMASTRO_"
MAXIMUM_SIZE = 9_999_999_999
LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")


FAULTS = {
    "range": "{variable} must be a whole number from {least} to {most}, not {value}",
    "networks": "{variable} must be addresses or networks, separated by spaces, not {value}",
    "value": "{variable} cannot be {value}: {meaning}",
    "keys-beside-file": "{variable} cannot be set beside CAPOMASTRO_SEALING_KEYS",
    "keys-unreadable": "{variable}: the file cannot be read: {reason}",
    "keys-not-text": "{variable}: the file cannot be read: it is not ASCII text",
    "no-kit": "{variable}: {value} is not a folder that `make site` has written",
    "other-kit": "{variable}: the pages in {value} are of another version: `make site` writes them again",
    "no-key": "{variable}: there is no key",
    "key-twice": "{variable}: a key is given twice",
    "malformed-key": "{variable}: a key is {bytes} bytes as base64url, 43 characters without padding",
}
"""What can be wrong with a setting; logs are in English."""


class SettingError(ValueError):
    """A variable has an invalid value: which of `FAULTS`, and what fills its slots."""

    def __init__(self, fault: str, **facts: Any) -> None:
        quoted = {name: dumps(fact, ensure_ascii=False) if name == "value" else fact for name, fact in facts.items()}
        super().__init__(FAULTS[fault].format(**quoted))
        self.fault = fault
        self.facts = facts


class Variable(NamedTuple):
    """A row of the table: the environment variable, its field, type, default and meaning."""

    name: str
    field: str
    kind: type
    default: Any
    meaning: str
    secret: bool


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
    secret: bool = False,
) -> Any:
    """Declares a setting: the range of a number; the pattern of a text, and whether it is converted to upper case.

    `name` is the variable if it is not CAPOMASTRO_<FIELD>; `networks` means that the text is a list of networks; a
    `secret` is never shown.
    """
    metadata = {"meaning": meaning, "least": least, "most": most, "pattern": pattern, "name": name}
    metadata |= {"upper": upper, "networks": networks, "secret": secret}
    return field(default=default, repr=not secret, metadata=metadata)


def networks_in(text: str) -> tuple[Network, ...]:
    """The networks in a setting: addresses or networks, separated by spaces.

    Raises:
        ValueError: if one is neither.
    """
    return tuple(ip_network(network, strict=False) for network in text.split())


@dataclass(frozen=True, kw_only=True)
class Settings:
    """All settings."""

    host: str = setting("127.0.0.1", "address to listen on; 0.0.0.0 for all", pattern=r"\S+")
    port: int = setting(8000, "port to listen on", least=1, most=65535, name="PORT")
    workers: int = setting(cores(), "processes; by default one per core", least=1)
    threads: int = setting(4, "requests that each process works on at once, not counting slow ones", least=1)
    timeout: int = setting(30, "seconds after which a process that does not respond is replaced", least=1)
    grace: int = setting(0, "seconds for which a stopping service reports that it is not ready, but still answers")
    graceful_timeout: int = setting(20, "seconds that requests have to finish when the service stops", least=1)
    keep_alive: int = setting(5, "seconds that an idle connection stays open; more behind a load balancer")
    header_timeout: int = setting(10, "seconds in which the whole header of a request must arrive", least=1)
    least_rate: int = setting(
        1024,
        "minimum bytes per second at which bodies must arrive and answers be read, "
        "after CAPOMASTRO_HEADER_TIMEOUT seconds",
        least=1,
    )
    idle_timeout: int = setting(60, "seconds for which a stream may neither send nor read anything", least=1)
    maximum_connections: int = setting(
        1000, "connections per process; beyond that, the one that has waited longest is closed", least=1
    )
    maximum_waiting: int = setting(100, "requests that wait in one process; it refuses further ones as busy")
    trusted_proxies: str = setting(
        "", "proxies whose X-Forwarded-For is trusted: addresses or networks, separated by spaces", networks=True
    )
    client_cpu: int = setting(
        25,
        "milliseconds of CPU time per second that one address may use; 0 for any; without effect where only this "
        "machine can ask",
        most=1000,
    )
    maximum_state_bytes: int = setting(256 * 1024, "largest request body with a state or a scoresheet", least=1024)
    maximum_record_bytes: int = setting(
        4 * 1024 * 1024, "largest request body, or line of a stream, that may hold a record", least=1024
    )
    maximum_moves: int = setting(10_000, "maximum number of moves in one request or record", least=1)
    maximum_gathered_bytes: int = setting(
        1024**3, "bytes of arriving bodies that one process keeps in temporary files", least=1024, most=MAXIMUM_SIZE
    )
    maximum_large: int = setting(
        2, "bodies and lines of streams of more than 64 KiB that one process works on at once", least=1
    )
    maximum_streams: int = setting(2, "streams that one process serves at once", least=1)
    maximum_waiting_bytes: int = setting(
        1024**3, "bytes of answers of a stream that wait in a temporary file to be read", least=1024, most=MAXIMUM_SIZE
    )
    deadline: int = setting(10, "seconds of CPU time that one request, or one line of a stream, may take", least=1)
    cors_origin: str = setting("*", "origins whose pages may call, separated by spaces; * for any, empty for none")
    cache_seconds: int = setting(300, "seconds for which answers to GET may be cached")
    metrics_port: int = setting(0, "port for Prometheus metrics, at /metrics; 0 for none", most=65535)
    metrics_host: str = setting("127.0.0.1", "address of that port; not a public one", pattern=r"\S+")
    pages: int = setting(
        1, "1 for the pages for people, at /, /score, /play, /replay, /book and /rules; 0 for none", most=1
    )
    kit: str = setting(
        "", "folder with all that devices keep for use without a network (docs/offline.md)", pattern=r"\S.*|"
    )
    sealing_keys: str = setting(
        "",
        "keys of sealed tables, separated by spaces: the first seals, all open (docs/tables.md)",
        secret=True,
    )
    sealing_keys_file: str = setting("", "file with these keys, instead of the keys themselves", pattern=r"\S.*|")
    log_level: str = setting(
        "INFO", f"minimum severity of log lines: {', '.join(LOG_LEVELS)}", pattern="|".join(LOG_LEVELS), upper=True
    )

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> "Settings":
        """The settings in the environment; absent ones have their defaults.

        Raises:
            SettingError: if a variable has an invalid value.
        """
        given = [line for line in VARIABLES if line.name in environment]
        values: dict[str, Any] = {line.field: value_of(line, environment[line.name]) for line in given}
        return cls(**values)


def value_of(line: Variable, text: str) -> int | str:
    """The value of a setting, parsed from `text`."""
    rules = next(declared.metadata for declared in fields(Settings) if declared.name == line.field)
    if line.kind is int:
        if not (text.isascii() and text.isdigit() and len(text) < 11 and rules["least"] <= int(text) <= rules["most"]):
            raise SettingError("range", variable=line.name, least=rules["least"], most=rules["most"], value=text)
        return int(text)
    text = text.upper() if rules["upper"] else text
    if rules["networks"]:
        try:
            networks_in(text)
        except ValueError:
            raise SettingError("networks", variable=line.name, value=text) from None
    if rules["pattern"] and not re.fullmatch(rules["pattern"], text):
        raise SettingError("value", variable=line.name, value=text, meaning=line.meaning)
    return text


VARIABLES = tuple(
    Variable(
        name=declared.metadata["name"] or PREFIX + declared.name.upper(),
        field=declared.name,
        kind=type(declared.default),
        default=declared.default,
        meaning=declared.metadata["meaning"],
        secret=declared.metadata["secret"],
    )
    for declared in fields(Settings)
)
"""The table, for `--help` and the documentation."""
