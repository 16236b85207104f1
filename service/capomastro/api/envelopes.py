"""Request bodies around their documents: players, seeds, paging, flags.

Loading is strict: "3" is not a number, undeclared members are refused. The documents within are left to their schemas.
All errors are reported at once, each with a JSON Pointer into the body.
"""

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, ClassVar

from marshmallow import RAISE, Schema, ValidationError, fields, missing, validate, validates_schema

from capomastro.adjudicator import (
    DEFAULT_LIMIT,
    DEFAULT_PLAYER,
    MAXIMUM_LIMIT,
    MAXIMUM_NEAREST,
    MAXIMUM_PICTURES,
    MAXIMUM_SAMPLES,
    MOST_PLAYED_ON,
    PLAYERS,
)
from capomastro.documents.phrases import pointer_to
from capomastro.documents.problems import MAXIMUM_ERRORS, Problem, too_many_moves
from capomastro.documents.suggestions import MAXIMUM_SUGGESTIONS, did_you_mean_clause, kind_of_document
from capomastro.documents.wordings import phrase
from capomastro.drawing.pictures import LAYOUTS
from capomastro.engine.records import Repair
from capomastro.tables.shares import LOCK, SECRET
from capomastro.tables.terms import DRAWS, LONGEST_NONCE

MAXIMUM_PLAYERS = 20
"""Far more than can play; it only bounds lists."""

MAXIMUM_PARTS = 50
"""Of a picture, to leave out or to show."""

MISSING = "is missing"
REPEATED = "is given more than once"
NUMBER = re.compile("0|-?[1-9][0-9]{0,99}")
"""An integer in a query, written as in JSON."""
LONG_NAME = 80
"""Longer names are not repeated in messages."""


# --- kinds of members ------------------------------------------------------------------------------------------------


def about(description: str, **errors: str) -> dict[str, Any]:
    """What a field is told: its description for the specification, and how its errors are worded."""
    words = {"required": MISSING, "null": "must not be null", "validator_failed": "is not allowed", **errors}
    return {"metadata": {"description": description}, "error_messages": words}


class Document(fields.Raw):
    """A document of the game, not converted; by default null is passed on to the schema named by `kind` as well."""

    def __init__(self, kind: str, description: str, **rest: Any) -> None:
        super().__init__(**about(description), **{"allow_none": True, **rest})
        self.kind = kind


class Documents(fields.Raw):
    """A list of documents of the game, not converted."""

    def __init__(self, kind: str, description: str, **rest: Any) -> None:
        super().__init__(**about(description, invalid="must be an array"), **rest)
        self.kind = kind

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> list[Any]:
        if type(value) is not list:
            raise self.make_error("invalid")
        return value


class PartialMove(fields.Raw):
    """A move without the members that are not chosen yet, not converted."""

    def __init__(self, description: str) -> None:
        words = about(description, invalid="must be an object")
        words["metadata"]["type"] = "object"
        super().__init__(**words)

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> dict[str, Any]:
        if type(value) is not dict:
            raise self.make_error("invalid")
        return value


class Table(fields.Dict):
    """A sealed table: any object; what is not a table of ours is a foreign one."""

    kind = "table"

    def __init__(self) -> None:
        words = about("The table, as it was answered.", invalid="must be an object")
        super().__init__(required=True, **words)


class Flag(fields.Boolean):
    """True or false, and nothing that stands for them."""

    def __init__(self, description: str, **rest: Any) -> None:
        super().__init__(**about(description, invalid="must be true or false"), **rest)

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> bool:
        if type(value) is not bool:
            raise self.make_error("invalid", input=value)
        return value


def number(least: int, most: int | None, description: str, **rest: Any) -> fields.Integer:
    """A whole number in a range."""
    error = f"must be at least {least}" + ("" if most is None else f" and at most {most}")
    words = about(description, invalid="must be an integer")
    return fields.Integer(strict=True, validate=validate.Range(least, most, error=error), **words, **rest)


def text(longest: int, description: str, shortest: int = 0) -> fields.String:
    """A text of limited length."""
    length = validate.Length(shortest, longest, error="must have {min} to {max} characters")
    return fields.String(validate=length, **about(description, invalid="must be a string"))


