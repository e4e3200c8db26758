"""What of exports other pages show: downloads at once, and the way there."""

from typing import Any
from urllib.parse import urlencode

from django import template
from django.urls import reverse

from verifyhub.accounts.permissions import can
from verifyhub.exports.catalogue import DATASETS
from verifyhub.exports.wanted import may_person

register = template.Library()


@register.inclusion_tag("exports/_downloads.html", takes_context=True)
def downloads(context: dict[str, Any]) -> dict[str, Any]:
    """List what the viewer may download of the rows that the filters hold."""
    request, filters = context["request"], context["filters"]
    role = request.membership.role
    given = {name: request.GET.get(name) for name in filters.fields}
    query = urlencode({name: value for name, value in given.items() if value})
    passes = not filters.is_bound or filters.is_valid()
    return {
        "project": request.project,
        "datasets": [one for one in DATASETS.values() if may_person(role, [one.name])],
        "query": f"?{query}" if query and passes else "",
    }


@register.simple_tag(takes_context=True)
def exports_of_window(context: dict[str, Any]) -> str:
    """Return the address of exports of what the figures count; empty if refused."""
    request, window = context["request"], context["window"]
    if not can(request.membership.role, "metrics.export"):
        return ""
    query = {
        name: moment.isoformat()
        for name in ("since", "until")
        if (moment := getattr(window, name))
    }
    query |= {
        name: value
        for name in ("agent", "tier", "model")
        if (value := getattr(window, name))
    }
    page = reverse("exports:page", args=[request.project.slug])
    return f"{page}?{urlencode(query)}" if query else page
