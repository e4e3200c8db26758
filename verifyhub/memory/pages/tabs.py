"""The tabs of memory, shared by its pages."""

from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from verifyhub.accounts.models import Project
from verifyhub.memory import selectors
from verifyhub.memory.models import MemoryEntry


@dataclass(frozen=True, slots=True)
class MemoryTab:
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
    MemoryTab("constraints", _("Constraints"), ""),
    MemoryTab("findings", _("Findings"), MemoryEntry.Kind.FINDING),
    MemoryTab("blockers", _("Blockers"), MemoryEntry.Kind.BLOCKER),
    MemoryTab("gaps", _("Gaps"), MemoryEntry.Kind.GAP),
    MemoryTab("corrections", _("Corrections"), MemoryEntry.Kind.CORRECTION),
    MemoryTab("preferences", _("Preferences"), MemoryEntry.Kind.PREFERENCE),
)
BY_SLUG = {tab.slug: tab for tab in TABS}


def counted_tabs(project: Project) -> list[MemoryTab]:
    """Return the tabs with how much each holds in a project."""
    counts = selectors.counts_by_kind(project)
    return [
        MemoryTab(tab.slug, tab.label, tab.kind, counts.get(tab.kind, 0))
        for tab in TABS
    ]
