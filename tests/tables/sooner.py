"""Checks whether an answer comes sooner because somebody has asked about the same cards before.

A player who guesses another's hand can send the guess to the service as their own state: if it remembers something
that it computed for the table, the right guess takes less work. Work is counted, not timed: the calls of each
function of the package. The same requests are sent about two tables, one with the real hand, one with another (the
public part is the same); if the work for the same guess then differs, it reveals the hand.
"""

import gc
from collections import Counter
from collections.abc import Callable
from cProfile import Profile
from functools import cache, lru_cache, partial
from pathlib import Path
from random import Random
from types import CodeType
from typing import Any

from flask.testing import FlaskClient
from msgspec.structs import replace

import capomastro
from capomastro.api.application import create_app
from capomastro.documents import json_text
from capomastro.engine.game import AnyGame
from capomastro.tables.documents import opened_table, sealed_table
from capomastro.tables.keys import KeyRing
from tests.support.documents import as_document
from tests.tables.dealing import with_another_hand
from tests.tables.players import MASTERS, QUIET, Played

PACKAGE = str(Path(capomastro.__file__).parent)
OF_THE_RULES = ("capomastro.games.", "capomastro.engine.", "capomastro.drawing.")
FEW_MOVES = 3

Post = Callable[[str, dict[str, Any]], bytes]
"""Sends a request about the game: the resource and the body; returns the content of the answer."""
Work = Counter[str]
"""The number of calls of each function of the package."""


def client_of_the_application() -> FlaskClient:
    """The service in this process, with keys."""
    client = create_app(type(QUIET)(**{**vars(QUIET), "sealing_keys": " ".join(MASTERS)})).test_client()
    caches.cache_clear()
    return client


def posted_to_the_application(game: AnyGame) -> Post:
    """The service in this process, as it answers over HTTP."""
    client = client_of_the_application()

    def post(resource: str, body: dict[str, Any]) -> bytes:
        response = client.post(f"/v1/games/{game.id}/{resource}", json=body)
        content: bytes = response.data
        # a question that is refused leads to no hand, and would find nothing
        assert response.status_code == 200 or b"/v1/problems/unfinished" in content, content
        return content

    return post


# --- what is remembered ----------------------------------------------------------------------------------------------


@cache
def caches() -> list[Any]:
    """Every cache of the package that requests fill, wherever it is, except data that is read from files once.

    Searched for once per application: in a process that has run thousands of tests it takes seconds.
    """
    kind = type(lru_cache(len))
    # every cache refers to its type: asking for those takes half as long as walking through all objects
    referring = [one for one in gc.get_referrers(kind) if type(one) is kind]
    found = [one for one in referring if (one.__module__ or "").startswith("capomastro")]
    return [
        one for one in found if one.cache_parameters()["maxsize"] is not None or one.__module__.startswith(OF_THE_RULES)
    ]


def remember_nothing() -> None:
    """Empties everything that outlives a request, so that every trace of one shows."""
    for one in caches():
        one.cache_clear()


def work_of(ask: Callable[[], Any]) -> Work:
    """The number of calls of each function of the package during an answer."""
    profile = Profile(builtins=False)  # counts in C: a function in Python would take ten times as long as the answer
    profile.runcall(ask)
    work = Work()
    for entry in profile.getstats():
        if isinstance(entry.code, CodeType) and entry.code.co_filename.startswith(PACKAGE):
            work[f"{entry.code.co_filename.removeprefix(PACKAGE)} {entry.code.co_qualname}"] += entry.callcount
    return work


# --- what is asked ---------------------------------------------------------------------------------------------------


Question = tuple[str, dict[str, Any]]
"""A resource, and what is sent to it."""


