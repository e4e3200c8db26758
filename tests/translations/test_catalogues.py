"""Russian and French are whole: every text, every placeholder, every plural form."""

import re

import pytest
from django.template import Context, Template
from django.utils import translation

from tests.translations import compiled
from tests.translations.extract import (
    Message,
    in_python,
    in_template,
    template_files,
    unmarked,
)

# Texts that are the same in every language: names, formats, commands.
NEUTRAL = re.compile(
    r"VerifyHub|UTC|SHA|JSON( Lines)?|CSV|SVG|PNG|API|HTTP ms|curl|GET|POST|PUT"
    r"|Python|LangGraph|OpenAI Agents SDK|OpenTelemetry"
    r"|A|B|C|D|Alt|Ctrl|Esc|Enter|Shift|Tab|ms|min|s|h|x"
)
# Addressed to programs and to those who write them: English, like the API.
ENGLISH = {"api/docs.html"}


@pytest.mark.parametrize("language", compiled.LANGUAGES)
def test_every_text_has_its_words(language):
    assert compiled.missing(language) == []


@pytest.mark.parametrize("language", compiled.LANGUAGES)
def test_words_keep_the_placeholders_and_the_markup_of_their_text(language):
    assert list(compiled.mistakes(language)) == []


@pytest.mark.parametrize("language", compiled.LANGUAGES)
def test_what_is_compiled_is_what_is_written(language):
    # Development installs it; the program itself runs without.
    pytest.importorskip("babel")
    from tests.translations import catalogues

    written = catalogues.compiled(catalogues.read(language))

    assert (compiled.folder(language) / "django.mo").read_bytes() == written


def test_plurals_without_words_are_not_compiled_as_their_english():
    pytest.importorskip("babel")
    from babel.messages.catalog import Catalog

    from tests.translations import catalogues

    catalogue = Catalog(locale="ru")
    catalogue.add(("%(n)s cat", "%(n)s cats"), string=("%(n)s кошка", "", ""))

    assert b"cat" not in catalogues.compiled(catalogue).partition(b"MIME")[0]


def test_a_text_is_found_wherever_it_is_marked():
    found = set(
        in_template(
            '{% load i18n %}{% translate "One" context "a" %}{{ x|default:_("Two") }}'
            "{% blocktranslate count n=n %}{{ n }} %{% plural %}{{ n }} %%"
            "{% endblocktranslate %}"
        )
    )

    assert Message("One", context="a") in found
    assert Message("Two") in found
    assert any(message.singular == "%(n)s %%" for message in found)


def test_a_text_of_a_module_is_found_by_what_its_function_was_imported_as():
    source = (
        "from django.utils.translation import gettext_lazy as _, ngettext\n"
        "a = _('One'); b = ngettext('%(n)d cat', '%(n)d cats', n); c = other('No')"
    )

    assert set(in_python(source)) == {
        Message("One"),
        Message("%(n)d cat", "%(n)d cats"),
    }


@pytest.mark.parametrize(
    ("language", "count", "said"),
    [
        ("ru", 1, "1 ответ<"),
        ("ru", 3, "3 ответа<"),
        ("ru", 11, "11 ответов<"),
        ("ru", 21, "21 ответ<"),
        ("fr", 0, "0 réponse<"),
        ("fr", 2, "2 réponses<"),
    ],
)
def test_plurals_follow_the_language(language, count, said):
    page = Template(
        "{% load i18n %}{% blocktranslate count n=n %}{{ n }} answer{% plural %}"
        "{{ n }} answers{% endblocktranslate %}<"
    )

    with translation.override(language):
        assert page.render(Context({"n": count})) == said


def test_no_template_holds_words_that_cannot_be_translated():
    files = {f"{file.parent.name}/{file.name}": file for file in template_files()}
    left = [
        (name, words)
        for name, file in files.items()
        if name not in ENGLISH
        for words in unmarked(file.read_text(encoding="utf-8"))
        if not NEUTRAL.fullmatch(words)
    ]

    assert left == []
    assert set(files) > ENGLISH
