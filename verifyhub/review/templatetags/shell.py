"""Template tags for the header and the navigation."""

from functools import lru_cache
from typing import Any

from django import template
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from verifyhub.accounts.models import Membership, Project, Role
from verifyhub.common.counts import BoundedCount
from verifyhub.common.prepared import PreparedQuery
from verifyhub.review.navigation import groups, place
from verifyhub.review.queue import open_count

register = template.Library()

_PROJECTS = PreparedQuery(
    lambda user: (
        Project.objects.filter(memberships__user=user)
        .only("name", "slug")
        .order_by("name", "slug")
    )
)


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
        "projects": _PROJECTS(user=membership.user_id),
        "navigation": _navigation(
            membership.role, project.slug, current, waiting, get_language()
        ),
    }


@lru_cache(maxsize=1000)
def _navigation(
    role: str, slug: str, current: str, waiting: BoundedCount, _language: str
) -> SafeString:
    """Render the navigation, which is the same for all pages with these values."""
    shown = {"slug": slug, "groups": list(groups(role, slug, current, waiting))}
    return render_to_string("_navigation.html", shown)
