"""The tools: a call with arguments in, a text for a model out. Texts come from the library and the catalogues."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from itertools import dropwhile
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

import capomastro
from capomastro import Game, Move, Position, Problem, Record
from capomastro.adjudicator import scoresheet_template
from capomastro.agents.tables import Place, Tables
from capomastro.documents.json_text import begins_as_object
from capomastro.documents.languages import current_language
from capomastro.documents.suggestions import did_you_mean
from capomastro.documents.wordings import catalogue, phrase, section_name, title_of
from capomastro.layout.formatting import decision_line, player_at_seat, player_name, printable, table
from capomastro.layout.replays import mismatch_lines, outcome_text
from capomastro.library.games import as_json, document_in

PACKAGE = "capomastro.agents"

FEW = 10
"""So many legal moves are shown without being asked for."""
PAGE = 50
"""Maximum number of legal moves in an answer."""
NEAREST = 3
"""Number of legal moves shown to the player of an illegal one."""
MAXIMUM_BYTES = 400_000
"""Maximum size of the arguments of a call, as JSON: more than the longest game."""

PICTURE = "capomastro://tables/{key}.svg"
"""The address of the picture that the holder of a key may see."""

Key = Annotated[str, Meta(max_length=100)]
Id = Annotated[str, Meta(max_length=100)]
Number = Annotated[int, Meta(ge=1)]


class Mistake(Exception):
    """A call that cannot be answered; its text says why, and is for the model to read."""


class Answer(NamedTuple):
    """The text of an answer, and the address of a picture if one was asked for."""

    text: str
    picture: str | None = None


# --- arguments -------------------------------------------------------------------------------------------------------


class Arguments(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The arguments of a tool: the names of its members are the names of the arguments."""


class Games(Arguments, frozen=True):
    game: Id | UnsetType = UNSET


class NewGame(Arguments, frozen=True):
    game: Id
    players: Annotated[int, Meta(ge=1, le=9)]
    names: list[str] | UnsetType = UNSET
    options: dict[str, Any] | UnsetType = UNSET


class Look(Arguments, frozen=True):
    key: Key
    picture: bool = False


class Moves(Arguments, frozen=True):
    key: Key
    first: Number = 1


class Play(Arguments, frozen=True):
    key: Key
    move: str | Number | dict[str, Any]
    ply: int | UnsetType = UNSET


class Rule(Arguments, frozen=True):
    id: Id


class Score(Arguments, frozen=True):
    scoresheet: dict[str, Any] | str | UnsetType = UNSET
    key: Key | UnsetType = UNSET


class Check(Arguments, frozen=True):
    record: str | dict[str, Any]


# --- what can be known before a game ---------------------------------------------------------------------------------


def show_games(_tables: Tables, asked: Games) -> Iterator[str]:
    """All games; or one, with its options, the sections of its rules and an empty scoresheet."""
    if asked.game is UNSET:
        yield from table([[game.id, title_of(game.definition), players_text(game)] for game in capomastro.all_games()])
        return
    game = capomastro.game(asked.game)
    sheet = scoresheet_template(game.definition, game.players[0])
    yield f"{game.id}: {title_of(game.definition)}, {players_text(game)}"
    yield phrase("agents-options", options=compact(game.options))
    yield phrase("agents-scoresheet", sheet=compact(sheet))
    yield phrase("agents-sections")
    counts: dict[str, int] = {}
    names: dict[str, str] = {}
    for rule in game.rules:
        section = ".".join(rule.split(".")[:2])
        counts[section] = counts.get(section, 0) + 1
        names.setdefault(section, section_name(game.definition, rule))
    yield from table([[section, names[section], str(count)] for section, count in counts.items()], right=(2,))


def players_text(game: Game) -> str:
    return phrase("player-range", fewest=game.players[0], most=game.players[-1])


def compact(document: Any) -> str:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


