"""Template tags of the comparison."""

from django import template
from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from verifyhub.common.shares import Share
from verifyhub.common.templatetags.ui import duration
from verifyhub.common.untrusted import visible
from verifyhub.inference.templatetags.money import dollars
from verifyhub.metrics.pages.compare import MEASURE_WORDS, TEST_WORDS, side_name
from verifyhub.metrics.selectors.compare import Compared, ComparedMeasure, ComparedSides

register = template.Library()

SMALLEST_P = 0.001


@register.simple_tag
def side_of(by: str, value: str) -> SafeString:
    """Write the name of a side; agents' names are escaped."""
    return visible(side_name(by, value))


@register.simple_tag
def measure_word(measure: ComparedMeasure) -> SafeString:
    """Return the name of a measure, with its unit."""
    word, counts = MEASURE_WORDS[measure.name]
    return format_html('{} <span class="small soft">{}</span>', word, counts)


@register.simple_tag
def side_figure(compared: Compared, place: int) -> SafeString:
    """Write a side's figure and its n."""
    figure = (compared.first, compared.second)[place]
    if figure.value is None:
        return format_html('<span class="soft">{}</span>', gettext("nothing to count"))
    n = figure.total if isinstance(figure, Share) else figure.cases
    return format_html(
        '{} <span class="small soft">n={}</span>',
        _in_unit(figure.value, compared.measure.unit),
        intcomma(int(n)),
    )


@register.filter
def gap(compared: Compared) -> str:
    """Write the difference, first minus second."""
    return _signed(compared.tested.value, compared.measure.unit)


@register.filter
def gap_interval(compared: Compared) -> str:
    """Write the interval of the difference."""
    tested, unit = compared.tested, compared.measure.unit
    if tested.low is None or tested.high is None:
        return ""
    return gettext("95 %% between %(low)s and %(high)s") % {
        "low": _signed(tested.low, unit),
        "high": _signed(tested.high, unit),
    }


@register.filter
def p_value(p: float | None) -> str:
    """Write a p value; a very small one as a bound."""
    if p is None:
        return "–"
    return f"< {SMALLEST_P}" if p < SMALLEST_P else f"{p:.3f}"


@register.filter
def effect_size(compared: Compared) -> str:
    """Write the effect with its name."""
    if compared.tested.effect is None:
        return "–"
    name = "h" if compared.measure.unit == "share" else "δ"
    return f"{name} = {compared.tested.effect:+.2f}"


@register.simple_tag
def verdict_of(by: str, pair: ComparedSides, compared: Compared) -> SafeString:
    """Return the result of a measure as text; without one, the cases that it needs."""
    words = _verdict(by, pair, compared)
    tone = {True: "good", False: "bad", None: "quiet"}[compared.is_better]
    test = TEST_WORDS.get(compared.tested.test)
    return format_html(
        '<span class="badge badge--{}">{}</span> <span class="small soft">{}{}</span>',
        tone,
        words,
        _would_show(compared),
        f" {test}." if test else "",
    )


@register.simple_tag
def same_answers(by: str, pair: ComparedSides) -> str:
    """Return how the answers that were checked in both ways differ."""
    same = pair.same_answers
    if same is None or not same.both:
        return gettext("No answer was checked both ways.")
    return gettext(
        "%(both)s answers were checked both ways: %(first)s alone flagged"
        " %(only_first)s, %(second)s alone %(only_second)s (McNemar's exact test,"
        " p = %(p)s, not corrected)."
    ) % {
        "both": intcomma(same.both),
        "first": side_name(by, pair.first),
        "second": side_name(by, pair.second),
        "only_first": intcomma(same.only_first),
        "only_second": intcomma(same.only_second),
        "p": p_value(same.p),
    }


def _verdict(by: str, pair: ComparedSides, compared: Compared) -> SafeString | str:
    if compared.says == "none":
        return gettext("nothing to compare")
    if compared.says == "few":
        return gettext("too few cases")
    if compared.says == "open":
        return gettext("not significant")
    name = visible(side_name(by, pair.first))
    words = (
        gettext("%(side)s is higher")
        if compared.says == "higher"
        else gettext("%(side)s is lower")
    )
    before, after = words.split("%(side)s")
    return format_html("{}{}{}", before, name, after)


def _would_show(compared: Compared) -> str:
    if compared.says not in ("open", "few") or compared.tested.detectable is None:
        return ""
    size = _in_unit(
        compared.tested.detectable, compared.measure.unit, of_difference=True
    )
    return gettext("This many cases would show a difference of %(size)s or more.") % {
        "size": size
    }


def _signed(value: float | None, unit: str) -> str:
    if value is None:
        return "–"
    sign = "−" if value < 0 else "+"
    return sign + _in_unit(abs(value), unit, of_difference=True)


def _in_unit(value: float, unit: str, *, of_difference: bool = False) -> str:
    if unit == "share" and of_difference:
        return gettext("%(points)s points") % {"points": f"{value * 100:.0f}"}
    if unit == "share":
        return f"{value * 100:.0f} %"
    if unit == "microdollars":
        return dollars(round(value))
    return duration(round(value)) if unit == "milliseconds" else f"{value:.2f}"
