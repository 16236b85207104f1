"""The engine: what all games share. It knows neither HTTP nor any game.

Read it in this order: `multisets`, `hands`, `decisions` (stages, moves, rules of moves), `events`, `chance`, `seats`
(helpers on tuples), `piles` (drawing, discarding, shuffling), `sources` and `selections` (lists of moves, counted),
`game` (the interface of a game), `referee` (the operations on any game), `results`, `records` and `perft`.
"""
