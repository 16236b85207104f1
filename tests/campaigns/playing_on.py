"""Changes states a great many times, and plays on from each that is accepted: make campaign NAME=playing-on.

A state that `audits` accepts need not be reachable, but a game must be able to go on from it: at random to an end,
whatever is asked of any state on the way. No answer may be a fault of the service, no answered state may be refused
when it comes back, and the listed moves must be the accepted ones.

States are taken from recorded and random games. Each is changed a few times, keeping what is still accepted, so that
changes add up to states that no game reaches. Moves are chosen in this process, and played by the application in
stretches. Blocks, progress and findings are as in `fuzz`.
"""

import argparse
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

from capomastro.adjudicator import audit
from capomastro.documents.problems import Problem
from capomastro.engine import referee
from capomastro.engine.game import AnyGame
from capomastro.engine.moves import Move
from capomastro.games import all_games
from tests.campaigns.asking import JSON, Answer, Request
from tests.campaigns.corpus import Corpus, fresh
from tests.campaigns.examining import examined
from tests.campaigns.fuzz import SLOW, reported, service
from tests.campaigns.mutating import a_place, another, encoded, spoilt, value_at
from tests.campaigns.resuming import Block, finished_blocks, run_blocks
from tests.support.damage import at, places, replaced
from tests.support.documents import as_document, as_state
from tests.support.mutations import field_mutations
from tests.support.shapes import shape_of

BLOCK = 200
"""Number of changed states per block."""
WALK = 25
"""Number of changes tried before another state of a game is taken."""
MAXIMUM_PLIES = 1_500
"""Games that are longer are left: some can be delayed as long as the players like."""
STRETCHES = (1, 10, 50, 150)
"""Numbers of moves in one request."""
LOOKS = 0.1
"""The share of states on the way that are asked about; the first and the last always are."""
ASKED = 5
"""Number of questions about one state, of some seventeen: another state is asked others."""

Change = Callable[[Random, Any, Corpus], Any]


# --- changes ---------------------------------------------------------------------------------------------------------


def changed(random: Random, state: Any, corpus: Corpus) -> Any:
    """A copy of a state with one change that usually keeps its shape."""
    return random.choice(CHANGES)(random, state, corpus)


def token_lists(state: Any) -> list[tuple[str | int, ...]]:
    """The paths to all lists of tokens, empty ones included."""
    lists = [path for path in places(state) if isinstance(at(state, path), list)]
    return [path for path in lists if all(isinstance(item, str) for item in at(state, path))]


def token_moved(random: Random, state: Any, corpus: Corpus) -> Any:
    """A token taken from one list and put into another."""
    lists = token_lists(state)
    full = [path for path in lists if at(state, path)]
    if not full:
        return state
    source, target = random.choice(full), random.choice(lists)
    tokens = at(state, source)
    index = random.randrange(len(tokens))
    without = replaced(state, source, tokens[:index] + tokens[index + 1 :])
    return replaced(without, target, [*at(without, target), tokens[index]])


def tokens_swapped(random: Random, state: Any, corpus: Corpus) -> Any:
    """Two tokens of two lists exchanged."""
    full = [path for path in token_lists(state) if at(state, path)]
    if len(full) < 2:
        return state
    first, second = random.sample(full, 2)
    here, there = random.randrange(len(at(state, first))), random.randrange(len(at(state, second)))
    tokens = at(state, (*first, here)), at(state, (*second, there))
    return replaced(replaced(state, (*first, here), tokens[1]), (*second, there), tokens[0])


def token_changed(random: Random, state: Any, corpus: Corpus) -> Any:
    """A token removed, added, or replaced by another."""
    path = random.choice(token_lists(state) or [()])
    tokens = at(state, path)
    if not isinstance(tokens, list):
        return state
    seen = [token for item in corpus.by_name.get(str(path[-1]), ()) for token in (item if type(item) is list else ())]
    token = random.choice(seen or corpus.tokens)
    way = random.randrange(3)
    if way == 0 or not tokens:
        return replaced(state, path, [*tokens, token])
    index = random.randrange(len(tokens))
    return replaced(state, path, [*tokens[:index], *([token] if way == 1 else []), *tokens[index + 1 :]])


def number_changed(random: Random, state: Any, corpus: Corpus) -> Any:
    """A number changed, mostly by one."""
    numbers = [path for path in places(state) if type(at(state, path)) is int]
    path = random.choice(numbers)
    return replaced(state, path, max(0, at(state, path) + random.choice((-2, -1, -1, 1, 1, 2, 7, 40))))


