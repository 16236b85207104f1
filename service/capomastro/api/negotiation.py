"""Which of the media types a resource has the client likes best."""

from flask import Request

from capomastro.documents.problems import Problem


def refuse_unacceptable(request: Request, media_type: str) -> None:
    """Raises if the header `Accept` excludes what there is."""
    acceptable(request, media_type)


def acceptable(request: Request, *media_types: str) -> str:
    """The media type that the header `Accept` likes best, the first if it does not care.

    Raises:
        Problem: `not-acceptable` if it excludes all there is.
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
