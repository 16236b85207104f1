"""New Game.

FILL IN: author, publisher and year, and in which order to read the modules beside the rulebook. The wording of every
rule is in `words.en.toml`.
"""
