"""Generates parts of the clients: make clients."""
