"""Template filters of the learning pages."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from verifyhub.common.shares import ShareDifference
from verifyhub.learning import wordings

register = template.Library()

THRESHOLDS = {
    "uncertain_below_confidence": gettext_lazy(
        "confidence below which an answer is uncertain"
    ),
    "sends_back": gettext_lazy("what sends an answer back"),
    "minimum_grade": gettext_lazy("minimum grade of evidence"),
    "retry_above_unverified": gettext_lazy("unsupported names that are tolerated"),
    "reformulate_below_confidence": gettext_lazy(
        "confidence below which an answer goes back"
    ),
    "follow_up_below_completeness": gettext_lazy(
        "completeness below which gaps are followed up"
    ),
    "max_retries": gettext_lazy("retries of a task"),
    "max_follow_ups": gettext_lazy("follow-ups of an answer"),
}
MEASURES = {
    "invented": gettext_lazy("Answers with an unsupported name"),
    "retried": gettext_lazy("Answers that were another attempt"),
    "rejected": gettext_lazy("Answers rejected, by a reviewer or else by the checks"),
}


@register.filter
def threshold_words(name: str) -> str:
    """Return the description of a threshold."""
    return str(THRESHOLDS.get(name, name.replace("_", " ")))


@register.filter
def measure_words(name: str) -> str:
    """Return the description of an experiment's figure."""
    return str(MEASURES[name])


register.filter("check_words", wordings.check_words)


@register.filter
def exact_percent(value: float) -> str:
    """Format a chosen share as a percentage, without further digits."""
    return f"{value * 100:g} %"


@register.simple_tag
def difference(of: ShareDifference) -> SafeString:
    """Write a difference of shares in points of a hundred, with its interval."""
    if of.value is None or of.interval is None:
        return format_html('<span class="soft">{}</span>', _("nothing to compare yet"))
    low, high = of.interval
    return format_html(
        '<strong>{}</strong> <span class="small soft">{}</span>',
        _points(of.value),
        _("95 %% between %(low)s and %(high)s")
        % {"low": _points(low), "high": _points(high)},
    )


def _points(value: float) -> str:
    return f"{value * 100:+.0f}".replace("-", "−")
