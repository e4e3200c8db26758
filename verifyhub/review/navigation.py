"""The navigation of a project: groups of pages, filtered by role."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from verifyhub.accounts.permissions import can
from verifyhub.common.counts import BoundedCount

QUEUE: Final = "review:queue"


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the navigation.

    Attributes:
        word: Its label.
        view: The name of its URL.
        capability: The capability to open it.
        below: Prefixes of the URL names of pages below it.
        section: Its heading within its group.
    """

    word: str | Promise
    view: str
    capability: str
    below: tuple[str, ...] = ()
    section: str | Promise = ""


@dataclass(frozen=True, slots=True)
class NavigationLink:
    """A page in a role's navigation; `count` is None if it has no count."""

    word: str
    url: str
    current: bool
    section: str = ""
    count: BoundedCount | None = None


@dataclass(frozen=True, slots=True)
class NavigationGroup:
    """Related pages; `is_open` if they are shown without a click."""

    word: str
    links: tuple[NavigationLink, ...]
    is_open: bool


def _section(word: str | Promise, *pages: Page) -> tuple[Page, ...]:
    """Return pages under a heading within their group."""
    return tuple(replace(page, section=word) for page in pages)


REVIEW = (
    Page(
        _("Queue"),
        QUEUE,
        "answers.view",
        ("review:item", "review:many", "review:act", "review:team", "review:start"),
    ),
    Page(
        _("Second opinions"),
        "review:second-opinions",
        "review.decide",
        ("review:judgement", "review:proposal", "review:question"),
    ),
    Page(_("My decisions"), "review:my-judgements", "review.decide"),
    Page(_("Disagreements"), "review:disagreements", "review.oversee"),
)
TRACES = (
    Page(
        _("Answers"),
        "review:answer-list",
        "answers.view",
        ("review:answer", "review:batch", "review:deliberation", "privacy:values"),
    ),
    Page(
        _("Runs"),
        "review:run-list",
        "answers.view",
        ("review:run-",),
    ),
    Page(
        _("Sessions"),
        "review:memory-sessions",
        "memory.view",
        ("review:memory-session",),
    ),
    Page(_("OpenTelemetry"), "ingest:trace-list", "answers.view", ("ingest:trace",)),
    Page(_("Imports"), "ingest:bulk-list", "answers.view", ("ingest:bulk",)),
    Page(_("Upload a transcript"), "verification:upload", "review.decide"),
)
MEMORY = (
    Page(_("Constraints and entries"), "memory:browser", "memory.view", ("memory:",)),
    Page(_("Shared memory"), "memory:shared", "memory.view"),
    Page(_("Prompt preview"), "memory:next-prompt", "memory.view"),
    Page(_("Search memory"), "memory:search", "memory.view", ("review:memory-entry",)),
    Page(_("Knowledge"), "knowledge:page", "memory.view", ("knowledge:",)),
    Page(_("Snapshots"), "memory:snapshots", "memory.view", ("memory:snapshot",)),
)
INSIGHTS = (
    Page(_("Overview"), "metrics:dashboard", "metrics.view", ("metrics:",)),
    Page(_("Trends"), "metrics:progress", "metrics.view"),
    Page(_("Hallucinations"), "metrics:inventions", "metrics.view"),
    Page(_("Check quality"), "metrics:checks", "metrics.view"),
    Page(_("Calibration and learning"), "learning:page", "memory.view", ("learning:",)),
    Page(_("Cost"), "metrics:cost", "metrics.view"),
    Page(
        _("Team"),
        "review:agreement",
        "review.oversee",
        ("review:person",),
    ),
    Page(_("Gold"), "review:gold-list", "review.gold", ("review:gold",)),
    Page(_("Weekly reports"), "reports:list", "metrics.view", ("reports:",)),
)
TOOLS = (
    Page(
        _("Playground"),
        "verification:detection-list",
        "answers.view",
        ("verification:detection",),
    ),
    Page(_("Exports"), "exports:page", "metrics.export", ("exports:",)),
)
SETTINGS = (
    *_section(
        _("Checks"),
        Page(_("Thresholds"), "memory:settings", "project.manage", ("memory:tool",)),
        Page(_("Strictness and domains"), "verification:presets", "project.manage"),
        Page(_("Claims and layers"), "verification:checks", "checks.manage"),
        Page(
            _("Schemas"),
            "verification:schema-list",
            "schemas.manage",
            ("verification:schema",),
        ),
        Page(
            _("Gateways"),
            "verification:gateway-list",
            "keys.manage",
            ("verification:gateway",),
        ),
    ),
    *_section(
        _("Review"),
        Page(_("Reviewers"), "review:rules", "project.manage"),
        Page(_("Reasons"), "review:reason-list", "memory.edit", ("review:reason",)),
    ),
    *_section(
        _("Models"),
        Page(
            _("Models and budget"),
            "inference:models",
            "project.manage",
            ("inference:",),
        ),
    ),
    *_section(
        _("Integrations"),
        Page(
            _("Keys"),
            "accounts:key-list",
            "keys.manage",
            ("accounts:key",),
        ),
        Page(
            _("Webhooks"),
            "events:webhook-list",
            "project.manage",
            ("events:webhook", "events:delivery"),
        ),
        Page(
            _("Alerts"),
            "reports:alerts",
            "alerts.manage",
            ("reports:rule",),
        ),
    ),
    *_section(
        _("Stored data"),
        Page(
            pgettext_lazy("navigation", "Secrets"), "privacy:masking", "checks.manage"
        ),
        Page(
            _("Retention and deletion"),
            "privacy:data",
            "data.delete",
            ("privacy:deletion",),
        ),
        Page(_("Disk use"), "privacy:disk-use", "data.delete"),
    ),
    *_section(
        _("People and activity"),
        Page(
            pgettext_lazy("navigation", "People"),
            "accounts:people",
            "people.manage",
            ("accounts:",),
        ),
        Page(_("Events"), "events:list", "keys.manage"),
    ),
)
GROUPS: Final[tuple[tuple[str | Promise, tuple[Page, ...]], ...]] = (
    (pgettext_lazy("navigation", "Review"), REVIEW),
    (pgettext_lazy("navigation", "Traces"), TRACES),
    (_("Memory"), MEMORY),
    (pgettext_lazy("navigation", "Insights"), INSIGHTS),
    (pgettext_lazy("navigation", "Tools"), TOOLS),
    (_("Settings"), SETTINGS),
)
# How many groups are always open.
ALWAYS_OPEN = 2


