"""What all games share. The engine knows neither HTTP nor any game.

Read it in this order: `multisets`, `hands`, `decisions` (stages, moves, rules of a move), `events`, `chance`, `seats`
(small steps on tuples), `piles` (drawn, discarded and shuffled), `selections` (counting long lists of moves), `game`
(what a game has to say), `referee` (what one can do with any game), `results`, `records` and `perft`.
"""
