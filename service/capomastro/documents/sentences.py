"""Sentences with slots: how catalogues write them, and how they are filled.

| | |
|---|---|
| `{name}` | the value in words: a figure, the name of an id, a list, or the word for none; lists of lists go by seat |
| `{name+1}` | the figure after the value: the number of something that documents count from 0 and people from 1 |
| `{name:and}`, `{name:or}` | a list whose last item follows the language's "and" or "or" |
| `{name:card\\|cards}` | the figure (of a list, its length) and its form: the first for 1, the second for any other |
| `{name:is # card\\|are # cards}` | the same with the figure in place of `#` |
| `{name?text\\|other text}` | the first text unless the value is null, false or an empty list, otherwise the second |
| `{one=other?text\\|other text}` | the first text if both values are the same in words, otherwise the second |

The texts of the last two kinds can have slots themselves. Sentences about moves and events count equal names in lists:
`2 × white`. Names of players that are written from right to left come `isolated`.

A template is read once (`read`) and compiled for the words of a language (`compiled`); filling it is a few calls.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import groupby
from typing import Any, NamedTuple
from unicodedata import bidirectional

Values = Mapping[str, Any]
Sentence = Callable[[Values], str]


class Slot(NamedTuple):
    """A value in words; `conjunction`: the word before the last item of a list, `and` or `or`."""

    name: str
    conjunction: str | None
    added: int = 0
    """What is added to a number: 1 to the number of something that documents count from 0."""


class Plural(NamedTuple):
    """A figure with the matching form."""

    name: str
    singular: str
    plural: str


class Alternative(NamedTuple):
    """One of two texts, depending on whether the value is something."""

    name: str
    some: "Template"
    none: "Template"


class Comparison(NamedTuple):
    """One of two texts, depending on whether two values are the same in words."""

    name: str
    other_name: str
    same: "Template"
    different: "Template"


Part = str | Slot | Plural | Alternative | Comparison
Template = tuple[Part, ...]


class Words:
    """The words that fill slots in one language: names of ids, and shared words. A slot's name says what it means."""

    none = "none"
    """The word for an empty value."""
    comma = ", "
    semicolon = "; "

    def last_separator(self, conjunction: str, item: str) -> str:
        """The text between the last two items of a list; `item` is the last."""
        return f" {conjunction} "

    def seat(self, seat: int) -> str:
        """A player without a name."""
        return f"seat {seat}"

    def namer(self, slot: str) -> Callable[[str], str]:
        """The function that names the ids in a slot of this name."""
        return str


# --- reading ---------------------------------------------------------------------------------------------------------


@cache
def read(template: str) -> Template:
    """The parts of a template.

    Raises:
        ValueError: a brace without its pair, or a slot without a name.
    """
    parts, end = parts_until(template, 0, "")
    if end < len(template):
        raise ValueError(f"a brace closes nothing: {template}")
    return parts


def parts_until(template: str, start: int, ends: str) -> tuple[Template, int]:
    """The parts from `start` to the first of `ends` outside slots (or to the end), and the index of that end."""
    parts: list[Part] = []
    at = start
    while at < len(template) and template[at] not in (ends or "}"):
        if template[at] == "{":
            part, at = slot_at(template, at + 1)
            parts.append(part)
        else:
            stop = at
            while stop < len(template) and template[stop] not in "{" + (ends or "}"):
                stop += 1
            parts.append(template[at:stop])
            at = stop
    return tuple(parts), at


def slot_at(template: str, start: int) -> tuple[Part, int]:
    """The slot whose name begins at `start`, and the index after it."""
    end = name_end(template, start)
    name, mark = template[start:end], template[end : end + 1]
    other_name = ""
    if name and mark == "=":
        begin, end = end + 1, name_end(template, end + 1)
        other_name = template[begin:end]
        mark = template[end : end + 1] if template[end : end + 1] == "?" and other_name else ""
    part: Part
    if name and mark == "}":
        return Slot(name, None), end + 1
    if name and template[end : end + 3] == "+1}":
        return Slot(name, None, 1), end + 3
    if name and mark == ":":
        closing = template.find("}", end)
        singular, bar, plural = template[end + 1 : closing].partition("|")
        if closing > 0 and (bar or singular in {"and", "or"}):
            part = (
                Plural(name, with_place_for_figure(singular), with_place_for_figure(plural))
                if bar
                else Slot(name, singular)
            )
            return part, closing + 1
    if name and mark == "?":
        first, bar_at = parts_until(template, end + 1, "|}")
        if template[bar_at : bar_at + 1] == "|":
            second, closing = parts_until(template, bar_at + 1, "}")
            if closing < len(template):
                part = Comparison(name, other_name, first, second) if other_name else Alternative(name, first, second)
                return part, closing + 1
    raise ValueError(f"not a slot at {start}: {template}")


def name_end(template: str, start: int) -> int:
    """The index after the name that begins at `start`."""
    end = start
    while end < len(template) and (template[end].isalnum() or template[end] == "_"):
        end += 1
    return end


def with_place_for_figure(form: str) -> str:
    """A form with a place for its figure, which is at the beginning by default."""
    return form if "#" in form else f"# {form}"


