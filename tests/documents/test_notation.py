"""Text notation: what is written is read back exactly, and every error is reported with its place."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import ANY

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from capomastro.documents import json_text, notation
from capomastro.documents.notation.kinds import ANYTHING, Kind, move_forms, record_kind
from capomastro.documents.notation.lines import Line, Place
from capomastro.documents.notation.patterns import HAS_SOUND_POSSESSIVE_GROUPS, as_often_as_possible
from capomastro.documents.problems import Problem
from capomastro.engine.game import SCHEMA_VERSION, AnyGame
from capomastro.games import all_games
from tests.support.abnf import Grammar
from tests.support.annotated import ANNOTATED, COMMENTS, PLAIN
from tests.support.documents import leaves
from tests.support.recorded import few_records, label, record_files
from tests.support.shapes import shape_of

GAMES = all_games()
DOCS = Path(__file__).parents[2] / "docs"

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
some_records = pytest.mark.parametrize("file", few_records(), ids=label)


def read(text: str) -> dict[str, Any]:
    return notation.read(text.encode(), GAMES).record


def errors_in(text: str | bytes) -> list[tuple[int, int, str]]:
    """Line, column and message of every error in a text."""
    data = text if isinstance(text, bytes) else text.encode()
    with pytest.raises(Problem) as raised:
        notation.read(data, GAMES)
    assert raised.value.id == "malformed-notation"
    assert all(error.keys() == {"pointer", "line", "column", "message"} for error in raised.value.errors)
    return [(error["line"], error["column"], error["message"]) for error in raised.value.errors]


@cache
def grammar() -> Grammar:
    """The grammar in the documentation."""
    (block,) = re.findall(r"^```abnf\n(.*?)^```", (DOCS / "notation.md").read_text("utf-8"), re.MULTILINE | re.DOTALL)
    return Grammar(block)


# --- there and back --------------------------------------------------------------------------------------------------


@some_records
def test_a_recorded_game_survives_exactly(file: Path) -> None:
    record = json_text.decode(file.read_bytes())
    game = GAMES[record["game"]]
    text = notation.written(game, record)
    again = read(text)
    assert again == record
    assert notation.written(game, again) == text
    # "5" is not 5, and true not 1: equal is not enough
    assert json.dumps(again, sort_keys=True) == json.dumps(record, sort_keys=True)


@every_game
def test_recorded_games_follow_the_grammar(game: AnyGame) -> None:
    lines: dict[str, str] = {}
    for file in few_records():
        record = json_text.decode(file.read_bytes())
        if record["game"] == game.id:
            text = notation.written(game, record)
            for line in text.splitlines():
                form = re.sub(r"[0-9]+", "0", " ".join(line.split()[:2]))
                lines[form] = max(lines.get(form, ""), line, key=len)
    assert len(lines) > len(move_forms(game))
    for line in lines.values():
        assert grammar().matches("line", line), line


def test_a_record_is_read_as_intended() -> None:
    text = """\
# A club evening.
game: palazzo
id: club-evening-17   # as in the book
tags.date: 2024-03-09
tags.written by: "a \\"guest\\" # 1"
players:2
names:  Ada Lovelace ,"Bruno, the younger"
options.stack_sizes: [5, 0, 43]

  # what lay there
draw-tile brick-1-1
deal-card ?              # unseen
\t0   take-money
0 take-two-cards cards = red-7 , red-5
0 buy marble-2-2 payment=[]
0 buy payment="red-7",certificate-2 tiles=marble-2-2
0 pass#1""".replace("tags.written by", 'tags."written by"').replace("0 pass#1", "0 pass # 1")
    assert read(text) == {
        "game": "palazzo",
        "schema_version": SCHEMA_VERSION,
        "rules_version": GAMES["palazzo"].rules_version,
        "id": "club-evening-17",
        "tags": {"date": "2024-03-09", "written by": 'a "guest" # 1'},
        "players": 2,
        "names": ["Ada Lovelace", "Bruno, the younger"],
        "options": {"stack_sizes": [5, 0, 43]},
        "moves": [
            {"type": "draw-tile", "tile": "brick-1-1"},
            {"type": "deal-card", "card": None},
            {"type": "take-money", "seat": 0},
            {"type": "take-two-cards", "seat": 0, "cards": ["red-7", "red-5"]},
            {"type": "buy", "seat": 0, "tiles": ["marble-2-2"], "payment": []},
            {"type": "buy", "seat": 0, "tiles": ["marble-2-2"], "payment": ["red-7", "certificate-2"]},
            {"type": "pass", "seat": 0},
        ],
    }


