"""The clock of the tests: set by hand."""

START = 1_800_000_000.0


class Clock:
    """A clock that stands at `at` (UTC seconds) until it is set, or goes on by `step` seconds whenever it is read."""

    def __init__(self, at=START, step=0.0):
        self.at, self.step = at, step

    def __call__(self):
        self.at += self.step
        return self.at
