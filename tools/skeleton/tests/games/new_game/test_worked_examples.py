"""The worked examples of the rulebook."""

# FILL IN: a test for every example and every picture of the rulebook that shows what is legal or what it scores.
