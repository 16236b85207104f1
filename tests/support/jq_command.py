"""`jq [-cnrs] FILTER [FILE…]`: the part of jq that the documentation uses, for machines without it."""

import argparse
import json
import sys
from pathlib import Path

import jq


def main() -> int:
    """Prints the results of the filter for the JSON values in the files or on standard input."""
    parser = argparse.ArgumentParser(prog="jq")
    parser.add_argument("-c", "--compact-output", action="store_true")
    parser.add_argument("-n", "--null-input", action="store_true")
    parser.add_argument("-r", "--raw-output", action="store_true")
    parser.add_argument("-s", "--slurp", action="store_true")
    parser.add_argument("filter")
    parser.add_argument("files", nargs="*", type=Path)
    chosen = parser.parse_args()
    program = jq.compile(chosen.filter)
    if chosen.null_input:
        results = program.input_value(None)
    else:
        texts = [file.read_text("utf-8") for file in chosen.files] or [sys.stdin.read()]
        results = program.input_text("\n".join(texts), slurp=chosen.slurp)
    for result in results:
        if chosen.raw_output and isinstance(result, str):
            print(result)
        elif chosen.compact_output:
            print(json.dumps(result, ensure_ascii=False, separators=(",", ":")))
        else:
            print(json.dumps(result, ensure_ascii=False, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
