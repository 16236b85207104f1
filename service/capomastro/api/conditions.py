"""Conditions of requests (RFC 9110, section 13): whether the client has the answer already, or wants no other."""

from flask import Response, request

from capomastro.documents.problems import Problem
from capomastro.documents.wordings import phrase


def conditional(response: Response) -> Response:
    """A response with an ETag, or 304 without its content if `If-None-Match` names it.

    `If-Match` counts for GET and HEAD alone: where a POST goes, there is nothing that could have an ETag.

    Raises:
        Problem: `precondition-failed` if `If-Match` names others only.
    """
    tag, _ = response.get_etag()
    expected = request.if_match
    if expected and not (tag and expected.contains(tag)):
        response.close()  # it may send an open file
        raise Problem("precondition-failed", phrase("other-etag"))
    request.environ.pop("HTTP_IF_MATCH", None)  # it holds; with it, Flask would not check `If-None-Match`
    response.make_conditional(request)
    return response
