"""What the application would do with the body of a request, told from its head: whether it would be read at all."""

from typing import Any, NamedTuple

from flask import Flask, Request
from werkzeug.exceptions import HTTPException

from capomastro import adjudicator
from capomastro.api.bodies import CONTENT_TYPE, refuse_media_type
from capomastro.api.declarations import LINES, Resource
from capomastro.api.negotiation import acceptable
from capomastro.api.resources import RESOURCES
from capomastro.documents import notation
from capomastro.documents.problems import Problem
from capomastro.settings import Settings


class Reading(NamedTuple):
    """What is to be done with the body of a request."""

    most_bytes: int = 0
    """It is gathered, if it is not longer."""
    leave: bool = False
    """It is not read: the request is refused, or answered, whatever the body is."""
    stream: bool = False
    """It is read while it is answered."""


LEAVE = Reading(leave=True)


class Reception:
    """Knows the resources of an application."""

    def __init__(self, app: Flask, settings: Settings) -> None:
        self.app = app
        self.settings = settings
        self.by_name = {one.name: one for one in RESOURCES}
        self.streamed = {(one.method, one.path) for one in RESOURCES if one.streamed}
        self.vital = {one.path for one in RESOURCES if one.method == "GET" and not one.lasting}

    def is_vital(self, method: str, path: str) -> bool:
        """Whether a request asks how the process is: it must be answered whatever else is going on."""
        return path in self.vital and method in ("GET", "HEAD")

    def is_stream(self, method: str, path: str) -> bool:
        """Whether a request is for a resource that is served while its body arrives; their paths have no parameters."""
        return (method, path) in self.streamed

    def reading(self, environ: dict[str, Any]) -> Reading:
        """What is to be done with the body of a request: what the application would refuse at once is not read."""
        request = Request(environ)
        try:
            name, arguments = self.app.url_map.bind_to_environ(environ).match()
            resource = self.by_name[name]
            if "game" in arguments:
                adjudicator.game_of(arguments["game"])
            acceptable(request, resource.media_type, *resource.forms)
            refuse_media_type(request, *media_types(resource))
        except (HTTPException, Problem, KeyError):
            return LEAVE
        if resource.streamed:
            return Reading(stream=True)
        most_bytes = self.most_bytes(resource)
        return LEAVE if (request.content_length or 0) > most_bytes else Reading(most_bytes)

    def most_bytes(self, resource: Resource) -> int:
        """How long a body of a resource can be."""
        if resource.record or resource.by_hand:
            return self.settings.maximum_record_bytes
        return self.settings.maximum_state_bytes if resource.envelope else 0


def media_types(resource: Resource) -> tuple[str, ...]:
    """What bodies of a resource may be declared as."""
    if resource.streamed:
        return LINES
    return (CONTENT_TYPE, notation.MEDIA_TYPE) if resource.by_hand else (CONTENT_TYPE,)
