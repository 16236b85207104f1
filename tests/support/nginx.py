"""Runs the nginx configuration of `deploy/` unchanged, except for ports and files."""

import os
import re
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.support.serving import PATIENCE, end, free_port, listens

FOLDER = Path(__file__).resolve().parents[2] / "deploy" / "nginx"
CONFIGURATION = FOLDER / "capomastro.conf"
INSTANCES = FOLDER / "instances.conf"
PROGRAM = shutil.which("nginx", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"]))
"""nginx, if it is installed here."""


def has_ipv6() -> bool:
    """Whether this machine has a loopback address of IPv6."""
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True


HAS_IPV6 = has_ipv6()
MAIN = """
daemon off;
{user}
worker_processes 1;
pid {folder}/pid;
error_log {folder}/error.log info;
events {{ worker_connections 2048; }}
http {{
    access_log off;
    client_body_temp_path {folder}/bodies;
    proxy_temp_path {folder}/answers;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/capomastro.conf;
    include {folder}/instances.conf;
    include {folder}/another-site.conf;
}}
"""


class Proxy(NamedTuple):
    """A running nginx: its port, its process, and its log file."""

    port: int
    process: int
    log: Path

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"


def adapted(text: str, *changes: tuple[str, str]) -> str:
    """The configuration with some of its texts replaced.

    Raises:
        ValueError: if it lacks one of them.
    """
    for old, new in changes:
        if old not in text:
            raise ValueError(f"The configuration of nginx has no {old!r}.")
        text = text.replace(old, new)
    return text


def instances_on(ports: Sequence[int]) -> str:
    """The file of instances on those ports; each occurs as often as an instance does in the original."""
    text = INSTANCES.read_text("utf-8")
    entries = re.findall(r"^    server 127\.0\.0\.1:\d+ .*;\n", text, re.MULTILINE)
    times = len(entries) // len(set(entries))
    options = entries[0].split(maxsplit=2)[2]
    own = "".join(f"    server 127.0.0.1:{port} {options}" for _ in range(times) for port in ports)
    return adapted(text, ("".join(entries), own))


def site_on(port: int, log: Path, changes: Mapping[str, str]) -> str:
    """The file of the site, with its own port and log."""
    return adapted(
        CONFIGURATION.read_text("utf-8"),
        ("listen 80 default_server;", f"listen 127.0.0.1:{port} default_server;"),
        ("listen [::]:80 default_server;", f"listen [::1]:{port} default_server;" if HAS_IPV6 else ""),
        ("/var/log/nginx/access.log", str(log)),
        *changes.items(),
    )


@contextmanager
def proxied(
    instances: Sequence[int], changes: Mapping[str, str] | None = None, another_site: str = ""
) -> Iterator[Proxy]:
    """nginx in front of instances on those ports, with another site beside them; afterwards its process is ended."""
    assert PROGRAM is not None
    port = free_port()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        log = folder / "access.log"
        (folder / CONFIGURATION.name).write_text(site_on(port, log, changes or {}), "utf-8")
        (folder / INSTANCES.name).write_text(instances_on(instances), "utf-8")
        (folder / "another-site.conf").write_text(another_site, "utf-8")
        user = "user root;" if os.geteuid() == 0 else ""
        (folder / "nginx.conf").write_text(MAIN.format(user=user, folder=folder), "utf-8")
        command = [PROGRAM, "-p", name, "-e", str(folder / "error.log"), "-c", str(folder / "nginx.conf")]
        checked = subprocess.run([*command, "-t", "-q"], capture_output=True, check=False, timeout=PATIENCE)
        if checked.returncode:
            raise RuntimeError(f"nginx refuses its configuration:\n{checked.stderr.decode(errors='replace')}")
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
        try:
            deadline = time.monotonic() + PATIENCE
            while not listens(port):
                if process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError("nginx does not answer:\n" + (folder / "error.log").read_text("utf-8"))
                time.sleep(0.05)
            yield Proxy(port, process.pid, log)
        finally:
            end(process)