def test_members_come_in_any_order_and_around_moves() -> None:
    text = "0 no-marker\ntotals: -5, 5\nplayers: 2\n1 take-card a\ngame: campanile\nrules_version: 1\n"
    record = read(text)
    assert [move["type"] for move in record["moves"]] == ["no-marker", "take-card"]
    assert record["totals"] == [-5, 5]
    assert list(record) == ["game", "schema_version", "rules_version", "players", "options", "moves", "totals"]
    assert read(text.replace("rules_version: 1", "rules_version: 7"))["rules_version"] == 7


@pytest.mark.parametrize(
    "text", ["game: carrara\r\nplayers: 2\r\n0 pass\r\n", "\ufeffgame: carrara\nplayers: 2\n0 pass"]
)
def test_byte_order_marks_and_line_ends_do_not_matter(text: str) -> None:
    assert read(text) == read("game: carrara\nplayers: 2\n0 pass\n")


def test_claimed_results_are_written_line_by_line() -> None:
    result = {
        "players": [
            {
                "seat": 0,
                "lines": [{"rule": "a.b", "points": -5, "tiles": ["x"], "stones": ["x"], "of": [1, 2]}],
                "total": -5,
                "place": 2,
            },
            {"seat": 1, "lines": [], "total": 5, "place": None},
        ],
        "tie_break": [],
        "undecided": [1],
        "note": {"by hand": [True, "?", "5", {}]},
    }
    record = {"game": "palazzo", "schema_version": 1, "rules_version": 1, "players": 2, "options": {}, "moves": []}
    text = notation.written(GAMES["palazzo"], {**record, "result": result})
    assert text.partition("\n\n")[2].splitlines() == [
        "result.players: seat=0 total=-5 place=2",
        "result.players.lines: rule=a.b points=-5 tiles=x stones=[x] of=1,2",
        "result.players: seat=1 lines=[] total=5 place=?",
        "result.tie_break: []",
        "result.undecided: 1",
        'result.note: {"by hand": [true, "?", "5", {}]}',
    ]
    assert read(text)["result"] == result


def values_of(kind: Kind) -> st.SearchStrategy[Any]:
    """Values of a kind, including those that no schema allows."""
    if kind is ANYTHING:
        scalars = st.none() | st.booleans() | st.integers() | words
        return st.recursive(scalars, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=5)
    possible: list[st.SearchStrategy[Any]] = []
    if kind.text:
        possible.append(words)
    if kind.number:
        possible.append(st.integers(-(10**30), 10**30))
    if kind.flag:
        possible.append(st.booleans())
    if kind.null:
        possible.append(st.none())
    if kind.items is not None:
        possible.append(st.lists(values_of(kind.items), max_size=4))
    if kind.members is not None:
        declared = {name: values_of(member) for name, member in kind.members.items()}
        possible.append(
            st.fixed_dictionaries(
                {name: value for name, value in declared.items() if name in kind.required},
                optional={name: value for name, value in declared.items() if name not in kind.required},
            )
        )
    if kind.rest is not None and not kind.members:
        possible.append(st.dictionaries(st.text(), values_of(kind.rest), max_size=4))
    return st.one_of(possible)


words = st.one_of(
    st.text(),
    st.text("ab12-?#,.:=\"'[]{} \t\\\n\r\x00\x85\xa0\u2028é", max_size=6),
    st.sampled_from(
        ["?", "null", "true", "5", "-5", "007", "#", "# a", "a # b", "a#b", "[a]", "{}", "a=b", "a: b", ""]
    ),
)


@st.composite
def records(draw: st.DrawFn) -> tuple[AnyGame, dict[str, Any]]:
    """A game, and a record with any texts and numbers in it."""
    game = draw(st.sampled_from(list(GAMES.values())))
    record: dict[str, Any] = {"game": game.id}
    for name, values in members_of(game).items():
        if name in ("schema_version", "rules_version", "players", "options") or draw(st.booleans()):
            record[name] = draw(values)
    result = {"result": record.pop("result")} if "result" in record else {}
    record["moves"] = draw(st.lists(moves_of(game), max_size=3))
    return game, {**record, **result}


# Strategies are made once for each game: made anew for every record, they would be examined anew.
@cache
def members_of(game: AnyGame) -> dict[str, st.SearchStrategy[Any]]:
    """Values of each member of a record but the game."""
    return {name: values_of(kind) for name, kind in (record_kind(game).members or {}).items() if name != "game"}


@cache
def moves_of(game: AnyGame) -> st.SearchStrategy[dict[str, Any]]:
    def moves(type: str) -> st.SearchStrategy[dict[str, Any]]:
        form = move_forms(game)[type]
        seat = st.just({"seat": 3} if form.has_seat else {})
        return st.builds(lambda seat, rest: {"type": type, **seat, **rest}, seat, values_of(form.members))

    by_type = {type: moves(type) for type in move_forms(game)}
    return st.sampled_from(list(by_type)).flatmap(by_type.__getitem__)


