"""Descriptions of a project's cut-offs."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class ThresholdWords:
    """A threshold as people read it."""

    label: str | Promise
    help: str | Promise
    # Where the default is from, and what moving the value does.
    source: str | Promise = ""
    raising: str | Promise = ""
    lowering: str | Promise = ""

    @property
    def explained(self) -> str:
        """Return the cut-off's meaning, with its source and the effect of changes."""
        moves = (
            gettext("Higher: %(effect)s") % {"effect": self.raising},
            gettext("Lower: %(effect)s") % {"effect": self.lowering},
            gettext("Source: %(source)s.") % {"source": self.source},
        )
        parts = (self.raising, self.lowering, self.source)
        sentences = [move for move, words in zip(moves, parts, strict=True) if words]
        return " ".join([str(self.help), *sentences])

    def with_default(self, default: object) -> str:
        """Return the cut-off's meaning, then its default."""
        return f"{self.explained} " + gettext("Default: %(value)s.") % {
            "value": default
        }


@dataclass(frozen=True, slots=True)
class ThresholdGroup:
    """Thresholds that belong together."""

    title: str | Promise
    intro: str | Promise
    thresholds: dict[str, ThresholdWords]


GROUPS = (
    ThresholdGroup(
        _("Next action for the agent"),
        _("Asked in this order; the first that applies decides."),
        {
            "sends_back": ThresholdWords(
                _("What sends an answer back"),
                _(
                    "While attempts remain; each choice adds to the one before it. "
                    "A tolerated fault leaves the answer uncertain."
                ),
            ),
            "retry_above_unverified": ThresholdWords(
                _("Unsupported names before a retry"),
                _(
                    "With more than this, the agent is asked to retry and receives"
                    " the unsupported names. It applies to the first two choices"
                    " above; from the third on, one name is enough."
                ),
                source=_("KB Labs, cross-tier verification, decisions"),
                raising=_("fewer retries, more unsupported names let through."),
                lowering=_("more retries, also for names from elsewhere."),
            ),
            "reformulate_below_confidence": ThresholdWords(
                _("Confidence for a reformulation"),
                _("Below this share (0 to 1) the task is reformulated."),
                source=_("KB Labs, cross-tier verification, decisions"),
                raising=_("more tasks are reformulated."),
                lowering=_("only answers with almost no evidence are."),
            ),
            "follow_up_below_completeness": ThresholdWords(
                _("Completeness for follow-ups"),
                _(
                    "Below this share (0 to 1) what is missing becomes follow-up "
                    "subtasks. Only a model measures completeness."
                ),
                source=_("KB Labs, cross-tier verification, decisions"),
                raising=_("more follow-ups, more cost."),
                lowering=_("more gaps stay open."),
            ),
            "max_follow_ups": ThresholdWords(
                _("Follow-ups at most"),
                _("How many subtasks one answer may ask for."),
                source=_("KB Labs, cross-tier verification, decisions"),
                raising=_("more gaps are closed at once, at more cost."),
                lowering=_("fewer are."),
            ),
            "uncertain_below_confidence": ThresholdWords(
                _("Minimum confidence"),
                _("Below this share (0 to 1) an accepted answer is marked uncertain."),
                source=_("KB Labs, cross-tier verification, decisions"),
                raising=_("more answers are uncertain and wait for a reviewer."),
                lowering=_("more are accepted without review."),
            ),
            "max_retries": ThresholdWords(
                _("Retries at most"),
                _("After so many tries of one subtask the decision is to fail."),
                source=_("KB Labs, cross-tier verification, decisions"),
                raising=_("agents try longer, at more cost."),
                lowering=_("they give up sooner."),
            ),
        },
    ),
    ThresholdGroup(
        _("When a name becomes a shared constraint"),
        _(
            "A name that agents repeatedly use without evidence is shared"
            " with every session of the project. A name found in any tool"
            " output never is, unless a reviewer decides so."
        ),
        {
            "recurrence_interactions": ThresholdWords(
                _("Answers"),
                _("Answers in which the name was unsupported,"),
            ),
            "recurrence_sessions": ThresholdWords(
                _("Sessions"),
                _(
                    "Different sessions among them; at least 2, so that one session"
                    " alone is not enough,"
                ),
            ),
            "recurrence_keys": ThresholdWords(
                _("Independent sources"),
                _(
                    "From this many independent sources, at least 2. Keys of one owner,"
                    " one agent or one deployment are one source. With a single source,"
                    " a person who confirms the name replaces the second."
                ),
            ),
            "recurrence_days": ThresholdWords(_("Days"), _("Within this many days.")),
            "shadow_hours": ThresholdWords(
                _("Observation period (hours)"),
                _(
                    "A name that meets the rule is observed for this long before "
                    "it is shared with agents; the rate in this period is the "
                    "baseline. A person who confirms the name "
                    "activates it at once."
                ),
                source=_("VerifyHub's default, not measured"),
                raising=_("a more reliable rate, and more time before agents know."),
                lowering=_(
                    "agents get constraints sooner; 0 skips the observation period."
                ),
            ),
            "leaving_shadow": ThresholdWords(
                _("What ends the observation period"),
                _(
                    "If a lead must confirm, recurring names are not shared with "
                    "agents before that."
                ),
            ),
        },
    ),
    ThresholdGroup(
        _("Approvals for shared memory"),
        _("Feedback applies in its own session at once."),
        {
            "confirming_people": ThresholdWords(
                _("Approvals required"),
                _(
                    "How many approvals feedback needs before other sessions receive "
                    "it: names marked invented or correct, preferences, pins. A key "
                    "counts as its owner. When a signed-in person marks a name as "
                    "invented, a tool call that reported it missing counts as an "
                    "approval, and so do answers of a second session that used it "
                    "without evidence. A name that tool calls have shown needs two "
                    "people."
                ),
                source=_("VerifyHub's default, not measured"),
                raising=_("a mistake or a stolen key reaches fewer agents."),
                lowering=_(
                    "agents receive it sooner; 1 suits a project with one member."
                ),
            ),
        },
    ),
    ThresholdGroup(
        _("Prompt preview"),
        _("Shares from 0 to 1."),
        {
            "fact_confidence": ThresholdWords(
                _("Confidence of a fact"),
                _(
                    "A name with evidence is shared as a fact if its answer had at "
                    "least this confidence."
                ),
            ),
            "low_confidence_below": ThresholdWords(
                _("Weak answers"),
                _(
                    "Below this confidence memory keeps a warning about the whole "
                    "answer."
                ),
            ),
            "gap_confidence": ThresholdWords(
                _("Confidence of a gap"),
                _("Weight of a gap in memory."),
            ),
        },
    ),
    ThresholdGroup(
        _("How long a session's memory lasts"),
        _(
            "Days after which an entry is no longer delivered; 0 for never."
            " Human corrections never expire, and names found in evidence"
            " keep cancelling constraints."
        ),
        {
            "finding_days": ThresholdWords(
                _("Findings"), _("Names shown by evidence.")
            ),
            "blocker_days": ThresholdWords(
                _("Blockers"), _("Unsupported names and claims.")
            ),
            "gap_days": ThresholdWords(_("Gaps"), _("What an answer left out.")),
        },
    ),
    ThresholdGroup(
        _("Evidence requirements"),
        _("Every name in a verdict shows the grade of its evidence."),
        {
            "minimum_grade": ThresholdWords(
                _("Minimum grade"),
                _("A name with evidence of a lower grade is not verified."),
            ),
            "earlier_turns": ThresholdWords(
                _("Earlier answers of a session"),
                _(
                    "The tool calls of so many answers before the one at hand are"
                    " evidence for it; 0 for none. Attempts at the same task and its"
                    " subtasks always count."
                ),
                raising=_("fewer false positives where agents rely on earlier reads."),
                lowering=_("every answer must be supported by its own calls."),
            ),
            "earlier_hours": ThresholdWords(
                _("Age of earlier answers"),
                _(
                    "Hours after which an earlier answer of the session no longer "
                    "counts."
                ),
            ),
        },
    ),
    ThresholdGroup(
        _("When a model is asked"),
        _("The check against the tool calls always runs."),
        {
            "ask_models": ThresholdWords(
                _("Whether a model is asked"),
                _("Without one, completeness and contradictions are not judged."),
            ),
            "model_above_characters": ThresholdWords(
                _("Length of the answer"),
                _("Answers of more characters than this are worth a model's opinion."),
                source=_("KB Labs, cross-tier verification"),
                raising=_("short answers go without an opinion."),
                lowering=_("more answers are judged, at more cost."),
            ),
            "doubt_below_coverage": ThresholdWords(
                _("Coverage"),
                _(
                    "Below this share (0 to 1) the tool calls leave doubt, and a "
                    "project that asks a model only in doubt asks it."
                ),
                source=_("VerifyHub's default, not measured"),
                raising=_("a model is asked more often."),
                lowering=_("it is asked less often."),
            ),
            "overconfident_above": ThresholdWords(
                _("Overconfidence"),
                _(
                    "If an agent's own confidence exceeds the verdict's by more than "
                    "this (0 to 1), the answer gets a warning and is in doubt."
                ),
                source=_("VerifyHub's default, not measured"),
                raising=_("fewer warnings."),
                lowering=_("more warnings."),
            ),
        },
    ),
)
