"""The Palaces of Carrara (Wolfgang Kramer and Michael Kiesling, 2012), the base game.

Read it with the rulebook: `components`, `state`, `supplies` (what follows from a state), `purchases` (the blocks that
can be bought or paid), `decisions` (set-up, the three actions and the rest of a turn in the order of the rulebook),
`scoring`, `audit`; `words.en.toml` has the wording of every rule.
"""