@settings(max_examples=100, deadline=None)
@given(records())
def test_any_text_in_a_record_survives(game_and_record: tuple[AnyGame, dict[str, Any]]) -> None:
    game, record = game_and_record
    text = notation.written(game, record)
    again = read(text)
    assert json.dumps(again, sort_keys=True) == json.dumps(record, sort_keys=True)
    assert notation.written(game, again) == text
    assert all(character.isprintable() or character == "\n" for character in text)


# --- every kind of move ----------------------------------------------------------------------------------------------


def examples_of(game: AnyGame) -> Iterator[dict[str, Any]]:
    """The examples of moves in the schema."""
    schema = json_text.decode((Path(__file__).parents[2] / "schemas" / game.id / "move.json").read_bytes())
    for definition in schema["$defs"].values():
        yield from definition["examples"]


@every_game
def test_every_kind_of_move_has_a_line(game: AnyGame) -> None:
    moves = list(examples_of(game))
    assert {move["type"] for move in moves} == set(move_forms(game))
    record = {"game": game.id, "schema_version": 1, "rules_version": 1, "players": 2, "options": {}, "moves": moves}
    text = notation.written(game, record)
    assert read(text)["moves"] == moves
    for line, move in zip(text.partition("\n\n")[2].splitlines(), moves, strict=True):
        assert line.split()[: 1 + ("seat" in move)][-1] == move["type"]
        assert '"' not in line
        assert all(read(f"game: {game.id}\n{again}")["moves"] == [move] for again in (line, f"  {line}\t# {line}"))


