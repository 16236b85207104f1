"""Fifth Avenue (Wilko Manz, 2004).

Read it with the rulebook: `components`, `state`, `lots` (what may be there), `supplies` (cards, buildings, tiles),
`bids`, `scoring`, then `decisions` (`setup`, `turn`, `auctions`, in the order of the rulebook, and `course`, what comes
next), `audit`; `words.en.toml` has the wording of every rule.
"""
