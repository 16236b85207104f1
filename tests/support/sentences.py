"""All sentences of a game in one language, as a text for native readers: refusals, moves, events, score lines.

Every refusal is the service's answer to a vector of the conformance kit. Below it, the sentence is repeated with 0, 1,
2 and 5 for each number that governs a form in one of the languages (or if none does, for each figure); for a sentence
without values, the types of its values are given. Moves, events and lines are the first of their kind in the recorded
games.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import asdict

from capomastro.documents.languages import using_language
from capomastro.documents.sentences import Comparison, Plural, Template, read, texts_of
from capomastro.documents.wordings import event_text, languages_of, line_text, move_text, rules_of, sentence
from capomastro.engine.game import AnyGame
from capomastro.engine.moves import type_of
from capomastro.engine.refusals import Refusal
from capomastro.games import all_games
from tests.support.golden import GOLDEN
from tests.support.recorded import full_replays
from tests.support.refusals import cases_of, refusing_rules
from tests.support.vectors import all_vectors, has_shape, refusals_in, rule_of

SENTENCES = GOLDEN / "sentences"
GOVERNING = (0, 1, 2, 5)
NAMES = ["Ada", "Bruno", "Chiara", "Dario", "Elsa"]


def sentence_files() -> Iterator[tuple[Path, AnyGame, str]]:
    """Every file with its game and its language."""
    for game in all_games().values():
        for language in languages_of(game):
            yield SENTENCES / f"{game.id}-{language}.txt", game, language


def sentences_text(game: AnyGame, language: str) -> str:
    """All sentences of a game in a language."""
    with using_language(language):
        parts = {"refusals": refusals(game), **sentences_of_kinds(game)}
        return "".join(f"{title}\n\n{''.join(line + chr(10) for line in lines)}\n" for title, lines in parts.items())


def refusals(game: AnyGame) -> list[str]:
    """Every refusal, in the order of the catalogue."""
    lines: list[str] = []
    found = refusal_of_each_rule(game)
    assert found.keys() == refusing_rules(game), f"no vector for {refusing_rules(game) - found.keys()}"
    for rule in rules_of(game):
        if rule in found:
            text, values, because = found[rule]
            lines += [rule, f"    {text}", *([f"    …  {because}"] if because else [])]
            for slot in varied_slots(game, rule, values):
                for number in GOVERNING:
                    other = Refusal(rule, with_number(values, slot, number))
                    lines.append(f"    {number}  {sentence(game, other)}")
            for one, other_slot in compared_slots(game, rule):
                for number in GOVERNING:
                    both = with_number(with_number(values, one, number), other_slot, number)
                    lines.append(f"    {number} = {number}  {sentence(game, Refusal(rule, both))}")
            if not varied_slots(game, rule, values):
                lines.append(f"    –  {without_number(values)}")
    return lines


Said = tuple[str, dict[str, Any], str | None]
"""A refusal in the language spoken now, the values in it, and its cause."""


def refusal_of_each_rule(game: AnyGame) -> dict[str, Said]:
    """The refusal of the first vector of every rule that refuses; for a rule without vectors, of its first case."""
    found: dict[str, Said] = {}
    for vector in all_vectors(game):
        rule = rule_of(vector)
        if rule not in found:
            refusal = next(one for one in refusals_in(game, vector) if one["rule"] == rule)
            found[rule] = refusal["message"], refusal["values"], refusal.get("because")
    for broken in cases_of(game):
        if broken.rule not in found:
            assert not has_shape(game, broken)
            found[broken.rule] = sentence(game, Refusal(broken.rule, broken.values)), broken.values, None
    return found


def varied_slots(game: AnyGame, rule: str, values: Mapping[str, Any]) -> list[str]:
    """The slots whose number governs a form in one of the languages; if there are none, all slots with a figure."""
    templates = [rules_of(game, language)[rule]["refusal"] for language in languages_of(game)]
    governing = {slot for template in templates for slot in governing_slots(read(template))}
    return [slot for slot in values if slot in governing] or [
        slot for slot, value in values.items() if type(value) is int
    ]


def governing_slots(template: Template) -> Iterator[str]:
    """The slots whose number governs a form."""
    for part in template:
        if isinstance(part, Plural):
            yield part.name
        else:
            texts = (part.different,) if isinstance(part, Comparison) else texts_of(part)
            for text in texts:
                yield from governing_slots(text)


def compared_slots(game: AnyGame, rule: str) -> list[tuple[str, str]]:
    """The pairs of values for which one of the languages has another sentence if they are equal."""
    templates = [rules_of(game, language)[rule]["refusal"] for language in languages_of(game)]
    parts = (part for template in templates for part in read(template) if isinstance(part, Comparison))
    return list(dict.fromkeys((part.name, part.other_name) for part in parts if governs_form(part.same)))


def governs_form(template: Template) -> bool:
    return any(True for _ in governing_slots(template))


def with_number(values: Mapping[str, Any], slot: str, number: int) -> dict[str, Any]:
    """The same values with another one in a slot; a list gets that many items."""
    value = values[slot]
    return {**values, slot: number if isinstance(value, int) else (list(value or [0]) * number)[:number]}


def without_number(values: Mapping[str, Any]) -> str:
    """The types of a refusal's values that cannot be replaced by a number."""
    if not values:
        return "no values"
    return ", ".join(f"{slot}: {TYPES[type(value)]}" for slot, value in values.items())


TYPES = {str: "an id", list: "a list", tuple: "a list", bool: "a flag", type(None): "nothing"}


def sentences_of_kinds(game: AnyGame) -> dict[str, list[str]]:
    """The first move, event and score line of every kind in words."""
    moves: dict[str, str] = {}
    events: dict[str, str] = {}
    lines: dict[str, str] = {}
    for replay in full_replays(game):
        names = NAMES[: replay.players]
        for ply in replay.plies:
            moves.setdefault(type_of(type(ply.move)), move_text(game, ply.move, names))
            for event in ply.happened:
                kind = " ".join(filter(None, [type_of(type(event)), getattr(event, "rule", None)]))
                events.setdefault(kind, event_text(game, event, names))
        for player in replay.result.players if replay.result else ():
            for line in player.lines:
                lines.setdefault(line.rule, line_text(game, asdict(line)))
    return {
        name: [line for kind in sorted(found) for line in (kind, f"    {found[kind]}")]
        for name, found in (("moves", moves), ("events", events), ("score lines", lines))
    }
