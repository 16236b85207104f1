"""Gives recorded games the current rules version after a change of rules: python tools/renew_records.py GAME

Only games that are judged as before get it: every move is legal, and the result is the same. The others are listed
with what is judged differently. The exit status is 1 if there are any.
"""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.support.recorded import records_folder

from capomastro.adjudicator import game_of, replay
from capomastro.answers import Replay
from capomastro.documents.json_text import decode
from capomastro.documents.problems import Problem
from capomastro.engine.game import AnyGame

VERSION = re.compile(r'^"rules_version": \d+', re.MULTILINE)


def renewed(game: AnyGame, text: str) -> tuple[str, str]:
    """The text of a record with the current version, and what is judged differently; then the text is as it was."""
    try:
        answer = replay(game, decode(text.encode()), under_current_rules=True)
    except Problem as problem:
        return text, "; ".join(f"{error['pointer']}: {error['message']}" for error in problem.errors) or problem.detail
    difference = difference_in(answer)
    return (text, difference) if difference else (VERSION.sub(f'"rules_version": {game.rules_version}', text, 1), "")


def difference_in(answer: Replay) -> str:
    """What the rules judge differently from the record; empty if nothing."""
    if first := answer.first_divergence:
        return f"move {first.index} is illegal: {first.refusal['message']} [{first.refusal['rule']}]"
    return "" if answer.verdict == "legal" else f"the replay ends with: {answer.verdict}"


def main(wanted: str) -> int:
    game = game_of(wanted)
    different = 0
    for file in sorted(records_folder(game.id).glob("*.json")):
        text, difference = renewed(game, file.read_text("utf-8"))
        file.write_text(text, "utf-8")
        if difference:
            different += 1
            print(f"{file.stem}: {difference}")
    print(f"{game.id}: {different} recorded games are judged differently; `make records` makes them again")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
