"""The pages for people, at /, /score, /play, /rules, /replay and /book, and their files: no part of the API."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from gzip import compress
from typing import Any

import msgspec
from flask import Blueprint, Flask, Response, request
from werkzeug.exceptions import HTTPException, InternalServerError, NotFound

from capomastro import catalogue, pages
from capomastro.adjudicator import example_of
from capomastro.api.kit import ENGINE, ENGINE_POLICY, Kit, add_kit
from capomastro.api.media_types import HTML, JSON, SVG
from capomastro.api.negotiation import NOTHING_BUT_STYLE, compressible, conditional, gzipped, reader_language
from capomastro.api.problems import response_to
from capomastro.documents import shapes
from capomastro.documents.languages import current_language, less_specific, set_language
from capomastro.documents.problems import Problem
from capomastro.documents.reading import reader_of
from capomastro.documents.rule_examples import rule_examples
from capomastro.documents.wordings import about, phrase, summary_of, title_of, words_of
from capomastro.drawing.pictures import Picture
from capomastro.engine.game import AnyGame
from capomastro.games import all_games

FOLDER = "/pages"
API = "/v1/"
"""Requests below this path come from programs, even if a browser sends them."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Scripts and styles are files of ours; nothing is fetched from or sent to another origin."""
MANIFEST = "application/manifest+json"
FOREVER = 365 * 24 * 60 * 60

Respond = Callable[..., Response]


def add_pages(
    app: Flask,
    cache_seconds: int,
    to_error: Callable[[HTTPException], Response],
    to_fault: Callable[[InternalServerError], Response],
    kit: Kit | None,
) -> None:
    """Serves the pages, and the kit for use without a network if there is one.

    A program that asks `/` for JSON gets what it would get without them. `to_error` and `to_fault` answer programs; a
    browser gets the same as a page.
    """
    blueprint = Blueprint("pages", __name__)
    blueprint.before_request(set_language_of_page)
    blueprint.register_error_handler(Problem, as_page(response_to))
    blueprint.register_error_handler(InternalServerError, as_page(to_fault))
    app.register_error_handler(NotFound, as_page(to_error))
    app.register_error_handler(Problem, at_start(response_to))  # its route is not one of the blueprint
    app.register_error_handler(InternalServerError, at_start(to_fault))

    @blueprint.get("/score")
    def choose_pad() -> Response:
        return games_response("choice.html", cache_seconds, purpose="score")

    @blueprint.get("/play")
    def choose_table() -> Response:
        return games_response("choice.html", cache_seconds, purpose="play")

    @blueprint.get("/score/<game>")
    def show_pad(game: str) -> Response:
        return page_response("score.html", cache_seconds, names_of_things, game=game_with_pad(game))

    @blueprint.get("/play/<game>")
    def show_table(game: str) -> Response:
        shown = game_with_pad(game)
        return page_response("play.html", cache_seconds, names_of_choices, game=shown, options=offered_options(shown))

    @blueprint.get("/rules/<game>")
    def show_rules(game: str) -> Response:
        return rules_response(game_with_pad(game), cache_seconds)

    @blueprint.get("/rules/<game>/<rule>.<language>.svg")
    def show_example(game: str, rule: str, language: str) -> Response:
        return example_response(game_with_pad(game), rule, language, cache_seconds)

    @blueprint.get("/rules/<game>/<language>.svg")
    def show_miniature(game: str, language: str) -> Response:
        return miniature_response(game_with_pad(game), language, cache_seconds)

    @blueprint.get("/replay")
    def show_replay() -> Response:
        return page_response("replay.html", cache_seconds, games=list(all_games().values()))

    @blueprint.get("/book")
    def show_book() -> Response:
        return page_response("book.html", cache_seconds, words="book")

    @blueprint.get("/manifest.webmanifest")
    def show_manifest() -> Response:
        return conditional(compressible(pages.manifest(), None, MANIFEST))

    if kit:
        add_kit(blueprint, kit)
    app.register_blueprint(blueprint)
    app.add_url_rule("/favicon.ico", view_func=show_icon, endpoint="pages.icon")
    serve_start_page(app, cache_seconds, kit.size if kit else 0)


def serve_start_page(app: Flask, cache_seconds: int, kit_size: int) -> None:
    """The page at `/`, for clients that prefer HTML to the answer for programs; `kit_size` is in bytes."""
    before = next((rule.endpoint for rule in app.url_map.iter_rules() if rule.rule == "/"), None)
    for_programs: Respond = app.view_functions[before] if before else not_found  # type: ignore[assignment]

    def show_start(**parameters: str) -> Response:
        if prefers_html():
            return games_response("start.html", cache_seconds, kit_size=kit_size)
        response = for_programs(**parameters)
        response.vary.add("Accept")
        return response

    if before:
        app.view_functions[before] = show_start
    else:
        app.add_url_rule("/", view_func=show_start, endpoint="pages.start")


def not_found() -> Response:
    raise NotFound


