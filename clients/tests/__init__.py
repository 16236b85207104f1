"""The clients and the examples, used as a newcomer would: make test-clients."""
