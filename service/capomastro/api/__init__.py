"""HTTP: resources, envelopes, problems. It asks the adjudicator, and knows no game by name."""
