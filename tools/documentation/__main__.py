"""Builds the pages of `docs/` and the reference of operations for the site: python -m tools.documentation

The service shows them below /docs, in the look of its pages, and does not know Markdown.
"""

import json
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from tools.documentation.files import BUILT, DOCUMENTS, LAST
from tools.documentation.reference import reference_of
from tools.openapi.files import BUILT as SPECIFICATIONS
from tools.openapi.files import write_all

from capomastro.documents.files import openapi_name
from capomastro.games import all_games

SERVED = {"../openapi.yaml": "/openapi.yaml", "../schemas": "/docs/reference"}
"""What the service shows of the files at the top."""

PAGES = {file.name for file in DOCUMENTS.glob("*.md")}
FRAME = '<div class="frame" tabindex="0">\n'
MARKDOWN = MarkdownIt("commonmark").enable("table")


def main() -> None:
    """Writes all pages, once none of them fails."""
    write_all(BUILT, [*built_files()])


def built_files() -> Iterator[tuple[str, bytes]]:
    """Every file by its name; the list of the pages comes last."""
    pages = []
    for file in sorted(DOCUMENTS.glob("*.md")):
        html, about, pictures = page_of(file)
        yield f"{file.stem}.html", html.encode()
        yield from ((picture.name, picture.read_bytes()) for picture in pictures)
        pages.append({"name": file.stem, **about})
    for game in all_games():
        specification = json.loads((SPECIFICATIONS / openapi_name(game, examples=True)).read_text("utf-8"))
        yield f"reference.{game}.html", reference_of(specification).encode()
    yield LAST.name, json.dumps(pages, ensure_ascii=False).encode()


def page_of(file: Path) -> tuple[str, dict[str, Any], list[Path]]:
    """A page as HTML without its heading; its title, first paragraph, and sections with their anchors; its pictures."""
    tokens = MARKDOWN.parse(file.read_text("utf-8"))
    if [token.type for token in tokens[:3]] != ["heading_open", "inline", "heading_close"] or tokens[0].tag != "h1":
        raise ValueError(f"{file.name} does not begin with a heading")
    lead = next(token for token in tokens[3:] if token.type == "inline")
    sections = [
        {"anchor": anchor, "title": inline.content.replace("`", "")}
        for anchor, heading, inline in with_anchors(tokens)
        if heading.tag == "h2"
    ]
    pictures = [picture for token in tokens if token.type == "inline" for picture in lead_away(token, file)]
    about = {"title": tokens[1].content.replace("`", ""), "lead": plain(lead), "sections": sections}
    return MARKDOWN.renderer.render(in_frames(tokens[3:]), MARKDOWN.options, {}), about, pictures


def with_anchors(tokens: list[Token]) -> Iterator[tuple[str, Token, Token]]:
    """Gives every heading the id that links to it use, as GitHub makes them; yields it, the heading and its text."""
    seen: dict[str, int] = {}
    for heading, inline in pairwise(tokens):
        if heading.type != "heading_open":
            continue
        name = re.sub(r"[^\w\- ]", "", plain(inline).lower()).replace(" ", "-")
        number = seen.get(name, 0)
        seen[name] = number + 1
        anchor = f"{name}-{number}" if number else name
        heading.attrSet("id", anchor)
        yield anchor, heading, inline


def plain(inline: Token) -> str:
    """The text of a paragraph or heading."""
    return "".join(
        " " if child.type == "softbreak" else child.content
        for child in inline.children or ()
        if child.type in ("text", "code_inline", "softbreak")
    )


def lead_away(inline: Token, file: Path) -> Iterator[Path]:
    """Turns links to files into links to pages, those to files that no page shows into text; yields the pictures."""
    children = inline.children or []
    for place, child in enumerate(children):
        if child.type == "image":
            picture = file.parent / str(child.attrGet("src"))
            yield picture
            child.attrSet("src", f"/docs/{picture.name}")
        if child.type != "link_open":
            continue
        page, _, anchor = str(child.attrGet("href")).partition("#")
        if re.match(r"https?:", page):
            continue
        address = SERVED.get(page) or (f"/docs/{page.removesuffix('.md')}" if page in PAGES else "")
        if page and not address:
            # to a file of the project that no page shows
            closing = next(later for later in children[place:] if later.type == "link_close")
            child.type, child.tag, closing.type, closing.tag = "em_open", "em", "em_close", "em"
            child.attrs = {}
            continue
        if page and not (file.parent / page).exists():
            raise ValueError(f"{file.name}: {page} does not exist")
        child.attrSet("href", address + (f"#{anchor}" if anchor else ""))


def in_frames(tokens: list[Token]) -> list[Token]:
    """Puts tables into frames that scroll by themselves, so that no page is wider than a phone.

    A column without a name has no header cell, which would be read out as an empty one.
    """
    framed = []
    for opening, inline, closing in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if opening.type == "th_open" and not inline.content:
            opening.tag = closing.tag = "td"
    for token in tokens:
        if token.type == "table_open":
            framed.append(Token("html_block", "", 0, content=FRAME))
        framed.append(token)
        if token.type == "fence":
            token.attrSet("tabindex", "0")
        if token.type == "table_close":
            framed.append(Token("html_block", "", 0, content="</div>\n"))
    return framed


if __name__ == "__main__":
    main()
