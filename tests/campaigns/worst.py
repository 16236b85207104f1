"""The costliest requests anybody has thought of, as large as they may be: made here, as they are too large to keep.

Each is what a stranger would send to have much work done for few bytes. The campaign `slowest` begins with them and
looks for costlier ones; the tests hold all of them against the deadline.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import cycle, islice
from random import Random
from typing import Any

from capomastro.documents import notation
from capomastro.engine import referee
from capomastro.settings import Settings
from tests.campaigns.asking import JSON, Request
from tests.campaigns.corpus import Corpus, corpora
from tests.campaigns.mutating import encoded
from tests.support.documents import as_document, as_state
from tests.support.playouts import play_on

STATE = Settings.maximum_state_bytes
RECORD = Settings.maximum_record_bytes
MOVES = Settings.maximum_moves
NDJSON = "application/x-ndjson"

Pieces = Callable[[], Iterator[bytes]]
"""Begins to make pieces, as many as one takes."""
Named = tuple[str, Callable[[], Request]]
"""The name of a request, and what makes it."""


def question(game: str, resource: str, body: bytes, query: str = "", media_type: str = JSON) -> Request:
    return Request("POST", f"/v1/games/{game}/{resource}", body, query, {"Content-Type": media_type})


def full(most: int, begin: bytes, pieces: Iterator[bytes], end: bytes) -> bytes:
    """As many pieces as there is room for."""
    room, taken = most - len(begin) - len(end), []
    for piece in pieces:
        room -= len(piece)
        if room < 0:
            break
        taken.append(piece)
    return begin + b"".join(taken).rstrip(b",") + end


def numbered(pattern: str) -> Iterator[bytes]:
    return ((pattern % number).encode() for number in range(10**7))


# --- texts -----------------------------------------------------------------------------------------------------------


def texts() -> Iterator[tuple[str, bytes]]:
    """Bodies that are refused as JSON, or as no request, of the size of a state."""
    yield "different names, then one twice", full(STATE, b"{", numbered('"%x":1,'), b',"_":1,"_":1}')
    yield "different names", full(STATE, b"{", numbered('"%x":1,'), b"}")
    yield "escaped names", full(STATE, b"{", numbered('"\\u0061%x":1,'), b"}")
    yield "one name, many times", full(STATE, b"{", cycle([b'"a":1,']), b"}")
    yield "a lone surrogate at the end", full(STATE, b"[", cycle([b'"\\ud83d\\ude00",']), b',"\\ud800"]')
    yield "escapes", full(STATE, b'["', cycle([b"\\u0041"]), b'"]')
    yield "deep arrays", b"[" * (STATE // 2) + b"]" * (STATE // 2)
    yield "deep arrays, never closed", b"[" * STATE
    yield "as deep as may be, side by side", full(STATE, b"[", cycle([b"[" * 30 + b"]" * 30 + b","]), b"]")
    yield "empty arrays", full(STATE, b"[", cycle([b"[],"]), b"]")
    yield "long numbers", full(STATE, b"[", cycle([b"7" * 4_000 + b","]), b"]")
    yield "a long name", b'{"' + b"a" * (STATE - 10) + b'":1}'
    yield "blanks", b" " * STATE
    yield "no UTF-8 at the end", full(STATE, b'["', cycle([b"a"]), b'\xff"]')


# --- documents -------------------------------------------------------------------------------------------------------


def corpus_of(game: str) -> Corpus:
    return corpora()[game]


def with_member(document: Any, name: str, value: bytes) -> tuple[bytes, bytes]:
    """The text of a document before and behind the value of a member."""
    before, _, behind = encoded({**document, name: "@@@"}).partition(b'"@@@"')
    return before + value, behind


def filled(
    game: str, resource: str, most: int, begin: bytes, pieces: Pieces, end: bytes, media_type: str = JSON
) -> Request:
    """A request whose body is as many pieces as there is room for."""
    return question(game, resource, full(most, begin, pieces(), end), "", media_type)


HOSTILE: Mapping[str, Pieces] = {
    "different objects": lambda: numbered('{"%x":1},'),
    "the same object": lambda: cycle([b'{"type":"x"},']),
    "values": lambda: numbered("%d,"),
    "different texts": lambda: numbered('"%x",'),
    "empty lists": lambda: cycle([b"[],"]),
}


def documents(game: str) -> Iterator[Named]:
    """Documents with as many errors as there is room for."""
    corpus = corpus_of(game)
    state, record = corpus.states[0], {**corpus.records[0], "moves": []}
    whole = {"state": (state, "audits", STATE), "record": (record, "records", RECORD)}
    if corpus.scoresheets:
        whole["scoresheet"] = (corpus.scoresheets[0], "scores", STATE)
    for name, pieces in HOSTILE.items():
        begin = b'{"state":' + encoded(state) + b',"moves":['
        yield f"moves: {name}", partial(filled, game, "transitions", STATE, begin, first(MOVES, pieces), b"]}")
        for kind, (document, resource, most) in whole.items():
            for member in document:
                begin, end = with_member(document, member, b"[")
                begin, end = b'{"%s":' % kind.encode() + begin, b"]" + end + b"}"
                yield f"{kind}.{member}: {name}", partial(filled, game, resource, most, begin, pieces, end)
        for member in state["options"]:
            begin, end = with_member(state["options"], member, b"[")
            begin, end = b'{"players":2,"options":' + begin, b"]" + end + b"}"
            yield f"options.{member}: {name}", partial(filled, game, "setups", STATE, begin, pieces, end)
    for kind, (document, resource, most) in whole.items():
        for member in (*document, "tags"):
            begin, end = with_member(document, member, b"{")
            begin, end = b'{"%s":' % kind.encode() + begin, b"}" + end + b"}"
            yield f"{kind}.{member}: members", partial(filled, game, resource, most, begin, members, end)
    yield "unknown members", partial(filled, game, "setups", STATE, b'{"players":2,', members, b"}")


def members() -> Iterator[bytes]:
    return numbered('"%x":"",')


def first(number: int, pieces: Pieces) -> Pieces:
    return lambda: islice(pieces(), number)


# --- games -----------------------------------------------------------------------------------------------------------


def long_records(game: str) -> Iterator[tuple[str, Any]]:
    """Records as long as they may be: legal ones that do not end, and some without a legal move."""
    corpus = corpus_of(game)
    longest = max(corpus.records, key=lambda record: len(record["moves"]))
    moves = longest["moves"]
    yield "a whole game", longest
    yield "a whole game, over and over", {**longest, "moves": list(islice(cycle(moves), MOVES))}
    yield "one move, over and over", {**longest, "moves": moves[:40] + [moves[40]] * (MOVES - 40)}
    yield "moves in any order", {**longest, "moves": Random(1).choices(moves, k=MOVES)}
    yield "every other move left out", {**longest, "moves": list(islice(cycle(moves[::2]), MOVES))}


def games(game: str) -> Iterator[Named]:
    """Requests with long records, and with states that have many moves."""
    corpus = corpus_of(game)
    for name, record in long_records(game):
        for repair in (None, "skip", "correct"):
            body = {"record": record, **({"repair": repair} if repair else {})}
            yield f"{name}, repair {repair}", partial(question_to, game, "replays", body)
        yield f"{name}, seen by a spectator", partial(question_to, game, "views", {"record": record, "seat": None})
        yield f"{name}, converted", partial(question_to, game, "records", {"record": record})
        yield f"{name}, as a line", partial(as_line, record)
        yield f"{name}, by hand", partial(written, corpus, record)
    most = sorted(corpus.states, key=lambda state: -number_of_moves(corpus, state))[:2]
    for index, state in enumerate(most):
        question = {"state": state, "payments": "all", "explain": True, "limit": 1000}
        yield f"many moves {index}", partial(question_to, game, "legal-moves", question)
        played = {"state": state, "moves": long_play(corpus, state), "views": [None, 0, 1], "seed": "1"}
        yield f"many moves {index}, played on", partial(question_to, game, "transitions", played)


def question_to(game: str, resource: str, body: Any) -> Request:
    return question(game, resource, encoded(body))


def as_line(record: Any) -> Request:
    return Request("POST", "/v1/replays", encoded(record), "repair=correct", {"Content-Type": NDJSON})


def written(corpus: Corpus, record: Any) -> Request:
    text = notation.written(corpus.game, record).encode()
    return question(corpus.game.id, "replays", text, "repair=correct", notation.MEDIA_TYPE)


def number_of_moves(corpus: Corpus, document: Any) -> int:
    try:
        state = as_state(corpus.game, document)
        if referee.is_over(corpus.game, state) or referee.is_at_chance(corpus.game, state):
            return 0
        return referee.legal_moves(corpus.game, state, True).total
    except Exception:  # noqa: BLE001 - a state that cannot be
        return 0


def long_play(corpus: Corpus, document: Any) -> list[Any]:
    """Moves from a state to the end of the game."""
    state = as_state(corpus.game, document)
    return [as_document(ply.move) for ply in islice(play_on(corpus.game, state), MOVES)]


# --- records by hand -------------------------------------------------------------------------------------------------


BY_HAND: Mapping[str, Pieces] = {
    "empty lines": lambda: cycle([b"\n"]),
    "comments": lambda: cycle([b"#\n"]),
    "moves that do not exist": lambda: cycle([b"0 x\n"]),
    "moves with nothing": lambda: cycle([b"0 build\n"]),
    "members": lambda: numbered("tags.%x: 1\n"),
    "the same member": lambda: cycle([b"names: a\n"]),
    "brackets": lambda: cycle([b"["]),
    "brackets on lines": lambda: cycle([b"0 buy [[[[[[[[\n"]),
    "quotes": lambda: cycle([b'"']),
    "one long word": lambda: cycle([b"a"]),
    "words on a line": lambda: cycle([b"a "]),
    "lists": lambda: cycle([b"a,"]),
    "lists on lines": lambda: numbered("result.a%d: " + "1," * 999 + "1\n"),
    "colons": lambda: cycle([b"a:"]),
    "dots": lambda: cycle([b"a."]),
    "carriage returns": lambda: cycle([b"\r"]),
    "line separators": lambda: cycle(["\u2028".encode()]),
    "values": lambda: cycle([b"9"]),
}


def by_hand(game: str) -> Iterator[Named]:
    """Texts as large as they may be, that are hardly records."""
    for name, pieces in BY_HAND.items():
        for below, blank in (("", b""), (", below a blank line", b"\n")):
            begin = f"game: {game}\nplayers: 2\n".encode() + blank
            make = partial(filled, game, "replays", RECORD, begin, pieces, b"\n", notation.MEDIA_TYPE)
            yield name + below, make


def worst() -> Iterator[Named]:
    """All of them: names, and what makes them."""
    for name, body in texts():
        yield f"text: {name}", partial(question, "palazzo", "setups", body)
        line = Request("POST", "/v1/replays", body, "", {"Content-Type": NDJSON})
        yield f"line: {name}", partial(Request, *line)
    for game in corpora():
        for name, make in (*documents(game), *games(game), *by_hand(game)):
            yield f"{game}: {name}", make


SLOWEST = (
    "campanile: options.tower_order: different objects",
    "campanile: scoresheet.tower_order: different objects",
    "palazzo: record.names: empty lists",
    "palazzo: record.tags: members",
    "palazzo: state.supply: different objects",
    "palazzo: unknown members",
    "palazzo: moves: the same object",
    "palazzo: every other move left out, by hand",
    "palazzo: a whole game, over and over, as a line",
    "palazzo: many moves 0",
    "palazzo: many moves 0, played on",
    "fifth-avenue: many moves 0",
)
"""Of these, what took longest; and what took minutes before every item was looked at only once."""
