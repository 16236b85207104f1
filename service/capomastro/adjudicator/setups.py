"""Set-up of a new game."""

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET
from msgspec.structs import asdict

from capomastro.adjudicator.loading import load_names, load_options
from capomastro.adjudicator.moves import page_of_next_moves
from capomastro.adjudicator.transitions import course_of, played_with_texts, viewed
from capomastro.adjudicator.views import require_viewers
from capomastro.answers import Setup
from capomastro.engine.game import AnyGame
from capomastro.engine.steps import draw_steps


def set_up(
    game: AnyGame,
    players: int,
    names: Sequence[str] | None = None,
    options: Any = None,
    seed: str | None = None,
    views: Sequence[int | None] | None = None,
    legal_moves_limit: int | None = None,
    texts: bool = False,
    kinds: bool = False,
) -> Setup:
    """A new game; with a seed, all chance in the set-up is drawn; with `texts`, moves and events as sentences too."""
    chosen = load_options(game, players, {} if options is None else options)
    start = game.start(players, chosen, load_names(players, names))
    require_viewers(start, views or ())
    course = course_of(game, start, draw_steps(game, start, seed) if seed is not None else ())
    return Setup(
        **asdict(played_with_texts(game, course.played) if texts else course.played),
        views=viewed(game, course, views, texts) if views is not None else UNSET,
        legal_moves=(
            page_of_next_moves(game, course.played.state, legal_moves_limit, texts, UNSET, kinds)
            if legal_moves_limit is not None
            else UNSET
        ),
    )
