"""Sentences about rules, refusals, problems, moves and events, from catalogues of words in several languages.

A catalogue is a file `words.<language>.toml`: one in the folder of each game, and one here that all share. In the
catalogue of a game every rule is a table named by its id. What all games say alike of the rules that the engine
enforces is in the table `rules` of the shared one, by the id without that of the game. The other tables of a game have
names of ids (`tokens`, `places`, `options`, `decisions`, `moves`, `sections`), sentences (`sentences.moves`,
`sentences.events`) and the words of pictures (`picture`). Facts that do not depend on a language (source and mark of a
rule, the status of a problem, `brief` sentences without words) are in the original only; the names of members of
documents (`members`) are in all others, since the original calls members as they are written.
"""

import re
import tomllib
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from typing import Any

import msgspec

from capomastro.documents.languages import ORIGINAL, current_language, is_brief, languages
from capomastro.documents.sentences import Sentence, Words, compiled, isolated, read
from capomastro.engine.events import Event
from capomastro.engine.game import AnyGame
from capomastro.engine.moves import Move
from capomastro.engine.refusals import Refusal

Catalogue = dict[str, Any]
Wording = dict[str, str]
Names = Sequence[str] | None

SHARED = "capomastro.documents"
NAMES = ("decisions", "moves", "options", "scorings")
"""Tables in which a slot is looked up by the last word of its name: `expected_moves` in `moves`."""


PHRASES = ("details", "output")
"""Tables of sentences that belong to no game."""


# --- catalogues ------------------------------------------------------------------------------------------------------


@cache
def catalogue(package: str, language: str) -> Catalogue:
    """The catalogue of a package in a language; the original, if it has none."""
    translated = language if language in languages(package) else ORIGINAL
    return tomllib.loads((files(package) / f"words.{translated}.toml").read_text("utf-8"))


def package_of(game: AnyGame) -> str:
    """The package of a game, which holds its catalogues and other data files."""
    return type(game).__module__.rpartition(".")[0]


def languages_of(game: AnyGame) -> tuple[str, ...]:
    """The languages of a game: those in which both its catalogue and the shared one exist."""
    return tuple(language for language in languages(package_of(game)) if language in languages(SHARED))


def rules_of(game: AnyGame, language: str | None = None) -> dict[str, Wording]:
    """The rules of a game by id: `wording`, `source`, `mark`, and the sentences of a `refusal` and of a score line."""
    return words_of(game, language or current_language()).rules


def problems(language: str | None = None) -> dict[str, dict[str, Any]]:
    """Every kind of problem by id: title, status, meaning."""
    return problems_in(language or current_language())


@cache
def problems_in(language: str) -> dict[str, dict[str, Any]]:
    original = catalogue(SHARED, ORIGINAL)["problems"]
    translated = catalogue(SHARED, language)["problems"]
    return {id: {**kind, **translated[id]} for id, kind in original.items()}


# --- the words of a language -----------------------------------------------------------------------------------------


class SharedWords(Words):
    """The words that all games share, in one language."""

    def __init__(self, language: str) -> None:
        shared = catalogue(SHARED, language)
        self.language = language
        self.shared = shared
        self.lists: Mapping[str, Any] = shared["lists"]
        self.none, self.comma, self.semicolon = (self.lists[name] for name in ("none", "comma", "semicolon"))
        self.named_seat = compiled(read(shared["seats"]["seat"]), Words())

    @cached_property
    def phrases(self) -> "Phrases":
        """The sentences that belong to no game: details of problems, and output of the command line."""
        return Phrases(self)

    def last_separator(self, conjunction: str, item: str) -> str:
        for beginning, separator in self.lists.get(f"{conjunction}-before", {}).items():
            if item.casefold().startswith(beginning):
                return str(separator)
        return str(self.lists[conjunction])

    def seat(self, seat: int) -> str:
        return self.named_seat({"seat": seat})


