"""Texts of deletions."""

from collections import Counter
from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

# Kinds of rows by the prefix of their model's label; the first match counts.
KINDS = (
    ("ingest.Interaction", "runs"),
    ("ingest.ToolCall", "tool_calls"),
    ("ingest.MaskedValues", "masked_values"),
    ("ingest.", "other"),
    ("verification.Verification", "verdicts"),
    ("verification.MentionVerdict", "verdict_rows"),
    ("verification.ClaimVerdict", "verdict_rows"),
    ("verification.", "work"),
    ("review.ReviewItem", "review_items"),
    ("review.", "decisions"),
    ("learning.", "learning"),
    ("knowledge.", "passages"),
)
WORDS: Mapping[str, Promise] = {
    "runs": pgettext_lazy("deleted", "runs"),
    "tool_calls": pgettext_lazy("deleted", "tool calls"),
    "removed_calls": pgettext_lazy("deleted", "tool calls whose texts are removed"),
    "masked_values": pgettext_lazy("deleted", "encrypted values behind masks"),
    "verdicts": pgettext_lazy("deleted", "verdicts"),
    "verdict_rows": pgettext_lazy("deleted", "judged names and claims"),
    "work": pgettext_lazy("deleted", "detections, rewrites and other work"),
    "review_items": pgettext_lazy("deleted", "review items"),
    "decisions": pgettext_lazy("deleted", "decisions, judgements and drafts"),
    "acts": pgettext_lazy("deleted", "acts of reviewers"),
    "learning": pgettext_lazy("deleted", "learning records"),
    "entries": pgettext_lazy("deleted", "memory entries"),
    "sightings": pgettext_lazy("deleted", "sightings of names"),
    "constraints": pgettext_lazy("deleted", "constraints"),
    "passages": pgettext_lazy("deleted", "passages for search"),
    "contexts": pgettext_lazy("deleted", "delivered contexts"),
    "sessions": pgettext_lazy("deleted", "sessions"),
    "traces": pgettext_lazy("deleted", "OpenTelemetry traces"),
    "spans": pgettext_lazy("deleted", "OpenTelemetry spans"),
    "events": pgettext_lazy("deleted", "events"),
    "deliveries": pgettext_lazy("deleted", "webhook deliveries"),
    "export_files": pgettext_lazy("deleted", "exports whose files are deleted"),
    "opinions": pgettext_lazy("deleted", "remembered opinions of models"),
    "logs": pgettext_lazy("deleted", "results of goal checks"),
    "replies": pgettext_lazy("deleted", "replies kept for repeated requests"),
    "other": pgettext_lazy("deleted", "other rows"),
}
TARGETS: Mapping[str, Promise] = {
    "unknown": _("The project has nothing with this name."),
    "too_short": _("Enter at least three characters."),
    "not_waiting": _("It is not waiting to be confirmed."),
    "over": _("It has already ended."),
    "held": _("A legal hold keeps it."),
}
HOLDS: Mapping[str, Promise] = {
    "unknown": _("The project has nothing with this name."),
    "held": _("A legal hold already covers it."),
    "released": _("The hold is already released."),
}


def counted(rows: Mapping[str, int]) -> dict[str, int]:
    """Return the number of rows of each kind, without zeros."""
    counts: Counter[str] = Counter()
    for name, count in rows.items():
        kind = next((kind for start, kind in KINDS if name.startswith(start)), name)
        counts[kind if kind in WORDS else "other"] += count
    return {kind: count for kind, count in counts.items() if count}


def rows_of(
    expected: Mapping[str, int], deleted: Mapping[str, int]
) -> list[tuple[Promise, int, int]]:
    """Return the rows of a report: kind, expected and deleted numbers."""
    return [
        (word, expected.get(kind, 0), deleted.get(kind, 0))
        for kind, word in WORDS.items()
        if kind in expected or kind in deleted
    ]
