"""Fifth Avenue (Wilko Manz, 2004).

Read it beside the rulebook: `components`, `state`, `routes` (where a commissioner may go), `lots` (what may lie where),
`supplies` (piles and tiles), `bids`, `auction`, `dummy`, then `decisions` (set-up, the four options, the auctions, in
the order of the rulebook), `scoring`, `audit`; the wording of every rule is in `rules.en.toml`.
"""
