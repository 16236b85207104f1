"""Files on this machine, or by URL wherever fsspec reaches (it comes with the extra `cluster`)."""

import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, cast

from capomastro.documents.problems import Problem

STANDARD_INPUT = "-"


class Found(NamedTuple):
    """A file as it lies there: its size in bytes, if it has one, and a text that changes when it is written anew."""

    path: str
    bytes: int | None
    written: str


def is_url(path: str) -> bool:
    return "://" in path


def file_system(url: str) -> tuple[Any, str]:
    """Who reaches a URL, and the path it has there.

    Raises:
        Problem: `unreadable` if nobody does.
    """
    try:
        from fsspec.core import url_to_fs  # noqa: PLC0415 - an optional extra
    except ImportError:
        raise Problem("unreadable", f"{path_shown(url)} is a URL; those need `capomastro[cluster]`.") from None
    try:
        found: tuple[Any, str] = url_to_fs(url)
    except (ImportError, ValueError) as error:
        raise Problem("unreadable", f"{path_shown(url)} cannot be reached: {error}.") from None
    return found


def path_shown(path: str) -> str:
    """A path as text in UTF-8, whatever bytes the file's name has."""
    return path.encode("utf-8", "replace").decode()


def absolute(path: str) -> str:
    """A path that means the same in another working directory."""
    return path if is_url(path) or path == STANDARD_INPUT else str(Path(path).absolute())


def resolved(path: str) -> str:
    """A path by which one can tell whether two are the same."""
    return path if is_url(path) or path == STANDARD_INPUT else str(Path(path).resolve())


def is_directory(path: str) -> bool:
    if is_url(path):
        system, inner = file_system(path)
        return bool(system.isdir(inner))
    return path != STANDARD_INPUT and Path(path).is_dir()


def found(path: str) -> Found:
    """What there is to say of a file.

    Raises:
        OSError: if there is none.
    """
    if is_url(path):
        system, inner = file_system(path)
        info = system.info(inner)
        written = next((str(info[name]) for name in ("ETag", "etag", "LastModified", "mtime") if name in info), "")
        return Found(path, info["size"], written)
    if path == STANDARD_INPUT:
        return Found(path, None, "")
    status = Path(path).stat()
    return Found(path, status.st_size if stat.S_ISREG(status.st_mode) else None, str(status.st_mtime_ns))


def files_below(directory: str) -> Iterator[str]:
    """Every file in a directory and those in it, in the order of their names; hidden ones are left out."""
    if is_url(directory):
        system, inner = file_system(directory)
        yield from (system.unstrip_protocol(path) for path in sorted(system.find(inner)))
        return
    for folder, folders, names in os.walk(directory):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (str(Path(folder) / name) for name in sorted(names) if not name.startswith("."))


def opened(path: str) -> BinaryIO:
    """A file to be read, from its beginning.

    Raises:
        OSError: if it cannot be.
    """
    if is_url(path):
        system, inner = file_system(path)
        return cast(BinaryIO, system.open(inner, "rb"))
    if path == STANDARD_INPUT:
        return cast(BinaryIO, sys.stdin.buffer)
    return Path(path).open("rb")


def write_whole(path: str, content: bytes) -> None:
    """Writes a file that others see whole or not at all, also if two do so at once or one dies over it."""
    if is_url(path):
        system, inner = file_system(path)
        if "file" not in (system.protocol if isinstance(system.protocol, tuple) else (system.protocol,)):
            system.pipe_file(inner, content)  # stores of objects show an object once it is there as a whole
            return
        path = inner
    aside = Path(f"{path}.{os.getpid()}.{os.urandom(4).hex()}")
    try:
        with aside.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        aside.replace(path)
    except BaseException:
        aside.unlink(missing_ok=True)
        raise


def content(path: str) -> bytes:
    with opened(path) as file:
        return file.read()


def exists(path: str) -> bool:
    if is_url(path):
        system, inner = file_system(path)
        return bool(system.exists(inner))
    return Path(path).exists()


def remove(path: str) -> None:
    """Removes a file, if there is one."""
    if not is_url(path):
        Path(path).unlink(missing_ok=True)
    elif exists(path):
        system, inner = file_system(path)
        system.rm_file(inner)


def make_directory(path: str) -> None:
    if is_url(path):
        system, inner = file_system(path)
        system.makedirs(inner, exist_ok=True)
    else:
        Path(path).mkdir(parents=True, exist_ok=True)


def joined(directory: str, name: str) -> str:
    return f"{directory.rstrip('/')}/{name}"
