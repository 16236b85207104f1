"""The questions of the client in TypeScript."""

from collections.abc import Iterator
from typing import Any

from tools.clients.questions import SVG, TEXT, Game, Question, games, of_no_game, records


def camel(id: str) -> str:
    first, *rest = id.split("-")
    return first + "".join(part.capitalize() for part in rest)


def pascal(id: str) -> str:
    return "".join(part.capitalize() for part in id.split("-"))


def _members(question: Question) -> Iterator[tuple[str, str, str]]:
    """The name, value and comment of each method for a question."""
    name, path = camel(question.name), f'"{question.path}"'
    answer = question.answer or "Record<string, unknown>"
    requests = " | ".join(question.requests)
    if question.method == "get":
        parameter = question.path.partition("{")[2].rstrip("}")
        known = f'paths[{path}]["get"]["parameters"]["path"]["{parameter}"]'
        takes = f"{parameter}: {known}, options?: Options" if parameter else "options?: Options"
        sends = f"{{ params: {{ path: {{ {parameter} }} }}, ...options }}" if parameter else "{ ...options }"
        yield name, f"({takes}): Promise<{answer}> => answered(http.GET({path}, {sends}))", question.summary
        return

    def ask(takes: str, beside: str, answers: str, media_type: str = "") -> str:
        sends = f"answered(http.POST({path}, {{ body, {beside}...options }}){media_type})"
        return f"(body: {takes}, options?: Options): Promise<{answers}> => {sends}"

    yield name, ask(requests, "...forJson, " if question.answers_svg else "", answer), question.summary
    if question.takes_text:
        yield f"{name}InText", ask("string", "...inText, ", answer), f"As `{name}`, of a record as people write it"
    if question.answers_text:
        description = f"As `{name}`, answered as people write it"
        yield f"{name}ForText", ask(requests, "...forText, ", "string", ", text"), description
    if question.answers_svg:
        description = f"As `{name}`, answered with one picture"
        yield f"{name}ForSvg", ask(requests, "...forSvg, ", "string", ", svg"), description


def _lines(questions: tuple[Question, ...], indent: str) -> list[str]:
    return [
        line
        for question in questions
        for name, value, description in _members(question)
        for line in (f"{indent}/** {description}. */", f"{indent}{name}: {value},")
    ]


def _game(game: Game) -> list[str]:
    return [
        f"  /** What can be asked about {game.title}. */",
        f"  {camel(game.id)}: {{",
        *_lines(game.questions, "    "),
        "  },",
    ]


def positions(document: dict[str, Any]) -> str:
    """The text of the module with what a set-up and a transition of each game have in common."""
    names = [pascal(game.id) for game in games(document)]
    parts = ("State", "Derived", "Move", "ViewedTransition")
    imported = ", ".join(f"{name}{part}" for name in names for part in parts)
    aliases = [f"Position<{', '.join(f'{name}{part}' for part in parts)}>" for name in names]
    lines = [
        "// What a set-up and a transition of a game have in common, made of the specification by `make clients`.",
        'import type { Position } from "../positions.js";',
        f'import type {{ {imported} }} from "./specification.js";',
        "",
        *(f"export type {name}Position = {alias};" for name, alias in zip(names, aliases, strict=True)),
        "",
    ]
    return "\n".join(lines)


def module(document: dict[str, Any]) -> str:
    """The text of the module with all questions."""
    known, others = games(document), of_no_game(document)
    questions = [*others, *(question for game in known for question in game.questions)]
    names = {name for question in questions for name in (*question.requests, question.answer) if name}
    lines = [
        "// What can be asked, made of the specification by `make clients`.",
        'import type { Http } from "../client.js";',
        'import { answered } from "../problems.js";',
        "import type {",
        "  paths,",
        *(f"  {name}," for name in sorted(names | set(records(document)))),
        '} from "./specification.js";',
        "",
        "/** A recorded game of any kind. */",
        f"export type AnyRecord = {' | '.join(records(document))};",
        "",
        "export interface Options {",
        "  /** Gives the question up. */",
        "  signal?: AbortSignal;",
        "}",
        "",
        f'const text = "{TEXT}";',
        'const inText = { bodySerializer: (body: unknown) => body, headers: { "Content-Type": text } };',
        'const forText = { parseAs: "text" as const, headers: { Accept: text } };',
        'const forJson = { headers: { Accept: "application/json, application/problem+json" } };',
        f'const svg = "{SVG}";',
        'const forSvg = { parseAs: "text" as const, headers: { Accept: `${svg}, application/problem+json` } };',
        "",
        "/** The games, and what can be asked of the service itself. */",
        "export const questions = (http: Http) => ({",
        *(line for game in known for line in _game(game)),
        *_lines(others, "  "),
        "});",
        "",
    ]
    return "\n".join(lines)