def choice(words: Sequence[str], description: str, **rest: Any) -> fields.String:
    """One of a few words."""
    error = f"must be one of: {', '.join(words)}"
    return fields.String(validate=validate.OneOf(words, error=error), **about(description, invalid=error), **rest)


def places(description: str) -> fields.List[Any]:
    """A list of parts of a picture: JSON Pointers, or what has no place."""
    part = text(100, "A part of the picture.")
    few = validate.Length(max=MAXIMUM_PARTS, error="must have at most {max} items")
    return fields.List(part, validate=few, **about(description, invalid="must be an array"))


def matching(pattern: re.Pattern[str], error: str, description: str, **rest: Any) -> fields.String:
    """A text of a pattern; what is wrong with it is never repeated."""
    return fields.String(validate=validate.Regexp(pattern, error=error), **about(description, invalid=error), **rest)


class Distinct(validate.Validator):
    """Refuses a list in which something occurs twice."""

    def __init__(self, message: str) -> None:
        self.message = message

    def __call__(self, values: list[Any]) -> list[Any]:
        if len(set(values)) < len(values):
            raise ValidationError(self.message)
        return values


def array(item: fields.Field[Any], description: str, *validators: validate.Validator, **rest: Any) -> fields.List[Any]:
    """A list of at most so many items as there can be players."""
    few = validate.Length(max=MAXIMUM_PLAYERS, error="must have at most {max} items")
    words = about(description, invalid="must be an array")
    return fields.List(item, validate=[few, *validators], **words, **rest)


# --- bodies ----------------------------------------------------------------------------------------------------------