def questions_about(state: dict[str, Any], move: dict[str, Any] | None = None) -> list[Question]:
    """All requests about a state without a table, and about one move in it."""
    about_the_move: list[Question] = [
        ("transitions", {"state": state, "moves": [move], "views": [0, None], "texts": True}),
        ("verdicts", {"state": state, "move": move, "nearest": 5, "texts": True}),
        ("pictures", {"state": state, "last_moves": [move]}),
    ]
    return [
        ("legal-moves", {"state": state, "limit": 50, "explain": True, "texts": True}),
        ("legal-moves", {"state": state, "limit": 50, "payments": "all"}),
        ("suggestions", {"state": state, "texts": True}),
        ("suggestions", {"state": state, "player": "random", "seed": "7"}),
        ("audits", {"state": state}),
        ("views", {"state": state, "seat": None}),
        ("scores", {"state": state}),
        ("pictures", {"state": state}),
        ("pictures", {"state": state, "layout": "narrow"}),
        *(about_the_move if move else []),
    ]


def ask_as_player(
    post: Post, table: dict[str, Any], seat: int, secrets: list[str], moves: list[Any], draws: bool = True
) -> None:
    """Sends the requests of a player who is to move, about the table and about their view, as a page does.

    With `draws`, a witness has drawn what the moves lead to: that is public, and depends on the hand.
    """
    asks = {"table": table, "seat": seat, "secret": secrets[seat]}
    view = json_text.decode(post("tables/views", {**asks, "legal_moves": 50, "texts": True}))["state"]
    for move in moves:
        after = json_text.decode(post("tables/transitions", {**asks, "moves": [move], "texts": True}))["table"]
        if draws and after["waiting"]["for"] == "draw":
            witness = after["waiting"]["seats"][0]
            post("tables/transitions", {"table": after, "seat": witness, "secret": secrets[witness], "moves": []})
    for resource, body in questions_about(view, *moves[:1]):
        post(resource, body)


# --- a table and its double ------------------------------------------------------------------------------------------


def double_of(game: AnyGame, keys: KeyRing, table: dict[str, Any], random: Random) -> Any:
    """The table with another hand of the seat that moves; None if no other was found."""
    opened = opened_table(game, keys, table)
    other = with_another_hand(game, opened.state, table["waiting"]["seats"][0], random)
    return other and as_document(sealed_table(game, keys.sealing, replace(opened, state=other)))


def sooner(post: Post, game: AnyGame, done: Played, table: dict[str, Any], random: Random) -> list[str] | None:
    """The requests about the hand to move whose work depends on earlier requests about a table; must be empty.

    The table waits for a move. None instead, if no other hand was found.
    """
    keys = KeyRing(MASTERS)
    seat = table["waiting"]["seats"][0]
    double = double_of(game, keys, table, random)
    if double is None:
        return None
    secrets = [player.secret for player in done.players]
    state = opened_table(game, keys, table).state
    first, moves = moves_of_both(post, table, double, seat, secrets, random)
    guess = as_document(random.choice([state, game.view(state, seat)]))
    questions = questions_about(guess, first)
    random.shuffle(questions)
    # what is read from files, or worked out about types, is so now
    ask_as_player(post, table, seat, secrets, moves)
    for resource, body in questions:
        post(resource, body)
    works = []
    for one in (table, double):
        remember_nothing()
        ask_as_player(post, one, seat, secrets, moves)
        # one after the other: if two could profit from the same trace, only the first does
        works.append([work_of(partial(post, resource, body)) for resource, body in questions])
    found = []
    for (resource, _), right, wrong in zip(questions, *works, strict=True):
        differing = sorted(name for name in right | wrong if right[name] != wrong[name])
        if differing:
            found.append(f"{resource}: {', '.join(differing[:5])}")
    return found


def moves_of_both(
    post: Post, table: dict[str, Any], double: Any, seat: int, secrets: list[str], random: Random
) -> tuple[Any, list[Any]]:
    """The first legal move, and some that are legal with either hand: what one alone allows is public once played."""
    listed = []
    for one in (table, double):
        asks = {"table": one, "seat": seat, "secret": secrets[seat], "legal_moves": 1000}
        listed.append(json_text.decode(post("tables/views", asks))["legal_moves"]["moves"])
    common = [move for move in listed[0] if move in listed[1]]
    return listed[0][0], random.sample(common, min(FEW_MOVES, len(common)))


def moving(done: Played) -> list[dict[str, Any]]:
    """The tables of a game that wait for a move."""
    return [table for table in done.tables if table["waiting"]["for"] == "move"]
