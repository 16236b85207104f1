"""Requests and answers: typed questions over HTTP, asked again where that may help."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import update_wrapper
from typing import Generic, ParamSpec, TypeVar, overload
from urllib.parse import quote

import httpx2
import msgspec

from capomastro_client.problems import NOT_DECODABLE, UnexpectedAnswerError, UnreachableError, problem
from capomastro_client.retries import Retries

P = ParamSpec("P")
Q = ParamSpec("Q")
R = ParamSpec("R")
Answer = TypeVar("Answer")
Answer_co = TypeVar("Answer_co", covariant=True)

RECORD_AS_TEXT = "text/vnd.capomastro.record"
SVG = "image/svg+xml"
ACCEPT_JSON = {"Accept": "application/json, application/problem+json"}
ACCEPT_TEXT = {"Accept": RECORD_AS_TEXT}
ACCEPT_SVG = {"Accept": f"{SVG}, application/problem+json"}
SEND_JSON = {"Content-Type": "application/json"}
SEND_TEXT = {"Content-Type": RECORD_AS_TEXT}


class Exchange:
    """Sends requests to one service; the methods below make the questions that the generated classes have."""

    def __init__(
        self, address: str, http: httpx2.Client, retries: Retries, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self.address = address.rstrip("/").removesuffix("/v1")  # the paths of questions have it
        self.http = http
        self.retries = retries
        self.sleep = sleep

    def question(self, path: str, request: Callable[P, object], answer: type[Answer]) -> Callable[P, Answer]:
        """A POST of JSON that is answered with JSON: takes the members of the request by name."""

        def ask(*args: P.args, **kwargs: P.kwargs) -> Answer:
            body = msgspec.json.encode(request(*args, **kwargs))
            return decoded(self.send("POST", path, body, {**SEND_JSON, **ACCEPT_JSON}).content, answer)

        return explained(ask, request)

    def question_either(
        self, path: str, first: Callable[P, object], second: Callable[Q, object], answer: type[Answer]
    ) -> "Either[P, Q, Answer]":
        """A POST of one of two kinds of request: takes the members of either."""

        def ask(request: object) -> Answer:
            body = msgspec.json.encode(request)
            return decoded(self.send("POST", path, body, {**SEND_JSON, **ACCEPT_JSON}).content, answer)

        return Either(ask, first, second)

    def question_of_three(
        self,
        path: str,
        first: Callable[P, object],
        second: Callable[Q, object],
        third: Callable[R, object],
        answer: type[Answer],
    ) -> "OfThree[P, Q, R, Answer]":
        """A POST of one of three kinds of request: takes the members of any."""

        def ask(request: object) -> Answer:
            body = msgspec.json.encode(request)
            return decoded(self.send("POST", path, body, {**SEND_JSON, **ACCEPT_JSON}).content, answer)

        return OfThree(ask, first, second, third)

    def question_of_three_for_svg(
        self, path: str, first: Callable[P, object], second: Callable[Q, object], third: Callable[R, object]
    ) -> "OfThree[P, Q, R, str]":
        """The same, answered with a picture: the text of an SVG."""

        def ask(request: object) -> str:
            body = msgspec.json.encode(request)
            return text_of(self.send("POST", path, body, {**SEND_JSON, **ACCEPT_SVG}), SVG)

        return OfThree(ask, first, second, third)

    def question_in_text(self, path: str, answer: type[Answer]) -> Callable[[str], Answer]:
        """A POST of a record as people write it that is answered with JSON."""

        def ask(text: str) -> Answer:
            return decoded(self.send("POST", path, text.encode(), {**SEND_TEXT, **ACCEPT_JSON}).content, answer)

        return ask

    def question_for_text(self, path: str, request: Callable[P, object]) -> Callable[P, str]:
        """A POST of JSON that is answered with a record as people write it."""

        def ask(*args: P.args, **kwargs: P.kwargs) -> str:
            body = msgspec.json.encode(request(*args, **kwargs))
            return text_of(self.send("POST", path, body, {**SEND_JSON, **ACCEPT_TEXT}), RECORD_AS_TEXT)

        return explained(ask, request)

    def page(self, path: str, answer: type[Answer]) -> Callable[[], Answer]:
        """A GET of one page."""
        return lambda: decoded(self.send("GET", path, b"", ACCEPT_JSON).content, answer)

    def page_of(self, path: str, answer: type[Answer]) -> Callable[[str], Answer]:
        """A GET of one of many pages: `path` ends in a place for its id."""
        folder = path.rpartition("/")[0]
        return lambda id: self.page(f"{folder}/{quote(id, safe='')}", answer)()

    def send(self, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> httpx2.Response:
        """The answer with its body.

        Raises:
            Problem: The service refuses the request.
            UnexpectedAnswerError: Somebody else answers.
            UnreachableError: Nobody answers, however often asked.
        """
        request = self.http.build_request(method, self.address + path, content=body, headers=headers)
        response = self._attempted(request, stream=False)
        if not response.is_success:
            raise problem(response.status_code, response.headers, response.content)
        return response

    @contextmanager
    def lines(
        self, path: str, body: bytes, headers: Mapping[str, str], query: Mapping[str, str]
    ) -> Iterator[Iterator[bytes]]:
        """The lines of an answer as they come. Raises as `send`, and `httpx2.TransportError` if they break off."""
        request = self.http.build_request("POST", self.address + path, content=body, headers=headers, params=query)
        response = self._attempted(request, stream=True)
        try:
            if not response.is_success:
                raise problem(response.status_code, response.headers, response.read())
            yield whole_lines(response.iter_bytes())
        except httpx2.DecodingError as error:
            raise UnexpectedAnswerError(f"an answer that cannot be unpacked: {error}") from error
        finally:
            response.close()

    def _attempted(self, request: httpx2.Request, *, stream: bool) -> httpx2.Response:
        """The first answer after which another attempt would be of no use."""
        attempt = 0
        while True:
            attempt += 1
            try:
                response = self.http.send(request, stream=stream)
            except httpx2.TransportError as error:
                pause = self.retries.pause(attempt, None, {})
                if pause is None:
                    raise UnreachableError(f"{request.url} does not answer: {error!r}") from error
            except httpx2.RequestError as error:  # it cannot be unpacked, or only leads elsewhere
                raise UnexpectedAnswerError(f"{request.url} has no proper answer: {error!r}") from error
            else:
                pause = self.retries.pause(attempt, response.status_code, response.headers)
                if pause is None:
                    return response
                response.close()
            self.sleep(pause)


class Either(Generic[P, Q, Answer_co]):
    """A question whose request is one of two kinds: it is the one that has all members that are named."""

    def __init__(
        self, ask: Callable[[object], Answer_co], first: Callable[P, object], second: Callable[Q, object]
    ) -> None:
        self._ask = ask
        self._kinds = (first, second)

    @overload
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Answer_co: ...
    @overload
    def __call__(self, *args: Q.args, **kwargs: Q.kwargs) -> Answer_co: ...
    def __call__(self, *args: object, **kwargs: object) -> Answer_co:
        return self._ask(first_that_fits(self._kinds, args, kwargs))


class OfThree(Generic[P, Q, R, Answer_co]):
    """A question whose request is one of three kinds: it is the first that has all members that are named."""

    def __init__(
        self,
        ask: Callable[[object], Answer_co],
        first: Callable[P, object],
        second: Callable[Q, object],
        third: Callable[R, object],
    ) -> None:
        self._ask = ask
        self._kinds = (first, second, third)

    @overload
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Answer_co: ...
    @overload
    def __call__(self, *args: Q.args, **kwargs: Q.kwargs) -> Answer_co: ...
    @overload
    def __call__(self, *args: R.args, **kwargs: R.kwargs) -> Answer_co: ...
    def __call__(self, *args: object, **kwargs: object) -> Answer_co:
        return self._ask(first_that_fits(self._kinds, args, kwargs))


def explained(ask: Callable[P, Answer], request: Callable[P, object]) -> Callable[P, Answer]:
    """A question that `help` describes by the members of its request."""
    return update_wrapper(ask, request)


def first_that_fits(
    kinds: Sequence[Callable[..., object]], args: Sequence[object], kwargs: Mapping[str, object]
) -> object:
    """A request of the first kind that can be made of these members.

    Raises:
        TypeError: There is none.
    """
    *others, last = kinds
    for kind in others:
        with suppress(TypeError):  # it has no such member, or lacks one
            return kind(*args, **kwargs)
    return last(*args, **kwargs)


def whole_lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The lines of a text that comes in pieces, without their ends; what has no end is left out.

    A line ends with a line feed and nothing else: the texts in it may have U+2028 and the like.
    """
    rest = b""
    for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        yield from lines


def decoded(document: bytes | str, answer: type[Answer]) -> Answer:
    """A document as the class the specification says it is.

    Raises:
        UnexpectedAnswerError: It is none.
    """
    try:
        return msgspec.json.decode(document, type=answer)
    except NOT_DECODABLE as error:
        raise UnexpectedAnswerError(f"not what this client was made for: {error}") from error


def text_of(response: httpx2.Response, media_type: str) -> str:
    """The text of an answer: any would do, so it has to be of its media type.

    Raises:
        UnexpectedAnswerError: It is not.
    """
    found = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
    if found != media_type:
        raise UnexpectedAnswerError(f"an answer that is not {media_type}, but {found or 'of no type'}")
    try:
        return response.content.decode()
    except UnicodeDecodeError as error:
        raise UnexpectedAnswerError(f"not what this client was made for: {error}") from error
