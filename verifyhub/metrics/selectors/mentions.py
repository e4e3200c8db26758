"""Figures about names and claims in answers."""

from dataclasses import dataclass

from verifyhub.accounts.models import Project
from verifyhub.common.shares import Share
from verifyhub.memory.models import Constraint
from verifyhub.metrics.counting.names import most_frequent
from verifyhub.metrics.counting.reading import read
from verifyhub.metrics.windows import Window

MAX_NAMES = 15


@dataclass(frozen=True, slots=True, kw_only=True)
class KindRow:
    """Names of one kind: how many had no evidence, before and after review."""

    kind: str
    unverified: Share
    cleared: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NameRow:
    """A name without evidence, and its constraint."""

    text: str
    kind: str
    key: str
    answer_count: int
    session_count: int
    reason: str
    """Why it is not verified; tells a look-alike from a plain invention."""
    constraint: str
    """State of the project's constraint on the name; empty without one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimRow:
    """Completion claims ("all tests pass"), by status."""

    status: str
    count: int


def by_kind(project: Project, window: Window) -> list[KindRow]:
    """Return each kind of name with the share without evidence."""
    rows = [
        KindRow(
            kind=kind,
            unverified=Share(count=counts["unverified"], total=counts["names"]),
            cleared=counts["cleared"],
        )
        for (kind,), counts in read(project, window).total.rows("kinds")
    ]
    rows.sort(key=lambda row: (-row.unverified.count, -row.unverified.total, row.kind))
    return rows


def without_evidence(project: Project, window: Window) -> Share:
    """Return the share of all names without evidence."""
    rows = by_kind(project, window)
    return Share.of_groups(
        [(row.unverified.count, row.unverified.total) for row in rows]
    )


def most_invented(project: Project, window: Window) -> list[NameRow]:
    """Return the names without evidence in the most answers, at most MAX_NAMES.

    A name that a reviewer marked as right in an answer does not count there.
    """
    names = most_frequent(project, window, MAX_NAMES)
    states = {
        (kind, key): state
        for kind, key, state in Constraint.objects.filter(
            project=project, mention_key__in=[name.key for name in names]
        ).values_list("mention_kind", "mention_key", "state")
    }
    return [
        NameRow(
            text=name.text,
            kind=name.kind,
            key=name.key,
            answer_count=name.answers,
            session_count=name.sessions,
            reason=name.reason,
            constraint=states.get((name.kind, name.key), ""),
        )
        for name in names
    ]


def completion_claims(project: Project, window: Window) -> list[ClaimRow]:
    """Count the claims of work done, by status."""
    rows = [
        ClaimRow(status=status, count=counts["claims"])
        for (status,), counts in read(project, window).total.rows("claims")
    ]
    return sorted(rows, key=lambda row: (-row.count, row.status))
