"""What an answer names, and what it does not."""

import pytest

from verifyhub.engine.mentions.extract import extract_mentions
from verifyhub.engine.types import MentionKind


@pytest.mark.parametrize(
    ("answer", "text", "kind"),
    [
        ("See `src/app.py`.", "src/app.py", MentionKind.FILE),
        ("See `src/app.py:12-40`.", "src/app.py:12-40", MentionKind.FILE),
        ("See src/app.py for it.", "src/app.py", MentionKind.FILE),
        ("See AGENTS.md.", "AGENTS.md", MentionKind.FILE),
        ("In git\\_operations.go too.", "git\\_operations.go", MentionKind.FILE),
        ("See [the code](src/app.py).", "src/app.py", MentionKind.FILE),
        ("In `src\\lib\\app.ts`.", "src\\lib\\app.ts", MentionKind.FILE),
        ("Look in `src/core/`.", "src/core/", MentionKind.DIRECTORY),
        ("It uses `@types/node`.", "@types/node", MentionKind.PACKAGE),
        ("Dependencies: `glob`.", "glob", MentionKind.PACKAGE),
        ("Зависимости: `glob`.", "glob", MentionKind.PACKAGE),
        ("Les paquets utilisés : `glob`.", "glob", MentionKind.PACKAGE),
        ("The `UserStore` keeps it.", "UserStore", MentionKind.CLASS),
        ("It calls `load(a, b)`.", "load(a, b)", MentionKind.FUNCTION),
        ("It calls `Store.save()`.", "Store.save()", MentionKind.FUNCTION),
        ("It calls load_user() first.", "load_user()", MentionKind.FUNCTION),
        ("It calls load_user(name) first.", "load_user(name)", MentionKind.FUNCTION),
        ("It calls json.NewDecoder here.", "json.NewDecoder", MentionKind.CLASS),
        ("It calls mergeJSON here.", "mergeJSON", MentionKind.IDENTIFIER),
        ("It wraps JSONLBytes here.", "JSONLBytes", MentionKind.CLASS),
        (
            "It uses github.com/spf13/cobra.",
            "github.com/spf13/cobra",
            MentionKind.PACKAGE,
        ),
        ("See `my‑app.py`.", "my‑app.py", MentionKind.FILE),
        ("See `ap\u200bp.py`.", "ap\u200bp.py", MentionKind.FILE),
        ("`tests/test_a.py::test_b` fails", "test_b", MentionKind.FUNCTION),
        ("Look in `.cursor/skills/`.", ".cursor/skills/", MentionKind.DIRECTORY),
        ("The `max_size` is 3.", "max_size", MentionKind.IDENTIFIER),
        ("The field parent\\_id is new.", "parent\\_id", MentionKind.IDENTIFIER),
        ("I ran `npm test --silent`.", "npm test --silent", MentionKind.COMMAND),
        ("See https://example.com/a.", "https://example.com/a", MentionKind.URL),
        ("Set `$API_KEY`.", "$API_KEY", MentionKind.ENVIRONMENT_VARIABLE),
        ("It is in `3f2a91c`.", "3f2a91c", MentionKind.COMMIT),
        ("Since `v1.2.3`.", "v1.2.3", MentionKind.VERSION),
        ("```\nsrc/app.py\n```", "src/app.py", MentionKind.FILE),
        ("Файл `src/app.py` готов.", "src/app.py", MentionKind.FILE),
    ],
)
def test_name_is_found_with_its_kind(answer, text, kind):
    found = {(mention.text, mention.kind) for mention in extract_mentions(answer)}

    assert (text, kind) in found


@pytest.mark.parametrize(
    "answer",
    [
        "Everything is done and works well.",
        "See e.g. the GitHub page, i.e. JavaScript.",
        "It returns `true` or `null`.",
        "Version 2 and 3 of 10.",
        "It ran at 10 a.m. and the file(s) match(es).",
        "It works.So we are done.The end.",
        "Use and/or as you like.",
        "```python\nfor item in items:\n    total += item.price\n```",
        "",
        "`",
        "``````",
    ],
)
def test_ordinary_words_are_no_mentions(answer):
    assert extract_mentions(answer) == ()


def test_occurrences_of_one_name_are_one_mention_with_all_places():
    answer = "`src/app.py` and `./src/app.py:3` and `src/app.py`"

    (mention,) = extract_mentions(answer)

    assert mention.spans == ((1, 11), (18, 32), (39, 49))


def test_file_and_symbol_in_one_code_span_are_two_mentions():
    found = [m.text for m in extract_mentions("See `app.go:Load()`.")]

    assert found == ["app.go", "Load()"]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("I will create `new_file.py` next.", "proposed"),
        ("You could add `new_file.py` for that.", "proposed"),
        ("Want me to write `new_file.py`?", "proposed"),
        ("A name such as `new_file.py` would do.", "hypothetical"),
        ("There is no `new_file.py` here.", "negated"),
        ("`new_file.py` does not exist.", "negated"),
        ("I couldn't find `new_file.py`.", "negated"),
        ("Предлагаю добавить `new_file.py`.", "proposed"),
        ("Например, `new_file.py`.", "hypothetical"),
        ("Файл `new_file.py` не существует.", "negated"),
        ("Je vais créer `new_file.py`.", "proposed"),
        ("Par exemple `new_file.py`.", "hypothetical"),
        ("Le fichier `new_file.py` n'existe pas.", "negated"),
        ("Ich werde `new_file.py` anlegen.", "proposed"),
        ("Zum Beispiel `new_file.py`.", "hypothetical"),
        ("Die Datei `new_file.py` existiert nicht.", "negated"),
        ("Voy a crear `new_file.py`.", "proposed"),
        ("Por ejemplo `new_file.py`.", "hypothetical"),
        ("El archivo `new_file.py` no existe.", "negated"),
    ],
)
def test_name_that_need_not_exist_is_marked(answer, reason):
    (mention,) = extract_mentions(answer)

    assert mention.exempt == reason


@pytest.mark.parametrize(
    "answer",
    [
        "I created `new_file.py` and it works.",
        "The bug is in `new_file.py`.",
        "Ошибка в `new_file.py`.",
        "I will explain. The bug is in `new_file.py`.",
        "`new_file.py` may be slow.",
    ],
)
def test_name_that_is_stated_is_not_exempt(answer):
    (mention,) = extract_mentions(answer)

    assert mention.exempt is None


def test_one_plain_statement_holds_a_name_that_is_proposed_elsewhere():
    answer = "I will create `new_file.py`. The bug is in `new_file.py`."

    (mention,) = extract_mentions(answer)

    assert mention.exempt is None


def test_cue_before_the_clause_of_a_name_does_not_exempt_it():
    answer = "We could add `first.py`. It lives in `second.py`, such as `third.py`."

    exempt = {mention.text: mention.exempt for mention in extract_mentions(answer)}

    assert exempt == {
        "first.py": "proposed",
        "second.py": None,
        "third.py": "hypothetical",
    }


@pytest.mark.parametrize(
    ("word", "exempt"),
    [
        ("GeoQuery", None),
        ("OrderRepository", None),
        ("jQuery", "plain_words"),
        ("OpenRouter", "plain_words"),
        ("ValueError", "plain_words"),
        ("FileReader", "plain_words"),
    ],
)
def test_bare_class_in_prose_counts_if_its_name_is_a_role(word, exempt):
    (mention,) = extract_mentions(f"The places are asked through {word}.")

    assert (mention.text, mention.exempt) == (word, exempt)
