"""Pages of memory by session and by entry."""

from uuid import UUID

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone

from verifyhub.accounts.models import User
from verifyhub.accounts.permissions import ProjectRequest, can, project_page
from verifyhub.common.http import page_or_fragment
from verifyhub.ingest.models import Session
from verifyhub.memory.models import MemoryEntry
from verifyhub.memory.pages.entry_forms import EntryForm
from verifyhub.review.runs import knowledge
from verifyhub.review.runs.forms import SessionFilterForm
from verifyhub.review.runs.pages import SessionPaginator, run_context

ANSWERS = 25


@project_page("memory.view", "GET")
def sessions(request: ProjectRequest) -> HttpResponse:
    """List sessions with their entries by kind."""
    form = SessionFilterForm(request.GET)
    filters = form.filters()
    rows = knowledge.known_sessions(request.project, filters)
    pages = SessionPaginator(rows, request.project.id)
    page = pages.get_page(request.GET.get("page"))
    counts = knowledge.counts_of(request.project, [row.id for row in page])
    context = {
        "form": form,
        "page": page,
        "rows": [(row, counts.get(row.id, {})) for row in page],
        "filtered": bool(filters),
    }
    return page_or_fragment(
        request, "memory/sessions.html", "memory/_sessions.html", context
    )


@project_page("memory.view", "GET")
def session(request: ProjectRequest, uuid: UUID) -> HttpResponse:
    """Show what was learned from a session's answers, as a timeline or a tree."""
    row = get_object_or_404(
        Session.objects.select_related("project"), project=request.project, id=uuid
    )
    number = request.GET.get("page")
    view = "tree" if request.GET.get("view") == "tree" else "timeline"
    context = {
        "session": row,
        "view": view,
        "counts": knowledge.counts_of(request.project, [row.id]).get(row.id, {}),
    }
    viewer = request.membership.user
    build_context = _tree if view == "tree" else _timeline
    shown = build_context(row, number, viewer)
    return render(request, "memory/session.html", {**context, **shown})


def _timeline(row: Session, number: str | None, viewer: User) -> dict[str, object]:
    page = Paginator(knowledge.answers_of(row), ANSWERS).get_page(number)
    first = page.number == 1
    events = knowledge.timeline(row, list(page), viewer=viewer, is_first=first)
    return {"page": page, "events": events}


def _tree(row: Session, number: str | None, viewer: User) -> dict[str, object]:
    context = run_context(row, number, timezone.now(), viewer)
    ids = [
        attempt.interaction.id for task in context["tasks"] for attempt in task.attempts
    ]
    lessons = knowledge.lessons_of(row.project, ids, viewer)
    tasks = [
        (
            task,
            [(attempt, lessons[attempt.interaction.id]) for attempt in task.attempts],
        )
        for task in context["tasks"]
    ]
    return {"page": context["page"], "tree": tasks}


@project_page("memory.view", "GET")
def entry(request: ProjectRequest, entry_id: UUID) -> HttpResponse:
    """Show one entry: its content, origin and changes."""
    row = get_object_or_404(
        MemoryEntry.objects.select_related("session", "project"),
        project=request.project,
        id=entry_id,
    )
    may_edit = can(request.membership.role, "memory.edit")
    context = {
        "entry": row,
        "source": knowledge.provenance(row, request.membership.user),
        "form": EntryForm(entry=row) if may_edit else None,
        "may_edit": may_edit,
    }
    return render(request, "memory/entry.html", context)
