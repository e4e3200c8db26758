"""The dimensions of a comparison, and the sides of each."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    OuterRef,
    QuerySet,
    TextField,
    Value,
    When,
)
from django.db.models.expressions import Combinable
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast, Coalesce

from verifyhub.accounts.models import Project
from verifyhub.ingest.model_names import model_named
from verifyhub.learning.models import FeedbackKind, JudgedAnswer
from verifyhub.metrics.selectors.answers import current_verifications
from verifyhub.metrics.windows import Window, within
from verifyhub.verification.models import Verification

# The newest answers of one side in a comparison: the interval of a share over so many
# is within 1.4 percentage points, and it is fast enough for a page.
MAX_ANSWERS = 5_000
# Sides that a page offers.
MAX_OFFERED = 20
TOLD, HELD_OUT = "told", "held_out"


@dataclass(frozen=True, slots=True, kw_only=True)
class Offered:
    """One side that can be chosen, with its number of the newest answers."""

    value: str
    answers: int


def _of_answer(
    value: Callable[[], Combinable],
) -> Callable[..., QuerySet[Any]]:
    def rows(project: Project, window: Window) -> QuerySet[Any]:
        return current_verifications(project, window).annotate(side=value())

    return rows


def _of_strategy(field: str) -> Callable[..., QuerySet[Any]]:
    """Use each answer's newest verification of each strategy."""

    def rows(project: Project, window: Window) -> QuerySet[Any]:
        finished = Verification.objects.filter(
            project=project, state=Verification.State.FINISHED
        )
        newer = finished.filter(
            interaction=OuterRef("interaction"),
            number__gt=OuterRef("number"),
            **{field: OuterRef(field)},
        )
        side = (
            Case(When(with_layers=True, then=Value("layers")), default=Value("rules"))
            if field == "with_layers"
            else F(field)
        )
        runs = within(finished.filter(~Exists(newer)), window)
        return runs.annotate(side=Cast(side, TextField()))

    return rows


def _of_experiment(kind: str) -> Callable[..., QuerySet[Any]]:
    def rows(project: Project, window: Window) -> QuerySet[Any]:
        drawn = JudgedAnswer.objects.filter(project=project).exclude(arms={})
        held_out_runs = drawn.filter(arms__contains={kind: True})
        told_runs = drawn.filter(arms__contains={kind: False})
        own = current_verifications(project, window)
        return own.filter(
            interaction_id__in=(held_out_runs | told_runs).values("pk")
        ).annotate(
            side=Case(
                When(
                    interaction_id__in=held_out_runs.values("pk"), then=Value(HELD_OUT)
                ),
                default=Value(TOLD),
            )
        )

    return rows


DIMENSIONS: Final[Mapping[str, Callable[..., QuerySet[Any]]]] = {
    "agent": _of_answer(lambda: F("interaction__agent_name")),
    "tier": _of_answer(lambda: F("interaction__agent_tier")),
    "model": _of_answer(lambda: model_named("interaction__")),
    "prompt": _of_answer(
        lambda: Coalesce(
            KeyTextTransform("prompt_version", "interaction__metadata"),
            Value(""),
            output_field=TextField(),
        )
    ),
    "strictness": _of_strategy("strictness"),
    "layers": _of_strategy("with_layers"),
    "engine": _of_strategy("engine_version"),
    **{f"told-{kind}": _of_experiment(kind) for kind in FeedbackKind.values},
}
# In these, the same answers may be on both sides.
PAIRED: Final = frozenset({"strictness", "layers", "engine"})


def rows_by(project: Project, window: Window, by: str) -> QuerySet[Any]:
    """Return the compared verifications, each with its `side`.

    Args:
        project: The tenant.
        window: The answers to compare.
        by: One of `DIMENSIONS`.
    """
    return DIMENSIONS[by](project, window)


def newest_ids(rows: QuerySet[Any]) -> QuerySet[Any, Any]:
    """Return the ids of the rows of the newest answers, at most MAX_ANSWERS."""
    # The order of the indexes on answers, so that no older answer is read.
    latest = rows.order_by("-interaction__created_at", "-interaction_id", "-pk")
    return latest.values("pk")[:MAX_ANSWERS]


def newest(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Return the rows of the newest answers, at most MAX_ANSWERS, in no order."""
    return rows.order_by().filter(pk__in=newest_ids(rows))


def offered(project: Project, window: Window, by: str) -> list[Offered]:
    """Return the sides of the newest answers, those with the most first."""
    rows = (
        newest(rows_by(project, window, by))
        .values("side")
        .annotate(answers=Count("pk"))
        .order_by("-answers", "side")
    )
    return [
        Offered(value=row["side"], answers=row["answers"]) for row in rows[:MAX_OFFERED]
    ]
