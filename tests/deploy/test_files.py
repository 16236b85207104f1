"""The files in `deploy/` are well formed and match the service."""

import json
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from capomastro.api import problems
from capomastro.api.resources import RESOURCES
from capomastro.api.server.metrics_server import PATH as METRICS_PATH
from capomastro.settings import Settings
from tests.support.metric_names import metric_names
from tests.support.serving import settings_in

CHECKOUT = Path(__file__).resolve().parents[2]
DEPLOY = CHECKOUT / "deploy"
UNIT = DEPLOY / "systemd" / "capomastro@.service"
SETTINGS = Settings.from_environment(settings_in(DEPLOY / "settings" / "capomastro.env"))
STOPPING = SETTINGS.grace + SETTINGS.graceful_timeout
"""Seconds the service takes to stop at most."""
PATHS = {one.path for one in RESOURCES}


def values_in(document: Any, name: str) -> Iterator[Any]:
    """Every value of members of that name, however deep."""
    if isinstance(document, dict):
        for member, value in document.items():
            if member == name:
                yield value
            yield from values_in(value, name)
    elif isinstance(document, list):
        for item in document:
            yield from values_in(item, name)


# --- systemd ---------------------------------------------------------------------------------------------------------


def unit_settings() -> dict[str, list[str]]:
    """The lines of the unit by name; a name can occur more than once."""
    found: dict[str, list[str]] = {}
    for line in UNIT.read_text("utf-8").splitlines():
        if "=" in line and not line.startswith("#"):
            name, value = line.split("=", 1)
            found.setdefault(name, []).append(value)
    return found


