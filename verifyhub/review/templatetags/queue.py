"""The bar of an item, for the page of its answer."""

from typing import Any

from django import template

from verifyhub.review.models import ReviewItem
from verifyhub.review.queue import bar_context

register = template.Library()


@register.inclusion_tag("review/_item_bar.html", takes_context=True)
def item_bar(context: dict[str, Any], item: ReviewItem | None) -> dict[str, Any]:
    """Show who has an open item and what may be done; nothing of any other."""
    if not item or item.state != ReviewItem.State.OPEN:
        return {"item": None}
    return bar_context(context["request"], item) | {
        "csrf_token": context.get("csrf_token")
    }
