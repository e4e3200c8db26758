"""Header and settings tabs: where you are, and where your role lets you go."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django import template
from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext_lazy, pgettext_lazy

from verifyhub.accounts.models import Membership, Project, Role
from verifyhub.accounts.permissions import can
from verifyhub.common.counts import BoundedCount
from verifyhub.review.queue import open_count

register = template.Library()

# Word, URL name, capability, and the URL namespaces and names that belong to it.
PAGES = (
    (
        pgettext_lazy("navigation", "Review"),
        "review:queue",
        "answers.view",
        "review:queue",
    ),
    (
        pgettext_lazy("navigation", "Answers"),
        "review:answer-list",
        "answers.view",
        "review:answer",
    ),
    (
        pgettext_lazy("navigation", "Runs"),
        "review:run-list",
        "answers.view",
        "review:run",
    ),
    (pgettext_lazy("navigation", "Memory"), "memory:browser", "memory.view", "memory:"),
    (
        pgettext_lazy("navigation", "Learning"),
        "learning:page",
        "memory.view",
        "learning:",
    ),
    (
        pgettext_lazy("navigation", "Metrics"),
        "metrics:dashboard",
        "metrics.view",
        "metrics:",
    ),
    (
        pgettext_lazy("navigation", "Detection"),
        "verification:detection-list",
        "answers.view",
        "verification:detection",
    ),
    (
        pgettext_lazy("navigation", "Reviewers"),
        "review:agreement",
        "review.decide",
        "review:agreement",
    ),
)
# The pages below Settings; the entry leads to the first that a role may open.
SETTINGS = (
    (gettext_lazy("Checks"), "memory:settings", "project.manage"),
    (
        gettext_lazy("Strictness and domains"),
        "verification:presets",
        "project.manage",
    ),
    (gettext_lazy("Claims and layers"), "verification:checks", "checks.manage"),
    (gettext_lazy("Models and budget"), "inference:models", "project.manage"),
    (gettext_lazy("Reviewers"), "review:rules", "project.manage"),
    (gettext_lazy("Reasons"), "review:reason-list", "memory.edit"),
    (
        pgettext_lazy("navigation", "Schemas"),
        "verification:schema-list",
        "schemas.manage",
    ),
    (gettext_lazy("Gateways"), "verification:gateway-list", "keys.manage"),
    (pgettext_lazy("navigation", "People"), "accounts:people", "people.manage"),
    (pgettext_lazy("navigation", "Keys"), "accounts:key-list", "keys.manage"),
    (pgettext_lazy("navigation", "Events"), "events:list", "keys.manage"),
    (pgettext_lazy("navigation", "Webhooks"), "events:webhook-list", "project.manage"),
    (pgettext_lazy("navigation", "Alerts"), "reports:alerts", "alerts.manage"),
)
# What the names of pages below a page of Settings begin with.
BELOW: Mapping[str, str | tuple[str, ...]] = {
    "accounts:key-list": "accounts:key",
    "accounts:people": ("accounts:people", "accounts:member"),
    "events:webhook-list": "events:webhook",
    "reports:alerts": ("reports:alerts", "reports:rule"),
}
# Pages of other packages, and the entry's names that they count as.
BELONGS = {
    "accounts:key": "settings",
    "accounts:member-remove": "settings",
    "accounts:people": "settings",
    "events:": "settings",
    "exports:": "metrics:dashboard",
    "inference:": "settings",
    "ingest:": "review:run-list",
    "knowledge:": "memory:browser",
    "memory:settings": "settings",
    "reports:alerts": "settings",
    "reports:rule": "settings",
    "reports:": "metrics:dashboard",
    "review:batch": "review:answer",
    "review:deliberation": "review:answer",
    "review:disagreements": "review:agreement",
    "review:gold": "review:agreement",
    "review:my-judgements": "review:agreement",
    "review:person-judgements": "review:agreement",
    "review:reason": "settings",
    "review:rules": "settings",
    "review:second-opinions": "review:agreement",
    "review:memory": "memory:browser",
    "verification:detection": "verification:detection",
    "verification:upload": "review:answer",
    "verification:": "settings",
}


@dataclass(frozen=True, slots=True)
class Link:
    """An entry of the navigation; `count` is None where there is nothing to count."""

    word: str
    url: str
    current: bool
    count: BoundedCount | None = None


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
    here = match.view_name if match else ""
    return shown | {
        "project": project,
        "role": Role(membership.role).label,
        "projects": Project.objects.filter(
            memberships__user=membership.user_id
        ).order_by("name", "slug"),
        "links": _links(membership, here, context.get("open_count")),
    }


def _links(
    membership: Membership, here: str, waiting: BoundedCount | None
) -> list[Link]:
    """List the pages a role may open; `waiting` is counted where no page has."""
    project, role, links = membership.project, membership.role, []
    here = next((own for at, own in BELONGS.items() if here.startswith(at)), here)
    owner = max((page[3] for page in PAGES if here.startswith(page[3])), default="")
    for word, name, capability, prefix in PAGES:
        if not can(role, capability):
            continue
        try:
            url = reverse(name, args=[project.slug])
        except NoReverseMatch:
            continue
        count = None
        if name == "review:queue":
            user = membership.user
            count = open_count(project.id, user) if waiting is None else waiting
        links.append(Link(str(word), url, prefix == owner, count))
    tabs = list(_settings(project, role))
    if tabs:
        word = pgettext_lazy("navigation", "Settings")
        links.append(Link(str(word), tabs[0].url, here == "settings"))
    return links


@register.inclusion_tag("_settings_tabs.html", takes_context=True)
def settings_tabs(context: dict[str, Any]) -> dict[str, Any]:
    """Build the tabs of the project's settings, without those the role may not open."""
    request = context["request"]
    here = request.resolver_match.view_name
    return {"tabs": list(_settings(request.project, request.membership.role, here))}


def _settings(project: Project, role: str, here: str = "") -> Iterator[Link]:
    for word, name, capability in SETTINGS:
        if can(role, capability):
            own = here.startswith(BELOW.get(name, name))
            yield Link(str(word), reverse(name, args=[project.slug]), own)
