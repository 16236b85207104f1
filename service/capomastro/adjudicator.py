"""The questions one can ask about a game: documents in, documents out.

HTTP, the command line and workers of a cluster are thin skins over these functions. Documents come in as decoded JSON
and are checked in three layers: shape, audit, legality. What cannot be answered raises a `Problem`; its pointers are
into the request, where each document stands under its own name ("/state", "/moves/3").
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from typing import Any

import msgspec

from capomastro.documents import claims, json_text
from capomastro.documents.canonical_form import sorted_multisets
from capomastro.documents.problems import Problem
from capomastro.documents.recognition import RecentHashes
from capomastro.documents.shapes import shape_of
from capomastro.documents.wordings import explained, sentence
from capomastro.engine import records, referee
from capomastro.engine.chance import as_text
from capomastro.engine.decisions import ChanceDecision, ChanceMove, Event, Move
from capomastro.engine.game import SCHEMA_VERSION, Game
from capomastro.engine.nearness import nearest
from capomastro.engine.records import Repair
from capomastro.engine.refusals import Refusal
from capomastro.engine.results import Result
from capomastro.games import all_games

AnyGame = Game[Any]
Answer = dict[str, Any]

Placed = tuple[str, Any, str]
"""A document: its kind, itself, and the JSON Pointer to where it stands in the request."""

DEFAULT_LIMIT = 100
MAXIMUM_LIMIT = 1000
MAXIMUM_ERRORS = 100
"""So many errors of shape are told."""
NEAREST = 5
"""So many legal moves are told that are nearest to an illegal one."""

sound_states = RecentHashes(maximum=4096)
"""States that were answered here, or accepted just as they came: of valid shape, past the audit, all in order."""


def game_of(game_id: str) -> AnyGame:
    """The game of that id.

    Raises:
        Problem: `not-found`.
    """
    game = all_games().get(game_id)
    if game is None:
        raise Problem("not-found", f"There is no game {game_id[:40]!r}; the games are {', '.join(all_games())}.")
    return game


def game_in(document: Any, at: str = "") -> AnyGame:
    """The game a document says it is of.

    Raises:
        Problem: `shape` if it says none, `not-found` if there is no such game.
    """
    game = document.get("game") if isinstance(document, dict) else None
    if not isinstance(game, str):
        message = 'it must say which game it is of, like "game": "' + next(iter(all_games())) + '"'
        raise Problem("shape", "This is no document of a game.", [{"pointer": f"{at}/game", "message": message}])
    return game_of(game)


# --- documents in ----------------------------------------------------------------------------------------------------


def refuse_foreign(game: AnyGame, document: Any, at: str) -> None:
    """Raises if a document says that it belongs to another game or was made under another version."""
    if not isinstance(document, dict):
        return
    other = document.get("game", game.id)
    if other != game.id and isinstance(other, str):
        detail = f"The document is of the game {other[:40]!r}, not of {game.id!r}."
        raise Problem("other-game", detail, [{"pointer": f"{at}/game", "message": detail}])
    for member, ours in (("schema_version", SCHEMA_VERSION), ("rules_version", game.rules_version)):
        theirs = document.get(member, ours)
        if theirs != ours and type(theirs) is int:
            detail = f"The document has {member} {theirs}; this service adjudicates {member} {ours}."
            raise Problem("other-version", detail, [{"pointer": f"{at}/{member}", "message": detail}])


def refuse_shapes(game: AnyGame, *documents: Placed) -> None:
    """Raises with all errors of shape in all documents, up to a cap."""
    errors: list[dict[str, str]] = []
    kinds: dict[str, None] = {}
    for kind, document, at in documents:
        shape = shape_of(game.id, kind)
        if not shape.accepts(document) and len(errors) < MAXIMUM_ERRORS:
            errors += [{"pointer": at + error.pointer, "message": error.message} for error in shape.errors(document)]
            kinds[kind] = None
    if errors:
        detail = f"Not of the shape its schema says: {', '.join(kinds)}."
        raise Problem("shape", detail, errors[:MAXIMUM_ERRORS])


def refuse_findings(game: AnyGame, problem: str, detail: str, findings: Iterable[Refusal], at: str) -> None:
    findings = list(findings)
    if findings:
        raise Problem(problem, detail, [explained(game, finding, at) for finding in findings])


def shaped_state(game: AnyGame, document: Any, at: str = "/state", *others: Placed) -> Any:
    """A state of valid shape, of this game and version; `others` are held against their schemas with it."""
    refuse_foreign(game, document, at)
    refuse_shapes(game, ("state", document, at), *others)
    state = msgspec.convert(document, game.state_type)
    load_names(len(state.seats), state.names, at)
    return state


def load_state(game: AnyGame, document: Any, at: str = "/state", *others: Placed) -> Any:
    """A state that can be; one that is recognised is neither held against its schema nor audited again."""
    document_hash = json_text.state_hash(document)
    if document_hash in sound_states and document["game"] == game.id:
        refuse_shapes(game, *others)
        state = msgspec.convert(document, game.state_type)
    else:
        as_it_came = shaped_state(game, document, at, *others)
        state = sorted_multisets(as_it_came)
        refuse_findings(game, "impossible-state", "The state cannot be.", game.audit(state), at)
        if state is as_it_came:
            sound_states.add(document_hash)
    refuse_too_long(game, state, at)
    return state


def refuse_too_long(game: AnyGame, state: Any, at: str) -> None:
    """Raises if a game has become too long to be played on."""
    if not game.can_be_continued(state) and not referee.is_over(game, state):
        detail = "The game has become so long that documents could not tell how it goes on."
        raise Problem("too-long", detail, [{"pointer": at, "message": "its numbers are too large to be played on"}])


def move_of(game: AnyGame, document: Any) -> Move:
    """A move whose shape has been found valid."""
    # by its own kind: of a union msgspec would find out anew each time what is in it
    move: Move = sorted_multisets(msgspec.convert(document, referee.kinds_of_move(game)[document["type"]]))
    return move


def load_options(game: AnyGame, players: int, document: Any, at: str = "") -> Any:
    """Options that fit the players and each other, defaults filled in; `at` is where both stand."""
    if players not in game.players:
        fewest, most = game.players[0], game.players[-1]
        detail = f"{game.title} is for {fewest} to {most} players, not for {players}."
        raise Problem("options", detail, [{"pointer": f"{at}/players", "message": detail}])
    refuse_shapes(game, ("options", document, f"{at}/options"))
    options = msgspec.convert(document, game.options_type)
    refusal = game.refuse_options(players, options)
    refuse_findings(game, "options", "These options cannot be played.", [refusal] if refusal else [], f"{at}/options")
    return options


def load_names(players: int, names: Sequence[str] | None, at: str = "") -> tuple[str, ...] | None:
    """The players' names, as many as there are players."""
    if names is not None and len(names) != players:
        detail = f"There must be as many names as players, {players}, not {len(names)}."
        raise Problem("options", detail, [{"pointer": f"{at}/names", "message": detail}])
    return None if names is None else tuple(names)