def show_rule(_tables: Tables, asked: Rule) -> Iterator[str]:
    """A rule with its source; or all rules whose ids begin so."""
    game = capomastro.game(asked.id.partition(".")[0])
    rules = game.rules
    if asked.id in rules:
        yield f"{asked.id}: {rules[asked.id]}"
        return
    below = [rule for rule in rules.values() if rule.id.startswith(f"{asked.id.rstrip('.')}.")]
    if not below:
        detail = phrase("agents-no-such-rule", title=title_of(game.definition), rule=printable(asked.id))
        raise Mistake(detail + did_you_mean(asked.id, rules))
    yield from (f"{rule.id}: {rule.wording}" for rule in below)


# --- at a table ------------------------------------------------------------------------------------------------------


def begin(tables: Tables, asked: NewGame) -> Iterator[str]:
    """A new game, and the key of each seat."""
    names, options = given(asked.names), given(asked.options)
    position, keys = tables.begin(asked.game, asked.players, names, options)
    yield position.seen_by(None).heading
    yield from (f"{player_name(seat, position.names)}: {key}" for seat, key in enumerate(keys))
    yield phrase("agents-keys")


def look(tables: Tables, asked: Look) -> Iterator[str]:
    """What a seat sees, what has happened since its last move, and the moves if they are few."""
    place = tables.place(asked.key)
    view = place.view
    yield str(view)
    yield ""
    yield phrase("agents-you-are", player=player_at_seat(place.seat, view.names))
    news = happened_since_own_move(place)
    if news:
        yield phrase("agents-news")
        yield from (f"- {sentence}" for sentence in news)
    yield from what_now(place)


def happened_since_own_move(place: Place) -> tuple[str, ...]:
    """What the seat saw of the moves after its own last one and the draws that followed; at first, after the set-up."""
    history = place.position.history
    own = (ply.number for ply in reversed(history) if ply.decision.seat == place.seat)
    last = next(own, -1)
    later = list(dropwhile(lambda ply: ply.number <= last or ply.decision.seat is None, history))
    if not later:
        return ()
    before = place.position
    while before.ply > later[0].number and before.before is not None:
        before = before.before
    return sentences(before.play(*(ply.move for ply in later)).seen_by(place.seat))


def sentences(view: Position) -> tuple[str, ...]:
    """What happened in the last call, one sentence a line: no name in them begins a line of its own."""
    return tuple(map(printable, view.in_words(current_language())))


def what_now(place: Place) -> Iterator[str]:
    """The legal moves if the seat is to move and they are few, otherwise their number; the result after the end."""
    view = place.view
    if view.result is not None:
        yield str(view.result)
    elif view.decision.seat == place.seat:
        total = view.legal_moves.total
        yield phrase("agents-your-move", moves=total, ply=view.ply)
        if total <= FEW:
            yield from numbered(view, 1, total)


def numbered(view: Position, first: int, last: int) -> Iterator[str]:
    """Legal moves in notation, from one number to another."""
    for number, move in enumerate(view.legal_moves[first - 1 : last], first):
        yield f"{number}. {view.game.notation(move)}"


def show_moves(tables: Tables, asked: Moves) -> Iterator[str]:
    """The legal moves of the seat to move, and why the other kinds of moves are impossible."""
    place = tables.place(asked.key)
    view = place.view
    require_turn(place, view)
    total, last = view.legal_moves.total, asked.first + PAGE - 1
    require_number(asked.first, total)
    yield view.heading
    yield phrase("agents-your-move", moves=total, ply=view.ply)
    yield from numbered(view, asked.first, min(last, total))
    if last < total:
        yield phrase("agents-more-moves", first=last + 1)
    for kind, refusal in view.unavailable().items():
        yield phrase("agents-impossible", kind=kind, refusal=str(refusal))


