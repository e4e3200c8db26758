"""The context of the pages of runs, in a fixed number of queries."""

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.core.paginator import Page, Paginator
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import MD5, Left
from django.utils.translation import gettext_lazy as _

from verifyhub.accounts.models import Project, User
from verifyhub.common.long_lists import LongPaginator
from verifyhub.inference.selectors import costs_of
from verifyhub.ingest.models import Interaction, Session
from verifyhub.review.models import ReviewItem
from verifyhub.review.runs.tree import TaskNode, TreeRow, build_tree
from verifyhub.review.visibility import mask_runs, waiting_items
from verifyhub.verification.models import Verification

SESSIONS_PER_PAGE = 25
TASKS_PER_PAGE = 40
ATTEMPTS_SHOWN = 20
WAITING_LOOKED_AT = 1000
TASK_CHARACTERS = 400
MAX_CONFLICTS = 5
# A missing parent that has not arrived by then is no longer expected.
EXPECTED_WITHIN = timedelta(minutes=10)


def sessions(
    project_id: UUID, filters: Mapping[str, Any], viewer: User | None = None
) -> QuerySet[Session]:
    """Return a project's sessions with an answer, last active first.

    Each has `last_at`, and `last_verdict` of its newest answer.

    Args:
        project_id: The tenant.
        filters: Cleaned data of `RunFilterForm`; empty values do not filter.
        viewer: The viewer, for whom their gold counts as open.
    """
    newest = Interaction.objects.filter(session=OuterRef("pk")).order_by(
        "-created_at", "-id"
    )
    verdict = Verification.objects.filter(
        interaction=OuterRef("last_id"), state=Verification.State.FINISHED
    ).order_by("-number")
    rows = (
        Session.objects.filter(project_id=project_id)
        .annotate(
            last_at=Subquery(newest.values("created_at")[:1]),
            last_id=Subquery(newest.values("id")[:1]),
        )
        .annotate(last_verdict=Subquery(verdict.values("verdict")[:1]))
        .filter(last_at__isnull=False)
    )
    if text := filters.get("text"):
        rows = rows.filter(key__icontains=text)
    if chosen_verdict := filters.get("verdict"):
        rows = rows.filter(last_verdict=chosen_verdict)
    if filters.get("flags"):
        open_items = ReviewItem.objects.filter(_open_to(project_id, viewer))
        sessions = open_items.filter(project_id=project_id)
        rows = rows.filter(pk__in=sessions.values("interaction__session"))
    return rows.order_by("-last_at", "-id")


class SessionPaginator(LongPaginator):
    """Pages of `sessions`, from the newest answers on.

    Only its answers show when a session was last active; computing it for all sessions
    takes longer with the age of the project.
    """

    most = 2_000
    # How many of the newest answers are read, and the factor for each further step.
    NEWEST, FURTHER = 2_000, 8
    # So few sessions are queried one by one.
    FEW = 200

    def __init__(self, rows: QuerySet[Session], project_id: UUID) -> None:
        super().__init__(rows, SESSIONS_PER_PAGE)
        self._answers = (
            Interaction.objects.filter(project_id=project_id, session__isnull=False)
            .order_by("-created_at", "-id")
            .values("session")
        )

    def _keys(self, first: int, last: int) -> Sequence[UUID]:
        if self.count <= self.FEW:
            return super()._keys(first, last)
        looked_at, wanted = self.NEWEST, min(last, self.count) - first
        while True:
            lately = self.object_list.filter(pk__in=self._answers[:looked_at])
            keys = list(lately.values_list("pk", flat=True)[first:last])
            if len(keys) >= wanted or not self._answers[looked_at:][:1]:
                return keys
            looked_at *= self.FURTHER


def _open_to(project_id: UUID, viewer: User | None) -> Q:
    waiting = waiting_items(project_id, viewer) if viewer else set()
    return Q(state=ReviewItem.State.OPEN) | Q(pk__in=waiting)


