"""Content negotiation: chooses among the media types of a resource."""

from flask import Request

from capomastro.documents.problems import Problem


def refuse_unacceptable(request: Request, media_type: str) -> None:
    """Raises if the header `Accept` excludes the media type."""
    acceptable(request, media_type)


def acceptable(request: Request, *media_types: str) -> str:
    """The media type that the header `Accept` prefers; the first if it has no preference.

    Raises:
        Problem: `not-acceptable` if it excludes all of them.
    """
    accept = request.environ.get("HTTP_ACCEPT", "")
    if accept in ("", "*/*", media_types[0]):
        return media_types[0]

    def quality(media_type: str) -> float:
        accepted = request.accept_mimetypes
        return max(accepted.quality(media_type), accepted.quality(f"{media_type}; charset=utf-8"))

    best = max(media_types, key=quality)
    if quality(best) > 0:
        return best
    raise Problem("not-acceptable", f"This resource answers with {' or '.join(media_types)}.")
