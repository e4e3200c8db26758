"""The columns of the queue's list, and a person's choice of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from verifyhub.accounts.models import User
from verifyhub.review.queue.order import sort_in


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its heading, and the sort order that a click selects."""

    word: Promise
    sort: str = ""
    is_usual: bool = True
    of_open: bool = True
    of_decided: bool = True


COLUMNS = {
    "priority": Column(_("Priority"), "priority", of_decided=False),
    "flagged": Column(_("Flagged")),
    "support": Column(_("Supported")),
    "verdict": Column(_("Verdict")),
    "risk": Column(_("Risk"), "risk", is_usual=False, of_decided=False),
    "agent": Column(_("Agent"), "agent"),
    "age": Column(_("Age"), "age", of_decided=False),
    "due": Column(_("Due"), is_usual=False, of_decided=False),
    "decided": Column(_("Decided"), of_open=False),
}

# The columns to choose from; decided answers always show when they were decided.
CHOICES = [name for name, column in COLUMNS.items() if column.of_open]


@dataclass(frozen=True, slots=True)
class Heading:
    """A column as a page shows it.

    Attributes:
        sort: The order that a click selects; may be empty.
        aria_sort: `ascending` or `descending` if the list is sorted by it.
    """

    name: str
    word: Promise
    sort: str
    aria_sort: str


def column_choices(user: User) -> list[tuple[str, Promise, bool]]:
    """Return the columns that a reviewer can choose, and which of them they see."""
    chosen = _chosen(user)
    return [(name, COLUMNS[name].word, name in chosen) for name in CHOICES]


def headings(user: User, filters: Mapping[str, Any]) -> list[Heading]:
    """Return the columns that a reviewer sees, including the sorted one."""
    sort = sort_in(filters)
    by = sort.removeprefix("-")
    visible = {*_chosen(user), "decided"}
    is_decided = filters.get("state") == "resolved"
    return [
        Heading(
            name=name,
            word=column.word,
            sort="" if is_decided else _other_way(column.sort, sort),
            aria_sort=_direction(sort) if column.sort and column.sort == by else "",
        )
        for name, column in COLUMNS.items()
        if (column.of_decided if is_decided else column.of_open)
        and (name in visible or (column.sort and column.sort == by))
    ]


def _chosen(user: User) -> list[str]:
    chosen = [name for name in user.queue_columns if name in CHOICES]
    return chosen or [name for name in CHOICES if COLUMNS[name].is_usual]


def _other_way(own: str, sort: str) -> str:
    return f"-{own}" if own and sort == own else own


def _direction(sort: str) -> str:
    # Age and agent sort ascending, other columns descending.
    rises = sort.removeprefix("-") == "agent"
    return "ascending" if rises != sort.startswith("-") else "descending"
