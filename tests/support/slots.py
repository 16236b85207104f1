"""The slots of the sentences in catalogues."""

from collections.abc import Iterable

from capomastro.documents.sentences import read, slots_of


def all_slots(templates: Iterable[str]) -> set[str]:
    """The names of all slots in some templates."""
    return {name for template in templates for name in slots_of(read(template))}