def counted(
    project_id: UUID, page: Page[Session], viewer: User
) -> list[dict[str, Any]]:
    """Return the sessions of one page with their answers and open flags counted."""
    ids = [session.id for session in page.object_list]
    answers = _counts(Interaction.objects.filter(session__in=ids), "session")
    open_items = ReviewItem.objects.filter(_open_to(project_id, viewer))
    flags = _counts(
        open_items.filter(interaction__session__in=ids), "interaction__session"
    )
    waiting = _waiting_among(ids, page.object_list)
    return [
        {
            "session": session,
            "answers": answers.get(session.id, 0),
            "flags": flags.get(session.id, 0),
            "waiting": session.id in waiting,
        }
        for session in page.object_list
    ]


def _waiting_among(ids: Sequence[UUID], listed: Iterable[Session]) -> set[UUID]:
    """Return the sessions with an answer that waits for its verdict.

    In two steps, from the short list of waiting answers: in one query, the planner may
    scan all answers of a long session for each of them.
    """
    projects = {session.project_id for session in listed}
    queued = Verification.objects.filter(
        project__in=projects, state__in=Verification.WAITING
    ).order_by("created_at", "id")
    first = list(queued.values_list("interaction_id", flat=True)[:WAITING_LOOKED_AT])
    rows = Interaction.objects.filter(id__in=first, session__in=ids).order_by()
    return {id_ for id_ in rows.values_list("session_id", flat=True) if id_}


def _counts(rows: QuerySet[Any], by: str) -> dict[UUID, int]:
    grouped = rows.order_by().values_list(by).annotate(number=Count("id"))
    return {key: number for key, number in grouped}  # noqa: C416 - rows, not pairs


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One answer, its verdict and its cost.

    `cost_microdollars` is that of its verification, `run_cost_microdollars` the run's
    own as reported; None if unknown.
    """

    interaction: Interaction
    number: int
    verification: Verification | None
    is_flagged: bool
    cost_microdollars: int | None
    run_cost_microdollars: int | None
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One task of the tree, with its newest attempts and the number of others."""

    name: str
    depth: int
    text: str
    attempts: tuple[Attempt, ...]
    hidden: int
    conflicts: tuple[tuple[str, str], ...]
    is_expected: bool


def run_context(
    session: Session, page_number: str | None, now: datetime, viewer: User
) -> Any:
    """Build the tree of one session, one page of it.

    Args:
        session: The session.
        page_number: The parameter; an invalid one gives the first or last page.
        now: The time (aware), to decide whether a missing task is still expected.
        viewer: The viewer: decisions on gold that measures them are not shown.
    """
    rows = _rows(session)
    pages = Paginator(build_tree(rows), TASKS_PER_PAGE)
    page = pages.get_page(page_number)
    tasks = _tasks(session.project, list(page.object_list), viewer)
    newest = max((row.created_at for row in rows), default=now)
    waits = any(
        attempt.verification and attempt.verification.state in Verification.WAITING
        for task in tasks
        for attempt in task.attempts
    )
    is_live = waits or (
        now - newest < EXPECTED_WITHIN and any(task.is_expected for task in tasks)
    )
    return {
        "session": session,
        "page": page,
        "tasks": tasks,
        "answers": len(rows),
        "last_at": newest if rows else None,
        "is_live": is_live,
        "known": _digest(tasks, is_live),
    }


def _rows(session: Session) -> list[TreeRow]:
    rows = (
        Interaction.objects.filter(session=session)
        .annotate(task_digest=MD5("task"))
        .order_by("created_at", "id")
        .values_list("id", "client_id", "parent", "task_digest", "created_at")
    )
    return [
        TreeRow(id=id_, client_id=name, parent=parent, task=task, created_at=at)
        for id_, name, parent, task, at in rows.iterator(chunk_size=5000)
    ]


