"""The service as an object: one attribute per game, plus what holds for all games."""

from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Literal, Self

import httpx2

from capomastro_client.exchange import Exchange
from capomastro_client.many_records import replayed
from capomastro_client.models import VerdictOnLine
from capomastro_client.questions import Questions, Record
from capomastro_client.retries import PATIENT, Retries

TIMEOUT = httpx2.Timeout(30.0, connect=5.0)
"""Seconds: the service gives up a request after ten, and may let it wait for some more before."""


class Capomastro(Questions):
    """A running service.

    Each game is an attribute: `capomastro.palazzo.create_setup(players=2)`. A question takes the members of its request
    by name, and answers a struct of `models`. It raises `Problem` if the service refuses the request, and another
    `CapomastroError` if there is no proper answer.

    Args:
        address: Where it is, such as "http://localhost:8000".
        retries: When a request is sent again.
        http: A client of your own, with proxies, certificates or headers; it is not closed with this one.
    """

    def __init__(self, address: str, *, retries: Retries = PATIENT, http: httpx2.Client | None = None) -> None:
        self._is_own = http is None
        self._http = httpx2.Client(timeout=TIMEOUT) if http is None else http
        self._exchange = Exchange(address, self._http, retries)
        super().__init__(self._exchange)

    def replay_records(
        self,
        records: Iterable[Record | str | bytes],
        *,
        under_current_rules: bool = False,
        repair: Literal["skip", "correct"] | None = None,
    ) -> Iterator[VerdictOnLine]:
        """One verdict for each record, in their order, as soon as it is known.

        Args:
            records: Records of any games, or lines of an archive as they are, blank ones included. There may be any
                number: some are sent at a time.
            under_current_rules: Judge records of another `rules_version` by the current rules.
            repair: Follow records beyond the first illegal move.

        Raises:
            CapomastroError: as any question; what is wrong with one record is in its verdict.
        """
        query = {"under_current_rules": "true"} if under_current_rules else {}
        return replayed(self._exchange, records, query | ({"repair": repair} if repair else {}))

    def close(self) -> None:
        """Closes the connections."""
        if self._is_own:
            self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
