"""The context of mitigations and deliberations on the answer page."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from verifyhub.accounts.models import Membership
from verifyhub.accounts.permissions import can
from verifyhub.engine.mitigation.compare import OBJECTION_WORDS
from verifyhub.engine.mitigation_results import REASON_WORDS
from verifyhub.engine.verdicts import VerificationReport
from verifyhub.ingest.models import Interaction
from verifyhub.review.answer_page.words import CHECK_REASONS, words_for
from verifyhub.verification.models import (
    Deliberation,
    MitigationActions,
    MitigationAttempt,
)
from verifyhub.verification.selectors import latest_deliberations, latest_mitigations


def what_to_do(
    interaction: Interaction,
    report: VerificationReport,
    membership: Membership,
) -> dict[str, Any]:
    """Return the context of "What to do about it", in two queries."""
    attempts = latest_mitigations(interaction)
    deliberations = latest_deliberations(interaction)
    advice_words: dict[str, Any] = {}
    if advice := report.mitigation:
        advice_words = {
            "advice_words": action_word(advice.action),
            "advice_why": words_for(advice.reason, ADVICE_REASONS),
            "advice_also": [action_word(action) for action in advice.also],
        }
    return {
        "interaction": interaction,
        "advice": report.mitigation,
        "verdict": str(report.verdict),
        **advice_words,
        "may_mitigate": interaction.outputs_removed_at is None
        and can(membership.role, "review.decide"),
        "can_rewrite": report.has_faults,
        "attempts": [_attempt(row) for row in attempts],
        "deliberations": deliberations,
        "is_waiting": any(row.is_waiting for row in attempts),
    }


def steps_of(row: Deliberation) -> list[dict[str, Any]]:
    """Return the four steps with their texts, including those not begun."""
    return [_step(name, row.step(name)) for name in STEPS]


def _attempt(row: MitigationAttempt) -> dict[str, Any]:
    result = row.result or {}
    return {
        "row": row,
        "words": action_word(row.action),
        "text": result.get("text", ""),
        "why": words_for(result["reason"], ENDINGS) if "reason" in result else "",
        "objections": [
            words_for(code, OBJECTIONS) for code in result.get("objections", ())
        ],
        "verdict": (result.get("verdict") or {}).get("verdict", ""),
        "parts": result.get("parts", ()),
        "shown": result.get("shown", ""),
    }


def _step(name: str, step: Mapping[str, Any]) -> dict[str, Any]:
    state = step.get("state", "waiting")
    details = step.get("details") or {}
    reason = step.get("reason", "")
    return {
        **step,
        "name": name,
        "state": state,
        # The state that determines the badge's colour.
        "tone": {"done": "finished"}.get(state, state),
        "words": str(STEPS[name]),
        "state_words": words_for(state, STATES),
        "why": words_for(reason, ENDINGS) if reason else "",
        "claims": details.get("claims", ()),
        "offered": details.get("offered"),
        "objections": [
            words_for(code, OBJECTIONS) for code in details.get("objections", ())
        ],
        "verdict": (details.get("verdict") or {}).get("verdict", ""),
    }


def action_word(action: str) -> str:
    """Return a mitigation in the reader's language; an unknown one as it is."""
    is_known = action in MitigationActions.values
    return str(MitigationActions(action).label) if is_known else action


# The engine has no translations: its English sentences are the message ids.
ADVICE_REASONS = {str(code): _(said) for code, said in REASON_WORDS.items()}
OBJECTIONS = {str(code): _(said) for code, said in OBJECTION_WORDS.items()}
ENDINGS = {
    **CHECK_REASONS,
    "offered": _("it passes the checks"),
    "objections": _("it fails the checks"),
    "no_reliable_part": _("no part of the task could be confirmed"),
    "cost": _("its budget is used up"),
    "no_draft": _("there is no draft"),
    "given": _("as it was sent"),
}
STEPS = {
    "draft": _("Draft"),
    "critique": _("Critique"),
    "fact_check": _("Fact check"),
    "synthesis": _("Synthesis"),
}
STATES = {
    "waiting": _("pending"),
    "running": _("running"),
    "done": _("done"),
    "skipped": _("skipped"),
    "failed": _("failed"),
}
