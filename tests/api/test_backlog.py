"""The queue between a writer and a reader."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from itertools import count, islice
from threading import Thread

import pytest

from capomastro.api.backlog import IN_MEMORY, PIECE_BYTES, Abandoned, Backlog

MEBIBYTE = 1024 * 1024


@contextmanager
def backlog_of(maximum_bytes: int) -> Iterator[Backlog]:
    backlog = Backlog(maximum_bytes)
    try:
        yield backlog
    finally:
        backlog.abandon()


def test_bytes_keep_their_order_while_both_threads_work() -> None:
    with backlog_of(10 * MEBIBYTE) as backlog:
        lines = [b"%d\n" % number * (number % 50) for number in range(20_000)]

        def put() -> None:
            for line in lines:
                backlog.put(line)
            backlog.end()

        with ThreadPoolExecutor(1) as pool:
            pool.submit(put)
            assert b"".join(backlog.drain()) == b"".join(lines)


def test_large_backlogs_go_into_a_file_that_is_freed_when_they_are_read() -> None:
    with backlog_of(100 * MEBIBYTE) as backlog:
        backlog.put(b"a" * IN_MEMORY)
        few = backlog.buffer
        assert not few._rolled  # type: ignore[attr-defined]
        backlog.put(b"b" * (3 * PIECE_BYTES))
        assert few._rolled  # type: ignore[attr-defined]
        backlog.end()
        pieces = [len(piece) for piece in backlog.drain()]
        assert (sum(pieces), max(pieces)) == (IN_MEMORY + 3 * PIECE_BYTES, PIECE_BYTES)
        assert few.closed
        assert backlog.waiting == 0


def test_available_bytes_are_drained_at_once() -> None:
    with backlog_of(MEBIBYTE) as backlog, closing(backlog.drain()) as taken:
        for line in (b"1\n", b"2\n", b"3\n"):
            backlog.put(line)
            assert next(taken) == line


def test_a_writer_blocks_until_there_is_room() -> None:
    with backlog_of(4 * PIECE_BYTES) as backlog:
        put = count()

        def put_all() -> None:
            for number in islice(put, 100):
                backlog.put(b"%2d" % number * (PIECE_BYTES // 2))
            backlog.end()

        thread = Thread(target=put_all, daemon=True)
        thread.start()
        taken = backlog.drain()
        received = [next(taken)]
        thread.join(0.2)
        assert thread.is_alive()
        assert backlog.waiting <= 5 * PIECE_BYTES
        received += taken
        thread.join(10)
        assert [piece[:2] for piece in received] == [b"%2d" % number for number in range(100)]


def test_a_blocked_writer_learns_that_the_reader_has_left() -> None:
    with backlog_of(1024) as backlog:
        backlog.put(b"x" * 1024)
        with ThreadPoolExecutor(1) as pool:
            waiting = pool.submit(backlog.put, b"y")
            backlog.abandon()
            with pytest.raises(Abandoned):
                waiting.result(10)
        with pytest.raises(Abandoned):
            backlog.put(b"z")
        assert backlog.buffer.closed
