"""Sealed tables: games with hidden information, played by passing one document around. docs/tables.md has the protocol.

Anybody may see a table: its secrets (hidden cards, root, shares) are encrypted with a key that only the service has.
The service stays stateless: a table, a seat's secret and the key ring are all it needs.

`keys`, `shares` and `sealing` are the cryptography, `documents` is the table, `history` compares two tables of one
game, `draws` checks every random draw, and `questions` answers the requests of the API.
"""
