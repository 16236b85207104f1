"""Everything that `deploy/` sets is a setting of the service."""

import re
from pathlib import Path

import pytest

from capomastro.settings import VARIABLES, Settings
from tests.support import settings_table
from tests.support.metric_names import families
from tests.support.serving import settings_in

CHECKOUT = Path(__file__).resolve().parents[2]
DEPLOY = CHECKOUT / "deploy"
SETTINGS = DEPLOY / "settings" / "capomastro.env"
INSTANCES = DEPLOY / "nginx" / "instances.conf"
FILES = sorted(path for path in DEPLOY.rglob("*") if path.is_file())
VARIABLE = re.compile(r"\bCAPOMASTRO_[A-Z_]*[A-Z]\b")


@pytest.mark.parametrize("path", [*FILES, CHECKOUT / "Dockerfile"], ids=lambda path: str(path.relative_to(CHECKOUT)))
def test_every_variable_in_the_files_is_a_setting(path: Path) -> None:
    assert set(VARIABLE.findall(path.read_text("utf-8"))) <= {line.name for line in VARIABLES}


def test_the_settings_behind_a_proxy() -> None:
    settings = Settings.from_environment(settings_in(SETTINGS))
    (idle,) = re.findall(r"^    keepalive_timeout (\d+)s;", INSTANCES.read_text("utf-8"), re.MULTILINE)
    assert settings.keep_alive > int(idle), "or nginx sends a request into a connection that is just being closed"


def test_the_page_for_operators_has_every_setting() -> None:
    """To correct the table: python -m tests.support.settings_table"""
    assert settings_table.TABLE.findall(settings_table.PAGE.read_text("utf-8")) == [settings_table.table()]


def test_the_page_for_operators_has_every_metric() -> None:
    page = settings_table.PAGE.read_text("utf-8")
    documented = set(re.findall(r"`(capomastro_\w+)`", page))
    shown = {name + ("_total" if kind == "counter" else "") for name, kind in families().items()}
    assert documented == shown


def test_the_page_for_operators_has_every_alert() -> None:
    alerts = re.findall(r"alert: (\w+)", (DEPLOY / "prometheus" / "alerts.yaml").read_text("utf-8"))
    documented = re.findall(r"^\| `(Capomastro\w+)` \|", settings_table.PAGE.read_text("utf-8"), re.MULTILINE)
    assert documented == alerts
