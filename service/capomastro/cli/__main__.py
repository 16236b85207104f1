"""`python -m capomastro.cli`."""

from capomastro.cli import main

main()
