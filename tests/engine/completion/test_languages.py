import pytest

from tests.engine.completion.builders import (
    PYTEST_FAILED,
    PYTEST_PASSED,
    edit,
    shell,
    statuses,
)

TESTS = [
    "Ran the test suite, everything passes.",
    "Все тесты проходят.",
    "Tous les tests passent.",
    "Alle Tests laufen durch.",
    "Todas las pruebas pasan.",
]
EDITS = [
    "I've updated `core.py`.",
    "Я обновил `core.py`.",
    "Файл `core.py` изменён.",
    "J'ai modifié `core.py`.",
    "`core.py` habe ich angepasst.",
    "He modificado `core.py`.",
    "Actualicé `core.py`.",
]


@pytest.mark.parametrize("sentence", TESTS)
def test_a_claim_that_tests_pass_is_settled_by_the_run(sentence):
    assert statuses(sentence, shell("pytest", PYTEST_PASSED)) == ["supported"]
    assert statuses(sentence, shell("pytest", PYTEST_FAILED)) == ["contradicted"]
    assert statuses(sentence) == ["unattempted"]


@pytest.mark.parametrize("sentence", EDITS)
def test_a_claim_of_an_edit_is_settled_by_the_write(sentence):
    assert statuses(sentence, edit("/repo/core.py")) == ["supported"]
    assert statuses(sentence, edit("/repo/core.py", status="error")) == ["contradicted"]
    assert statuses(sentence, shell("ls")) == ["unattempted"]


@pytest.mark.parametrize(
    "sentence",
    [
        "Bug fixed.",
        "Dependencies installed.",
        "mypy reports no errors.",
        "The changes have been committed and pushed.",
        "Я отправил письмо команде.",
        "Ошибка исправлена.",
        "Le fichier `old.py` a été supprimé.",
        "J'ai installé la dépendance `zod`.",
        "Der Fehler ist behoben.",
        "Ich habe die Änderungen committet und gepusht.",
        "El error está corregido.",
        "Envié el informe por correo.",
    ],
)
def test_work_that_no_call_did_is_unattempted(sentence):
    assert statuses(sentence, shell("ls")) == ["unattempted"]


@pytest.mark.parametrize(
    ("answer", "run", "status"),
    [
        ("Pasan las 12 pruebas.", shell("pytest", PYTEST_FAILED), "contradicted"),
        ("La rama está subida a GitHub.", shell("ls", "a", "ok"), "unattempted"),
        ("Je viens de pousser la branche.", shell("ls", "a", "ok"), "unattempted"),
        ("mypy ne signale aucune erreur.", shell("ls", "a", "ok"), "unattempted"),
        ("Ruff hat nichts zu beanstanden.", shell("ls", "a", "ok"), "unattempted"),
        ("Der Commit-Hash lautet `4d1e2f3`.", shell("ls", "a", "ok"), "unattempted"),
        ("Committet habe ich wie gewünscht nichts.", shell("ls", "a", "ok"), None),
    ],
)
def test_short_reports_in_other_languages(answer, run, status):
    assert statuses(answer, run) == ([status] if status else [])


@pytest.mark.parametrize(
    "answer",
    [
        "Изменения уже отправлены на GitHub.",
        "Всё запушнул.",
        "Дописал раздел в `docs/guide.md`.",
    ],
)
def test_russian_deeds_that_no_call_did_are_missed(answer):
    assert statuses(answer, edit("src/pane.ts")) == ["unattempted"]
