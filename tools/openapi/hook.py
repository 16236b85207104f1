"""Builds the specification and the documentation when a wheel is built: a hook of Hatchling."""

import subprocess
import sys
from os import environ, pathsep
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class SpecificationHook(BuildHookInterface[Any]):
    """Adds what is built to the wheel. In a checkout that is installed in place, `make` builds it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        top = Path(self.root)
        paths = [str(top), str(top / "service"), *filter(None, [environ.get("PYTHONPATH")])]
        environment = {**environ, "PYTHONPATH": pathsep.join(paths)}
        for name, arguments in (("openapi", ["--build"]), ("documentation", [])):
            command = [sys.executable, "-m", f"tools.{name}", *arguments]
            subprocess.run(command, cwd=top, env=environment, check=True)
            build_data["force_include"][str(top / "build" / name)] = f"capomastro/_data/{name}"
