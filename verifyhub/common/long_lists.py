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

# This many rows are counted and can be turned to.
MOST = 10_000


class LongPaginator(Base):
    """Pages of a list that may be too long to be counted while somebody waits.

    `has_more` tells that it is longer than `most`; then its beginning has pages.
    """

    object_list: QuerySet[Any]
    most = MOST

    @cached_property
    def count(self) -> int:
        """The number of rows, counted up to `most`."""
        return min(self.most, self._counted)

    def page(self, number: int | str) -> Shown:
        """Return a page: first which rows are on it, then what is shown of them.

        What is shown joins and asks much of each row, and a plan for both at once may
        do so for every row that matches.
        """
        at = self.validate_number(number)
        first = (at - 1) * self.per_page
        keys = self._keys(first, first + self.per_page)
        return Page(self.object_list.filter(pk__in=keys), at, self)

    @property
    def has_more(self) -> bool:
        return self._counted > self.most

    @cached_property
    def _counted(self) -> int:
        return self.object_list.order_by()[: self.most + 1].count()

    def _keys(self, first: int, last: int) -> Sequence[Any]:
        return list(self.object_list.values_list("pk", flat=True)[first:last])
