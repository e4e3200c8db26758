"""How the metrics page writes figures, and the tables behind its plots."""

from typing import Any

from django import template
from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from verifyhub.common.shares import Share
from verifyhub.common.templatetags.spoken import kind_word
from verifyhub.common.untrusted import visible
from verifyhub.inference.templatetags.money import dollars
from verifyhub.metrics.definitions import Unit
from verifyhub.metrics.figures import COUNTED, Figure
from verifyhub.metrics.plots.inline import inline
from verifyhub.metrics.plots.plot import Cell, Column, Plot
from verifyhub.metrics.templatetags.figures import share as share_text
from verifyhub.metrics.templatetags.figures import waited
from verifyhub.metrics.words import CODES, words_for

register = template.Library()


@register.simple_tag
def drawing(plot: Plot) -> SafeString:
    """Draw a plot as part of the page."""
    return inline(plot)


@register.filter
def figure_value(figure: Figure) -> str:
    """Write a figure in the unit of its definition."""
    return _in_unit(figure.value, figure.unit)


@register.filter
def figure_surety(figure: Figure) -> str:
    """Write what stands behind a figure: its n, its interval, and if it is small."""
    if figure.value is None:
        return gettext("nothing to count yet")
    if figure.method == COUNTED:
        return ""
    said = [f"n={intcomma(figure.n)}"]
    if figure.count is not None:
        said = [
            gettext("%(count)s of %(total)s")
            % {"count": intcomma(figure.count), "total": intcomma(figure.n)}
        ]
    if figure.low is not None and figure.high is not None:
        said.append(
            gettext("95 %% between %(low)s and %(high)s")
            % {
                "low": _in_unit(figure.low, figure.unit),
                "high": _in_unit(figure.high, figure.unit),
            }
        )
    text = ", ".join(said)
    return f"{text}; {gettext('few cases')}" if figure.small else text


@register.simple_tag
def cell(column: Column, of: Cell) -> SafeString | str:
    """Write a cell of the table behind a plot, with the link to its items."""
    shown = _shown(column.kind, of.value)
    if not of.href or not shown:
        return shown
    if isinstance(of.value, Figure):
        return _figure(of.value, of.href)
    return format_html('<a href="{}">{}</a>', of.href, shown)


def _shown(kind: str, value: Any) -> SafeString | str:
    if isinstance(value, Figure):
        return _figure(value)
    if isinstance(value, Share):
        return share_text(value)
    if value is None or value == "":
        return gettext("unnamed") if kind == "text" else "–"
    if kind == "text":
        return visible(value)
    if kind == "day":
        return date_format(value, "Y-m-d")
    if kind == "word":
        return words_for(value) if value in CODES else visible(kind_word(value))
    return str(intcomma(value))


def _figure(figure: Figure, href: str = "") -> SafeString:
    value = figure_value(figure)
    if href and figure.value is not None:
        value = format_html('<a href="{}">{}</a>', href, value)
    return format_html(
        '<span class="share">{}</span> <span class="small soft">{}</span>',
        value,
        _briefly(figure) if figure.method != COUNTED else "",
    )


def _briefly(figure: Figure) -> str:
    """Write n and interval as a table has room for; its caption says which."""
    if figure.value is None:
        return ""
    said = f"n={intcomma(figure.n)}"
    if figure.low is not None and figure.high is not None:
        low, high = (_in_unit(end, figure.unit) for end in (figure.low, figure.high))
        said = f"{said}, {low} … {high}"
    return f"{said}; {gettext('few cases')}" if figure.small else said


def _in_unit(value: float | None, unit: Unit) -> str:
    if value is None:
        return "–"
    if unit is Unit.SHARE:
        return f"{value * 100:.0f} %"
    if unit is Unit.DIFFERENCE:
        return gettext("%(points)s points") % {"points": f"{value * 100:+.0f}"}
    if unit is Unit.MICRODOLLARS:
        return dollars(round(value))
    if unit is Unit.SECONDS:
        return waited(value)
    if unit is Unit.NUMBER:
        return str(intcomma(round(value)))
    return f"{value:.2f}" if unit is Unit.PER_CASE else f"{value:.3f}"
