"""Mixed load for an hour through the proxy of `deploy/` and two instances, while processes are killed."""
