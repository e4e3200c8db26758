"""Template filters for shares and durations."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from verifyhub.common.code_words import words_for
from verifyhub.common.shares import Share
from verifyhub.common.templatetags.ui import DAY, HOUR, MINUTE, duration

register = template.Library()
register.filter("words", words_for)

UNITS = (
    (DAY, _("%(count)d d")),
    (HOUR, _("%(count)d h")),
    (MINUTE, _("%(count)d min")),
)
SECONDS = _("%(count)d s")


@register.simple_tag
def share(of: Share) -> SafeString:
    """Write a share with its n, its 95 % interval, and a word if n is small."""
    if of.interval is None:
        return format_html(
            '<span class="soft">{}</span>', gettext("nothing to count yet")
        )
    low, high = of.interval
    counted = gettext(
        "%(count)d of %(total)d, 95 %% between %(low)s and %(high)s %%"
    ) % {
        "count": of.count,
        "total": of.total,
        "low": _whole_percent(low),
        "high": _whole_percent(high),
    }
    return format_html(
        '<span class="share">{}&nbsp;%</span> <span class="small soft">{}{}</span>',
        _whole_percent(of.count / of.total),
        counted,
        gettext("; few cases") if of.is_small else "",
    )


@register.filter
def fine_percent(value: float) -> str:
    """Format a share as a percentage, with a decimal if it is small."""
    return f"{value * 100:.0f} %" if value >= 0.1 else f"{value * 100:.1f} %"


@register.filter
def milliseconds(value: float | None) -> str:
    """Write a duration measured in milliseconds."""
    return duration(None if value is None else round(value))


@register.filter
def waited(seconds: float | None) -> str:
    """Write how long something has waited, in the unit a person would choose."""
    if seconds is None:
        return "–"
    for size, words in UNITS:
        if seconds >= size:
            return str(words) % {"count": round(seconds / size)}
    return str(SECONDS) % {"count": round(seconds)}


def _whole_percent(value: float) -> str:
    return f"{value * 100:.0f}"
