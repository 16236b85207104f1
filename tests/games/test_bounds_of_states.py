"""States at every bound that their schema sets, and moves from there.

A number that can grow must not grow beyond what documents can say: no answer may be a state that the service itself
refuses. So every number and every list in a state is pushed as far as the audit lets it, and the game is played on.
Either it is `too-long` (`GameDefinition.can_be_continued`), or every state that comes of it is sound.
"""

import json
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from capomastro.documents.files import schemas_directory
from capomastro.engine import referee
from capomastro.engine.game import AnyGame
from capomastro.engine.referee import is_at_chance
from capomastro.games import all_games
from tests.campaigns.corpus import corpora
from tests.support.damage import at, replaced
from tests.support.documents import as_document, as_state, texts
from tests.support.shapes import shape_of

LIMITS = ("maximum", "maxItems", "maxProperties")
ECHOED = ("names", "game", "schema_version", "rules_version")
"""Members that no move changes."""
PLACES = 1
"""Number of places pushed to each bound."""
STATES = 8
"""Number of states in which all numbers are pushed at once."""
PLIES = 6
"""Number of random plies from each pushed state."""
NEXT_MOVES = 10
"""Number of moves tried in each state, spread over all legal ones."""

Path_ = tuple[str | int, ...]


class Bound(NamedTuple):
    """A limit in a schema: the file, the path to the schema in it, and the keyword."""

    file: str
    pointer: str
    keyword: str


# --- schemas ---------------------------------------------------------------------------------------------------------


@cache
def schema_in(file: Path) -> Any:
    return json.loads(file.read_text("utf-8"))


@cache
def followed(file: Path, reference: str) -> tuple[Path, str, Any]:
    """The target of a reference: the file, the path in it, the schema."""
    name, _, fragment = reference.partition("#")
    target = (file.parent / name).resolve() if name else file
    node = schema_in(target)
    for step in fragment.split("/")[1:]:
        node = node[step]
    return target, fragment, node


@cache
def named(file: Path) -> str:
    """The name of a schema file, with its folder."""
    return str(file.relative_to(schemas_directory()))


def limits(file: Path, pointer: str, schema: Any) -> Iterator[tuple[Bound, int]]:
    for keyword in LIMITS:
        if isinstance(schema.get(keyword), int):
            yield Bound(named(file), pointer, keyword), schema[keyword]


def below(schema: Any) -> Iterator[tuple[str, Any]]:
    """The schemas within a schema that say something of what is within the instance, or of the instance itself."""
    for keyword in ("items", "additionalProperties"):
        if isinstance(schema.get(keyword), dict):
            yield keyword, schema[keyword]
    for keyword in ("oneOf", "anyOf", "allOf", "prefixItems"):
        for index, branch in enumerate(schema.get(keyword, ())):
            yield f"{keyword}/{index}", branch
    for name, member in schema.get("properties", {}).items():
        if name not in ECHOED:
            yield f"properties/{name}", member


def every_bound(file: Path, pointer: str, schema: Any, seen: set[tuple[Path, str]]) -> Iterator[Bound]:
    """All bounds on a document and its contents."""
    if (file, pointer) in seen:
        return
    seen.add((file, pointer))
    yield from (bound for bound, _ in limits(file, pointer, schema))
    if "$ref" in schema:
        yield from every_bound(*followed(file, schema["$ref"]), seen)
    for way, inner in below(schema):
        yield from every_bound(file, f"{pointer}/{way}", inner, seen)


