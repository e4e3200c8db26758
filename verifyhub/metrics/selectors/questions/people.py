"""Decisions by reviewer, and agreement of reviewers."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from verifyhub.accounts.models import ApiKey, Project, User
from verifyhub.metrics.counting.reading import read
from verifyhub.metrics.counting.tally import RowCounts
from verifyhub.metrics.figures import Figure, counted, mean, share
from verifyhub.metrics.windows import Window
from verifyhub.review.agreement.coefficients import Coefficient, fleiss, krippendorff
from verifyhub.review.agreement.selectors import ratings_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Reviewer:
    """A user or API key, and their decisions.

    `who` is `user` and a number, or `key` and an id; empty if unknown.
    """

    who: str
    name: str
    decisions: Figure
    share_of_decisions: Figure
    disagreed: Figure
    seconds: Figure


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleFigures:
    """Decisions of a window by reviewer, and agreement over the newest ones.

    Decisions on gold items count like others; otherwise the count would reveal them.
    """

    decisions: Figure
    disagreed: Figure
    reviewers: list[Reviewer] | None
    """Null for viewers who may not see the number of decisions of each person."""
    alpha: Figure
    kappa: Figure


def people(project: Project, window: Window) -> PeopleFigures:
    """Count the decisions made in a window, reviewers with the most first."""
    rows = read(project, window).total.by("decisions", 0)
    total = read(project, window).total.sum("decisions")
    whos = [who for (who,) in rows]
    parted = [who.partition(" ") for who in whos]
    users = [int(ident) for kind, _, ident in parted if kind == "user"]
    keys = [UUID(ident) for kind, _, ident in parted if kind == "key"]
    names = {f"user {user.pk}": str(user) for user in User.objects.filter(pk__in=users)}
    for key in ApiKey.objects.filter(project=project, pk__in=keys):
        names[f"key {key.pk}"] = key.name
    ratings = ratings_of(project.pk)
    reviewers = [
        _reviewer(who, names, counts, total["decisions"])
        for (who,), counts in rows.items()
    ]
    reviewers.sort(key=lambda reviewer: (-reviewer.decisions.n, reviewer.name))
    return PeopleFigures(
        decisions=counted("decisions", total["decisions"]),
        disagreed=share("disagreed", total["changed"], total["decisions"]),
        reviewers=reviewers,
        alpha=_coefficient("alpha", krippendorff(ratings)),
        kappa=_coefficient("kappa", fleiss(ratings)),
    )


def _reviewer(
    who: str, names: Mapping[str, str], counts: RowCounts, all_decisions: int
) -> Reviewer:
    decided = counts["decisions"]
    return Reviewer(
        who=who,
        name=names.get(who, ""),
        decisions=counted("decisions", decided),
        share_of_decisions=share("share_of_decisions", decided, all_decisions),
        disagreed=share("disagreed", counts["changed"], decided),
        seconds=mean(
            "seconds", counts["timed"], counts["seconds"], counts["seconds_squared"]
        ),
    )


def _coefficient(name: str, coefficient: Coefficient) -> Figure:
    return Figure(
        name=name,
        value=coefficient.value,
        n=coefficient.n,
        low=coefficient.low,
        high=coefficient.high,
        method="bootstrap",
    )