# --- set-up ----------------------------------------------------------------------------------------------------------


def set_up(
    game: AnyGame,
    players: int,
    names: Sequence[str] | None = None,
    options: Any = None,
    seed: str | None = None,
) -> Answer:
    """A new game; with a seed, all chance of the set-up is drawn."""
    chosen = load_options(game, players, {} if options is None else options)
    state = game.start(players, chosen, load_names(players, names))
    state, moves, events = referee.draw_chance(game, state, seed) if seed is not None else (state, [], [])
    return {**standing(game, state), "moves": moves, "events": events}


def standing(game: AnyGame, state: Any) -> Answer:
    """What every answer says of the state it leads to; it will be recognised when it comes back."""
    state_hash = json_text.state_hash(state)
    sound_states.add(state_hash)
    return {
        "state": state,
        "state_hash": state_hash,
        "derived": game.derived(state),
        "decision": referee.decision(game, state),
    }


# --- legal moves -----------------------------------------------------------------------------------------------------


def legal_moves(
    game: AnyGame,
    document: Any,
    limit: int = DEFAULT_LIMIT,
    cursor: str | None = None,
    all_payments: bool = False,
    explain: bool = False,
) -> Answer:
    """One page of the legal moves, their exact number, and on request why other kinds of move are unavailable."""
    state = load_state(game, document)
    answer = page_of_moves(game, state, limit, cursor, all_payments)
    if explain:
        answer["unavailable"] = [
            {"type": referee.type_of(kind), "rule": refusal.rule, "message": sentence(game, refusal)}
            for kind, refusal in referee.unavailable_kinds(game, state)
        ]
    return answer


