"""Who words the sentences of a verdict."""

from gettext import NullTranslations
from typing import Protocol


class Translator(Protocol):
    """Who says a sentence in a language, given its English."""

    def gettext(self, message: str, /) -> str:
        """Return the sentence."""

    def ngettext(self, singular: str, plural: str, number: int, /) -> str:
        """Return the form of the sentence that a number asks for."""


ENGLISH: Translator = NullTranslations()