@every_game
def test_the_page_of_a_game_shows_every_kind_of_move(game: AnyGame) -> None:
    page = (DOCS / f"{game.id}.md").read_text("utf-8")
    (lines,) = re.findall(r"^```text\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    moves = read(f"game: {game.id}\n{lines}")["moves"]
    assert {move["type"] for move in moves} == set(move_forms(game))
    assert all(shape_of(game.id, "move").accepts(move) for move in moves)


# --- what is wrong ---------------------------------------------------------------------------------------------------

WRONG_MEMBERS = {
    "schema_version: one": (17, 'expected a whole number, not "one"'),
    "players: 007": (10, 'expected a whole number, not "007"'),
    "players: 2, 3": (11, 'expected one value, not ","'),
    "players:  # two": (11, "expected a whole number, not the end of the line"),
    "nmaes: Ada, Bruno": (1, 'expected the name of a member, not "nmaes"; did you mean "names"?'),
    'names: Ada, "Bruno': (13, "expected a closing quotation mark for this string"),
    'names: Ada, "Bruno" B': (21, 'expected the end of the line, not "B"'),
    "names: Ada,,Bruno": (12, 'expected text, not ","'),
    "names: Ada,": (12, "expected text, not the end of the line"),
    "names: Ad\x07a": (10, 'expected the end of the line, not "\\u0007"'),
    'id: "a\\q"': (5, "expected a JSON string, not one with invalid escapes"),
    'id: "\\ud800"': (5, "expected a JSON string, not one with invalid escapes"),
    'tags.a: "x" y': (13, 'expected the end of the line, not "y"'),
    "tags.b:": (8, "expected text, not the end of the line"),
    "options.bulider: 2": (9, 'expected the name of a member, not "bulider"; did you mean "builder"?'),
    "options.stack_sizes: 5, x, 43": (25, 'expected a whole number, not "x"'),
    "options.stack_sizes: [5, 0, 43": (31, 'expected "," or "]", not the end of the line'),
    "options.stack_sizes: {5}": (22, 'expected a list, not "{"'),
    "options: {builder: 1, builder: 2}": (23, '"builder" occurs twice'),
    "options: {builder= 1}": (18, 'expected ":", not "="'),
    "players.x: 3": (8, 'expected ":", not ".x:"'),
    "result.players.lines: a=1": (8, 'expected a line "result.players: …" before this one'),
    "result.players: seat=0 x": (24, 'expected "lines=…", not "x"'),
    "totals: ?": (9, 'expected a whole number, not "?"'),
    "result.x: " + "[" * 40: (43, 'expected nesting of at most 32 brackets, not "["'),
    "a" + ".a" * 40 + ": 1": (65, 'expected at most 32 names, not "a.a.a.a.a.a.a.a.a:"'),
    "take-card: red-7": (1, 'expected no ":" after "take-card", which is a move'),
}

ALL_MOVES = "it is one of: " + ", ".join(move_forms(GAMES["palazzo"]))

WRONG_MOVES = {
    "draw-tile brick-1-1 extra": (21, 'expected the end of the line, not "extra"'),
    "0 draw-tile brick-1-1": (1, 'expected no seat before "draw-tile", a move of chance'),
    "take-money": (1, 'expected a seat before "take-money", a move of a player'),
    "0 take-money now": (14, 'expected the end of the line, not "now"'),
    "0 tkae-money": (3, 'expected a type of move, not "tkae-money"; did you mean "take-money"?'),
    "0 castle": (3, f'expected a type of move, not "castle"; {ALL_MOVES}'),
    "-1 take-money": (1, 'expected the number of a seat, since no player is named, not "-1"'),
    "Ada take-money": (1, 'expected the number of a seat, since no player is named, not "Ada"'),
    '"Ada" take-money': (1, 'expected the number of a seat, since no player is named, not "Ada"'),
    "Ada": (1, f'expected a type of move, not "Ada"; {ALL_MOVES}'),
    "0": (2, "expected a move, not the end of the line"),
    "0 raise": (8, 'expected "cards=…", not the end of the line'),
    "0 raise #": (9, 'expected "cards=…", not the end of the line'),
    "0 place-on-top brick-1-1": (25, 'expected "palace=…", not the end of the line'),
    "0 place-on-top brick-1-1 0": (26, 'expected "palace=…", not "0"'),
    "0 place-on-top brick-1-1 palace=zero": (33, 'expected a whole number, not "zero"'),
    '0 place-on-top brick-1-1 palace="0"': (33, 'expected a whole number, not "0"'),
    "0 place-on-top brick-1-1 palace=1 tile=x": (35, '"tile" occurs twice'),
    "0 place-on-top brick-1-1 palace=1 storeys=2": (
        35,
        'expected the name of a member, not "storeys"; it is one of: tile, palace',
    ),
    '0 place-on-top "brick-1-1"palace=1': (27, 'expected a space, not "palace"'),
    "0 buy a,,b": (9, 'expected text, not ","'),
    "0 buy [a, b payment=c": (13, 'expected "," or "]", not "payment"'),
    "0 buy a payment=": (17, "expected a list, not the end of the line"),
    "0 buy payment={}": (15, 'expected a list, not "{"'),
    "0 take-card a,b": (14, 'expected one value, not ","'),
    "\x07": (1, 'expected a move, not "\\u0007"'),
}


@pytest.mark.parametrize(("line", "wrong"), [*WRONG_MEMBERS.items(), *WRONG_MOVES.items()])
def test_errors_have_line_and_column(line: str, wrong: tuple[int, str]) -> None:
    assert errors_in(f"game: palazzo\n\n{line}\n0 pass\n") == [(3, *wrong)]


NAMED = """game: palazzo
names: Ada, Ada Lovelace, pass, 7
players: 4

{}
"""


@pytest.mark.parametrize(
    ("line", "seat"),
    [
        ("Ada take-money", 0),
        ("  Ada\ttake-money # as always", 0),
        ('"Ada" take-money', 0),
        ('"Ada Lovelace" take-money', 1),
        ('"\\u0041da Lovelace" take-money', 1),
        ('"pass" pass', 2),
        ('"7" pass', 3),
        ("3 pass", 3),
        ("1 take-card red-7", 1),
    ],
)
def test_names_stand_for_seats(line: str, seat: int) -> None:
    """Wherever the record has the names: at the top, or below the moves."""
    text = NAMED.format(line)
    notated = notation.read(text.encode(), GAMES)
    (move,) = notated.record["moves"]
    assert move["seat"] == seat
    assert notated.place("/moves/0/seat") == (5, line.index(line.strip()[0]) + 1)
    names, below = "names: Ada, Ada Lovelace, pass, 7\n", text.replace("names: Ada, Ada Lovelace, pass, 7\n", "")
    assert read(below + names) == notated.record
    assert read(notation.written(GAMES["palazzo"], notated.record)) == notated.record
    assert grammar().matches("line", line)


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("Adda pass", (1, 'expected a seat, not "Adda"; did you mean "Ada"?')),
        ('"Ada Lovelac" pass', (1, 'expected a seat, not "Ada Lovelac"; did you mean "Ada Lovelace"?')),
        ("Ada Lovelace pass", (5, f'expected a type of move, not "Lovelace"; {ALL_MOVES}')),
        ("pass pass", (1, 'expected a seat before "pass", a move of a player')),
        ("Ada draw-tile brick-1-1", (1, 'expected no seat before "draw-tile", a move of chance')),
        ("Ada", (4, "expected a move, not the end of the line")),
        ("Ada: pass", (1, 'expected the name of a member, not "Ada"; it is one of: ')),
    ],
)
def test_errors_in_names_are_reported(line: str, wrong: tuple[int, str]) -> None:
    number, column, message = errors_in(NAMED.format(line))[0]
    assert (number, column) == (5, wrong[0])
    assert message.startswith(wrong[1])


