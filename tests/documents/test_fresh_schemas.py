"""The schemas in the tree are those that the types say: `make generated`."""

from pathlib import Path

import pytest
from tools.schemas.documents import written

from capomastro.documents.files import schemas_directory


@pytest.mark.parametrize("name", written())
def test_a_schema_is_what_the_types_say(name: str) -> None:
    assert Path(schemas_directory() / name).read_text("utf-8") == written()[name]
