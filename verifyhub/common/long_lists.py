"""Paginated lists with a bounded count."""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet

if TYPE_CHECKING:
    Base = Paginator[Any]
    Shown = Page[Any]
else:
    Base = Paginator
    Shown = Page

# How many rows are counted and have pages.
MOST = 10_000


class BoundedPaginator(Base):
    """Pages of the first `most` rows of a list; counting millions takes too long."""

    object_list: QuerySet[Any]
    most = MOST

    @cached_property
    def count(self) -> int:
        """The number of rows, counted up to `most`."""
        return min(self.most, self._counted)

    @property
    def has_more(self) -> bool:
        """Whether there are rows that no page shows."""
        return self._counted > self.most

    @cached_property
    def _counted(self) -> int:
        return self.object_list.order_by()[: self.most + 1].count()


class LongPaginator(BoundedPaginator):
    """Pages that first select the keys of their rows, then read these rows.

    For lists with many joins: a plan for both at once may join every row that matches.
    """

    def page(self, number: int | str) -> Shown:
        """Return a page."""
        at = self.validate_number(number)
        first = (at - 1) * self.per_page
        keys = self._keys(first, first + self.per_page)
        return Page(self.object_list.filter(pk__in=keys), at, self)

    def _keys(self, first: int, last: int) -> Sequence[Any]:
        return list(self.object_list.values_list("pk", flat=True)[first:last])
