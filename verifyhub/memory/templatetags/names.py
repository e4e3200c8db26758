"""What a reader of the memory browser should know of a name."""

from django import template

from verifyhub.engine.text.lookalike import is_disguised

register = template.Library()


@register.filter
def disguised(name: str) -> bool:
    """Whether a name reads as plain ASCII but is spelt with other letters."""
    return is_disguised(name)