class RequestBody(Schema):
    """A request body."""

    class Meta:
        unknown = RAISE

    error_messages: ClassVar[dict[str, str]] = {  # type: ignore[misc]
        "unknown": "is not a member this object can have",
        "type": "must be an object",
    }
    refused: ClassVar[str] = "body-invalid"
    """The phrase that is the detail of the problem if the body is invalid."""
    confidential: ClassVar[bool] = False
    """Whether it holds a secret: then not even the names of unknown members are repeated."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        # members that have nothing to say if they are absent are then not loaded
        self.partial = {
            name for name, field in self.fields.items() if not field.required and field.load_default is missing
        }

    def parameters(self) -> "Query":
        """The query parameters if the body is a bare document: all other members."""
        documents = (Document, Documents)
        members = {name: field for name, field in self.declared_fields.items() if not isinstance(field, documents)}
        return Query.from_dict(members)()  # type: ignore[return-value]


class Query(RequestBody):
    """The parameters of a query."""

    error_messages: ClassVar[dict[str, str]] = {"unknown": "is not a parameter of this resource"}  # type: ignore[misc]
    refused = "query-invalid"


NO_PARAMETERS = Query()
"""The query of a resource without parameters."""


class Alternatives(RequestBody):
    """A request body that holds exactly one of several members."""

    exactly_one_of: ClassVar[tuple[str, ...]]
    only_with: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """Members that go with some of the alternatives only."""

    def misplaced(self, members: Mapping[str, Any]) -> Iterator[str]:
        """The members that do not go with the alternative that is there."""
        for member, others in self.only_with.items():
            if member in members and not any(other in members for other in others):
                yield member

    @validates_schema
    def require_exactly_one(self, data: Mapping[str, Any], **_: Any) -> None:
        if sum(member in data for member in self.exactly_one_of) != 1:
            raise ValidationError(f"must have exactly one of the members {', '.join(self.exactly_one_of)}")
        for member in self.misplaced(data):
            raise ValidationError(f"goes only with {' or '.join(self.only_with[member])}", member)


PLAYER_COUNT = number(1, None, "Number of players.", required=True)
NAMES = array(text(100, "A player's name.", shortest=1), "The players' names by seat, one for each.")
OPTIONS = Document(
    "options", "Variants and set-up choices; omitted ones have defaults.", load_default=dict, allow_none=False
)
VIEWER = number(0, None, "The seat of the viewer; null for a spectator.", required=True, allow_none=True)
SEED = "Draws all chance that is not supplied: same seed, same game. `moves` in the answer lists all draws."
VIEWS = array(
    number(0, None, "A seat.", allow_none=True),
    "Seats whose views to add to the answer; null for a spectator. If absent: the `seat` that asks, if any.",
    Distinct("must be different seats"),
)
ASKER = number(
    0,
    None,
    "Who asks: a seat supplies its own decisions and no draws; null, a spectator, supplies nothing but draws. "
    "Anything may be supplied if it is absent.",
    allow_none=True,
)
NEXT_MOVES = number(
    0,
    MAXIMUM_LIMIT,
    "Adds the legal moves of the next decision to the answer, at most this many; 0: only their number. They reveal the "
    "hand of the seat that decides.",
)
KINDS = Flag("Adds to these, as `kinds`, every kind of move of that decision with its parameters.")
ORDER = choice(
    ("reading", "fixed"),
    "`reading` (default): what is in progress comes first in narrow pictures. `fixed`: first the common table, then "
    "what is in progress, the seat that the picture is for (or 0), the others clockwise. Every place keeps its "
    "position through the whole game.",
)
OMIT = places(
    "What to leave out: `bar`, places such as `/seats/0/hand`, and in fixed order parts: `common`, `/stage`, `/seats`, "
    "`/seats/0`, `rest`."
)


TEXTS = Flag(
    "Adds sentences in the reader's language (`Accept-Language`): `text` to events, `texts` to lists of moves."
)
BRIEF = Flag(
    "Makes these sentences brief, for lists and buttons: without the player, and without words where none are needed."
)
COURSE = "Adds an account of the game, move by move, in the reader's language (`Accept-Language`), as `course`"


class Setup(RequestBody):
    """A new game: players and options."""

    players = PLAYER_COUNT
    names = NAMES
    options = OPTIONS
    seed = text(200, SEED)
    views = VIEWS
    legal_moves = NEXT_MOVES
    kinds = KINDS
    texts = TEXTS
    brief = BRIEF


class LegalMoves(RequestBody):
    """A state, and which page of its moves to list."""

    state = Document("state", "The state whose legal moves to list.", required=True)
    limit = number(
        0,
        MAXIMUM_LIMIT,
        f"Maximum number of moves on the page; {DEFAULT_LIMIT} if absent, 0 to have them counted only.",
    )
    cursor = text(200, "`next_cursor` of the previous page, for the same state and payments.")
    payments = choice(
        ("minimal", "all"),
        "`minimal` (default): only payments without a superfluous part; `all`: every valid payment.",
    )
    seat = ASKER
    explain = Flag("Whether to explain for every other kind of move why it is unavailable.")
    kinds = Flag(
        "Adds every kind of move of the decision: its name, its number of legal moves, and its parameters with the "
        "places where they lie."
    )
    containing = PartialMove(
        "A partial move: the `type`, and of the other members those chosen so far; of a list the items chosen so far. "
        "Then only moves that contain it are listed and counted, and `open` in the answer tells what can be added."
    )
    texts = TEXTS
    brief = BRIEF


class Suggestion(RequestBody):
    """A state, and who is to suggest a move."""

    state = Document("state", "The state, or a view of it: what other seats hide is not looked at.", required=True)
    player = choice(
        PLAYERS,
        f"`{DEFAULT_PLAYER}` (default) plays towards a goal; `random` makes every legal move equally likely.",
    )
    seat = ASKER
    seed = text(200, "Breaks ties between equally good moves: the same seed, the same move. Empty if absent.")
    texts = Flag("Adds the move as a sentence in the reader's language (`Accept-Language`).")
    brief = BRIEF


class Verdict(RequestBody):
    """A state and a move."""

    state = Document("state", "The state in which the move is made.", required=True)
    move = Document("move", "The move.", required=True)
    seat = ASKER
    amounts = Flag("Adds what the move, legal or not, adds up to, and what it needs: a bid, a payment, coins, blocks.")
    nearest = number(
        1, MAXIMUM_NEAREST, "If the move is illegal: adds the nearest legal moves to the answer, at most this many."
    )
    texts = Flag(
        "Adds sentences in the reader's language (`Accept-Language`): `text` is the move, `nearest_texts` the nearest."
    )
    brief = BRIEF


class Transition(RequestBody):
    """A state and moves to play."""

    state = Document("state", "The state before.", required=True)
    moves = Documents("move", "The moves to play, all or none; may be empty with a seed.", required=True)
    seat = ASKER
    seed = text(200, SEED)
    views = VIEWS
    legal_moves = NEXT_MOVES
    kinds = KINDS
    texts = TEXTS
    brief = BRIEF
    computers = array(
        choice(PLAYERS, "A player of the service; null for a person.", allow_none=True),
        "The players of the service that play on after these moves, by seat; other seats are persons. They play until "
        "a person decides, nothing can be suggested because a hand is unknown, or the game ends; at most "
        f"{MOST_PLAYED_ON} moves, exactly as `suggestions` and `transitions` in turns would with this `seed`.",
    )
    pictures = choice(
        tuple(LAYOUTS), "Adds what was played step by step, as `steps`, each with a picture in this layout."
    )
    pictures_for = number(
        0,
        None,
        "Draws and tells the steps as this seat may know them; null: a spectator. If absent: the `seat` that "
        "asks, and everything if nobody in particular asks.",
        allow_none=True,
    )
    order = ORDER
    omit = OMIT


class Audit(RequestBody):
    """A state to audit."""

    state = Document("state", "The state to audit.", required=True)


class Score(Alternatives):
    """A finished game: a scoresheet or a state."""

    exactly_one_of = ("scoresheet", "state")
    only_with: ClassVar[Mapping[str, tuple[str, ...]]] = {"even_if_impossible": ("scoresheet",)}
    scoresheet = Document("scoresheet", "The components on the table at the end.")
    state = Document("state", "A state in which no player has a decision left.")
    even_if_impossible = Flag(
        "Score a scoresheet that the rules do not allow, too, and tell in `findings` why; what is missing is still "
        "asked for."
    )


class Terms(RequestBody):
    """How to judge records."""

    under_current_rules = Flag("Judge a record of another `rules_version` by the current rules.")
    repair = choice(
        tuple(repair.value for repair in Repair),
        "Continue beyond the first illegal move. `skip`: leave out every illegal move; `correct`: replace it, insert a "
        "move before it or leave it out, whichever lets the record continue furthest.",
    )


class Replay(Terms):
    """A record to judge."""

    record = Document("record", "The recorded game.", required=True)
    texts = Flag(f"{COURSE}, and sentences to the divergences.")
    brief = BRIEF


class Specification(RequestBody):
    """What the specification is to contain."""

    examples = Flag("Whether with examples, which are half of it; true if absent.", load_default=True)


class Conversion(RequestBody):
    """A record to write in another form."""

    record = Document("record", "The recorded game.", required=True)


class View(Alternatives):
    """A state or a record, and its viewer."""

    exactly_one_of = ("state", "record")
    state = Document("state", "The state to view.")
    record = Document("record", "The record to view.")
    seat = VIEWER
    texts = Flag(f"{COURSE}, as far as the viewer may know it; of a state there is nothing to tell.")
    brief = BRIEF


class Sample(Alternatives):
    """A state or a record, and the seat whose knowledge the samples agree with."""

    exactly_one_of = ("state", "record")
    state = Document("state", "The state, or a view of it: what other seats hide is not looked at.")
    record = Document(
        "record",
        "The record, as everybody or as the seat has it. It tells more than its last state: when cards were dealt.",
    )
    seat = VIEWER
    seed = text(200, "Draws the samples: the same seed, the same samples. Empty if absent.")
    count = number(1, MAXIMUM_SAMPLES, "How many samples; one if absent.")


class Picture(Alternatives):
    """A position, a scoresheet, or the result of either to draw, for whom and how."""

    exactly_one_of = ("state", "record", "scoresheet")
    only_with: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "ply": ("record",),
        "count": ("record",),
        "last_moves": ("state",),
        "seat": ("state", "record"),
        "order": ("state", "record"),
        "omit": ("state", "record"),
        "show": ("state", "record"),
        "even_if_impossible": ("scoresheet",),
    }
    state = Document("state", "The state to draw.")
    record = Document("record", "The recorded game to draw positions from.")
    scoresheet = Document("scoresheet", "The scoresheet to draw: the players' parts.")
    ply = number(0, None, "The number of moves played before the position to draw; all moves of the record if absent.")
    count = number(
        1,
        MAXIMUM_PICTURES,
        "How many positions to draw, from `ply` on, fewer if the record ends before; more than one only as JSON.",
    )
    seat = number(0, None, "Draws what this seat may know; null: a spectator. Everything if absent.", allow_none=True)
    layout = choice(tuple(LAYOUTS), "`wide` (default) is drawn 1200 units wide, for screens; `narrow` 360, for phones.")
    order = ORDER
    omit = OMIT
    show = places(
        "Nothing but these places, one below the other, each as the examples of rules show it: `/seats/0/hand`, "
        "`/supply`. Which are drawn by themselves depends on the game."
    )
    last_moves = Documents(
        "move", "The moves that led to the state: what they moved is marked. Of a record they are known."
    )
    result = Flag(
        "Draws the result instead of the table: who won, the places, what the points of each player are for, what "
        "broke ties. What chooses or arranges a position is then not looked at."
    )
    note = text(100, "With `result`: a line below the name of the game, such as the day.")
    even_if_impossible = Flag(
        "With `result`: draw that of a scoresheet that the rules do not allow, too; the picture then says so."
    )


def secret(description: str, **rest: Any) -> fields.String:
    """The secret of a seat."""
    error = "must be a secret: 43 characters of base64url"
    return matching(SECRET, error, description, load_only=True, **rest)


class TableCreation(RequestBody):
    """A new table: players, options, locks."""

    confidential = True
    players = PLAYER_COUNT
    names = NAMES
    options = OPTIONS
    locks = array(
        matching(LOCK, "must be a lock: 64 hexadecimal digits, small letters", "A lock."),
        "The lock of each seat: the SHA-256 of the SHA-256 of its player's secret.",
        Distinct("must be different locks"),
        required=True,
    )
    draws = choice(
        DRAWS,
        "`witnessed` (default): a seat that did not move last draws; `at-once`: draws follow each move.",
    )
    nonce = text(LONGEST_NONCE, "Distinguishes games that are otherwise the same; empty if absent.")


class TableView(RequestBody):
    """A table and its viewer."""

    confidential = True
    table = Table()
    seat = VIEWER
    secret = secret("The secret of the seat; absent for a spectator.")
    legal_moves = number(
        1,
        MAXIMUM_LIMIT,
        "Adds the legal moves of the decision to the answer, at most this many, as the seat may know them.",
    )
    texts = TEXTS


class TableTransition(RequestBody):
    """A table, and what a seat does."""

    confidential = True
    table = Table()
    seat = number(0, None, "The seat that acts.", required=True)
    secret = secret("The secret of the seat.", required=True)
    moves = Documents("move", "The moves of the seat, all or none; empty to join or to draw.", required=True)
    texts = TEXTS


class TableRecord(RequestBody):
    """The table of a finished game, and the seat that opens it."""

    confidential = True
    table = Table()
    seat = number(0, None, "The seat that opens it.", required=True)
    secret = secret("The secret of the seat.", required=True)


# --- loading ---------------------------------------------------------------------------------------------------------


def loaded(envelope: RequestBody, body: Any) -> dict[str, Any]:
    """The members of a body, or the parameters of a query.

    Raises:
        Problem: `envelope`, with all errors up to `MAXIMUM_ERRORS`.
    """
    try:
        members: dict[str, Any] = envelope.load(body)
    except ValidationError as error:
        error.__traceback__ = None  # a frame of Marshmallow has the error: a cycle, with which the body would stay
        messages = in_order_of(body, error.normalized_messages())  # type: ignore[no-untyped-call]
        found = bare_document(envelope, body) or islice(with_pointers(messages), MAXIMUM_ERRORS)
        errors = [{"pointer": pointer, "message": message} for pointer, message in found]
        if envelope.confidential:
            errors = [unquoted(envelope, error) for error in errors]
        raise Problem("envelope", phrase(envelope.refused), with_suggestions(envelope, errors)) from None
    return members


def in_order_of(body: Any, messages: dict[str, Any]) -> dict[str, Any]:
    """The messages in the order of the body, those about the whole first; Marshmallow has unknown members in any."""
    places = {name: place for place, name in enumerate(body, 1)} if isinstance(body, dict) else {}
    return dict(sorted(messages.items(), key=lambda message: places.get(message[0], 0)))


def unquoted(envelope: RequestBody, error: dict[str, str]) -> dict[str, str]:
    """An error without the name of a member that only the body has: somebody may have put their secret there."""
    name = error["pointer"].removeprefix("/").partition("/")[0]
    if not name or name in envelope.fields:
        return error
    return {"pointer": "", "message": "has a member that this object cannot have"}


def bare_document(envelope: RequestBody, body: Any) -> list[tuple[str, str]]:
    """The one error of a document that was sent without its envelope; none if the body is something else."""
    members = {field.kind: name for name, field in envelope.fields.items() if isinstance(field, Document | Documents)}
    if "state" in members and is_answer(body):
        return [("", 'has the members of a whole answer: of it, send only the member "state"')]
    kind = kind_of_document(body)
    if kind not in members or any(name in body for name in members.values()):
        return []
    name = members[kind]
    into = "the member" if isinstance(envelope.fields[name], Document) else "the list"
    return [("", f'is a bare {kind}: put it into {into} "{name}"')]


def is_answer(body: Any) -> bool:
    """Whether a body has what only answers have beside a state."""
    return isinstance(body, dict) and {"state", "state_hash", "derived"} <= body.keys()


def with_suggestions(envelope: RequestBody, errors: list[dict[str, str]]) -> list[dict[str, str]]:
    """The errors, the first unknown members with the known one that may have been meant."""
    unknown = [error for error in errors if error["message"] == envelope.error_messages["unknown"]]
    for error in unknown[:MAXIMUM_SUGGESTIONS]:
        error["message"] += did_you_mean_clause(error["pointer"].removeprefix("/"), envelope.fields)
    return errors


def loaded_parameters(query: Query, given: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """The parameters of a query, loaded as strictly as members of a body, and with the same pointers in errors.

    A list is given as a parameter for each of its items.

    Raises:
        Problem: `envelope`.
    """
    lists = {name for name, member in query.fields.items() if isinstance(member, fields.List)}
    repeated = {name: [REPEATED] for name, texts in given.items() if len(texts) > 1 and name not in lists}
    if repeated:
        errors = [{"pointer": pointer, "message": message} for pointer, message in with_pointers(repeated)]
        raise Problem("envelope", phrase("parameter-twice"), errors[:MAXIMUM_ERRORS])
    return loaded(query, {name: parameter(query.fields.get(name), texts) for name, texts in given.items()})


def require_known_parameters(
    given: Mapping[str, Sequence[str]], quoting: bool = True, members: Container[str] = ()
) -> None:
    """Raises if a query has parameters where none are known; `members` are those of the body, which may be meant.

    Without `quoting` the names of the parameters are not repeated.
    """
    if given and not quoting:
        error = {"pointer": "", "message": "has a parameter, and this resource has none"}
        raise Problem("envelope", phrase(NO_PARAMETERS.refused), [error])
    if given:
        try:
            loaded_parameters(NO_PARAMETERS, given)
        except Problem as problem:
            for error in problem.errors:
                if error["pointer"].removeprefix("/") in members:
                    error["message"] += "; it is a member of the body"
            raise


def parameter(member: Any, texts: Sequence[str]) -> Any:
    """A parameter as a member of a body; text that cannot be converted stays as it is, and is refused later."""
    if isinstance(member, fields.List):
        return [parameter(member.inner, [text]) for text in texts]
    (text,) = texts
    if isinstance(member, fields.Integer):
        if NUMBER.fullmatch(text):
            return int(text)
        return None if member.allow_none and text == "null" else text
    return {"true": True, "false": False}.get(text, text) if isinstance(member, fields.Boolean) else text


def require_few_moves(members: Mapping[str, Any], most: int) -> None:
    """Raises if a list of moves in a body, or in its record, has more than `most` moves."""
    record = members.get("record")
    in_record = record.get("moves") if isinstance(record, Mapping) else None
    for at, moves in (
        ("/moves", members.get("moves")),
        ("/last_moves", members.get("last_moves")),
        ("/record/moves", in_record),
    ):
        if isinstance(moves, list) and len(moves) > most:
            raise too_many_moves(len(moves), most, at)


def with_pointers(messages: Any, at: str = "") -> Iterator[tuple[str, str]]:
    """Marshmallow's nested messages with JSON Pointers; a missing member is reported at its object."""
    if not isinstance(messages, Mapping):
        for message in messages:
            yield at, message
        return
    for name, below in messages.items():
        if name == "_schema":
            yield from with_pointers(below, at)
        elif below == [MISSING]:
            yield at, f'the member "{name}" is missing'
        elif len(str(name)) > LONG_NAME:
            yield at, f"a name has {len(name)} characters, more than any known name"
        else:
            yield from with_pointers(below, at + pointer_to([str(name)]))