@pytest.mark.parametrize("names", ["Ada # the elder", "Ada, Bruno # both", "Ada #", '"Ada", Bruno # one quoted'])
def test_a_comment_after_a_list_is_no_part_of_it(names: str) -> None:
    without, _, _ = names.partition(" #")
    assert read(f"game: palazzo\nnames: {names}\n") == read(f"game: palazzo\nnames: {without}\n")


def test_comments_and_variations_are_kept_where_they_stand_and_change_no_record() -> None:
    notated = notation.read(ANNOTATED.replace("\n", "\r\n").encode(), GAMES)
    assert notated.record == read(PLAIN)
    assert notated.comments == COMMENTS
    text = notation.written(GAMES["palazzo"], notated.record, notated.comments)
    again = notation.read(text.encode(), GAMES)
    assert (again.record, again.comments) == (notated.record, COMMENTS)
    assert notation.written(GAMES["palazzo"], again.record, again.comments) == text
    assert "draw-tile sandstone-5-3\n# high up\n#  And last of all:\n" in text
    assert all(grammar().matches("line", line) for line in text.splitlines())


def test_comments_beyond_the_last_move_and_of_several_lines_are_written_as_comments() -> None:
    text = notation.written(GAMES["palazzo"], read(PLAIN), {9: [" one\n0 pass", ""]})
    assert text.endswith("draw-tile sandstone-5-3\n# one\n#0 pass\n#\n")


@pytest.mark.parametrize("character", "\f\x85\xa0\u2028\u3000", ids=ascii)
def test_a_comment_keeps_what_it_ends_with_unless_that_is_a_space(character: str) -> None:
    notated = notation.read(PLAIN.replace("sandstone-5-3\n", f"sandstone-5-3 # a{character} \t\n").encode(), GAMES)
    again = notation.read(notation.written(GAMES["palazzo"], notated.record, notated.comments).encode(), GAMES)
    assert [*again.comments.values()] == [*notated.comments.values()] == [[f" a{character}"]]


@pytest.mark.parametrize("sound", {False, HAS_SOUND_POSSESSIVE_GROUPS})
@pytest.mark.parametrize(
    ("part", "least", "text", "matched"),
    [
        (r"(?!B#)[^C]", 1, "ABAB#", "ABA"),
        (r"(?!B#)[^C]", 1, "C", None),
        (r"[^\\\x22]|\\.", 0, 'a\\"b"', 'a\\"b'),
        (r"[^\\\x22]|\\.", 0, "a\\", "a"),
        (r"ab?c", 0, "abca", "abc"),
        (r"ab?c", 0, "a", ""),
    ],
)
def test_a_part_is_repeated_as_often_as_possible(
    part: str, least: int, text: str, matched: str | None, sound: bool
) -> None:
    found = re.match(as_often_as_possible(part, least, sound=sound), text)
    assert (found[0] if found else None) == matched


def test_a_name_shared_by_two_players_is_ambiguous() -> None:
    text = "game: palazzo\nnames: Ada, Ada\nplayers: 2\n\nAda pass\n"
    assert errors_in(text) == [(5, 1, 'expected the name of one player: "Ada" is that of several')]


@pytest.mark.parametrize("name", ["Zo\u00eb", "Zoe\u0308"], ids=["composed", "decomposed"])
@pytest.mark.parametrize("written", ["Zo\u00eb", "Zoe\u0308"], ids=["composed", "decomposed"])
@pytest.mark.parametrize("quote", ["", '"'])
def test_a_name_stands_for_its_player_however_its_accents_are_written(name: str, written: str, quote: str) -> None:
    text = f"game: palazzo\nplayers: 2\nnames: {name}, Bruno\n\n{quote}{written}{quote} build\n"
    record = notation.read(text.encode(), GAMES).record
    assert record["moves"] == [{"type": "build", "seat": 0}]
    assert record["names"] == [name, "Bruno"]


