"""Which names stand without evidence in the most answers."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from verifyhub.accounts.models import Project
from verifyhub.metrics.selectors.counting.raw import SeenName, count_names
from verifyhub.metrics.windows import Window


@dataclass(frozen=True, slots=True, kw_only=True)
class OftenSeen:
    """A name without evidence, and in how many answers and sessions."""

    kind: str
    key: str
    text: str
    reason: str
    answers: int
    sessions: int


def most_seen(project: Project, window: Window, most: int) -> list[OftenSeen]:
    """Return the names in the most answers, then sessions; at most `most`."""
    return _most(count_names(project.pk, window), most)


def _most(rows: Iterable[SeenName], most: int) -> list[OftenSeen]:
    by_name: dict[tuple[str, str], list[SeenName]] = defaultdict(list)
    for row in rows:
        by_name[row.kind, row.key].append(row)
    found = [
        OftenSeen(
            kind=kind,
            key=key,
            text=max(one.text for one in seen),
            reason=max(one.reason for one in seen),
            answers=sum(one.answers for one in seen),
            sessions=len({at for one in seen for at in one.sessions}),
        )
        for (kind, key), seen in by_name.items()
    ]
    found.sort(key=lambda one: (-one.answers, -one.sessions, one.kind, one.key))
    return found[:most]
