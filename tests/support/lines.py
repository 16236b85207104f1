"""Lines as files have them: they end with a line feed and nothing else."""

from typing import overload


@overload
def lines_of(text: str) -> list[str]: ...
@overload
def lines_of(text: bytes) -> list[bytes]: ...
def lines_of(text: str | bytes) -> list[str] | list[bytes]:
    """The lines of a text. `splitlines` would also end them at U+0085, U+2028 and others, which texts may contain."""
    if isinstance(text, bytes):
        return text.removesuffix(b"\n").split(b"\n") if text else []
    return text.removesuffix("\n").split("\n") if text else []
