"""The deadline of an exchange."""

import time

from verifyhub.egress.errors import EgressError


class Deadline:
    """Counts down from its creation.

    Timeouts of sockets bound one wait each; a server that sends a byte a second would
    satisfy them for hours.
    """

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        """Seconds left, zero or below when it has passed."""
        return self._end - time.monotonic()

    def require(self) -> float:
        """Seconds left.

        Raises:
            EgressError: `deadline`, when there are none.
        """
        left = self.left()
        if left <= 0:
            raise EgressError("deadline", "no_reply")
        return left
