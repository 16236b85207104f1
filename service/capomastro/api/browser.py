"""/docs: an API browser from a Python package; it needs no network."""

from flask import Blueprint
from flask_swagger_ui import get_swaggerui_blueprint

PATH = "/docs"


def browser() -> Blueprint:
    """The pages of the browser, which reads the specification of this service."""
    pages: Blueprint = get_swaggerui_blueprint(
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
    return pages
