"""Packages: told by the words around a name, found under each spelling they have."""

import pytest

from tests.builders import a_read, an_interaction, verify
from verifyhub.engine.reports import Status
from verifyhub.engine.types import MentionKind

REQUIREMENTS = a_read("requirements.txt", "Django==5.2.1\npython-dateutil>=2.8\n")
SOURCE = a_read(
    "app.py",
    "import yaml\nfrom PIL import Image\nimport flask_login\nfrom sklearn import svm\n",
)


def _mention(answer, name):
    report = verify(an_interaction(answer, REQUIREMENTS, SOURCE))
    (mention,) = [one for one in report.mentions if one.text == name]
    return mention


@pytest.mark.parametrize(
    "sentence",
    [
        "The `celery` package does the work.",
        "It needs the `celery` library.",
        "`celery` and `kombu` are dependencies.",
        "Install `celery`.",
        "Install `kombu`, `vine` and `celery`.",
        "The code imports `celery`.",
        "It depends on the `celery` package.",
        "Он использует пакет `celery`.",
        "Le projet utilise le paquet `celery`.",
        "Das `celery`-Paket wird benutzt.",
        "Installiere `celery`.",
        "Usa la biblioteca `celery`.",
    ],
)
def test_package_that_nothing_shows_counts_against_the_answer(sentence):
    mention = _mention(sentence, "celery")

    assert mention.kind is MentionKind.PACKAGE
    assert mention.status is Status.UNVERIFIED
    assert mention.counts


@pytest.mark.parametrize(
    "name",
    [
        "django",
        "python_dateutil",
        "Python_Dateutil",
        "flask-login",
        "Pillow",
        "PyYAML",
        "scikit-learn",
    ],
)
@pytest.mark.parametrize("sentence", ["It uses the `{}` package.", "It uses `{}` now."])
def test_python_package_is_found_under_each_of_its_names(sentence, name):
    mention = _mention(sentence.format(name), name)

    assert mention.status is Status.VERIFIED
    assert mention.evidence


@pytest.mark.parametrize("name", ["Express", "djang", "PyYAMLs"])
def test_other_names_and_other_ecosystems_stay_apart(name):
    manifest = a_read("package.json", '{"dependencies": {"express": "4.18.2"}}')
    answer = f"It uses the `{name}` package."

    report = verify(an_interaction(answer, REQUIREMENTS, SOURCE, manifest))

    assert report.mentions[0].status is Status.UNVERIFIED


@pytest.mark.parametrize(
    "sentence",
    ["It imports `handler` from the core.", "It uses `handler` here."],
)
def test_word_that_nobody_calls_a_package_is_none(sentence):
    assert _mention(sentence, "handler").kind is not MentionKind.PACKAGE
