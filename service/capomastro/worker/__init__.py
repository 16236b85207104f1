"""A gunicorn worker whose connections are handled by one thread, so that slow clients hold up nobody.

It knows WSGI, the settings and sockets. What it must know about an application (which requests are health checks, which
bodies are read, how a refusal looks) the application's own `Behaviour` says.
"""
