"""Decide when a program that exited is restarted."""

from dataclasses import dataclass

# Long enough for its resources (port, shared memory) to be released.
FIRST_PAUSE_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 30.0
# After running for so long, earlier failures no longer count.
STEADY_SECONDS = 10.0


@dataclass(slots=True)
class Restarts:
    """Counts the restarts of one program, with increasing pauses.

    It never gives up: a full disk, a database in recovery or too little memory are
    temporary, and nobody may be there to restart it by hand.

    Attributes:
        since: When it was last started, on the caller's clock, in seconds.
        due: When it is to be restarted; None while it is running.
    """

    since: float = 0.0
    due: float | None = None
    _ended: int = 0

    def end(self, now: float) -> float:
        """Record that it ended; return the seconds to wait before the restart."""
        self._ended = 1 if now - self.since > STEADY_SECONDS else self._ended + 1
        # Ten doublings exceed the maximum; thousands would overflow a float.
        pause = FIRST_PAUSE_SECONDS * (1 << min(self._ended - 1, 10))
        pause = min(pause, LONGEST_PAUSE_SECONDS)
        self.due = now + pause
        return pause

    def start(self, now: float) -> None:
        """Record that it was started again."""
        self.since, self.due = now, None