systemd = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed here")


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """The unit for one port, with an existing program."""
    program = tmp_path / "capomastro"
    program.write_text(f"#!{sys.executable}\n", "utf-8")
    program.chmod(program.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
    text = UNIT.read_text("utf-8")
    assert "/opt/capomastro/bin/capomastro" in text
    file = tmp_path / "capomastro@8001.service"
    file.write_text(text.replace("/opt/capomastro/bin/capomastro", str(program)), "utf-8")
    return file


@systemd
def test_systemd_understands_the_unit(unit: Path) -> None:
    done = subprocess.run(
        ["systemd-analyze", "verify", "--recursive-errors=no", str(unit)], capture_output=True, check=False, timeout=60
    )
    output = done.stdout.decode() + done.stderr.decode()
    assert done.returncode == 0, output
    assert unit.name not in output, output


@systemd
def test_systemd_finds_the_unit_hardened(unit: Path) -> None:
    """An exposure of at most 2.0 of 10 ("OK" is below 5)."""
    command = ["systemd-analyze", "security", "--offline=yes", "--threshold=20", "--no-pager", str(unit)]
    done = subprocess.run(command, capture_output=True, check=False, timeout=60)
    assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()


def test_the_unit_waits_until_the_service_has_stopped() -> None:
    (seconds,) = unit_settings()["TimeoutStopSec"]
    assert int(seconds) > STOPPING
    assert unit_settings()["KillMode"] == ["mixed"], "SIGTERM is for the first process alone"


# --- the keys of sealed tables ---------------------------------------------------------------------------------------


def test_all_instances_of_a_unit_have_the_same_keys_as_a_credential() -> None:
    """In a file of root, because the environment of a unit is visible to others."""
    assert unit_settings()["LoadCredential"] == ["sealing-keys:/etc/capomastro.sealing-keys"]
    assert "CAPOMASTRO_SEALING_KEYS_FILE=%d/sealing-keys" in unit_settings()["Environment"]
    assert "/etc/capomastro.sealing-keys" in (CHECKOUT / "docs" / "operating.md").read_text("utf-8")


def test_all_instances_of_compose_have_the_same_keys_as_a_secret() -> None:
    document = yaml.safe_load((DEPLOY / "compose" / "compose.yaml").read_text("utf-8"))
    assert document["secrets"] == {"sealing-keys": {"file": "sealing-keys"}}
    ignored = (CHECKOUT / ".gitignore").read_text("utf-8").splitlines()
    assert "/deploy/compose/sealing-keys" in ignored, "or somebody commits their key"
    for name, service in document["services"].items():
        if name != "nginx":
            assert service["secrets"] == ["sealing-keys"]
            assert service["environment"]["CAPOMASTRO_SEALING_KEYS_FILE"] == "/run/secrets/sealing-keys"


def test_all_pods_have_the_same_keys_as_a_secret() -> None:
    pod = named("Deployment", "capomastro")["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    (mounted,) = (one for one in container["volumeMounts"] if one["name"] == "sealing-keys")
    (volume,) = (one for one in pod["volumes"] if one["name"] == "sealing-keys")
    (file,) = (one["value"] for one in container["env"] if one["name"] == "CAPOMASTRO_SEALING_KEYS_FILE")
    assert file == f"{mounted['mountPath']}/sealing-keys"
    assert mounted["readOnly"]
    assert volume["secret"] == {"secretName": "capomastro-sealing-keys", "defaultMode": 0o440}
    made = (KUBERNETES / "kustomization.yaml").read_text("utf-8")
    assert "create secret generic capomastro-sealing-keys" in made
    assert "--from-file=sealing-keys=" in made
    assert not [one for one in manifests() if one["kind"] == "Secret"], "a key is in no file here"


# --- compose ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def services() -> dict[str, Any]:
    document = yaml.safe_load((DEPLOY / "compose" / "compose.yaml").read_text("utf-8"))
    found: dict[str, Any] = document["services"]
    return found


def test_compose_runs_the_instances_that_nginx_knows(services: dict[str, Any]) -> None:
    instances = (DEPLOY / "nginx" / "instances.conf").read_text("utf-8")
    known = set(re.findall(r"server 127\.0\.0\.1:(\d+)", instances))
    run = {service["environment"]["PORT"] for name, service in services.items() if name != "nginx"}
    assert run == known
    for name, service in services.items():
        assert service["network_mode"] == "host"
        if name != "nginx":
            assert service["command"][-2:] == ["--host", "127.0.0.1"], "nobody reaches an instance but nginx"
            assert int(service["stop_grace_period"].removesuffix("s")) > STOPPING


def test_every_file_named_in_compose_exists(services: dict[str, Any]) -> None:
    folder = DEPLOY / "compose"
    mounted = [volume.split(":")[0] for volume in services["nginx"]["volumes"]]
    files = [file for service in services.values() for file in service.get("env_file", [])]
    for name in [*mounted, *files, services["instance-1"]["build"]]:
        assert (folder / name).exists(), name


@pytest.mark.skipif(shutil.which("docker") is None, reason="docker is not installed here")
def test_docker_understands_compose() -> None:
    command = ["docker", "compose", "-f", str(DEPLOY / "compose" / "compose.yaml"), "config", "--quiet"]
    if subprocess.run(["docker", "compose", "version"], capture_output=True, check=False).returncode:
        pytest.skip("docker has no compose here")
    done = subprocess.run(command, capture_output=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr.decode()


# --- Kubernetes ------------------------------------------------------------------------------------------------------

KUBERNETES = DEPLOY / "kubernetes"


def manifests() -> list[dict[str, Any]]:
    """Every object in the files."""
    files = sorted(file for file in KUBERNETES.glob("*.yaml") if file.name != "kustomization.yaml")
    return [document for file in files for document in yaml.safe_load_all(file.read_text("utf-8"))]


def named(kind: str, name: str) -> dict[str, Any]:
    (found,) = (one for one in manifests() if (one["kind"], one["metadata"]["name"]) == (kind, name))
    return found


def test_every_file_is_listed() -> None:
    kustomization = yaml.safe_load((KUBERNETES / "kustomization.yaml").read_text("utf-8"))
    here = {file.name for file in KUBERNETES.glob("*.yaml")} - {"kustomization.yaml"}
    assert here | {"../settings", "../nginx"} == set(kustomization["resources"])


@pytest.mark.skipif(shutil.which("kubectl") is None, reason="kubectl is not installed here")
def test_kustomize_builds_it() -> None:
    done = subprocess.run(["kubectl", "kustomize", str(KUBERNETES)], capture_output=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr.decode()
    built = [one for one in yaml.safe_load_all(done.stdout) if one]
    kinds = [one["kind"] for one in built]
    assert {"Deployment", "Service", "HorizontalPodAutoscaler", "PodDisruptionBudget", "NetworkPolicy"} < set(kinds)
    maps = {one["metadata"]["name"]: one["data"] for one in built if one["kind"] == "ConfigMap"}
    assert len(maps) == 3
    referred = [*values_in(built, "configMapRef"), *values_in(built, "configMap")]
    assert {one["name"] for one in referred} == set(maps), "names with their hashes, each in use"


def test_probes_use_existing_resources() -> None:
    container = named("Deployment", "capomastro")["spec"]["template"]["spec"]["containers"][0]
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
        probed = container[probe]["httpGet"]
        assert probed["path"] in PATHS
        assert ports[probed["port"]] == SETTINGS.port
    environment = {variable["name"]: variable["value"] for variable in container["env"]}
    assert ports["metrics"] == int(environment["CAPOMASTRO_METRICS_PORT"])
    assert int(container["resources"]["limits"]["cpu"]) == SETTINGS.workers
    annotations = named("Deployment", "capomastro")["spec"]["template"]["metadata"]["annotations"]
    assert annotations["prometheus.io/port"] == environment["CAPOMASTRO_METRICS_PORT"]
    assert annotations["prometheus.io/path"] == METRICS_PATH
    service = named("Service", "capomastro")["spec"]["ports"][0]
    instances = (KUBERNETES / "instances.conf").read_text("utf-8")
    assert set(re.findall(r"server (\S+) ", instances)) == {f"capomastro:{service['port']}"}


def test_pods_have_time_to_stop() -> None:
    pod = named("Deployment", "capomastro")["spec"]["template"]["spec"]
    waiting = int(pod["containers"][0]["lifecycle"]["preStop"]["exec"]["command"][1])
    assert pod["terminationGracePeriodSeconds"] > waiting + STOPPING


def test_pods_have_no_unnecessary_privileges() -> None:
    for name in ("capomastro", "nginx"):
        pod = named("Deployment", name)["spec"]["template"]["spec"]
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["automountServiceAccountToken"] is False
        assert pod["enableServiceLinks"] is False
        for container in pod["containers"]:
            security = container["securityContext"]
            assert security["readOnlyRootFilesystem"] is True
            assert security["allowPrivilegeEscalation"] is False
            assert security["capabilities"] == {"drop": ["ALL"]}
            assert set(container["resources"]) == {"requests", "limits"}
    user = named("Deployment", "capomastro")["spec"]["template"]["spec"]["securityContext"]["runAsUser"]
    assert f"USER {user}:" in (CHECKOUT / "Dockerfile").read_text("utf-8")


def test_selectors_find_the_pods() -> None:
    for one in manifests():
        selector = one.get("spec", {}).get("selector")
        if selector is None:
            continue
        labels = selector.get("matchLabels", selector)
        pods = named("Deployment", labels["app.kubernetes.io/name"])["spec"]["template"]["metadata"]["labels"]
        assert labels.items() <= pods.items(), one["metadata"]


# --- memory and disk -------------------------------------------------------------------------------------------------

MIB = 2**20
MEMORY = (88 + SETTINGS.workers * (100 + SETTINGS.maximum_large * 120)) * MIB
"""What an instance needs at most: its first process and that of metrics, workers, and what they work on
(tests/api/test_memory.py)."""
FILES = SETTINGS.workers * (SETTINGS.maximum_gathered_bytes + SETTINGS.maximum_streams * SETTINGS.maximum_waiting_bytes)
"""What it keeps in temporary files at most."""
UNITS = {"m": MIB, "g": 2**30, "M": MIB, "G": 2**30, "Mi": MIB, "Gi": 2**30}


def size(text: str) -> int:
    """A size as in the files, in bytes."""
    number, unit = re.fullmatch(r"(\d+)([A-Za-z]+)", text).groups()  # type: ignore[union-attr]
    return int(number) * UNITS[unit]


def test_limits_of_an_instance_follow_from_its_settings(services: dict[str, Any]) -> None:
    (most,) = unit_settings()["MemoryMax"]
    assert size(most) >= MEMORY, "its files are on disk"
    assert unit_settings()["OOMPolicy"] == ["continue"], "one killed worker does not stop the instance"
    for name, service in services.items():
        in_memory = [size(re.search(r"size=(\w+)", each)[1]) for each in service["tmpfs"]]  # type: ignore[index]
        if name != "nginx":
            assert in_memory == [FILES]
            assert size(service["mem_limit"]) >= MEMORY + FILES, "these are in memory"
        else:
            assert size(service["mem_limit"]) >= sum(in_memory) + 63 * MIB
    pod = named("Deployment", "capomastro")["spec"]["template"]["spec"]
    assert size(pod["containers"][0]["resources"]["limits"]["memory"]) >= MEMORY
    (temporary,) = (volume for volume in pod["volumes"] if volume["name"] == "temporary")
    assert size(temporary["emptyDir"]["sizeLimit"]) >= FILES


def test_nginx_is_confined_as_the_instances_are(services: dict[str, Any]) -> None:
    for service in services.values():
        assert service["read_only"]
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]
        assert {"mem_limit", "pids_limit", "tmpfs"} <= set(service)
    for name in ("capomastro", "nginx"):
        policy = named("NetworkPolicy", name)["spec"]
        assert policy["policyTypes"] == ["Ingress", "Egress"]


# --- Grafana ---------------------------------------------------------------------------------------------------------


def test_the_dashboard_uses_existing_metrics() -> None:
    dashboard = json.loads((DEPLOY / "grafana" / "capomastro.json").read_text("utf-8"))
    probed = " ".join(values_in(dashboard, "expr"))
    assert len(dashboard["panels"]) > 8
    assert set(re.findall(r"\bcapomastro_\w+", probed)) <= metric_names()
    assert len({panel["id"] for panel in dashboard["panels"]}) == len(dashboard["panels"])


def test_alerts_use_existing_metrics() -> None:
    rules = yaml.safe_load((DEPLOY / "prometheus" / "alerts.yaml").read_text("utf-8"))
    alerts = [rule for group in rules["groups"] for rule in group["rules"]]
    assert len(alerts) > 5
    for alert in alerts:
        assert set(re.findall(r"\bcapomastro_\w+", alert["expr"])) <= metric_names()
        assert alert["annotations"]["summary"]
        assert set(re.findall(r'problem="([a-z-]+)"', alert["expr"])) <= set(problems.catalogue())
