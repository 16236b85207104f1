"""Searches that give up after a fixed number of steps, so that no document takes more than a fraction of a second."""


class TooManySteps(Exception):
    """The search was not finished within its steps."""


class Steps:
    """The steps that a search has left."""

    def __init__(self, number: int) -> None:
        self.left = number

    def spend(self, number: int = 1) -> None:
        """Takes so many steps.

        Raises:
            TooManySteps: if they were not left.
        """
        self.left -= number
        if self.left < 0:
            raise TooManySteps