def part_grafted(random: Random, state: Any, corpus: Corpus) -> Any:
    """A member, such as the stage, taken from another state."""
    name = random.choice(("stage", "stage", random.choice(list(state))))
    other = random.choice(corpus.states)
    return {**state, name: other[name]} if name in other else state


def seats_exchanged(random: Random, state: Any, corpus: Corpus) -> Any:
    """A member of one seat exchanged with that of another."""
    first, second = random.sample(range(len(state["seats"])), 2)
    name = random.choice(list(state["seats"][first]))
    seats = list(state["seats"])
    if name not in seats[second]:
        return state
    ours, theirs = seats[first][name], seats[second][name]
    seats[first], seats[second] = {**seats[first], name: theirs}, {**seats[second], name: ours}
    return {**state, "seats": seats}


def hand_changed(random: Random, state: Any, corpus: Corpus) -> Any:
    """Cards of a hand turned over, made unknown or made known."""
    seat = random.randrange(len(state["seats"]))
    hand = state["seats"][seat].get("hand")
    if not isinstance(hand, dict):
        return state
    way = random.randrange(4)
    shown, secret, unknown = list(hand.get("open", ())), list(hand.get("closed", ())), dict(hand.get("unknown", {}))
    piles = sorted({pile for seen in corpus.by_name.get("unknown", ()) if type(seen) is dict for pile in seen})
    if way == 0 and secret:
        shown.append(secret.pop(random.randrange(len(secret))))
    elif way == 1 and shown:
        secret.append(shown.pop(random.randrange(len(shown))))
    elif way == 2 and secret and piles:
        secret.pop(random.randrange(len(secret)))
        pile = random.choice(piles)
        unknown[pile] = unknown.get(pile, 0) + 1
    elif unknown:
        pile = random.choice(sorted(unknown))
        unknown[pile] -= 1
        unknown = {name: number for name, number in unknown.items() if number}
        secret.append(random.choice(corpus.tokens))
    return replaced(state, ("seats", seat, "hand"), {"open": shown, "closed": secret, "unknown": unknown})


def seen_by_another(random: Random, state: Any, corpus: Corpus) -> Any:
    """The state as a seat or a spectator may know it."""
    try:
        value = as_state(corpus.game, state)
        return as_document(corpus.game.view(value, random.choice((None, *range(len(value.seats))))))
    except Exception:  # noqa: BLE001 - only accepted states can be viewed for certain
        return state


def value_changed(random: Random, state: Any, corpus: Corpus) -> Any:
    """Any value changed, by what is elsewhere in its place."""
    path, name = a_place(random, state)
    return replaced(state, path, another(random, name, value_at(state, path), corpus))


def several_changes(random: Random, state: Any, corpus: Corpus) -> Any:
    return spoilt(random, state, corpus)


CHANGES: tuple[Change, ...] = (
    token_moved,
    token_moved,
    tokens_swapped,
    token_changed,
    token_changed,
    number_changed,
    number_changed,
    part_grafted,
    part_grafted,
    seats_exchanged,
    hand_changed,
    hand_changed,
    seen_by_another,
    value_changed,
    several_changes,
)


def shaped_change(random: Random, state: Any, corpus: Corpus) -> Any:
    """A changed copy of a state that still has the shape of one."""
    shape = shape_of(corpus.game.id, "state")
    while True:
        candidate = state
        for _ in range(random.choice((1, 1, 1, 2))):
            further = changed(random, candidate, corpus)
            candidate = further if shape.accepts(further) else candidate
        if candidate != state:
            return candidate


def is_accepted(game: AnyGame, state: Any) -> bool:
    """Whether `audits` accepts a state."""
    try:
        return not audit(game, state).findings
    except Problem:  # the number of names does not fit, for example
        return False


def walk(random: Random, corpus: Corpus, tries: int) -> Iterator[tuple[bool, Any]]:
    """Changes a state `tries` times, going on from what is accepted; every changed state, and whether it is."""
    state = random.choice(corpus.states)
    while not is_accepted(corpus.game, state):
        state = random.choice(corpus.states)
    for _ in range(tries):
        candidate = shaped_change(random, state, corpus)
        accepted = is_accepted(corpus.game, candidate)
        yield accepted, candidate
        if accepted:
            state = candidate


