"""The generators that need no Node find nothing wrong with the specification; `make generators` runs all of them."""

from tools.generators.__main__ import findings, without_node


def test_generators_without_node_have_no_complaints() -> None:
    said = dict(findings(without_node()))
    assert said == {"datamodel-code-generator": [], "msgspec": [], "openapi-python-client": []}
