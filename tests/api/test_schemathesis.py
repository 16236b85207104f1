"""The running application against its specification: every operation by itself, and walks along the links.

What is sent is derived from the specification: examples, valid and invalid bodies. All checks of schemathesis
must pass: no internal error, no undeclared status, header or media type, answers match schemas, valid bodies accepted
or refused with 422 for what they say, invalid ones refused for their shape. `schemathesis.toml` says how, and why.
"""

import os
import re
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test
from schemathesis.config import SchemathesisConfig
from schemathesis.core import NotSet
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation.feedback import FeedbackSources
from schemathesis.pytest._test_builder import build_operation_test
from schemathesis.python._constants.orchestrator import make_constants_value_source

from capomastro.api import problems
from capomastro.api.application import create_app
from capomastro.api.media_types import LINES, YAML
from capomastro.documents import claims, notation
from capomastro.documents.files import openapi_json
from capomastro.games import all_games
from capomastro.settings import Settings
from tests.campaigns.asking import Answer, Request
from tests.campaigns.contract import Contract
from tests.campaigns.corpus import corpora
from tests.campaigns.making import a_stream
from tests.support.yaml_reading import read_yaml

WHOLE = "CAPOMASTRO_TEST_COVERAGE"
"""With this environment variable, every operation has its coverage phase: make campaign NAME=coverage."""


def configuration() -> SchemathesisConfig:
    settings = tomllib.loads(Path(__file__).with_name("schemathesis.toml").read_text("utf-8"))
    if WHOLE in os.environ:
        for phase in ("coverage", "examples"):
            settings["phases"][phase]["enabled"] = True
    return SchemathesisConfig.from_dict(settings)


@cache
def specification_in(content: bytes) -> Any:
    return read_yaml(content)


CONFIGURATION = configuration()

schema = schemathesis.openapi.from_path(openapi_json(), config=CONFIGURATION)
for methods in schema.raw_schema["paths"].values():
    for operation in methods.values():
        for link in operation["responses"]["200"].get("links", {}).values():
            # the body of a link is the whole body: otherwise others were mixed in, such as a scoresheet with the state
            link["x-schemathesis"] = {"merge_body": False}
schema.app = create_app(Settings(log_level="ERROR"))

# Lines are sent and checked as the text that the specification says they are; `lines_of` makes them from records.
schemathesis.serializer.alias([*LINES, notation.MEDIA_TYPE], "text/plain")
schemathesis.deserializer(*LINES, notation.MEDIA_TYPE)(lambda _, response: response.text)
# The specification as YAML is read once, not for every answer: reading it takes more than a second of CPU. Of all types
# of YAML, schemathesis takes the deserializer of the first one, which is text/yaml.
schemathesis.deserializer("text/yaml", YAML)(lambda _, response: specification_in(response.content))


@schema.hook
def map_case(context: schemathesis.HookContext, case: schemathesis.Case[Any]) -> schemathesis.Case[Any]:
    """Valid bodies are sent without floats.

    For JSON Schema 3.0 is an integer, and in an open object any number will do; documents have integers only and
    are otherwise refused as `malformed-json` (400). Bodies that are meant to be invalid keep their floats.

    No schema can say which text is a record, or has one on each line: the example and lines of the corpus are sent.
    Nor can a schema say that the query goes with a record only.
    """
    if case.meta is not None and case.meta.generation.mode.is_positive:
        if case.media_type == notation.MEDIA_TYPE:
            case.body = example_by_hand(case)
        elif case.media_type in LINES:
            case.body = lines_of(str(case.body))
        else:
            case.body = without_floats(case.body)
            if case.path.endswith("/pictures") and isinstance(case.body, dict) and "record" not in case.body:
                case.query = {}
    return case


def with_fitting_claims(case: schemathesis.Case[Any]) -> Any:
    """The body; if it is to be valid, without claims about more or fewer players than its record has.

    No schema can say that a claim has one entry for each player.
    """
    body: Any = case.body
    record = body.get("record") if isinstance(body, dict) else None
    if case.meta is None or not case.meta.generation.mode.is_positive or not isinstance(record, dict):
        return body
    if not any(claims.faults(record)):
        return body
    return {**body, "record": {name: member for name, member in record.items() if name not in ("result", "totals")}}


@schema.hook
def filter_case(context: schemathesis.HookContext, case: schemathesis.Case[Any]) -> bool:
    """Leaves out bodies of lines whose only error is their type.

    A body is sent as text, and every text is a stream: each line has its own verdict. So a body that is not
    text does not make a request invalid. A missing body, or a wrong parameter beside the body, does.
    """
    if case.meta is None or case.media_type not in LINES or isinstance(case.body, NotSet):
        return True
    wrong = {part for part, info in case.meta.components.items() if info.mode.is_negative}
    return wrong != {ParameterLocation.BODY}


def lines_of(seed: str) -> str:
    """Records of all games, intact and altered, one per line; they depend on the seed."""
    return a_stream(Random(seed), corpora()).body.decode(errors="replace")


