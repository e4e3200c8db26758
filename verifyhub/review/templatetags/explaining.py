"""A verdict's explanation in the reader's language."""

from django import template
from django.utils import translation
from django.utils.translation import gettext

from verifyhub.engine.cross_tier.verifier import INCONCLUSIVE_GAP
from verifyhub.engine.decisions.explain import explain
from verifyhub.engine.verdicts import VerificationReport
from verifyhub.memory.warning_words import warning_words
from verifyhub.review.effect_words import effect_words
from verifyhub.review.models import ReviewItem
from verifyhub.review.queue import words_of

register = template.Library()
register.filter(effect_words)
register.filter(warning_words)


@register.filter
def gap_words(gap: str) -> str:
    """Return a gap as text; what a model wrote is shown as it is."""
    if gap != INCONCLUSIVE_GAP:
        return gap
    return gettext("Verification could not be completed")


@register.filter
def explained(report: VerificationReport) -> str:
    """Explain a verdict in the reader's language; in English as it was stored."""
    language = translation.get_language() or "en"
    if language.startswith("en"):
        return report.explanation
    return explain(report, translation)


@register.filter
def reasons_said(item: ReviewItem) -> list[str]:
    """Return in the reader's language why an item is in the queue."""
    return words_of(item.reason_facts, item.reasons)