def bounds_of(
    file: Path, pointer: str, schema: Any, value: Any, path: Path_ = ()
) -> Iterator[tuple[Bound, Path_, int]]:
    """The bounds that apply to a document, each with the place in it and the limit."""
    for bound, limit in limits(file, pointer, schema):
        fits = {"maximum": int, "maxItems": list, "maxProperties": dict}[bound.keyword]
        if type(value) is fits:
            yield bound, path, limit
    if "$ref" in schema:
        yield from bounds_of(*followed(file, schema["$ref"]), value, path)
    for way, inner in below(schema):
        keyword, _, name = way.partition("/")
        if keyword in ("anyOf", "allOf"):
            yield from bounds_of(file, f"{pointer}/{way}", inner, value, path)
        elif keyword == "oneOf":
            if isinstance(value, dict) and inner["$ref"].rpartition("/")[2] == value["type"]:
                yield from bounds_of(file, f"{pointer}/{way}", inner, value, path)
        elif keyword == "items" and isinstance(value, list):
            for index, item in enumerate(value):
                yield from bounds_of(file, f"{pointer}/{way}", inner, item, (*path, index))
        elif keyword == "prefixItems" and isinstance(value, list) and int(name) < len(value):
            yield from bounds_of(file, f"{pointer}/{way}", inner, value[int(name)], (*path, int(name)))
        elif keyword == "properties" and isinstance(value, dict) and name in value:
            yield from bounds_of(file, f"{pointer}/{way}", inner, value[name], (*path, name))
        elif keyword == "additionalProperties" and isinstance(value, dict):
            for member in value.keys() - schema.get("properties", {}).keys():
                yield from bounds_of(file, f"{pointer}/{way}", inner, value[member], (*path, member))


def schema_of_states(game: AnyGame) -> tuple[Path, str, Any]:
    file = (schemas_directory() / game.id / "state.json").resolve()
    return file, "", schema_in(file)


# --- pushing ---------------------------------------------------------------------------------------------------------


def sound_state(game: AnyGame, document: Any) -> Any:
    """The state in a document; None unless the service accepts it as possible."""
    if not shape_of(game.id, "state").accepts(document):
        return None
    state = as_state(game, document)
    return None if game.audit(state) else state


def sound(game: AnyGame, document: Any) -> bool:
    """Whether the service accepts a state as possible."""
    return sound_state(game, document) is not None


def continued(game: AnyGame, document: Any) -> bool:
    """Whether the service lets the game continue from it."""
    state = sound_state(game, document)
    return state is not None and game.can_be_continued(state)


def pushed_number(document: Any, path: Path_, limit: int, fine: Callable[[Any], bool]) -> Any:
    """The document with the greatest acceptable number at `path`, up to the limit."""
    known, refused = at(document, path), limit + 1
    if fine(replaced(document, path, limit)):
        return replaced(document, path, limit)
    while refused - known > 1:
        middle = (known + refused) // 2
        if fine(replaced(document, path, middle)):
            known = middle
        else:
            refused = middle
    return replaced(document, path, known)


def pushed_list(document: Any, path: Path_, limit: int, tokens: list[str], fine: Callable[[Any], bool]) -> Any:
    """The document with the longest acceptable list at `path`, up to the limit; items that are no tokens repeat."""
    items = at(document, path)
    more = tokens if all(isinstance(item, str) for item in items) else items
    for token in more:
        while len(at(document, path)) < limit:
            longer = replaced(document, path, [*at(document, path), token])
            if not fine(longer):
                break
            document = longer
    return document


def pushed(game: AnyGame, document: Any, path: Path_, limit: int, tokens: list[str]) -> Iterator[Any]:
    """The document with the greatest value at `path` that a state can have, and with that of one that can continue."""
    for predicate in (sound, continued):

        def fine(candidate: Any, predicate: Callable[[AnyGame, Any], bool] = predicate) -> bool:
            return predicate(game, candidate)

        if fine(document):
            value = at(document, path)
            if isinstance(value, int):
                yield pushed_number(document, path, limit, fine)
            elif isinstance(value, list):
                yield pushed_list(document, path, limit, tokens, fine)
            else:
                yield document


# --- playing on ------------------------------------------------------------------------------------------------------


def hold_against_schemas(game: AnyGame, state: Any, events: list[Any]) -> None:
    """A state in an answer, and the rest of the answer, must pass schemas and audit."""
    document = as_document(state)
    shape = shape_of(game.id, "state")
    assert shape.accepts(document), shape.errors(document)
    findings = list(game.audit(state))
    assert not findings, (findings, document)
    derived = as_document(game.derived(state))
    assert shape_of(game.id, "derived").accepts(derived), shape_of(game.id, "derived").errors(derived)
    for event in events:
        assert shape_of(game.id, "event").accepts(as_document(event)), event
    if referee.is_over(game, state):
        result = as_document(game.result(state))
        assert shape_of(game.id, "result").accepts(result), shape_of(game.id, "result").errors(result)


