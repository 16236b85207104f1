"""The Dockerfile copies everything that it needs, whatever it is built with."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

import capomastro
from tests.support.serving import clean_environment, free_port, warmly_served

CHECKOUT = Path(__file__).resolve().parents[2]
DOCKERFILE = (CHECKOUT / "Dockerfile").read_text("utf-8")
INSTALLER = (CHECKOUT / "tools" / "install-wheel.sh").read_text("utf-8")
PROJECT: dict[str, Any] = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))
LOCKS = ["runtime", "cluster", "archive", "agents"]
"""The values of LOCK: the lock without extras, and one for each extra."""


def is_let_in(path: str) -> bool:
    """Whether .dockerignore lets a file into the build: the last line that matches it or a folder above it decides."""
    let_in = True
    for line in (CHECKOUT / ".dockerignore").read_text("utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        pattern = line.removeprefix("!").removeprefix("**/")
        parts = Path(path).parts
        candidates = {"/".join(parts[: length + 1]) for length in range(len(parts))}
        if "**/" in line:
            candidates |= set(parts)
        if any(fnmatch(candidate, pattern) and ("*" in pattern or candidate == pattern) for candidate in candidates):
            let_in = line.startswith("!")
    return let_in


def test_every_extra_has_a_lock_that_the_image_can_be_built_with() -> None:
    """Learning environments are for programs in Python, not for an image of the service."""
    assert set(PROJECT["project"]["optional-dependencies"]) - {"learning"} | {"runtime"} == set(LOCKS)
    assert re.findall(r"^ARG LOCK=(\w+)$", DOCKERFILE, re.MULTILINE) == ["runtime"]


@pytest.mark.parametrize("lock", LOCKS)
def test_every_file_that_the_installer_needs_is_in_the_build_context(lock: str) -> None:
    named = {name.replace("${LOCK:-runtime}", lock) for name in re.findall(r'\$checkout/([^\s"]+)', INSTALLER)}
    assert f"locks/{lock}.txt" in named
    for name in {*named, "tools/install-wheel.sh"}:
        assert (CHECKOUT / name).is_file(), name
        assert is_let_in(name), name


def test_every_file_of_the_wheel_is_in_the_build_context() -> None:
    wheel = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
    sources = [*wheel["packages"], *wheel["force-include"], PROJECT["project"]["readme"], "pyproject.toml"]
    for name in [*sources, *PROJECT["project"]["license-files"]]:
        found = [CHECKOUT / name] if (CHECKOUT / name).is_file() else list((CHECKOUT / name).rglob("*.*"))
        assert found, name
        for file in found:
            path = file.relative_to(CHECKOUT).as_posix()
            assert is_let_in(path) or "__pycache__" in path, path


def test_every_picture_of_the_documentation_is_in_the_build_context() -> None:
    """The wheel shows the guides with their pictures, some of which are those that the tests keep."""
    guides = (CHECKOUT / "docs").glob("*.md")
    shown = {source for guide in guides for source in re.findall(r"!\[[^]]*\]\(([^)]+)\)", guide.read_text("utf-8"))}
    assert shown
    for source in shown:
        path = (CHECKOUT / "docs" / source).resolve().relative_to(CHECKOUT).as_posix()
        assert is_let_in(path), path


@pytest.mark.parametrize(
    "path", [".git/config", ".venv/bin/python", "tests/test_layers.py", "locks/bench.txt", "deploy/x"]
)
def test_the_build_context_has_no_other_files(path: str) -> None:
    assert not is_let_in(path)


def test_both_stages_have_the_base_that_is_given() -> None:
    bases = re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE)
    assert bases == ["${BASE}", "${BASE}"]
    (default,) = re.findall(r"^ARG BASE=(\S+)$", DOCKERFILE, re.MULTILINE)
    assert re.fullmatch(r"python:3\.\d+\.\d+-slim-\w+", default), "a release, or two builds of one day differ"


def test_the_labels_of_the_image() -> None:
    labels = dict(re.findall(r'org\.opencontainers\.image\.([\w.]+)="([^"]*)"', DOCKERFILE))
    assert labels["title"] == PROJECT["project"]["name"]
    assert labels["version"] == capomastro.__version__
    assert labels["licenses"] == PROJECT["project"]["license"]
    assert {"description", "revision", "created", "base.name"} < set(labels)


def test_the_health_check_asks_the_service_itself(tmp_path: Path) -> None:
    """And not the proxy that Docker can name in every container."""
    (check,) = re.findall(r"^HEALTHCHECK .*\n\s+CMD (.*)$", DOCKERFILE, re.MULTILINE)
    command = [sys.executable, *json.loads(check)[1:]]

    def is_healthy(port: int) -> bool:
        variables = clean_environment(PORT=str(port), http_proxy=f"http://127.0.0.1:{free_port()}", no_proxy="")
        return subprocess.run(command, env=variables, check=False, capture_output=True, timeout=60).returncode == 0

    with warmly_served(tmp_path) as (address, _):
        assert is_healthy(urlsplit(address).port or 0)
    assert not is_healthy(free_port())


@pytest.mark.skipif(shutil.which("docker") is None, reason="docker is not installed here")
def test_docker_understands_it() -> None:
    if subprocess.run(["docker", "buildx", "version"], capture_output=True, check=False).returncode:
        pytest.skip("docker has no buildx here")
    if subprocess.run(["docker", "info"], capture_output=True, check=False).returncode:
        pytest.skip("no docker daemon runs here")
    done = subprocess.run(
        ["docker", "buildx", "build", "--check", "."], cwd=CHECKOUT, capture_output=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()
