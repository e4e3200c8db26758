"""The preview of an agent's next context, with the reason for each line.

It compiles the context like a delivery, and records nothing.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from verifyhub.accounts.models import Project
from verifyhub.engine.memory.formats import STYLES, ContextFormat, Delivered, deliver
from verifyhub.engine.memory.relevance import words_of
from verifyhub.engine.memory.sections import KINDS, ContextLine, ContextSection
from verifyhub.engine.thresholds import Thresholds
from verifyhub.memory.models import Constraint, ContextDelivery, MemoryEntry
from verifyhub.memory.selectors import SessionContext, session_context

# Larger than any context, so that nothing is left out for the budget.
NO_BUDGET = 1_000_000
# Entries considered among those left out, and entries shown for each reason.
MAX_LOOKED_AT = 500
MAX_SHOWN = 20
State = MemoryEntry.State


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewLine:
    """One line of the text, with its row and the reason for its position.

    Attributes:
        place: The position in its section, from 1.
        shared: Words that it has in common with the task.
    """

    line: ContextLine
    row: MemoryEntry | Constraint | None
    place: int
    shared: tuple[str, ...]

    @property
    def is_constraint(self) -> bool:
        """Whether the row is a constraint."""
        return isinstance(self.row, Constraint)


@dataclass(frozen=True, slots=True, kw_only=True)
class Last:
    """The last delivered context, and the current states of its rows."""

    delivery: ContextDelivery
    rows: list[MemoryEntry | Constraint]
    missing: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextPreview:
    """A context as it would be delivered now.

    `left_out` has the rows that are left out, by reason: `budget`, `held_out`,
    `duplicate`, `expired`, `superseded`, `retracted`, `unsure` or `full`.
    """

    session_context: SessionContext
    delivered: Delivered
    lines: list[PreviewLine]
    left_out: dict[str, list[MemoryEntry | Constraint]]
    last: Last | None

    @property
    def is_as_last(self) -> bool:
        """Whether the same text was delivered last."""
        return bool(self.last) and self.last.delivery.sha256 == self.delivered.sha256  # type: ignore[union-attr]


def preview(
    *,
    project: Project,
    session_key: str,
    task: str,
    budget: int,
    format: ContextFormat,  # noqa: A002 - the API's own word
) -> ContextPreview:
    """Compile the context that a session's next agent would receive, with reasons.

    Args:
        project: The tenant.
        session_key: The client's own name for the session.
        task: What the agent is about to do.
        budget: The text's size limit in estimated tokens.
        format: The format of the delivery.
    """
    last = _last(project, session_key)
    # The session's stored arm; a preview does not draw one.
    held_out = tuple(last.delivery.held_out) if last else ()

    def compiled(tokens: int) -> SessionContext:
        return session_context(
            project=project,
            session_key=session_key,
            task=task,
            budget=tokens,
            style=STYLES[format],
            held_out=held_out,
        )

    compiled_context, full_context = compiled(budget), compiled(NO_BUDGET)
    lines, all_lines = compiled_context.context.lines, full_context.context.lines
    rows = _rows_by_id(project, [line.source for line in all_lines if line.source])
    delivered = deliver(
        compiled_context.context,
        format=format,
        session=session_key,
        known=compiled_context.known,
    )
    left_out = _left_out(
        project, compiled_context.session_id, lines, all_lines, rows, held_out
    )
    return ContextPreview(
        session_context=compiled_context,
        delivered=delivered,
        lines=list(_preview_lines(lines, rows, words_of(task))),
        left_out=left_out,
        last=last,
    )


def _rows_by_id(
    project: Project, ids: Collection[Any]
) -> dict[str, MemoryEntry | Constraint]:
    entries = MemoryEntry.objects.filter(project=project, pk__in=ids)
    constraints = Constraint.objects.filter(project=project, pk__in=ids)
    rows: list[MemoryEntry | Constraint] = [*entries, *constraints]
    return {str(row.pk): row for row in rows}


def _preview_lines(
    lines: Collection[ContextLine],
    rows: dict[str, MemoryEntry | Constraint],
    task: frozenset[str],
) -> Iterator[PreviewLine]:
    places: dict[ContextSection, int] = defaultdict(int)
    for line in lines:
        places[line.section] += 1
        yield PreviewLine(
            line=line,
            row=rows.get(line.source),
            place=places[line.section],
            shared=tuple(sorted(words_of(f"{line.name} {line.suggestion}") & task)),
        )


def _left_out(
    project: Project,
    session_id: UUID | None,
    lines: Collection[ContextLine],
    all_lines: Collection[ContextLine],
    rows: dict[str, MemoryEntry | Constraint],
    held_out: Collection[str],
) -> dict[str, list[MemoryEntry | Constraint]]:
    sources = {line.source for line in lines}
    left_out: dict[str, list[MemoryEntry | Constraint]] = defaultdict(list)
    for line in all_lines:
        if line.source not in sources and line.source in rows:
            left_out["budget"].append(rows[line.source])
    names = {(row.mention_kind, row.mention_key) for row in rows.values()}
    rule = Thresholds.with_overrides(project.thresholds)
    for entry in _candidates(project, session_id, list(rows)):
        left_out[_why_not(entry, names, rule, held_out)].append(entry)
    return {why: group[:MAX_SHOWN] for why, group in left_out.items()}


def _candidates(
    project: Project, session_id: UUID | None, shown_ids: list[str]
) -> QuerySet[MemoryEntry]:
    if session_id is None:
        return MemoryEntry.objects.none()
    rows = MemoryEntry.objects.filter(project=project, session_id=session_id)
    return rows.exclude(pk__in=shown_ids).order_by("-created_at", "-id")[:MAX_LOOKED_AT]


_KIND_OF = {
    MemoryEntry.Kind.FINDING: KINDS[ContextSection.FACTS],
    MemoryEntry.Kind.BLOCKER: KINDS[ContextSection.HALLUCINATIONS],
    MemoryEntry.Kind.GAP: KINDS[ContextSection.GAPS],
    MemoryEntry.Kind.CORRECTION: KINDS[ContextSection.CORRECTIONS],
    MemoryEntry.Kind.PREFERENCE: KINDS[ContextSection.PREFERENCES],
}


def _why_not(
    entry: MemoryEntry,
    names: Collection[tuple[str, str]],
    rule: Thresholds,
    held_out: Collection[str],
) -> str:
    late = entry.expires_at is not None and entry.expires_at <= timezone.now()
    if entry.state != State.ACTIVE or late:
        return "expired" if late else str(entry.state)
    if _KIND_OF[MemoryEntry.Kind(entry.kind)] in held_out:
        return "held_out"
    if entry.mention_key and (entry.mention_kind, entry.mention_key) in names:
        return "duplicate"
    unsure = (entry.confidence or 0) < rule.fact_confidence
    if entry.kind == MemoryEntry.Kind.FINDING and unsure:
        return "unsure"
    return "full"


def _last(project: Project, session_key: str) -> Last | None:
    delivery = (
        ContextDelivery.objects.filter(project=project, session_key=session_key)
        .order_by("-created_at", "-id")
        .first()
    )
    if delivery is None:
        return None
    ids = [*delivery.entry_ids, *delivery.constraint_ids]
    rows_by_id = _rows_by_id(project, ids)
    rows = [rows_by_id[str(id_)] for id_ in ids if str(id_) in rows_by_id]
    return Last(delivery=delivery, rows=rows, missing=len(ids) - len(rows))
