"""Keyset pagination of very long lists."""

from functools import cached_property
from typing import Any

from django.core.paginator import Paginator
from django.db.models import QuerySet

MOST = 10_000


class BoundedPaginator(Paginator):  # type: ignore[type-arg]
    """Pages of the first rows of a list; to count all of millions takes too long."""

    object_list: QuerySet[Any]

    @cached_property
    def count(self) -> int:
        """Return the number of rows, at most `MOST`."""
        return self.object_list[:MOST].count()

    @property
    def is_cut(self) -> bool:
        """Whether there may be rows that no page shows."""
        return self.count >= MOST
