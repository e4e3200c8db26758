"""Effects of a decision on memory, as sentences by code."""

from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from verifyhub.memory.retired_words import RETIRED_WORDS

# For every session once others confirm it.
WAITS: Final = "name_waits"
EFFECT_WORDS: Final = {
    **RETIRED_WORDS,
    # Constraints.
    "constraint_active": _(
        "Every agent receives the constraint that there is no %(what)s."
    ),
    "constraint_active_instead": _(
        "Every agent receives the constraint to use %(right)s; there is no %(what)s."
    ),
    "constraint_retired": _(
        "Agents no longer receive the constraint that there is no %(what)s. %(why)s"
    ),
    "constraint_candidate": _(
        "The constraint on the %(what)s is a candidate again: not shared with agents."
    ),
    # The reach of a correction.
    WAITS: _(
        "Shared with other sessions once a second person or the evidence confirms it."
    ),
    "name_stays": _("Not shared with other sessions: it applies to this one only."),
    "right_name_waits": _(
        "%(right)s is not suggested to other sessions until a second person confirms it"
        " or a tool call shows it."
    ),
    # Single entries.
    "finding_told": _("%(what)s is now a finding of %(where)s."),
    "finding_untold": _("%(what)s is no longer a finding of %(where)s."),
    "blocker_told": _("%(what)s is now a blocker of %(where)s."),
    "blocker_untold": _("%(what)s is no longer a blocker of %(where)s."),
    "gap_told": _("%(what)s is now a gap of %(where)s."),
    "gap_untold": _("%(what)s is no longer a gap of %(where)s."),
    "correction_told": _("%(what)s is now a correction of %(where)s."),
    "correction_untold": _("%(what)s is no longer a correction of %(where)s."),
    # Several entries.
    "findings_told": ngettext_lazy(
        "%(count)s finding of this answer is shared with the session's agents.",
        "%(count)s findings of this answer are shared with the session's agents.",
        "count",
    ),
    "findings_untold": ngettext_lazy(
        "%(count)s finding of this answer is no longer shared with the session's "
        "agents.",
        "%(count)s findings of this answer are no longer shared with the session's "
        "agents.",
        "count",
    ),
    "blockers_told": ngettext_lazy(
        "%(count)s blocker of this answer is shared with the session's agents.",
        "%(count)s blockers of this answer are shared with the session's agents.",
        "count",
    ),
    "blockers_untold": ngettext_lazy(
        "%(count)s blocker of this answer is no longer shared with the session's "
        "agents.",
        "%(count)s blockers of this answer are no longer shared with the session's "
        "agents.",
        "count",
    ),
    "gaps_told": ngettext_lazy(
        "%(count)s gap of this answer is shared with the session's agents.",
        "%(count)s gaps of this answer are shared with the session's agents.",
        "count",
    ),
    "gaps_untold": ngettext_lazy(
        "%(count)s gap of this answer is no longer shared with the session's agents.",
        "%(count)s gaps of this answer are no longer shared with the session's agents.",
        "count",
    ),
    "elsewhere_told": ngettext_lazy(
        "%(count)s entry of other answers on this name is shared again.",
        "%(count)s entries of other answers on this name are shared again.",
        "count",
    ),
    "elsewhere_untold": ngettext_lazy(
        "%(count)s entry of other answers on this name is no longer shared.",
        "%(count)s entries of other answers on this name are no longer shared.",
        "count",
    ),
    # Sightings.
    "support": _("This answer counts as support of the constraint on this name."),
    "support_lost": _(
        "This answer no longer counts as support of the constraint on this name."
    ),
    "supports": ngettext_lazy(
        "This answer counts as support of the constraints on %(count)s name.",
        "This answer counts as support of the constraints on %(count)s names.",
        "count",
    ),
    "supports_lost": ngettext_lazy(
        "This answer no longer counts as support of the constraints on %(count)s name.",
        "This answer no longer counts as support of the constraints on %(count)s"
        " names.",
        "count",
    ),
    # Corrections.
    "verdict_held": _(
        "The memory of %(where)s now has, with precedence, your verdict on the answer."
    ),
    "verdict_dropped": _(
        "The memory of %(where)s no longer has your verdict on the answer."
    ),
    "answer_held": _(
        "The memory of %(where)s now has, with precedence, your text as"
        " the correct answer."
    ),
    "answer_dropped": _(
        "The memory of %(where)s no longer has your text as the correct answer."
    ),
    "claim_verified_held": _(
        "The memory of %(where)s now states, with precedence, that the"
        " claim %(claim)s is true."
    ),
    "claim_verified_dropped": _(
        "The memory of %(where)s no longer states that the claim %(claim)s is true."
    ),
    "claim_unverified_held": _(
        "The memory of %(where)s now states, with precedence, that the"
        " claim %(claim)s is false."
    ),
    "claim_unverified_dropped": _(
        "The memory of %(where)s no longer states that the claim %(claim)s is false."
    ),
    "fact_verified_held": _(
        "The memory of %(where)s now states, with precedence, that %(claim)s is true."
    ),
    "fact_verified_dropped": _(
        "The memory of %(where)s no longer states that %(claim)s is true."
    ),
    "fact_unverified_held": _(
        "The memory of %(where)s now states, with precedence, that"
        " %(claim)s is not true."
    ),
    "fact_unverified_dropped": _(
        "The memory of %(where)s no longer states that %(claim)s is not true."
    ),
    "name_verified_held": _(
        "The memory of %(where)s now states, with precedence, that the %(what)s is "
        "correct."
    ),
    "name_verified_dropped": _(
        "The memory of %(where)s no longer states that the %(what)s is correct."
    ),
    "name_unverified_held": _(
        "The memory of %(where)s now states, with precedence, that there"
        " is no %(what)s."
    ),
    "name_unverified_dropped": _(
        "The memory of %(where)s no longer states that there is no %(what)s."
    ),
}
