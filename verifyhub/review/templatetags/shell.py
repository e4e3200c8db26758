"""Template tags for the header and the navigation."""

from typing import Any

from django import template
from django.http import HttpRequest

from verifyhub.accounts.models import Membership, Project, Role
from verifyhub.review.navigation import groups, place
from verifyhub.review.queue import open_count

register = template.Library()


@register.inclusion_tag("_shell_header.html", takes_context=True)
def shell_header(context: dict[str, Any]) -> dict[str, Any]:
    """Build the header; outside a project it has no navigation."""
    request: HttpRequest | None = context.get("request")
    project: Project | None = getattr(request, "project", None)
    membership: Membership | None = getattr(request, "membership", None)
    shown = {
        "user": context.get("user") or getattr(request, "user", None),
        "csrf_token": context.get("csrf_token"),
    }
    if request is None or project is None or membership is None:
        return shown
    match = request.resolver_match
    current = place(
        match.view_name if match else "", in_queue=context.get("item") is not None
    )
    waiting = context.get("open_count")
    if waiting is None:
        waiting = open_count(project.id, membership.user)
    return shown | {
        "project": project,
        "role": Role(membership.role).label,
        "projects": Project.objects.filter(
            memberships__user=membership.user_id
        ).order_by("name", "slug"),
        "groups": list(groups(membership, current, waiting)),
    }
