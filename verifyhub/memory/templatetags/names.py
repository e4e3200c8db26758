"""Template tags for names and entries of memory."""

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from verifyhub.audit.models import AuditEvent
from verifyhub.common.kind_words import kind_word
from verifyhub.common.templatetags.spoken import value_word
from verifyhub.common.templatetags.ui import percent
from verifyhub.common.untrusted import highlighted
from verifyhub.engine.text.lookalike import is_disguised
from verifyhub.memory.models import Constraint, MemoryEntry
from verifyhub.memory.retired_words import retired_words
from verifyhub.memory.search import match_spans
from verifyhub.memory.warning_words import entry_words

register = template.Library()
register.filter(entry_words)


@register.filter
def disguised(name: str) -> bool:
    """Whether a name reads as plain ASCII but is spelt with other letters."""
    return is_disguised(name)


SAID_OF_A_NAME = {
    "verified": _("reviewer: correct"),
    "unverified": _("reviewer: invented"),
}
SAID_OF_AN_ANSWER = {
    "verified": _("the answer was accepted"),
    "unverified": _("the answer was rejected"),
}


@register.simple_tag
def entry_facts(entry: MemoryEntry) -> str:
    """Return a line with an entry's subject and facts."""
    facts = [kind_word(entry.mention_kind)] if entry.mention_kind else []
    if entry.mention_key and is_disguised(entry.text):
        facts.append(gettext("in look-alike letters"))
    if entry.kind == MemoryEntry.Kind.CORRECTION:
        words = SAID_OF_A_NAME if entry.mention_key else SAID_OF_AN_ANSWER
        unsure = gettext("the answer was marked uncertain")
        facts.append(str(words.get(entry.mention_status, unsure)))
    elif entry.confidence is not None:
        share = percent(entry.confidence)
        facts.append(gettext("confidence %(share)s") % {"share": share})
    return ", ".join(facts)


# Of a longer text no more is shown in a row.
MAX_SHOWN = 300


@register.filter
def marked(text: str, query: str) -> SafeString:
    """Render untrusted text with the search words marked."""
    shown = text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"
    return highlighted(shown, match_spans(shown, query))


ACTS = {
    "memory.entry_edited": _("Edited"),
    "memory.entry_retracted": _("Retracted"),
    "memory.entry_restored": _("Restored"),
    "memory.preference_added": _("Shared with all sessions"),
    "memory.name_corrected": _("Name judged"),
    "memory.answer_judged": _("From a reviewer"),
    "memory.reach_settled": _("Scope changed"),
    "memory.entry_confirmed": _("Approved by a second person"),
    "memory.correction_undone": _("Undone"),
    "memory.constraint_shadowed": _("Under observation"),
    "memory.constraint_activated": _("Shared with agents"),
    "memory.constraint_withdrawn": _("Withdrawn"),
    "memory.constraint_merged": _("Merged"),
    "memory.constraint_split": _("Merge undone"),
    "memory.constraint_reworded": _("Reworded"),
    "memory.constraint_suggestion_edited": _("Suggestion edited"),
    "memory.constraint_pinned": _("Pinned"),
    "memory.constraint_retired": _("Retired"),
    "memory.constraint_restored": _("Returned to automatic"),
    "memory.constraint_confirmed": _("Confirmed by a lead"),
}
MAX_VALUE = 300


@register.filter
def act_word(action: str) -> object:
    """Return the word for an audited act; without one, its code."""
    return ACTS.get(action, action.partition(".")[2].replace("_", " "))


@register.filter
def changes(event: AuditEvent) -> list[tuple[str, str, str]]:
    """Return the changes of an act: field, old and new value."""
    names = sorted({*event.before, *event.after})
    return [
        (
            name,
            _value(name, event.before.get(name)),
            _value(name, event.after.get(name)),
        )
        for name in names
        if event.before.get(name) != event.after.get(name)
    ]


def _value(name: str, value: object) -> str:
    if value in (None, ""):
        return "–"
    return (kind_word if name == "kind" else value_word)(value)[:MAX_VALUE]


FIELDS = {
    "state": _("State"),
    "origin": _("Origin"),
    "retired_reason": _("Reason"),
    "suggestion": _("Use instead"),
    "text": _("Name"),
    "merged_into": _("Merged into"),
}
VALUES = {
    "state": dict(Constraint.State.choices),
    "origin": dict(Constraint.Origin.choices),
}


@register.filter
def constraint_changes(event: AuditEvent) -> list[tuple[object, str, str]]:
    """Return the changes of an act on a constraint, in words: field, old and new."""
    before, after = (_reasoned(side) for side in (event.before, event.after))
    return [
        (
            FIELDS[name],
            _constraint_value(name, before.get(name)),
            _constraint_value(name, after.get(name)),
        )
        for name in FIELDS
        if before.get(name) != after.get(name)
    ]


def _reasoned(side: Mapping[str, Any]) -> dict[str, Any]:
    fields = dict(side)
    if code := fields.pop("retired_code", ""):
        fields["retired_reason"] = retired_words(code, fields.get("retired_reason", ""))
    return fields


def _constraint_value(name: str, value: object) -> str:
    if value in (None, ""):
        return "–"
    return str(VALUES.get(name, {}).get(str(value), value))[:MAX_VALUE]


LEFT_OUT = {
    "budget": _("The budget was used up by more important lines"),
    "held_out": _("The session is in the holdout of this kind, to measure its effect"),
    "duplicate": _("The same name is already shared from a stronger source"),
    "expired": _("Expired"),
    "superseded": _("Superseded by a human decision"),
    "retracted": _("Retracted by a lead"),
    "unsure": _("From an answer with too little confidence"),
    "full": _("Its section is full, or another line is identical"),
}


@register.filter
def why_not(reason: str) -> object:
    """Return why a row is not shared with the next agent."""
    return LEFT_OUT.get(reason, reason)
