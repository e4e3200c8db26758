"""Filters of answers by the report of their newest finished verification.

`metrics.counting` counts them, and its links must lead to exactly the answers that were
counted.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final
from uuid import UUID

from django.db.models import (
    BooleanField,
    Exists,
    F,
    Func,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
)
from django.db.models.fields.json import KeyTransform
from django.db.models.functions import Floor

from verifyhub.inference.models import ModelCall
from verifyhub.review.models import Override
from verifyhub.verification.models import MentionStatus, MentionVerdict, Verification

Answers = QuerySet[Any]
TENTHS = 10
NONE = "none"
# Reports are large: lists read those of at most so many of the newest answers that pass
# the other filters.
READ = 20_000


def finished() -> QuerySet[Verification]:
    """Return an answer's finished verifications, the effective one first."""
    return Verification.objects.filter(
        interaction=OuterRef("pk"), state=Verification.State.FINISHED
    ).order_by("-number")


def with_run(rows: Answers) -> Answers:
    """Annotate each answer with its newest finished verification, `run`."""
    annotated: Answers = rows.alias(run=Subquery(finished().values("pk")[:1]))
    return annotated


def in_tenth(tenth: str) -> Q:
    """Keep rows whose `tenth` is in one bar of the histogram; 1 is in the last."""
    at = int(tenth)
    return Q(tenth__gte=at) if at == TENTHS - 1 else Q(tenth=at)


def _confidence(rows: Answers, project_id: UUID, tenth: str) -> Answers:
    if tenth == NONE:
        none = _once(project_id, confidence=None)
        return rows.filter(none, verdict__isnull=False, confidence=None)
    measured: Answers = rows.alias(tenth=Floor(F("confidence") * TENTHS))
    return measured.filter(in_tenth(tenth))


def _settled(rows: Answers, project_id: UUID, flag: str) -> Answers:
    """Keep answers without anything that could be checked."""
    measured: Answers = rows.alias(coverage=Subquery(finished().values("coverage")[:1]))
    return measured.filter(_once(project_id, coverage=0), coverage=0)


def _once(project_id: UUID, **facts: Any) -> Q:
    """Return a filter by the result of any verification, which few answers have."""
    runs = Verification.objects.filter(
        project_id=project_id, state=Verification.State.FINISHED, **facts
    )
    return Q(pk__in=runs.values("interaction_id"))


def _mentions() -> QuerySet[MentionVerdict]:
    return MentionVerdict.objects.filter(
        MentionVerdict.COUNTED, verification=OuterRef("run")
    )


def _invented(rows: Answers, project_id: UUID, flag: str) -> Answers:
    """Keep answers with an effectively unsupported name."""
    invented = _mentions().filter(
        Q(human_status=MentionStatus.UNVERIFIED)
        | Q(human_status="", status=MentionStatus.UNVERIFIED)
    )
    return with_run(rows).filter(Exists(invented))


def _kind(rows: Answers, project_id: UUID, kind: str) -> Answers:
    """Keep answers in which verification found no evidence for a name of a kind."""
    unverified = _mentions().filter(kind=kind, status=MentionStatus.UNVERIFIED)
    return with_run(rows).filter(Exists(unverified))


def _cleared(rows: Answers, project_id: UUID, kind: str) -> Answers:
    """Keep answers in which a person marked such a name as right."""
    cleared = _mentions().filter(
        kind=kind,
        status=MentionStatus.UNVERIFIED,
        human_status=MentionStatus.VERIFIED,
    )
    return with_run(rows).filter(Exists(cleared))


def _ghost(rows: Answers, project_id: UUID, ghost: str) -> Answers:
    """Keep answers with a name without evidence that nobody marked as right.

    Args:
        rows: Answers.
        project_id: The tenant.
        ghost: The kind of the name, a colon, and its normalised form.
    """
    kind, _, key = ghost.partition(":")
    named = MentionVerdict.objects.filter(
        MentionVerdict.COUNTED,
        project_id=project_id,
        kind=kind,
        key=key,
        status=MentionStatus.UNVERIFIED,
    ).exclude(human_status=MentionStatus.VERIFIED)
    # By the index on names: few answers contain it.
    candidates = rows.filter(pk__in=named.values("verification__interaction_id"))
    return with_run(candidates).filter(run__in=named.values("verification_id"))


def _asked(field: str) -> Callable[[Answers, UUID, str], Answers]:
    """Keep answers with a model call that has such a field."""

    def narrow(rows: Answers, project_id: UUID, value: str) -> Answers:
        calls = ModelCall.objects.filter(project_id=project_id, **{field: value})
        return rows.filter(_is_asked(calls))

    return narrow