def place(view: str, *, in_queue: bool = False) -> str:
    """Return the page of the navigation that a page belongs to; empty for none.

    Args:
        view: The name of the page's URL.
        in_queue: Whether it shows an answer that is in the queue.
    """
    if in_queue and view.startswith("review:answer"):
        return QUEUE
    longest, best = 0, ""
    for _word, pages in GROUPS:
        for page in pages:
            for prefix in (page.view, *page.below):
                if view.startswith(prefix) and len(prefix) > longest:
                    longest, best = len(prefix), page.view
    return best


def groups(
    role: str, slug: str, current: str, waiting: BoundedCount | None
) -> Iterator[NavigationGroup]:
    """Yield the groups with the pages that a role may open, without empty ones.

    Args:
        role: The viewer's role.
        slug: The project's slug.
        current: The current page, from `place`.
        waiting: How many answers are in the queue.
    """
    for position, (word, pages) in enumerate(GROUPS):
        links = tuple(_links(role, slug, pages, current, waiting))
        if links:
            is_here = any(link.current for link in links)
            yield NavigationGroup(str(word), links, is_here or position < ALWAYS_OPEN)


def _links(
    role: str,
    slug: str,
    pages: tuple[Page, ...],
    current: str,
    waiting: BoundedCount | None,
) -> Iterator[NavigationLink]:
    section = ""
    for page in pages:
        if can(role, page.capability):
            heading = str(page.section)
            yield NavigationLink(
                str(page.word),
                reverse(page.view, args=[slug]),
                page.view == current,
                heading if heading != section else "",
                waiting if page.view == QUEUE else None,
            )
            section = heading
