"""What a request body holds around its documents: players, seeds, paging, flags.

Loaded strictly: "3" is no number, a member that is not declared is refused. The documents themselves stay as they are;
their schemas judge them. All errors are found at once, each with a JSON Pointer into the body.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from inspect import getdoc
from itertools import islice
from typing import Any, ClassVar

from marshmallow import RAISE, Schema, ValidationError, fields, missing, validates_schema

from capomastro.adjudicator import DEFAULT_LIMIT, MAXIMUM_LIMIT
from capomastro.documents.problems import MAXIMUM_ERRORS, Problem, too_many_moves
from capomastro.engine.records import Repair

JsonSchema = dict[str, Any]
MOST_PLAYERS = 20
"""Far more than can play, and only there so that lists have an end."""

MISSING = "is missing"
REPEATED = "is given more than once"
LONG_NAME = 80
"""A name with more characters is not repeated."""


# --- kinds of members ------------------------------------------------------------------------------------------------


class Member(fields.Field[Any]):
    """A member of a body: it has a description, and a JSON Schema for the specification."""

    default_error_messages: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "required": MISSING,
        "null": "must not be null",
        "validator_failed": "is not allowed",
    }

    def __init__(self, description: str, json_schema: JsonSchema, **rest: Any) -> None:
        super().__init__(metadata={"description": description}, **rest)
        self.description = description
        self.json_schema = json_schema

    def read(self, text: str) -> Any:
        """The value a parameter of the query has; one that makes no sense stays as it is, and is refused as such."""
        return text

    def described(self, document: Callable[[str], JsonSchema]) -> JsonSchema:
        """Its JSON Schema; `document` gives that of a kind of document."""
        schema = {"description": self.description, **self.json_schema}
        return schema | ({"type": [schema["type"], "null"]} if self.allow_none else {})


class Document(Member):
    """A document of the game, left as it is: unless said otherwise null too goes to the schema named by `kind`."""

    def __init__(self, kind: str, description: str, **rest: Any) -> None:
        super().__init__(description, {}, **{"allow_none": True, **rest})
        self.kind = kind

    def described(self, document: Callable[[str], JsonSchema]) -> JsonSchema:
        return {"description": self.description, **document(self.kind)}

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> Any:
        return value


class Documents(Member):
    """A list of documents of the game, each left as it is."""

    def __init__(self, kind: str, description: str, **rest: Any) -> None:
        super().__init__(description, {"type": "array"}, **rest)
        self.kind = kind

    def described(self, document: Callable[[str], JsonSchema]) -> JsonSchema:
        return {**super().described(document), "items": document(self.kind)}

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> list[Any]:
        if type(value) is not list:
            raise ValidationError("must be an array")
        return value


class Number(Member):
    """A whole number in a range."""

    def __init__(self, least: int, most: int | None, description: str, **rest: Any) -> None:
        maximum = {} if most is None else {"maximum": most}
        super().__init__(description, {"type": "integer", "minimum": least, **maximum}, **rest)
        self.least = least
        self.most = most

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> int:
        if type(value) is not int:
            raise ValidationError("must be an integer")
        if value < self.least or (self.most is not None and value > self.most):
            raise ValidationError(f"must be at least {self.least}{f' and at most {self.most}' if self.most else ''}")
        return value


class Text(Member):
    """A text of limited length."""

    def __init__(self, shortest: int, longest: int, description: str, **rest: Any) -> None:
        super().__init__(description, {"type": "string", "minLength": shortest, "maxLength": longest}, **rest)
        self.shortest = shortest
        self.longest = longest

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> str:
        if type(value) is not str:
            raise ValidationError("must be a string")
        if not self.shortest <= len(value) <= self.longest:
            raise ValidationError(f"must have {self.shortest} to {self.longest} characters")
        return value


class Flag(Member):
    """True or false."""

    def __init__(self, description: str, **rest: Any) -> None:
        super().__init__(description, {"type": "boolean"}, **rest)

    def read(self, text: str) -> Any:
        return {"true": True, "false": False}.get(text, text)

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> bool:
        if type(value) is not bool:
            raise ValidationError("must be true or false")
        return value


class Choice(Member):
    """One of a few words."""

    def __init__(self, words: tuple[str, ...], description: str, **rest: Any) -> None:
        super().__init__(description, {"type": "string", "enum": list(words)}, **rest)
        self.words = words

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> str:
        if type(value) is not str or value not in self.words:
            raise ValidationError(f"must be one of: {', '.join(self.words)}")
        return value


class Names(Member):
    """The players' names."""

    one = Text(1, 100, "A player's name.")

    def __init__(self, description: str, **rest: Any) -> None:
        super().__init__(
            description, {"type": "array", "maxItems": MOST_PLAYERS, "items": self.one.json_schema}, **rest
        )

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> list[str]:
        return each(value, self.one.deserialize, MOST_PLAYERS)


