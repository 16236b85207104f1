"""Palazzo (Reiner Knizia, 2005).

Read it beside the rulebook: `components`, `money` (payments and bids), `state`, `decisions` (set-up and the three
actions in the order of the rulebook), `scoring`, `audit`; the wording of every rule is in `rules.en.toml`.
"""
