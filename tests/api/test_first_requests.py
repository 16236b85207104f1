"""The first requests of a process may all come at once: whatever is computed on first use is computed before."""

import subprocess
import sys

from capomastro import adjudicator
from capomastro.documents import json_text
from capomastro.games import all_games
from tests.support.serving import clean_environment

AT_ONCE = """
import json, sys, threading
from capomastro.adjudicator.loading import load_state
from capomastro.api.application import create_app
from capomastro.games import all_games
from capomastro.settings import Settings

create_app(Settings(log_level="CRITICAL"))
sys.setswitchinterval(1e-6)
states = json.load(sys.stdin)
together = threading.Barrier(8)

def load(game):
    together.wait()
    load_state(game, states[game.id])

for game in all_games().values():
    threads = [threading.Thread(target=load, args=(game,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
"""


def test_eight_threads_load_their_first_state_together() -> None:
    """msgspec crashes if two threads use a type for the first time at once."""
    states = {
        game.id: adjudicator.set_up(game, game.players[0], ["a", "b"][: game.players[0]], {}, "7").state
        for game in all_games().values()
    }
    given = json_text.encode(states).decode()
    done = subprocess.run(
        [sys.executable, "-c", AT_ONCE],
        input=given,
        env=clean_environment(),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
