"""Limit models to a layer's time and a run's budget, and record their usage."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from verifyhub.engine.judging.metered import NOT_CALLED
from verifyhub.engine.layers.base import LATENCY, TIMEOUT
from verifyhub.engine.layers.budget import CapError, RunBudget
from verifyhub.engine.ports import (
    BUSY,
    Clock,
    Model,
    ModelError,
    ModelReply,
    ModelRequest,
    ModelUsage,
    Priced,
)

# Room for a small object of JSON with a reason, and for what a model thinks of it.
STRUCTURED_TOKENS = 400
DEADLINE = "deadline"


@dataclass(frozen=True, slots=True)
class Countdown:
    """A moment at which something ends, by some clock."""

    clock: Clock
    ends: float

    def left(self) -> float:
        """Seconds left, zero or below when it has passed."""
        return self.ends - self.clock()


@dataclass(slots=True, kw_only=True)
class Allowance:
    """The limits of one layer: its own time, the run's time, and the run's budget.

    Attributes:
        usages: What its calls took, in the order they ended.
        is_late: Whether the run's time ran out on it.
        running: Calls that have not ended.
    """

    budget: RunBudget
    run: Countdown
    layer: Countdown
    usages: list[ModelUsage] = field(default_factory=list)
    is_late: bool = False
    running: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def left(self) -> float:
        """Seconds left for a call made now."""
        return min(self.run.left(), self.layer.left())

    def late(self) -> CapError:
        """Return the error for exceeded time: of the run, or of the layer alone."""
        if self.run.left() <= 0:
            self.is_late = True
            return CapError(LATENCY, "the run's time is over")
        return CapError(TIMEOUT, "the layer's time is over")

    def ask(self, worst: int | None, ask: Callable[[float], ModelReply]) -> ModelReply:
        """Make a call: reserve its cost, limit its time to what is left, and settle it.

        Where the project lets no more calls run at once, it waits for one of its own.

        Raises:
            ModelError: Of the model, or `cost`, `calls`, `latency`, `timeout`.
        """
        while True:
            try:
                return self._once(worst, ask)
            except ModelError as error:
                is_busy = error.reason == BUSY
                if not is_busy or not self.budget.wait_for_another(self.left):
                    raise

    def _once(
        self, worst: int | None, ask: Callable[[float], ModelReply]
    ) -> ModelReply:
        if self.left() <= 0:
            raise self.late()
        try:
            reservation = self.budget.reserve(worst, self.left)
        except CapError as error:
            raise self._as_own_deadline(error) from error
        spent, was_made = reservation, True
        self._begin(1)
        try:
            reply = ask(self.left())
        except ModelError as error:
            was_made = error.reason not in NOT_CALLED
            spent = (
                self._count(error.usage or ModelUsage(), reservation) if was_made else 0
            )
            raise self._as_own_deadline(error) from error
        else:
            spent = self._count(reply.usage, reservation)
        finally:
            self._begin(-1)
            self.budget.settle(reservation, spent, was_made=was_made)
        return reply

    def taken(self) -> tuple[ModelUsage, ...]:
        """Return the usage of its calls so far; that of running calls is unknown."""
        with self._lock:
            return (*self.usages, *[ModelUsage()] * self.running)

    def _begin(self, calls: int) -> None:
        with self._lock:
            self.running += calls

    def _count(self, usage: ModelUsage, worst: int) -> int:
        """Record a call, and return its cost; the worst case where it is unknown."""
        self.usages.append(usage)
        return worst if usage.cost_microdollars is None else usage.cost_microdollars

    def _as_own_deadline(self, error: ModelError) -> ModelError:
        """A deadline that passed is the cap's that set it, where one did."""
        if error.reason == DEADLINE and self.left() <= 0:
            return self.late()
        return error


class Capped:
    """A `Model` within an allowance; its structured replies are short ones."""

    def __init__(self, model: Model, allowance: Allowance) -> None:
        self._model, self._allowance = model, allowance

    @property
    def name(self) -> str:
        return self._model.name

    def ask(self, request: ModelRequest) -> ModelReply:
        """Ask once; see `Model.ask`."""
        if request.tool is not None and request.max_output_tokens is None:
            request = replace(request, max_output_tokens=STRUCTURED_TOKENS)
        model, deadline = self._model, request.deadline_seconds
        worst = model.worst_microdollars(request) if isinstance(model, Priced) else None

        def ask(left: float) -> ModelReply:
            seconds = left if deadline is None else min(left, deadline)
            return model.ask(replace(request, deadline_seconds=seconds))

        return self._allowance.ask(worst, ask)
