"""Template filters for the figures of alerts."""

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext

from verifyhub.common.shares import Share
from verifyhub.metrics.templatetags.figures import share
from verifyhub.reports.measures import Measure

register = template.Library()


@register.filter
def measured(value: float | None, measure: str) -> str:
    """Write a value in the unit of its measure, or a dash where there is none."""
    if value is None:
        return "–"
    unit = Measure(measure).unit
    if unit == "share":
        return f"{number_format(round(value * 100, 1), 1)} %"
    if unit == "rise":
        return number_format(round(value, 3), 3)
    if unit == "answers":
        count = round(value)
        return ngettext("%(count)s answer", "%(count)s answers", count) % {
            "count": number_format(count, force_grouping=True)
        }
    shown = number_format(round(value, 1), 1)
    if unit == "hours":
        return gettext("%(count)s h") % {"count": shown}
    return gettext("%(count)s min") % {"count": shown}


@register.filter
def measure_word(measure: str) -> str:
    """The word for a measure, in the viewer's language."""
    return str(Measure(measure).label)


@register.simple_tag
def week_share(of: Mapping[str, Any]) -> SafeString:
    """Write a stored share with its n and its 95 % interval."""
    return share(Share(count=of["count"], total=of["total"]))


@register.simple_tag
def plain_share(of: Mapping[str, Any]) -> str:
    """Write a stored share for a letter without markup."""
    if of["value"] is None:
        return gettext("nothing to count yet")
    return "{} % ({}/{}, {}–{} %)".format(
        round(of["value"] * 100),
        of["count"],
        of["total"],
        round(of["low"] * 100),
        round(of["high"] * 100),
    )


@register.simple_tag
def week_change(pair: Mapping[str, Any]) -> SafeString:
    """Write how a share differs from the week before, in points of a percent."""
    return format_html("<span>{}</span>", plain_change(pair))


@register.simple_tag
def plain_change(pair: Mapping[str, Any]) -> str:
    """The same without markup."""
    kind = pair["change"]
    if kind in {"more", "less"}:
        return gettext("%(points)s points (%(low)s to %(high)s)") % {
            "points": f"{pair['difference'] * 100:+.0f}",
            "low": f"{pair['difference_low'] * 100:+.0f}",
            "high": f"{pair['difference_high'] * 100:+.0f}",
        }
    if kind == "same":
        return gettext("no significant change")
    return gettext("too few cases")


@register.filter
def plain_name(text: str) -> str:
    """Write a name from outside on one line of a letter, without control characters."""
    return "".join(
        character if character.isprintable() else "\N{REPLACEMENT CHARACTER}"
        for character in text
    )
