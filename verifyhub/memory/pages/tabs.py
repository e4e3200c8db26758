"""The tabs of memory, shared by its pages."""

from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from verifyhub.accounts.models import Project
from verifyhub.memory import selectors
from verifyhub.memory.models import MemoryEntry


@dataclass(frozen=True, slots=True)
class Tab:
    """One kind of memory: `kind` is empty for the shared constraints."""

    slug: str
    label: object
    kind: str
    count: int = 0

    @property
    def shown(self) -> str:
        """How much it holds, counted no further than `MOST`."""
        return f"{self.count}" if self.count <= selectors.MOST else f"{selectors.MOST}+"


TABS = (
    Tab("constraints", _("Constraints"), ""),
    Tab("findings", _("Findings"), MemoryEntry.Kind.FINDING),
    Tab("blockers", _("Blockers"), MemoryEntry.Kind.BLOCKER),
    Tab("gaps", _("Gaps"), MemoryEntry.Kind.GAP),
    Tab("corrections", _("Corrections"), MemoryEntry.Kind.CORRECTION),
    Tab("preferences", _("Preferences"), MemoryEntry.Kind.PREFERENCE),
)
BY_SLUG = {tab.slug: tab for tab in TABS}


def counted_tabs(project: Project) -> list[Tab]:
    """Return the tabs with how much each holds in a project."""
    counts = selectors.counts_by_kind(project)
    return [Tab(tab.slug, tab.label, tab.kind, counts.get(tab.kind, 0)) for tab in TABS]
