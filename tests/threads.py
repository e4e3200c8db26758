"""Acts in threads with a database connection of their own."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

from django.db import connection


def closing(act: Callable[[], Any]) -> Any:
    """Run an act, then close its thread's connection."""
    try:
        return act()
    finally:
        connection.close()


def at_once(*acts: Callable[[], Any]) -> list[Any]:
    """Run acts in threads that begin together; return their results."""
    barrier = Barrier(len(acts))

    def begin(act: Callable[[], Any]) -> Any:
        barrier.wait(timeout=10)
        return closing(act)

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(begin, acts))
