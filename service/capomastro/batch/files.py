"""Files on this machine, or at URLs supported by fsspec (from the extra `cluster`)."""

import errno
import os
import shutil
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, BinaryIO, NamedTuple, cast

from capomastro.documents.json_text import is_text
from capomastro.documents.problems import Problem
from capomastro.documents.system_errors import reason_of
from capomastro.documents.wordings import phrase

STANDARD_INPUT = "-"


class FileInfo(NamedTuple):
    """A file: its size in bytes, if it has one, and a text that changes when the file is rewritten."""

    path: str
    bytes: int | None
    written: str


def is_url(path: str) -> bool:
    return "://" in path


def file_system(url: str) -> tuple[Any, str]:
    """The file system for a URL, and the path in it.

    Raises:
        Problem: `unreadable` if there is none.
    """
    try:
        from fsspec.core import url_to_fs  # noqa: PLC0415 - an optional extra
    except ImportError:
        raise Problem("unreadable", phrase("no-urls", file=path_text(url))) from None
    try:
        found: tuple[Any, str] = url_to_fs(url)
    except (ImportError, ValueError) as error:
        raise Problem("unreadable", phrase("url-unreachable", file=path_text(url), reason=str(error))) from None
    return found


def is_local(system: Any) -> bool:
    """Whether a file system is that of this machine."""
    protocols = (system.protocol,) if isinstance(system.protocol, str) else system.protocol
    return "file" in protocols


def unwritable(path: str, reason: str) -> Problem:
    """The problem that a file cannot be written."""
    return Problem("unwritable", phrase("unwritable", file=path_text(path), reason=reason))


@contextmanager
def writing(path: str) -> Iterator[None]:
    """Tells an error of the system as one of writing to `path`; only what writes there may be inside.

    Raises:
        Problem: `unwritable`.
    """
    try:
        yield
    except OSError as error:
        raise unwritable(path, reason_of(error)) from None


def path_text(path: str) -> str:
    """A path as text, whatever bytes the file name has; bytes that are not characters are shown as `\\xeb`."""
    return path if is_text(path) else os.fsencode(path).decode("utf-8", "backslashreplace")


def absolute(path: str) -> str:
    """A path that does not depend on the working directory."""
    return path if is_url(path) or path == STANDARD_INPUT else str(Path(path).absolute())


def resolved(path: str) -> str:
    """The path with all links resolved, except links in a circle: the same for the same file."""
    return path if is_url(path) or path == STANDARD_INPUT else os.path.realpath(path)


def is_directory(path: str) -> bool:
    if is_url(path):
        system, inner = file_system(path)
        return bool(system.isdir(inner))
    return path != STANDARD_INPUT and Path(path).is_dir()


def info(path: str) -> FileInfo:
    """Size and version of a file.

    Raises:
        OSError: if it does not exist.
    """
    if is_url(path):
        system, inner = file_system(path)
        details = system.info(inner)
        written = next(
            (str(details[name]) for name in ("ETag", "etag", "LastModified", "mtime") if name in details), ""
        )
        return FileInfo(path, details["size"], written)
    if path == STANDARD_INPUT:
        return FileInfo(path, None, "")
    status = Path(path).stat()
    return FileInfo(path, status.st_size if stat.S_ISREG(status.st_mode) else None, str(status.st_mtime_ns))


def files_below(directory: str, on_error: Callable[[OSError], None] | None = None) -> Iterator[str]:
    """Every file in a directory and its subdirectories, in the order of their names, without hidden ones.

    Links are followed, but not in circles. `on_error` is called for directories that cannot be listed.
    """
    if is_url(directory):
        system, inner = file_system(directory)
        top = len(inner.rstrip("/")) + 1
        shown = (path for path in sorted(system.find(inner)) if "/." not in "/" + path[top:])
        yield from map(system.unstrip_protocol, shown)
        return
    for folder, folders, names in os.walk(directory, onerror=on_error, followlinks=True):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and not leads_back(folder, name))
        yield from (str(Path(folder) / name) for name in sorted(names) if not name.startswith("."))


def files_in(directory: str) -> list[str]:
    """The files in a directory itself, in the order of their names."""
    if is_url(directory):
        system, inner = file_system(directory)
        return [system.unstrip_protocol(path) for path in sorted(system.find(inner, maxdepth=1))]
    return sorted(str(path) for path in Path(directory).iterdir() if path.is_file())


def leads_back(folder: str, name: str) -> bool:
    """Whether an entry of a folder is a link to that folder or to one that contains it."""
    path = Path(folder) / name
    if not path.is_symlink():
        return False
    target = path.resolve()
    return any(through.resolve().is_relative_to(target) for through in path.absolute().parents)


@contextmanager
def opened(path: str) -> Iterator[BinaryIO]:
    """A file, open for reading; standard input is not closed, and is empty when it is opened again.

    Raises:
        OSError: if it cannot be opened.
    """
    if path == STANDARD_INPUT:
        if sys.stdin is None:  # closed by the process that started this one
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        yield sys.stdin.buffer
    elif is_url(path):
        system, inner = file_system(path)
        with system.open(inner, "rb") as file:
            yield file
    else:
        with Path(path).open("rb") as file:
            yield file


@contextmanager
def atomic_writer(path: str) -> Iterator[BinaryIO]:
    """A file, open for writing, that appears only when complete, even if two processes write it or one dies.

    If it exists, its content is replaced as a whole, or stays as it is if not everything can be written.

    Raises:
        OSError: if it cannot be written.
    """
    system, inner = file_system(path) if is_url(path) else (None, path)
    if system is not None and not is_local(system):
        with NamedTemporaryFile() as aside:
            yield cast(BinaryIO, aside)
            aside.flush()
            system.put_file(aside.name, inner)  # object stores show an object only when complete
        return
    target = Path(resolved(inner))
    beside = target.with_name(f".{os.getpid()}.{os.urandom(4).hex()}")
    try:
        with beside.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, beside)
        beside.replace(target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def write_atomically(path: str, content: bytes) -> None:
    with atomic_writer(path) as file:
        file.write(content)


def content(path: str) -> bytes:
    with opened(path) as file:
        return file.read()


def exists(path: str) -> bool:
    if is_url(path):
        system, inner = file_system(path)
        return bool(system.exists(inner))
    return Path(path).exists()


def remove(path: str) -> None:
    """Removes a file if it exists."""
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
