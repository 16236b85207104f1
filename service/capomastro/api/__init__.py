"""HTTP: resources, envelopes, problems. Calls the adjudicator and knows no game by name."""
