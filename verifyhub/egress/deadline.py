"""The deadline of an exchange."""

import time

from verifyhub.egress.errors import EgressError


class Deadline:
    """A time limit that starts when it is created.

    Socket timeouts limit each wait separately: a server that sends one byte per second
    could stay within them for hours.
    """

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        """Return the seconds left; zero or negative after the deadline."""
        return self._end - time.monotonic()

    def require(self) -> float:
        """Return the seconds left.

        Raises:
            EgressError: `deadline`, if none are left.
        """
        left = self.left()
        if left <= 0:
            raise EgressError("deadline", "no_reply")
        return left
