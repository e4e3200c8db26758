"""Decide when a program that exited is restarted."""

from dataclasses import dataclass

# Long enough for its resources (port, shared memory) to be released.
FIRST_PAUSE_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 30.0
# Who ran for so long has got over what ended it before.
STEADY_SECONDS = 10.0


@dataclass(slots=True)
class Restarts:
    """Counts the restarts of one program, to pause longer before each.

    A full disk, a database that recovers or too little memory pass without this
    program's help, and nobody may be there to start it by hand: it never gives up.

    Attributes:
        since: When it was started last, on the caller's clock, seconds.
        due: When it is to be restarted; None while it runs.
    """

    since: float = 0.0
    due: float | None = None
    _ended: int = 0

    def end(self, now: float) -> float:
        """Record that it ended; return the seconds to wait before the restart."""
        self._ended = 1 if now - self.since > STEADY_SECONDS else self._ended + 1
        # Ten doublings are past the longest; thousands would be past any float.
        pause = FIRST_PAUSE_SECONDS * (1 << min(self._ended - 1, 10))
        pause = min(pause, LONGEST_PAUSE_SECONDS)
        self.due = now + pause
        return pause

    def start(self, now: float) -> None:
        """Record that it was started again."""
        self.since, self.due = now, None