class Phrases(dict[str, Sentence]):
    """Sentences by key, each compiled when it is first used: there are hundreds, and a process uses few."""

    def __init__(self, words: SharedWords) -> None:
        super().__init__()
        self.words = words

    def __missing__(self, key: str) -> Sentence:
        table = next((table for table in PHRASES if key in self.words.shared[table]), None)
        if table is None:
            raise KeyError(key)
        text = self.words.shared[table][key]
        self[key] = sentence = compiled(read(text), self.words)
        return sentence


class GameWords(SharedWords):
    """All words of a game in one language, with its sentences compiled."""

    def __init__(self, game: AnyGame, language: str) -> None:
        super().__init__(language)
        own = catalogue(package_of(game), language)
        original = catalogue(package_of(game), ORIGINAL)
        self.catalogue = own
        self.rules = {
            rule: rule_in(rule, original, own, language) for rule in original if rule.startswith(f"{game.id}.")
        }
        box = {token for group in game.components().values() for token in group}
        self.things = dict(named_things({**own["tokens"], **own["places"]}, box))
        self.refusals = {id: self.compiled(rule["refusal"]) for id, rule in self.rules.items() if "refusal" in rule}
        self.lines = {
            id: self.compiled(rule["line_sentence"]) for id, rule in self.rules.items() if "line_sentence" in rule
        }
        self.causes = {key: self.compiled(template) for key, template in own.get("because", {}).items()}
        pictured = {**self.shared["picture"], **own.get("picture", {})}
        self.captions = {key: self.compiled(template) for key, template in pictured.items()}
        self.moves = {type: self.capitalised(template) for type, template in own["sentences"]["moves"].items()}
        self.events = {type: self.capitalised(template) for type, template in own["sentences"]["events"].items()}
        self.brief = {
            kind: {
                type: self.capitalised(original.get("brief", {}).get(kind, {}).get(type) or without_player(template))
                for type, template in own["sentences"][kind].items()
            }
            for kind in ("moves", "events")
        }

    def compiled(self, template: str) -> Sentence:
        return compiled(read(template), self)

    def capitalised(self, template: str) -> Sentence:
        """A sentence that begins with a capital letter, unless it begins with the name of a player."""
        fill = compiled(read(template), self, counting=True)
        if not template.startswith(("{player}", "{seat?{player}")):
            return lambda values: capitalised(fill(values))
        return lambda values: fill(values) if values.get("player").__class__ is str else capitalised(fill(values))

    def namer(self, slot: str) -> Callable[[str], str]:
        if slot == "player" or slot.endswith("text"):
            return str
        table = "moves" if slot == "action" else slot.rpartition("_")[2].rstrip("s") + "s"
        if table in NAMES and table in self.catalogue:
            names: Mapping[str, str] = self.catalogue[table]
            return lambda id: names.get(id) or self.thing(id)
        return self.thing

    @cached_property
    def members(self) -> Mapping[str, str]:
        """The names of members of documents."""
        return {**self.catalogue["options"], **self.shared.get("members", {}), **self.catalogue.get("members", {})}

    @cached_property
    def kinds(self) -> Mapping[str, str]:
        """The names of moves and decisions."""
        return {**self.catalogue["moves"], **self.catalogue["decisions"]}

    def member(self, name: str) -> str:
        """The name of a member of a document; some are tokens or places."""
        return self.members.get(name) or self.thing(name)

    def value(self, id: str) -> str:
        """The name of an id in a document: a decision, a move, a token or a place."""
        return self.kinds.get(id) or self.thing(id)

    def thing(self, id: str) -> str:
        """The name of a token or a place, or the id if it has none."""
        return self.things.get(id, id)


def without_player(template: str) -> str:
    """A sentence without the player whom it begins with: “{player} takes {card}” is “takes {card}”."""
    return re.sub(r"^\{player\}(?:[:,]? )", "", template)


def of_engine(language: str) -> Mapping[str, Wording]:
    """What a language says of the rules of the engine."""
    found: Mapping[str, Wording] = catalogue(SHARED, language)["rules"]
    return found


