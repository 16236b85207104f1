"""The referee in a folder: pages and application as static files, for browsers without a service (docs/offline.md)."""
