"""All files of schemas."""

from functools import cache

from tools.schemas.common import CommonFolder
from tools.schemas.games import GameFolder
from tools.schemas.writing import as_text

from capomastro.games import all_games


@cache
def written() -> dict[str, str]:
    """The expected content of the files, by name."""
    folders = [CommonFolder(), *map(GameFolder, all_games().values())]
    return {name: as_text(schema) for folder in folders for name, schema in folder.files()}
