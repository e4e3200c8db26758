"""The budget of one run of layers: money is reserved before a call, settled after it.

Several threads share one budget. A call that fits once others are settled waits for
them; a call that no longer fits is refused. The sum of what is spent and reserved
never exceeds the cap.
"""

import threading
from collections.abc import Callable

from verifyhub.engine.layers.base import CALLS, COST
from verifyhub.engine.ports import ModelError

# More than all layers make together; holds where no price is known.
MAX_CALLS = 150
# A waiting call looks at its deadline this often.
LOOK_SECONDS = 0.25


class CapError(ModelError):
    """A cap of the run refuses the call; `reason` names the cap."""


class RunBudget:
    """The calls and the money that a run may still use.

    Attributes:
        stopped_by: The first cap that refused a call: `cost` or `calls`; empty: none.
        is_blind: Whether a call was made whose price was unknown beforehand.
    """

    def __init__(
        self, microdollars: int, *, calls: int = MAX_CALLS, spent: int = 0
    ) -> None:
        """Set the caps.

        Args:
            microdollars: Cap on what all calls cost together.
            calls: Cap on how many there are.
            spent: What the run has already cost.
        """
        self._cap, self._calls_left = microdollars, calls
        self._spent, self._reserved = spent, 0
        self._running = self._waiting = self._turns = 0
        self._changed = threading.Condition()
        self.stopped_by = ""
        self.is_blind = False

    @property
    def taken(self) -> int:
        """Return the sum of spent and reserved money, in micro-dollars."""
        with self._changed:
            return self._spent + self._reserved

    def reserve(self, worst: int | None, seconds_left: Callable[[], float]) -> int:
        """Reserve the most a call can cost; wait for other calls if that frees enough.

        Args:
            worst: In micro-dollars; None where no price is known.
            seconds_left: Seconds that the caller can still wait.

        Returns:
            The reserved amount, to be passed to `settle`.

        Raises:
            CapError: `cost` or `calls`; `deadline` if the wait took too long.
        """
        with self._changed:
            if not self._calls_left:
                raise self._stop(CALLS)
            if worst is None:
                self.is_blind = True
            amount = worst or 0
            while (
                self._spent + self._reserved + amount > self._cap and worst is not None
            ):
                if self._spent + amount > self._cap:
                    raise self._stop(COST)
                if seconds_left() <= 0:
                    raise CapError("deadline", "other calls were not settled in time")
                self._changed.wait(min(seconds_left(), LOOK_SECONDS))
            self._calls_left -= 1
            self._running += 1
            self._reserved += amount
            return amount

    def settle(self, reserved: int, spent: int, *, was_made: bool = True) -> None:
        """Replace the reservation of a call by what it cost."""
        with self._changed:
            self._reserved -= reserved
            self._spent += spent
            self._running -= 1
            self._calls_left += not was_made
            # Each call that ends makes room for one waiting call, not for all of them.
            self._turns += was_made and self._turns < self._waiting
            self._changed.notify_all()

    def wait_for_another(self, seconds_left: Callable[[], float]) -> bool:
        """Wait until another call of the run ends; False if none does in time.

        A caller that was refused because too many calls run at once can retry then.
        """
        with self._changed:
            self._waiting += 1
            try:
                while not self._turns:
                    if not self._running or seconds_left() <= 0:
                        return False
                    self._changed.wait(min(seconds_left(), LOOK_SECONDS))
                self._turns -= 1
                return True
            finally:
                self._waiting -= 1

    def _stop(self, cap: str) -> CapError:
        self.stopped_by = self.stopped_by or cap
        return CapError(cap, f"the run's cap on {cap} is reached")
