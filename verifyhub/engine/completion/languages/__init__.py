"""The languages in which claims of work are found."""

from verifyhub.engine.completion.languages.english import ENGLISH
from verifyhub.engine.completion.languages.french import FRENCH
from verifyhub.engine.completion.languages.german import GERMAN
from verifyhub.engine.completion.languages.model import Language
from verifyhub.engine.completion.languages.russian import RUSSIAN
from verifyhub.engine.completion.languages.spanish import SPANISH

LANGUAGES: tuple[Language, ...] = (ENGLISH, RUSSIAN, FRENCH, GERMAN, SPANISH)
