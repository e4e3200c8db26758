"""The tabs above every page of metrics: questions, compare, reports, exports."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from django import template
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from verifyhub.accounts.permissions import can
from verifyhub.metrics.pages.tabs import TABS

register = template.Library()

# Pages of the apps above, by their names: word, URL name, capability.
BESIDE: Final[tuple[tuple[Promise, str, str], ...]] = (
    (_("Weekly reports"), "reports:list", "metrics.view"),
    (_("Exports"), "exports:page", "metrics.export"),
)


@dataclass(frozen=True, slots=True)
class Link:
    """One tab."""

    word: str
    url: str
    current: bool


@register.inclusion_tag("metrics/_tabs.html", takes_context=True)
def metric_tabs(context: dict[str, Any]) -> dict[str, Any]:
    """Build the tabs that the viewer may open; filters of figures stay in them."""
    request = context["request"]
    return {
        "tabs": list(
            _tabs(
                request.project.slug,
                request.membership.role,
                request.resolver_match.view_name,
                context.get("query", ""),
            )
        )
    }


def _tabs(slug: str, role: str, here: str, query: str) -> Iterator[Link]:
    filtered = f"?{query}" if query else ""
    questions = [
        (one.word, "metrics:dashboard" if name == "overview" else f"metrics:{name}")
        for name, one in TABS.items()
    ]
    for word, view in [*questions, (_("Compare"), "metrics:compare")]:
        yield Link(str(word), reverse(view, args=[slug]) + filtered, view == here)
    for word, view, capability in BESIDE:
        if can(role, capability):
            own = here.partition(":")[0] == view.partition(":")[0]
            yield Link(str(word), reverse(view, args=[slug]), own)
