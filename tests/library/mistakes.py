"""Mistakes that a type checker finds in programs that use the library.

Nothing here is run. `mypy --strict` also reports an `ignore` without an error.
"""

import capomastro
from capomastro.games.palazzo.moves import Buy


def wrong() -> None:
    """One mistake in each line."""
    position = capomastro.set_up("palazzo", "two")  # type: ignore[arg-type]
    position.ply = 3  # type: ignore[misc]
    position.state = position.state  # type: ignore[misc]
    position.play(7)  # type: ignore[arg-type]
    position.legal_move()  # type: ignore[attr-defined]
    position.result.document()  # type: ignore[union-attr]
    print(position.why_not("0 build").message)  # type: ignore[union-attr]
    Buy(seat=0, tiles=("brick-1-1",))  # type: ignore[call-arg]
    Buy(seat=0, tiles="brick-1-1", payment=())  # type: ignore[arg-type]
    capomastro.sett_up("palazzo", 2)  # type: ignore[attr-defined]
