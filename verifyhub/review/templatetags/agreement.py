"""Template tags of agreement."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from verifyhub.review.agreement.coefficients import Coefficient
from verifyhub.review.answer_page.panel_words import shown_now

register = template.Library()


@register.simple_tag
def coefficient(of: Coefficient) -> SafeString:
    """Write a coefficient with its interval and n, or why there is nothing to say."""
    items = ngettext("%d answer", "%d answers", of.n) % of.n
    if of.n == 0:
        return format_html('<span class="soft">{}</span>', _("nothing to count yet"))
    if of.value is None:
        reason = _("all gave one verdict: chance agreement cannot be distinguished")
        return format_html('<span class="soft">{}; {}</span>', items, reason)
    if of.low is None or of.high is None:
        interval = ""
    else:
        interval = _("95 %% between %(low)s and %(high)s") % {
            "low": _number(of.low),
            "high": _number(of.high),
        }
    note = _("too few") if of.is_small else ""
    return format_html(
        '<span class="share">{}</span> <span class="small soft">{}</span>',
        _number(of.value),
        ", ".join(part for part in (items, interval, note) if part),
    )


@register.simple_tag
def shown_field() -> SafeString:
    """Write a hidden field that says when the form was shown, to time judgements."""
    return format_html('<input type="hidden" name="shown" value="{}">', shown_now())


@register.filter
def is_hidden(judgement: object, hidden: set[object]) -> bool:
    """Whether the item of a judgement is gold that measures its viewer."""
    return getattr(judgement, "item_id", None) in hidden


def _number(value: float) -> str:
    return f"{value:.2f}".replace("-", "−")
