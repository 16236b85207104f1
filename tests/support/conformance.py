"""The location of the conformance kit, `conformance/`."""

from pathlib import Path

CONFORMANCE = Path(__file__).parents[2] / "conformance"
