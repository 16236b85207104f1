"""The media types of bodies and answers; text notation has its own in `documents.notation`."""

JSON = "application/json"
YAML = "application/yaml"
SVG = "image/svg+xml"
HTML = "text/html"
NDJSON = "application/x-ndjson"
JSONL = "application/jsonl"
LINES = (NDJSON, JSONL)
"""The media types of text with one JSON value per line; neither is registered."""
