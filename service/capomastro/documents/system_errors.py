"""Errors of the operating system in the reader's language; in English, and for rare errors, in its own words."""

from errno import errorcode
from os import strerror

from capomastro.documents.languages import current_language
from capomastro.documents.wordings import shared_words


def reason_of(error: OSError) -> str:
    """Why a file, an address or a service cannot be used."""
    words: dict[str, str] = shared_words(current_language()).shared.get("system", {})
    return words.get(name_of_error(error)) or error.strerror or str(error)


def name_of_error(error: OSError) -> str:
    """The name of an error, such as `ENOENT`; `EAI` for all that can happen while a host is looked up.

    Empty if its number is not the system's: TLS has numbers of its own.
    """
    if error.errno is None:
        return "ETIMEDOUT" if isinstance(error, TimeoutError) else ""
    if error.errno < 0:
        return "EAI"
    return errorcode.get(error.errno, "") if error.strerror == strerror(error.errno) else ""
