"""Releases, made in a copy of the checkout, and the hosted workflow."""

import os
import re
import shutil
import subprocess
import sys
from json import loads
from pathlib import Path
from zipfile import ZipFile

import pytest
import yaml
from tools.contract.release import announcements
from tools.release import VERSIONED, CannotReleaseError, with_release, with_version, with_version_in

import capomastro
from tests.support.checkouts import CHECKOUT, builds_a_wheel, copy_of_checkout, git

PACKAGE = "service/capomastro/__init__.py"
CHANGES = "# Changelog\n\n## Unreleased\n\n- New.\n\n## 0.9.0 (2026-01-02)\n\n- Old.\n"


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("git") is None:
        pytest.skip("git is not here")
    return copy_of_checkout(tmp_path_factory.mktemp("release"), committed=True)


def release(copy: Path, version: str, check: str = "true") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "tools/release.py", version, "--check", check]
    return subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)


@builds_a_wheel
def test_a_release_is_a_commit_a_tag_and_a_build(copy: Path) -> None:
    before = git(copy, "rev-parse", "HEAD")
    seen = "grep -q '^  version: 7.8.9$' openapi.yaml"  # all is written when the check runs
    done = release(copy, "7.8.9", seen)
    assert done.returncode == 0, done.stderr
    assert git(copy, "rev-parse", "HEAD~1") == before
    assert git(copy, "diff", "--name-only", "HEAD~1").splitlines() == [
        "CHANGELOG.md",
        "Dockerfile",
        "clients/typescript/package-lock.json",
        "clients/typescript/package.json",
        "deploy/kubernetes/kustomization.yaml",
        "openapi.yaml",
        PACKAGE,
        *(["tools/contract/announced.toml"] if announcements() else []),
        "tools/contract/released.json",
    ]
    assert git(copy, "rev-parse", "v7.8.9^{commit}") == git(copy, "rev-parse", "HEAD")
    assert git(copy, "cat-file", "-t", "v7.8.9") == "tag"
    assert git(copy, "status", "--porcelain") == ""
    assert re.search(
        r"^## Unreleased\n\n## 7\.8\.9 \(\d{4}-\d\d-\d\d\)\n\n\S", git(copy, "show", "HEAD:CHANGELOG.md"), re.MULTILINE
    )
    assert sorted(path.name for path in (copy / "dist").iterdir()) == [
        "capomastro-7.8.9-py3-none-any.whl",
        "capomastro-7.8.9.tar.gz",
    ]
    with ZipFile(copy / "dist" / "capomastro-7.8.9-py3-none-any.whl") as wheel:
        assert b'__version__ = "7.8.9"' in wheel.read("capomastro/__init__.py")
        assert b"version: 7.8.9" in wheel.read("capomastro/_data/openapi/openapi.yaml")
        assert loads(wheel.read("capomastro/_data/openapi/openapi.json"))["info"]["version"] == "7.8.9"

    again = release(copy, "7.8.9")
    assert again.returncode == 1
    assert "the tag v7.8.9 exists" in again.stderr


@pytest.mark.parametrize(
    ("version", "check", "reason"),
    [
        ("7.9", "true", "is not a version"),
        ("0.0.1", "true", "is lower than"),
        ("8.0.0", "false", "false failed"),
    ],
)
def test_a_refused_release_changes_nothing(copy: Path, version: str, check: str, reason: str) -> None:
    before = git(copy, "rev-parse", "HEAD"), git(copy, "tag")
    (copy / "CHANGELOG.md").write_text(CHANGES.replace("0.9.0", "0.0.0"), "utf-8")
    git(copy, "commit", "--all", "--quiet", "--message", "Something new")
    try:
        done = release(copy, version, check)
        assert done.returncode == 1
        assert reason in done.stderr
        assert git(copy, "status", "--porcelain") == ""
    finally:
        git(copy, "reset", "--quiet", "--hard", before[0])
    assert (git(copy, "rev-parse", "HEAD"), git(copy, "tag")) == before


def test_a_changed_tree_is_not_released(copy: Path) -> None:
    (copy / "new.txt").write_text("new", "utf-8")
    try:
        assert "changes that are not committed" in release(copy, "9.0.0").stderr
    finally:
        (copy / "new.txt").unlink()


def test_nothing_is_released_beside_all_branches(copy: Path) -> None:
    """The commit would be on none, and could not be pushed."""
    before = git(copy, "rev-parse", "HEAD")
    git(copy, "checkout", "--quiet", "--detach")
    try:
        assert "no branch is checked out" in release(copy, "9.0.0").stderr
        assert git(copy, "rev-parse", "HEAD") == before
    finally:
        git(copy, "checkout", "--quiet", "main")


def test_unreleased_changes_get_a_date_and_a_higher_version() -> None:
    dated = with_release(CHANGES, "0.10.0", "2026-03-04")
    assert dated == CHANGES.replace("## Unreleased\n", "## Unreleased\n\n## 0.10.0 (2026-03-04)\n")
    for changelog, version in ((CHANGES, "0.9.0"), (CHANGES, "0.8.9"), (CHANGES.replace("- New.\n", ""), "1.0.0")):
        with pytest.raises(CannotReleaseError):
            with_release(changelog, version, "2026-03-04")


