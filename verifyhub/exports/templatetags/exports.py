"""Template tags that link other pages to downloads and exports."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django import template
from django.urls import reverse

from verifyhub.accounts.permissions import can
from verifyhub.exports.answer_filters import OPEN, RESOLVED
from verifyhub.exports.catalogue import DATASETS
from verifyhub.exports.wanted import may_person
from verifyhub.review.answer_list.moments import moment

register = template.Library()


@register.inclusion_tag("exports/_downloads.html", takes_context=True)
def downloads(context: dict[str, Any]) -> dict[str, Any]:
    """List the downloads that the viewer may make of the filtered rows."""
    request, filters = context["request"], context["filters"]
    role = request.membership.role
    values = {name: request.GET.get(name) for name in filters.fields}
    query = urlencode({name: value for name, value in values.items() if value})
    passes = not filters.is_bound or filters.is_valid()
    return {
        "project": request.project,
        "datasets": [
            dataset for dataset in DATASETS.values() if may_person(role, [dataset.name])
        ],
        "query": f"?{query}" if query and passes else "",
    }


@register.simple_tag(takes_context=True)
def exports_of_window(context: dict[str, Any]) -> str:
    """Return the URL of exports of the metrics' answers; empty if not allowed."""
    window = context["window"]
    query = {
        name: moment_.isoformat()
        for name in ("since", "until")
        if (moment_ := getattr(window, name))
    }
    query |= {
        name: value
        for name in ("agent", "tier", "model")
        if (value := getattr(window, name))
    }
    return _exports(context, query)


@register.simple_tag(takes_context=True)
def exports_of_answers(context: dict[str, Any]) -> str:
    """Return the URL of exports of the answer list, or none.

    The list includes its last day; the end of an export is exclusive.
    """
    values = context["form"].sent_values()
    for name in ("since", "until"):
        if parsed := moment(values.get(name) or "", is_end=name == "until"):
            values[name] = parsed.isoformat()
    return _exports(context, values)


@register.simple_tag(takes_context=True)
def exports_of_queue(context: dict[str, Any]) -> str:
    """Return the URL of exports of the queue, or none."""
    values = context["form"].filters()
    # The queue's state is the item's, not that of the verification.
    decided = values.pop("state", "") == RESOLVED
    return _exports(context, values | {"review": RESOLVED if decided else OPEN})


def _exports(context: dict[str, Any], values: Mapping[str, Any]) -> str:
    request = context["request"]
    if not can(request.membership.role, "metrics.export"):
        return ""
    query = urlencode({name: value for name, value in values.items() if value})
    page = reverse("exports:page", args=[request.project.slug])
    return f"{page}?{query}" if query else page
