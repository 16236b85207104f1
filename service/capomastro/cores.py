"""What can run at once: whether threads can be started, and how many cores this process may use.

Those are the cores it may run on, or fewer if its control groups limit its time.
"""

import os
import sys
from collections.abc import Iterable, Iterator
from math import ceil
from pathlib import Path

GROUPS = Path("/proc/self/cgroup")
"""The control groups of this process (cgroups(7)): `0::/path` of version 2, `4:cpu,cpuacct:/path` of version 1."""
MOUNT = Path("/sys/fs/cgroup")


HAS_THREADS = sys.platform != "emscripten"
"""Whether threads can be started. In a browser they cannot, and there are no other requests to make room for."""


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
            yield from quotas_in(around(mount, path), "cpu.max")
        elif "cpu" in controllers.split(","):
            for hierarchy in (mount / controllers, mount / "cpu"):
                yield from quotas_in(around(hierarchy, path), "cpu.cfs_quota_us", "cpu.cfs_period_us")


def quotas_in(folders: Iterable[Path], *files: str) -> Iterator[float]:
    """The quotas by period of groups, in one file or in two; without a limit a quota is "max" or -1."""
    for folder in folders:
        numbers = " ".join(text_of(folder / file) for file in files).split()
        if len(numbers) == 2 and all(map(str.isdecimal, numbers)):
            yield int(numbers[0]) / int(numbers[1])


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
