"""Decides from the head of a request what to do with its body: read, skip or stream it."""

from typing import Any

from werkzeug.exceptions import HTTPException
from werkzeug.wsgi import get_content_length

from capomastro import adjudicator
from capomastro.api.application import Application
from capomastro.api.bodies import acceptable, require_media_type
from capomastro.api.declarations import Resource
from capomastro.api.negotiation import shorten_headers
from capomastro.api.resources import HEALTH, RESOURCES
from capomastro.documents.problems import Problem
from capomastro.worker.behaviour import BodyHandling

SKIP = BodyHandling(skip=True)


class BodyPolicy:
    """Knows how an application treats the bodies of its resources."""

    def __init__(self, app: Application) -> None:
        self.app = app
        self.settings = app.settings
        self.by_name = {one.name: one for one in RESOURCES}
        self.streamed = {(one.method, one.path) for one in RESOURCES if one.streamed}

    def is_health_check(self, method: str, path: str) -> bool:
        """Whether a request is a health check, which must be answered whatever else is going on."""
        return path in HEALTH and method in ("GET", "HEAD")

    def is_stream(self, method: str, path: str) -> bool:
        """Whether a resource is served while its body arrives; paths of such resources have no parameters."""
        return (method, path) in self.streamed

    def handling(self, environ: dict[str, Any]) -> BodyHandling:
        """What to do with the body of a request; not read if the application would refuse the request anyway."""
        shorten_headers(environ)
        try:
            name, arguments = self.app.url_map.bind_to_environ(environ).match()
            resource = self.by_name[name]
            if "game" in arguments:
                adjudicator.game_of(arguments["game"])
            acceptable(environ, *resource.media_types)
            require_media_type(environ, *resource.body_types)
        except (HTTPException, Problem, KeyError):
            return SKIP
        if resource.streamed:
            return BodyHandling(stream=True)
        maximum_bytes = self.maximum_bytes(resource)
        return SKIP if (get_content_length(environ) or 0) > maximum_bytes else BodyHandling(maximum_bytes)

    def maximum_bytes(self, resource: Resource) -> int:
        """The maximum length of a body of a resource."""
        if resource.record or resource.accepts_notation:
            return self.settings.maximum_record_bytes
        return self.settings.maximum_state_bytes if resource.envelope else 0