@schemathesis.check
def lines_are_as_their_schema_says(
    context: schemathesis.CheckContext, response: schemathesis.Response, case: schemathesis.Case[Any]
) -> None:
    """Checks each line by the schema of its content, since the schema of a text says nothing about its lines."""
    if response.status_code == 200 and response.headers.get("content-type", [""])[0].partition(";")[0] in LINES:
        request = Request("POST", case.path, b"")
        headers = {name: values[0] for name, values in response.headers.items()}
        answer = Answer(200, {name.lower(): value for name, value in headers.items()}, response.content, 0.0)
        assert not list(contract().findings(request, answer))


@cache
def contract() -> Contract:
    return Contract(openapi_json())


@schemathesis.check
def problems_are_declared(
    context: schemathesis.CheckContext, response: schemathesis.Response, case: schemathesis.Case[Any]
) -> None:
    """A problem is one that its operation declares; each declared one has an example."""
    if response.headers.get("content-type") == [problems.MEDIA_TYPE] and response.status_code != 405:
        declared = case.operation.definition.raw["responses"][str(response.status_code)]["content"]
        assert response.json()["type"].rpartition("/")[2] in declared[problems.MEDIA_TYPE]["examples"]


@schemathesis.check
def refused_for_its_content(
    context: schemathesis.CheckContext, response: schemathesis.Response, case: schemathesis.Case[Any]
) -> None:
    """Of a request that its schema accepts, the shape is not refused."""
    if case.meta is not None and case.meta.generation.mode.is_positive and response.status_code == 422:
        assert response.json()["type"].rpartition("/")[2] not in ("envelope", "shape")


def example_by_hand(case: schemathesis.Case[Any]) -> str:
    content = schema.raw_schema["paths"][case.path]["post"]["requestBody"]["content"]
    example: str = content[notation.MEDIA_TYPE]["examples"]["record"]["value"]
    return example


def without_floats(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: without_floats(member) for name, member in value.items()}
    if isinstance(value, list):
        return [without_floats(item) for item in value]
    return int(value) if isinstance(value, float) else value


BOUNDED = settings(
    max_examples=20 if WHOLE in os.environ else 1,
    deadline=None,  # the first request of a kind compiles what later ones use
    derandomize=True,
    database=None,
    suppress_health_check=list(
        HealthCheck
    ),  # documents are deep, so slow and heavily filtered data is accepted; both are bounded all the same
)


OPERATIONS = [f"{method.upper()} {path}" for path, methods in schema.raw_schema["paths"].items() for method in methods]


def some_operations() -> list[str]:
    """Those that are the same for all games, of one game each: the games take turns."""
    alike: dict[str, list[str]] = {}
    for label in OPERATIONS:
        alike.setdefault(re.sub("|".join(all_games()), "{game}", label), []).append(label)
    return [labels[number % len(labels)] for number, labels in enumerate(alike.values())]


@cache
def feedback() -> FeedbackSources:
    return FeedbackSources(constants_value_source=make_constants_value_source(schema))


@pytest.mark.parametrize("label", OPERATIONS if WHOLE in os.environ else some_operations())
def test_every_operation_keeps_to_the_specification(label: str) -> None:
    """What `schema.parametrize()` does, but the cases of an operation are made by the worker that sends them.

    The decorator makes those of all operations when tests are collected, which every worker does: 15 s of CPU for each.
    """
    operation = schema.find_operation_by_label(label)
    assert operation is not None
    build_operation_test(
        config=schema.config, operation=operation, test_func=sent_and_checked, given_kwargs={}, feedback=feedback()
    )()


@BOUNDED
def sent_and_checked(case: schemathesis.Case[Any]) -> None:
    case.body = with_fitting_claims(case)
    case.call_and_validate()


BEGINNINGS = ("setups", "tables", "replays")
"""Where games come from."""


def test_links_lead_through_games() -> None:
    led_to: Counter[tuple[str, int]] = Counter()

    # Here, because making the machine takes a second of CPU, which every process would spend on collecting tests.
    class Walk(beginning_without_a_state(schema.as_state_machine())):  # type: ignore[misc]
        """Follows the links, like a client that has read their descriptions."""

        def step(self, taken: Any) -> Any:
            output = super().step(taken)
            if taken.transition is not None and taken.is_applied:
                led_to[taken.case.path, output.response.status_code] += 1
            return output

        def before_call(self, case: schemathesis.Case[Any]) -> None:
            case.body = with_fitting_claims(case)

    run_state_machine_as_test(Walk, settings=settings(BOUNDED, max_examples=6, stateful_step_count=8))
    questions = ("legal-moves", "transitions", "audits", "views")
    answered = sum(led_to[f"/v1/games/{game}/{question}", 200] for game in all_games() for question in questions)
    assert answered, led_to


def beginning_without_a_state(machine: Any) -> Any:
    """The machine, whose walks no longer begin with a generated state, which is hardly ever possible and leads nowhere.

    Such states are sent to every operation by itself.
    """
    for rule in machine.root_rules:
        if not rule.endswith(BEGINNINGS):
            delattr(machine, rule)
    machine._root_labels = frozenset(label for label in machine._root_labels if label.endswith(BEGINNINGS))
    return machine