def as_page(respond: Callable[[Any], Response]) -> Callable[[Any], Response]:
    """Answers an error by a page that explains it and leads to the games, if a browser asked for a page."""

    def respond_with_page(error: Any) -> Response:
        if request.method not in ("GET", "HEAD") or f"{request.path}/".startswith(API):
            return respond(error)
        if not prefers_html():
            response = respond(error)
        else:
            set_language_of_page()
            response = respond(error)
            language, files = current_language(), f"{FOLDER}/{pages.edition()}"
            known = {**shown_games(language), "names": titles(language), "problem": response.get_json()}
            response.set_data(pages.page("problem.html", language, files=files, **known))
            response.mimetype = HTML
            protect(response)
        response.vary.add("Accept")
        return response

    return respond_with_page


def at_start(respond: Callable[[Any], Response]) -> Callable[[Any], Response]:
    """Answers an error of `/` as that of a page; all others as they are."""
    respond_with_page = as_page(respond)

    def respond_at_start(error: Any) -> Response:
        return respond_with_page(error) if request.path == "/" else respond(error)

    return respond_at_start


def set_language_of_page() -> None:
    """Sets the language that the address of a page names, so that a problem with the page is in that language, too."""
    language = language_in_query()
    if language:
        set_language(language)


def show_icon() -> Response:
    return file_response(pages.edition(), "mark.svg")


def prefers_html() -> bool:
    """Whether the client, like a browser, prefers HTML to JSON."""
    accepted = request.accept_mimetypes
    return accepted.quality(HTML) > accepted.quality(JSON)


def game_with_pad(game: str) -> AnyGame:
    """The game with this id.

    Raises:
        Problem: `not-found` if there is no such game, or no page for it.
    """
    if game not in pages.pads() or game not in all_games():
        raise Problem("not-found", phrase("no-such-page", games=list(titles(current_language()).values())))
    return all_games()[game]


def games_with_pads() -> list[AnyGame]:
    return [game for id, game in all_games().items() if id in pages.pads()]


def requested_language() -> str:
    """The language in the query; otherwise the first match for `Accept-Language` (RFC 4647, lookup)."""
    return language_in_query() or reader_language(request.environ, pages.LANGUAGES)


MAXIMUM_TAG_CHARACTERS = 200
"""Maximum number of characters of the language in a query that are read."""


def language_in_query() -> str | None:
    """The language in the query, read as a range of `Accept-Language` is: `it-IT` is Italian. None if there is none."""
    requested = request.args.get("lang", "")[:MAXIMUM_TAG_CHARACTERS]
    return next((tag for tag in less_specific(requested.lower()) if tag in pages.LANGUAGES), None)


def titles(language: str) -> dict[str, str]:
    """The names of the games, as "<game>.title"."""
    return {f"{game.id}.title": title_of(game, language) for game in games_with_pads()}


def abouts(language: str) -> dict[str, str]:
    """What each game is, in one sentence, by its id."""
    return {game.id: about(game, language) for game in games_with_pads()}


def shown_games(language: str) -> dict[str, Any]:
    """What `cards.html` shows: the games from A to Z, and what each is."""
    games = sorted(games_with_pads(), key=lambda game: title_of(game, language).casefold())
    return {"games": games, "abouts": abouts(language)}


def names_of_things(game: AnyGame, language: str) -> dict[str, str]:
    """The names of tokens and places of a game, as "<game>.<id>"; names with slots are as in the catalogue."""
    catalogue = words_of(game, language).catalogue
    return {f"{game.id}.{id}": name for id, name in {**catalogue["tokens"], **catalogue["places"]}.items()}


def names_of_choices(game: AnyGame, language: str) -> dict[str, str]:
    """The names of decisions and options, as "decision.<id>" and "option.<id>", and those of tokens and places."""
    catalogue = words_of(game, language).catalogue
    decisions = {f"decision.{id}": name for id, name in catalogue["decisions"].items()}
    options = {f"option.{id}": name for id, name in catalogue["options"].items()}
    return {**names_of_things(game, language), **decisions, **options}


@cache
def offered_options(game: AnyGame) -> list[dict[str, Any]]:
    """The options of a game that a form can offer: yes or no, one of few places, or an order.

    Each with `key`, `default`, `values` (an order has none), and the numbers of `players` for which it can be chosen.
    """
    defaults = msgspec.to_builtins(game.options_type())
    offered = []
    for key, described in shapes.schema_of(game.id, "options")["properties"].items():
        values = values_of(game, described)
        if values is None:
            continue
        tried = [reader_of(game, "options")({key: value}) for value in values]
        players = [
            count for count in game.players if not any(game.why_not_options(count, options) for options in tried)
        ]
        choices = {} if described.get("uniqueItems") else {"values": values}
        offered.append({"key": key, "default": defaults[key], "players": players, **choices})
    return offered


