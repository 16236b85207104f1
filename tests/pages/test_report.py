"""The report on an archive, opened from a file: all faults are there, can be searched and sorted, and have pictures."""

import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from capomastro.cli.commands import main
from tests.support.damaged import UNDAMAGED, damaged_archive


def test_a_report_opens_from_a_file(browser: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lines = list(islice(damaged_archive(), 60))
    faulty = sum(line.damage not in (UNDAMAGED, "CRLF", "repeated") for line in lines)
    Path("a.ndjson").write_bytes(b"\n".join(line.text for line in lines))
    asked = ["--language", "de", "replay", "a.ndjson", "--jobs", "1", "--report", "r.html", "--report", "r.csv"]
    printed = json.loads(CliRunner().invoke(main, [*asked, "--verdicts", "v.ndjson", "--json"]).stdout)
    assert sum(kind["records"] for kind in printed["faults"]) == faulty
    assert Path("r.csv").read_bytes().count(b"\r\n") == faulty + 1
    page = browser.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda message: problems.append(message.text))
    page.goto((tmp_path / "r.html").as_uri())
    assert page.locator("html").get_attribute("lang") == "de"
    assert page.locator(".faults tbody tr:visible").count() == faulty
    page.fill("#search", "a.ndjson:1")
    assert 0 < page.locator(".faults tbody tr:visible").count() < faulty
    page.fill("#search", "")
    page.select_option("#kind", "0")
    assert page.locator(".faults tbody tr:visible").count() == printed["faults"][0]["records"]
    page.select_option("#kind", "")
    page.click(".faults th:nth-child(3) button")
    kinds = page.locator(".faults tbody td:nth-child(3)").all_text_contents()
    assert kinds == sorted(kinds, key=str.casefold)
    assert page.evaluate("Promise.all([...document.images].map((image) => (image.loading = 'eager', image.decode())))")
    assert page.locator("figure").count() > 0
    page.click("#kinds button >> nth=0")
    assert page.locator(".faults tbody tr").count() == printed["faults"][0]["records"]
    assert not problems
    page.close()