# --- playing on ------------------------------------------------------------------------------------------------------


Ask = Callable[[Request, bool], tuple[Answer | None, list[dict[str, Any]]]]
"""Sends a request, and with the flag those that follow from it; the answer and what was found."""


def request(game: AnyGame, resource: str, body: dict[str, Any], **headers: str) -> Request:
    return Request("POST", f"/v1/games/{game.id}/{resource}", encoded(body), "", {"Content-Type": JSON, **headers})


def questions_about(random: Random, game: AnyGame, state: Any, corpus: Corpus) -> Iterator[Request]:
    """A request to every resource that takes a state."""
    viewers = [None, *range(len(state["seats"]))]
    yield request(game, "audits", {"state": state})
    payments = random.choice(("minimal", "all"))
    yield request(game, "legal-moves", {"state": state, "limit": 200, "payments": payments, "explain": True})
    for player in ("random", "planning"):
        yield request(game, "suggestions", {"state": state, "player": player, "seed": "7", "texts": True})
    move = as_document(move_in(random, game, as_state(game, state))) or random.choice(corpus.moves)
    name = random.choice(list(move))
    near = list(field_mutations(move[name], corpus.tokens, random)) or [move[name]]
    for candidate in (move, {**move, name: random.choice(near)}, random.choice(corpus.moves)):
        yield request(game, "verdicts", {"state": state, "move": candidate, "nearest": 3})
        moved = {"state": state, "moves": [candidate], "seed": "7", "legal_moves": 5, "texts": True}
        yield request(game, "transitions", {**moved, "views": random.sample(viewers, 2)})
    yield request(game, "scores", {"state": state})
    for seat in random.sample(viewers, 2):
        yield request(game, "views", {"state": state, "seat": seat})
        yield request(game, "samples", {"state": state, "seat": seat, "seed": "7", "count": 2})
    picture = {"state": state, "layout": random.choice(("wide", "narrow")), "last_moves": [move]}
    yield request(game, "pictures", picture, Accept=random.choice((JSON, "image/svg+xml")))
    yield request(game, "pictures", {"state": state, "seat": random.choice(viewers)}, Accept=JSON)


def move_in(random: Random, game: AnyGame, state: Any) -> Move | None:
    """A legal move, by chance or a seat; None if the game is over, or if no move is known because the hand is not."""
    if referee.is_over(game, state) or not game.can_be_continued(state):
        return None
    if referee.is_at_chance(game, state):
        return referee.draw(game, state, str(random.random()))
    moves = referee.legal_moves(game, state)
    return moves.pick(random.randrange(moves.total)) if moves.total else None


def stretch(random: Random, game: AnyGame, document: Any, length: int) -> tuple[list[Move], bool]:
    """Up to `length` moves from a state, as far as the states that they reach are sound; whether the last one is."""
    state = as_state(game, document)
    moves: list[Move] = []
    while len(moves) < length:
        move = move_in(random, game, state)
        if move is None:
            break
        moves.append(move)
        state, _ = referee.play(game, state, move)
        if game.audit(state):
            return moves, False
    return moves, True


def played_on(random: Random, corpus: Corpus, document: Any, ask: Ask) -> Iterator[dict[str, Any]]:
    """Asks something of an accepted state, plays on to an end, and asks something again; yields what is found."""
    game, plies = corpus.game, 0
    look = True
    while True:
        if look:
            found = [one for asked in asked_about(random, game, document, corpus) for one in ask(asked, True)[1]]
            yield from found
            if found:
                return
        try:
            moves, sound = stretch(random, game, document, random.choice(STRETCHES))
        except Exception as error:  # noqa: BLE001 - a rule that fails is what is looked for
            yield from failing(random, game, document, ask, error)
            return
        if not moves:
            if not look:
                yield from (one for asked in asked_about(random, game, document, corpus) for one in ask(asked, True)[1])
            return
        answer, found = ask(request(game, "transitions", {"state": document, "moves": as_document(moves)}), not sound)
        yield from found
        plies += len(moves)
        if found or answer is None or answer.status != 200 or plies > MAXIMUM_PLIES:
            return
        document = answer.json()["state"]
        look = random.random() < LOOKS