@pytest.mark.parametrize("character", "\v\f\x1c\x1d\x1e\x85\u2028\u2029", ids=ascii)
def test_what_ends_no_line_in_a_file_ends_none_in_the_notation(character: str) -> None:
    """Written in names, ids and tags; in comments only what is no control character of ASCII."""
    game = GAMES["palazzo"]
    text = f"a{character}b"
    record = {"game": "palazzo", "schema_version": 1, "rules_version": 1, "id": text, "tags": {text: text}}
    record |= {"players": 2, "names": [text, "Ada"], "options": {}, "moves": [{"type": "build", "seat": 0}]}
    written = notation.written(game, record)
    assert len(written.splitlines()) == written.count("\n")
    assert notation.read(written.encode(), GAMES).record == record
    commented = notation.read(written.replace("0 build", f"0 build # {character} 1 build").encode(), GAMES)
    assert commented.record == record
    assert notation.read(notation.written(game, record, commented.comments).encode(), GAMES) == notation.Notated(
        record, ANY, commented.comments
    )
    assert notation.read(written.replace("\n", "\r\n").encode(), GAMES).record == record


@pytest.mark.parametrize(
    ("text", "is_notation"),
    [
        ("game: palazzo", True),
        ("\ufeff\n# a comment", True),
        ("draw-tile brick-1-1\ngame: palazzo", True),
        ("0 take-money", True),
        ("Ada take-money", True),
        ("Ödön take-money", True),
        ('"Ada Lovelace" take-money', True),
        ("  pass", True),
        ("{", False),
        (' {"game": "palazzo"}', False),
        ('\ufeff{\n"game": "palazzo"}', False),
        ("\ufeff[]", False),
        ("[]", False),
        ("7", False),
        ("-5", False),
        ('"game"', False),
        (' "a \\" b" ', False),
        ("true", False),
        ("null\n", False),
        ("", False),
    ],
)
def test_a_record_is_distinguished_from_json_by_its_first_line(text: str, is_notation: bool) -> None:
    assert notation.is_notation(text.encode()) == is_notation


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be"])
def test_json_in_utf_16_is_not_taken_for_a_record_as_text(encoding: str) -> None:
    assert not notation.is_notation('\ufeff{"game": "palazzo"}'.encode(encoding))


def test_all_errors_are_reported_at_once_and_in_order() -> None:
    text = "game: palazzo\n0 psas\n0 place-on-top b palce=0\ntags.a: b\ntags.a: c\nplayers: two\n"
    assert errors_in(text) == [
        (2, 3, 'expected a type of move, not "psas"; did you mean "pass"?'),
        (3, 18, 'expected the name of a member, not "palce"; did you mean "palace"?'),
        (3, 25, 'expected "palace=…", not the end of the line'),
        (5, 6, '"a" occurs twice'),
        (6, 10, 'expected a whole number, not "two"'),
    ]


@pytest.mark.parametrize(
    ("whole", "part"),
    [
        ("tags: {a: b}", "tags.c: d"),
        ("tags: {}", "tags.c: d"),
        ("options: {builder: 1}", "options.stack_sizes: 5, 0, 43"),
        ("result: {version: 1}", "result.judge.name: Ada"),
        ("result.judge: {name: Ada}", "result.judge.town: Bologna"),
        ("result.players: [{seat: 0}]", "result.players: seat=1"),
    ],
)
def test_a_member_is_written_whole_or_in_parts_but_not_in_both(whole: str, part: str) -> None:
    beginning = "game: palazzo\nplayers: 2\n"
    name = whole.partition(":")[0].split(".")[-1]
    for line in (whole, part):
        notation.read(f"{beginning}{line}\n".encode(), GAMES)
    for lines in ((whole, part), (part, whole)):
        (error,) = errors_in(beginning + "\n".join(lines))
        assert (error[0], error[2]) == (4, f'"{name}" occurs twice')


def test_the_number_of_errors_is_limited() -> None:
    assert len(errors_in("game: palazzo\n" + "0 psas\n" * 1000)) == 100
    assert len(errors_in("game: palazzo\n0 buy x" + " a=b" * 1000)) == 100


NO_GAME = (1, 1, f'expected a line "game: …" with one of: {", ".join(GAMES)}')


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", NO_GAME),
        ("# nothing\n\n0 pass\n", NO_GAME),
        ("gmae: palazzo\n", NO_GAME),
        ("game:", (1, 6, "expected text, not the end of the line")),
        ("\ngame: plazzo # our club", (2, 7, 'expected a game, not "plazzo"; did you mean "palazzo"?')),
        (
            "players: 2\ngame: palazzo, carrara",
            (2, 7, 'expected a game, not "palazzo, carrara"; did you mean "palazzo"?'),
        ),
        (b"game: palazzo\nid: \xc3\xa9\xff", (2, 6, "expected text in UTF-8, not other bytes")),
    ],
)
def test_without_a_game_nothing_can_be_read(text: str | bytes, wrong: tuple[int, int, str]) -> None:
    assert errors_in(text) == [wrong]


