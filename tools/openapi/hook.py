"""Builds the specification when the package is built or installed: a hook of Hatchling."""

import subprocess
import sys
from os import environ, pathsep
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class SpecificationHook(BuildHookInterface[Any]):
    """Adds the built specification to a wheel; for an installed checkout it only has to be there."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        top = Path(self.root)
        paths = [str(top), str(top / "service"), *filter(None, [environ.get("PYTHONPATH")])]
        command = [sys.executable, "-m", "tools.openapi", "--build-if-stale" if version == "editable" else "--build"]
        subprocess.run(command, cwd=top, env={**environ, "PYTHONPATH": pathsep.join(paths)}, check=True)
        if version != "editable":
            build_data["force_include"][str(top / "build" / "openapi")] = "capomastro/_data/openapi"
