"""Read a bounded number of rows for a context.

Names of the task are looked up in indexes; of other rows the newest are taken. Every
query has a limit, so none grows with the project.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import BooleanField, F, Func, Q, QuerySet
from django.db.models.functions import Coalesce

from verifyhub.engine.memory.entries import EntryKind, LearnedEntry, SharedConstraint
from verifyhub.engine.memory.relevance import names_in
from verifyhub.engine.memory.spelling import without_joints
from verifyhub.engine.types import MentionKind
from verifyhub.memory.models import Constraint, MemoryEntry, folded

# Rows considered at most. A context of a few thousand tokens holds far fewer.
MAX_LEARNED = 1000
MAX_NAMED = 200
MAX_CORRECTIONS = 500
MAX_CONSTRAINTS = 1000
# Names of a task that are looked up.
MAX_TASK_NAMES = 60

_KINDS = tuple(kind.value for kind in MentionKind)
_ENTRY = (
    "id",
    "key",
    "kind",
    "text",
    "mention_kind",
    "mention_key",
    "suggestion",
    "confidence",
    "mention_status",
    "grade",
    "created_at",
    "reach",
    "session_id",
)
_CONSTRAINT = (
    "id",
    "text",
    "mention_kind",
    "mention_key",
    "suggestion",
    "pinned",
    "last_seen_at",
    "updated_at",
)


@dataclass(frozen=True, slots=True)
class TaskNames:
    """Names in a task, as written and folded for comparison."""

    spelt: tuple[str, ...]
    folded: tuple[str, ...]

    @classmethod
    def of(cls, task: str) -> "TaskNames":
        """Read the names of a task."""
        names = names_in(task, limit=MAX_TASK_NAMES)
        spelt = {form for name in names for form in (name, name.lower())}
        return cls(
            tuple(sorted(spelt)),
            tuple(sorted({without_joints(name) for name in names})),
        )


def entries_for(
    *, project_id: UUID, session_id: UUID | None, names: TaskNames, now: datetime
) -> list[LearnedEntry]:
    """Return the entries that a session receives, in one query.

    These are the session's own entries and corrections, shared corrections of names
    that the session knows or the task contains, and what leads share with all.
    """
    entries = MemoryEntry.objects.filter(project_id=project_id)
    active = entries.filter(
        Q(expires_at__isnull=True) | Q(expires_at__gt=now),
        state=MemoryEntry.State.ACTIVE,
    ).order_by("-created_at", "-id")
    reaching = active.exclude(reach=MemoryEntry.Reach.SESSION)
    corrections = reaching.filter(kind=MemoryEntry.Kind.CORRECTION).alias(
        folded=folded("mention_key")
    )
    parts = [
        reaching.filter(scope=MemoryEntry.Scope.PROJECT)[:MAX_CORRECTIONS],
        corrections.filter(folded__in=names.folded)[:MAX_CORRECTIONS],
    ]
    if session_id is not None:
        own = active.filter(session_id=session_id)
        session_names = (
            entries.filter(session_id=session_id)
            .exclude(mention_key="")
            .alias(folded=folded("mention_key"))
            .order_by("-created_at", "-id")
        )
        parts += [
            own.exclude(kind=MemoryEntry.Kind.CORRECTION)[:MAX_LEARNED],
            own.filter(mention_key__in=names.spelt).exclude(mention_key="")[:MAX_NAMED],
            own.filter(kind=MemoryEntry.Kind.CORRECTION)[:MAX_CORRECTIONS],
            corrections.filter(
                _is_one_of(
                    session_names.values(name=folded("mention_key"))[:MAX_LEARNED]
                )
            ).order_by(_looked_up_newest, "-id")[:MAX_CORRECTIONS],
        ]
    rows = _united(parts, _ENTRY)
    rows.sort(key=lambda row: (-row[10].timestamp(), row[0]))
    return [_entry(row, session_id) for row in rows]


# An order that no index has: with an indexed one the planner would scan a project's
# corrections from the newest on instead of looking each name up.
_looked_up_newest = Coalesce("created_at", "created_at").desc()


def _is_one_of(names: QuerySet[Any, Any]) -> Func:
    """Match rows with the names of a subquery, each looked up in the index.

    As an array: a join would read all corrections of the project.
    """
    return Func(
        folded("mention_key"),
        ArraySubquery(names),
        arg_joiner=" = ANY(",
        template="%(expressions)s)",
        output_field=BooleanField(),
    )


def constraints_for(
    *, project_id: UUID, names: TaskNames, session_names: set[str]
) -> tuple[list[SharedConstraint], dict[tuple[str, str], tuple[str, str]]]:
    """Return the active constraints, and the names merged into one, in one query.

    Args:
        project_id: The tenant.
        names: The names of the task.
        session_names: Keys of the names that the session knows, to find the
            constraints that they are merged into.

    Returns:
        Pinned constraints, those on names of the task, and the most recently seen;
        and each merged name with its constraint's.
    """
    all_constraints = Constraint.objects.filter(project_id=project_id)
    active = all_constraints.filter(state=Constraint.State.ACTIVE)
    newest = F("last_seen_at").desc(), "id"
    named = active.alias(folded=folded("mention_key")).filter(
        mention_kind__in=_KINDS, folded__in=names.folded
    )
    merged = all_constraints.filter(
        merged_into__isnull=False,
        mention_kind__in=_KINDS,
        mention_key__in=session_names,
    )
    into = ("merged_into__mention_kind", "merged_into__mention_key")
    rows = _united(
        [
            active.filter(pinned=True).order_by(*newest)[:MAX_NAMED],
            named.order_by(*newest)[:MAX_NAMED],
            active.order_by(*newest)[:MAX_CONSTRAINTS],
            merged.order_by("id")[:MAX_LEARNED],
        ],
        (*_CONSTRAINT, *into),
    )
    aliases = {(row[2], row[3]): (row[8], row[9]) for row in rows if row[9] is not None}
    constraints = {row[0]: _shared(row) for row in rows if row[9] is None}
    return list(constraints.values()), aliases


def _united(parts: list[QuerySet], columns: tuple[str, ...]) -> list[tuple]:  # type: ignore[type-arg]
    first, *others = [part.values_list(*columns) for part in parts]
    return list(first.union(*others))


def _entry(row: tuple, session_id: UUID | None) -> LearnedEntry:  # type: ignore[type-arg]
    own = session_id is not None and row[12] == session_id
    # A wrong name may be shared before anybody has confirmed the right one.
    is_shared = own or row[11] != MemoryEntry.Reach.NAME
    return LearnedEntry(
        id=str(row[0]),
        key=row[1],
        kind=EntryKind(row[2]),
        text=row[3],
        mention_kind=row[4],
        mention_key=row[5],
        suggestion=row[6] if is_shared else "",
        confidence=row[7],
        status=row[8],
        grade=row[9],
        at=row[10],
    )


def _shared(row: tuple) -> SharedConstraint:  # type: ignore[type-arg]
    return SharedConstraint(
        id=str(row[0]),
        text=row[1],
        mention_kind=row[2],
        mention_key=row[3],
        suggestion=row[4],
        pinned=row[5],
        at=row[6] or row[7],
    )
