"""What the codes of mitigations and deliberations mean, for people."""

from django.utils.translation import gettext_lazy as _

from verifyhub.engine.mitigation.compare import OBJECTION_WORDS
from verifyhub.engine.mitigation_results import REASON_WORDS
from verifyhub.review.answer_page.words import CHECK_REASONS

# The engine knows no framework: its sentences are found by their English.
ADVICE_REASONS = {str(code): _(said) for code, said in REASON_WORDS.items()}
OBJECTIONS = {str(code): _(said) for code, said in OBJECTION_WORDS.items()}
ENDINGS = {
    **CHECK_REASONS,
    "offered": _("it passes the checks"),
    "objections": _("it fails the checks"),
    "no_reliable_part": _("no part of the task could be confirmed"),
    "cost": _("the money for it is used up"),
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