class Seats(Member):
    """Different seats, null for a spectator."""

    one = Number(0, None, "A seat.", allow_none=True)

    def __init__(self, description: str, **rest: Any) -> None:
        items = {"type": ["integer", "null"], "minimum": 0}
        schema = {"type": "array", "maxItems": MOST_PLAYERS, "uniqueItems": True, "items": items}
        super().__init__(description, schema, **rest)

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> list[int | None]:
        seats = each(value, self.one.deserialize, MOST_PLAYERS)
        if len(set(seats)) < len(seats):
            raise ValidationError("must be different seats")
        return seats


def each(values: Any, load: Callable[[Any], Any], most: int) -> list[Any]:
    """A list of at most so many items, each loaded."""
    if type(values) is not list:
        raise ValidationError("must be an array")
    if len(values) > most:
        raise ValidationError(f"has {len(values)} items, at most {most} allowed")
    items, errors = [], {}
    for index, value in enumerate(values):
        try:
            items.append(load(value))
        except ValidationError as error:
            errors[index] = error.messages
    if errors:
        raise ValidationError(errors)
    return items


# --- bodies ----------------------------------------------------------------------------------------------------------


class Envelope(Schema):
    """A request body."""

    class Meta:
        unknown = RAISE

    error_messages: ClassVar[dict[str, str]] = {  # type: ignore[misc]
        "unknown": "is not a member this object can have",
        "type": "must be an object",
    }
    refused: ClassVar[str] = "The documents in the body were not looked at."
    """What is said if anything is wrong in it."""

    def accepted(self, body: Any) -> dict[str, Any] | None:
        """The members of a body with which nothing is wrong; None if there is: `load` finds everything, and is slow.

        Raises:
            ValidationError: for one member that is wrong.
        """
        if type(body) is not dict:
            return None
        members, given = {}, 0
        for name, member in self.fields.items():
            if name in body:
                members[name] = member.deserialize(body[name])
                given += 1
            elif member.required:
                return None
            elif member.load_default is not missing:
                members[name] = member.deserialize(missing)
        return members if given == len(body) else None

    def parameters(self) -> "Query":
        """What the query can say where the body is a document by itself: all other members."""
        documents = (Document, Documents)
        members = {name: one for name, one in self.declared_fields.items() if not isinstance(one, documents)}
        return Query.from_dict(members)()  # type: ignore[return-value]

    def described(self, document: Callable[[str], JsonSchema]) -> JsonSchema:
        """The JSON Schema of the body, for the specification; `document` gives that of a kind of document."""
        members = {name: member for name, member in self.fields.items() if isinstance(member, Member)}
        return {
            "description": getdoc(type(self)),
            "type": "object",
            "properties": {name: member.described(document) for name, member in members.items()},
            "required": [name for name, member in members.items() if member.required],
            "additionalProperties": False,
        }


class Query(Envelope):
    """The parameters of a query."""

    error_messages: ClassVar[dict[str, str]] = {"unknown": "is not a parameter this resource takes"}  # type: ignore[misc]
    refused = "The parameters in the query are not as this resource takes them; the body was not looked at."


class Alternatives(Envelope):
    """A request body that holds exactly one of several members."""

    exactly_one_of: ClassVar[tuple[str, ...]]

    def accepted(self, body: Any) -> dict[str, Any] | None:
        members = super().accepted(body)
        return None if members is None or sum(member in members for member in self.exactly_one_of) != 1 else members

    @validates_schema
    def refuse_none_or_several(self, data: Mapping[str, Any], **_: Any) -> None:
        if sum(member in data for member in self.exactly_one_of) != 1:
            raise ValidationError(f"must have exactly one of the members {' and '.join(self.exactly_one_of)}")

    def described(self, document: Callable[[str], JsonSchema]) -> JsonSchema:
        """One closed object for each of the members, in their order."""
        schema = super().described(document)
        return {
            "description": schema["description"],
            "oneOf": [self.with_member(chosen, schema) for chosen in self.exactly_one_of],
        }

    def with_member(self, chosen: str, schema: JsonSchema) -> JsonSchema:
        """The body that has this one of several members."""
        others = {*self.exactly_one_of} - {chosen}
        properties = {name: member for name, member in schema["properties"].items() if name not in others}
        required = [name for name in properties if name == chosen or name in schema["required"]]
        return {**schema, "properties": properties, "required": required}


SEED = "Draws all chance that is not supplied: same seed, same game. Everything it draws stands in `moves`."


class Setup(Envelope):
    """Who plays what."""

    players = Number(1, None, "How many play.", required=True)
    names = Names("Their names by seat, as many as players.")
    options = Document(
        "options", "Variants and set-up choices; what is left out has its default.", load_default=dict, allow_none=False
    )
    seed = Text(0, 200, SEED)


