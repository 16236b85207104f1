"""The wordings of rules and problems: one data file per game (or for HTTP) and language."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from capomastro.engine.game import Game
from capomastro.engine.refusals import Refusal

LANGUAGE = "en"
Wording = dict[str, str]


@cache
def wordings(package: str, name: str, language: str = LANGUAGE) -> dict[str, Wording]:
    """The entries of `name`.`language`.toml in `package`, by id."""
    return tomllib.loads((files(package) / f"{name}.{language}.toml").read_text("utf-8"))


def rules_of(game: Game[Any], language: str = LANGUAGE) -> dict[str, Wording]:
    """A game's rule catalogue: by rule id the `wording`, its `source`, its `mark` and the sentence of a `refusal`."""
    return wordings(type(game).__module__.rpartition(".")[0], "rules", language)


def sentence(game: Game[Any], refusal: Refusal, language: str = LANGUAGE) -> str:
    """A refusal in one sentence, with its numbers."""
    return rules_of(game, language)[refusal.rule]["refusal"].format_map(refusal.numbers)


def explained(game: Game[Any], refusal: Refusal, at: str = "") -> dict[str, str]:
    """A refusal as a document: rule, message, and the pointer into what was submitted at `at`."""
    return {"rule": refusal.rule, "message": sentence(game, refusal), "pointer": at + refusal.pointer}
