"""What a game says in one language, as a text that a native reader can read: refusals, moves, events, score lines.

Every rule that refuses is broken by a case of `tests/games/<game>/refusals.py`, which the conformance kit is made of;
where a number governs forms, the sentence is repeated with 0, 1, 2 and 5. Moves, events and lines are the first of
their kind in the recorded games.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from capomastro.documents import json_text
from capomastro.documents.languages import speaking
from capomastro.documents.sentences import Choice, Plural, Template, read
from capomastro.documents.wordings import event_text, languages_of, line_text, move_text, rules_of, sentence
from capomastro.engine import referee
from capomastro.engine.game import AnyGame
from capomastro.engine.refusals import Refusal
from capomastro.games import all_games
from tests.support.golden import GOLDEN
from tests.support.recorded import full_replays
from tests.support.refusals import cases_of, refusals_of, refusing_rules
from tests.support.setups import folder_of

SENTENCES = GOLDEN / "sentences"
GOVERNING = (0, 1, 2, 5)
NAMES = ["Ada", "Bruno", "Chiara", "Dario", "Elsa"]


def sentence_files() -> Iterator[tuple[Path, AnyGame, str]]:
    """Every file with its game and its language."""
    for game in all_games().values():
        for language in languages_of(game):
            yield SENTENCES / f"{game.id}-{language}.txt", game, language


def sentences_text(game: AnyGame, language: str) -> str:
    """Everything that a game says in a language."""
    with speaking(language):
        parts = {"refusals": refusals(game), **told(game)}
        return "".join(f"{title}\n\n{''.join(line + chr(10) for line in lines)}\n" for title, lines in parts.items())


def refusals(game: AnyGame) -> list[str]:
    """Every refusal, in the order of the catalogue."""
    lines: list[str] = []
    found = refusal_of_each_rule(game)
    assert refusing_rules(game) <= found.keys(), f"no case for {refusing_rules(game) - found.keys()}"
    for rule, entry in rules_of(game).items():
        if "refusal" in entry:
            refusal = found[rule]
            lines += [rule, f"    {sentence(game, refusal)}"]
            for slot in dict.fromkeys(governing_slots(read(entry["refusal"]))):
                for number in GOVERNING:
                    numbers = with_number(refusal.numbers, slot, number)
                    lines.append(f"    {number}  {sentence(game, Refusal(rule, numbers, refusal.pointer))}")
    return lines


def refusal_of_each_rule(game: AnyGame) -> dict[str, Refusal]:
    """The first refusal of every rule that refuses."""
    found: dict[str, Refusal] = {}
    for broken in cases_of(game):
        for refusal in refusals_of(game, broken):
            if refusal.rule == broken.rule:
                found.setdefault(refusal.rule, refusal)
    return {**found, **refusals_of_impossible_documents(game)}


def refusals_of_impossible_documents(game: AnyGame) -> dict[str, Refusal]:
    """The refusals of the documents in `tests/games/<game>/impossible.ndjson`, for rules whose cases are in tests."""
    file = Path(__file__).parents[1] / "games" / folder_of(game) / "impossible.ndjson"
    found = {}
    for line in file.read_bytes().splitlines() if file.exists() else ():
        vector = json_text.decode(line)
        found[vector["rule"]] = next(one for one in findings(game, vector) if one.rule == vector["rule"])
    return found


def findings(game: AnyGame, vector: Mapping[str, Any]) -> Iterable[Refusal]:
    """What a state, options or a scoresheet is refused for."""
    if vector["of"] == "state":
        return game.audit(msgspec.convert(vector["document"], game.state_type))
    if vector["of"] == "scoresheet":
        return game.refuse_scoresheet(msgspec.convert(vector["document"], game.scoresheet_type))
    refusal = game.refuse_options(vector["players"], msgspec.convert(vector["document"], game.options_type))
    return [refusal] if refusal else []


def governing_slots(template: Template) -> Iterator[str]:
    """The slots whose number governs a form."""
    for part in template:
        if isinstance(part, Plural):
            yield part.name
        elif isinstance(part, Choice):
            yield from governing_slots(part.some)
            yield from governing_slots(part.none)


def with_number(numbers: Mapping[str, Any], slot: str, number: int) -> dict[str, Any]:
    """The same numbers with another one in a slot; a list gets so many items."""
    value = numbers[slot]
    return {**numbers, slot: number if isinstance(value, int) else (list(value or [0]) * number)[:number]}


def told(game: AnyGame) -> dict[str, list[str]]:
    """The first move, event and score line of every kind, told."""
    moves: dict[str, str] = {}
    events: dict[str, str] = {}
    lines: dict[str, str] = {}
    for replay in full_replays(game):
        names = NAMES[: replay.players]
        for ply in replay.plies:
            moves.setdefault(referee.type_of(type(ply.move)), move_text(game, ply.move, names))
            for event in ply.happened:
                kind = " ".join(filter(None, [referee.type_of(type(event)), getattr(event, "rule", None)]))
                events.setdefault(kind, event_text(game, event, names))
        for player in replay.result.players if replay.result else ():
            for line in player.lines:
                lines.setdefault(line.rule, line_text(game, line))
    return {
        name: [line for kind in sorted(found) for line in (kind, f"    {found[kind]}")]
        for name, found in (("moves", moves), ("events", events), ("score lines", lines))
    }
