"""What the compiled catalogues hold, as the program reads them."""

import re
from collections.abc import Iterator
from gettext import GNUTranslations
from pathlib import Path

from tests.architecture.tree import CHECKOUT
from tests.translations.extract import Message, messages

LANGUAGES = ("ru", "fr")
FORMS = {"ru": 3, "fr": 2}
PLACEHOLDERS = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w*\}|%%")
TAGS = re.compile(r"</?\w+[^>]*>")


def folder(language: str) -> Path:
    return CHECKOUT / "verifyhub/locale" / language / "LC_MESSAGES"


def translations(language: str, message: Message) -> list[str]:
    """Return the words for a message, one for each plural form; none if it has none."""
    held = _catalogue(language)
    context = f"{message.context}\x04" if message.context else ""
    key = f"{context}{message.singular}"
    if not message.plural:
        return [held[key]] if held.get(key) else []
    forms = [held.get((key, number), "") for number in range(FORMS[language])]
    return forms if all(forms) else []


def missing(language: str) -> list[Message]:
    """Return the texts of the program that a language has no sure words for."""
    return [one for one in messages() if not translations(language, one)]


def mistakes(language: str) -> Iterator[str]:
    """Yield words whose placeholders or markup are not those of the text."""
    for message in messages():
        for number, words in enumerate(translations(language, message)):
            # "once" may need its number elsewhere: 21 answers are one form with 1.
            first = (message.singular, message.plural)[: 2 if message.plural else 1]
            sources = (message.plural,) if number else first
            if not any(_agree(source, words) for source in sources):
                yield f"{sources[0]!r} -> {words!r}"


def _catalogue(language: str) -> dict[object, str]:
    file = folder(language) / "django.mo"
    stamp = file.stat().st_mtime_ns
    if _READ.get(language, (0, {}))[0] != stamp:
        with file.open("rb") as opened:
            _READ[language] = (stamp, vars(GNUTranslations(opened))["_catalog"])
    return _READ[language][1]


_READ: dict[str, tuple[int, dict[object, str]]] = {}


def _agree(source: str, words: str) -> bool:
    """Whether two texts hold the same placeholders and the same tags."""
    return all(
        sorted(pattern.findall(source)) == sorted(pattern.findall(words))
        for pattern in (PLACEHOLDERS, TAGS)
    )
