"""The cyclic garbage collector does not stop the service while a large document is decoded."""

import subprocess
import sys

PROGRAM = """
import gc
from capomastro.api.server.main import tune_garbage_collector
from capomastro.documents import json_text

{prepare}
text = b"[" + b"[]," * 1_000_000 + b"[]]"
before = gc.get_stats()[2]["collections"]
value = json_text.decode(text)
print(gc.get_stats()[2]["collections"] - before)
"""


def whole_collections(prepare: str) -> int:
    """Number of full collections while a million arrays are decoded."""
    program = PROGRAM.format(prepare=prepare)
    return int(subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True).stdout)


def test_a_large_document_is_decoded_without_full_collections() -> None:
    assert whole_collections("tune_garbage_collector()") == 0


def test_the_collector_is_off_while_everything_is_loaded_and_works_afterwards() -> None:
    program = "import gc; gc.disable(); from capomastro.api.server import main; main.tune_garbage_collector()"
    done = subprocess.run(
        [sys.executable, "-c", f"{program}; print(gc.isenabled(), gc.get_freeze_count() > 0)"],
        capture_output=True,
        check=True,
        text=True,
    )
    assert done.stdout == "True True\n"
