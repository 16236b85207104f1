"""Checks the subjects of commits: imperative, at most 60 characters. Merges are free.

Reads the commits since the last tag, or since `FIRST`. Says that it was skipped where there is no history.
"""

import re
import subprocess
import sys

FIRST = "5ff2f018d91c30adfe0a7a462a7fe81f672b5092"
"""The last commit before this rule."""
LONGEST_SUBJECT = 60
STATEMENT = re.compile(r"(a|an|the|this|that|these|some|all|no|now|\w+ing|\w+ed|\w+(?<!s)s)", re.IGNORECASE)
"""First words of subjects that state something instead of saying what the commit does: "The …", "Adds …", "Fixed …".

No third person ends in "ss": that is "Bypass" or "Suppress".
"""
VERBS = frozenset(
    [
        "alias",
        "bring",
        "embed",
        "exceed",
        "feed",
        "focus",
        "need",
        "ping",
        "proceed",
        "seed",
        "shed",
        "speed",
        "string",
        "succeed",
    ]
)
"""Verbs that look like participles or like the third person."""


def git(*arguments: str) -> str | None:
    """What git prints; None if it fails, or is not here."""
    try:
        done = subprocess.run(["git", *arguments], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def fault_of(subject: str) -> str | None:
    """What is wrong with a subject; None if nothing is."""
    if len(subject) > LONGEST_SUBJECT:
        return f"has {len(subject)} characters, at most {LONGEST_SUBJECT}"
    if not subject[:1].isupper():
        return "does not begin with a capital letter"
    first = subject.split(maxsplit=1)[0].lower()
    if STATEMENT.fullmatch(first) and first not in VERBS:
        return "is not imperative: “Add …”, not “Adds …” or “The …”"
    return "ends with a full stop" if subject.endswith(".") else None


def main() -> None:
    since = git("describe", "--tags", "--abbrev=0") or FIRST
    log = git("log", "--no-merges", "--format=%h %s", f"{since}..HEAD")
    if log is None:
        sys.stdout.write("commits: skipped, there is no history here\n")
        return
    faults = [
        f"{commit} {subject!r}: the subject {fault}"
        for commit, _, subject in (line.partition(" ") for line in log.splitlines())
        if (fault := fault_of(subject))
    ]
    if faults:
        sys.exit("\n".join(faults))


if __name__ == "__main__":
    main()
