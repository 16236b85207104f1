"""/docs: Swagger UI, which shows the specification. Its files come from a Python package; it needs no network."""

from collections.abc import Callable
from pathlib import Path

import flask_swagger_ui
from flask import Blueprint, Flask, Response, render_template, send_from_directory
from markupsafe import Markup

from capomastro.api.media_types import HTML
from capomastro.api.negotiation import NOTHING_BUT_STYLE, conditional

PATH = "/docs"
OURS = Path(__file__).with_name("swagger")
THEIRS = Path(flask_swagger_ui.__file__).with_name("dist")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Like that of the other pages: nothing is fetched from or sent to another origin."""


def add_browser(app: Flask, header: Callable[[], str] | None = None) -> None:
    """Serves the page and its files; `header` makes HTML, in the reader's language, for the top of the page."""
    blueprint = Blueprint("browser", __name__, url_prefix=PATH, template_folder=OURS)

    @blueprint.get("")
    @blueprint.get("/")
    @blueprint.get("/index.html")
    def show() -> Response:
        page = render_template("page.html", at=PATH, header=Markup(header()) if header else "")  # noqa: S704 - is HTML
        response = Response(page, mimetype=HTML)
        response.headers["Content-Security-Policy"] = POLICY
        response.headers["Referrer-Policy"] = "no-referrer"
        if header:
            response.vary.add("Accept-Language")
        return response

    @blueprint.get("/start.js")
    def show_script() -> Response:
        return conditional(send_from_directory(OURS, "start.js"))

    @blueprint.get("/<path:file>")
    def show_file(file: str) -> Response:
        sent = send_from_directory(THEIRS, file)
        if sent.mimetype == HTML:
            sent.headers["Content-Security-Policy"] = NOTHING_BUT_STYLE
        return conditional(sent)

    app.register_blueprint(blueprint)
