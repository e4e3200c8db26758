"""A template tag for the item of an answer's page."""

from typing import Any

from django import template

from verifyhub.review.models import ReviewItem
from verifyhub.review.queue import bar_context, place_context

register = template.Library()


@register.simple_tag(takes_context=True)
def item_place(context: dict[str, Any], item: ReviewItem | None) -> dict[str, Any]:
    """Return what the page shows of an open item; nothing of any other."""
    request = context["request"]
    shown: dict[str, Any] = {"item": None}
    if item and item.state == ReviewItem.State.OPEN:
        shown = bar_context(request, item) | {"csrf_token": context.get("csrf_token")}
    count = context.get("open_count")
    return shown | place_context(request.membership, shown["item"], count)


@register.inclusion_tag("review/_item_bar.html")
def item_bar(shown: dict[str, Any]) -> dict[str, Any]:
    """Show who has an open item and what may be done (`item_place`)."""
    return shown