def page_of_moves(
    game: AnyGame, state: Any, limit: int, cursor: str | None = None, all_payments: bool = False
) -> Answer:
    decision = referee.decision(game, state)
    start = start_of_page(state, cursor, all_payments) if cursor is not None else 0
    complete = True
    if decision.actor == "seat":
        moves = referee.legal_moves(game, state, all_payments)
        total = moves.total
        page: list[Any] = list(islice(moves.starting_at(start), limit))
        hand = getattr(state.seats[decision.seat], "hand", None)
        complete = hand is None or not hand.unknown
    else:
        every = chance_items(game, state) if decision.actor == "chance" else []
        total, page = len(every), every[start : start + limit]
    answer = {"decision": decision, "moves": page, "total": total, "complete": complete}
    if start + len(page) < total:
        answer["next_cursor"] = cursor_of(state, start + len(page), all_payments)
    return answer


def chance_items(game: AnyGame, state: Any) -> list[Answer]:
    """Every acceptable outcome with its exact probability; an unseen one as null, which we never draw."""
    here = game.decision_at[type(state.stage)]
    assert isinstance(here, ChanceDecision)
    outcomes = here.rule.outcomes(state)
    total = outcomes.total
    items = [
        {"move": here.rule.move(component), "probability": as_text(Fraction(weight, total))}
        for component, weight in outcomes.weights.items()
    ]
    if here.rule.goes_unseen_to(state) is not None:
        items.append({"move": here.rule.move(None), "probability": as_text(Fraction(0))})
    return items


def cursor_of(state: Any, index: int, all_payments: bool) -> str:
    """Where the next page starts, bound to the state and the list it is a page of."""
    return f"{index}-{'all' if all_payments else 'minimal'}-{json_text.state_hash(state)[:16]}"


def start_of_page(state: Any, cursor: str, all_payments: bool) -> int:
    """The index a cursor stands for.

    Raises:
        Problem: `cursor`, if it is not one of this list.
    """
    index = cursor.partition("-")[0]
    if not (index.isascii() and index.isdigit() and len(index) < 20) or cursor != cursor_of(
        state, int(index), all_payments
    ):
        raise Problem(
            "cursor",
            "The cursor was not made for this state and these payments.",
            [{"pointer": "/cursor", "message": "made for another list"}],
        )
    return int(index)


# --- verdicts and transitions ----------------------------------------------------------------------------------------


def verdict(game: AnyGame, state_document: Any, move_document: Any) -> Answer:
    """Whether a move is legal, and if not which rule it breaks."""
    state = load_state(game, state_document, "/state", ("move", move_document, "/move"))
    refusal = referee.refusal(game, state, move_of(game, move_document))
    if refusal is None:
        return {"legal": True}
    return {"legal": False, "refusal": explained(game, refusal, "/move")}


def transition(
    game: AnyGame,
    state_document: Any,
    move_documents: Sequence[Any],
    seed: str | None = None,
    views: Sequence[int | None] | None = None,
    legal_moves_limit: int | None = None,
) -> Answer:
    """Plays moves, all or nothing; chance that is not supplied is drawn by the seed."""
    placed = [("move", document, f"/moves/{index}") for index, document in enumerate(move_documents)]
    before = load_state(game, state_document, "/state", *placed)
    for index, seat in enumerate(views or ()):
        refuse_viewer(before, seat, f"/views/{index}")
    supplied = [move_of(game, document) for document in move_documents]
    state, moves, events = advance(game, before, supplied, seed)
    answer = {**standing(game, state), "moves": moves, "events": events}
    if referee.is_over(game, state):
        answer["result"] = game.result(state)
    if views is not None:
        answer["views"] = [viewed_transition(game, before, moves, seat) for seat in views]
    if legal_moves_limit is not None:
        answer["legal_moves"] = page_of_moves(game, state, legal_moves_limit)
    return answer