def slots_of(template: Template) -> Iterator[str]:
    """The names of the slots of a template, including those in texts to choose from."""
    for part in template:
        if not isinstance(part, str):
            yield part.name
            if isinstance(part, Comparison):
                yield part.other_name
            for text in texts_of(part):
                yield from slots_of(text)


def texts_of(part: Part) -> tuple[Template, ...]:
    """The texts that a part chooses from."""
    if isinstance(part, Alternative):
        return part.some, part.none
    return (part.same, part.different) if isinstance(part, Comparison) else ()


# --- filling ---------------------------------------------------------------------------------------------------------


def compiled(template: Template, words: Words, *, counting: bool = False) -> Sentence:
    """The function that fills a template in a language; with `counting`, equal names are counted: `2 × white`."""
    parts = [part if isinstance(part, str) else filler(part, words, counting) for part in template]

    def fill(values: Values) -> str:
        return "".join([part if part.__class__ is str else part(values) for part in parts])  # type: ignore[operator]

    return fill


def filler(part: Slot | Plural | Alternative | Comparison, words: Words, counting: bool) -> Sentence:
    """The function that fills one slot."""
    name = part.name
    if isinstance(part, Comparison):
        same, different = (compiled(template, words, counting=counting) for template in texts_of(part))
        first, second = (slot_filler(Slot(of, None), words, counting) for of in (name, part.other_name))
        return lambda values: same(values) if first(values) == second(values) else different(values)
    if isinstance(part, Alternative):
        some, none = (compiled(template, words, counting=counting) for template in (part.some, part.none))
        return lambda values: none(values) if is_nothing(values[name]) else some(values)
    if isinstance(part, Plural):
        singular, plural = part.singular, part.plural

        def with_form(values: Values) -> str:
            value = values[name]
            number = len(value) if value.__class__ in LISTS else value
            return (singular if number == 1 else plural).replace("#", figure(number))

        return with_form
    return slot_filler(part, words, counting)


def figure(number: int) -> str:
    """A number as people write it: 5, 0, −5, with a typographic minus."""
    return str(number) if number >= 0 else f"−{-number}"


def after(number: int) -> str:
    """The figure after a number."""
    return figure(number + 1)


def is_nothing(value: Any) -> bool:
    """Whether a value is null, false or empty; 0 is something."""
    return not value and value.__class__ is not int


def slot_filler(slot: Slot, words: Words, counting: bool) -> Sentence:
    name, name_of = slot.name, words.namer(slot.name)
    of_number = words.seat if name in SEATS else after if slot.added else figure

    def item(value: Any) -> str:
        if value.__class__ is int:
            return of_number(value)
        if value.__class__ is str:
            return name_of(value)
        if not value:
            return words.none
        items = list(map(item, value))
        return listed(grouped(items) if counting and value[0].__class__ is str else items, words, slot.conjunction)

    def fill(values: Values) -> str:
        value = values[name]
        if value.__class__ in LISTS and value and value[0].__class__ in LISTS:
            return words.semicolon.join([f"{words.seat(seat)}: {item(of_seat)}" for seat, of_seat in enumerate(value)])
        return item(value)

    return fill


LISTS = (tuple, list)

SEATS = frozenset({"player", "owner"})
"""Slots in which a number is a seat, to be replaced by a player's name."""


def grouped(items: Iterable[str]) -> list[str]:
    """Equal neighbours once, with their number: `2 × white`."""
    groups = [(item, len(list(group))) for item, group in groupby(items)]
    return [f"{number} × {item}" if number > 1 else item for item, number in groups]


ISOLATE = "\N{FIRST STRONG ISOLATE}"
POP_ISOLATE = "\N{POP DIRECTIONAL ISOLATE}"
"""Before and after what has a direction of its own: invisible."""
TURNING = frozenset({"R", "AL", "RLE", "RLO", "RLI", "LRE", "LRO", "LRI", "FSI", "PDI"})
"""The kinds of characters that turn the direction of what stands beside them (Unicode, UAX 9)."""
WITHOUT_ISOLATES = str.maketrans("", "", "\u2066\u2067\u2068\u2069")
"""Removes what a name isolates itself: if it does not end that, the rest of the sentence would turn with it."""


def isolated(name: str) -> str:
    """A name as it stands in a sentence: if it is written from right to left, between invisible characters.

    Without them, figures and commas beside a name in Hebrew or Arabic letters would change sides with it.
    """
    return name if name.isascii() else isolated_if_right_to_left(name)


@lru_cache(maxsize=64)
def isolated_if_right_to_left(name: str) -> str:
    turns = TURNING.intersection(map(bidirectional, name))
    return f"{ISOLATE}{name.translate(WITHOUT_ISOLATES)}{POP_ISOLATE}" if turns else name


def listed(items: Sequence[str], words: Words, conjunction: str | None) -> str:
    """A list in words."""
    if conjunction is None or len(items) < 2:
        return words.comma.join(items)
    *first, last = items
    return words.comma.join(first) + words.last_separator(conjunction, last) + last
