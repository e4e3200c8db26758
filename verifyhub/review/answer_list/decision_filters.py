"""Which answers a figure about people's decisions means, as the viewer may know them.

Gold counts in the figures. Who keeps gold finds it in the list; to everybody else it
is an answer like others, or the list would tell which ones measure them.
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
from verifyhub.review.answer_list.report_filters import (
    TENTHS,
    in_tenth,
    with_run,
)
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
SAID = Case(
    When(human_verdict="", then=F("verification__verdict")), default=F("human_verdict")
)
FLAGGED_CLAIM = ("contradicted", "unattempted")
# What people did with a judgement of a check, and the checks.
JUDGED_AS: Final = ("changed", "cleared", "missed")
CHECKS: Final = ("verdict", "names", "completion", "facts")


def by_decisions(
    rows: Answers, project_id: UUID, filters: Mapping[str, Any], viewer: User | None
) -> Answers:
    """Keep answers by what was decided about them, when, and by whom.

    Args:
        rows: With the annotations of `selectors.answers`.
        project_id: The tenant.
        filters: Cleaned data of `AnswerFilterForm`.
        viewer: Who asks; None for a program.
    """
    asked = {name: str(filters[name]) for name in FILTERS if filters.get(name)}
    if not asked:
        return rows
    known = known_gold(project_id, viewer)
    handed = handed_items(project_id, viewer) if viewer else []
    apart = (
        {item.interaction_id for item in handed}
        if viewer
        else withheld_answers(project_id, None)
    )
    alike = [
        item.interaction_id
        for item in handed
        if all(_PASSES[name](item, value) for name, value in asked.items())
    ]
    wanted = Q()
    rows = with_run(rows)
    if "known" in asked:
        rows = rows.alias(truth=_truth(known))
        wanted &= _known(asked["known"], project_id, known)
    if "calibrated" in asked:
        wanted &= _calibrated(asked["calibrated"], project_id, known)
    if "judged" in asked:
        wanted &= _judged(asked["judged"], str(filters.get("why") or ""))
    if any(name.startswith("decide") for name in asked):
        wanted &= _decided(project_id, asked, known)
    if any(name.startswith("opened") for name in asked):
        wanted &= _opened(project_id, asked, known)
    return rows.filter(Q(pk__in=alike) | ~Q(pk__in=apart) & wanted)


def _truth(known: KnownGold) -> Coalesce:
    """Return what an answer is known to be: of gold first, then as last decided."""
    decided = (
        ReviewItem.objects.filter(interaction=OuterRef("pk"), state__in=DECIDED)
        .annotate(said=SAID)
        .order_by(F("resolved_at").desc(nulls_last=True), "id")
    )
    gold = known.items.filter(item__interaction=OuterRef("pk"))
    right = gold.order_by("-created_at", "id").values("verdict")
    return Coalesce(Subquery(right[:1]), Subquery(decided.values("said")[:1]))


def _known(asked: str, project_id: UUID, known: KnownGold) -> Q:
    wanted = {"yes": "", "wrong": Verdict.REJECT, "right": Verdict.ACCEPT}[asked]
    items = Q(state__in=DECIDED)
    if wanted:
        # Not by `SAID`: how many say so can be estimated of plain columns alone.
        agreed = Q(human_verdict="", verification__verdict=wanted)
        items &= Q(human_verdict=wanted) | agreed
    items |= Q(pk__in=known.items.values("item_id"))
    some = ReviewItem.objects.filter(items, project_id=project_id)
    held = Q(verdict__isnull=False)
    held &= Q(truth=wanted) if wanted else Q(truth__isnull=False)
    if some.order_by()[: MOST + 1].count() > MOST:
        # Newest first, the first page is soon found; sorting so many is not.
        return held
    # First the few of which somebody said so, then whether it is what stands.
    return held & Q(pk__in=some.values("interaction_id"))


def _calibrated(tenth: str, project_id: UUID, known: KnownGold) -> Q:
    """Hold answers whose decision tells how honest confidence is, of a tenth or all.

    Gold does not tell it. Those who do not keep gold find it here all the same: what
    is missing from the list would be gold.
    """
    samples = CalibrationSample.objects.filter(
        project_id=project_id,
        check_name="verdict",
        active=True,
        at__gte=timezone.now() - timedelta(days=WINDOW_DAYS),
    )
    if tenth != ALL:
        samples = samples.alias(tenth=Floor(F("score") * TENTHS)).filter(
            in_tenth(tenth)
        )
    samples = samples.exclude(example__interaction_id__in=known.answers())
    return Q(pk__in=samples.values("example__interaction_id"))


def _judged(judged: str, why: str) -> Q:
    check, _, how = judged.partition(":")
    return _BY_CHECK[check](how, why)


def _of_run(how: Q) -> Q:
    """Hold answers whose newest check was decided, and the decision is such."""
    items = ReviewItem.objects.filter(verification=OuterRef("run"), state__in=DECIDED)
    return Q(Exists(items.annotate(said=SAID).filter(how)))


def _verdict(how: str, why: str) -> Q:
    machine = F("verification__verdict")
    flagged = ~Q(verification__verdict=Verdict.ACCEPT)
    wanted = {
        "changed": ~Q(said=machine),
        "cleared": flagged & Q(said=Verdict.ACCEPT),
        "missed": ~flagged & Q(said=Verdict.REJECT),
    }[how]
    return _of_run(wanted & Q(reason_kinds__contains=[why]) if why else wanted)


def _names(how: str, why: str) -> Q:
    verified, unverified = MentionStatus.VERIFIED, MentionStatus.UNVERIFIED
    wanted = {
        "changed": ~Q(human_status="") & ~Q(human_status=F("status")),
        "cleared": Q(status=unverified, human_status=verified),
        "missed": Q(status=verified, human_status=unverified),
    }[how]
    rows = MentionVerdict.objects.filter(
        MentionVerdict.COUNTED, wanted, verification=OuterRef("run")
    )
    return Q(Exists(rows.filter(reason=why) if why else rows)) & _of_run(Q())


def _completion(how: str, why: str) -> Q:
    flagged = Q(before__in=FLAGGED_CLAIM)
    wanted = {
        "changed": ~Q(after=F("before")),
        "cleared": flagged & Q(after="supported"),
        "missed": Q(before="supported", after__in=FLAGGED_CLAIM),
    }[how]
    made = Override.objects.filter(
        wanted,
        item__verification=OuterRef("run"),
        target=Override.Target.CLAIM,
        undone_at=None,
    )
    return Q(Exists(made.filter(before=why) if why else made)) & _of_run(Q())


def _facts(how: str, why: str) -> Q:
    cleared = Q(status="contradicted", human_status="right")
    missed = Q(status="verified", human_status="wrong")
    wanted = {"changed": cleared | missed, "cleared": cleared, "missed": missed}[how]
    rows = ClaimVerdict.objects.filter(wanted, verification=OuterRef("run"))
    return Q(Exists(rows.filter(reason=why) if why else rows)) & _of_run(Q())


_BY_CHECK: Final[Mapping[str, Callable[[str, str], Q]]] = {
    "verdict": _verdict,
    "names": _names,
    "completion": _completion,
    "facts": _facts,
}


def _decided(project_id: UUID, asked: Mapping[str, str], known: KnownGold) -> Q:
    """Hold answers that somebody decided in a time, gold among them for its keepers."""
    items = ReviewItem.objects.filter(
        project_id=project_id, state__in=DECIDED, **_time("resolved_at", asked)
    )
    said = known.judgements.filter(**_time("given_at", asked))
    kind, _, who = asked.get("decider", "").partition(" ")
    if kind == "user":
        items = items.filter(resolved_by=int(who))
        said = said.filter(reviewer=int(who))
    elif kind == "key":
        items, said = items.filter(resolved_by_key=UUID(who)), said.none()
    if asked.get("decided_as") == "changed":
        items = items.exclude(human_verdict="").exclude(
            human_verdict=F("verification__verdict")
        )
        said = said.exclude(verdict=F("item__verification__verdict"))
    return Q(pk__in=items.values("interaction_id")) | Q(
        pk__in=said.values("item__interaction_id")
    )


def _opened(project_id: UUID, asked: Mapping[str, str], known: KnownGold) -> Q:
    items = ReviewItem.objects.filter(
        project_id=project_id, **_time("created_at", asked, "opened")
    )
    return Q(pk__in=known.shown(items).values("interaction_id"))


def _time(
    column: str, asked: Mapping[str, str], prefix: str = "decided"
) -> dict[str, datetime | None]:
    wanted = {}
    if since := asked.get(f"{prefix}_since"):
        wanted[f"{column}__gte"] = moment(since)
    if until := asked.get(f"{prefix}_until"):
        wanted[f"{column}__lt"] = moment(until, is_end=True)
    return wanted


def _final_verdict(item: ReviewItem) -> str:
    return item.human_verdict or item.verification.verdict


def _seems_known(item: ReviewItem, known: str) -> bool:
    wanted: Sequence[str] = {
        "yes": tuple(Verdict.values),
        "wrong": (Verdict.REJECT,),
        "right": (Verdict.ACCEPT,),
    }[known]
    return item.state in DECIDED and _final_verdict(item) in wanted


def _seems_calibrated(item: ReviewItem, tenth: str) -> bool:
    confidence = item.verification.confidence
    if item.state not in DECIDED or confidence is None:
        return False
    return tenth == ALL or str(min(int(confidence * TENTHS), TENTHS - 1)) == tenth


def _seems_judged(item: ReviewItem, judged: str) -> bool:
    check, _, how = judged.partition(":")
    if check != "verdict" or item.state not in DECIDED:
        return False
    machine, said = item.verification.verdict, _final_verdict(item)
    return {
        "changed": said != machine,
        "cleared": machine != Verdict.ACCEPT and said == Verdict.ACCEPT,
        "missed": machine == Verdict.ACCEPT and said == Verdict.REJECT,
    }[how]


def _seems_by(item: ReviewItem, decider: str) -> bool:
    return decider == f"user {item.resolved_by_id}"


def _seems_as(item: ReviewItem, how: str) -> bool:
    return how == "changed" and item.state == ReviewItem.State.OVERRIDDEN


def _after(column: str) -> Callable[[ReviewItem, str], bool]:
    def passes(item: ReviewItem, text: str) -> bool:
        at, since = getattr(item, column), moment(text)
        return bool(at and since and at >= since)

    return passes


def _before(column: str) -> Callable[[ReviewItem, str], bool]:
    def passes(item: ReviewItem, text: str) -> bool:
        at, until = getattr(item, column), moment(text, is_end=True)
        return bool(at and until and at < until)

    return passes


_PASSES: Final[Mapping[str, Callable[[ReviewItem, str], bool]]] = {
    "known": _seems_known,
    "calibrated": _seems_calibrated,
    "judged": _seems_judged,
    "decider": _seems_by,
    "decided_since": _after("resolved_at"),
    "decided_until": _before("resolved_at"),
    "decided_as": _seems_as,
    "opened_since": _after("created_at"),
    "opened_until": _before("created_at"),
}
