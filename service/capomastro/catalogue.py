"""What can be known of a game without a state: facts, rules, schemas, and their addresses on a server."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from capomastro import addresses
from capomastro.adjudicator import example_of
from capomastro.answers import Answer, Document, OfGame, Options, RuleId
from capomastro.documents import shapes
from capomastro.documents.languages import current_language
from capomastro.documents.phrases import quoted
from capomastro.documents.problems import Problem
from capomastro.documents.rule_examples import rule_examples
from capomastro.documents.rule_index import UNKNOWN, rule_index
from capomastro.documents.suggestions import did_you_mean
from capomastro.documents.wordings import about, phrase, rules_of, summary_of, title_of, words_of
from capomastro.engine.decisions import ChanceDecision, SeatDecision
from capomastro.engine.game import SCHEMA_VERSION, AnyGame
from capomastro.engine.moves import type_of
from capomastro.engine.reference import Reference
from capomastro.games import all_games

RulesVersion = Annotated[int, Document("rules-version", shared=True)]
SchemaVersion = Annotated[int, Document("schema-version", shared=True)]
PlayerCount = Annotated[int, Document("player-count", shared=True)]
GameId = Annotated[str, Meta(description="The id of the game, in paths and documents.")]
Title = Annotated[str, Meta(description="The name of the game.")]
About = Annotated[str, Meta(description="What the game is: one sentence in the reader's language.")]
PlayerCounts = Annotated[Sequence[PlayerCount], Meta(description="The possible numbers of players.")]
JsonSchema = Annotated[dict[str, Any], Meta(description="A JSON Schema, draft 2020-12.")]


# --- answers ---------------------------------------------------------------------------------------------------------


class SelfLink(Answer, frozen=True):
    """A link to more details."""

    here: Annotated[str, Meta(description="The path of its page.")] = msgspec.field(name="self")


class GameEntry(Answer, frozen=True):
    """A game in the list of games."""

    id: GameId
    title: Title
    about: About
    rules_version: RulesVersion
    schema_version: SchemaVersion
    players: PlayerCounts
    links: SelfLink


class Games(Answer, frozen=True):
    """The games."""

    games: Annotated[Sequence[GameEntry], Meta(description="Every game.")]


class GameOptions(Answer, frozen=True):
    """The options of a game."""

    defaults: Annotated[Options, Meta(description="The default of each option.")]
    schema: JsonSchema


class DecisionEntry(Answer, frozen=True):
    """A kind of decision."""

    kind: Annotated[str, Meta(description="The `type` of the stage.")]
    actor: Annotated[Literal["seat", "chance"], Meta(description="Who decides.")]
    moves: Annotated[Sequence[str], Meta(description="The types of its moves, in the order of the rulebook.")]


class Assumption(Answer, frozen=True):
    """A rule that we had to assume."""

    rule: RuleId
    wording: Annotated[str, Meta(description="The rule.")]


class GameLinks(Answer, frozen=True):
    """Where to continue, as paths on this server."""

    here: Annotated[str, Meta(description="The path of this page.")] = msgspec.field(name="self")
    rules: Annotated[str, Meta(description="The path of its rules.")]
    schemas: Annotated[dict[str, str], Meta(description="The paths of its schemas, by kind of document.")]
    specification: Annotated[str, Meta(description="The path of its specification, OpenAPI 3.1.")]
    operations: Annotated[dict[str, str], Meta(description="The paths of its operations, by name.")]


class SummaryPart(Answer, frozen=True):
    """A paragraph of the summary of a game."""

    lead: Annotated[str, Meta(description="What it begins with, for a heading or bold letters; may be empty.")]
    text: Annotated[str, Meta(description="What follows.")]
    rule: Annotated[str, Meta(description="The rule whose illustration shows it.")] | UnsetType = UNSET


class GamePage(Answer, frozen=True):
    """A game, as far as it does not depend on a state."""

    id: GameId
    title: Title
    about: About
    summary: Annotated[
        Sequence[SummaryPart], Meta(description="How the game goes: one minute to read, in the reader's language.")
    ]
    rules_version: RulesVersion
    schema_version: SchemaVersion
    players: PlayerCounts
    links: GameLinks
    options: GameOptions
    components: Annotated[
        Mapping[str, Mapping[str, int]],
        Meta(description="The contents of the box: the number of each component, by group."),
    ]
    reference: Annotated[
        Reference,
        OfGame("reference_type"),
        Meta(description="What is known of components, places and points: data for a client."),
    ]
    decisions: Annotated[
        Sequence[DecisionEntry], Meta(description="Every kind of decision, in the order of the rulebook.")
    ]
    assumptions: Annotated[Sequence[Assumption], Meta(description="Rules we assume where the rulebook leaves room.")]


class Shown(Answer, frozen=True):
    """A place in the conformance kit: a move in a recorded game, or a test vector of an illegal move."""

    file: Annotated[str, Meta(description="The file, relative to the folder `conformance`.")]
    ply: (
        Annotated[int, Meta(description="In a recorded game: the index of the move that shows it.", ge=0)] | UnsetType
    ) = UNSET
    name: Annotated[str, Meta(description="In a file of vectors: the name of the vector.")] | UnsetType = UNSET


class Illustration(Answer, frozen=True):
    """An example of a rule that is seen on the table: its picture is this resource as `image/svg+xml`."""

    caption: Annotated[str, Meta(description="What is to be seen there, in one sentence.")]
    width: Annotated[int, Meta(description="The width of the picture in pixels.", ge=1)]
    height: Annotated[int, Meta(description="Its height.", ge=1)]


class Rule(Answer, frozen=True, kw_only=True):
    """A rule."""

    id: RuleId
    game: GameId
    wording: Annotated[str, Meta(description="The rule in our words.")]
    source: Annotated[str, Meta(description="Its place in the rulebook, or another source.")]
    mark: Annotated[
        Literal["text", "ruling", "assumed"],
        Meta(
            description="`text`: the rulebook says so. `ruling`: our decision where it is silent or unclear. "
            "`assumed`: no source says so; we assume it."
        ),
    ]
    chapter: Annotated[str, Meta(description="The name of the chapter it belongs to.")]
    concerns: Annotated[
        Literal["play", "documents"],
        Meta(description="`play`: people at a table need it. `documents`: only records, states and scoresheets do."),
    ]
    refusal: (
        Annotated[
            str,
            Meta(description="The sentence of a refusal, with placeholders; present if the rule can refuse a move."),
        ]
        | UnsetType
    ) = UNSET
    decisions: Annotated[
        Sequence[str], Meta(description="The kinds of decisions it governs; none for a scoring rule, for example.")
    ]
    moves: Annotated[Sequence[str], Meta(description="The types of moves it governs in those decisions.")]
    shown_by: Annotated[
        Sequence[Shown],
        Meta(description="Examples: moves in recorded games, illegal moves and impossible documents; may be empty."),
    ]
    illustration: Illustration | UnsetType = UNSET
    links: SelfLink


class Rules(Answer, frozen=True):
    """The rules of a game."""

    rules: Annotated[Sequence[Rule], Meta(description="In the order of the rulebook.")]


# --- how answers are made --------------------------------------------------------------------------------------------


def games() -> Games:
    """Every game."""
    return Games([entry(game) for game in all_games().values()])


def entry(game: AnyGame) -> GameEntry:
    """A game in the list of games."""
    return GameEntry(
        id=game.id,
        title=game.title,
        about=about(game),
        rules_version=game.rules_version,
        schema_version=SCHEMA_VERSION,
        players=list(game.players),
        links=SelfLink(addresses.game(game.id)),
    )


def page(game: AnyGame, operations: Mapping[str, str]) -> GamePage:
    """Everything about a game that does not depend on a state; `operations` maps names to paths."""
    return GamePage(
        id=game.id,
        title=game.title,
        about=about(game),
        summary=[SummaryPart(**part) for part in summary_of(game)],
        rules_version=game.rules_version,
        schema_version=SCHEMA_VERSION,
        players=list(game.players),
        links=GameLinks(
            here=addresses.game(game.id),
            rules=addresses.rules(game.id),
            schemas={document: addresses.schema(game.id, document) for document in shapes.documents_of(game.id)},
            specification=addresses.specification(game.id),
            operations={name: path.replace("{game}", game.id) for name, path in operations.items()},
        ),
        options=GameOptions(game.options_type(), served_schema(game.id, "options")),
        components=game.components(),
        reference=game.reference(),
        decisions=[decision_entry(decision) for decision in game.decisions],
        assumptions=[
            Assumption(id, rule["wording"]) for id, rule in rules_of(game).items() if rule["mark"] == "assumed"
        ],
    )


def decision_entry(decision: SeatDecision[Any] | ChanceDecision[Any]) -> DecisionEntry:
    """A kind of decision: who makes it, and the types of its moves in the order of the rulebook."""
    moves = list(decision.rules) if isinstance(decision, SeatDecision) else [decision.rule.move]
    return DecisionEntry(type_of(decision.stage), decision.actor, [type_of(move) for move in moves])


def rule_entry(game: AnyGame, id: str, rule: Mapping[str, Any]) -> Rule:
    """A rule: wording, source, mark, refusal if it has one, what it governs, and examples from the conformance kit."""
    found = rule_index(game).get(id, UNKNOWN)
    return Rule(
        id=id,
        game=game.id,
        decisions=found["decisions"],
        moves=found["moves"],
        shown_by=[Shown(**example) for example in found["shown_by"]],
        illustration=illustration_of(game, id) if id in rule_examples(game) else UNSET,
        links=SelfLink(addresses.rule(game.id, id)),
        chapter=words_of(game, current_language()).catalogue["sections"][id.split(".")[1]],
        concerns=rule.get("concerns", "play"),
        **{member: rule[member] for member in ("wording", "source", "mark", "refusal") if member in rule},
    )


def illustration_of(game: AnyGame, id: str) -> Illustration:
    """The example of a rule, with the size of its picture, so that a page can keep the room for it."""
    picture = example_of(game, id)
    return Illustration(picture.description, picture.width, picture.height)


def rules(game: AnyGame) -> Rules:
    return Rules([rule_entry(game, id, rule) for id, rule in rules_of(game).items()])


def rule_page(game: AnyGame, id: str) -> Rule:
    """One rule, by its full id.

    Raises:
        Problem: `not-found`.
    """
    rule = rules_of(game).get(id)
    if rule is None:
        detail = phrase(
            "no-such-rule", title=title_of(game), rule=quoted(id[:80]), game=game.id, list=addresses.rules(game.id)
        )
        raise Problem("not-found", detail + did_you_mean(id, rules_of(game)))
    return rule_entry(game, id, rule)


def schema(game_id: str | None, document: str) -> shapes.Schema:
    """A schema of a game (None: one that all games share).

    Raises:
        Problem: `not-found`.
    """
    known = shapes.documents_of(game_id)
    if document not in known:
        detail = phrase("no-such-schema", schema=quoted(document[:40]), schemas=list(known))
        raise Problem("not-found", detail + did_you_mean(document, known))
    return served_schema(game_id, document)


def served_schema(game_id: str | None, document: str) -> shapes.Schema:
    """A schema as it is served: its `$id` is its address on the server, against which its references resolve.

    Raises:
        KeyError: if there is no such schema.
    """

    def address_of(reference: str) -> str:
        file, number_sign, fragment = reference.partition("#")
        return (addresses.schema(*shapes.referred(game_id, file)) if file else "") + number_sign + fragment

    schema = shapes.schema_of(game_id, document)
    identified = {"$schema": schema["$schema"], "$id": addresses.schema(game_id, document)}
    return {**identified, **shapes.with_references(schema, address_of)}
