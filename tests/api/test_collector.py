"""The cyclic garbage collector does not stop the service while a large document is decoded."""

import subprocess
import sys

PROGRAM = """
import gc
gc.disable()
from capomastro.api.server.main import tune_garbage_collector
from capomastro.documents import json_text

tune_garbage_collector()
text = b"[" + b"[]," * 400_000 + b"[]]"
before = gc.get_stats()[2]["collections"]
value = json_text.decode(text)
print(gc.isenabled(), gc.get_freeze_count() > 0, gc.get_stats()[2]["collections"] - before)
"""


def test_what_is_loaded_is_left_alone_and_a_large_document_is_decoded_without_full_collections() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, check=True, text=True)
    assert done.stdout == "True True 0\n"
