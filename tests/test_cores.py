"""The cores that a process may use: its affinity, and the quotas of its control groups."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from capomastro import cores

Machine = Callable[[str, Mapping[str, str]], int]


@pytest.fixture
def on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """The number of cores on a machine with eight, in these control groups, with these files below their mount."""

    def machine(groups: str, files: Mapping[str, str]) -> int:
        for name, content in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(content, "ascii")
        (tmp_path / "cgroup").write_text(groups, "ascii")
        monkeypatch.setattr(cores, "GROUPS", tmp_path / "cgroup")
        monkeypatch.setattr(cores, "MOUNT", tmp_path)
        monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)), raising=False)
        return cores.cores()

    return machine


@pytest.mark.parametrize(
    ("quota", "number"),
    [
        ("max 100000", 8),
        ("200000 100000", 2),
        ("150000 100000", 2),
        ("10000 100000", 1),
        ("1600000 100000", 8),
        ("", 8),
        ("nonsense", 8),
    ],
)
def test_a_quota_of_version_2_bounds_them(on: Machine, quota: str, number: int) -> None:
    assert (
        on("0::/system.slice/capomastro.service\n", {"system.slice/capomastro.service/cpu.max": f"{quota}\n"}) == number
    )


def test_a_quota_of_any_group_around_counts(on: Machine) -> None:
    files = {"a/cpu.max": "300000 100000\n", "a/b/cpu.max": "max 100000\n", "a/b/c/cpu.max": "500000 100000\n"}
    assert on("0::/a/b/c\n", files) == 3


@pytest.mark.parametrize("mount", ["cpu", "cpu,cpuacct"])
def test_a_quota_of_version_1_bounds_them(on: Machine, mount: str) -> None:
    files = {f"{mount}/pod/cpu.cfs_quota_us": "200000\n", f"{mount}/pod/cpu.cfs_period_us": "100000\n"}
    files |= {f"{mount}/cpu.cfs_quota_us": "-1\n", f"{mount}/cpu.cfs_period_us": "100000\n"}
    assert on(f"5:memory:/pod\n4:{mount}:/pod\n0::/\n", files) == 2


def test_in_a_container_the_path_may_be_that_of_the_host(on: Machine) -> None:
    files = {"cpu/cpu.cfs_quota_us": "400000\n", "cpu/cpu.cfs_period_us": "100000\n"}
    assert on("4:cpu,cpuacct:/docker/0123456789abcdef\n", files) == 4


def test_without_control_groups_the_affinity_counts(on: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    assert on("", {}) == 8
    monkeypatch.setattr(cores, "GROUPS", Path("/nowhere"))
    assert cores.cores() == 8
