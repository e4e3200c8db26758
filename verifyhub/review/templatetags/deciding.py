"""Template tags of decisions."""

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from verifyhub.common.untrusted import visible
from verifyhub.review.answer_page.attempts import TextDifference, woven
from verifyhub.review.answer_page.keys import BY_ACTION, keys_context
from verifyhub.review.models import Override

register = template.Library()


@register.filter
def reason_label(code: str, labels: Mapping[str, str]) -> str:
    """Return the label of a reason code; the code itself where there is none."""
    return labels.get(code, code)


@register.filter
def place_in(override: Override, places: Mapping[str, int]) -> int | None:
    """Return which of the added things an override is; None if it is undone."""
    return places.get(str(override.pk)) if places else None


@register.simple_tag
def kbd(action: str) -> SafeString:
    """Show the key of an action, as the table of keys has it."""
    return format_html('<kbd class="no-js-hide">{}</kbd>', BY_ACTION[action])


@register.simple_tag
def correction_diff(answer: str, text: str) -> dict[str, Any]:
    """Show a correction woven into the answer: `html`, and whether it `is_cut`."""
    parts, is_cut = woven(answer, text)
    html = format_html_join(
        "",
        "<{0}{1}>{2}</{0}>",
        ((*_element(part), visible(part.text)) for part in parts),
    )
    return {"html": html, "is_cut": is_cut}


def _element(part: TextDifference) -> tuple[str, SafeString]:
    if part.removed:
        return "del", SafeString(' class="diff-gone"')
    if part.added:
        return "ins", SafeString(' class="diff-came"')
    return "span", SafeString("")


@register.inclusion_tag("review/_keys.html", takes_context=True)
def key_sheet(context: dict[str, Any]) -> dict[str, Any]:
    """Show the sheet of keys, and hand the script its table."""
    request = context["request"]
    return {"request": request, **keys_context(request.user)}
