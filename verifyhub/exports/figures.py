"""The metrics as rows."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, fields, is_dataclass
from datetime import date
from itertools import islice
from typing import Any
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import override

from verifyhub.accounts.models import Project
from verifyhub.common.row_files import Row
from verifyhub.exports.dataset import Dataset, DatasetFilters, Place
from verifyhub.exports.schema import (
    ColumnKind,
    ExportColumn,
    flags,
    integers,
    moments,
    numbers,
    text,
)
from verifyhub.metrics.figures import Figure
from verifyhub.metrics.selectors.questions import questions
from verifyhub.metrics.windows import Window

# Fields with the subject of a row.
NAMES = ("name", "kind", "reason", "check", "reviewer", "tier", "purpose", "monday")


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureRows(Dataset):
    """Metrics of a window: a few rows, computed each time."""

    @property
    def resumes(self) -> bool:
        return False

    def places(
        self,
        project: Project,
        filters: DatasetFilters,
        *,
        deep: bool,
        withheld: Collection[UUID] = (),  # noqa: ARG002 - of sums nothing is withheld
        since: Place | None = None,
    ) -> Iterator[tuple[Place, Row]]:
        """Yield a row for each metric of the answers in the window."""
        columns = self.columns_of(deep=deep)
        begin = since[0] if since else 0
        rows = enumerate(_figures(project, filters), 1)
        for number, row in islice(rows, begin, None):
            yield [number], {column.name: row[column.name] for column in columns}

    def count(
        self,
        project: Project,
        filters: DatasetFilters,
        *,
        withheld: Collection[UUID] = (),  # noqa: ARG002
    ) -> int:
        return sum(1 for _ in _figures(project, filters))


def _figures(project: Project, filters: DatasetFilters) -> Iterator[dict[str, Any]]:
    window = Window(
        days=None,
        since=filters.since,
        until=filters.until,
        agent=str(filters.answers.get("agent") or ""),
    )
    # Files are in English in every language of the viewer.
    with override("en"):
        answers = questions(project, window, filters.now or timezone.now())
        shared = {"since": window.since, "until": window.until, "agent": window.agent}
        for path, of, figure in _walked(answers, (), ()):
            yield {
                **shared,
                "question": path[0],
                "path": ".".join(path),
                "of": ", ".join(of),
                "name": figure.name,
                "value": figure.value,
                "n": figure.n,
                "count": figure.count,
                "low": figure.low,
                "high": figure.high,
                "method": figure.method,
                "is_small": figure.small,
                "definition": figure.definition,
            }


def _walked(
    node: Any, path: tuple[str, ...], of: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], tuple[str, ...], Figure]]:
    """Yield every figure in a value, with its subject."""
    if isinstance(node, Figure):
        yield path, of, node
    elif isinstance(node, dict):
        for key, value in node.items():
            yield from _walked(value, path, (*of, str(key)))
    elif isinstance(node, list | tuple):
        for value in node:
            yield from _walked(value, path, of)
    elif is_dataclass(node) and not isinstance(node, type):
        own = (*of, *_names(node))
        for field in fields(node):
            value = getattr(node, field.name)
            yield from _walked(value, (*path, field.name), own)


def _names(node: Any) -> Iterator[str]:
    for name in NAMES:
        value = getattr(node, name, None)
        if isinstance(value, str) and value:
            yield value
        elif isinstance(value, date):
            yield value.isoformat()


METRICS = FigureRows(
    name="metrics",
    says=_("every figure of the metrics page, with its n and its interval"),
    model=Project,
    columns=(
        *moments("since", "until"),
        *text("agent", "question", "path"),
        ExportColumn(
            "of", ColumnKind.TEXT, says="agent, week, name, …: what it is told apart by"
        ),
        *text("name"),
        *numbers("value"),
        *integers("n", "count"),
        ExportColumn("low", ColumnKind.NUMBER, says="of the 95 % interval"),
        ExportColumn("high", ColumnKind.NUMBER, says="of the 95 % interval"),
        *text("method"),
        *flags("is_small"),
        *text("definition"),
    ),
)
