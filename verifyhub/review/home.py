"""The page of all projects of a person."""

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.decorators import login_required
from django.db.models import Exists, OuterRef, Subquery
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from verifyhub.accounts.models import Membership, Project, Role, User
from verifyhub.accounts.permissions import SignedInRequest
from verifyhub.common.counts import BoundedCount, bounded_counts
from verifyhub.ingest.models import Interaction
from verifyhub.review.models import ReviewItem


@dataclass(frozen=True, slots=True)
class ProjectRow:
    """One project as its member sees it.

    Attributes:
        role: The person's role, in words.
        is_admin: Whether the role is admin, who may create projects.
        open: How many answers are open for review.
        last_at: When the latest answer arrived; None if none has.
    """

    project: Project
    role: str
    is_admin: bool
    open: BoundedCount
    last_at: datetime | None


@require_safe
@login_required
def project_list(request: SignedInRequest) -> HttpResponse:
    """List the viewer's projects; without one, say whom to ask."""
    rows = project_rows(request.user)
    if not rows:
        return render(request, "no_project.html")
    may_start = any(row.is_admin for row in rows)
    shown = {"projects": rows, "may_start": may_start}
    return render(request, "project_list.html", shown)


def project_rows(user: User) -> list[ProjectRow]:
    """Read the projects of a person in two queries, most waiting answers first."""
    last = Interaction.objects.filter(project=OuterRef("project")).order_by(
        "-created_at"
    )
    memberships = (
        Membership.objects.filter(user=user)
        .select_related("project")
        .annotate(heard_at=Subquery(last.values("created_at")[:1]))
        .order_by("project__name", "project_id")
    )
    items = ReviewItem.objects.filter(state=ReviewItem.State.OPEN)
    waiting = bounded_counts([items.filter(project=m.project_id) for m in memberships])
    rows = [
        ProjectRow(
            membership.project,
            str(Role(membership.role).label),
            membership.role == Role.ADMIN,
            count,
            membership.heard_at,
        )
        for membership, count in zip(memberships, waiting, strict=True)
    ]
    return sorted(rows, key=lambda row: -row.open.value)


@login_required
def home(request: SignedInRequest) -> HttpResponse:
    """Redirect to the queue of the first project with an open answer.

    After the first start that is the demo, since the project for real answers is empty.
    """
    waiting = ReviewItem.objects.filter(
        project=OuterRef("pk"), state=ReviewItem.State.OPEN
    )
    project = (
        Project.objects.filter(memberships__user=request.user.pk)
        .order_by(Exists(waiting).desc(), "created_at", "id")
        .first()
    )
    if project is None:
        return render(request, "no_project.html")
    return redirect("review:queue", slug=project.slug)
