"""Campanile (Hanno and Wilfried Kuhn, new edition 2009).

Read it beside the rulebook: `components`, `state`, `deck` (what is left to turn up, and how likely), `rows` (influence
under the towers), `decisions` (set-up and the steps A, B, C of a turn), `scoring`, `audit`; the wording of every rule
is in `rules.en.toml`.
"""
