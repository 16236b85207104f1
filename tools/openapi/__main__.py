"""Writes the contract and builds what follows from it: python -m tools.openapi [--build | --build-if-stale]."""

import sys

from tools.openapi.files import BUILT, CONTRACT, built, write_all


def main(arguments: list[str]) -> None:
    if arguments == ["--build-if-stale"]:
        built()
        return
    if arguments != ["--build"]:
        from tools.openapi.contract import contract_text  # noqa: PLC0415 - needs what writes it, which builds do without

        CONTRACT.write_text(contract_text(), "utf-8")
    from tools.openapi.building import built_files  # noqa: PLC0415 - imports the whole service

    write_all(BUILT, built_files())


if __name__ == "__main__":
    main(sys.argv[1:])