class LegalMoves(Envelope):
    """A state, and what page of its moves."""

    state = Document("state", "The state to decide in.", required=True)
    limit = Number(1, MAXIMUM_LIMIT, f"How many moves at most; {DEFAULT_LIMIT} if absent.")
    cursor = Text(0, 200, "`next_cursor` of the page before, made for the same state and payments.")
    payments = Choice(
        ("minimal", "all"),
        "`minimal` (if absent): of payments only those of which no proper part pays the price; `all`: every valid one.",
    )
    explain = Flag("Whether to say of every other kind of move why it is not available.")


class Verdict(Envelope):
    """A state and a move."""

    state = Document("state", "The state in which the move is made.", required=True)
    move = Document("move", "The move.", required=True)


class Transition(Envelope):
    """A state and moves to play."""

    state = Document("state", "The state before.", required=True)
    moves = Documents("move", "The moves to play, all or nothing; may be empty with a seed.", required=True)
    seed = Text(0, 200, SEED)
    views = Seats("Whose views to answer as well; null for a spectator.")
    legal_moves = Number(
        1,
        MAXIMUM_LIMIT,
        "Answer the legal moves of the next decision as well, at most so many. They show the hand of whoever decides.",
    )


class Audit(Envelope):
    """A state to examine."""

    state = Document("state", "The state to examine.", required=True)


class Score(Alternatives):
    """A finished game: what lies on the table, or a state."""

    exactly_one_of = ("scoresheet", "state")
    scoresheet = Document("scoresheet", "What lies on the table at the end.")
    state = Document("state", "A state in which no player decides any more.")


class Terms(Envelope):
    """How records are judged."""

    under_current_rules = Flag("Judge a record of another `rules_version` by the current rules.")
    repair = Choice(
        tuple(repair.value for repair in Repair),
        "Follow the record beyond its first illegal move. `skip`: leave out every move that is not legal; `correct`: "
        "replace it, insert one before it or leave it out, whatever lets the record go on furthest.",
    )


class Replay(Terms):
    """A record to judge."""

    record = Document("record", "The recorded game.", required=True)


class Conversion(Envelope):
    """A record to write in another form."""

    record = Document("record", "The recorded game.", required=True)


class View(Alternatives):
    """A state or a record, and who looks at it."""

    exactly_one_of = ("state", "record")
    state = Document("state", "The state to look at.")
    record = Document("record", "The record to look at.")
    seat = Number(0, None, "Who looks at it; null for a spectator.", required=True, allow_none=True)


# --- loading ---------------------------------------------------------------------------------------------------------


def loaded(envelope: Envelope, body: Any) -> dict[str, Any]:
    """The members of a body, or the parameters of a query.

    Raises:
        Problem: `envelope`, with all errors up to a cap.
    """
    with suppress(ValidationError):
        accepted = envelope.accepted(body)
        if accepted is not None:
            return accepted
    try:
        members: dict[str, Any] = envelope.load(body)
    except ValidationError as error:
        messages = error.normalized_messages()  # type: ignore[no-untyped-call]
        found = islice(pointed(messages), MAXIMUM_ERRORS)
        errors = [{"pointer": pointer, "message": message} for pointer, message in found]
        raise Problem("envelope", envelope.refused, errors) from None
    return members


def loaded_parameters(query: Query, given: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """The parameters of a query, loaded as strictly as members of a body, and pointed at as if they were members.

    Raises:
        Problem: `envelope`.
    """
    repeated = {name: [REPEATED] for name, texts in given.items() if len(texts) > 1}
    if repeated:
        errors = [{"pointer": pointer, "message": message} for pointer, message in pointed(repeated)]
        raise Problem("envelope", "A parameter can be given only once.", errors[:MAXIMUM_ERRORS])
    return loaded(query, {name: parameter(query, name, text) for name, (text,) in given.items()})


def parameter(query: Query, name: str, text: str) -> Any:
    member = query.fields.get(name)
    return member.read(text) if isinstance(member, Member) else text


def refuse_long(members: Mapping[str, Any], most: int) -> None:
    """Raises if a body or a record in it has more than `most` moves."""
    record = members.get("record")
    for at, holder in (("", members), ("/record", record)):
        moves = holder.get("moves") if isinstance(holder, Mapping) else None
        if isinstance(moves, list) and len(moves) > most:
            raise too_many_moves(len(moves), most, f"{at}/moves")


def pointed(messages: Any, at: str = "") -> Iterator[tuple[str, str]]:
    """Marshmallow's nested messages with their JSON Pointers; what is missing, at the object it is missing from."""
    if not isinstance(messages, Mapping):
        for message in messages:
            yield at, message
        return
    for name, below in messages.items():
        if name == "_schema":
            yield from pointed(below, at)
        elif below == [MISSING]:
            yield at, f'the member "{name}" is missing'
        elif len(str(name)) > LONG_NAME:
            yield at, f"a name has {len(name)} characters, more than any that is known"
        else:
            yield from pointed(below, f"{at}/{escaped(str(name))}")


def escaped(name: str) -> str:
    """A name as a part of a JSON Pointer (RFC 6901)."""
    return name.replace("~", "~0").replace("/", "~1")
