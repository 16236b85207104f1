"""Whether this process wants requests: no more from the moment on that it is told to stop."""

from threading import Event

_stopping = Event()


def stop() -> None:
    """From now on the process says that it is not ready."""
    _stopping.set()


def is_stopping() -> bool:
    return _stopping.is_set()
