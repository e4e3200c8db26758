"""Why a name is unverified, and which real name is nearest."""

import pytest

from tests.builders import a_command, a_tool_call, an_interaction, verify

LISTING = "src/core/app.py\nsrc/core/user_store.py\nclass UserStore:\n  def save_user"


@pytest.mark.parametrize(
    ("mentioned", "reason", "suggestion"),
    [
        ("src/core/App.py", "case_differs", "src/core/app.py"),
        ("src/lib/app.py", "wrong_directory", "src/core/app.py"),
        ("src/core/app.ts", "wrong_extension", "src/core/app.py"),
        ("src/core/user_stores.py", "not_found", "src/core/user_store.py"),
        ("src/core/аpp.py", "look_alike", "src/core/app.py"),
        ("src/core/ap\u200bp.py", "look_alike", "src/core/app.py"),
        ("userStore", "case_differs", "UserStore"),
        ("save_users()", "not_found", "save_user"),
        ("zqxj_vwk()", "not_found", None),
    ],
)
def test_unverified_name_says_why_and_what_was_near(mentioned, reason, suggestion):
    report = verify(an_interaction(f"It is `{mentioned}`.", a_command("ls", LISTING)))

    (mention,) = report.mentions
    assert (mention.reason, mention.suggestion) == (reason, suggestion)


NAMES = """\
app/stations/readme.md
import stations
from app.loaders import load_planet, PlanetStore
def load_planets(path):
    return parse_rows(path)
DATABASE_URL = os.environ["DATABASE_URL"]
"""


@pytest.mark.parametrize(
    ("mentioned", "suggestion"),
    [
        ("load_stations()", None),
        ("load_planetz()", "load_planets"),
        ("parse_row()", "parse_rows"),
        ("planet_store()", None),
        ("PLANETSTORE()", None),
        ("PlanetStores", "PlanetStore"),
        ("planets_store_registry", None),
        ("$DATABASE_URLS", "DATABASE_URL"),
        ("app/stations/readmes.md", "app/stations/readme.md"),
        ("app/stations/reading.md", None),
        ("--stationz", None),
    ],
)
def test_suggestion_is_a_near_name_of_the_same_kind(mentioned, suggestion):
    report = verify(an_interaction(f"It is `{mentioned}`.", a_command("cat", NAMES)))

    (found,) = report.mentions
    assert (found.status, found.suggestion) == ("unverified", suggestion)


def test_quoted_text_of_the_user_is_told_from_an_invention():
    answer = "> fix `ghost_one.py`\n\n> see `ghost_two.py`\n"

    report = verify(an_interaction(answer, task="Please fix ghost_one.py"))

    assert [m.reason for m in report.mentions] == ["quoted_task", "not_found"]


def test_look_alike_has_its_own_warning():
    report = verify(an_interaction("See `src/аpp.py`.", a_command("ls", "src/app.py")))

    assert "LOOK_ALIKE_NAME" in [warning.code for warning in report.warnings]


def test_next_prompt_gives_the_real_name_first_and_quotes_what_was_said():
    answer = '`src/core/App.py` and `gh"ost_module.py`, see `no_such.py`.'

    report = verify(an_interaction(answer, a_command("ls", LISTING)))

    lines = report.decision.additional_context.splitlines()
    assert lines[1] == '- "src/core/app.py" (not "src/core/App.py")'
    assert '- "no_such.py"' in lines


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("FormData", "common_knowledge"),
        ("ValueError", "common_knowledge"),
        ("sync.RWMutex", "common_knowledge"),
        ("Promise.all()", "common_knowledge"),
        ("Content-Length", "common_knowledge"),
        ("git commit", "common_knowledge"),
        ("git commit --amend-all", "not_found"),
        ("git comit --all", "not_found"),
        ("json.parse_fast()", "not_found"),
        ("FormDatum", "not_found"),
    ],
)
def test_what_everyone_can_look_up_is_no_invention_of_the_agent(name, reason):
    report = verify(an_interaction(f"It needs `{name}`.", a_command("ls", "app.py")))

    (mention,) = report.mentions
    assert (mention.status, mention.reason) == ("unverified", reason)


def test_suggestion_names_the_file_and_not_a_side_of_its_diff():
    diff = "diff --git a/src/app.py b/src/app.py\n--- a/src/app.py\n+++ b/src/app.py\n"

    report = verify(an_interaction("It is `src/app.ts`.", a_command("git diff", diff)))

    assert [m.suggestion for m in report.mentions] == ["src/app.py"]


def test_one_of_many_files_of_a_common_name_is_suggested_only_if_it_is_near():
    listing = "\n".join(f"packages/{name}/source/index.ts" for name in "abcdefgh")

    report = verify(
        an_interaction(
            "See `docs/index.ts` and `packages/a/sources/index.ts`.",
            a_command("ls", listing),
        )
    )

    assert [(m.reason, m.suggestion) for m in report.mentions] == [
        ("wrong_directory", None),
        ("wrong_directory", "packages/a/source/index.ts"),
    ]


def test_ordinary_word_after_a_dot_differs_not_in_capitals_from_a_name():
    report = verify(
        an_interaction("It is `state.input`.", a_command("cat", "class Input: pass"))
    )

    assert [m.reason for m in report.mentions] == ["not_found"]


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("PlanetStorr", "not_found"),
        ("PlanetStores", "plain_words"),
        ("OpenRouter", "plain_words"),
    ],
)
def test_bare_word_counts_if_it_misses_a_real_name_by_a_letter(word, reason):
    report = verify(
        an_interaction(f"It is kept by {word} here.", a_command("cat", NAMES))
    )

    assert [m.reason for m in report.mentions] == [reason]


DULL = "".join(f"value_{n} = {n}  # of no use\n" for n in range(3_000))


@pytest.mark.parametrize(
    "outputs",
    [
        [f"{DULL}def save_user(name):\n{DULL}"],
        [*DULL.splitlines()[:200], "def save_user(name):", "done"],
        ['{"text": "\\ndef save_user(name):\\n    pass"}'],
        [f"{DULL}src\\core\n{DULL}", r"a\tsave_user(name)"],
        [f"{DULL} vue déjà\nsave_user(name) vue\n"],
    ],
    ids=["long", "many short", "quoted", "escape", "not ASCII"],
)
def test_a_near_name_is_found_wherever_it_stands(outputs):
    calls = [a_command("cat", output) for output in outputs]

    report = verify(an_interaction("It is `save_users()`.", *calls))

    (mention,) = report.mentions
    assert mention.suggestion == "save_user"


def test_the_agents_own_names_are_not_suggested_to_it():
    wrote = a_tool_call(
        "Write",
        {"file_path": "a.py", "content": "def save_user(name): ..."},
        "File created successfully at: a.py",
    )
    read = a_tool_call("Read", {"file_path": "a.py"}, "1\tdef save_user(name): ...")

    report = verify(an_interaction("It is `save_users()`.", wrote, read))

    (mention,) = report.mentions
    assert mention.suggestion is None
