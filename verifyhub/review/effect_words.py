"""Effects of a decision as sentences, for people and for programs."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from django.utils.translation import ngettext_lazy, override

from verifyhub.common.effects import Effect, Words, effect_text
from verifyhub.learning.effect_words import EFFECT_WORDS as LEARNING_WORDS
from verifyhub.memory.effect_words import EFFECT_WORDS as MEMORY_WORDS

FORGOTTEN: Final = "forgotten"
EFFECT_WORDS: Final[Words] = {
    **MEMORY_WORDS,
    **LEARNING_WORDS,
    FORGOTTEN: ngettext_lazy(
        "Forgets %(count)s kept opinion of models; undoing does not bring that back.",
        "Forgets %(count)s kept opinions of models; undoing does not bring that back.",
        "count",
    ),
}


def effect_words(effect: Effect | Mapping[str, Any]) -> str:
    """Return an effect as text in the active language."""
    return effect_text(effect, EFFECT_WORDS)


def english_effects(effects: Iterable[Effect | Mapping[str, Any]]) -> list[str]:
    """Return effects in English, for programs and for the audit log."""
    with override("en"):
        return [effect_words(effect) for effect in effects]


def effects_with_text(
    effects: Iterable[Effect | Mapping[str, Any]],
) -> list[dict[str, Any]]:
    """Return effects as data for programs, each with its English sentence in `text`."""
    listed = list(effects)
    texts = english_effects(listed)
    return [
        {**effect, "text": text} for effect, text in zip(listed, texts, strict=True)
    ]
