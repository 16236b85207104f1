"""/docs: the documentation and the reference of all operations, as pages in the look of the others.

Both are built beforehand, from `docs/` and from the specification of each game.
"""

from typing import Any

from flask import Blueprint, Flask, Response, send_file

from capomastro.api.negotiation import conditional
from capomastro.api.pages import (
    FOLDER,
    as_page,
    file_response,
    game_with_pad,
    games_with_pads,
    page_response,
    set_language_of_page,
)
from capomastro.api.problems import response_to
from capomastro.documents import json_text
from capomastro.documents.files import documentation_directory
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import phrase
from capomastro.games import all_games

PATH = "/docs"
GROUPS = {
    "begin": ("tutorial", "concepts", "glossary", "terms"),
    "people": ("scoring", "viewer", "offline"),
    "games": tuple(all_games()),
    "programs": ("http", "clients", "agents", "learning", "python", "tables", "pictures"),
    "records": ("records", "notation", "archives", "clusters"),
    "run": ("command-line", "operating"),
}
"""The pages in the order in which one reads them."""
PICTURES = (".svg", ".png")


def add_documentation(app: Flask, cache_seconds: int, *, has_start_page: bool) -> None:
    """Serves the pages below `/docs`, and the files of all pages."""
    blueprint = Blueprint("documentation", __name__)
    blueprint.before_request(set_language_of_page)
    if has_start_page:
        blueprint.register_error_handler(Problem, as_page(response_to))

    def page(template: str, **known: Any) -> Response:
        groups = documents_by_group()
        return page_response(
            template, cache_seconds, words="docs", groups=groups, has_start_page=has_start_page, **known
        )

    @blueprint.get(f"{FOLDER}/<edition>/<path:path>")
    def show_file(edition: str, path: str) -> Response:
        return file_response(edition, path)

    @blueprint.get(PATH)
    @blueprint.get(f"{PATH}/")
    def show_contents() -> Response:
        return page("docs.html")

    @blueprint.get(f"{PATH}/<name>")
    def show_document(name: str) -> Response:
        if name.endswith(PICTURES):
            return picture(name)
        found = next((page for page in documents() if page["name"] == name), None)
        if found is None:
            raise Problem("not-found", phrase("no-such-file"))
        return page("document.html", document=found, text=text_of(name))

    @blueprint.get(f"{PATH}/reference")
    def show_references() -> Response:
        return page("references.html", references=games_with_pads())

    @blueprint.get(f"{PATH}/reference/<game>")
    def show_reference(game: str) -> Response:
        return page("reference.html", game=game_with_pad(game), text=text_of(f"reference.{game}"))

    app.register_blueprint(blueprint)


def documents() -> list[dict[str, Any]]:
    """Every page of the documentation: name, title, lead, sections."""
    found: list[dict[str, Any]] = json_text.decode((documentation_directory() / "index.json").read_bytes())
    return found


def text_of(name: str) -> str:
    """The text of a page as HTML."""
    return (documentation_directory() / f"{name}.html").read_text("utf-8")


def documents_by_group() -> dict[str, list[dict[str, Any]]]:
    """The contents that stand beside every page."""
    by_name = {page["name"]: page for page in documents()}
    return {group: [by_name[name] for name in names if name in by_name] for group, names in GROUPS.items()}


def picture(name: str) -> Response:
    """A picture of the documentation.

    Raises:
        Problem: `not-found` if there is none with this name.
    """
    file = documentation_directory() / name
    if name not in {found.name for found in documentation_directory().iterdir()}:
        raise Problem("not-found", phrase("no-such-file"))
    return conditional(send_file(file))