def values_of(game: AnyGame, described: Mapping[str, Any]) -> Sequence[Any] | None:
    """What an option with this schema can be; of an order only the usual one. None if that is too much for a form."""
    if "$ref" in described:
        file, _, name = described["$ref"].partition("#/$defs/")
        described = shapes.schema_of(*shapes.referred(game.id, file))["$defs"][name]
    match described:
        case {"type": "boolean"}:
            return [False, True]
        case {"type": "integer", "minimum": least, "maximum": greatest}:
            return list(range(least, greatest + 1))
        case {"type": "array", "uniqueItems": True, "default": usual}:
            return [usual]
    return None


def games_response(template: str, cache_seconds: int, **known: Any) -> Response:
    """A page that shows all games."""
    return page_response(template, cache_seconds, **known, **shown_games(requested_language()))


def rules_response(game: AnyGame, cache_seconds: int) -> Response:
    """The rules of a game: one minute of it, the chapters in the rulebook's order, then what players rarely need."""
    set_language(requested_language())
    every = catalogue.rules(game).rules
    by_chapter: dict[str, dict[str, Any]] = {}
    for rule in every:
        if rule.concerns == "play":
            id = rule.id.split(".")[1]
            by_chapter.setdefault(id, {"id": id, "name": rule.chapter, "rules": []})["rules"].append(rule)
    summary = summary_of(game)
    by_id = {rule.id: rule for rule in every}
    return page_response(
        "rules.html",
        cache_seconds,
        words="rules",
        game=game,
        about=about(game),
        summary=summary,
        illustrated=[by_id[part["rule"]] for part in summary if "rule" in part],
        box=by_chapter.pop("components", None),
        chapters=list(by_chapter.values()),
        documents=[rule for rule in every if rule.concerns == "documents"],
        decided=[rule for rule in every if rule.mark != "text" and rule.concerns == "play"],
    )


def example_response(game: AnyGame, rule: str, language: str, cache_seconds: int) -> Response:
    """The picture of a rule, in the language of the page that shows it.

    Raises:
        Problem: `not-found` if the rule has none, or there is no such language.
    """
    if rule not in rule_examples(game) or language not in pages.LANGUAGES:
        raise Problem("not-found", phrase("no-such-file"))
    set_language(language)
    return picture_response(example_of(game, rule), cache_seconds)


def miniature_response(game: AnyGame, language: str, cache_seconds: int) -> Response:
    """The first picture in the summary of a game, without marks of what is new.

    Raises:
        Problem: `not-found` if there is no such language.
    """
    if language not in pages.LANGUAGES:
        raise Problem("not-found", phrase("no-such-file"))
    set_language(language)
    rule = next(part["rule"] for part in summary_of(game) if "rule" in part)
    return picture_response(example_of(game, rule, is_marked=False), cache_seconds)


def picture_response(picture: Picture, cache_seconds: int) -> Response:
    content = picture.svg().encode()
    response = compressible(content, compress(content, 6, mtime=0), SVG)
    response.headers["Content-Security-Policy"] = NOTHING_BUT_STYLE
    response.cache_control.max_age = cache_seconds
    return conditional(response)


def page_response(
    template: str,
    cache_seconds: int,
    names_of: Callable[[AnyGame, str], Mapping[str, str]] | None = None,
    words: str = "",
    **known: Any,
) -> Response:
    """A page in the requested language, with the words of all pages and the `words` of its kind.

    It contains the names of the games, and those that `names_of` gives of its `game`, from the catalogues, so that they
    are not written twice.
    """
    language = requested_language()
    names = {**titles(language), **(names_of(known["game"], language) if names_of else {})}
    files = f"{FOLDER}/{pages.edition()}"
    content = pages.page(template, language, words, files=files, names=names, **known)
    response = compressible(content, gzipped(content), HTML)
    response.content_language.add(language)
    response.vary.update(("Accept", "Accept-Language"))
    response.cache_control.max_age = cache_seconds
    protect(response)
    return conditional(response)


def protect(page: Response) -> None:
    """Adds the headers that restrict what a page may do, and what it reveals to others."""
    page.headers["Content-Security-Policy"] = POLICY
    page.headers["Referrer-Policy"] = "no-referrer"
    page.headers["Cross-Origin-Opener-Policy"] = "same-origin"


def file_response(edition: str, path: str) -> Response:
    """A file of the pages, cacheable for good under the address of this edition.

    A request for another edition, made while instances of two versions run, gets the present file, not cacheable.

    Raises:
        Problem: `not-found` if there is no such file.
    """
    file = pages.files().get(path)
    if file is None:
        raise Problem("not-found", phrase("no-such-file"))
    response = compressible(file.content, file.compressed, file.media_type)
    if path == ENGINE:
        response.headers["Content-Security-Policy"] = ENGINE_POLICY
    if edition == pages.edition():
        response.cache_control.public = True
        response.cache_control.max_age = FOREVER
        response.cache_control.immutable = True
    else:
        response.cache_control.no_cache = True
    return conditional(response)
