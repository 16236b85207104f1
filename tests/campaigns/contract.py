"""Checks answers against the specification, and against the promises of docs/http.md about every answer."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote
from xml.etree import ElementTree as ET

import jsonschema_rs

from tests.campaigns.asking import Answer, Request
from tests.support.lines import lines_of

ADDRESS = "https://specification.invalid/"
"""The base URI of the specification and the files it refers to."""
PROBLEM = "application/problem+json"
SVG = "image/svg+xml"
NO_BODY = (204, 304)
DECLARED_FAULTS = (503,)
"""Statuses from 500 on that are no finding: the service may be busy, and work that takes too long is ended."""
OF_EVERY_RESOURCE = (405,)
"""What no operation has to declare: the method is none of them."""


class Operation(NamedTuple):
    """An operation of the specification."""

    name: str
    method: str
    path: re.Pattern[str]
    responses: Mapping[str, Any]
    """By status, references resolved."""


class Finding(NamedTuple):
    """A fault of an answer; `signature` is the same for all requests that show the same fault."""

    signature: str
    detail: str


class Contract:
    """The specification in a file of JSON, ready for checking answers."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.document = json.loads(file.read_text("utf-8"))
        self.operations = [
            Operation(
                operation["operationId"],
                method.upper(),
                re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(path))),
                {status: self.resolved(response) for status, response in operation["responses"].items()},
            )
            for path, methods in self.document["paths"].items()
            for method, operation in methods.items()
            if isinstance(operation, dict) and "responses" in operation
        ]
        self.accepts = cache(self._accepts)

    def resolved(self, node: Any) -> Any:
        """The target of a reference within the specification; anything else unchanged."""
        while isinstance(node, dict) and node.get("$ref", "").startswith("#/"):
            target: Any = self.document
            for step in node["$ref"][2:].split("/"):
                target = target[step.replace("~1", "/").replace("~0", "~")]
            node = target
        return node

    def retrieved(self, address: str) -> Any:
        """The specification, or a file it refers to."""
        name = address.removeprefix(ADDRESS)
        if name == self.file.name:
            return self.document
        return json.loads((self.file.parent / name).read_text("utf-8"))

    def _accepts(self, schema: str) -> Callable[[Any], bool]:
        """Tells whether a value is valid by a schema, given as JSON."""
        located = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": ADDRESS + "asked"}
        rooted = with_absolute_references(json.loads(schema), ADDRESS + self.file.name)
        return jsonschema_rs.Draft202012Validator({**located, **rooted}, retriever=self.retrieved).is_valid

    def operation_of(self, request: Request) -> Operation | None:
        method = "GET" if request.method == "HEAD" else request.method
        for operation in self.operations:
            if operation.method == method and operation.path.fullmatch(request.path):
                return operation
        return None

    def findings(self, request: Request, answer: Answer) -> Iterator[Finding]:
        """Everything that is wrong with an answer."""
        operation = self.operation_of(request)
        name = operation.name if operation else "no operation"
        if answer.status >= 500 and answer.status not in DECLARED_FAULTS:
            yield Finding(f"{name}: {answer.status}", answer.body.decode(errors="replace")[:300])
            return
        for fault in self.faults(request, answer, operation):
            yield Finding(f"{name}: {answer.status} {fault}", answer.body.decode(errors="replace")[:300])

    def faults(self, request: Request, answer: Answer, operation: Operation | None) -> Iterator[str]:
        if not answer.headers.get("x-request-id"):
            yield "without X-Request-Id"
        if answer.headers.get("x-content-type-options") != "nosniff":
            yield "without nosniff"
        if request.method == "OPTIONS" or answer.status in NO_BODY:
            return
        if answer.status == 404 and operation is None and asks_for_page(request):
            yield from faults_of_page(answer)
            return
        problem = answer.media_type == PROBLEM
        if problem != (answer.status >= 400):
            yield f"as {answer.media_type}"
            return
        if request.method == "HEAD":
            return
        if problem:
            yield from self.faults_of_problem(answer)
        if operation is None or answer.status in OF_EVERY_RESOURCE:
            if not problem:
                yield "though nothing is declared"
            return
        response = operation.responses.get(str(answer.status))
        if response is None:
            yield "is not declared"
            return
        declared = response.get("content", {})
        if answer.media_type not in declared:
            yield f"as {answer.media_type}, which is not declared"
            return
        if problem and answer.json().get("type", "").rpartition("/")[2] not in declared[PROBLEM]["examples"]:
            yield "with a problem that is not declared"
        yield from self.faults_of_content(answer, declared[answer.media_type].get("schema", {}))

    def faults_of_content(self, answer: Answer, schema: Any) -> Iterator[str]:
        resolved = self.resolved(schema)
        if answer.media_type.endswith("json") and "contentSchema" not in resolved:
            try:
                value = answer.json()
            except ValueError:
                yield "is no JSON"
                return
            if not self.accepts(json.dumps(schema, sort_keys=True))(value):
                yield "is not as its schema says"
        elif "contentSchema" in resolved:
            lines = [json.loads(line) for line in lines_of(answer.body)]
            if not self.accepts(json.dumps(resolved["contentSchema"], sort_keys=True))(lines):
                yield "has lines that are not as their schema says"
        elif resolved.get("type") == "string":
            try:
                text = answer.body.decode()
            except UnicodeDecodeError:
                yield "is not text in UTF-8"
                return
            if not self.accepts(json.dumps(schema, sort_keys=True))(text):
                yield "is not as its schema says"
            if answer.media_type == SVG and not well_formed(text):
                yield "is no XML"

    def faults_of_problem(self, answer: Answer) -> Iterator[str]:
        try:
            problem = answer.json()
        except ValueError:
            yield "is no JSON"
            return
        if not isinstance(problem, dict) or problem.get("status") != answer.status:
            yield "says another status in its problem"
        elif not str(problem.get("type", "")).startswith("/v1/problems/"):
            yield "is untyped"


def asks_for_page(request: Request) -> bool:
    """Whether a browser looks for a page; if there is none, it gets one that says so."""
    is_for_people = request.path != "/v1" and not request.path.startswith("/v1/")
    return request.method in ("GET", "HEAD") and is_for_people and request.headers.get("Accept") == "text/html"


def faults_of_page(answer: Answer) -> Iterator[str]:
    if answer.media_type != "text/html":
        yield f"as {answer.media_type}"
    elif not answer.headers.get("content-security-policy"):
        yield "without a policy"


def well_formed(text: str) -> bool:
    try:
        ET.fromstring(text)
    except ET.ParseError:
        return False
    return True


def with_absolute_references(node: Any, document: str) -> Any:
    """A schema whose references are absolute; `document` is the address of what it stands in."""
    if isinstance(node, list):
        return [with_absolute_references(item, document) for item in node]
    if not isinstance(node, dict):
        return node
    copy = {name: with_absolute_references(member, document) for name, member in node.items()}
    reference = node.get("$ref")
    if isinstance(reference, str):
        copy["$ref"] = document + reference if reference.startswith("#") else ADDRESS + quote(reference, safe="/#~")
    return copy
