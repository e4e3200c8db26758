"""`functools.cached_property` without the lock that it takes before Python 3.12.

One thread reads a run, and uses thousands of such properties of its calls; the lock
costs more than most of them.
"""

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING or sys.version_info >= (3, 12):
    from functools import cached_property
else:
    from typing import Any

    class cached_property:  # noqa: N801 - as in the standard library
        """A method whose result is stored as an attribute of the instance."""

        def __init__(self, func: Any) -> None:
            self.func = func
            self.__doc__ = func.__doc__

        def __set_name__(self, owner: type, name: str) -> None:
            self._name = name

        def __get__(self, instance: Any, owner: type | None = None) -> Any:
            if instance is None:
                return self
            value = instance.__dict__[self._name] = self.func(instance)
            return value


__all__ = ["cached_property"]
