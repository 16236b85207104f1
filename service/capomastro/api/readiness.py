"""Readiness: whether this process accepts requests; false once it has been told to stop."""

from threading import Event

_stopping = Event()


def stop() -> None:
    """Makes the process report that it is not ready, from now on."""
    _stopping.set()


def is_stopping() -> bool:
    return _stopping.is_set()
