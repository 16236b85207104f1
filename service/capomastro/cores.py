"""How many cores this process may use: those it may run on, or fewer if its control groups limit its time."""

import os
from collections.abc import Iterator
from math import ceil
from pathlib import Path

GROUPS = Path("/proc/self/cgroup")
"""The control groups of this process (cgroups(7)): `0::/path` of version 2, `4:cpu,cpuacct:/path` of version 1."""
MOUNT = Path("/sys/fs/cgroup")


def cores() -> int:
    """The number of cores that this process may use, at least 1; a share of one counts as one."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min([allowed, *(max(1, ceil(quota)) for quota in quotas(GROUPS, MOUNT))])


def quotas(groups: Path, mount: Path) -> Iterator[float]:
    """The cores that each control group around this process allows it, such as 1.5; nothing for those that do not."""
    for line in text_of(groups).split("\n"):
        if line.count(":") < 2:
            continue
        _, controllers, path = line.split(":", 2)
        if not controllers:
            yield from quotas_of_version_2(mount, path)
        elif "cpu" in controllers.split(","):
            yield from quotas_of_version_1(mount / controllers, path)
            yield from quotas_of_version_1(mount / "cpu", path)


def quotas_of_version_2(mount: Path, path: str) -> Iterator[float]:
    for folder in around(mount, path):
        quota, _, period = text_of(folder / "cpu.max").strip().partition(" ")
        if quota.isdecimal() and period.isdecimal():
            yield int(quota) / int(period)


def quotas_of_version_1(mount: Path, path: str) -> Iterator[float]:
    for folder in around(mount, path):
        quota, period = (text_of(folder / f"cpu.cfs_{name}_us").strip() for name in ("quota", "period"))
        if quota.isdecimal() and period.isdecimal():  # without a limit the quota is -1
            yield int(quota) / int(period)


def around(mount: Path, path: str) -> Iterator[Path]:
    """The folder of a group and those around it; in a container the path may be that of the host, and not exist."""
    inner = Path(path.lstrip("/"))
    yield mount / inner
    yield from (mount / outer for outer in inner.parents if outer != inner)


def text_of(file: Path) -> str:
    """The content of a file of the system; empty if there is none."""
    try:
        return file.read_text("ascii", "replace")
    except OSError:
        return ""
