"""Filters of the answer list; every metric and plot links to one."""

from collections.abc import Callable, Collection, Mapping
from typing import Any, Final
from uuid import UUID

from django.db.models import Exists, F, Func, OuterRef, Q, QuerySet, UUIDField
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from verifyhub.ingest.model_names import model_named
from verifyhub.ingest.models import Interaction, ToolCall
from verifyhub.ingest.selectors import PARENT_ID
from verifyhub.learning.models import FeedbackKind, JudgedAnswer
from verifyhub.review.answer_list.moments import moment
from verifyhub.review.answer_list.report_filters import QUICK, READING
from verifyhub.review.models import Override, ReviewItem
from verifyhub.review.queue import DECIDED
from verifyhub.review.selectors import holds_text
from verifyhub.verification.models import (
    MentionStatus,
    MentionVerdict,
    Verdict,
    Verification,
)

# Interactions with the annotations of `selectors.answers`.
Answers = QuerySet[Any]
FLAGGED = "flagged"
# Filters by people's decisions.
PEOPLE: Final = {
    "open": _("Waiting for a decision"),
    "decided": _("Decided"),
    "overridden": _("Overridden"),
    "wrong": _("Judged incorrect"),
    "right": _("Judged correct"),
}


def narrowed(
    rows: Answers,
    project_id: UUID,
    filters: Mapping[str, Any],
    *,
    read: int | None = None,
) -> Answers:
    """Keep the answers that pass the filters.

    Args:
        rows: Rows with the annotations of `selectors.answers`.
        project_id: The tenant.
        filters: Cleaned data of `AnswerFilterForm`; empty values do not filter.
        read: How many of the newest answers' reports may be read for filters on the
            report; None for all.
    """
    for name, narrow in _FILTERS.items():
        if value := filters.get(name):
            rows = narrow(rows, project_id, str(value))
    opening = [name for name in READING if filters.get(name)]
    if opening and read:
        newest = rows.order_by("-created_at", "-id").values("pk")[:read]
        rows = rows.filter(pk__in=newest)
    for name in opening:
        rows = READING[name](rows, project_id, str(filters[name]))
    return rows


def _equals(field: str) -> Callable[[Answers, UUID, str], Answers]:
    def narrow(rows: Answers, project_id: UUID, value: str) -> Answers:
        return rows.filter(**{field: value})

    return narrow


def _unnamed(rows: Answers, project_id: UUID, what: str) -> Answers:
    """Keep answers whose run has no agent or no model."""
    if what == "model":
        return _model(rows, project_id, "")
    return rows.filter(agent_name="")


def _verdict(rows: Answers, project_id: UUID, verdict: str) -> Answers:
    if verdict == FLAGGED:
        return rows.filter(verdict__in=[Verdict.UNCERTAIN, Verdict.REJECT])
    return rows.filter(verdict=verdict)


def _model(rows: Answers, project_id: UUID, model: str) -> Answers:
    named: Answers = rows.alias(model_named=model_named(""))
    return named.filter(model_named=model)


def _strictness(rows: Answers, project_id: UUID, preset: str) -> Answers:
    """Keep answers that were ever verified with such a result."""
    checked = Verification.objects.filter(interaction=OuterRef("pk"), strictness=preset)
    return rows.filter(Exists(checked))


def _tool(rows: Answers, project_id: UUID, tool: str) -> Answers:
    used = ToolCall.objects.filter(
        project_id=project_id, interaction=OuterRef("pk"), tool=tool
    )
    return rows.filter(Exists(used))


def _name(rows: Answers, project_id: UUID, text: str) -> Answers:
    """Keep answers with a name without evidence, by index."""
    named = MentionVerdict.objects.filter(
        project_id=project_id, key=text, status=MentionStatus.UNVERIFIED
    )
    return rows.filter(pk__in=named.values("verification__interaction_id"))


def _reason(rows: Answers, project_id: UUID, reason: str) -> Answers:
    flagged = MentionVerdict.objects.filter(
        project_id=project_id,
        verification__interaction=OuterRef("pk"),
        status=MentionStatus.UNVERIFIED,
        reason=reason,
    )
    return rows.filter(Exists(flagged))


