"""The languages in which claims of work are found."""

from verifyhub.engine.completion.languages.english import find_english
from verifyhub.engine.completion.languages.french import FRENCH
from verifyhub.engine.completion.languages.german import GERMAN
from verifyhub.engine.completion.languages.model import Language
from verifyhub.engine.completion.languages.russian import RUSSIAN
from verifyhub.engine.completion.languages.spanish import SPANISH

LANGUAGES: tuple[Language, ...] = (find_english, RUSSIAN, FRENCH, GERMAN, SPANISH)
