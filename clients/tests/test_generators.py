"""The generators that need no Node find nothing wrong with the specification; `make generators` runs all of them."""

from tools.generators.__main__ import findings


def test_generators_without_node_have_no_complaints() -> None:
    reported = dict(findings(without_node=True))
    assert set(reported) == {
        f"{name} ({games})"
        for name in ("datamodel-code-generator", "msgspec", "openapi-python-client")
        for games in ("all", "palazzo")
    }
    assert not any(reported.values()), reported
