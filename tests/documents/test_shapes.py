"""Reading and explaining: the same verdict as the schemas, and helpful explanations."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import cycle, islice
from random import Random
from time import thread_time
from typing import Any

import pytest
from jsonschema import Draft202012Validator, ValidationError
from jsonschema.validators import extend
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from capomastro import adjudicator
from capomastro.catalogue import served_schema
from capomastro.documents import shapes
from capomastro.documents.explanations import explaining_validator, explanations, full_pattern
from capomastro.documents.phrases import ShapeError
from capomastro.documents.problems import MAXIMUM_ERRORS
from capomastro.documents.reading import KINDS, can_read, reader_of
from capomastro.documents.shapes import ORIGIN, documents_of, games_with_schemas
from capomastro.engine import referee
from capomastro.engine.game import AnyGame
from capomastro.games import all_games
from tests.support.damage import at, damaged, places, replaced
from tests.support.documents import as_document
from tests.support.playouts import Ply, play_out, start
from tests.support.schemas import schema_files
from tests.support.setups import Setup, few_setups
from tests.support.shapes import by_schema, shape_of

every_setup = pytest.mark.parametrize("setup", few_setups(), ids=str)
every_game = pytest.mark.parametrize("game", list(all_games().values()), ids=lambda game: game.id)

ALWAYS_WRONG = {"added member", "renamed member", "line feed", "blank", "upper case", "other digits", "fraction"}
ALWAYS_WRONG |= {"negative", "as text", "too large"}
"""Damage that makes a state without names invalid at every place."""

# --- what is accepted ------------------------------------------------------------------------------------------------


@every_setup
def test_documents_written_by_a_game_are_accepted(setup: Setup) -> None:
    game = setup.game
    shape = {document: shape_of(game.id, document) for document in documents_of(game.id)}
    begin = start(game, setup.players, setup.options)
    plies = list(play_out(game, setup.players, setup.options, "shapes"))
    result = game.result(plies[-1].after)
    record = adjudicator.record_of(game, begin, [ply.move for ply in plies], result)
    assert shape["record"].errors(as_document(record)) == []
    assert shape["record"].accepts(as_document(record))
    assert shape["result"].accepts(as_document(result))
    for state in (begin, *(ply.after for ply in plies)):
        assert shape["state"].accepts(as_document(state)), state
        assert reader_of(game, "state")(as_document(state)) == state
        for seen in (state, *(game.view(state, viewer) for viewer in (*range(setup.players), None))):
            derived = as_document(game.derived(seen))
            assert shape["derived"].accepts(derived), shape["derived"].errors(derived)
    for ply in plies:
        assert shape["move"].accepts(as_document(ply.move)), ply.move
        assert reader_of(game, "move")(as_document(ply.move)) == ply.move
        for event in ply.events:
            assert shape["event"].accepts(as_document(event)), shape["event"].errors(as_document(event))
        view = as_document(game.view(ply.after, ply.after.ply % setup.players))
        assert shape["state"].accepts(view), shape["state"].errors(view)


def test_shapes_of_documents_that_do_not_exist() -> None:
    for game, document in ((None, "state"), ("nowhere", "state"), ("palazzo", "castle"), ("../common", "hand")):
        with pytest.raises(KeyError):
            shape_of(game, document)


def test_every_reader_is_made_at_once() -> None:
    assert shapes.prepare(all_games().values()) == len(schema_files())
    made = reader_of.cache_info().misses
    for game in all_games().values():
        assert all(reader_of(game, kind) is reader_of(game, kind) for kind in KINDS)
    assert reader_of.cache_info().misses == made


# --- one verdict -----------------------------------------------------------------------------------------------------


@cache
def by_the_letter(game_id: str, document: str) -> Draft202012Validator:
    """`jsonschema` without our keywords, on the served schemas; only its regular expressions are corrected."""
    reference = {"$ref": f"{ORIGIN}/v1/games/{game_id}/schemas/{document}"}
    validator: Draft202012Validator = strict_validator()(reference, registry=served_schemas())
    return validator


@cache
def served_schemas() -> Registry[Any]:
    every = [(game, name) for game in (None, *games_with_schemas()) for name in documents_of(game)]
    schemas = [served_schema(game, name) for game, name in every]
    for schema in schemas:
        schema.pop("$schema")
    resources = [(ORIGIN + schema["$id"], DRAFT202012.create_resource(schema)) for schema in schemas]
    return Registry[Any]().with_resources(resources)


@cache
def strict_validator() -> type[Draft202012Validator]:
    """It looks up each reference once: `jsonschema` does so for every value, and takes twice as long."""
    found: dict[tuple[str, str], Any] = {}

    def reference(validator: Any, address: str, instance: Any, _: Any) -> Iterator[ValidationError]:
        place = validator._resolver._base_uri, address
        if place not in found:
            found[place] = validator._resolver.lookup(address)
        yield from validator.descend(instance, found[place].contents, resolver=found[place].resolver)

    strict: type[Draft202012Validator] = extend(  # type: ignore[no-untyped-call]
        Draft202012Validator, {"pattern": full_pattern, "$ref": reference}
    )
    return strict


@cache
def games_of(game_id: str) -> tuple[Ply, ...]:
    game = all_games()[game_id]
    return tuple(ply for players in game.players for ply in play_out(game, players, None, "to be damaged"))


def documents_to_damage(game: AnyGame, number: int) -> Iterator[tuple[str, Any]]:
    """Documents of clients, by name: first states of every stage, then random ones."""
    plies, random = games_of(game.id), Random(1)
    of_each_stage = {type(ply.after.stage): ply.after for ply in plies}
    of_each_move = {type(ply.move): ply.move for ply in plies}
    yield from (("state", as_document(state)) for state in of_each_stage.values())
    yield from (("move", as_document(move)) for move in of_each_move.values())
    for ply in random.sample(plies, number):
        yield "state", as_document(game.view(ply.after, random.choice([None, 0, 1])))
    begin = start(game, len(plies[0].after.seats))
    end = next(ply.after for ply in plies if referee.is_over(game, ply.after))
    moves = [ply.move for ply in plies[:30]]
    yield "record", as_document({**adjudicator.record_of(game, begin, moves, game.result(end)), "names": ["A", "Bé"]})
    yield "record", {**as_document(adjudicator.record_of(game, begin, moves)), "totals": [1, 2]}
    for document in ("scoresheet", "options"):
        yield from ((document, example) for example in schema_files()[f"{game.id}/{document}.json"]["examples"])


@every_game
def test_documents_are_read_exactly_when_their_schemas_accept_them(game: AnyGame) -> None:
    verdicts = {True: 0, False: 0}
    random = Random(2)
    for document, whole in documents_to_damage(game, 4):
        shape = shape_of(game.id, document)
        for number, spoilt in enumerate([("nothing", "", whole), *damaged(whole, random, 12)]):
            kind, pointer, value = spoilt
            if kind == "float":  # 1.0 is an integer by the schemas, but none is ever decoded
                continue
            accepted = shape.accepts(value)
            errors = shape.errors(value)
            assert accepted == (errors == []), (kind, pointer, errors)
            assert accepted == by_schema(shape.reference)(value), (kind, pointer, errors)
            if number % 4 == 0:
                assert accepted == by_the_letter(game.id, document).is_valid(value), (kind, pointer, errors)
            if kind in ALWAYS_WRONG and document in ("state", "move"):
                assert not accepted, (kind, pointer)
            verdicts[accepted] += 1
            for error in errors:
                assert_helpful(error, value)
    assert all(verdicts.values()), "a comparison needs both verdicts"


@every_game
def test_every_bound_of_the_schemas_is_that_of_reading(game: AnyGame) -> None:
    """At every place numbers and lengths at each bound of any schema of the game, and one less and one more."""
    files = [schema for name, schema in schema_files().items() if name.startswith((f"{game.id}/", "common/"))]
    within = {bound + step for bound in bounds_in(files) for step in (-1, 0, 1)}
    verdicts, seen = Counter[bool](), set()
    for kind, whole in documents_to_damage(game, 4):
        is_valid = by_schema(shape_of(game.id, kind).reference)
        for path in places(whole):
            value = at(whole, path)
            alike = kind, tuple(step if isinstance(step, str) else "*" for step in path)
            if alike in seen or value == []:
                continue
            seen.add(alike)
            for bound in sorted(within):
                spoilt: Any = bound
                if isinstance(value, list) and value and 0 <= bound <= 150:
                    spoilt = list(islice(cycle(value), bound))
                elif isinstance(value, str) and 0 <= bound <= 1001:
                    spoilt = "x" * bound
                elif type(value) is not int:
                    continue
                document = replaced(whole, path, spoilt)
                accepted = can_read(game, kind, document)
                assert accepted == is_valid(document), (kind, path, spoilt)
                verdicts[accepted] += 1
    assert min(verdicts[True], verdicts[False]) > 1000


def bounds_in(schema: Any) -> set[int]:
    """Every bound that a schema states of numbers and lengths."""
    if isinstance(schema, list):
        return set().union(*map(bounds_in, schema))
    if not isinstance(schema, dict):
        return set()
    stated = {schema[keyword] for keyword in BOUNDS if type(schema.get(keyword)) is int}
    return stated.union(*map(bounds_in, schema.values()))


BOUNDS = ("minimum", "maximum", "minItems", "maxItems", "minLength", "maxLength", "maxProperties")


def assert_helpful(error: ShapeError, document: Any) -> None:
    steps = [step.replace("~1", "/").replace("~0", "~") for step in error.pointer.split("/")[1:]]
    place = document
    for step in steps:
        place = place[int(step)] if isinstance(place, list) else place[step]
    assert "does not comply" not in error.message, "a keyword whose errors are not worded"
    assert len(error.message) < 2000


# --- explanations ----------------------------------------------------------------------------------------------------


def example(document: str = "state") -> Any:
    """An example of Palazzo: as a state an auction of three."""
    return schema_files()[f"palazzo/{document}.json"]["examples"][0]


def errors_with(*path: str | int, value: Any, document: str = "state") -> list[ShapeError]:
    """The errors of the example with another value at `path`."""
    whole = example(document)
    parent = at(whole, path[:-1])
    if isinstance(parent, dict):  # including new members
        spoilt = replaced(whole, path[:-1], {**parent, path[-1]: value})
    else:
        spoilt = replaced(whole, path, value)
    shape = shape_of("palazzo", document)
    assert not shape.accepts(spoilt)
    return shape.errors(spoilt)


STAGES = (
    "draw-setup-tile, deal-card, choose-action, reveal-card, choose-two-cards, choose-card, draw-first-tile, "
    "draw-second-tile, buy-or-auction, raise-or-pass, choose-tile, place-tile, game-over"
)


def test_an_unknown_type_is_one_error_that_lists_the_known_ones() -> None:
    unknown = errors_with("stage", value={"type": "roll-dice", "dice": 2})
    assert unknown == [("/stage/type", f'"roll-dice" is not one of: {STAGES}')]
    for no_type in (5, None, ["pass"], {"type": "pass"}):
        ((pointer, message),) = errors_with("stage", value={"type": no_type})
        assert pointer == "/stage/type"
        assert message.endswith(f"is not one of: {STAGES}")
    assert errors_with("stage", value={}) == [("/stage", f'the member "type" is missing; it is one of: {STAGES}')]
    assert errors_with("stage", value=7) == [("/stage", "must be an object, not an integer")]


def test_a_known_type_is_explained_by_its_own_branch() -> None:
    assert errors_with("stage", value={"type": "choose-card", "seat": 4, "face_up": ["red-8"], "seats": 1}) == [
        ("/stage/seat", "4 is more than 3"),
        ("/stage/face_up/0", f'"red-8" is not {CARDS}; did you mean "red-7"?'),
        ("/stage/seats", 'is not a member this object can have; did you mean "seat"?'),
    ]
    moves = [{"type": "pass"}, {"type": "raise", "seat": 0, "cards": {}}, {"type": "fly"}, {"type": "build", "seat": 0}]
    found = errors_with("moves", value=moves, document="record")
    assert [pointer for pointer, _ in found] == ["/moves/0", "/moves/1/cards", "/moves/2/type"]
    assert [message for _, message in found[:2]] == [
        'the member "seat" is missing',
        "must be an array, not an object",
    ]


CARDS = (
    "one of: blue-3, blue-4, blue-5, blue-6, blue-7, certificate-2, green-3, green-4, green-5, green-6, green-7, "
    "red-3, red-4, red-5, red-6, red-7"
)
NO_RED_7 = f'is not {CARDS}; did you mean "red-7"?'


def test_errors_in_unions_explain_the_nearest_branch() -> None:
    deal = ("moves", 5, "card")
    assert errors_with(*deal, value="red-8", document="record") == [
        ("/moves/5/card", f'"red-8" is not {CARDS}; did you mean "red-7"?')
    ]
    assert errors_with(*deal, value=7, document="record") == [
        ("/moves/5/card", "must be a string or null, not an integer")
    ]
    ((_, message),) = errors_with("moves", 0, "tile", value="raider", document="record")
    assert (
        message == '"raider" is not one of: brick-1-1, brick-1-2, brick-1-3, … rider (46 in all); did you mean "rider"?'
    )
    palaces = [7, ["brick-1-1", "brick"], {"floors": 6, "windows": 3, "material": "one"}]
    assert [pointer for pointer, _ in errors_with("seats", 0, "palaces", value=palaces, document="scoresheet")] == [
        "/seats/0/palaces/0",
        "/seats/0/palaces/1/1",
        "/seats/0/palaces/2/floors",
    ]
    assert errors_with("totals", value=[1, "2"], document="record") == [
        ("/totals/1", "must be an integer, not a string")
    ]
    assert ("/result", 'the member "undecided" is missing') in errors_with(
        "result", value={"players": [], "tie_break": []}, document="record"
    )


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        (("ply",), -1, [("/ply", "-1 is less than 0")]),
        (("ply",), 10**30, [("/ply", f"{10**30} is more than 1000000")]),
        (("ply",), -(10**400), [("/ply", f"-1{'0' * 38}… (402 characters) is less than 0")]),
        (("ply",), True, [("/ply", "must be an integer, not a boolean")]),
        (("ply",), 1.5, [("/ply", "must be an integer, not a number")]),
        (("game",), "campanile", [("/game", '"campanile" is not palazzo')]),
        (("names",), None, [("/names", "must be an array, not null")]),
        (("names",), ["", "b" * 101], [
            ("/names/0", "has 0 characters, at least 1 needed"),
            ("/names/1", "has 101 characters, at most 100 allowed"),
        ]),
        (("quarries",), [[]], [("/quarries", "has 1 item, at least 4 needed")]),
        (("discards",), ["red-7"] * 56, [("/discards", "has 56 items, at most 55 allowed")]),
        (("seats", 0, "palaces"), [[]], [("/seats/0/palaces/0", "has 0 items, at least 1 needed")]),
        (("seats", 0, "hand", "unknown"), {"deck": 0}, [("/seats/0/hand/unknown/deck", "0 is less than 1")]),
        (("seats", 0, "hand", "unknown"), {"heap": 1}, [
            ("/seats/0/hand/unknown/heap", "is not a name a member can have here; it is not deck"),
        ]),
        (("active_seat",), 4, [("/active_seat", "4 is more than 3")]),
        (("active_seat",), 9, [("/active_seat", "9 is more than 3")]),
        (("seats", 0, "hand", "open"), [7], [("/seats/0/hand/open/0", "must be a string, not an integer")]),
        (("seats", 0, "hand"), {"open": ["red-7\n"]}, [("/seats/0/hand/open/0", f'"red-7\\n" {NO_RED_7}')]),
        (("seats", 0, "hand"), {"open": ["red-٧"]}, [("/seats/0/hand/open/0", f'"red-٧" {NO_RED_7}')]),
        (("seats", 0), {"palaces": []}, [("/seats/0", 'the member "hand" is missing')]),
        (("a/b~c",), 1, [("/a~1b~0c", "is not a member this object can have")]),
    ],
)  # fmt: skip
def test_errors_are_sentences_at_their_place(path: tuple[str, ...], value: Any, expected: Any) -> None:
    assert errors_with(*path, value=value) == expected


def test_errors_repeat_no_large_part_of_a_document() -> None:
    huge = "x" * 100_000
    assert errors_with(huge, value=1) == [("", "the name of a member has 100000 characters")]
    for value in (huge, [huge], {huge: huge}):
        for path in (("game",), ("supply",), ("supply", 0), ("ply",), ("stage",), ("seats", 0, "hand", "unknown")):
            expected = errors_with(*path, value=value)
            assert expected
            assert all(len(pointer) + len(message) < 1000 for pointer, message in expected)


def test_the_number_of_errors_is_capped() -> None:
    assert len(errors_with("moves", value=[7] * 1000, document="record")) == MAXIMUM_ERRORS
    assert len(errors_with("moves", value=[{"type": "pass", "a": 1, "b": 2}] * 60, document="record")) == MAXIMUM_ERRORS


LAST_LINE = "/result/players/1/lines/999"


def ending_in_a_wrong_line() -> Any:
    """A result whose players have a thousand lines each, of which the very last lacks its points."""
    (line, *_) = example("result")["players"][0]["lines"]
    wrong = {name: member for name, member in line.items() if name != "points"}
    return {
        "players": [
            {"seat": seat, "lines": [*[line] * 999, wrong if seat else line], "total": 0, "place": 1}
            for seat in range(2)
        ],
        "tie_break": [],
        "undecided": [],
        "winners": [0],
    }


@pytest.mark.parametrize(
    ("document", "path", "value", "pointer"),
    [
        ("record", ("moves",), [{"type": "build", "seat": 0}] * 90_000 + [{"type": "build"}], "/moves/90000"),
        ("record", ("moves",), [{"type": "build"}] * 200_000, "/moves"),
        ("record", ("tags",), {str(number): "" for number in range(200_000)}, "/tags"),
        ("record", ("totals",), ["1"] * 500_000, "/totals"),
        ("state", ("supply",), ["brick"] * 100_000, "/supply"),
        ("state", ("seats", 0, "hand", "open"), ["red-7"] * 199 + ["red"], "/seats/0/hand/open/199"),
        ("record", ("result",), ending_in_a_wrong_line(), LAST_LINE),
    ],
)
def test_valid_or_oversized_parts_are_not_examined(
    document: str, path: tuple[str, ...], value: Any, pointer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = 0

    def counting(*arguments: Any) -> Any:
        explaining: Any = explaining_validator(*arguments)
        descend = explaining.descend

        def counted(*arguments: Any, **named: Any) -> Any:
            nonlocal steps
            steps += 1
            return descend(*arguments, **named)

        explaining.descend = counted
        return explaining

    monkeypatch.setattr("capomastro.documents.explanations.explaining_validator", counting)
    monkeypatch.setattr(shapes, "_explainer", shapes._explainer.__wrapped__)
    assert pointer in {place for place, _ in errors_with(*path, value=value, document=document)}
    assert 0 < steps < 1000


def test_texts_that_are_too_long_are_not_searched_for_a_pattern() -> None:
    """Matching a repeated group takes eighty bytes for each of the text, at once."""
    found = errors_with("result", value=claiming("a" + ".a" * 5_000 + "!"), document="record")
    assert [message for _, message in found] == ["has 10002 characters, at most 200 allowed"]


def claiming(rule: str) -> Any:
    """A result in which a tie is broken by this rule."""
    comparison = {"rule": rule, "seats": [0, 1], "values": [1, 2]}
    players = [{"seat": seat, "lines": [], "total": 0, "place": 1} for seat in range(2)]
    return {"players": players, "tie_break": [comparison], "undecided": [], "winners": [0]}


@pytest.mark.parametrize("maximum", [{}, {"maxItems": 5}], ids=["unlimited", "limited"])
def test_sixteen_times_as_many_different_items_take_sixteen_times_as_long(maximum: dict[str, int]) -> None:
    """Four times that is allowed for noise; comparing each item with all others would take 256 times as long."""
    schema = {"uniqueItems": True, **maximum}
    validator = explaining_validator(lambda _: None, shapes.schema_at)(schema)

    def seconds(items: int) -> float:
        document = [{"x": number} for number in range(items)]
        began = thread_time()
        found = explanations(validator, [*document, *document[:1]])
        assert [error.message for error in found] == (
            ["has an item twice"] if not maximum else [f"has {items + 1} items, at most 5 allowed"]
        )
        return thread_time() - began

    few, many = (min(seconds(items) for _ in range(3)) for items in (500, 8_000))
    assert many < 64 * few + 0.01


def test_every_place_of_a_document_can_be_damaged() -> None:
    whole = example()
    kinds = {spoilt.kind for spoilt in damaged(whole, Random(0), 40)}
    assert kinds >= ALWAYS_WRONG
    assert len(list(places(whole))) > 60
