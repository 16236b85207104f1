"""The schemas that belong to no game."""

from collections.abc import Mapping
from importlib import import_module
from json import loads
from pathlib import Path
from typing import Any, get_args

from tools.openapi.nodes import Node
from tools.schemas import sentences
from tools.schemas.folders import Folder, Place, title_of
from tools.schemas.types import Named

from capomastro import answers
from capomastro.documents import common
from capomastro.documents.reading import is_struct
from capomastro.documents.shapes import COMMON
from capomastro.engine import decisions, game, hands, members, records, refusals, results
from capomastro.engine.members import Document

COMMON_TYPES: Mapping[Any, str] = {
    results.ClaimedLine: "claimed-line",
    members.ColumnNumber: "column-number",
    decisions.Decision: "decision",
    records.Departure: "departure",
    common.EveryEvent: "event",
    common.Finding: "finding",
    hands.Hand: "hand",
    members.LineNumber: "line-number",
    members.Name: "name",
    members.Names: "names",
    members.PlayerCount: "player-count",
    game.Ply: "ply",
    members.Pointer: "pointer",
    members.Probability: "probability",
    common.Problem: "problem",
    records.RecordId: "record-id",
    common.Refusal: "refusal",
    results.Result: "result",
    members.RuleId: "rule-id",
    game.RulesVersion: "rules-version",
    game.SchemaVersion: "schema-version",
    results.ScoreLine: "score-line",
    members.SeatIndex: "seat-index",
    members.StateHash: "state-hash",
    records.Tags: "tags",
    members.Text: "text",
    records.Totals: "totals",
    refusals.Values: "values",
    answers.VerdictOnLine: "verdict-on-line",
    records.VerdictOnRecord: "verdict-on-record",
}
"""The types of all games, by file."""

MODULES = (answers, common, game, members, records, refusals)
PARTS = {"move": common.AnyMove, "error-in-record": common.ErrorInRecord}
"""Parts of documents that hold what belongs to a game, or has no type of its own."""


class CommonFolder(Folder):
    """The schemas that belong to no game."""

    name = COMMON
    documents = {file: kind for kind, file in COMMON_TYPES.items()}  # noqa: RUF012
    open = frozenset(COMMON_TYPES.values()) - {"hand"}
    modules = {module.__name__: "" for module in MODULES}  # noqa: RUF012
    examples = loads((Path(__file__).parent / "examples.json").read_text("utf-8"))

    def title(self, document: str) -> str:
        kind = self.documents[document]
        if is_struct(kind):
            return self.part_title(kind)
        return title_of(kind) or document.replace("-", " ").capitalize()

    def sentence(self, document: str) -> str | None:
        kind = self.documents[document]
        if isinstance(kind, type):
            return sentences.of_class(kind)
        told = ((vars(import_module(module)), sentences.of_names(module)) for module in self.modules)
        return next(names[name] for values, names in told for name in names if values.get(name) == kind)

    def place_of_common(self, kind: Any) -> Place | None:
        return Place(COMMON, COMMON_TYPES[kind]) if kind in COMMON_TYPES else None

    def special(self, kind: Any, document: str, named: Named) -> Node | None:
        notes = get_args(kind)[1:] if hasattr(kind, "__metadata__") else ()
        if notes and isinstance(notes[-1], Document):
            note = notes[-1]
            return self.reference_to(Place(COMMON, note.kind), document) if note.shared else named(PARTS[note.kind])
        return None
