"""Makes requests: for every resource and game, from nearly legal play to malformed JSON."""

import json
from collections.abc import Callable, Mapping
from random import Random
from typing import Any
from urllib.parse import urlencode

from capomastro.documents import notation
from capomastro.engine import referee
from capomastro.engine.referee import is_at_chance
from capomastro.tables import base64url
from capomastro.tables.shares import lock_of
from tests.campaigns.asking import JSON, Answer, Request
from tests.campaigns.corpus import Corpus, sealed_game
from tests.campaigns.mutating import encoded, spoilt, spoilt_text
from tests.support.documents import as_document, as_state
from tests.support.mutations import field_mutations
from tests.tables.altering import WAYS, genuine

NDJSON = "application/x-ndjson"
SVG = "image/svg+xml"
MAXIMUM_MOVES = 60
"""Maximum number of moves of most records: faults hardly ever need a whole game."""
BODY = Callable[[Random, Corpus], Any]


# --- what is asked ---------------------------------------------------------------------------------------------------


def a_move(random: Random, corpus: Corpus, document: Any) -> Any:
    """A move for a state, usually legal or nearly legal."""
    if random.random() < 0.1:
        return random.choice(corpus.moves)
    try:
        state = as_state(corpus.game, document)
        if referee.is_over(corpus.game, state):
            return random.choice(corpus.moves)
        if is_at_chance(corpus.game, state):
            move = as_document(referee.draw(corpus.game, state, str(random.random())))
        else:
            moves = referee.legal_moves(corpus.game, state)
            move = as_document(moves.pick(random.randrange(moves.total)))
    except Exception:  # noqa: BLE001 - a state that cannot be has no moves; the service is asked all the same
        return random.choice(corpus.moves)
    if random.random() < 0.4:
        name = random.choice(list(move))
        near = list(field_mutations(move[name], corpus.tokens, random))
        move = {**move, name: random.choice(near)} if near else move
    return move


def optional(random: Random, share: float, **members: Any) -> dict[str, Any]:
    """Some of the members, each with the same probability."""
    return {name: value for name, value in members.items() if random.random() < share}


def setup(random: Random, corpus: Corpus) -> Any:
    players = random.choice(corpus.game.players)
    names = [random.choice(("Ada", "", "Zoë", "x" * 101)) for _ in range(players)]
    options = random.choice(corpus.options)
    return {"players": players, **optional(random, 0.3, names=names), "options": options, **seeded(random)}


def seeded(random: Random) -> dict[str, Any]:
    return optional(random, 0.6, seed=str(random.randrange(1000)))


def legal_moves(random: Random, corpus: Corpus) -> Any:
    if corpus.cursors and random.random() < 0.3:
        state, cursor = random.choice(corpus.cursors)
        return {"state": state, "cursor": cursor, "limit": random.choice((1, 10, 1000))}
    further = optional(random, 0.3, limit=random.choice((1, 5, 1000)), payments="all", explain=True)
    return {"state": random.choice(corpus.states), **further}


def suggestion(random: Random, corpus: Corpus) -> Any:
    player = random.choice(("random", "planning", "best"))
    return {"state": random.choice(corpus.states), **optional(random, 0.5, player=player, seed="7", texts=True)}


def verdict(random: Random, corpus: Corpus) -> Any:
    state = random.choice(corpus.states)
    return {"state": state, "move": a_move(random, corpus, state)}


def transition(random: Random, corpus: Corpus) -> Any:
    state = random.choice(corpus.states)
    moves = [a_move(random, corpus, state) for _ in range(random.choice((0, 1, 1, 1, 1, 2)))]
    viewers = random.sample([None, 0, 1, 2, 3], random.randrange(3))
    return {"state": state, "moves": moves, **seeded(random), **optional(random, 0.2, views=viewers, legal_moves=3)}


def audit(random: Random, corpus: Corpus) -> Any:
    return {"state": random.choice(corpus.states)}


def score(random: Random, corpus: Corpus) -> Any:
    if random.random() < 0.7:
        return {"scoresheet": random.choice(corpus.scoresheets)}
    return {"state": random.choice(corpus.states)}


def a_record(random: Random, corpus: Corpus) -> Any:
    """A record, usually cut, with some of its moves spoilt."""
    record = random.choice(corpus.records)
    moves = record["moves"]
    if random.random() < 0.9:
        moves = moves[: random.randrange(MAXIMUM_MOVES)]
    for _ in range(random.choice((0, 0, 1, 2))):
        if moves:
            index = random.randrange(len(moves))
            ways: list[list[Any]] = [
                [],
                [moves[index]] * 2,
                [spoilt(random, moves[index], corpus)],
                [random.choice(corpus.moves)],
            ]
            changed = random.choice(ways)
            moves = [*moves[:index], *changed, *moves[index + 1 :]]
    return {**record, "moves": moves}


def replay(random: Random, corpus: Corpus) -> Any:
    further = optional(random, 0.2, under_current_rules=True, repair=random.choice(("skip", "correct")))
    return {"record": a_record(random, corpus), **further}


