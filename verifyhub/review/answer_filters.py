"""Which answers a filter of the list means: what every figure and plot leads to."""

from collections.abc import Callable, Collection, Mapping
from datetime import UTC, datetime, time, timedelta
from typing import Any, Final
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.utils.dateparse import parse_date, parse_datetime
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from verifyhub.engine.grounding.ground import NOT_COUNTED
from verifyhub.inference.models import ModelCall
from verifyhub.ingest.models import Interaction, ToolCall
from verifyhub.ingest.selectors import model_named
from verifyhub.learning.models import FeedbackKind, JudgedAnswer
from verifyhub.review.models import Override, ReviewItem
from verifyhub.review.queue_filters import DECIDED
from verifyhub.verification.models import (
    MentionStatus,
    MentionVerdict,
    Verdict,
    Verification,
)

# Interactions with the annotations of `selectors.answers`.
Answers = QuerySet[Any]
FLAGGED = "flagged"
TENTHS = 10
# What people did with an answer.
PEOPLE: Final = {
    "open": _("Waits for a decision"),
    "decided": _("Decided"),
    "overridden": _("Overridden"),
    "wrong": _("Found wrong"),
    "right": _("Found right"),
}


def moment(text: str, *, is_end: bool = False) -> datetime | None:
    """Read a day or a moment; naive ones are UTC.

    Args:
        text: As `2026-11-21`, or with a time.
        is_end: Whether a day means its end: the first moment of the next.

    Returns:
        An aware moment; None where the text is neither.
    """
    try:
        found = parse_datetime(text) if len(text) > len("2026-11-21") else None
        day = None if found else parse_date(text)
    except ValueError:
        return None
    if found:
        return found if found.tzinfo else found.replace(tzinfo=UTC)
    if day is None or not 1 < day.year < 9999:
        return None
    return datetime.combine(day, time.min, tzinfo=UTC) + timedelta(days=is_end)


def narrowed(rows: Answers, project_id: UUID, filters: Mapping[str, Any]) -> Answers:
    """Keep the answers that pass the filters.

    Args:
        rows: With the annotations of `selectors.answers`.
        project_id: The tenant.
        filters: Cleaned data of `AnswerFilterForm`; empty values do not filter.
    """
    for name, narrow in _FILTERS.items():
        if value := filters.get(name):
            rows = narrow(rows, project_id, str(value))
    return rows


def _equals(field: str) -> Callable[[Answers, UUID, str], Answers]:
    def narrow(rows: Answers, project_id: UUID, value: str) -> Answers:
        return rows.filter(**{field: value})

    return narrow


def _text(rows: Answers, project_id: UUID, text: str) -> Answers:
    return rows.filter(
        Q(task__icontains=text) | Q(answer__icontains=text) | Q(client_id=text)
    )


def _verdict(rows: Answers, project_id: UUID, verdict: str) -> Answers:
    if verdict == FLAGGED:
        return rows.filter(verdict__in=[Verdict.UNCERTAIN, Verdict.REJECT])
    return rows.filter(verdict=verdict)


def _since(rows: Answers, project_id: UUID, text: str) -> Answers:
    return rows.filter(created_at__gte=moment(text))


def _until(rows: Answers, project_id: UUID, text: str) -> Answers:
    return rows.filter(created_at__lt=moment(text, is_end=True))


def _model(rows: Answers, project_id: UUID, model: str) -> Answers:
    named: Answers = rows.alias(model_named=model_named(""))
    return named.filter(model_named=model)


def _prompt(rows: Answers, project_id: UUID, version: str) -> Answers:
    return rows.filter(metadata__prompt_version=version)


def _strictness(rows: Answers, project_id: UUID, preset: str) -> Answers:
    """Keep answers that were verified so at some time."""
    checked = Verification.objects.filter(interaction=OuterRef("pk"), strictness=preset)
    return rows.filter(Exists(checked))


def _tool(rows: Answers, project_id: UUID, tool: str) -> Answers:
    used = ToolCall.objects.filter(
        project_id=project_id, interaction=OuterRef("pk"), tool=tool
    )
    return rows.filter(Exists(used))


def _confidence(rows: Answers, project_id: UUID, tenth: str) -> Answers:
    """Keep one bar of the histogram; the last includes 1."""
    at = int(tenth)
    wanted = Q(confidence__gte=at / TENTHS)
    if at < TENTHS - 1:
        wanted &= Q(confidence__lt=(at + 1) / TENTHS)
    return rows.filter(wanted)


def _name(rows: Answers, project_id: UUID, text: str) -> Answers:
    """Keep answers in which a name stood without evidence: by index, not by reading."""
    named = MentionVerdict.objects.filter(
        project_id=project_id, key=text, status=MentionStatus.UNVERIFIED
    )
    return rows.filter(pk__in=named.values("verification__interaction_id"))


