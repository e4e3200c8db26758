"""Filters of answers by decisions that the viewer may know.

Metrics include gold. The list shows it to those who manage gold; for others it looks
like any answer, so that the list does not reveal which answers measure them.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, Subquery, When
from django.db.models.functions import Coalesce, Floor
from django.utils import timezone

from verifyhub.accounts.models import User
from verifyhub.common.long_lists import MOST
from verifyhub.learning.models import CalibrationSample
from verifyhub.learning.selectors.windows import WINDOW_DAYS
from verifyhub.review.answer_list.moments import moment
from verifyhub.review.answer_list.report_filters import TENTHS, in_tenth, with_run
from verifyhub.review.gold import KnownGold, known_gold
from verifyhub.review.models import Override, ReviewItem
from verifyhub.review.queue import DECIDED
from verifyhub.review.visibility import handed_items, withheld_answers
from verifyhub.verification.models import (
    ClaimVerdict,
    MentionStatus,
    MentionVerdict,
    Verdict,
)

Answers = QuerySet[Any]
FILTERS: Final = (
    "known",
    "calibrated",
    "judged",
    "decider",
    "decided_since",
    "decided_until",
    "decided_as",
    "opened_since",
    "opened_until",
)
ALL = "all"
FINAL_VERDICT = Case(
    When(human_verdict="", then=F("verification__verdict")), default=F("human_verdict")
)
FLAGGED_CLAIM = ("contradicted", "unattempted")
# How people changed a check's result.
JUDGED_AS: Final = ("changed", "cleared", "missed")
CHECKS: Final = ("verdict", "names", "completion", "facts")


def by_decisions(
    rows: Answers, project_id: UUID, filters: Mapping[str, Any], viewer: User | None
) -> Answers:
    """Keep answers by their decision, its time, and its reviewer.

    Args:
        rows: Rows with the annotations of `selectors.answers`.
        project_id: The tenant.
        filters: Cleaned data of `AnswerFilterForm`.
        viewer: The viewer; None for a program.
    """
    given = {name: str(filters[name]) for name in FILTERS if filters.get(name)}
    if not given:
        return rows
    gold = known_gold(project_id, viewer)
    handed = handed_items(project_id, viewer) if viewer else []
    excluded = (
        {item.interaction_id for item in handed}
        if viewer
        else withheld_answers(project_id, None)
    )
    passing = [
        item.interaction_id
        for item in handed
        if all(_PASSES[name](item, value) for name, value in given.items())
    ]
    conditions = Q()
    rows = with_run(rows)
    if "known" in given:
        rows = rows.alias(truth=_truth(gold))
        conditions &= _known_answers(given["known"], project_id, gold)
    if "calibrated" in given:
        conditions &= _calibrated(given["calibrated"], project_id, gold)
    if "judged" in given:
        check, _, how = given["judged"].partition(":")
        conditions &= _BY_CHECK[check](how, str(filters.get("why") or ""))
    if any(name.startswith("decide") for name in given):
        conditions &= _decided(project_id, given, gold)
    if opened := _time("created_at", given, "opened"):
        items = ReviewItem.objects.filter(project_id=project_id, **opened)
        conditions &= Q(pk__in=gold.shown(items).values("interaction_id"))
    return rows.filter(Q(pk__in=passing) | ~Q(pk__in=excluded) & conditions)


def _truth(known_gold: KnownGold) -> Coalesce:
    """Return an answer's true verdict: gold's, or else the last decision."""
    decided = (
        ReviewItem.objects.filter(interaction=OuterRef("pk"), state__in=DECIDED)
        .annotate(final_verdict=FINAL_VERDICT)
        .order_by(F("resolved_at").desc(nulls_last=True), "id")
    )
    gold = known_gold.items.filter(item__interaction=OuterRef("pk"))
    right = gold.order_by("-created_at", "id").values("verdict")
    return Coalesce(Subquery(right[:1]), Subquery(decided.values("final_verdict")[:1]))


def _known_answers(answer: str, project_id: UUID, gold: KnownGold) -> Q:
    verdict = {"yes": "", "wrong": Verdict.REJECT, "right": Verdict.ACCEPT}[answer]
    items = Q(state__in=DECIDED)
    if verdict:
        # Not by `FINAL_VERDICT`: the planner can only estimate plain columns.
        agreed = Q(human_verdict="", verification__verdict=verdict)
        items &= Q(human_verdict=verdict) | agreed
    items |= Q(pk__in=gold.items.values("item_id"))
    candidates = ReviewItem.objects.filter(items, project_id=project_id)
    condition = Q(verdict__isnull=False)
    condition &= Q(truth=verdict) if verdict else Q(truth__isnull=False)
    if candidates.order_by()[: MOST + 1].count() > MOST:
        # Many match, so the first page is found quickly from the newest on.
        return condition
    # First the few candidates, then the effective decision.
    return condition & Q(pk__in=candidates.values("interaction_id"))


def _calibrated(tenth: str, project_id: UUID, gold: KnownGold) -> Q:
    """Keep answers whose decision is a calibration sample, of one tenth or of all.

    Gold is included for everybody, since missing answers would reveal it.
    """
    samples = CalibrationSample.objects.filter(
        project_id=project_id,
        check_name="verdict",
        active=True,
        at__gte=timezone.now() - timedelta(days=WINDOW_DAYS),
    )
    if tenth != ALL:
        samples = samples.alias(tenth=Floor(F("score") * TENTHS))
        samples = samples.filter(in_tenth(tenth))
    samples = samples.exclude(example__interaction_id__in=gold.answers())
    return Q(pk__in=samples.values("example__interaction_id"))


def _of_run(how: Q) -> Q:
    """Keep answers whose newest verification has such a decision."""
    items = ReviewItem.objects.filter(verification=OuterRef("run"), state__in=DECIDED)
    return Q(Exists(items.annotate(final_verdict=FINAL_VERDICT).filter(how)))


def _verdict(how: str, why: str) -> Q:
    machine = F("verification__verdict")
    flagged = ~Q(verification__verdict=Verdict.ACCEPT)
    condition = {
        "changed": ~Q(final_verdict=machine),
        "cleared": flagged & Q(final_verdict=Verdict.ACCEPT),
        "missed": ~flagged & Q(final_verdict=Verdict.REJECT),
    }[how]
    return _of_run(condition & Q(reason_kinds__contains=[why]) if why else condition)


def _names(how: str, why: str) -> Q:
    verified, unverified = MentionStatus.VERIFIED, MentionStatus.UNVERIFIED
    condition = {
        "changed": ~Q(human_status="") & ~Q(human_status=F("status")),
        "cleared": Q(status=unverified, human_status=verified),
        "missed": Q(status=verified, human_status=unverified),
    }[how]
    rows = MentionVerdict.objects.filter(
        MentionVerdict.COUNTED, condition, verification=OuterRef("run")
    )
    return _judged_rows(rows, why)


def _completion(how: str, why: str) -> Q:
    flagged = Q(before__in=FLAGGED_CLAIM)
    condition = {
        "changed": ~Q(after=F("before")),
        "cleared": flagged & Q(after="supported"),
        "missed": Q(before="supported", after__in=FLAGGED_CLAIM),
    }[how]
    overrides = Override.objects.filter(
        condition,
        item__verification=OuterRef("run"),
        target=Override.Target.CLAIM,
        undone_at=None,
    )
    return Q(Exists(overrides.filter(before=why) if why else overrides)) & _of_run(Q())


def _facts(how: str, why: str) -> Q:
    cleared = Q(status="contradicted", human_status="right")
    missed = Q(status="verified", human_status="wrong")
    condition = {"changed": cleared | missed, "cleared": cleared, "missed": missed}[how]
    rows = ClaimVerdict.objects.filter(condition, verification=OuterRef("run"))
    return _judged_rows(rows, why)


def _judged_rows(rows: QuerySet[Any], why: str) -> Q:
    """Keep answers with such a row, for a reason if one is given, and a decision."""
    return Q(Exists(rows.filter(reason=why) if why else rows)) & _of_run(Q())


_BY_CHECK: Final[Mapping[str, Callable[[str, str], Q]]] = {
    "verdict": _verdict,
    "names": _names,
    "completion": _completion,
    "facts": _facts,
}


def _decided(project_id: UUID, given: Mapping[str, str], gold: KnownGold) -> Q:
    """Keep answers decided in a period, including gold for those who manage it."""
    items = ReviewItem.objects.filter(
        project_id=project_id, state__in=DECIDED, **_time("resolved_at", given)
    )
    judgements = gold.judgements.filter(**_time("given_at", given))
    kind, _, who = given.get("decider", "").partition(" ")
    if kind == "user":
        items = items.filter(resolved_by=int(who))
        judgements = judgements.filter(reviewer=int(who))
    elif kind == "key":
        items, judgements = items.filter(resolved_by_key=UUID(who)), judgements.none()
    if given.get("decided_as") == "changed":
        machine = F("verification__verdict")
        items = items.exclude(human_verdict="").exclude(human_verdict=machine)
        judgements = judgements.exclude(verdict=F("item__verification__verdict"))
    judged = judgements.values("item__interaction_id")
    return Q(pk__in=items.values("interaction_id")) | Q(pk__in=judged)


def _time(
    column: str, given: Mapping[str, str], prefix: str = "decided"
) -> dict[str, datetime | None]:
    conditions = {}
    if since := given.get(f"{prefix}_since"):
        conditions[f"{column}__gte"] = moment(since)
    if until := given.get(f"{prefix}_until"):
        conditions[f"{column}__lt"] = moment(until, is_end=True)
    return conditions


def _final_verdict(item: ReviewItem) -> str:
    return item.human_verdict or item.verification.verdict


def _seems_known(item: ReviewItem, answer: str) -> bool:
    verdicts: dict[str, Sequence[str]] = {
        "yes": Verdict.values,
        "wrong": [Verdict.REJECT],
        "right": [Verdict.ACCEPT],
    }
    return item.state in DECIDED and _final_verdict(item) in verdicts[answer]


def _seems_calibrated(item: ReviewItem, tenth: str) -> bool:
    confidence = item.verification.confidence
    if item.state not in DECIDED or confidence is None:
        return False
    return tenth == ALL or str(min(int(confidence * TENTHS), TENTHS - 1)) == tenth


def _seems_judged(item: ReviewItem, judged: str) -> bool:
    check, _, how = judged.partition(":")
    if check != "verdict" or item.state not in DECIDED:
        return False
    machine, final = item.verification.verdict, _final_verdict(item)
    return {
        "changed": final != machine,
        "cleared": machine != Verdict.ACCEPT and final == Verdict.ACCEPT,
        "missed": machine == Verdict.ACCEPT and final == Verdict.REJECT,
    }[how]


def _in_time(column: str, *, is_end: bool = False) -> Callable[[ReviewItem, str], bool]:
    """Return a filter: a time of an item is in a period."""

    def passes(item: ReviewItem, text: str) -> bool:
        at, bound = getattr(item, column), moment(text, is_end=is_end)
        return bool(at and bound) and (at < bound) == is_end

    return passes


_PASSES: Final[Mapping[str, Callable[[ReviewItem, str], bool]]] = {
    "known": _seems_known,
    "calibrated": _seems_calibrated,
    "judged": _seems_judged,
    "decider": lambda item, decider: decider == f"user {item.resolved_by_id}",
    "decided_since": _in_time("resolved_at"),
    "decided_until": _in_time("resolved_at", is_end=True),
    "decided_as": lambda item, how: (
        how == "changed" and item.state == ReviewItem.State.OVERRIDDEN
    ),
    "opened_since": _in_time("created_at"),
    "opened_until": _in_time("created_at", is_end=True),
}
