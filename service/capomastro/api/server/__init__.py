"""The HTTP server: gunicorn with our own settings and our own handling of connections."""
