"""How documents are laid out for people: a member on one line if it fits there, otherwise on several."""

from capomastro.layout.formatting import LONGEST_LINE, inline, outline_rows, value_in_line


def test_a_member_that_is_too_long_is_spread_over_several_lines() -> None:
    fits = {"first": "a" * 40, "last": "b"}
    fits["last"] += "b" * (LONGEST_LINE - len(inline(fits)))
    too_long = {**fits, "last": fits["last"] + "b"}
    assert len(value_in_line(fits) or "") == LONGEST_LINE
    assert value_in_line(too_long) is None
    rows = [*outline_rows({"one": fits, "other": too_long})]
    assert rows == [
        (0, "one", inline(fits)),
        (0, "other", ""),
        (1, "first", too_long["first"]),
        (1, "last", too_long["last"]),
    ]
