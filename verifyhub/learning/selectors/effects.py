"""Measure the effect of each kind of feedback: sessions with it against held-out ones.

Sessions are randomised, so answers of one session are not independent; intervals allow
for their similarity (`design_effect`).
"""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, F, Q
from django.db.models.fields.json import KT

from verifyhub.accounts.models import Project
from verifyhub.common.shares import SMALL_SAMPLE, Share, ShareDifference
from verifyhub.engine.reports import Verdict
from verifyhub.learning.models import FeedbackKind, HoldOut
from verifyhub.learning.selectors.windows import recent_answers

REJECTED = Q(human_verdict=Verdict.REJECT) | Q(human_verdict="", verdict=Verdict.REJECT)
MEASURES = ("invented", "retried", "rejected")
# The newest answers of one metric: with a tenth of the sessions held out, the interval
# of a difference over so many is within two percentage points.
MAX_ANSWERS = 50_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One metric in both arms; `difference` is with feedback minus held out.

    Attributes:
        name: `invented` (answers with a name without evidence), `retried` (answers
            that are not the first attempt), `rejected` (by a person, or else by
            verification).
    """

    name: str
    difference: ShareDifference

    @property
    def told(self) -> Share:
        return self.difference.first

    @property
    def held_out(self) -> Share:
        return self.difference.second

    @property
    def shows(self) -> str:
        """`better`, `worse`, or empty if the interval contains 0."""
        interval = self.difference.interval
        if interval is None or interval[0] <= 0 <= interval[1]:
            return ""
        return "better" if interval[1] < 0 else "worse"


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedbackEffect:
    """One kind of feedback, its experiment and the results so far.

    Attributes:
        kind: The kind of feedback.
        share: Percentage of new sessions that are held out.
        sessions: Numbers of sessions with answers, with feedback and held out.
        measures: The metrics; empty while neither arm has answers.
    """

    kind: FeedbackKind
    share: int
    sessions: tuple[int, int]
    measures: list[Measured]

    @property
    def is_few(self) -> bool:
        """Whether either arm has too few sessions for a result."""
        return min(self.sessions) < SMALL_SAMPLE


def effects(project: Project, *, now: datetime) -> list[FeedbackEffect]:
    """Return every kind of feedback with its measured effect, over 90 days."""
    return [effect(project, kind, now=now) for kind in FeedbackKind]


def effect(project: Project, kind: FeedbackKind, *, now: datetime) -> FeedbackEffect:
    """Return one kind of feedback with its measured effect, over 90 days."""
    held_out = HoldOut.objects.filter(project=project, kind=kind).first()
    if held_out is None:
        return FeedbackEffect(kind=kind, share=0, sessions=(0, 0), measures=[])
    sides = _sessions(project, kind, now)
    told_sessions, held_out_sessions = sides["false"], sides["true"]
    measures = [
        Measured(
            name=name,
            difference=ShareDifference.of_groups(
                [(s[at], s[-1]) for s in told_sessions],
                [(s[at], s[-1]) for s in held_out_sessions],
            ),
        )
        for at, name in enumerate(MEASURES)
    ]
    return FeedbackEffect(
        kind=kind,
        share=held_out.share,
        sessions=(len(told_sessions), len(held_out_sessions)),
        measures=measures if told_sessions or held_out_sessions else [],
    )


def _sessions(
    project: Project, kind: FeedbackKind, now: datetime
) -> dict[str, list[tuple[int, ...]]]:
    """Return for each session, by arm: hits of each metric, and its answers."""
    drawn = recent_answers(project, now=now).exclude(arms={})
    newest = drawn.order_by("-answered_at")
    last = newest.values_list("answered_at", flat=True)[MAX_ANSWERS : MAX_ANSWERS + 1]
    for since in last:
        drawn = drawn.filter(answered_at__gt=since)
    rows = (
        drawn.annotate(side=KT(f"arms__{kind}"))
        .values("side", "session_key")
        .annotate(
            invented=Count("pk", filter=Q(unverified__gt=-1 * F("moved"))),
            retried=Count("pk", filter=Q(attempt__gt=1)),
            rejected=Count("pk", filter=REJECTED),
            answers=Count("pk"),
        )
        .order_by("side", "session_key")
        .values_list("side", *MEASURES, "answers")
    )
    by_side: dict[str, list[tuple[int, ...]]] = {"false": [], "true": []}
    for side, *counts in rows:
        if side in by_side:
            by_side[side].append(tuple(counts))
    return by_side