def test_too_many_moves_are_not_read() -> None:
    with pytest.raises(Problem) as raised:
        notation.read(b"game: palazzo\n\n" + b"0 pass\n" * 4, GAMES, maximum_moves=3)
    assert raised.value.id == "envelope"
    assert raised.value.errors == [
        {"pointer": "/moves", "message": "has 4 moves, at most 3 allowed", "line": 6, "column": 1}
    ]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("tags.a: b\n" * 30_000, (20_001, 1, "expected no more than 20000 lines of members")),
        ("0 buy " + '"a",' * 200_000, (2, 400_003, "expected no more than 100000 words and brackets on a line")),
        ("result.x: [" + "[]," * 200_000, (2, 300_003, "expected no more than 100000 words and brackets on a line")),
        (("0 buy " + '"a",' * 200 + "a payment=b\n") * 1000, (520, 818, "expected fewer words up to here")),
    ],
    ids=["lines", "words", "brackets", "words of all lines"],
)
def test_texts_that_would_take_too_long_are_not_read(text: str, wrong: tuple[int, int, str]) -> None:
    assert errors_in(f"game: palazzo\n{text}") == [wrong]


def test_of_more_names_than_there_can_be_players_the_first_are_known() -> None:
    names = [f"n{seat}" for seat in range(100)]
    known = ", ".join(names[:20])
    text = f"game: palazzo\nnames: {', '.join(names)}\nAda build"
    assert errors_in(text) == [(3, 1, f'expected a seat, not "Ada"; it is one of: {known}')]


def test_long_names_of_players_are_not_repeated() -> None:
    text = f"game: palazzo\nnames: {'n' * 5_000}, Bruno\nAda build"
    known = f'one of: "{"n" * 40}" … (5000 characters), Bruno'
    assert errors_in(text) == [(3, 1, f'expected a seat, not "Ada"; it is {known}')]


@pytest.mark.parametrize(
    ("line", "pointer"),
    [
        ("result.{long}.y: {wrong}", "/result"),
        ("result.y.{long}: {wrong}", "/result/y"),
        ("result.{long}: [{wrong}]", "/result"),
        ("result.y: {{{long}: [{wrong}]}}", "/result/y"),
        ("0 build {long}={wrong}", "/moves/0"),
    ],
)
def test_errors_below_a_long_name_do_not_repeat_it(line: str, pointer: str) -> None:
    text = f"game: palazzo\n{line.format(long='x' * 5_000, wrong=', '.join([WRONG] * 3))}"
    with pytest.raises(Problem) as raised:
        notation.read(text.encode(), GAMES)
    wrong = [error for error in raised.value.errors if "escapes" in error["message"]]
    assert [error["pointer"] for error in wrong] == [pointer] * len(wrong) != []


WRONG = '"\\q"'
"""A string that is no JSON string."""


def places_in(text: str) -> Mapping[str, Place]:
    return notation.read(f"game: palazzo\n{text}".encode(), GAMES).places


@pytest.mark.parametrize(
    "text",
    [
        "result.{long}: {items}",
        "result.{long}: [[{items}]]",
        "result.{long}.y: {items}",
        "result.y: {{{long}: {{{long}: [{items}]}}}}",
        "result.players: {long}={items}",
    ],
)
def test_values_with_long_names_take_no_more_room_than_others(text: str) -> None:
    """Each of a thousand values has its own pointer, which would have the whole name in it."""
    places = places_in(text.format(long="x" * 100_000, items=",".join(["1"] * 2_000)))
    assert sum(map(len, places)) < 1_000_000
    assert places["/result"][0] == 2


def test_of_more_values_than_records_have_only_the_places_of_lines_are_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    noted: list[str] = []
    monkeypatch.setattr(Line, "note", counted(Line.note, noted))
    lines = [f"result.a{number}: {','.join(['1'] * 1_000)}" for number in range(300)]
    places = places_in("\n".join(lines))
    assert len(places) < 250_000
    assert len(noted) < 250_000
    assert places["/result/a0/7"] == (2, 26)
    assert places["/result/a299"] == (301, 14)


def counted(note: Callable[..., None], noted: list[str]) -> Callable[..., None]:
    def count(line: Line, pointer: str, at: int | None = None) -> None:
        noted.append(pointer)
        note(line, pointer, at)

    return count


def test_long_lists_are_read_in_one_step() -> None:
    items = ["a", 5, None] * 100_000
    text = "game: palazzo\nresult.x: " + ", ".join(["a", "5", "?"] * 100_000)
    assert read(text)["result"] == {"x": items}
    assert read(text.replace("x: ", "x: [") + "]")["result"] == {"x": items}


