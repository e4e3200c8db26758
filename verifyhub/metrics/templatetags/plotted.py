"""Template tags for figures, and for the tables behind plots."""

from typing import Any

from django import template
from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from verifyhub.common.code_words import CODES, words_for
from verifyhub.common.kind_words import kind_word
from verifyhub.common.shares import Share
from verifyhub.common.untrusted import visible
from verifyhub.inference.templatetags.money import dollars
from verifyhub.metrics.definitions import MetricUnit
from verifyhub.metrics.figures import Figure
from verifyhub.metrics.pages.asked import Tile
from verifyhub.metrics.pages.links import Links
from verifyhub.metrics.plots.inline import inline
from verifyhub.metrics.plots.plot import PlotCell, PlotColumn
from verifyhub.metrics.templatetags.figures import share as share_text
from verifyhub.metrics.templatetags.figures import waited

register = template.Library()
register.simple_tag(inline, name="drawing")


@register.filter
def figure_value(figure: Figure) -> str:
    """Write a figure in the unit of its definition."""
    return _in_unit(figure.value, figure.unit)


@register.simple_tag
def surety(tile: Tile) -> SafeString:
    """Format the basis of a figure, with links to its cases."""
    total = intcomma(tile.figure.n)
    if tile.of:
        total = format_html('<a href="{}">{}</a>', tile.of, total)
    return _surety(tile.figure, total)


@register.filter
def figure_surety(figure: Figure) -> SafeString:
    """Format the basis of a figure: its n, its interval, and whether n is small."""
    return _surety(figure, intcomma(figure.n))


@register.simple_tag
def answers_url(links: Links, **filters: str) -> str:
    """Return the list of the answers of the window that pass the filters."""
    return links.answers(**filters)


@register.simple_tag
def leading(number: int, links: Links, **filters: str) -> SafeString | str:
    """Write a number as a link to its answers; nothing to see behind none."""
    if not number:
        return str(intcomma(number))
    return format_html(
        '<a href="{}">{}</a>', links.answers(**filters), intcomma(number)
    )


def _surety(figure: Figure, total: str) -> SafeString:
    if figure.value is None:
        return format_html("{}", gettext("nothing to count yet"))
    if figure.method == "counted":
        return SafeString()
    parts = [format_html("n={}", total)]
    if figure.count is not None:
        before, after = gettext("%(count)s of %(total)s").split("%(total)s")
        counted = before % {"count": intcomma(figure.count)}
        parts = [format_html("{}{}{}", counted, total, after)]
    if figure.low is not None and figure.high is not None:
        words = gettext("95 %% between %(low)s and %(high)s") % {
            "low": _in_unit(figure.low, figure.unit),
            "high": _in_unit(figure.high, figure.unit),
        }
        parts.append(format_html("{}", words))
    text = format_html_join(", ", "{}", ((part,) for part in parts))
    return format_html("{}; {}", text, gettext("few cases")) if figure.small else text


@register.simple_tag
def cell(column: PlotColumn, of: PlotCell) -> SafeString | str:
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
        _briefly(figure) if figure.method != "counted" else "",
    )


def _briefly(figure: Figure) -> str:
    """Write n and interval as a table has room for; its caption says which."""
    if figure.value is None:
        return ""
    text = f"n={intcomma(figure.n)}"
    if figure.low is not None and figure.high is not None:
        low, high = (_in_unit(end, figure.unit) for end in (figure.low, figure.high))
        text = f"{text}, {low} … {high}"
    return f"{text}; {gettext('few cases')}" if figure.small else text


def _in_unit(value: float | None, unit: MetricUnit) -> str:
    if value is None:
        return "–"
    if unit is MetricUnit.SHARE:
        return f"{value * 100:.0f} %"
    if unit is MetricUnit.DIFFERENCE:
        return gettext("%(points)s points") % {"points": f"{value * 100:+.0f}"}
    if unit is MetricUnit.MICRODOLLARS:
        return dollars(round(value))
    if unit is MetricUnit.SECONDS:
        return waited(value)
    if unit is MetricUnit.NUMBER:
        return str(intcomma(round(value)))
    return f"{value:.2f}" if unit is MetricUnit.PER_CASE else f"{value:.3f}"