def test_only_the_package_has_the_version() -> None:
    package = (CHECKOUT / PACKAGE).read_text("utf-8")
    assert with_version(package, capomastro.__version__) == package
    project = (CHECKOUT / "pyproject.toml").read_text("utf-8")
    assert 'dynamic = ["version"]' in project
    assert capomastro.__version__ not in re.findall(r'^version = "(.*)"', project, re.MULTILINE)
    for file, place in VERSIONED.items():
        found = place.findall(file.read_text("utf-8"))
        assert found
        assert {version for _, version, _ in found} == {capomastro.__version__}


@pytest.mark.parametrize("name", ["Dockerfile", "deploy/kubernetes/kustomization.yaml"])
def test_a_release_writes_its_version_where_the_image_is_named(name: str) -> None:
    file = CHECKOUT / name
    assert "7.8.9" in with_version_in(file, "7.8.9")
    assert capomastro.__version__ not in with_version_in(file, "7.8.9")


def test_make_release_includes_the_sbom() -> None:
    makefile = (CHECKOUT / "Makefile").read_text("utf-8")
    (recipe,) = re.findall(r"^release:.*\n((?:\t.*\n)+)", makefile, re.MULTILINE)
    assert "tools/release.py $(VERSION)" in recipe
    assert "sbom" in recipe


def test_nobody_has_to_know_more_than_twenty_targets() -> None:
    targets = re.findall(r"^([a-z-]+):.*## ", (CHECKOUT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert "test" in targets
    assert len(targets) <= 20


def test_every_campaign_is_described() -> None:
    (names,) = re.findall(r"^CAMPAIGNS := (.*)$", (CHECKOUT / "Makefile").read_text("utf-8"), re.MULTILINE)
    table = (CHECKOUT / "CONTRIBUTING.md").read_text("utf-8").partition("### Campaigns")[2].partition("\n## ")[0]
    assert sorted(re.findall(r"^\| `([a-z-]+)` \|", table, re.MULTILINE)) == sorted(names.split())


def test_make_clean_removes_whatever_git_ignores_but_keys(copy: Path) -> None:
    keys = "deploy/compose/sealing-keys"
    ignored = re.findall(r"^/(.+)$", (copy / ".gitignore").read_text("utf-8"), re.MULTILINE)
    for name in (*ignored, "tools/skeleton/.ruff_cache/"):
        folder = copy / name if name.endswith("/") else (copy / name).parent
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "made" if name.endswith("/") else copy / name).touch()
    try:
        subprocess.run(["make", "clean"], cwd=copy, capture_output=True, check=True)
        assert git(copy, "status", "--porcelain", "--ignored") == f"!! {keys}"
    finally:
        git(copy, "clean", "--quiet", "--force", "-dx")


# --- what hosts run --------------------------------------------------------------------------------------------------


def test_the_workflow_runs_the_local_check_and_pinned_actions() -> None:
    text = (CHECKOUT / ".github" / "workflows" / "ci.yml").read_text("utf-8")
    (job,) = yaml.safe_load(text)["jobs"].values()
    assert [step["run"] for step in job["steps"] if "run" in step] == [".ci/run"]
    for step in job["steps"]:
        assert "run" in step or re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40}", step["uses"])
    (checkout,) = (step["with"] for step in job["steps"] if step.get("uses", "").startswith("actions/checkout@"))
    assert checkout["fetch-depth"] == 0, "the last commit alone has no history, whose subjects `make lint` reads"
    assert "3.11" in job["strategy"]["matrix"]["python"], "the oldest version that pyproject.toml supports"


@pytest.mark.parametrize(("failing", "code"), [("site", 1), (".venv/.site", 0)])
def test_the_check_fails_without_a_site_only_if_its_parts_are_here(tmp_path: Path, failing: str, code: int) -> None:
    succeeding = ("bin/npm", "bin/node", "bin/nginx", "bin/chromium", ".venv/bin/python")
    scripts = dict.fromkeys(succeeding, "exit 0")
    scripts["bin/make"] = f'[ "$1" != {failing} ] && [ "$1" != .venv/.pages ]'
    for name, script in scripts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n", "utf-8")
        (tmp_path / name).chmod(0o755)
    shutil.copytree(CHECKOUT / ".ci", tmp_path / ".ci")
    environment = {**os.environ, "PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run([tmp_path / ".ci" / "run"], env=environment, capture_output=True, text=True, check=False)
    assert bool(done.returncode) == code, done.stdout
    assert ("the site is not made" in done.stdout) == (not code)


def test_links_of_the_checklist_lead_somewhere() -> None:
    folder = CHECKOUT / ".github"
    for path, anchor in re.findall(r"\]\(([^)#]+)#([^)]+)\)", (folder / "pull_request_template.md").read_text("utf-8")):
        headings = re.findall(r"^#+ (.*)$", (folder / path).read_text("utf-8"), re.MULTILINE)
        assert anchor in {heading.lower().replace(" ", "-") for heading in headings}
