"""Palazzo (Reiner Knizia, 2005).

Read it with the rulebook: `components`, `money` (payments and bids), `state`, `decisions` (set-up and the three
actions in the order of the rulebook), `scoring`, `audit`; `words.en.toml` has the wording of every rule.
"""