def rule_in(rule: str, original: Catalogue, own: Catalogue, language: str) -> Wording:
    """A rule of a game in a language; what the game does not say of a rule of the engine, the shared catalogue says."""
    name = rule.partition(".")[2]
    shared = {word: text for shown in (ORIGINAL, language) for word, text in of_engine(shown).get(name, {}).items()}
    source = source_in(original[rule]["source"], own.get("sources", {}))
    return {**shared, **original[rule], **own.get(rule, {}), "source": source}


def source_in(source: str, translated: Mapping[str, str]) -> str:
    """A source in a language: its parts stand between semicolons."""
    return "; ".join(translated.get(part, part) for part in source.split("; "))


def named_things(names: Mapping[str, str], box: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The names of tokens and places by id; those with slots, of every component of the box that they cover.

    All are made in advance: names made on demand would reveal by their timing which cards somebody has held.
    """
    for id, name in names.items():
        if "{" not in id:
            yield id, name
            continue
        pattern, named = pattern_of(id), compiled(read(name), Words())
        for found in filter(None, map(pattern.fullmatch, box)):
            yield found[0], named({slot: int(figure) for slot, figure in found.groupdict().items()})


def pattern_of(id: str) -> re.Pattern[str]:
    """The pattern of the ids that a name with slots covers: `brick-{floor}-{windows}`."""
    return re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>[0-9]{1,3})", re.escape(id)))


def capitalised(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


@cache
def words_of(game: AnyGame, language: str) -> GameWords:
    """The words of a game in a language, or in the original if the game lacks that language."""
    return GameWords(game, language if language in languages_of(game) else ORIGINAL)


@cache
def shared_words(language: str) -> SharedWords:
    """The words that belong to no game."""
    return SharedWords(language if language in languages(SHARED) else ORIGINAL)


def phrase(key: str, **values: Any) -> str:
    """A sentence that belongs to no game, in the current language, its slots filled with `values`."""
    return shared_words(current_language()).phrases[key](values)


# --- refusals --------------------------------------------------------------------------------------------------------


def sentence(game: AnyGame, refusal: Refusal, language: str | None = None) -> str:
    """A refusal as one sentence, with its values."""
    return words_of(game, language or current_language()).refusals[refusal.rule](refusal.values)


def explained(game: AnyGame, refusal: Refusal, at: str = "") -> dict[str, Any]:
    """A refusal as a document: rule, message, values, and a pointer into the request, where `at` was refused.

    Where the message says little more than what is there, with its cause.
    """
    document = {
        "rule": refusal.rule,
        "message": sentence(game, refusal),
        "values": refusal.values,
        "pointer": at + refusal.pointer,
    }
    because = cause(game, refusal)
    return document if because is None else {**document, "because": because}


def cause(game: AnyGame, refusal: Refusal, language: str | None = None) -> str | None:
    """The cause of a refusal as a sentence, if it has one."""
    if refusal.because is None:
        return None
    return words_of(game, language or current_language()).causes[refusal.because.key](refusal.because.values)


def with_cause(refusal: Mapping[str, Any]) -> str:
    """The message of a refusal, as a document, with its cause."""
    message: str = refusal.get("message", "")
    return f"{message} – {refusal['because']}" if refusal.get("because") else message


# --- moves, events and score lines -----------------------------------------------------------------------------------


def move_text(game: AnyGame, move: Move, names: Names = None) -> str:
    """A move as a sentence; `names` are the players' names by seat."""
    words = words_of(game, current_language())
    return (words.brief["moves"] if is_brief() else words.moves)[tag_of(move)](values_of(move, names))


def event_text(game: AnyGame, event: Event, names: Names = None) -> str:
    """An event as a sentence; `names` are the players' names by seat."""
    words, values = words_of(game, current_language()), values_of(event, names)
    rule = values.get("rule")
    if rule is not None:
        values["line"] = line_name(game, rule)
    return (words.brief["events"] if is_brief() else words.events)[tag_of(event)](values)


def line_text(game: AnyGame, line: Mapping[str, Any]) -> str:
    """A line of a score, as a document, as a sentence; members that are null may be absent."""
    sentence = words_of(game, current_language()).lines[line["rule"]]
    return sentence(defaultdict(lambda: None, line))


def line_name(game: AnyGame, rule: str) -> str | None:
    """The name of a rule's points, or of what it compares in a tie; None if it has neither."""
    return words_of(game, current_language()).rules[rule].get("line")


def title_of(game: AnyGame, language: str | None = None) -> str:
    """The title of a game, by default in the current language."""
    return str(words_of(game, language or current_language()).catalogue["title"])


def about(game: AnyGame, language: str | None = None) -> str:
    """What a game is, in one sentence, by default in the current language."""
    return str(words_of(game, language or current_language()).catalogue["about"])


def summary_of(game: AnyGame) -> list[dict[str, str]]:
    """How a game goes, told in a minute: paragraphs with `lead` and `text`; `rule` has an illustration of one."""
    original, own = (words_of(game, language).catalogue["summary"] for language in (ORIGINAL, current_language()))
    return [{**part, **translated} for part, translated in zip(original, own, strict=True)]


def decision_name(game: AnyGame, kind: str) -> str:
    """The name of a decision."""
    name: str = words_of(game, current_language()).catalogue["decisions"][kind]
    return name


def kind_name(game: AnyGame, kind: str) -> tuple[str, str]:
    """The group of a kind of move, or nothing, and its name: “rebuild: take out” is “Take out” in “Rebuild”."""
    name: str = words_of(game, current_language()).catalogue["moves"][kind]
    group, _, own = name.rpartition(": ")
    return capitalised(group), capitalised(own)


def amount_name(amount: str) -> str:
    """What an amount is called."""
    return capitalised(shared_words(current_language()).shared["amounts"][amount])


def section_name(game: AnyGame, rule: str) -> str:
    """The title of the section of the rules that a rule belongs to."""
    name: str = words_of(game, current_language()).catalogue["sections"][rule.split(".")[1]]
    return name


def tag_of(told: Move | Event) -> str:
    return str(told.__struct_config__.tag)


def values_of(told: Move | Event, names: Names) -> dict[str, Any]:
    """The members of a move or an event, and its `player`: their name if they have one, otherwise the seat.

    An illegal move can have a seat that does not exist.
    """
    values = msgspec.structs.asdict(told)
    seat = values.get("seat")
    if seat is not None:
        values["player"] = isolated(names[seat]) if names and seat < len(names) else seat
    return values


# --- pictures --------------------------------------------------------------------------------------------------------


class Captions:
    """The words of a game's pictures in one language; `names` are the players' names by seat, None for no name."""

    def __init__(self, game: AnyGame, names: tuple[str | None, ...] | None, language: str) -> None:
        self.language = language
        self.words = words_of(game, language)
        self.title = str(self.words.catalogue["title"])
        self.names = names

    def __call__(self, key: str, **values: Hashable) -> str:
        """The sentence `key` of the table `[picture]`; lists in `values` are tuples."""
        return words_of_picture(self.words, key, **values)

    def thing(self, id: str) -> str:
        """The name of a token or a place, with a capital letter."""
        return headline(self.words, id)

    def decision(self, kind: str) -> str:
        """The name of a decision."""
        return str(self.words.catalogue["decisions"][kind])

    def player(self, seat: int) -> str:
        """The name of a player, or of the seat if they have none."""
        name = self.names[seat] if self.names else None
        return isolated(name) if name else seat_name(self.words, seat)


# Most words of one picture occur in the next as well, so they are cached.


@lru_cache(maxsize=64)
def captions(game: AnyGame, names: tuple[str | None, ...] | None, language: str) -> Captions:
    """The words of the pictures of one table: one object for all of them, so that cached parts can be keyed by it."""
    return Captions(game, names, language)


@lru_cache(maxsize=1024, typed=True)
def words_of_picture(words: GameWords, key: str, **values: Hashable) -> str:
    return words.captions[key](values)


@lru_cache(maxsize=512)
def headline(words: GameWords, id: str) -> str:
    return capitalised(words.thing(id))


@lru_cache(maxsize=64)
def seat_name(words: GameWords, seat: int) -> str:
    return capitalised(words.seat(seat))
