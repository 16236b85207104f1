"""Archives: recorded games by the thousand, one JSON record a line (NDJSON), each answered by a verdict of its own.

A verdict says in one word what became of the record, then what its reader needs to look further; states and whole
results are answered for single records (`adjudicator.replay`). Nothing in a line ends the archive: what cannot be used
is answered in its place.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from capomastro import adjudicator
from capomastro.adjudicator import Answer
from capomastro.documents import json_text
from capomastro.documents.problems import Problem, too_many_moves
from capomastro.games import all_games
from capomastro.settings import Settings

UNUSABLE = "unusable"
OTHER_VERSION = "other-version"


class Terms(NamedTuple):
    """How records are judged: what a line may hold, and by which rules.

    `most_bytes` a line, `most_moves` a record; `under_current_rules` also records of other rules versions;
    `repair` how an illegal record is followed further ("skip", "correct"; None: not at all).
    """

    most_bytes: int = Settings.maximum_record_bytes
    most_moves: int = Settings.maximum_moves
    under_current_rules: bool = False
    repair: str | None = None


class Line(NamedTuple):
    """A line of an archive: its number, from 1 on, and its text; no text if it is longer than allowed."""

    number: int
    text: bytes | None


def lines(chunks: Iterable[bytes], most_bytes: int) -> Iterator[Line]:
    """The lines in `chunks` of bytes, none held longer than `most_bytes`; blank ones are counted and left out."""
    number = 1
    begun: list[bytes] = []
    length = 0
    for chunk in chunks:
        *ended, rest = chunk.split(b"\n")
        for piece in ended:
            length += len(piece)
            yield from line(number, [*begun, piece], length, most_bytes)
            number, begun, length = number + 1, [], 0
        length += len(rest)
        if rest:
            begun.append(rest)
        if length > most_bytes:
            begun.clear()
    yield from line(number, begun, length, most_bytes)


def line(number: int, pieces: list[bytes], length: int, most_bytes: int) -> Iterator[Line]:
    """One line of its pieces; nothing if it is blank."""
    if length > most_bytes:
        yield Line(number, None)
    else:
        text = b"".join(pieces).strip()
        if text:
            yield Line(number, text)


def verdict(line: Line, terms: Terms) -> Answer:
    """What became of the record in a line; never raises a `Problem`."""
    answer: Answer = {"line": line.number}
    try:
        document = decoded(line, terms)
        if isinstance(document, dict):
            answer |= {name: document[name] for name in ("game", "id") if type(document.get(name)) is str}
        return answer | condensed(judged(document, terms))
    except Problem as problem:
        return answer | unusable(problem)


def unusable(problem: Problem) -> Answer:
    """The verdict on what cannot be judged."""
    word = OTHER_VERSION if problem.id == OTHER_VERSION else UNUSABLE
    return {"verdict": word, **problem.document()}


def decoded(line: Line, terms: Terms) -> Any:
    """The JSON value in a line.

    Raises:
        Problem: `too-large` or `malformed-json`.
    """
    if line.text is None:
        raise Problem("too-large", f"The line has more than the {terms.most_bytes} bytes a record may have.")
    return json_text.decode(line.text)


def judged(document: Any, terms: Terms) -> Answer:
    """The whole answer for a record.

    Raises:
        Problem: if it cannot be used.
    """
    game = adjudicator.game_in(document)
    moves = document.get("moves")
    if isinstance(moves, list) and len(moves) > terms.most_moves:
        raise too_many_moves(len(moves), terms.most_moves, "/moves")
    return adjudicator.replay(game, document, terms.under_current_rules, terms.repair, at="")


def condensed(answer: Answer) -> Answer:
    """An answer for a record without what would weigh most among thousands: states, and lines that are as claimed."""
    kept = {name: value for name, value in answer.items() if name not in ("state", "result", "claimed_result_lines")}
    if "result" in answer:
        result = answer["result"]
        kept["totals"] = [player.total for player in result.players]
        if result.winners is not None:
            kept["winners"] = result.winners
    if "lenient" in answer:
        kept["lenient"] = condensed(answer["lenient"])
    wrong = [line for line in answer.get("claimed_result_lines", ()) if not line["matches"]]
    return kept | ({"wrong_lines": wrong} if wrong else {})


class Tally:
    """How many records of each game came to each verdict, and which rules were broken how often.

    Records of no game there is are counted under "": what stands in a record must not make a tally grow.
    """

    def __init__(self) -> None:
        self.verdicts: Counter[tuple[str, str]] = Counter()
        self.rules: Counter[str] = Counter()

    def count(self, verdict: Answer) -> None:
        game = verdict.get("game", "")
        self.verdicts[game if game in all_games() else "", verdict["verdict"]] += 1
        if "first_divergence" in verdict:
            self.rules[verdict["first_divergence"]["refusal"]["rule"]] += 1
