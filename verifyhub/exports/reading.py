"""What a walk reads of each row, and how it becomes the values of a file.

Keys and times come from the database as text: a file wants keys so, and Python parses
times many times faster than the driver does with a class for each.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from django.db.models import TextField
from django.db.models.functions import Cast

from verifyhub.exports.schema import ColumnKind, ExportColumn


class PathReader:
    """Which paths are read, each once.

    Attributes:
        paths: The paths.
        columns: What a query is asked for, one of each path.
        extra: Expressions that `columns` names.
    """

    def __init__(
        self,
        made: Sequence[ExportColumn],
        more: Sequence[str],
        *,
        raw: Collection[str] = (),
    ) -> None:
        """Read the sources of `made` and `more`; `raw` as the database has them."""
        kinds = {one.source: one.kind for one in made if one.source not in raw}
        sources = (one.source for one in made)
        self.paths = tuple(dict.fromkeys((*sources, *more)))
        self.columns: list[str] = []
        self.extra: dict[str, Any] = {}
        self._moments: list[int] = []
        for at, path in enumerate(self.paths):
            kind = kinds.get(path)
            if kind not in {ColumnKind.ID, ColumnKind.MOMENT}:
                self.columns.append(path)
                continue
            name = f"text_{at}"
            self.columns.append(name)
            self.extra[name] = Cast(path, TextField())
            if kind is ColumnKind.MOMENT:
                self._moments.append(at)

    def at(self, paths: Sequence[str]) -> list[int]:
        """Return where the values of some of the paths stand."""
        return [self.paths.index(path) for path in paths]

    def values(self, found: Sequence[Any]) -> list[Any]:
        """Return the values of a row that a query found, in the order of the paths."""
        values = list(found)
        for at in self._moments:
            if values[at] is not None:
                # The connection's zone is UTC.
                values[at] = datetime.fromisoformat(values[at])
        return values
