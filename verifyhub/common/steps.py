"""Lists of functions of upper packages that a lower package calls (ADR 0064).

Packages import downwards only. The functions of upper packages that react to an event
of a lower one are listed in one module for the whole program, `settings.STEPS`. Every
list there is complete, in order, and type-checked.
"""

from collections.abc import Iterator
from importlib import import_module
from typing import Generic, TypeVar

from django.conf import settings

F = TypeVar("F")


class Steps(Generic[F]):
    """One list; the lower package owns it and iterates over it."""

    def __init__(self) -> None:
        self._functions: tuple[F, ...] | None = None

    def assemble(self, *functions: F) -> None:
        """Set the functions, in the order in which they are called."""
        self._functions = functions

    def __iter__(self) -> Iterator[F]:
        """Iterate over the functions.

        Raises:
            LookupError: If `settings.STEPS` does not assemble this list.
        """
        if self._functions is None:
            import_module(settings.STEPS)
        if self._functions is None:
            raise LookupError(f"{settings.STEPS} leaves out a list of steps")
        return iter(self._functions)