def conversion(random: Random, corpus: Corpus) -> Any:
    return {"record": a_record(random, corpus)}


def view(random: Random, corpus: Corpus) -> Any:
    seat = random.choice((None, 0, 1, 2, 3, 4))
    if random.random() < 0.7:
        return {"state": random.choice(corpus.states), "seat": seat}
    return {"record": a_record(random, corpus), "seat": seat}


def samples(random: Random, corpus: Corpus) -> Any:
    seat = random.choice((None, 0, 1, 2, 3, 4))
    further = {**seeded(random), **optional(random, 0.5, count=random.choice((1, 2, 100)))}
    return {"state": random.choice(corpus.states), "seat": seat, **further}


def picture(random: Random, corpus: Corpus) -> Any:
    further = {
        **optional(random, 0.3, seat=random.choice((None, 0, 1, 2, 3, 4))),
        **optional(random, 0.5, layout=random.choice(("wide", "narrow", "square"))),
    }
    way = random.random()
    if way < 0.6:
        last_moves = random.choices(corpus.moves, k=random.choice((0, 1, 1, 2, 5)))
        return {"state": random.choice(corpus.states), **further, **optional(random, 0.6, last_moves=last_moves)}
    if way < 0.85:
        position = optional(random, 0.6, ply=random.randrange(MAXIMUM_MOVES), count=random.choice((1, 2, 5)))
        return {"record": a_record(random, corpus), **position, **further}
    return {"scoresheet": random.choice(corpus.scoresheets), **further}


# --- sealed tables ---------------------------------------------------------------------------------------------------


def table_creation(random: Random, corpus: Corpus) -> Any:
    body = setup(random, corpus)
    body.pop("seed", None)
    locks = [lock_of(base64url.to_base64url(random.randbytes(32))) for _ in range(body["players"])]
    draws = random.choice(("witnessed", "at-once", "never"))
    return {**body, "locks": locks, **optional(random, 0.5, draws=draws, nonce=random.choice(("", "7", "x" * 200)))}


def at_a_table(random: Random, corpus: Corpus) -> Any:
    """A table, mostly as it was sealed; and a seat, mostly one that is waited for, with its own secret."""
    game = sealed_game(corpus.game.id)
    tables = [game.tables[-1], *random.sample(game.tables, 3)]
    table = random.choice(tables)
    seats = range(len(game.players))
    seat = random.choice(table["waiting"]["seats"] if random.random() < 0.7 else seats)
    secret = game.players[seat if random.random() < 0.9 else random.choice(seats)].secret
    if random.random() < 0.2:
        table = random.choice(WAYS)(random, genuine(tables))
    return {"table": table, "seat": seat, "secret": secret}


def table_view(random: Random, corpus: Corpus) -> Any:
    body = at_a_table(random, corpus)
    if random.random() < 0.2:
        body = {"table": body["table"], "seat": None}
    return {**body, **optional(random, 0.4, legal_moves=random.choice((1, 50, 5000)), texts=True)}


def table_transition(random: Random, corpus: Corpus) -> Any:
    body = at_a_table(random, corpus)
    shown = body["table"].get("state")
    moves = [a_move(random, corpus, shown)] if random.random() < 0.7 else []
    return {**body, "moves": moves, **optional(random, 0.2, texts=True)}


QUESTIONS: Mapping[str, tuple[int, BODY]] = {
    "setups": (6, setup),
    "legal-moves": (13, legal_moves),
    "suggestions": (4, suggestion),
    "verdicts": (15, verdict),
    "transitions": (28, transition),
    "audits": (8, audit),
    "scores": (9, score),
    "replays": (4, replay),
    "views": (8, view),
    "records": (3, conversion),
    "samples": (3, samples),
    "pictures": (8, picture),
    "tables": (2, table_creation),
    "tables/views": (3, table_view),
    "tables/transitions": (5, table_transition),
    "tables/records": (2, at_a_table),
}
"""The weight of each resource, and the function that makes the body."""
STREAMS = 3
LOOKS = 3
"""The weights of streams and of GET requests."""

PATHS = (
    "/v1/games",
    "/v1/games/{game}",
    "/v1/games/{game}/rules",
    "/v1/games/{game}/rules/{name}",
    "/v1/games/{game}/schemas/{name}",
    "/v1/schemas/{name}",
    "/v1/problems",
    "/v1/problems/{name}",
    "/healthz",
    "/readyz",
    "/v1/games/{game}/{name}",
    "/{name}",
)
NAMES = (
    "state",
    "move",
    "hand",
    "problem",
    "envelope",
    "too-long",
    "x",
    "..",
    "%2f",
    "é",
    "a" * 300,
    "setups",
    "\n",
    "",
)


# --- requests --------------------------------------------------------------------------------------------------------


