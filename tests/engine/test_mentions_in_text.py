"""A name is the same name wherever a sentence puts it, in any language."""

import pytest

from tests.builders import a_command, an_interaction, verify
from verifyhub.engine.mentions.extract import extract_mentions

PLACES = [
    "It is in {} now.",
    "It is in {}.",
    "It is in **{}** now.",
    "It is in *{}* now.",
    "It is in _{}_ now.",
    "- {}: simpler",
    "1. {} – simpler",
    "| what | why |\n|---|---|\n| {} | slow |",
    "## {}\n\nSlow.",
    "It is in “{}” now.",
    "Il est dans « {} » maintenant.",
    "It was slow ({}) before.",
    "It was {}—slow.",
    "I fixed {}'s loop.",
    "Исправил ошибку в {}, теперь быстрее.",
    "我已经修复了{}中的错误。",
    "{}を修正しました。",
    "{}에서 오류를 수정했습니다.",
    "تم إصلاح الخطأ في {} الآن.",
    "It is in [{}](https://example.com/a) now.",
]
NAMES = [
    "src/core/app.py",
    "src/core/app.py:12",
    "src/core/app.py#L2-L9",
    "app/[slug]/page.tsx",
    "src/core/",
    "./src/core",
    "@acme/hooks",
    "github.com/spf13/cobra",
    "load_user()",
    "Store.save()",
    "Store::save",
    "Store#save",
    "conn->send()",
    "max_size",
    "mergeJSON",
    "$API_KEY",
    "${API_KEY}",
    "process.env.API_KEY",
    "%API_KEY%",
    "https://example.com/a?b=c",
    "3f2a91c",
    "v1.2.3",
    "--dry-run",
]


@pytest.mark.parametrize("name", NAMES)
def test_name_is_found_alike_in_every_place(name):
    (expected,) = extract_mentions(f"It is in {name} now.")

    found = {
        place: [(m.text, m.kind, m.key) for m in extract_mentions(place.format(name))]
        for place in PLACES
    }

    want = (name, expected.kind, expected.key)
    assert {place: want in got for place, got in found.items()} == dict.fromkeys(
        PLACES, True
    )


@pytest.mark.parametrize(
    ("answer", "name"),
    [
        ("See <code>src/my app/a b.txt</code>.", "src/my app/a b.txt"),
        ("See [it](<docs/My Notes/a b.md>).", "docs/My Notes/a b.md"),
        ("See [it](docs/My%20Notes/a%20b.md).", "docs/My%20Notes/a%20b.md"),
        ("See [it](routes/(shop)/cart.tsx).", "routes/(shop)/cart.tsx"),
        ("See [app/[slug]/page.tsx](x.md).", "app/[slug]/page.tsx"),
        ("See [it](docs/guides/).", "docs/guides/"),
        ("See ~/.config/app.toml for it.", "~/.config/app.toml"),
        ("The word __src/app.py__ is bold.", "src/app.py"),
        ("Look at __init__.py too.", "__init__.py"),
    ],
)
def test_markdown_and_html_say_where_a_name_ends(answer, name):
    assert name in [mention.text for mention in extract_mentions(answer)]


@pytest.mark.parametrize(
    "answer",
    [
        "Choose read/write and/or both, w/ care.",
        "It takes 3.5 seconds, 10 of 12, at 12:30.",
        "The step1->step2 move costs $5 or 50%.",
        "_Note_: this is __bold__ and ~~gone~~.",
        "It was done (see above) -- fine.",
        "see _(uses another process instead)_",
    ],
)
def test_marks_alone_make_no_name(answer):
    assert extract_mentions(answer) == ()


PACKAGES = """\
{"dependencies": {"express": "^4.18.2", "@acme/hooks": "1.3.0"}}
requests[socks]>=2.31
Flask==3.0.2
import fs from "node:fs";
use tokio::sync::Mutex;
<groupId>org.spring.boot</groupId><artifactId>spring-web</artifactId>
implementation("com.squareup.okhttp3:okhttp:4.12.0")
"""


