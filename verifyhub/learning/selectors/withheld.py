"""What decisions taught, without the parts that a reader is not allowed to see."""

from typing import TypeVar
from uuid import UUID

from django.db.models import Model, QuerySet

from verifyhub.accounts.models import Project, User
from verifyhub.learning.steps import WITHHELD_ANSWERS

M = TypeVar("M", bound=Model)


def readable(
    rows: QuerySet[M], project: Project, user: User | None, *, by: str = "interaction"
) -> QuerySet[M]:
    """Leave out the rows of answers whose decisions are withheld from a reader.

    Args:
        rows: Rows of answers.
        project: The tenant.
        user: Who reads; None for a program.
        by: The way from a row to its answer.
    """
    hidden: set[UUID] = set()
    for withheld in WITHHELD_ANSWERS:
        hidden |= withheld(project.id, user)
    return rows.exclude(**{f"{by}__in": hidden}) if hidden else rows
