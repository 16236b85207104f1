"""The specification of the service: two files written by `make openapi`, served unchanged."""

from capomastro.documents.files import openapi_file


def specification_as_yaml() -> bytes:
    """For people."""
    return openapi_file("yaml").read_bytes()


def specification_as_json() -> bytes:
    """For programs and the API browser."""
    return openapi_file("json").read_bytes()
