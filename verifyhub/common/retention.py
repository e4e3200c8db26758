"""Retentions: rules for deleting old rows.

Each package declares its own `Retention`; `config.steps` lists them.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from verifyhub.common.logs import get_logger
from verifyhub.common.steps import Steps

logger = get_logger(__name__)

# Transactions of one retention in one call; the next call does the rest.
BATCHES = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """A rule for deleting old rows of a table.

    Attributes:
        name: Its name in the log.
        old: Returns the rows that are too old at a time (aware), in the order of an
            index.
        delete: Deletes the rows with some primary keys, with dependent rows, in the
            transaction that locks them; by default the rows alone.
        batch: Rows deleted in one transaction.
        locks: Whether rows are locked first, which needs the privilege to change them.
        drop_month: For a divided table, drops the oldest partition whose rows are all
            too old at a time; returns whether there was one.
        project: The field of the project, whose rows are kept while it is under a
            legal hold; None for copies that a hold does not need.
    """

    name: str
    old: Callable[[datetime], QuerySet[Any]]
    delete: Callable[[Sequence[Any]], object] | None = None
    batch: int = 5000
    locks: bool = True
    drop_month: Callable[[datetime], bool] | None = None
    project: str | None = None

    def apply(self, *, now: datetime, held_projects: Collection[UUID] = ()) -> int:
        """Drop old months, then delete old rows in a bounded number of batches.

        Args:
            now: The time (aware).
            held_projects: Projects under a legal hold; if there are any, no month is
                dropped.

        Returns:
            How many rows were deleted, without those of dropped months.
        """
        if self.drop_month and not held_projects:
            while self.drop_month(now):
                logger.info("retention.month_dropped", name=self.name)
        total = 0
        for _ in range(BATCHES):
            deleted = self._delete_batch(now, held_projects)
            total += deleted
            if deleted < self.batch:
                break
        if total:
            logger.info("retention.applied", name=self.name, count=total)
        return total

    @transaction.atomic
    def _delete_batch(self, now: datetime, held_projects: Collection[UUID]) -> int:
        rows = old = self.old(now)
        if self.project and held_projects:
            rows = old = old.exclude(**{f"{self.project}__in": held_projects})
        if self.locks:
            # Concurrent workers take different rows.
            rows = old.select_for_update(skip_locked=True, of=("self",))
        keys = list(rows.values_list("pk", flat=True)[: self.batch])
        if self.delete is None:
            old.model._default_manager.filter(pk__in=keys).delete()
        else:
            self.delete(keys)
        return len(keys)


RETENTIONS: Steps[Retention] = Steps()
# Each returns projects whose rows may not be deleted by age.
HELD_PROJECTS: Steps[Callable[[], Collection[UUID]]] = Steps()


def apply_retentions(*, now: datetime) -> None:
    """Apply every retention; an error in one does not stop the others.

    Raises:
        ExceptionGroup: The errors, after all retentions were applied.
    """
    errors = []
    held_projects = {project for projects in HELD_PROJECTS for project in projects()}
    for retention in RETENTIONS:
        try:
            retention.apply(now=now, held_projects=held_projects)
        except Exception as error:  # noqa: BLE001 - raised below
            errors.append(error)
    if errors:
        raise ExceptionGroup("some rows could not be deleted", errors)