def by_people(
    rows: Answers,
    project_id: UUID,
    filters: Mapping[str, Any],
    handed: Collection[ReviewItem],
) -> Answers:
    """Keep answers by people's decisions that the viewer may see.

    Args:
        rows: Answers.
        project_id: The tenant.
        filters: `person` is one of `PEOPLE`; `overridden` the target of a decision.
        handed: Gold that the viewer was handed, masked for them: open until they judge
            it, and then with their own decision.
    """
    machine = Q(human_verdict="", verdict=Verdict.REJECT)
    wrong = Q(human_verdict=Verdict.REJECT) | machine
    decided = Q(review_state__in=DECIDED)
    choice = str(filters.get("person") or "")
    condition = {
        "": Q(),
        "open": Q(review_state=ReviewItem.State.OPEN),
        "decided": decided,
        "overridden": Q(review_state=ReviewItem.State.OVERRIDDEN),
        "wrong": decided & wrong,
        "right": decided & ~wrong,
    }[choice]
    excluded = [item.interaction_id for item in handed]
    if choice:
        # By their items, since most answers have none.
        states = [ReviewItem.State.OPEN] if choice == "open" else DECIDED
        items = ReviewItem.objects.filter(project_id=project_id, state__in=states)
        if choice == "wrong":
            items = items.filter(human_verdict__in=["", Verdict.REJECT])
        candidates = Q(pk__in=items.values("interaction_id")) | Q(pk__in=excluded)
        rows = rows.filter(candidates)
    if filters.get("overridden"):
        rows = rows.exclude(pk__in=excluded)
    if not choice:
        return rows
    passing = [item.interaction_id for item in handed if choice in _done_with(item)]
    return rows.filter(Q(pk__in=passing) | ~Q(pk__in=excluded) & condition)


def _done_with(item: ReviewItem) -> set[str]:
    if item.state not in DECIDED:
        return {"open"}
    verdict = item.human_verdict or item.verification.verdict
    done = {"decided", "wrong" if verdict == Verdict.REJECT else "right"}
    return done | ({"overridden"} & {item.state})


def _overridden(rows: Answers, project_id: UUID, target: str) -> Answers:
    """Keep answers with a current decision about such a target."""
    overrides = Override.objects.filter(
        project_id=project_id,
        item__interaction=OuterRef("pk"),
        target=target,
        undone_at=None,
    )
    return rows.filter(Exists(overrides))


class _Parent(Func):
    """An answer's `parent`, for any table alias of the query."""

    output_field = UUIDField()

    def as_sql(
        self,
        compiler: Any,
        connection: Any,  # noqa: ARG002 - Django's own
        *_args: Any,
        **_more: Any,
    ) -> tuple[str, Any]:
        (own,) = self.source_expressions
        row = compiler.quote_name_unless_alias(own.alias)  # type: ignore[attr-defined]
        return PARENT_ID.format(row=row), []


def _attempt(rows: Answers, project_id: UUID, which: str) -> Answers:
    rows = rows.alias(followed=_Parent(F("pk")))
    earlier = Interaction.objects.filter(
        project_id=project_id,
        pk=OuterRef("followed"),
        task=OuterRef("task"),
        created_at__lte=OuterRef("created_at"),
    )
    return rows.filter(Exists(earlier) if which == "again" else ~Exists(earlier))


def _arm(rows: Answers, project_id: UUID, arm: str) -> Answers:
    kind, side = arm.split(":")
    drawn = JudgedAnswer.objects.filter(
        project_id=project_id, arms__contains={kind: side == "held_out"}
    )
    return rows.filter(pk__in=drawn.exclude(arms={}).values("pk"))


_FILTERS: Final[Mapping[str, Callable[[Answers, UUID, str], Answers]]] = {
    "agent": _equals("agent_name"),
    "tier": _equals("agent_tier"),
    "since": lambda rows, _, text: rows.filter(created_at__gte=moment(text)),
    "until": lambda rows, _, text: rows.filter(
        created_at__lt=moment(text, is_end=True)
    ),
    "model": _model,
    "tool": _tool,
    "prompt": _equals("metadata__prompt_version"),
    "strictness": _strictness,
    "name": _name,
    "arm": _arm,
    "verdict": _verdict,
    "state": _equals("state"),
    "because": _reason,
    "overridden": _overridden,
    "attempt": _attempt,
    "unnamed": _unnamed,
    "text": lambda rows, _, text: rows.filter(holds_text(text)),
    **QUICK,
}
# Arms of experiments: kind of feedback, and whether sessions receive it.
ARMS: Final = {
    f"{kind.value}:{side}": format_lazy("{}: {}", kind.label, word)
    for kind in FeedbackKind
    for side, word in (("told", _("feedback")), ("held_out", _("holdout")))
}
