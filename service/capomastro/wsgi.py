"""The service for any WSGI server: `gunicorn -k gthread capomastro.wsgi:application`.

Settings come from the environment, as for `capomastro serve`; those about connections belong to the server.
"""

import os

from capomastro.api.application import create_app
from capomastro.settings import Settings

application = create_app(Settings.from_environment(os.environ))
