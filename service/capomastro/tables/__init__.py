"""Sealed tables: games with secrets, played by passing one document round. docs/tables.md has the protocol.

Whoever holds a table may show it to everybody: what is secret in it (closed cards, root, shares) is sealed with a key
that only the service knows. Nothing is kept here either: a table, a seat's secret and the key ring are all there is.

`keys`, `shares` and `sealing` are the cryptography, `documents` the table, `history` what two tables of one game say
about each other, `draws` the check of everything that chance decided, `questions` what the API asks.
"""
