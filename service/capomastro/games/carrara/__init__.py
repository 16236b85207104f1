"""The Palaces of Carrara (Wolfgang Kramer and Michael Kiesling, 2012), the base game.

Read it beside the rulebook: `components`, `state`, `supplies` (what follows from the state), `purchases` (which blocks
can be bought or paid), `decisions` (set-up, the three actions and the rest of a turn in the order of the rulebook),
`scoring`, `audit`; the wording of every rule is in `rules.en.toml`.
"""
