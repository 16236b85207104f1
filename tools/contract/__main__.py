"""Prints the breaking changes since the last release: python -m tools.contract. With --released, records a release."""

import sys

from tools.contract.release import as_released, breaking_since_release, is_announced

if __name__ == "__main__":
    if sys.argv[1:] == ["--released"]:
        for file, text in as_released().items():
            file.write_text(text, "utf-8")
        sys.exit()
    found = breaking_since_release()
    unannounced = [change for change in found if not is_announced(change)]
    sys.stdout.writelines(f"{change}\n" for change in unannounced)
    sys.stdout.write(
        f"{len(found)} breaking changes since the last release, {len(unannounced)} of them not announced\n"
    )
    sys.exit(bool(unannounced))
