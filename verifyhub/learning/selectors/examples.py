"""Select few-shot examples for a verifier: similar to the answer, of both labels.

And the pairs for training models.
"""

from collections import Counter
from collections.abc import Iterable
from uuid import UUID

from django.db.models import F, FloatField, Func, Q, QuerySet, Value

from verifyhub.accounts.models import Project
from verifyhub.engine.judging.examples import MAX_EXAMPLES, Example
from verifyhub.learning.excerpts import answer_excerpt, likeness_of, task_excerpt
from verifyhub.learning.models import LabelledExample, PreferencePair

# The most similar examples, among which a few are selected.
CANDIDATES = 60
# Maximum examples with the same reason, or on the same subject.
MAX_ALIKE = 2


class _Distance(Func):
    """1 minus the share of trigrams that two texts have in common (pg_trgm)."""

    template = "%(expressions)s"
    arg_joiner = " <-> "
    output_field = FloatField()


def examples(
    project: Project, *, search: str = "", state: str = "", target: str = ""
) -> QuerySet[LabelledExample]:
    """Return the examples of a project, newest first, with optional filters."""
    rows = LabelledExample.objects.filter(project=project).select_related("reviewer")
    if state:
        rows = rows.filter(state=state)
    if target:
        rows = rows.filter(target=target)
    if search:
        rows = rows.filter(
            Q(subject__icontains=search)
            | Q(reason__icontains=search)
            | Q(likeness__icontains=search)
        )
    return rows.order_by("-decided_at", "-id")


def preference_pairs(project: Project) -> QuerySet[PreferencePair]:
    """Return the active pairs of a project, newest first, with their task.

    One per answer: its newest current correction.
    """
    return (
        PreferencePair.objects.filter(project=project, active=True)
        .select_related("interaction")
        .order_by("-decided_at", "-id")
    )


def examples_for(
    *,
    project: Project,
    task: str,
    answer: str,
    limit: int = MAX_EXAMPLES,
    without: UUID | None = None,
) -> list[Example]:
    """Select people's decisions on similar answers of the same project.

    Similarity is that of trigrams of task and answer, truncated to an example's
    excerpt; an index returns the most similar in order. Of these, at most two have the
    same reason or subject, and those in which verification was wrong and right
    alternate, so that they do not bias a verifier.

    Args:
        project: The tenant.
        task: The task.
        answer: The answer to verify.
        limit: Maximum number, at most 8.
        without: The answer's interaction, if it is stored: decisions on it are no
            examples for itself.
    """
    text = likeness_of(task_excerpt(task), answer_excerpt(answer))
    rows = LabelledExample.objects.filter(project=project, active=True)
    if without is not None:
        rows = rows.exclude(interaction_id=without)
    near = list(nearest_first(rows, text)[:CANDIDATES])
    chosen = chosen_of(near, min(limit, MAX_EXAMPLES))
    return [as_engine(row) for row in chosen]


def nearest_first(
    rows: QuerySet[LabelledExample], text: str
) -> QuerySet[LabelledExample]:
    """Order examples by similarity to a text, using the index."""
    return rows.order_by(_Distance(F("likeness"), Value(text)))


def chosen_of(near: Iterable[LabelledExample], limit: int) -> list[LabelledExample]:
    """Select among examples, most similar first: of both labels, no near duplicates."""
    reasons: Counter[str] = Counter()
    subjects: Counter[tuple[str, str]] = Counter()
    wrong: list[LabelledExample] = []
    right: list[LabelledExample] = []
    for row in near:
        reason = " ".join(row.reason.casefold().split())
        subject = (row.subject_kind, row.subject.casefold())
        if (reason and reasons[reason] >= MAX_ALIKE) or (
            row.subject and subjects[subject] >= MAX_ALIKE
        ):
            continue
        reasons[reason] += 1
        subjects[subject] += 1
        (right if row.agrees else wrong).append(row)
    return _in_turns(wrong, right, limit)


def _in_turns(
    first: list[LabelledExample], second: list[LabelledExample], limit: int
) -> list[LabelledExample]:
    """Alternate between both until one is exhausted, then return the rest."""
    half = limit // 2
    from_second = min(len(second), max(half, limit - len(first)))
    from_first = min(len(first), limit - from_second)
    pairs = zip(first[:from_first], second[:from_second], strict=False)
    mixed = [row for pair in pairs for row in pair]
    shorter = min(from_first, from_second)
    return mixed + first[shorter:from_first] + second[shorter:from_second]


def as_engine(row: LabelledExample) -> Example:
    """Return an example as an engine value."""
    return Example(
        target=row.target,
        subject=row.subject,
        kind=row.subject_kind,
        machine=row.machine,
        person=row.person,
        reason=row.reason,
        task=row.task_excerpt,
        answer=row.answer_excerpt,
    )
