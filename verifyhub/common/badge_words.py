"""Labels of badges for verdicts, statuses, outcomes and states.

Other values are shown as they are. Contexts help translators where English uses one
word for a verdict, a requested step and a state.
"""

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy as _

BADGE_WORDS: Final[Mapping[str, Promise]] = {
    "accept": _("verdict", "Accept"),
    "reject": _("verdict", "Reject"),
    "uncertain": _("verdict", "Uncertain"),
    "verified": _("badge", "Verified"),
    "unverified": _("badge", "Unverified"),
    "exempt": _("badge", "Exempt"),
    "supported": _("badge", "Supported"),
    "contradicted": _("badge", "Contradicted"),
    "unattempted": _("badge", "No evidence of execution"),
    "unchecked": _("badge", "Unchecked"),
    "passed": _("badge", "Passed"),
    "failed": _("badge", "Failed"),
    "inconclusive": _("badge", "Inconclusive"),
    "skipped": _("badge", "Skipped"),
    "confirmed": _("badge", "Confirmed"),
    "overridden": _("badge", "Overridden"),
    "active": _("badge", "Active"),
    "draft": _("badge", "Draft"),
    "uncalibrated": _("badge", "Uncalibrated"),
    "candidate": _("badge", "Candidate"),
    "shadow": _("badge", "Observation"),
    "retired": _("badge", "Retired"),
    "pending": _("badge", "Pending"),
    "running": _("badge", "Running"),
    "finished": _("badge", "Finished"),
    "cancelled": _("badge", "Cancelled"),
    "open": _("badge", "Open"),
    "ok": _("badge", "Ok"),
    "error": _("badge", "Error"),
    "refused": _("badge", "Refused"),
    "unknown": _("badge", "Unknown"),
    "fail": _("decision", "Fail"),
    "retry": _("decision", "Retry"),
    "reformulate": _("decision", "Reformulate"),
    "clarify": _("decision", "Clarify"),
    "follow_up": _("decision", "Follow up"),
    "achieved": _("badge", "Achieved"),
    "not_achieved": _("badge", "Not achieved"),
    "not_checked": _("badge", "Not checked"),
    "finding": _("badge", "Finding"),
    "blocker": _("badge", "Blocker"),
    "gap": _("badge", "Gap"),
    "stale": _("badge", "Stale"),
    "waiting": _("badge", "Waiting"),
    "asking": _("badge", "Asking"),
    "answered": _("badge", "Answered"),
    "given_up": _("badge", "Failed permanently"),
    "replaced": _("badge", "Replaced"),
    "block": _("mitigation", "Block"),
    "decompose_and_retry": _("mitigation", "Split the task and retry"),
    "regenerate": _("mitigation", "Rewrite"),
    "disclaim": _("mitigation", "Add a disclaimer"),
    "request_sources": _("mitigation", "Request sources"),
    "flag_uncertain": _("mitigation", "Flag as uncertain"),
}
