"""Template tags of mitigations."""

from typing import Any

from django import template

from verifyhub.review.answer_page.mitigating import what_to_do

register = template.Library()


@register.inclusion_tag("review/_what_to_do.html", takes_context=True)
def what_to_do_card(context: dict[str, Any]) -> dict[str, Any]:
    """Show the advice of the report, and what was done about the answer."""
    request = context["request"]
    shown = what_to_do(context["interaction"], context["report"], request.membership)
    return {
        **shown,
        "request": request,
        "csrf_token": context.get("csrf_token"),
        "is_newest": context.get("is_newest", True),
    }