def asked_about(random: Random, game: AnyGame, document: Any, corpus: Corpus) -> Iterator[Request]:
    """Some of `questions_about`; if no move can be found because a rule fails, what shows that."""
    try:
        yield from random.sample(list(questions_about(random, game, document, corpus)), ASKED)
    except Exception:  # noqa: BLE001 - the requests show it as a fault of the service
        yield request(game, "transitions", {"state": document, "moves": [], "seed": "7"})


def failing(random: Random, game: AnyGame, document: Any, ask: Ask, error: Exception) -> Iterator[dict[str, Any]]:
    """What is found where a rule fails on the way: plays there move by move."""
    for _ in range(STRETCHES[-1]):
        state = as_state(game, document)
        try:
            move = move_in(random, game, state)
        except Exception:  # noqa: BLE001 - asked of the service below
            break
        if move is None:
            break
        answer, found = ask(request(game, "transitions", {"state": document, "moves": [as_document(move)]}), True)
        yield from found
        if found or answer is None or answer.status != 200:
            return
        document = answer.json()["state"]
    asked = request(game, "legal-moves", {"state": document, "explain": True})
    drawn = request(game, "transitions", {"state": document, "moves": [], "seed": "7"})
    found = [one for each in (asked, drawn) for one in ask(each, True)[1]]
    yield from found
    if not found:
        signature = f"{game.id}: {type(error).__name__} while moves are chosen"
        yield {"signature": signature, "detail": repr(error)[:300], "request": asked.document()}


# --- the campaign ----------------------------------------------------------------------------------------------------


def block(game_id: str, seed: str, number: int, states: int = BLOCK) -> dict[str, Any]:
    """Changes so many states and plays on from those that are accepted; lists what was found."""
    app, contract = service()
    random = Random(f"{game_id} {seed} {number}")
    corpus = fresh(random)[game_id]
    counted: Counter[str] = Counter()
    findings: list[dict[str, Any]] = []

    def ask(asked: Request, thoroughly: bool) -> tuple[Answer | None, list[dict[str, Any]]]:
        answer, found = examined(app, contract, asked, thoroughly=thoroughly, slow=SLOW)
        counted["requests"] += 1
        return answer, [{**one._asdict(), "request": asked.document()} for one in found]

    began = process_time()
    while counted["changed"] < states:
        for accepted, state in walk(random, corpus, min(WALK, states - counted["changed"])):
            counted["changed"] += 1
            if accepted:
                counted["accepted"] += 1
                findings += played_on(random, corpus, state, ask)
    return {
        "game": game_id,
        "block": number,
        "counted": counted,
        "cpu": round(process_time() - began, 2),
        "findings": findings,
    }


def campaign(games: list[str], seed: str, states: int, processes: int, progress: Path) -> list[Block]:
    """Changes up to so many states of each game, counting those of earlier runs."""
    finished = finished_blocks(progress)
    done = {(one["game"], one["block"]) for one in finished}

    def shown(fresh: list[Block]) -> str:
        return f"{sum(len(one['findings']) for one in (*finished, *fresh))} findings"

    wanted = [(game, seed, number) for number in range(-(-states // BLOCK)) for game in games]
    tasks = [(game, seed, number) for game, seed, number in wanted if (game, number) not in done]
    finished += run_blocks(block, tasks, processes, progress, shown)
    return [one for one in finished if one["game"] in games]


def summary(finished: list[dict[str, Any]]) -> Iterator[str]:
    """What became of the states, by game."""
    for game in sorted({one["game"] for one in finished}):
        ours = [one for one in finished if one["game"] == game]
        counted: Counter[str] = Counter()
        for one in ours:
            counted.update(one["counted"])
        verdicts = ", ".join(f"{name} {number:,}" for name, number in sorted(counted.items()))
        yield f"{game}: {verdicts}; {sum(one['cpu'] for one in ours):,.0f} s CPU"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--states", type=int, default=2_000, help="changed states of each game")
    parser.add_argument("--game", choices=list(all_games()), action="append", help="only this game; repeatable")
    parser.add_argument("--seed", default="1", help="another seed changes other states")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--progress", type=Path, help="the file of finished blocks (.playing-on/<seed>.ndjson)")
    given = parser.parse_args()
    progress = given.progress or Path(".playing-on") / f"{given.seed}.ndjson"
    finished = campaign(given.game or list(all_games()), given.seed, given.states, given.processes, progress)
    return reported(finished, summary(finished))


if __name__ == "__main__":
    sys.exit(main())
