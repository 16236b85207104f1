"""Sends requests to the service, and checks what must hold for every answer."""

import re
from typing import Any
from urllib.parse import unquote

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from capomastro.api import problems
from capomastro.api.declarations import Resource
from capomastro.api.resources import RESOURCES
from capomastro.documents import json_text
from tests.support.shapes import shape_of


class Asker:
    """A client that checks what holds for every answer."""

    def __init__(self, client: FlaskClient) -> None:
        self.client = client

    def get(self, path: str, **headers: str) -> Any:
        """The answer to a GET, which must succeed."""
        response = self.client.get(path, headers=headers)
        assert response.status_code == 200, response.get_data(as_text=True)
        assert response.mimetype == "application/json"
        return json_text.decode(response.get_data())

    def post(self, path: str, body: Any) -> Any:
        """The answer to a POST, which must succeed."""
        response = self.send(path, body)
        assert response.status_code == 200, response.get_data(as_text=True)
        assert response.mimetype == "application/json"
        return json_text.decode(response.get_data())

    def send(self, path: str, body: Any, **headers: str) -> TestResponse:
        """Posts a value, or bytes as they are; a path without a slash is one of Palazzo's."""
        data = body if isinstance(body, bytes) else json_text.encode(body)
        address = path if path.startswith("/") else f"/v1/games/palazzo/{path}"
        with_type = {"Content-Type": "application/json", **headers}
        return self.client.post(address, data=data, headers=with_type)

    def refused(self, path: str, body: Any, **headers: str) -> dict[str, Any]:
        """The problem that answers a POST."""
        return problem_in(self.send(path, body, **headers))


def problem_in(response: TestResponse) -> dict[str, Any]:
    """The problem in an answer; it must match RFC 9457, the schema and the catalogue."""
    assert response.mimetype == "application/problem+json", response.get_data(as_text=True)
    problem: dict[str, Any] = json_text.decode(response.get_data())
    assert shape_of(None, "problem").accepts(problem), problem
    id = problem["type"].rpartition("/")[2]
    kind = problems.catalogue()[id]
    assert problem["type"] == f"/v1/problems/{id}"
    assert (problem["title"], problem["status"]) == (kind["title"], kind["status"])
    assert problem["status"] == response.status_code
    assert "Traceback" not in response.get_data(as_text=True)
    resource = resource_of(response.request.method, unquote(response.request.path))
    assert resource is None or id in resource.problems, f"{resource.name} does not declare that it refuses with {id}"
    return {"id": id, **problem}


def resource_of(method: str, path: str) -> Resource | None:
    """The resource that answers such a request."""
    for one in RESOURCES:
        if one.method == method and re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", one.path), path):
            return one
    return None


def pointers(problem: dict[str, Any]) -> list[str]:
    """The places a problem names, in order."""
    return [error["pointer"] for error in problem.get("errors", ())]
