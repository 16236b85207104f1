"""The conformance kit, `conformance/`: where it lies."""

from pathlib import Path

CONFORMANCE = Path(__file__).parents[2] / "conformance"
