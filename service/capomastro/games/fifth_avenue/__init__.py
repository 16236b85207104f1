"""Fifth Avenue (Wilko Manz, 2004).

Read it with the rulebook: `components`, `state`, `lots` (what may be on them), `supplies` (cards, buildings, tiles),
`bids`, `scoring`, then `decisions`, in the order of the rulebook, and `audit`; `words.en.toml` has every rule in words.
"""
