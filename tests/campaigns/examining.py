"""Sends a request and checks its answer, as far as is possible without knowing the game."""

import json
import re
from collections.abc import Iterator

from flask import Flask

from tests.campaigns.asking import JSON, Answer, Request, answer_to, question_of
from tests.campaigns.contract import Contract, Finding

SECRET = re.compile(rb'"secret": ?"([^"]{20,})"')


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
    where = resource_of(request)
    again = answer_to(app, request)
    if (again.status, again.body) != (answer.status, answer.body):
        yield Finding(f"{where}: another answer to the same", f"{answer.status}, then {again.status}")
    if answer.status != 200 or request.method != "POST" or not request.path.startswith("/v1/games/"):
        return
    question = question_of(request)
    base = request.path.removesuffix(f"/{question}")
    if question in ("setups", "transitions"):
        yield from unsound(app, f"{base}/audits", answer)
    elif question == "verdicts":
        yield from disagreeing(app, f"{base}/transitions", request, answer)


def unsound(app: Flask, audits: str, answer: Answer) -> Iterator[Finding]:
    """The fault of an answered state that does not pass the audit."""
    body = json.dumps({"state": answer.json()["state"]}).encode()
    audit = answer_to(app, Request("POST", audits, body, "", {"Content-Type": JSON}))
    if audit.status != 200 or audit.json()["findings"]:
        yield Finding(f"{audits}: a state that was answered is not sound", audit.body.decode()[:300])


def disagreeing(app: Flask, transitions: str, request: Request, answer: Answer) -> Iterator[Finding]:
    """The fault of a move that is played although judged illegal, or the other way round."""
    body = json.loads(request.body)
    played = answer_to(
        app,
        Request(
            "POST",
            transitions,
            json.dumps({"state": body["state"], "moves": [body["move"]]}).encode(),
            "",
            {"Content-Type": JSON},
        ),
    )
    if (played.status == 200) != answer.json()["legal"]:
        yield Finding(f"{transitions}: other than the verdict", played.body.decode()[:300])
