"""Every page in Russian and French: no English left, figures as programs read them."""

import re

import pytest

from tests.conftest import member
from tests.pages import furnish, url_of, ways
from tests.review.conftest import send
from tests.translations.compiled import LANGUAGES, translations
from tests.translations.extract import Message
from tests.translations.shown import Shown
from verifyhub.accounts.models import Role
from verifyhub.ingest.formats.transcripts import FORMATS

WORD = re.compile(r"[A-Za-z]{2,}")
# Addressed to programs and to those who write them: English, like the API.
ENGLISH = {"api-docs"}
# What the furnished project itself says, in whatever language: its texts whole, and
# names, zones, times, units and ids wherever they stand.
DATA = {
    "And the tax?",
    "Where is the price computed?",
    "<script>alert(1)</script>",
    "“I looked.”",
    "“Right.”",
    "Right.",
    "I looked.",
    # Of the documents, the layers, the trace and the transcript that pages show.
    "# Pricing",
    "Prices are rounded up to whole cents.",
    "Prices are rounded up to whole cents. # Pricing",
    "wiki/pricing",
    "<script>alert(1)</script> – Acme",
    "Error: no such pattern",
    "def parse(text): return text.split()",
    "file-history-snapshot",
    # Of imports and exports: formats, names, and refusals as programs are told them.
    "<b>The client disconnected.</b>",
    "<b>nightly</b>",
    "<b>the store refused</b>",
    "auto",
    "is unknown.",
    "native",
    "nightly-7",
    "grep",
    "read",
    # Of the snippets: what they are written in or for.
    "curl",
    "LangGraph",
    "OpenAI Agents SDK",
    "OpenTelemetry",
    "Python",
} | {one.name for one in FORMATS}
# What French spells as English does.
ALIKE = {
    "fr": re.compile(
        r".*Webhooks – Acme|\d+ passages|(?:Traces?|Imports?|Exports?) – Acme|sources:"
        r"|Messages|Export|candidate|\d+ min"
    )
}
DATA_WORDS = re.compile(
    r"Where is the price computed\?|The price is made in .*|span \d|OpenInference"
    r"|\S+\.(?:py|txt)|\w+\(\)|shop/prices#Price|pypi|Acme"
    r"|<b>grace</b>|grace@example\.org|\b(?:admin|scout|apply_discount|tests|Grep|s-1|acme)\b|[0-9a-f-]{36,64}|UTC|ms\b"
    r"|English|Français|^\[ \{.*|^\{ ?\x22.*|SHA-256|JSON( Lines)?|CSV|MCP|Azure"
    r"|HTTP \d{3}|PNG|SVG|Anthropic|OpenAI(?:-compatible)?|(?:[A-Z]\w+/)[\w/+ -]+"
)


# On a busy machine, the pages take longer than a transaction may idle.
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def furnished(transactional_db, project):
    member(project, Role.ADMIN)
    send(project)
    send(project, task="And the tax?", answer="In `add_tax()` of `shop/levy.py`.")
    return furnish(project)


# Each in a layer: pages are the same, and `test_catalogues` holds all words of both.
@pytest.mark.parametrize(
    "language", [LANGUAGES[0], pytest.param(LANGUAGES[1], marks=pytest.mark.deep)]
)
def test_no_page_holds_english_or_figures_that_programs_misread(
    client, project, furnished, language
):
    client.force_login(project.memberships.get(role=Role.ADMIN).user)

    def shown(path, spoken):
        reply = client.get(path, headers={"accept-language": spoken})
        assert reply.status_code == 200, path
        return Shown(reply.getvalue().decode())

    left, odd = {}, {}
    for name, query in ways():
        if name in ENGLISH:
            continue
        path = url_of(name, furnished) + query
        english, translated = shown(path, "en"), shown(path, language)
        same = english.words & translated.words
        left |= {text: path for text in same if _is_english(text, language)}
        pairs = zip(english.figures, translated.figures, strict=False)
        odd |= {pair: path for pair in pairs if pair[0] != pair[1]}

    assert left == {}, "\n".join(f"{text!r} {at}" for text, at in sorted(left.items()))
    assert odd == {}


def _is_english(text, language):
    if language in ALIKE and ALIKE[language].fullmatch(text):
        return False
    if text in DATA or not WORD.search(DATA_WORDS.sub("", text)):
        return False
    # Some words are spelt alike: French, too, says "verdict".
    known = (text, text.rstrip(":").lower())
    return all(translations(language, Message(word)) != [word] for word in known)
