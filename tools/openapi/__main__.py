"""Writes the contract and builds what follows from it: python -m tools.openapi [--build | --build-if-stale]."""

import sys

from tools.openapi.files import CONTRACT, built, write


def main(arguments: list[str]) -> None:
    if arguments == ["--build-if-stale"]:
        built()
        return
    from tools.openapi.building import built_files, contract_text  # noqa: PLC0415 - imports the whole service

    if arguments != ["--build"]:
        CONTRACT.write_text(contract_text(), "utf-8")
    for name, content in built_files():
        write(name, content)


if __name__ == "__main__":
    main(sys.argv[1:])
