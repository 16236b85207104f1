from collections.abc import Callable
from typing import Any

import pytest

Converse = Callable[..., Any]


@pytest.fixture
def converse() -> Converse:
    """`clients.converse`, where the SDK is installed."""
    pytest.importorskip("mcp", reason="needs the extra agents")
    from tests.agents import clients

    return clients.converse
