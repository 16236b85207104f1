"""Campanile (Hanno and Wilfried Kuhn, new edition 2009).

Read it with the rulebook: `components`, `state`, `deck` (the cards left, with probabilities), `rows` (influence
under the towers), `decisions` (set-up and the steps A, B, C of a turn), `scoring`, `audit`; the wording of every rule
is in `words.en.toml`.
"""
