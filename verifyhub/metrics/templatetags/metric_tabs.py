"""A template tag with the tabs of the metrics pages."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django import template
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from verifyhub.metrics.pages.tabs import TABS

register = template.Library()


@dataclass(frozen=True, slots=True)
class TabLink:
    """One tab."""

    word: str
    url: str
    current: bool


@register.inclusion_tag("metrics/_tabs.html", takes_context=True)
def metric_tabs(context: dict[str, Any]) -> dict[str, Any]:
    """Build the tabs; their links keep the filters of figures."""
    request = context["request"]
    return {
        "tabs": list(
            _tabs(
                request.project.slug,
                request.resolver_match.view_name,
                context.get("query", ""),
            )
        )
    }


def _tabs(slug: str, current: str, query: str) -> Iterator[TabLink]:
    filtered = f"?{query}" if query else ""
    questions = [
        (tab.word, "metrics:dashboard" if name == "overview" else f"metrics:{name}")
        for name, tab in TABS.items()
    ]
    for word, view in [*questions, (_("Compare"), "metrics:compare")]:
        yield TabLink(str(word), reverse(view, args=[slug]) + filtered, view == current)
