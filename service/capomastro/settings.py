"""What can be set, in one typed table: each field of `Settings` is an environment variable."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

PREFIX = "CAPOMASTRO_"
WITHOUT_PREFIX = ("port",)
"""`PORT` is what hosting platforms set; everything else is ours alone."""


class SettingError(ValueError):
    """An environment variable that cannot be what it says."""


def setting(default: int | str, meaning: str, fewest: int = 0, most: int = 1 << 31) -> Any:
    """A row of the table: its default, what it means and, if it is a number, its bounds."""
    return field(default=default, metadata={"meaning": meaning, "fewest": fewest, "most": most})


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Everything that can be set, with its default."""

    host: str = setting("127.0.0.1", "the address to answer on; 0.0.0.0 for every one")
    port: int = setting(8000, "the port to answer on; 0 for any free one", most=65535)
    workers: int = setting(2, "processes that answer; one per core", fewest=1, most=1000)
    threads: int = setting(4, "threads of each process, so that a long replay holds up nobody", fewest=1, most=1000)
    timeout: int = setting(30, "seconds after which a process that has hung is replaced", fewest=1, most=3600)
    graceful_timeout: int = setting(10, "seconds a request may still take when the service is stopped", most=3600)
    keep_alive: int = setting(5, "seconds an idle connection is kept", most=3600)
    state_limit: int = setting(256 * 1024, "bytes a request may have that holds no record", fewest=1024)
    record_limit: int = setting(4 * 1024 * 1024, "bytes a request may have that holds a record", fewest=1024)
    moves_limit: int = setting(1000, "moves one transition may be asked to play", fewest=1)
    cors_origin: str = setting("*", "the origin whose pages may read answers; * for any, empty for none")


@dataclass(frozen=True)
class Row:
    """One setting as it is shown."""

    variable: str
    default: int | str
    meaning: str


def variable_of(name: str) -> str:
    """The environment variable of a field: `state_limit` -> `CAPOMASTRO_STATE_LIMIT`."""
    return name.upper() if name in WITHOUT_PREFIX else PREFIX + name.upper()


def table() -> Iterator[Row]:
    """Every setting with its default, in the order in which they are explained."""
    for row in fields(Settings):
        default: Any = row.default
        yield Row(variable_of(row.name), default, row.metadata["meaning"])


def settings_from(environment: Mapping[str, str] | None = None) -> Settings:
    """The settings of an environment (that of this process); what it does not name has its default.

    Raises:
        SettingError: names the variable, and what it can be.
    """
    environment = os.environ if environment is None else environment
    values: dict[str, Any] = {}
    for row in fields(Settings):
        variable = variable_of(row.name)
        if variable in environment:
            text = environment[variable]
            values[row.name] = number(variable, text, row.metadata) if isinstance(row.default, int) else text
    return Settings(**values)


def number(variable: str, text: str, bounds: Mapping[str, Any]) -> int:
    """A whole number within its bounds."""
    fewest, most = bounds["fewest"], bounds["most"]
    stripped = text.strip()
    if not (stripped.isascii() and stripped.isdigit() and len(stripped) < 20 and fewest <= int(stripped) <= most):
        raise SettingError(f"{variable} must be a whole number from {fewest} to {most}, not {text[:40]!r}.")
    return int(stripped)


def unknown_variables(environment: Mapping[str, str] | None = None) -> list[str]:
    """Variables that have our prefix but no row, most likely mistyped.

    No error: Kubernetes sets variables of its own (`CAPOMASTRO_SERVICE_HOST`) where a service is called as we are.
    """
    known = {row.variable for row in table()}
    names = os.environ if environment is None else environment
    return sorted(name for name in names if name.startswith(PREFIX) and name not in known)