@pytest.mark.parametrize(
    ("spelt", "found"),
    [
        ("express@^4.18.2", {"express": "verified", "4.18.2": "verified"}),
        ("express@4.18.9", {"express": "verified", "4.18.9": "unverified"}),
        ("expresss@4.18.2", {"expresss": "unverified", "4.18.2": "verified"}),
        ("@acme/hooks@1.3.0", {"@acme/hooks": "verified", "1.3.0": "verified"}),
        ("Flask==3.0.2", {"Flask": "verified", "3.0.2": "verified"}),
        ("Flaskr==3.0.2", {"Flaskr": "unverified", "3.0.2": "verified"}),
        ("requests[socks]>=2.31", {"requests": "verified", "2.31": "verified"}),
        ("node:fs", {"node:fs": "verified"}),
        ("node:fss", {"node:fss": "unverified"}),
        ("org.spring.boot:spring-web", {"org.spring.boot:spring-web": "verified"}),
        ("org.spring.cloud:spring-web", {"org.spring.cloud:spring-web": "unverified"}),
        (
            "com.squareup.okhttp3:okhttp:4.12.0",
            {"com.squareup.okhttp3:okhttp": "verified", "4.12.0": "verified"},
        ),
    ],
)
def test_package_is_read_as_its_ecosystem_spells_it(spelt, found):
    trace = a_command("cat", PACKAGES)

    report = verify(an_interaction(f"It needs `{spelt}`.", trace))

    assert {m.text: m.status for m in report.mentions} == found


def test_package_named_by_a_word_may_be_qualified():
    trace = a_command("cat", PACKAGES)

    report = verify(an_interaction("It uses the crate `tokio::sync`.", trace))

    assert [(m.kind, m.status) for m in report.mentions] == [("package", "verified")]


def test_folder_named_packages_says_nothing_of_the_names_after_it():
    answer = "In [run.ts](packages/worker/run.ts) the `try/catch` is wide."

    assert "package" not in {mention.kind for mention in extract_mentions(answer)}


@pytest.mark.parametrize("name", ["https://example.com/a", "3f2a91c", "1.2.3"])
def test_name_after_a_quoted_line_end_is_evidence(name):
    quoted = a_command("run", f'{{"output": "done\\n{name}\\nend"}}')

    report = verify(an_interaction(f"See `{name}`.", quoted))

    assert [m.status for m in report.mentions] == ["verified"]


@pytest.mark.parametrize(
    ("command", "printed", "status"),
    [
        ("npm run lint -- --max-warnings 0", "ok", "verified"),
        ("npm run lint -- --max-warning 0", "ok", "unverified"),
        ("npm run lint", "usage: [--max-warnings]", "verified"),
        (
            "npm run lint -- --max-warnings 0",
            "exit code 1\nerror: unknown option '--max-warnings'",
            "unverified",
        ),
    ],
)
def test_option_is_known_from_a_command_that_ran(command, printed, status):
    report = verify(
        an_interaction("It takes `--max-warnings`.", a_command(command, printed))
    )

    assert [mention.status for mention in report.mentions] == [status]


@pytest.mark.parametrize(
    ("span", "found"),
    [
        ("--ref main --force", ["--ref", "--force"]),
        ("github.com/a/b", ["github.com/a/b"]),
    ],
)
def test_code_span_is_read_by_its_parts(span, found):
    assert [m.text for m in extract_mentions(f"It is `{span}`.")] == found


def test_phrase_that_begins_like_a_program_may_be_plain_words():
    (mention,) = extract_mentions("It says `make it the default`.")

    assert mention.exempt == "plain_words"


def test_names_parted_by_a_slash_are_no_host_and_its_path():
    (mention,) = extract_mentions("It is `state.input/state.output`.")

    assert (mention.kind, mention.exempt) == ("directory", "plain_words")
