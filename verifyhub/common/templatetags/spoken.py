"""Template filters for stored codes in the reader's language."""

from django import template

from verifyhub.common.badge_words import BADGE_WORDS
from verifyhub.common.code_words import words_for
from verifyhub.common.kind_words import kind_word

register = template.Library()


@register.filter
def value_word(value: object) -> str:
    """Return the word for a verdict, status or state; other texts as they are."""
    word = BADGE_WORDS.get(str(value))
    return str(value) if word is None else str(word).lower()


register.filter(kind_word)
register.filter("code_word", words_for)
