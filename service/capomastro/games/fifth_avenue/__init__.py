"""Fifth Avenue (Wilko Manz, 2004).

Read it beside the rulebook: `components`, `state`, `routes` (where a commissioner may go), `lots` (what may lie where),
`supplies` (buildings and tiles), `piles` (cards), `bids`, `auction`, `scoring`, `dummy`, then `decisions` (`setup`,
`turn`, `auctions`, `end`, in the order of the rulebook), `audit`; the wording of every rule is in `rules.en.toml`.
"""
