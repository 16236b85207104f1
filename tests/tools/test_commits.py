"""The subjects of commits, as `make lint` reads them."""

import pytest
from tools.commits import fault_of


@pytest.mark.parametrize(
    "subject",
    [
        "Refuse a second auction",
        "Process lines as they come",
        "Bring back the index",
        "Bypass the cache of set-ups",
        "Speed up the fuzz",
        "Ping an idle stream",
    ],
)
def test_an_imperative_is_fine(subject: str) -> None:
    assert fault_of(subject) is None


@pytest.mark.parametrize(
    "subject",
    [
        "The auction is refused",
        "Refuses a second auction",
        "Refused a second auction",
        "Agreed on one order of seats",
        "Passes a second auction",
        "Refusing a second auction",
        "refuse a second auction",
        "Refuse a second auction.",
        "Refuse a second auction, and say in the sentence which was first",
    ],
)
def test_anything_else_is_not(subject: str) -> None:
    assert fault_of(subject) is not None