def advance(
    game: AnyGame, state: Any, supplied: Sequence[Move], seed: str | None
) -> tuple[Any, list[Move], list[Event]]:
    """The state after the supplied moves, with the gaps of chance filled by the seed."""
    moves: list[Move] = []
    events: list[Event] = []
    for index, move in enumerate(supplied):
        if seed is not None and not isinstance(move, ChanceMove):
            state, drawn, happened = referee.draw_chance(game, state, seed)
            moves += drawn
            events += happened
        refuse_too_long(game, state, f"/moves/{index}")
        refusal = referee.refusal(game, state, move)
        if refusal is not None:
            raise Problem(
                "illegal-move",
                f"Move {index} of {len(supplied)} is not legal; no move has been played.",
                [explained(game, refusal, f"/moves/{index}")],
            )
        state, happened = referee.play(game, state, move)
        moves.append(move)
        events += happened
    if seed is not None:
        state, drawn, happened = referee.draw_chance(game, state, seed)
        moves += drawn
        events += happened
    return state, moves, events


def viewed_transition(game: AnyGame, before: Any, moves: Sequence[Move], seat: int | None) -> Answer:
    """The same transition for one viewer, computed from nothing but what he may know."""
    seen = list(records.viewed_moves(game, before, moves, seat))
    state, events = records.followed(game, game.view(before, seat), seen)
    return {"seat": seat, **standing(game, state), "moves": seen, "events": events}


def refuse_viewer(state: Any, seat: int | None, at: str) -> None:
    if seat is not None and seat >= len(state.seats):
        detail = f"There is no seat {seat}; the seats are 0 to {len(state.seats) - 1}."
        raise Problem("no-such-seat", detail, [{"pointer": at, "message": detail}])


# --- audits, scores, replays, views ----------------------------------------------------------------------------------


def audit(game: AnyGame, document: Any) -> Answer:
    """Everything that cannot be in a state of valid shape."""
    state = sorted_multisets(shaped_state(game, document))
    return {"findings": [explained(game, finding, "/state") for finding in game.audit(state)]}


def score_state(game: AnyGame, document: Any) -> Answer:
    """The result of a finished game, or every possible one where only chance is still open."""
    state = load_state(game, document)
    if referee.is_over(game, state):
        return {"result": game.result(state)}
    open_results = game.open_results(state)
    if open_results is None:
        detail = f"The game is not over: the decision is {referee.decision(game, state).kind!r}."
        raise Problem("unfinished", detail, [{"pointer": "/state/stage", "message": detail}])
    return dict(open_results)


def score_scoresheet(game: AnyGame, document: Any) -> Answer:
    """The result of what lies on a table at the end."""
    refuse_foreign(game, document, "/scoresheet")
    refuse_shapes(game, ("scoresheet", document, "/scoresheet"))
    sheet = sorted_multisets(msgspec.convert(document, game.scoresheet_type))
    findings = game.refuse_scoresheet(sheet)
    refuse_findings(game, "impossible-scoresheet", "The scoresheet cannot be.", findings, "/scoresheet")
    return dict(game.score(sheet))


def shaped_record(game: AnyGame, document: Any, under_current_rules: bool, at: str = "/record") -> Any:
    """A record of valid shape; under current rules it is taken for one of the current version."""
    if under_current_rules and isinstance(document, dict) and type(document.get("rules_version")) is int:
        document = {**document, "rules_version": game.rules_version}
    refuse_foreign(game, document, at)
    refuse_shapes(game, ("record", document, at))
    return document


def load_record(game: AnyGame, document: Any, under_current_rules: bool, at: str) -> tuple[Any, list[Move]]:
    """The state a record starts from and its moves."""
    document = shaped_record(game, document, under_current_rules, at)
    options = load_options(game, document["players"], document["options"], at)
    names = load_names(document["players"], document.get("names"), at)
    moves: list[Move] = msgspec.convert(document["moves"], list[game.moves])  # type: ignore[name-defined]
    return game.start(document["players"], options, names), [sorted_multisets(move) for move in moves]


