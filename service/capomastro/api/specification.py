"""The specification of the service: two files that `make openapi` writes, handed on as they are."""

from capomastro.documents.files import openapi_file


def specification_as_yaml() -> bytes:
    """To be read."""
    return openapi_file("yaml").read_bytes()


def specification_as_json() -> bytes:
    """To be loaded, by programs and by the browser of the API."""
    return openapi_file("json").read_bytes()
