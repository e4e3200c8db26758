"""Choose few-shot examples for a verifier: similar to the answer, of both labels.

And the pairs to train models with.
"""

from collections import Counter
from collections.abc import Iterable
from uuid import UUID

from django.db.models import F, FloatField, Func, Q, QuerySet, Value

from verifyhub.accounts.models import Project
from verifyhub.engine.judging.examples import MAX_EXAMPLES, Example
from verifyhub.learning.excerpts import answer_excerpt, likeness_of, task_excerpt
from verifyhub.learning.models import LabelledExample, PreferencePair

# Nearest ones that a choice is made from.
CANDIDATES = 60
# Examples with the same reason, or on the same subject, at most.
MAX_ALIKE = 2


class _Distance(Func):
    """1 less the share of trigrams that two texts have in common (pg_trgm)."""

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
    """Return the pairs of a project that are in force, newest first, with their task.

    One per answer: the newest correction of it that stands.
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
    """Choose people's decisions on similar answers of the same project.

    Likeness is trigram similarity of task and answer, each cut to the excerpt that an
    example keeps; the index returns the nearest in order. Of these, at most two share
    a reason or a subject, and decisions where the machine was wrong take turns with
    those where it was right, so that a verifier learns neither to doubt nor to nod.

    Args:
        project: The tenant.
        task: What was asked.
        answer: What is to be verified.
        limit: How many at most; never more than 8.
        without: The answer at hand, if it is stored: what people said of it is no
            example for itself.
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
    """Choose among examples, nearest first: of both labels, no near duplicates."""
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
    """Take from both in turns while both last, then from the one that is left."""
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