def replay(
    game: AnyGame,
    document: Any,
    under_current_rules: bool = False,
    repair: str | None = None,
    at: str = "/record",
) -> Answer:
    """How far a record is legal, where it stands, and whether its claimed result is right.

    With `repair` ("skip" or "correct") an illegal record is followed beyond its first divergence: `lenient` says how.
    """
    start, moves = load_record(game, document, under_current_rules, at)
    replayed = records.replay(game, start, moves)
    state, refusal = replayed.state, replayed.refusal
    claim = document.get("result")
    answer: Answer = {"legal": refusal is None, "plies": replayed.plies}
    if refusal is not None:
        move = moves[replayed.plies]
        answer["first_divergence"] = {
            **divergence(game, state, replayed.plies, move, refusal, at),
            "nearest": nearest(game, state, move, NEAREST),
        }
    answer |= standing_of_replay(game, state, claim)
    if refusal is not None and repair is not None:
        answer["lenient"] = lenient_replay(game, state, moves, replayed.plies, Repair(repair), claim, at)
    return {"verdict": verdict_on_record(answer), **answer}


def divergence(game: AnyGame, state: Any, index: int, move: Move, refusal: Refusal, at: str) -> Answer:
    """A recorded move that is not legal in `state`, and the decision that stood there."""
    return {
        "index": index,
        "departure": records.departure(game, state, move),
        "move": move,
        "decision": referee.decision(game, state),
        "refusal": explained(game, refusal, f"{at}/moves/{index}"),
    }


def standing_of_replay(game: AnyGame, state: Any, claim: Mapping[str, Any] | None) -> Answer:
    """Where a replay has come to; at the end of the game the result, and how the claimed one compares with it."""
    answer: Answer = {"state": state, "decision": referee.decision(game, state)}
    over = referee.is_over(game, state)
    if over:
        answer["result"] = game.result(state)
    if claim is not None:
        lines = claims.compared(claim, json_text.decode(json_text.encode(answer["result"]))) if over else []
        answer["claimed_result_matches"] = over and all(line["matches"] for line in lines)
        if over:
            answer["claimed_result_lines"] = lines
    return answer


def verdict_on_record(answer: Answer) -> str:
    """What became of a record, in one word."""
    if "first_divergence" in answer:
        return str(answer["first_divergence"]["departure"])
    if "result" not in answer:
        return "unfinished"
    return "legal" if answer.get("claimed_result_matches", True) else "wrong-result"


def lenient_replay(
    game: AnyGame,
    state: Any,
    moves: Sequence[Move],
    index: int,
    repair: Repair,
    claim: Mapping[str, Any] | None,
    at: str,
) -> Answer:
    """How a record goes on from its first divergence, the move at `index`, if something is done about each."""
    followed = records.follow(game, state, moves, index, repair)
    return {
        "repair": repair,
        "divergences": [
            {
                **divergence(game, one.state, one.index, moves[one.index], one.refusal, at),
                "remedy": one.remedy,
                "conditional": number > 0,
            }
            for number, one in enumerate(followed.divergences)
        ],
        "followed_to_the_end": followed.to_the_end,
        "plies": followed.state.ply,
        **standing_of_replay(game, followed.state, claim),
    }


def view_of_state(game: AnyGame, document: Any, seat: int | None) -> Any:
    """A state as a seat, or with None a spectator, may know it."""
    state = load_state(game, document)
    refuse_viewer(state, seat, "/seat")
    return game.view(state, seat)


def view_of_record(game: AnyGame, document: Any, seat: int | None) -> Answer:
    """A record as a seat, or with None a spectator, could have written it."""
    start, moves = load_record(game, document, under_current_rules=False, at="/record")
    refuse_viewer(start, seat, "/seat")
    replayed = records.replay(game, start, moves)
    if replayed.refusal is not None:
        errors = [explained(game, replayed.refusal, f"/record/moves/{replayed.plies}")]
        raise Problem("illegal-move", f"Move {replayed.plies} of the record is not legal.", errors)
    return {**document, "moves": list(records.viewed_moves(game, start, moves, seat))}


def record_of(game: AnyGame, start: Any, moves: Sequence[Move], result: Result | None = None) -> Answer:
    """A record of the moves played from a start."""
    document: Answer = {
        "game": game.id,
        "schema_version": SCHEMA_VERSION,
        "rules_version": game.rules_version,
        "players": len(start.seats),
        "options": start.options,
        "moves": list(moves),
    }
    if start.names is not None:
        document["names"] = start.names
    if result is not None:
        document["result"] = result
    return document
