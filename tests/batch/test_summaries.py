"""Summaries of archives, whose size does not grow with the archive."""

from capomastro.archive import Line, Terms
from capomastro.batch.judging import judge, read_verdict
from capomastro.batch.sources import Record
from capomastro.batch.summaries import MAXIMUM_FAILURES, Summary
from tests.support.archives import archive_lines


def summary(texts: list[bytes]) -> Summary:
    found = Summary()
    for verdict in judge([Record("a", Line(number, text)) for number, text in enumerate(texts, 1)], Terms()):
        found.count(read_verdict(verdict))
    return found


def test_every_record_is_counted_under_its_game_and_verdict() -> None:
    found = summary(list(archive_lines(22)))
    assert found.records == 22
    assert (found.wrong, found.unusable) == (3, 2)
    assert [verdict.line for verdict in found.failures] == [7, 11, 14, 21, 22]
    assert sum(number for _, number in found.rules()) == 3
    assert found.games()[-1] == ""


def test_unknown_games_do_not_make_a_summary_grow() -> None:
    texts = [b'{"game": "game-%d"}' % number for number in range(50)]
    found = summary(texts)
    assert found.verdicts() == [(("", "unusable"), 50)]
    assert len(found.failures) == MAXIMUM_FAILURES


def test_parts_add_up_to_the_whole() -> None:
    texts = list(archive_lines(30))
    whole, parts = summary(texts), Summary()
    for part in (texts[:10], texts[10:11], texts[11:]):
        parts.add(summary(part))
    assert parts.document() == whole.document()
    assert (parts.wrong, parts.unusable, parts.records) == (whole.wrong, whole.unusable, 30)
