"""The server: gunicorn, set up by our own table of settings, and how it treats connections."""
