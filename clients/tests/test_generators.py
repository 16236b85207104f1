"""The generators that need no Node find nothing wrong with the specification; `make generators` runs all of them."""

from tools.generators.__main__ import findings, without_node


def test_generators_without_node_have_no_complaints() -> None:
    reported = dict(findings(without_node()))
    assert reported == {"datamodel-code-generator": [], "msgspec": [], "openapi-python-client": []}
