"""The paths of resources, as answers name them."""

API = "/v1"


def games() -> str:
    return f"{API}/games"


def game(game_id: str) -> str:
    return f"{API}/games/{game_id}"


def specification(game_id: str) -> str:
    """The specification of a game."""
    return f"{game(game_id)}/openapi.json"


def rules(game_id: str) -> str:
    return f"{game(game_id)}/rules"


def rule(game_id: str, rule_id: str) -> str:
    return f"{rules(game_id)}/{rule_id}"


def schema(game_id: str | None, document: str) -> str:
    """The schema of a document of a game (None: of a document that belongs to no game)."""
    owner = API if game_id is None else game(game_id)
    return f"{owner}/schemas/{document}"


def problems() -> str:
    return f"{API}/problems"


def problem(problem_id: str) -> str:
    """The page of a kind of problem, which is the `type` of its occurrences."""
    return f"{problems()}/{problem_id}"


def replays() -> str:
    """Where many records, one per line, are judged."""
    return f"{API}/replays"
