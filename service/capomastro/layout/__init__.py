"""Documents laid out as text for people: values, states, moves, results. It knows no game, and nothing of terminals."""
