"""Proposals, suppositions and denials are told from statements, in five languages."""

import pytest

from verifyhub.engine.mentions.extract import extract_mentions

EXEMPT = {
    "proposed": [
        "My suggestion: introduce {}.",
        "- Add {} for the shared types",
        "Plan:\n1. Write {}\n2. Test it",
        "I can put this in {}.",
        "The rules could be moved to {}.",
        "We might want a new file {}.",
        "The plan is to create {} and wire it up.",
        "Создайте {} со следующим содержимым.",
        "Хотите, я добавлю {}?",
        "Я бы вынес это в {}.",
        "Voulez-vous que j'ajoute {} ?",
        "La prochaine étape est d'écrire {}.",
        "Je créerai {} ensuite.",
        "Soll ich {} schreiben?",
        "Wir könnten {} hinzufügen.",
        "¿Quieres que añada {}?",
        "El siguiente paso es escribir {}.",
    ],
    "hypothetical": [
        "e.g. {} or similar",
        "Example: {}",
        "If there were a {}, it would be loaded.",
        "If a user adds {}, the watcher fires.",
        "Если бы был {}, он бы загрузился.",
        "К примеру, {}.",
        "S'il y avait un {}, il serait chargé.",
        "Si l'on ajoute {}, le build échoue.",
        "z. B. {}",
        "Gäbe es eine {}, würde sie geladen.",
        "Si hubiera un {}, se cargaría.",
        "Algo como {}.",
    ],
    "negated": [
        "I found no {} anywhere.",
        "I looked for {} but it is not there.",
        "{} is not in the repository.",
        "nothing called {} exists",
        "There are no references to {}.",
        "Файла {} нет.",
        "Найти {} не удалось.",
        "Le fichier {} est introuvable.",
        "Le projet n'a pas de {}.",
        "Ich konnte {} nicht finden.",
        "Die Datei {} wurde nicht gefunden.",
        "El proyecto no tiene {}.",
        "No se pudo encontrar {}.",
    ],
}
STATED = [
    "I did not only edit {}, I also ran the tests.",
    "Not only {} but also the tests changed.",
    "I added tests, for example in {}.",
    "I added a check to {}.",
    "- Add a check to {}",
    "You can find the code in {}.",
    "You should know that {} holds the keys.",
    "I recommend fixing the check in {}.",
    "{} is missing a return statement.",
    "{} does not use the cache.",
    "I read {} but there is no cache.",
    "No changes were needed in {}.",
    "There is no doubt that {} is the cause.",
    "Without {} the app does not start.",
    "Код можно найти в {}.",
    "Не только {}, но и тесты изменены.",
    "В {} нет проверки.",
    "Нужно поправить проверку в {}.",
    "Vous pouvez voir le code dans {}.",
    "Je n'ai pas seulement modifié {}.",
    "{} n'utilise pas le cache.",
    "In {} fehlt eine Prüfung.",
    "Ich habe nicht nur {} geändert.",
    "Man kann die Schleife in {} sehen.",
    "Puedes ver el código en {}.",
    "No solo edité {}.",
    "En {} falta una prueba.",
    "O erro está em {}.",
    "Ho modificato {}.",
    "我修改了 {}。",
    "{} を修正しました。",
    "تم تعديل {}.",
    "Błąd jest w {}.",
]


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [(text, reason) for reason, texts in EXEMPT.items() for text in texts],
)
def test_name_that_need_not_exist_says_why(sentence, reason):
    (mention,) = extract_mentions(sentence.format("`ghost_tool.py`"))

    assert mention.exempt == reason


@pytest.mark.parametrize(
    "sentence",
    [
        "For example, {} on line 12 contains the bug.",
        "Files such as {} already implement this.",
        "Helpers such as `b_tool.py` and {} call it twice.",
        "For example, {} calls the parser.",
        "Например, {} уже содержит ошибку.",
        "Par exemple, {} contient le bug.",
        "Par exemple, {} lit le fichier.",
        "Zum Beispiel enthält {} den Fehler.",
        "Por ejemplo, {} define la clase.",
    ],
)
def test_example_told_as_a_fact_is_no_supposition(sentence):
    mention = extract_mentions(sentence.format("`ghost_tool.py`"))[-1]

    assert (mention.key, mention.exempt) == ("ghost_tool.py", None)


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("Imagine {} contains the rules.", "hypothetical"),
        ("e.g. a file {} that contains the rules", "hypothetical"),
        ("I suggest adding `LOG_LEVEL=debug` to `a.env` and a {}.", "proposed"),
        ("I will create `a_tool.py`, `b_tool.py` and {}.", "proposed"),
        ("There is no `a_tool.py`, `b_tool.py` or {}.", "negated"),
        ("{} and `b_tool.py` do not exist.", "negated"),
        ("{} was never defined.", "negated"),
        ("{} никогда не был создан.", "negated"),
        ("{} n'a jamais été créé.", "negated"),
        ("{} wurde nie angelegt.", "negated"),
        ("{} nunca se definió.", "negated"),
        ("There is no `a_tool.py`, and {} holds it.", None),
        ("{} is never used.", None),
    ],
)
def test_what_is_said_of_a_list_is_said_of_each_name(sentence, reason):
    found = extract_mentions(sentence.format("`ghost_tool.py`"))

    assert [m.exempt for m in found if m.key == "ghost_tool.py"] == [reason]


def test_every_command_of_a_list_to_run_is_proposed():
    text = "Use `git rebase -i HEAD~3`, `kubectl get pods`, then `ls -la` and `rg foo`."

    assert {m.exempt for m in extract_mentions(text)} == {"proposed"}


@pytest.mark.parametrize("sentence", STATED)
def test_no_wording_hides_a_name_that_is_stated(sentence):
    (mention,) = extract_mentions(sentence.format("`ghost_tool.py`"))

    assert mention.exempt is None


@pytest.mark.parametrize(
    ("sentence", "exempt"),
    [
        ("Run {} to see it.", "proposed"),
        ("To check, use {}.", "proposed"),
        ("I verified it with {}.", None),
        ("All tests passed using {}.", None),
        ("The command {} passed.", None),
        ("Проверил, используя {}.", None),
    ],
)
def test_command_to_run_is_told_from_one_that_ran(sentence, exempt):
    (mention,) = extract_mentions(sentence.format("`npm run checks --all`"))

    assert mention.exempt == exempt


def test_code_that_shows_a_proposal_is_no_statement():
    shown = "```go\n// shop/kite.go\nfunc Kite() {}\n```\n"

    proposed = extract_mentions(f"Create `shop/kite.go` for it:\n\n{shown}")
    stated = extract_mentions(f"It is in `shop/kite.go`:\n\n{shown}")

    assert [one.exempt for one in proposed if "kite.go" in one.text] == ["proposed"]
    assert [one.exempt for one in stated if "kite.go" in one.text] == [None]
