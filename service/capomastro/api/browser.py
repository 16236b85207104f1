"""/docs: an API browser from a Python package; it needs no network."""

import re
from base64 import b64encode
from collections.abc import Callable
from hashlib import sha256

from flask import Flask, Response
from flask_swagger_ui import get_swaggerui_blueprint

from capomastro.api.media_types import HTML
from capomastro.api.negotiation import NOTHING_BUT_STYLE, conditional

PATH = "/docs"
POLICY = (
    "default-src 'none'; script-src 'self' {scripts}; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Like that of the other pages, but it also allows, by their hashes, the inline scripts in the package's page."""
INLINE_SCRIPT = re.compile("<script>(.*?)</script>", re.DOTALL)
HEAD_END = "</head>"
DARK_IF_PREFERRED = """<script>
  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  const dress = () => document.documentElement.classList.toggle("dark-mode", prefersDark.matches);
  prefersDark.addEventListener("change", dress);
  dress();
</script>
"""
"""The package does this only in a bar that we leave out."""


def add_browser(app: Flask) -> None:
    """Serves the pages of the browser, which reads the specification of this service."""
    blueprint = get_swaggerui_blueprint(
        PATH,
        "/openapi.json",
        config={
            "app_name": "capomastro",
            "validatorUrl": None,  # otherwise the page fetches a badge from elsewhere
            "oauth2RedirectUrl": f"{PATH}/oauth2-redirect.html",  # otherwise the page echoes the request's Host
            "layout": "BaseLayout",  # without a bar to load other specifications
            "docExpansion": "none",  # groups, instead of every operation of every game
            "defaultModelsExpandDepth": 0,
        },
        blueprint_name="browser",
    )
    app.register_blueprint(blueprint)
    show: Callable[..., Response | str] = app.view_functions["browser.show"]  # type: ignore[assignment]

    def show_protected(**parameters: str) -> Response:
        shown = show(**parameters)
        if not isinstance(shown, Response):
            return page_of(shown)
        if shown.mimetype == HTML:
            shown.headers["Content-Security-Policy"] = NOTHING_BUT_STYLE
        return conditional(shown)

    app.view_functions["browser.show"] = show_protected
    app.add_url_rule(PATH, view_func=show_protected, endpoint="browser")


def page_of(content: str) -> Response:
    """The page of the package, in the colours its reader prefers, and with a Content-Security-Policy."""
    page = content.replace(HEAD_END, DARK_IF_PREFERRED + HEAD_END, 1)
    response = Response(page, mimetype=HTML)
    scripts = " ".join(f"'sha256-{hash_of(script)}'" for script in INLINE_SCRIPT.findall(page))
    response.headers["Content-Security-Policy"] = POLICY.format(scripts=scripts)
    response.headers["Referrer-Policy"] = "no-referrer"
    return response


def hash_of(script: str) -> str:
    """The hash of a script, as a Content-Security-Policy names it."""
    return b64encode(sha256(script.encode()).digest()).decode()
