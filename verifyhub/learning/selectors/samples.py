"""The decisions that a calibration is fitted to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar
from uuid import UUID

from django.db.models import Count, Model, Q, QuerySet

from verifyhub.accounts.models import Project, User
from verifyhub.engine.calibration.fit import MIN_SAMPLES
from verifyhub.learning.models import CalibrationSample
from verifyhub.learning.selectors.windows import WINDOW_DAYS
from verifyhub.learning.steps import WITHHELD_ANSWERS

# The newest samples of a check; more would not change results visibly.
MAX_SAMPLES = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Samples:
    """A check's labelled scores, oldest first; all lists are equally long."""

    ids: list[int]
    scores: list[float]
    labels: list[bool]
    # The samples' answers.
    answers: list[UUID]
    at: list[datetime]


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleCount:
    """The number of decisions that label a check."""

    check: str
    right: int
    wrong: int

    @property
    def n(self) -> int:
        return self.right + self.wrong


def samples_of(project: Project, check: str, *, now: datetime) -> Samples:
    """Return the newest samples of a check that count, oldest first."""
    rows = list(
        _newest(project, check, now).values_list(
            "id", "score", "label", "example__interaction_id", "at"
        )
    )
    rows.reverse()
    return Samples(
        ids=[row[0] for row in rows],
        scores=[row[1] for row in rows],
        labels=[row[2] for row in rows],
        answers=[row[3] for row in rows],
        at=[row[4] for row in rows],
    )


def scores_of(
    project: Project, check: str, *, now: datetime
) -> list[tuple[float, bool]]:
    """Return score and label of the same samples, oldest first."""
    return list(_newest(project, check, now).values_list("score", "label"))[::-1]


def counts_of(project: Project, *, now: datetime) -> dict[str, SampleCount]:
    """Count the decisions that label each check."""
    rows = (
        _counting(project, now)
        .values("check_name")
        .annotate(right=Count("pk", filter=Q(label=True)), n=Count("pk"))
        .order_by("check_name")
    )
    return {
        row["check_name"]: SampleCount(
            check=row["check_name"], right=row["right"], wrong=row["n"] - row["right"]
        )
        for row in rows
    }


def _newest(project: Project, check: str, now: datetime) -> QuerySet[CalibrationSample]:
    rows = _counting(project, now).filter(check_name=check)
    return rows.order_by("-at", "-id")[:MAX_SAMPLES]


def _counting(project: Project, now: datetime) -> QuerySet[CalibrationSample]:
    """Return the active samples of the last days.

    A calibration must not reveal decisions that are withheld from programs, so those
    decisions count for nobody.
    """
    since = now - timedelta(days=WINDOW_DAYS)
    rows = CalibrationSample.objects.filter(project=project, active=True, at__gte=since)
    return readable(rows, project, None, by="example__interaction")


def taken_back(
    project: Project, sample_ids: Mapping[UUID, Sequence[int]]
) -> dict[UUID, int]:
    """Count the withdrawn samples among those that thresholds are based on.

    Args:
        project: The tenant.
        sample_ids: Ids of samples by the id of the threshold or calibration.
    """
    if not sample_ids:
        return {}
    withdrawn = set(
        CalibrationSample.objects.filter(project=project, active=False).values_list(
            "id", flat=True
        )
    )
    return {key: len(withdrawn.intersection(ids)) for key, ids in sample_ids.items()}


def projects_to_fit(*, now: datetime) -> list[UUID]:
    """Return the projects with enough decisions for some check."""
    since = now - timedelta(days=WINDOW_DAYS)
    rows = (
        CalibrationSample.objects.filter(active=True, at__gte=since)
        .values("project_id", "check_name")
        .annotate(n=Count("pk"))
        .filter(n__gte=MIN_SAMPLES)
    )
    return sorted({row["project_id"] for row in rows})


M = TypeVar("M", bound=Model)


def readable(
    rows: QuerySet[M], project: Project, user: User | None, *, by: str = "interaction"
) -> QuerySet[M]:
    """Exclude answers whose decisions are withheld from a reader.

    Args:
        rows: Rows of answers.
        project: The tenant.
        user: The reader; None for a program.
        by: The path from a row to its answer.
    """
    hidden: set[UUID] = set()
    for withheld in WITHHELD_ANSWERS:
        hidden |= withheld(project.id, user)
    return rows.exclude(**{f"{by}__in": hidden}) if hidden else rows
