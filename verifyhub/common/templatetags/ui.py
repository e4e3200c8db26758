"""Template tags of the user interface that every page uses."""

import re
from datetime import datetime
from typing import Any

from django import template
from django.http import QueryDict
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, ngettext

from verifyhub.common.badge_words import BADGE_WORDS
from verifyhub.common.untrusted import headline as one_line
from verifyhub.common.untrusted import unmarked, visible

register = template.Library()

# Colour and shape by value; the word is always written as well.
TONES = {
    "good": "accept verified supported passed confirmed active finished ok finding"
    " achieved ready",
    "bad": "reject unverified contradicted failed fail retry error retired blocker"
    " not_achieved block",
    "warn": "regenerate decompose_and_retry disclaim request_sources flag_uncertain"
    " uncertain unattempted inconclusive reformulate clarify follow_up gap"
    " candidate overridden refused",
    "info": "pending running open",
}
TONE_OF = {value: tone for tone, values in TONES.items() for value in values.split()}

HEADING_CELLS = {
    "": '<th scope="col">{}</th>',
    "num": '<th scope="col" class="num">{}</th>',
    "sr": '<th scope="col"><span class="sr">{}</span></th>',
}
MINUTE, HOUR, DAY = 60, 3600, 86400
# The number of colours of avatars (verifyhub/static/css/parts.css).
AVATAR_TONES = 6
WORDS = re.compile(r"[\s._@-]")


@register.simple_tag
def badge(value: object, word: object = "") -> SafeString:
    """Show a verdict, status, outcome or state: colour, shape and word."""
    key = str(value or "")
    return format_html(
        '<span class="badge badge--{}">{}</span>',
        TONE_OF.get(key, "quiet"),
        visible(word or word_of(key)),
    )


@register.simple_tag
def table_head(*headings: str) -> SafeString:
    """Return the head of a table: `{% table_head _("Name") "num" _("Calls") %}`.

    Args:
        headings: The heading of each column. Before one of numbers stands "num", and
            "sr" before one that only screen readers read.
    """
    cells, kind = [], ""
    for heading in headings:
        if heading in HEADING_CELLS:
            kind = heading
        else:
            cells.append(format_html(HEADING_CELLS[kind], heading))
            kind = ""
    row = mark_safe("".join(cells))  # noqa: S308 - of escaped cells
    return format_html("<thead><tr>{}</tr></thead>", row)


@register.filter
def word_of(value: object) -> str:
    """Return a verdict, status, outcome or state in the viewer's language."""
    key = str(value or "")
    if key in BADGE_WORDS:
        return str(BADGE_WORDS[key])
    return key.replace("_", " ").capitalize() or gettext("None")


@register.filter
def percent(share: float | None) -> str:
    """Write a share of 0..1 as a whole percentage, or a dash where there is none."""
    return "–" if share is None else f"{share * 100:.0f} %"


@register.filter
def untrusted(text: object) -> SafeString:
    """Show text from outside: escaped, with invisible characters as marks."""
    return visible("" if text is None else text)


register.filter(unmarked)


@register.filter
def headline(text: str, length: int = 160) -> SafeString:
    """Show a task in one line, without the markup around its words."""
    return visible(one_line(str(text or ""), length))


@register.filter
def duration(milliseconds: int | None) -> str:
    """Write a duration in the unit a person would choose."""
    if milliseconds is None:
        return "–"
    if milliseconds < 1000:
        return f"{milliseconds} ms"
    if milliseconds < MINUTE * 1000:
        return f"{milliseconds / 1000:.1f} s"
    return f"{milliseconds / 60000:.1f} min"


@register.simple_tag
def ago(when: datetime | None) -> SafeString | str:
    """Write how long ago something was, with the exact time on hover."""
    if when is None:
        return "–"
    return _time(when, _distance((timezone.now() - when).total_seconds()))


@register.simple_tag
def at(when: datetime | None) -> SafeString | str:
    """Write when something was in the viewer's zone, to the minute."""
    if when is None:
        return "–"
    return _time(when, f"{timezone.localtime(when):%Y-%m-%d %H:%M}")


@register.simple_tag
def on(when: datetime | None) -> SafeString | str:
    """Write on which day something was in the viewer's zone."""
    if when is None:
        return "–"
    return _time(when, f"{timezone.localtime(when):%Y-%m-%d}")


@register.simple_tag
def initials(name: object) -> SafeString:
    """Show a person as a small disc; the name is in its label and shown on hover."""
    shown = str(name or "?")
    words = [word for word in WORDS.split(shown) if word]
    letters = "".join(word[0] for word in words[:2]) or "?"
    tone = sum(shown.encode()) % AVATAR_TONES
    return format_html(
        '<span class="avatar avatar--{}" title="{}"><span aria-hidden="true">{}</span>'
        '<span class="sr">{}</span></span>',
        tone,
        shown,
        letters.upper(),
        visible(shown),
    )


@register.simple_tag(takes_context=True)
def query_with(context: dict[str, Any], **changes: Any) -> str:
    """Return this page's query string with parameters changed, or removed if empty."""
    request = context.get("request")
    query = request.GET.copy() if request else QueryDict(mutable=True)
    for name, value in changes.items():
        if value in (None, ""):
            query.pop(name, None)
        else:
            query[name] = value
    return f"?{query.urlencode()}"


def _time(when: datetime, words: str) -> SafeString:
    """Wrap words about a moment: the machine's time, and the viewer's on hover."""
    local = timezone.localtime(when)
    return format_html(
        '<time datetime="{}" title="{}">{}</time>',
        when.isoformat(timespec="seconds"),
        f"{local:%Y-%m-%d %H:%M:%S %Z}",
        words,
    )


def _distance(seconds: float) -> str:
    """Return how long ago something was, or in how long it will be."""
    far, is_past = int(abs(seconds)), seconds >= 0
    if far < MINUTE:
        return gettext("just now") if is_past else gettext("in less than a minute")
    if far < HOUR:
        count = far // MINUTE
        past = ngettext("%(count)d min ago", "%(count)d min ago", count)
        coming = ngettext("in %(count)d min", "in %(count)d min", count)
    elif far < DAY:
        count = far // HOUR
        past = ngettext("%(count)d h ago", "%(count)d h ago", count)
        coming = ngettext("in %(count)d h", "in %(count)d h", count)
    else:
        count = far // DAY
        past = ngettext("%(count)d d ago", "%(count)d d ago", count)
        coming = ngettext("in %(count)d d", "in %(count)d d", count)
    return (past if is_past else coming) % {"count": count}