def _is_asked(calls: QuerySet[ModelCall]) -> Q:
    runs = Verification.objects.filter(
        pk__in=calls.exclude(verification_id=None).values("verification_id")
    )
    # By the calls' answers, since most answers have no model call.
    return Q(pk__in=runs.values("interaction_id"))


def _paid(rows: Answers, project_id: UUID, which: str) -> Answers:
    """Keep answers with model calls; for `run`, those with a known cost."""
    calls = ModelCall.objects.filter(project_id=project_id)
    if which == "run":
        priced = calls.filter(cost_microdollars__isnull=False).exclude(outcome="budget")
        return rows.filter(_is_asked(priced), run_cost_microdollars__isnull=False)
    if which == "verdict":
        return rows.filter(_is_asked(calls.exclude(outcome="budget")))
    return rows.filter(_is_asked(calls))


def _report(
    part: str, held: Callable[[str], Any]
) -> Callable[[Answers, UUID, str], Answers]:
    """Keep answers whose report contains a filter's value in one of its parts."""

    def narrow(rows: Answers, project_id: UUID, value: str) -> Answers:
        holds = {f"report__{part}": held(value)}
        runs = Verification.objects.filter(pk=OuterRef("run"), **holds)
        return with_run(rows).filter(Exists(runs))

    return narrow


def _ended_check(ended: str) -> list[dict[str, str]]:
    """Return the check before the colon, and the outcome after it."""
    name, _, outcome = ended.rpartition(":")
    return [{"name": name, "outcome": outcome}]


class _HasUnsupported(Func):
    """Whether a report contains such a value: values, checks, run, kind (empty: any).

    Equal to the section `values` of `metrics.counting`.
    """

    output_field = BooleanField()
    template = """EXISTS (
        SELECT FROM (SELECT %(expressions)s) AS asked (held, checks, run, kind)
        CROSS JOIN LATERAL jsonb_array_elements(asked.held)
            WITH ORDINALITY AS one (value, place)
        LEFT JOIN LATERAL (
            SELECT made.after FROM review_override AS made
            JOIN review_reviewitem AS item ON item.id = made.item_id
            WHERE item.verification_id = asked.run AND made.target = 'value'
              AND made.undone_at IS NULL
              AND made.subject -> 'index' = to_jsonb(one.place - 1)
            ORDER BY made.created_at DESC, made.id DESC LIMIT 1
        ) AS said ON true
        WHERE asked.kind IN ('', one.value ->> 'kind')
          AND CASE WHEN said.after IS NOT NULL THEN said.after = 'wrong'
              ELSE one.value ->> 'status' = 'unsupported' AND (
                  asked.checks @> '[{"name": "values", "outcome": "passed"}]'
                  OR asked.checks @> '[{"name": "values", "outcome": "failed"}]'
              ) END
    )"""


def _has_unsupported(rows: Answers, project_id: UUID, kind: str) -> Answers:
    columns = KeyTransform("values", "report"), KeyTransform("checks", "report")
    wrong = _HasUnsupported(*columns, F("pk"), Value(kind))
    runs = Verification.objects.filter(wrong, pk=OuterRef("run"))
    return with_run(rows).filter(Exists(runs))


def _values(rows: Answers, project_id: UUID, which: str) -> Answers:
    """Keep answers with checked values, or with an effectively unsupported one."""
    if which == "unsupported":
        return _has_unsupported(rows, project_id, "")
    settled = Q()
    for outcome in ("passed", "failed"):
        ended = [{"name": "values", "outcome": outcome}]
        settled |= Q(report__checks__contains=ended)
    judged = Override.objects.filter(
        item__verification=OuterRef("pk"),
        target=Override.Target.VALUE,
        undone_at=None,
    )
    checked = Verification.objects.filter(settled | Exists(judged), pk=OuterRef("run"))
    return with_run(rows).filter(Exists(checked))


QUICK: Final[Mapping[str, Callable[[Answers, UUID, str], Answers]]] = {
    "checked": lambda rows, _project, _flag: rows.filter(verdict__isnull=False),
    "confidence": _confidence,
    "settled": _settled,
    "invented": _invented,
    "name_kind": _kind,
    "name_cleared": _cleared,
    "ghost": _ghost,
    "asked_tier": _asked("tier"),
    "asked_for": _asked("purpose"),
    "paid": _paid,
}
# These filters read reports.
READING: Final[Mapping[str, Callable[[Answers, UUID, str], Answers]]] = {
    "ended": _report("checks__contains", _ended_check),
    "fault": _report(
        "checks__contains",
        lambda category: [{"details": {"errors": [{"category": category}]}}],
    ),
    "claimed": _report(
        "completion_claims__contains", lambda status: [{"status": status}]
    ),
    "finding": _report("warnings__contains", lambda code: [{"code": code}]),
    "goal": _report("goal__state", str),
    "values": _values,
    "value_kind": _has_unsupported,
}