def play(tables: Tables, asked: Play) -> Iterator[str]:
    """Plays a move: what the seat saw of it and of the draws after it, and who decides next."""
    place = tables.place(asked.key)
    view = place.view
    if asked.ply is not UNSET and asked.ply != view.ply:
        raise Mistake(phrase("agents-other-ply", ply=view.ply))
    move = move_in(place, view, asked.move)
    refusal = view.why_not(move, seat=place.seat)
    if refusal is not None:
        near = view.nearest(move, NEAREST) if view.decision.seat == place.seat else ()
        nearest = [phrase("nearest"), *map(view.game.notation, near)] if near else []
        raise Mistake("\n".join([str(refusal), *nearest]))
    after = tables.play(asked.key, move)
    yield from sentences(after.view)
    yield after.view.heading
    yield from what_now(after)


def move_in(place: Place, view: Position, written: str | int | dict[str, Any]) -> Move:
    """A move by its number among the legal ones, in notation with or without its seat, or as a document."""
    if isinstance(written, str) and written.strip().isdecimal():
        written = int(written) if len(written) < PAGE else PAGE**PAGE
    if isinstance(written, int):
        require_turn(place, view)
        require_number(written, view.legal_moves.total)
        return view.legal_moves[written - 1]
    try:
        is_text = isinstance(written, str) and not begins_as_object(written)
        return move_in_notation(place, view, str(written)) if is_text else view.game.move(written)
    except Problem as problem:
        if view.decision.seat != place.seat:
            raise
        example = view.game.notation(view.legal_moves[0])
        raise Mistake(f"{problem}\n{phrase('agents-example', move=example)}") from None


def require_number(number: int, total: int) -> None:
    """Refuses the number of no legal move."""
    if not 1 <= number <= total:
        raise Mistake(phrase("agents-no-such-number", moves=total))


def move_in_notation(place: Place, view: Position, written: str) -> Move:
    """A move in notation, whose seat may be left out.

    Raises:
        Problem: `shape`; `malformed-notation`, with the columns of the text as it was written.
    """
    with suppress(Problem):
        return view.game.move(written, view.names)
    named = written[:1].isdigit() or any(written.startswith(f"{name} ") for name in view.names or ())
    seat = "" if named else f"{place.seat} "
    try:
        return view.game.move(seat + written, view.names)
    except Problem as problem:
        if problem.id != "malformed-notation":
            raise
        errors = [{**error, "column": max(1, error["column"] - len(seat))} for error in problem.errors]
        raise Problem(problem.id, problem.detail, errors) from None


def require_turn(place: Place, view: Position) -> None:
    """Refuses who is not to move, before they have named a move."""
    if view.decision.seat == place.seat:
        return
    definition = view.game.definition
    decides = decision_line(definition, msgspec.to_builtins(view.decision), view.names)
    rule = definition.rule("end.over" if view.is_over else "turn.seat")
    raise Mistake(f"{phrase('not-your-turn', waiting=f'{decides}.', seat=place.seat)} [{rule}]")


# --- documents from elsewhere ----------------------------------------------------------------------------------------


def count_points(tables: Tables, asked: Score) -> Iterator[str]:
    """The points of a scoresheet; or of a table that is over, or that only chance can still change."""
    if asked.scoresheet is not UNSET and asked.key is UNSET:
        yield str(capomastro.score(asked.scoresheet))
    elif asked.key is not UNSET and asked.scoresheet is UNSET:
        yield str(tables.place(asked.key).view.score())
    else:
        raise Mistake(phrase("agents-one-of-two"))


def check(_tables: Tables, asked: Check) -> Iterator[str]:
    """Whether a record is legal, or where it first breaks which rule; and whether its result is right."""
    written = asked.record
    record = Record.from_text(written) if isinstance(written, str) else Record.from_document(written)
    replay = record.replay()
    answer, game, names = msgspec.to_builtins(replay), record.game.definition, record.names
    if replay.first_divergence is UNSET:
        yield phrase("legal-record", plies=replay.plies, outcome=outcome_text(game, answer, names))
        yield from mismatch_lines(game, answer, names)
        return
    found = answer["first_divergence"]
    yield phrase(f"{found['departure']}-at", ply=found["index"]) + phrase("after-moves", plies=replay.plies)
    yield decision_line(game, found["decision"], names)
    yield f"{printable(found['text'])}: {found['refusal']['message']} [{found['refusal']['rule']}]"
    if found["nearest"]:
        yield phrase("nearest")
        yield from (record.game.notation(record.game.move(near["move"])) for near in found["nearest"][:NEAREST])


