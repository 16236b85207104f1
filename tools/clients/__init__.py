"""Makes what is generated in the clients: make clients."""
