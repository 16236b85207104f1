"""The wheel, installed as the image installs it, with nothing but what is locked, serves everything; and its SBOM.

That takes a minute: `make campaign NAME=wheel`.
"""

import json
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urljoin
from urllib.request import Request, urlopen

import pytest

from capomastro.games import all_games
from tests.support.checkouts import builds_a_wheel
from tests.support.serving import clean_environment, served
from tests.support.yaml_reading import read_yaml

CHECKOUT = Path(__file__).resolve().parents[1]
INSTALLER = "tools/install-wheel.sh"


def ask(address: str, body: object = None) -> bytes:
    """The body of an answer with status 200."""
    request = Request(
        address, None if body is None else json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urlopen(request, timeout=30) as response:
        content: bytes = response.read()
    return content


def test_the_image_runs_nothing_but_the_installer() -> None:
    dockerfile = (CHECKOUT / "Dockerfile").read_text("utf-8")
    assert re.findall(r"^\s*RUN\s+(.*)$", dockerfile, re.MULTILINE) == [f"sh {INSTALLER} /opt/capomastro"]
    assert re.findall(r"^CMD (.*)$", dockerfile, re.MULTILINE) == ['["capomastro", "serve", "--host", "0.0.0.0"]']
    assert re.search(r"^USER 10001", dockerfile, re.MULTILINE)


def test_an_installed_version_is_not_installed_over(tmp_path: Path) -> None:
    """pip would keep the package that is there, since its version is the same, and say nothing."""
    (tmp_path / "pyvenv.cfg").touch()
    command = ["sh", str(CHECKOUT / INSTALLER), str(tmp_path)]
    done = subprocess.run(command, env=clean_environment(PYTHON="false"), check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (2, f"{tmp_path} is not empty: remove it, or choose another directory\n")
    assert list(tmp_path.iterdir()) == [tmp_path / "pyvenv.cfg"]


EMPTY_PYTHON = """#!/bin/sh
for directory; do :; done
mkdir -p "$directory/bin" && echo '#!/bin/sh' > "$directory/bin/python" && chmod +x "$directory/bin/python"
[ -z "${FAILING:-}" ] || [ "$3" != --without-pip ]
"""
"""Makes environments in which nothing can be installed; if FAILING, only a part of what is not for building."""


def install_nothing(directory: Path, **variables: str) -> int:
    """Installs into a folder "product" with such a Python, as a user whose files are for nobody else."""
    python = directory / "python"
    python.write_text(EMPTY_PYTHON, "utf-8")
    python.chmod(0o755)
    command = ["sh", str(CHECKOUT / INSTALLER), str(directory / "product")]
    environment = clean_environment(PYTHON=str(python), **variables)
    return subprocess.run(command, env=environment, umask=0o077, check=False, capture_output=True).returncode


def test_an_installation_that_fails_can_be_repeated(tmp_path: Path) -> None:
    assert install_nothing(tmp_path, FAILING="yes") == 1
    assert not (tmp_path / "product").exists()


def test_what_root_installs_other_users_can_run(tmp_path: Path) -> None:
    """The service is another user, even where root's files are for nobody else."""
    assert install_nothing(tmp_path) == 0
    assert (tmp_path / "product" / "bin").stat().st_mode & 0o777 == 0o755


class Product(NamedTuple):
    """An installed wheel: where it is, its interpreter, its command line, and the environment to run them in."""

    directory: Path
    python: str
    program: str
    variables: dict[str, str]


@pytest.fixture
def product(tmp_path: Path) -> Product:
    directory = tmp_path / "environment"
    variables = clean_environment(PYTHONPATH="")
    subprocess.run(["sh", str(CHECKOUT / INSTALLER), str(directory)], cwd=tmp_path, env=variables, check=True)
    return Product(directory, str(directory / "bin" / "python"), str(directory / "bin" / "capomastro"), variables)


@builds_a_wheel
def test_the_wheel_serves_everything_away_from_the_checkout(
    product: Product, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()

    def run(*command: str) -> str:
        done = subprocess.run(command, cwd=empty, env=product.variables, check=True, capture_output=True)
        return done.stdout.decode()

    package = run(product.python, "-c", "import capomastro; print(capomastro.__file__)")
    assert package.startswith(str(product.directory))

    embedded = "import capomastro; print(capomastro.set_up('palazzo', 2, seed=7).heading)"
    assert run(product.python, "-c", embedded).startswith("Palazzo, 2 players, ply 13; ")
    assert (Path(package.strip()).parent / "py.typed").is_file()

    games = [game["id"] for game in json.loads(run(product.program, "games", "--json"))["games"]]
    assert games == list(all_games())

    (empty / "season").mkdir()
    run(product.program, "play", games[0], "--players", "2", "--seed", "7", "--record", "season/game.json")
    archive = [product.program, "replay", "season", "--verdicts", "verdicts", "--json"]
    assert json.loads(run(*archive, "--jobs", "2"))["games"] == [{"game": games[0], "verdicts": {"legal": 1}}]
    without_dask = [*archive, "--cluster", "local"]
    refused = subprocess.run(without_dask, cwd=empty, env=product.variables, check=False, capture_output=True)
    assert refused.returncode == 2
    assert "install `capomastro[cluster]`" in json.loads(refused.stdout)["detail"]

    with served([product.program], empty, PYTHONPATH=product.variables["PYTHONPATH"]) as (address, _):
        assert json.loads(ask(f"{address}/healthz")) == {"status": "alive"}
        assert json.loads(ask(f"{address}/readyz"))["games"] == games
        for game in games:
            players = json.loads(ask(f"{address}/v1/games/{game}"))["players"][0]
            setup = json.loads(ask(f"{address}/v1/games/{game}/setups", {"players": players, "seed": "7"}))
            moves = json.loads(ask(f"{address}/v1/games/{game}/legal-moves", {"state": setup["state"]}))
            assert moves["total"] > 0
            rules = json.loads(ask(f"{address}/v1/games/{game}/rules"))["rules"]
            assert all(rule["wording"] for rule in rules)
            for document in ("state", "move"):
                schema = json.loads(ask(f"{address}/v1/games/{game}/schemas/{document}"))
                assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
        specification = json.loads(ask(f"{address}/openapi.json"))
        assert specification["openapi"].startswith("3.1")
        contract = read_yaml(ask(f"{address}/openapi.yaml"))
        assert contract["info"] == specification["info"]
        for game in games:
            assert json.loads(ask(f"{address}/v1/games/{game}/openapi.json"))["paths"]
        page = ask(f"{address}/docs/" if b"html" not in ask(f"{address}/docs") else f"{address}/docs").decode()
        scripts = re.findall(r'(?:src|href)="([^"]+\.(?:js|css))"', page)
        assert scripts
        for script in scripts:
            assert "//" not in script, "nothing comes from another host"
            assert ask(urljoin(f"{address}/docs/", script))

    with subtests.test("sbom"):
        check_sbom(product.directory, tmp_path / "sbom.json")


LOCKED = re.compile(r"^([\w.-]+)==([^ ;\\]+)", re.MULTILINE)
NOT_LOCKED = {"capomastro"}
"""The package itself: the environment has nothing else, not even pip."""


def check_sbom(environment: Path, file: Path) -> None:
    """`make sbom` describes what is installed, with its versions, licences and dependencies."""
    if shutil.which("make") is None or not (CHECKOUT / ".venv").is_dir():
        pytest.skip("no make, or no .venv: the SBOM is not tested")
    if subprocess.run(["make", ".venv/.sbom"], cwd=CHECKOUT, capture_output=True, check=False).returncode:
        pytest.skip("what makes the SBOM cannot be installed: the SBOM is not tested")
    subprocess.run(["make", "sbom", f"PRODUCT={environment}", f"SBOM={file}"], cwd=CHECKOUT, check=True)
    sbom = json.loads(file.read_text("utf-8"))
    assert (sbom["bomFormat"], sbom["metadata"]["component"]["name"]) == ("CycloneDX", "capomastro")
    listed = {re.sub(r"[-_.]+", "-", one["name"].lower()): one for one in sbom["components"]}  # as locks name them
    versions = {name: one["version"] for name, one in listed.items() if name not in NOT_LOCKED}
    locked = dict(LOCKED.findall((CHECKOUT / "locks" / "runtime.txt").read_text("utf-8")))
    assert versions.items() <= locked.items()
    required = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    assert {re.split(r"[^\w.-]", one)[0].replace(".", "-") for one in required} <= versions.keys()
    assert [name for name in versions if not listed[name].get("licenses")] == []
    assert any(one["dependsOn"] for one in sbom["dependencies"] if one["ref"].lower().startswith("flask=="))
