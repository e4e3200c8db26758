"""The card of downloads on the metrics page."""

from typing import Any
from urllib.parse import urlencode

from django import template

from verifyhub.accounts.permissions import can
from verifyhub.exports.catalogue import DATASETS
from verifyhub.exports.wanted import may_person

register = template.Library()


@register.inclusion_tag("exports/_card.html", takes_context=True)
def export_card(context: dict[str, Any]) -> dict[str, Any]:
    """List what the viewer may download of the window that the page shows."""
    request, window = context["request"], context["window"]
    role = request.membership.role
    query = {
        name: moment.isoformat()
        for name in ("since", "until")
        if (moment := getattr(window, name, None))
    }
    return {
        "project": request.project,
        "datasets": [one for one in DATASETS.values() if may_person(role, [one.name])],
        "may_export": can(role, "metrics.export"),
        "export_query": f"?{urlencode(query)}" if query else "",
    }
