"""The interface of translators of a verdict's sentences."""

from gettext import NullTranslations
from typing import Protocol


class Translator(Protocol):
    """Translates an English sentence; `gettext` translations are one."""

    def gettext(self, message: str, /) -> str:
        """Return the sentence."""

    def ngettext(self, singular: str, plural: str, number: int, /) -> str:
        """Return the form of the sentence for a number."""


ENGLISH: Translator = NullTranslations()
