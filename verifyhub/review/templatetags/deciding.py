"""Template tags of an answer: its place in the queue, decisions and mitigations."""

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from itertools import chain, repeat
from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from verifyhub.common.untrusted import visible
from verifyhub.review.answer_page.attempts import TextDifference, woven
from verifyhub.review.answer_page.deciding import missed_choices
from verifyhub.review.answer_page.keys import BY_ACTION, KEYS, keys_context
from verifyhub.review.answer_page.mitigating import what_to_do
from verifyhub.review.models import Override, ReviewItem
from verifyhub.review.queue import bar_context, place_context

register = template.Library()


@register.filter
def reason_label(code: str, labels: Mapping[str, str]) -> str:
    """Return the label of a reason code; the code itself where there is none."""
    return labels.get(code, code)


@register.filter
def place_in(override: Override, places: Mapping[str, int]) -> int | None:
    """Return which of the added things an override is; None if it is undone."""
    return places.get(str(override.pk)) if places else None


_NUMBER_KEYS = [
    format_html('<kbd class="no-js-hide" aria-hidden="true">{}</kbd>', number)
    for number in range(1, 10)
]


@register.simple_tag
def reason_boxes(
    choices: Sequence[tuple[str, str]], chosen: Collection[str]
) -> SafeString:
    """Write the check boxes of the reasons; the first nine have a number as a key.

    The page of an answer has four of these lists, mostly alike.
    """
    return _reason_boxes(tuple(choices), frozenset(chosen))


@lru_cache(maxsize=200)
def _reason_boxes(
    choices: tuple[tuple[str, str], ...], chosen: frozenset[str]
) -> SafeString:
    return format_html_join(
        "",
        '<label><input type="checkbox" name="reason_codes" value="{}"{}>{} {}</label>',
        (
            (code, SafeString(" checked" if code in chosen else ""), key, label)
            for (code, label), key in zip(
                choices, chain(_NUMBER_KEYS, repeat("")), strict=False
            )
        ),
    )


@register.simple_tag
def missed_options(chosen: str) -> SafeString:
    """Write the kinds of names and claims that a person can add, by their status."""
    return _missed_options(get_language(), str(chosen))


@lru_cache(maxsize=200)
def _missed_options(_language: str | None, chosen: str) -> SafeString:
    return format_html_join(
        "",
        '<optgroup label="{}">{}</optgroup>',
        (
            (
                group,
                format_html_join(
                    "",
                    '<option value="{}"{}>{}</option>',
                    (
                        (
                            value,
                            SafeString(" selected" if value == chosen else ""),
                            word,
                        )
                        for value, word in choices
                    ),
                ),
            )
            for group, choices in missed_choices()
        ),
    )


_KEY_MARKS = {
    action: format_html('<kbd class="no-js-hide">{}</kbd>', key)
    for action, key in BY_ACTION.items()
}


@register.simple_tag
def kbd(action: str) -> SafeString:
    """Show the key of an action, as the table of keys has it."""
    return _KEY_MARKS[action]


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
    rows = _key_rows(get_language())
    return {
        "request": request,
        "project": request.project,
        "key_rows": rows,
        **keys_context(request.user),
    }


@lru_cache
def _key_rows(_language: str) -> SafeString:
    return format_html_join(
        "",
        "<div><dt><kbd>{}</kbd></dt><dd>{}</dd></div>",
        ((key.key, key.words) for key in KEYS),
    )


@register.inclusion_tag("review/_what_to_do.html", takes_context=True)
def what_to_do_card(context: dict[str, Any]) -> dict[str, Any]:
    """Show the advice of the report, and what was done about the answer."""
    request = context["request"]
    shown = what_to_do(context["interaction"], context["report"], request.membership)
    return {
        **shown,
        "project": request.project,
        "csrf_token": context.get("csrf_token"),
        "is_newest": context.get("is_newest", True),
    }


@register.simple_tag(takes_context=True)
def item_place(context: dict[str, Any], item: ReviewItem | None) -> dict[str, Any]:
    """Return what the page shows of an open item; nothing of any other."""
    request = context["request"]
    shown: dict[str, Any] = {"item": None}
    if item and item.state == ReviewItem.State.OPEN:
        shown = bar_context(request, item, whole="bar" in request.GET) | {
            "csrf_token": context.get("csrf_token")
        }
    count = context.get("open_count")
    return shown | place_context(request.membership, shown["item"], count)


@register.inclusion_tag("review/_item_bar.html")
def item_bar(shown: dict[str, Any]) -> dict[str, Any]:
    """Show who has an open item and what may be done (`item_place`)."""
    return shown