def _invented(rows: Answers, project_id: UUID, flag: str) -> Answers:
    """Keep answers of whose newest check a counted name stands without evidence."""
    newer = Verification.objects.filter(
        interaction=OuterRef("verification__interaction"),
        state=Verification.State.FINISHED,
        number__gt=OuterRef("verification__number"),
    )
    invented = MentionVerdict.objects.filter(
        Q(human_status=MentionStatus.UNVERIFIED)
        | Q(human_status="", status=MentionStatus.UNVERIFIED),
        Q(status=MentionStatus.VERIFIED) | ~Q(reason__in=NOT_COUNTED),
        ~Exists(newer),
        verification__interaction=OuterRef("pk"),
        verification__state=Verification.State.FINISHED,
    )
    return rows.filter(Exists(invented))


def _reason(rows: Answers, project_id: UUID, reason: str) -> Answers:
    flagged = MentionVerdict.objects.filter(
        project_id=project_id,
        verification__interaction=OuterRef("pk"),
        status=MentionStatus.UNVERIFIED,
        reason=reason,
    )
    return rows.filter(Exists(flagged))


def by_people(
    rows: Answers, filters: Mapping[str, Any], handed: Collection[ReviewItem]
) -> Answers:
    """Keep answers by what people did with them, as the viewer may see it.

    Args:
        rows: Answers.
        filters: `person` is one of `PEOPLE`; `overridden` what a decision is about.
        handed: Gold that the viewer was handed, as they are to see it: for them it is
            open until they judge it, and then it is decided as they did.
    """
    wrong = Q(human_verdict=Verdict.REJECT) | Q(
        human_verdict="", verdict=Verdict.REJECT
    )
    decided = Q(review_state__in=DECIDED)
    did = str(filters.get("person") or "")
    wanted = {
        "": Q(),
        "open": Q(review_state=ReviewItem.State.OPEN),
        "decided": decided,
        "overridden": Q(review_state=ReviewItem.State.OVERRIDDEN),
        "wrong": decided & wrong,
        "right": decided & ~wrong,
    }[did]
    apart = [item.interaction_id for item in handed]
    if filters.get("overridden"):
        rows = rows.exclude(pk__in=apart)
    if not did:
        return rows
    alike = [item.interaction_id for item in handed if did in _done_with(item)]
    return rows.filter(Q(pk__in=alike) | ~Q(pk__in=apart) & wanted)


def _done_with(item: ReviewItem) -> set[str]:
    if item.state not in DECIDED:
        return {"open"}
    said = item.human_verdict or item.verification.verdict
    done = {"decided", "wrong" if said == Verdict.REJECT else "right"}
    return done | ({"overridden"} & {item.state})


def _overridden(rows: Answers, project_id: UUID, target: str) -> Answers:
    """Keep answers in which a decision about such a thing stands."""
    made = Override.objects.filter(
        project_id=project_id,
        item__interaction=OuterRef("pk"),
        target=target,
        undone_at=None,
    )
    return rows.filter(Exists(made))


def _attempt(rows: Answers, project_id: UUID, which: str) -> Answers:
    earlier = Interaction.objects.filter(
        project_id=project_id,
        client_id=OuterRef("parent"),
        task=OuterRef("task"),
        created_at__lte=OuterRef("created_at"),
    )
    return rows.filter(Exists(earlier) if which == "again" else ~Exists(earlier))


def _settled(rows: Answers, project_id: UUID, flag: str) -> Answers:
    """Keep answers in which the evidence could settle nothing."""
    latest = Verification.objects.filter(interaction=OuterRef("pk"))
    coverage = Subquery(latest.order_by("-number").values("coverage")[:1])
    measured: Answers = rows.alias(coverage=coverage)
    return measured.filter(coverage=0)


def _paid(rows: Answers, project_id: UUID, flag: str) -> Answers:
    """Keep answers whose verification asked a model."""
    calls = ModelCall.objects.filter(project_id=project_id).exclude(
        verification_id=None
    )
    asking = Verification.objects.filter(
        interaction=OuterRef("pk"), id__in=calls.values("verification_id")
    )
    return rows.filter(Exists(asking))


def _arm(rows: Answers, project_id: UUID, arm: str) -> Answers:
    kind, side = arm.split(":")
    drawn = JudgedAnswer.objects.filter(
        project_id=project_id, arms__contains={kind: side == "held_out"}
    )
    return rows.filter(pk__in=drawn.exclude(arms={}).values("pk"))


_FILTERS: Final[Mapping[str, Callable[[Answers, UUID, str], Answers]]] = {
    "agent": _equals("agent_name"),
    "tier": _equals("agent_tier"),
    "since": _since,
    "until": _until,
    "model": _model,
    "tool": _tool,
    "prompt": _prompt,
    "strictness": _strictness,
    "name": _name,
    "arm": _arm,
    "verdict": _verdict,
    "state": _equals("state"),
    "confidence": _confidence,
    "because": _reason,
    "invented": _invented,
    "overridden": _overridden,
    "attempt": _attempt,
    "settled": _settled,
    "paid": _paid,
    "text": _text,
}
# Arms of experiments: kind of feedback, and whether sessions are told of it.
ARMS: Final = {
    f"{kind.value}:{side}": format_lazy("{}: {}", kind.label, word)
    for kind in FeedbackKind
    for side, word in (("told", _("told")), ("held_out", _("held out")))
}