def _tasks(project: Project, nodes: Sequence[TaskNode], viewer: User) -> list[Task]:
    shown = [row.id for node in nodes for row in node.attempts[-ATTEMPTS_SHOWN:]]
    interactions = {
        row.id: row
        for row in Interaction.objects.filter(project=project, id__in=shown)
        .annotate(task_start=Left("task", TASK_CHARACTERS))
        .defer("task", "answer_text", "structured_output", "manifest", "discussion")
    }
    newest = newest_runs(project, shown)
    mask_runs(newest.values(), project.id, viewer)
    flagged = set(
        ReviewItem.objects.filter(
            _open_to(project.id, viewer), project=project, interaction__in=shown
        ).values_list("interaction_id", flat=True)
    )
    costs = costs_of(project, [run.id for run in newest.values()])
    return [_task(node, interactions, newest, flagged, costs) for node in nodes]


def newest_runs(project: Project, ids: Collection[UUID]) -> dict[UUID, Verification]:
    """Return the latest verification of some answers."""
    rows = (
        Verification.objects.filter(project=project, interaction__in=ids)
        .defer("report")
        .order_by("interaction_id", "-number")
        .distinct("interaction_id")
    )
    return {row.interaction_id: row for row in rows}


def _task(
    node: TaskNode,
    interactions: Mapping[UUID, Interaction],
    newest: Mapping[UUID, Verification],
    flagged: set[UUID],
    costs: Mapping[UUID, int | None],
) -> Task:
    hidden = max(0, len(node.attempts) - ATTEMPTS_SHOWN)
    attempts = []
    for number, row in enumerate(node.attempts[hidden:], start=hidden + 1):
        interaction, run = interactions[row.id], newest.get(row.id)
        attempts.append(
            Attempt(
                interaction=interaction,
                number=number,
                verification=run,
                is_flagged=row.id in flagged,
                cost_microdollars=costs.get(run.id) if run else None,
                run_cost_microdollars=interaction.run_cost_microdollars,
                kind=_kind(interaction.metadata),
            )
        )
    last = attempts[-1].interaction if attempts else None
    return Task(
        name=node.name,
        depth=node.depth,
        text=getattr(last, "task_start", ""),
        attempts=tuple(attempts),
        hidden=hidden,
        conflicts=_conflicts(last.metadata) if last else (),
        is_expected=node.is_expected,
    )


KINDS = {
    "retry": _("given the names that no tool returned"),
    "reformulate": _("retried with a reformulated task"),
    "clarify": _("cleared up a contradiction"),
    "complete": _("closed the gaps"),
}


def _kind(metadata: Any) -> str:
    """Return why an attempt was made, as reported by VerifyHub's client."""
    run = metadata.get("run") if isinstance(metadata, dict) else None
    kind = run.get("kind") if isinstance(run, dict) else None
    return str(KINDS.get(kind, "")) if isinstance(kind, str) else ""


def _conflicts(metadata: Any) -> tuple[tuple[str, str], ...]:
    """Return pairs of contradictory sentences, as reported by the client."""
    reported = metadata.get("cross_check") if isinstance(metadata, dict) else None
    pairs = []
    for warning in reported[:MAX_CONFLICTS] if isinstance(reported, list) else ():
        details = warning.get("details") if isinstance(warning, dict) else None
        sentences = details.get("sentences") if isinstance(details, dict) else None
        if isinstance(sentences, list) and len(sentences) == 2:
            pairs.append((str(sentences[0])[:300], str(sentences[1])[:300]))
    return tuple(pairs)


def _digest(tasks: Sequence[Task], is_live: bool) -> str:
    """Return a digest of a page's content: it is sent again only if this changes."""
    state = [
        (str(attempt.interaction.id), str(run and (run.number, run.state)), flag)
        for task in tasks
        for attempt in task.attempts
        for run, flag in [(attempt.verification, attempt.is_flagged)]
    ]
    names = [task.name for task in tasks]
    return hashlib.sha256(repr((state, names, is_live)).encode()).hexdigest()[:16]