def next_moves(game: AnyGame, state: Any, random: Random, most: int = NEXT_MOVES) -> list[Any]:
    """Moves that are possible, spread over all kinds."""
    if is_at_chance(game, state):
        rule = game.decision_at[type(state.stage)].rule  # type: ignore[union-attr]
        possible = [rule.move(name) for name, weight in rule.outcomes(state).weights.items() if weight]
        return random.sample(possible, min(most, len(possible)))
    total = referee.legal_moves(game, state).total
    moves = referee.legal_moves(game, state)
    return [moves.pick(index) for index in sorted(random.sample(range(total), min(most, total)))]


def play_on(game: AnyGame, state: Any, random: Random) -> None:
    """Plays every next move, and one random game, until the service ends it."""
    if referee.is_over(game, state) or not game.can_be_continued(state):
        return
    for move in next_moves(game, state, random):
        hold_against_schemas(game, *referee.play(game, state, move))
    for _ in range(PLIES):
        if referee.is_over(game, state) or not game.can_be_continued(state):
            return
        moves = next_moves(game, state, random)
        if not moves:
            return  # unknown cards allow no moves
        state, events = referee.play(game, state, random.choice(moves))
        hold_against_schemas(game, state, events)


# --- the tests -------------------------------------------------------------------------------------------------------


def positions_for(game: AnyGame, bounds: set[Bound]) -> list[Any]:
    """States that together have a value at every bound, and a few more."""
    random = Random("bounds")
    states = random.sample(corpora()[game.id].states, len(corpora()[game.id].states))
    chosen, missing = [], set(bounds)
    for state in states:
        if not missing:
            break
        there = {bound for bound, _, _ in bounds_of(*schema_of_states(game), state)}
        if there & missing and sound(game, state):
            chosen.append(state)
            missing -= there
    assert not missing, f"no state at hand has a value for {missing}"
    return chosen


def tokens_of(game: AnyGame, document: Any, path: Path_) -> list[str]:
    """The tokens that a list may contain: those in the box, and whatever the corpus has in such lists."""
    name = next((step for step in reversed(path) if isinstance(step, str)), "")
    box = [token for group in game.components().values() for token in group]
    seen = [text for value in corpora()[game.id].by_name.get(name, ()) for text in texts(value)]
    return list(dict.fromkeys([*seen, *box]))


@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.id)
def test_states_at_their_bounds_can_be_continued(game: AnyGame) -> None:
    random = Random("push")
    bounds = set(every_bound(*schema_of_states(game), set()))
    assert bounds
    done: dict[Bound, int] = {}
    for document in positions_for(game, bounds):
        everything = document
        for bound, path, limit in bounds_of(*schema_of_states(game), document):
            if done.get(bound, 0) >= PLACES:
                continue
            done[bound] = done.get(bound, 0) + 1
            tokens = tokens_of(game, document, path)
            for one in pushed(game, document, path, limit, tokens):
                play_on(game, as_state(game, one), random)
            everything = next(pushed(game, everything, path, limit, tokens), everything)
        play_on(game, as_state(game, everything), random)
    assert set(done) == bounds


@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.id)
def test_every_move_of_states_whose_numbers_are_all_as_great_as_they_can_be(game: AnyGame) -> None:
    """Needs many states, because numbers grow only in some: for coins, for example, a city has to be scored."""
    random = Random("numbers")
    states = corpora()[game.id].states
    in_any_order = random.sample(states, len(states))
    for document in islice((state for state in in_any_order if continued(game, state)), STATES):
        greatest = document
        for bound, path, limit in bounds_of(*schema_of_states(game), document):
            if bound.keyword == "maximum":
                greatest = pushed_number(greatest, path, limit, lambda one: continued(game, one))
        state = as_state(game, greatest)
        if not referee.is_over(game, state):
            for move in next_moves(game, state, random, 60):
                hold_against_schemas(game, *referee.play(game, state, move))
