"""The schemas in the tree are those that the types say: `make generated`."""

from pathlib import Path

from tools.schemas.documents import written

from capomastro.documents.files import schemas_directory
from capomastro.engine.members import FEWEST_PLAYERS, MOST_PLAYERS
from capomastro.games import all_games


def test_a_schema_is_what_the_types_say() -> None:
    for name, text in written().items():
        assert Path(schemas_directory() / name).read_text("utf-8") == text, name


def test_nothing_else_is_in_the_folders_of_finished_games() -> None:
    files = {path.relative_to(schemas_directory()).as_posix() for path in schemas_directory().glob("*/*")}
    assert files == written().keys()


def test_no_game_is_for_fewer_or_more_players_than_the_documents_of_all() -> None:
    numbers = [players for game in all_games().values() for players in game.players]
    assert (min(numbers), max(numbers)) == (FEWEST_PLAYERS, MOST_PLAYERS)
