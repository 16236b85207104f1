"""Pointers in answers are replaced wherever they are, but nothing that the answer only repeats."""

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, UnsetType

from capomastro.documents.pointers import map_pointers
from capomastro.engine.results import ClaimedLine, Quoted

POINTER = {"pointer": "/record/moves/3", "message": "no"}
REPLACED = {"pointer": "/moves/3", "message": "no"}


class Inner(msgspec.Struct, rename={"repeated": "as-it-came"}, tag="inner"):
    refusal: dict[str, Any]
    repeated: Annotated[Any, Quoted] = None
    claimed: Any = None
    absent: Any | UnsetType = UNSET


class Outer(msgspec.Struct, omit_defaults=True):
    inner: list[Inner]
    pair: tuple[Any, ...] = ()
    by_name: Mapping[str, Any] = {}


def replaced(answer: Any) -> Any:
    return map_pointers(answer, "/record", lambda rest: {"pointer": rest})


def test_what_is_quoted_is_told_by_its_type_and_not_by_its_name() -> None:
    answer = Outer([Inner(POINTER, POINTER, [POINTER])], ({"a": POINTER},), {"b": Inner(POINTER, [POINTER])})
    inner = {"type": "inner", "refusal": REPLACED, "as-it-came": POINTER, "claimed": [REPLACED]}
    assert replaced(answer) == {
        "inner": [inner],
        "pair": [{"a": REPLACED}],
        "by_name": {"b": {**inner, "as-it-came": [POINTER], "claimed": None}},
    }


def test_a_claim_is_repeated_as_it_is() -> None:
    line = ClaimedLine(seat=0, what="line", claimed=POINTER, computed=POINTER, matches=True)
    assert replaced([line]) == [{"seat": 0, "what": "line", "claimed": POINTER, "computed": REPLACED, "matches": True}]


def test_plain_documents_have_their_pointers_replaced_too() -> None:
    assert replaced([{**POINTER, "further": [POINTER]}, {"pointer": "/records"}, "/record", None]) == [
        {**REPLACED, "further": [REPLACED]},
        {"pointer": "/records"},
        "/record",
        None,
    ]
    assert replaced({"pointer": "/record"}) == {"pointer": ""}