@settings(max_examples=100, deadline=None)
@given(st.binary() | st.text('0 1a-brick,=[]{}":.#\n\t\\pass?').map(lambda text: f"game: palazzo\n{text}".encode()))
def test_nothing_but_a_problem_is_raised(data: bytes) -> None:
    check(data)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(record_files()), st.data())
def test_damaged_texts_are_read_or_refused_with_errors(file: Path, data: st.DataObject) -> None:
    record = json_text.decode(file.read_bytes())
    text = notation.written(GAMES[record["game"]], {**record, "moves": record["moves"][-30:]})
    for _ in range(data.draw(st.integers(1, 4))):
        begin = data.draw(st.integers(0, len(text)))
        end = min(len(text), begin + data.draw(st.integers(0, 5)))
        text = text[:begin] + data.draw(words) + text[end:]
    check(text.encode())


def check(data: bytes) -> None:
    """A text is a record that survives, or has errors with places in it."""
    try:
        record = notation.read(data, GAMES).record
    except Problem as problem:
        found = problem.errors
    else:
        assert read(notation.written(GAMES[record["game"]], record)) == record
        return
    lines = data.decode("utf-8", "replace").split("\n")
    assert found
    for error in found:
        assert 1 <= error["line"] <= len(lines)
        assert 1 <= error["column"] <= len(lines[error["line"] - 1]) + 1


# --- places ----------------------------------------------------------------------------------------------------------


@some_records
def test_every_value_has_its_place(file: Path) -> None:
    """The place of a plainly written text is where the file has it."""
    record = json_text.decode(file.read_bytes())
    text = notation.written(GAMES[record["game"]], record)
    notated = notation.read(text.encode(), GAMES)
    lines = text.split("\n")
    for pointer, value in leaves(notated.record):
        line, column = notated.place(pointer)
        if pointer in notated.places and isinstance(value, str):
            assert lines[line - 1][column - 1 :].startswith((value, json.dumps(value))), pointer
    apart = [pointer for pointer, _ in leaves(notated.record) if pointer not in notated.places]
    assert apart == []


def test_absent_values_are_placed_where_they_would_be() -> None:
    text = "game: palazzo\nplayers: 2\noptions.builder: 1\n\ndraw-tile brick-1-1\n0 buy a payment=b, c\n"
    notated = notation.read(text.encode(), GAMES)
    places = {
        "": (1, 1),
        "/rules_version": (1, 1),
        "/options": (3, 9),
        "/options/builder": (3, 18),
        "/moves/0": (5, 1),
        "/moves/0/none": (5, 1),
        "/moves/1/type": (6, 3),
        "/moves/1/seat": (6, 1),
        "/moves/1/tiles": (6, 7),
        "/moves/1/payment/1": (6, 20),
        "/moves/1/payment/2": (6, 17),
        "/moves/2": (5, 1),
    }
    assert {pointer: notated.place(pointer) for pointer in places} == places


def test_pointers_in_answers_get_line_and_column() -> None:
    notated = notation.read(b"game: palazzo\n0 pass\n", GAMES)
    answer = {"a": [{"pointer": "/record/moves/0/seat", "rule": "x"}], "pointer": "/seat", "b": {"pointer": "/record"}}
    assert notated.located(answer, "/record") == {
        "a": [{"pointer": "/moves/0/seat", "rule": "x", "line": 2, "column": 1}],
        "pointer": "/seat",
        "b": {"pointer": "", "line": 1, "column": 1},
    }


# --- the grammar -----------------------------------------------------------------------------------------------------

NOT_GRAMMATICAL = [
    'names: "Ada',
    "0 buy a,,b",
    "0 buy [a, b payment=c",
    "0 buy a payment=",
    '0 place-on-top "a"palace=1',
    'id: "x" y',
    'id: "\\q"',
    "names: a\x07",
]


def test_the_grammar_rejects_malformed_lines() -> None:
    rules = grammar()
    for line in NOT_GRAMMATICAL:
        assert not rules.matches("line", line), line
        assert errors_in(f"game: palazzo\n{line}")
    for line in ("", "   ", "# a", "\t# a", "0 pass # a", 'names: Ada the "Great", [b', "tags.a: b, c # d", "x y=z"):
        assert rules.matches("line", line), line


def test_the_example_in_the_documentation_is_the_same_record_twice() -> None:
    blocks = dict(
        re.findall(
            r"^```(?:json|text) (\S+)\n(.*?)^```", (DOCS / "records.md").read_text("utf-8"), re.MULTILINE | re.DOTALL
        )
    )
    record = json_text.decode(blocks["evening.json"].encode())
    assert read(blocks["evening.capo"]) == record
    assert shape_of("palazzo", "record").accepts(record)
    assert grammar().matches("record", blocks["evening.capo"])