def a_request(random: Random, corpora: Mapping[str, Corpus]) -> Request:
    """Any request."""
    corpus = corpora[random.choice(list(corpora))]
    weights = [*(weight for weight, _ in QUESTIONS.values()), STREAMS, LOOKS]
    resource = random.choices([*QUESTIONS, "stream", "look"], weights)[0]
    if resource == "look":
        return a_look(random, corpus)
    request = a_stream(random, corpora) if resource == "stream" else a_question(random, corpus, resource)
    if random.random() < 0.1:
        request = request._replace(body=spoilt_text(random, request.body))
    if random.random() < 0.03:
        request = odd(random, request, corpus)
    return request


def a_question(random: Random, corpus: Corpus, resource: str) -> Request:
    body = QUESTIONS[resource][1](random, corpus)
    path = f"/v1/games/{corpus.game.id}/{resource}"
    headers = {"Content-Type": JSON}
    way = random.random()
    if way < 0.35:
        body = spoilt(random, body, corpus)
    elif way < 0.5:
        body = spoilt(random, body, corpus, gently=False)
    if resource in ("replays", "records") and random.random() < 0.3:
        text = by_hand(corpus, body)
        if text is not None:
            if random.random() < 0.5:
                text = spoilt_text(random, text)
            further = [{}, {"repair": "skip"}, {"under_current_rules": "true"}, {"x": "1"}]
            query = urlencode(random.choice(further))
            return Request("POST", path, text, query, {"Content-Type": notation.MEDIA_TYPE})
    if resource == "records" and random.random() < 0.5:
        headers["Accept"] = notation.MEDIA_TYPE
    if resource == "pictures" and random.random() < 0.7:
        headers["Accept"] = random.choice((JSON, SVG))
    return Request("POST", path, encoded(body), "", headers)


def by_hand(corpus: Corpus, body: Any) -> bytes | None:
    """A record in text notation; None if the body has no record."""
    try:
        return notation.written(corpus.game, body["record"]).encode()
    except Exception:  # noqa: BLE001 - what was spoilt cannot be written
        return None


def a_stream(random: Random, corpora: Mapping[str, Corpus]) -> Request:
    lines = []
    for _ in range(random.randrange(5)):
        corpus = corpora[random.choice(list(corpora))]
        record = a_record(random, corpus)
        if random.random() < 0.4:
            record = spoilt(random, record, corpus, gently=random.random() < 0.7)
        line = encoded(record)
        lines.append(spoilt_text(random, line) if random.random() < 0.2 else line)
    query = urlencode(random.choice([{}, {"repair": "skip"}, {"repair": "correct"}, {"repair": "x"}]))
    return Request("POST", "/v1/replays", b"\n".join(lines), query, {"Content-Type": NDJSON})


def a_look(random: Random, corpus: Corpus) -> Request:
    rules = corpus.by_name.get("rule", [])
    path = random.choice(PATHS).format(game=corpus.game.id, name=random.choice([*NAMES, *rules]))
    method = random.choice(("GET", "GET", "GET", "HEAD", "OPTIONS", "POST", "DELETE"))
    headers = optional(random, 0.2, **{"If-None-Match": '"x"', "Accept": "text/html", "Origin": "https://a.example"})
    return Request(method, path, b"", random.choice(("", "", "x=1", "&&=%ff")), headers)


def odd(random: Random, request: Request, corpus: Corpus) -> Request:
    """The request with something odd around its body."""
    way = random.randrange(6)
    if way == 0:
        types = ("text/plain", "", "application/json; charset=latin-1", "application/json;charset=UTF-8", "\xff")
        return request._replace(headers={**request.headers, "Content-Type": random.choice(types)})
    if way == 1:
        return request._replace(
            headers={**request.headers, "Accept": random.choice(("text/html", "*/*;q=0", "a,,;q=x"))}
        )
    if way == 2:
        return request._replace(query=random.choice(("seed=1", "repair=skip&repair=skip", "%ff=%00", "a" * 2000)))
    if way == 3:
        return request._replace(headers={**request.headers, "Content-Encoding": "gzip"})
    if way == 4:
        return request._replace(
            headers={**request.headers, "X-Request-Id": random.choice(("a b", "x" * 200, "fine-1"))}
        )
    game = random.choice(("chess", "", "%00", corpus.game.id.upper()))
    return request._replace(path=request.path.replace(corpus.game.id, game))


# --- going on from answers -------------------------------------------------------------------------------------------


def learn(random: Random, corpora: Mapping[str, Corpus], request: Request, answer: Answer) -> None:
    """Keeps the state or the cursor of an answer, so that games and lists continue."""
    parts = request.path.split("/")
    if answer.status != 200 or len(parts) != 5 or parts[3] not in corpora:
        return
    corpus = corpora[parts[3]]
    if parts[4] in ("setups", "transitions"):
        corpus.keep_state(random, answer.json()["state"])
    elif parts[4] == "legal-moves":
        cursor = answer.json().get("next_cursor")
        if cursor is not None:
            corpus.cursors[50:] = []
            corpus.cursors.insert(0, (json.loads(request.body)["state"], cursor))
