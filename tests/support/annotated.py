"""A record in text notation with notes and variations, and the same one without."""

ANNOTATED = """\
# Two of us, after supper.
game: palazzo
players: 2

draw-tile brick-1-1
draw-tile marble-3-1
#( draw-tile marble-2-2
#| # The better one?
#| #( draw-tile marble-1-1
#| draw-tile brick-2-2   # or any
#( nothing that anybody could play
draw-tile sandstone-5-3   # high up
#  And last of all:
"""
PLAIN = "".join(f"{line.partition(' #')[0].rstrip()}\n" for line in ANNOTATED.splitlines() if not line.startswith("#"))
COMMENTS = {
    0: [" Two of us, after supper."],
    2: [
        "( draw-tile marble-2-2",
        "| # The better one?",
        "| #( draw-tile marble-1-1",
        "| draw-tile brick-2-2   # or any",
        "( nothing that anybody could play",
    ],
    3: [" high up", "  And last of all:"],
}