# --- all of them -----------------------------------------------------------------------------------------------------


class Tool(NamedTuple):
    """A tool: its arguments, and what answers a call."""

    arguments: type[Arguments]
    answer: Callable[[Tables, Any], Iterator[str]]
    changes: bool = False
    """Whether a call changes anything."""


TOOLS: Mapping[str, Tool] = {
    "games": Tool(Games, show_games),
    "new_game": Tool(NewGame, begin, changes=True),
    "look": Tool(Look, look),
    "moves": Tool(Moves, show_moves),
    "play": Tool(Play, play, changes=True),
    "rule": Tool(Rule, show_rule),
    "score": Tool(Score, count_points),
    "check": Tool(Check, check),
}


def words(table: str) -> Mapping[str, Any]:
    """A table of the catalogue of the tools, in the current language."""
    found: Mapping[str, Any] = catalogue(PACKAGE, current_language())[table]
    return found


def schema(tool: str) -> dict[str, Any]:
    """The JSON Schema of a tool's arguments, with what they mean in the current language."""
    kind = TOOLS[tool].arguments
    plain = {name: member for name, member in bare_schema(kind).items() if name != "properties"}
    meanings = words("tools")[tool]
    members = {
        name: {**member, "description": meanings[name]} for name, member in bare_schema(kind)["properties"].items()
    }
    return {**plain, "properties": members}


def bare_schema(kind: type[Arguments]) -> dict[str, Any]:
    """The JSON Schema of arguments, as short as it can be: models read it before every game."""
    (found,) = msgspec.json.schema_components([kind])[1].values()
    return {name: without_bounds(member) for name, member in found.items() if name not in ("title", "description")}


def without_bounds(member: Any) -> Any:
    """A part of a schema without lengths: a call that exceeds one is told so."""
    if not isinstance(member, dict):
        return member
    kept = {name: without_bounds(value) for name, value in member.items() if name != "maxLength"}
    if "anyOf" in kept:
        kept["anyOf"] = [without_bounds(form) for form in kept["anyOf"]]
    return kept


def call(tables: Tables, name: str, arguments: Mapping[str, Any]) -> Answer:
    """Answers a call of one of the `TOOLS`.

    Raises:
        Mistake: if it cannot be answered.
    """
    tool = TOOLS[name]
    try:
        written = as_json(arguments)
        if len(written) > MAXIMUM_BYTES:
            raise Mistake(phrase("agents-too-large", bytes=MAXIMUM_BYTES))
        asked = msgspec.convert(document_in(written), tool.arguments, strict=False)
        text = "\n".join(tool.answer(tables, asked))
    except msgspec.ValidationError as error:
        raise Mistake(phrase("agents-arguments", tool=name, reason=str(error))) from None
    except Problem as problem:
        raise Mistake(str(problem)) from None
    except OSError:
        raise Mistake(phrase("table-unwritable")) from None
    picture = PICTURE.format(key=asked.key) if isinstance(asked, Look) and asked.picture else None
    return Answer(text, picture)


def picture(tables: Tables, address: str) -> str:
    """The picture of a table as the holder of the key in the address may see it, as SVG.

    Raises:
        Mistake: if there is none.
    """
    before, after = PICTURE.split("{key}")
    key = address.removeprefix(before).removesuffix(after)
    try:
        return tables.place(key).view.picture(language=current_language())
    except Problem as problem:
        raise Mistake(str(problem)) from None


def given(value: Any) -> Any:
    """An argument, None if it is absent."""
    return None if value is UNSET else value
