"""Fifth Avenue (Wilko Manz, 2004).

Read it with the rulebook: `components`, `state`, `routes` (where a commissioner may go), `lots` (what may be there),
`supplies` (buildings and tiles), `piles` (cards), `bids`, `auction`, `scoring`, `dummy`, then `decisions` (`setup`,
`turn`, `auctions`, `end`, in the order of the rulebook), `audit`; `words.en.toml` has the wording of every rule.
"""
