"""What the tests of all games share; nothing here knows a game.

`playouts` plays games at random, towards a goal or with chosen chance · `setups` lists the player counts and variants
to test · `mutations` spoils moves · `oracle` finds legal moves by trying everything · `hidden` looks for secrets in
answers · `documents` goes through JSON and back.
"""
