"""`python -m capomastro.cli`."""

from capomastro.cli.commands import main

main(prog_name="capomastro")
