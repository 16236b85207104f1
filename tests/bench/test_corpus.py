"""The corpus: a game depends on its number only, a shard is made once, and a damaged one is noticed."""

import gzip
import json
from pathlib import Path

import pytest

from bench import corpus


def test_shards_are_made_once_and_the_same_everywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(corpus, "GAMES_PER_SHARD", 3)
    (tmp_path / "other").mkdir()
    for directory in (tmp_path, tmp_path / "other"):
        corpus.make_shard(str(directory), 1)
    first, again = (json.loads((where / "shard-00001.json").read_bytes()) for where in (tmp_path, tmp_path / "other"))
    assert first["sha256"] == again["sha256"]
    assert set(first["verdicts"]) <= {"legal", "unfinished"}
    written = (tmp_path / "shard-00001.json").stat().st_mtime_ns
    corpus.make_shard(str(tmp_path), 1)
    assert (tmp_path / "shard-00001.json").stat().st_mtime_ns == written
    corpus.require_digests(tmp_path)
    corpus.print_table(tmp_path)
    assert capsys.readouterr().out.splitlines()[-1].split()[0] == "3"
    packed = tmp_path / "shard-00001.ndjson.gz"
    packed.write_bytes(gzip.compress(gzip.decompress(packed.read_bytes()) + b"\n"))
    with pytest.raises(SystemExit, match="another digest"):
        corpus.require_digests(tmp_path)
