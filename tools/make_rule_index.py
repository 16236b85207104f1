"""Rewrites the rule index and the positions in the examples of rules of every game: make generated"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.support import rule_examples
from tests.support.rule_index import index_file, index_of, text_of

from capomastro.games import all_games

for game in all_games().values():
    index = index_of(game)
    index_file(game).write_text(text_of(index), "utf-8")
    examples = rule_examples.examples_of(game)
    if examples:
        rule_examples.examples_file(game).write_text(rule_examples.text_of(examples), "utf-8")
    shown = sum(bool(entry["shown_by"]) for entry in index.values())
    governing = sum(bool(entry["decisions"]) for entry in index.values())
    counts = f"{governing:4} govern decisions, {shown:4} are shown by the kit, {len(examples):3} by a picture"
    print(f"{game.id:14} {len(index):4} rules, {counts}")
