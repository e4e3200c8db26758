"""The names that agents invent most, and the effect of sharing constraints."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from verifyhub.accounts.models import Project
from verifyhub.common.shares import Share, ShareDifference
from verifyhub.learning.models import FeedbackKind
from verifyhub.learning.selectors.effects import effect
from verifyhub.memory.models import Constraint
from verifyhub.memory.rates import Arrived, rates
from verifyhub.metrics.counting.reading import read
from verifyhub.metrics.counting.received import answers_received
from verifyhub.metrics.figures import Figure, counted, difference, share
from verifyhub.metrics.selectors.mentions import NameRow, most_invented
from verifyhub.metrics.windows import Window

MAX_CONSTRAINTS = 8
_NO_CASES = Share(count=0, total=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConstraintShares:
    """A constraint that agents received, and the name's share before and after.

    `in_shadow` says that `before` was measured while the constraint was in shadow mode.
    A name's frequency then is no result of having been selected for its frequency.
    """

    id: UUID
    text: str
    kind: str
    state: str
    in_shadow: bool
    before: Figure
    after: Figure
    effect: Figure


@dataclass(frozen=True, slots=True, kw_only=True)
class ConstraintExperiment:
    """The effect of sharing constraints, from sessions that do not receive them.

    `share` is the percentage of new sessions without constraints; if it is 0, there are
    no figures.
    """

    share: int
    sessions_told: int
    sessions_held_out: int
    told: Figure
    held_out: Figure
    difference: Figure
    shows: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ValuesOfKind:
    """Values of one kind, such as `money`, and the share without support."""

    kind: str
    unsupported: Figure


@dataclass(frozen=True, slots=True, kw_only=True)
class Inventions:
    """Names and values without evidence, and the constraints on the names.

    `unlisted` is the number of names that are too rare to be stored one by one.
    """

    names: list[NameRow]
    unlisted: Figure
    constraints: list[ConstraintShares]
    experiment: ConstraintExperiment
    unsupported_values: Figure
    value_kinds: list[ValuesOfKind]


def inventions(project: Project, window: Window, now: datetime) -> Inventions:
    """Return the names of a window; the effect of constraints has its own period."""
    counts = read(project, window).total.sum("answers")
    return Inventions(
        names=most_invented(project, window),
        unlisted=counted(
            "unlisted", read(project, window).total.sum("unlisted")["answers"]
        ),
        constraints=shares_of_constraints(project, now),
        experiment=constraint_experiment(project, now),
        unsupported_values=share(
            "unsupported_values",
            counts["values_unsupported"],
            counts["values_checked"],
        ),
        value_kinds=values_by_kind(project, window),
    )


def values_by_kind(project: Project, window: Window) -> list[ValuesOfKind]:
    """Return the kinds of values, those most often unsupported first."""
    rows = [
        ValuesOfKind(
            kind=kind,
            unsupported=share(
                "unsupported_of_kind", counts["unsupported"], counts["values"]
            ),
        )
        for (kind,), counts in read(project, window).total.rows("values")
    ]
    return sorted(
        rows,
        key=lambda row: (-(row.unsupported.count or 0), -row.unsupported.n, row.kind),
    )


def shares_of_constraints(project: Project, now: datetime) -> list[ConstraintShares]:
    """Return the shared constraints with the most sightings, and their effect."""
    rows = (
        Constraint.objects.filter(
            project=project, merged_into=None, active_at__isnull=False
        )
        .select_related("project")
        .order_by("-interaction_count", "mention_kind", "mention_key")
    )
    received = answers_received(project.pk)
    return [_constraint_shares(row, now, received) for row in rows[:MAX_CONSTRAINTS]]


def constraint_experiment(project: Project, now: datetime) -> ConstraintExperiment:
    """Compare sessions of 90 days that received constraints with the others."""
    result = effect(project, FeedbackKind.CONSTRAINTS, now=now)
    invented = next(
        (measure for measure in result.measures if measure.name == "invented"), None
    )
    measured = (
        invented.difference
        if invented
        else ShareDifference(first=_NO_CASES, second=_NO_CASES)
    )
    return ConstraintExperiment(
        share=result.share,
        sessions_told=result.sessions[0],
        sessions_held_out=result.sessions[1],
        told=share("told", measured.first.count, measured.first.total),
        held_out=share("held_out", measured.second.count, measured.second.total),
        difference=difference("told_less_held_out", measured),
        shows=invented.shows if invented else "",
    )


def _constraint_shares(
    row: Constraint, now: datetime, received: Arrived
) -> ConstraintShares:
    measured = rates(row, now=now, arrived=received)
    before = measured.before.share if measured.before else _NO_CASES
    after = measured.after.share if measured.after else _NO_CASES
    return ConstraintShares(
        id=row.id,
        text=row.text,
        kind=row.mention_kind,
        state=row.state,
        in_shadow=measured.in_shadow,
        before=share("before", before.count, before.total),
        after=share("after", after.count, after.total),
        effect=difference("effect", ShareDifference(first=after, second=before)),
    )
