"""Stored English in the reader's language."""

from django import template

from verifyhub.common import wording
from verifyhub.common.badge_words import BADGE_WORDS
from verifyhub.common.kind_words import kind_word

register = template.Library()


@register.filter
def worded(text: object) -> str:
    """Show a sentence that was stored in English in the reader's language."""
    return wording.worded("" if text is None else str(text))


@register.filter
def value_word(value: object) -> str:
    """Say a verdict, status or state within a line; leave all else as it is."""
    word = BADGE_WORDS.get(str(value))
    return str(value) if word is None else str(word).lower()


register.filter(kind_word)
