"""Sends a request and checks its answer, as far as is possible without knowing the game."""

import json
import re
from collections.abc import Iterator
from typing import Any

from flask import Flask

from capomastro.games import all_games
from tests.campaigns.asking import JSON, Answer, Request, answer_to, question_of
from tests.campaigns.contract import Contract, Finding
from tests.support.documents import as_move

SECRET = re.compile(rb'"secret": ?"([^"]{20,})"')
SAMPLE = 8
"""Number of listed moves that are judged."""


def examined(
    app: Flask, contract: Contract, request: Request, *, thoroughly: bool, slow: float
) -> tuple[Answer | None, list[Finding]]:
    """The answer and its faults; `thoroughly` also sends requests that follow from it.

    An answer that took more than `slow` seconds of CPU is a finding.
    """
    try:
        answer = answer_to(app, request)
        findings = list(contract.findings(request, answer))
        if any(secret in answer.body for secret in SECRET.findall(request.body)):
            findings.append(Finding(f"{resource_of(request)}: repeats a secret", answer.body.decode()[:300]))
        if answer.cpu > slow:
            findings.append(
                Finding(f"{resource_of(request)}: slow", f"{answer.cpu:.2f} s for {len(request.body)} bytes")
            )
        if thoroughly and not findings:
            findings += contradictions(app, request, answer)
    except Exception as error:  # noqa: BLE001 - whatever reaches the server is what is looked for
        return None, [Finding(f"{resource_of(request)}: {type(error).__name__}", repr(error)[:300])]
    return answer, findings


def resource_of(request: Request) -> str:
    return f"{request.method} {request.path[:60]}"


def contradictions(app: Flask, request: Request, answer: Answer) -> Iterator[Finding]:
    """Contradictions to the answer: by the same request, or by requests that follow from it."""
    again = answer_to(app, request)
    if (again.status, again.body) != (answer.status, answer.body):
        yield Finding(f"{resource_of(request)}: another answer to the same", f"{answer.status}, then {again.status}")
    if request.method != "POST" or not request.path.startswith("/v1/games/"):
        return
    question = question_of(request)
    base = request.path.removesuffix(f"/{question}")
    if answer.status != 200:
        yield from accepted_elsewhere(app, base, request, answer)
    elif question in ("setups", "transitions", "views"):
        yield from unsound(app, f"{base}/audits", answer)
    elif question == "verdicts":
        yield from disagreeing(app, f"{base}/transitions", request, answer)
        yield from unlisted(app, base, request, answer)
    elif question == "legal-moves":
        yield from listed_but_refused(app, base, request, answer)
    elif question == "suggestions":
        yield from suggested_but_refused(app, base, request, answer)


def asked(app: Flask, path: str, **body: Any) -> Answer:
    """The answer to a further request."""
    return answer_to(app, Request("POST", path, json.dumps(body).encode(), "", {"Content-Type": JSON}))


def accepted_elsewhere(app: Flask, base: str, request: Request, answer: Answer) -> Iterator[Finding]:
    """The fault of a state that is refused as impossible, although the audit finds nothing."""
    if answer.json()["type"] != "/v1/problems/impossible-state":
        return
    audit = asked(app, f"{base}/audits", state=json.loads(request.body)["state"])
    if audit.status == 200 and not audit.json()["findings"]:
        yield Finding(f"{resource_of(request)}: refuses a state that is accepted", answer.body.decode()[:300])


def unsound(app: Flask, audits: str, answer: Answer) -> Iterator[Finding]:
    """The fault of an answered state that does not pass the audit."""
    state = answer.json().get("state")
    if state is None:
        return
    audit = asked(app, audits, state=state)
    if audit.status != 200 or audit.json()["findings"]:
        yield Finding(f"{audits}: a state that was answered is not sound", audit.body.decode()[:300])


def listed_but_refused(app: Flask, base: str, request: Request, answer: Answer) -> Iterator[Finding]:
    """The fault of a listed move that is illegal, or of a seat that has no move although its cards are known."""
    state, page = json.loads(request.body)["state"], answer.json()
    moves = page["moves"]
    for move in moves[:: 1 + len(moves) // SAMPLE]:
        verdict = asked(app, f"{base}/verdicts", state=state, move=move)
        if verdict.status != 200 or not verdict.json()["legal"]:
            yield Finding(f"{resource_of(request)}: lists an illegal move", verdict.body.decode()[:300])
    if page["decision"]["actor"] == "seat" and page["complete"] and not page["total"]:
        yield Finding(f"{resource_of(request)}: a seat has no legal move", answer.body.decode()[:300])


def suggested_but_refused(app: Flask, base: str, request: Request, answer: Answer) -> Iterator[Finding]:
    """The fault of a suggested move that is illegal."""
    move = answer.json().get("move")
    if move is not None:
        verdict = asked(app, f"{base}/verdicts", state=json.loads(request.body)["state"], move=move)
        if verdict.status != 200 or not verdict.json()["legal"]:
            yield Finding(f"{resource_of(request)}: suggests an illegal move", verdict.body.decode()[:300])


def unlisted(app: Flask, base: str, request: Request, answer: Answer) -> Iterator[Finding]:
    """The fault of a legal move that is not listed, where the list is complete and short."""
    body = json.loads(request.body)
    if not answer.json()["legal"]:
        return
    listed = asked(app, f"{base}/legal-moves", state=body["state"], payments="all", limit=1000)
    page = listed.json()
    if listed.status != 200 or not page["complete"] or page["total"] > len(page["moves"]):
        return
    game = all_games()[base.rpartition("/")[2]]
    if as_move(game, body["move"]) not in [as_move(game, move) for move in page["moves"]]:
        yield Finding(f"{resource_of(request)}: accepts a move that is not listed", request.body.decode()[-300:])


def disagreeing(app: Flask, transitions: str, request: Request, answer: Answer) -> Iterator[Finding]:
    """The fault of a move that is played although judged illegal, or the other way round."""
    body = json.loads(request.body)
    played = asked(app, transitions, state=body["state"], moves=[body["move"]])
    if (played.status == 200) != answer.json()["legal"]:
        yield Finding(f"{transitions}: other than the verdict", played.body.decode()[:300])
