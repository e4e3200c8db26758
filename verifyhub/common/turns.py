"""Turns of requests that send runs.

A web process handles only a few of them at a time (`config.web.worker`). One that only
waits, for its verdict, gives up its turn.
"""

import threading
from collections.abc import Callable

_own = threading.local()


def begin_turn(give_up: Callable[[], None]) -> None:
    """Remember how to give up the turn of this thread's request."""
    _own.give_up = give_up


def give_up_turn() -> None:
    """Let the next request begin, while this one waits."""
    give_up = getattr(_own, "give_up", None)
    if give_up is not None:
        give_up()
