"""/docs: an API browser from a package, without a network."""

from flask import Blueprint
from flask_swagger_ui import get_swaggerui_blueprint

PATH = "/docs"


def browser() -> Blueprint:
    """The pages of the browser; it reads the specification of this very service."""
    pages: Blueprint = get_swaggerui_blueprint(
        PATH,
        "/openapi.json",
        config={
            "app_name": "capomastro",
            "validatorUrl": None,  # else a badge is fetched from elsewhere
            "oauth2RedirectUrl": f"{PATH}/oauth2-redirect.html",  # else the page repeats the request's Host
            "docExpansion": "list",
            "defaultModelsExpandDepth": 0,
        },
        blueprint_name="browser",
    )
    return pages
