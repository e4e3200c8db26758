"""Masking: what is a secret, what is none, and what a mask looks like."""

import json
import random
import uuid
from pathlib import Path

import pytest

from tests.client.secrets import LETTERS, planted
from verifyhub_client import masking
from verifyhub_client.masking import (
    MASK,
    PERSONAL,
    Masker,
    OwnPattern,
    PatternError,
)

KEY = b"a key of this test"
MASKER = Masker(KEY)
REAL_RUNS = Path(__file__).parents[2].parent / "shared/data/mentions_dev.jsonl"


@pytest.mark.parametrize("kind", list(planted()))
def test_a_secret_is_masked_where_it_stands(kind):
    for seed in range(5):
        text, secret = planted(seed)[kind]

        masked = MASKER.text(text)

        assert secret not in masked
        assert MASK.search(masked)
        # What stands around it stays: a verdict still sees which variable it was.
        assert masked.split("‹")[0] == text[: masked.index("‹")]


def test_what_is_masked_has_nothing_left_to_mask():
    text = "\n".join(text for text, _ in planted().values())
    masked = MASKER.text(text)

    assert MASKER.text(masked) == masked


def test_one_secret_has_one_mask_and_another_key_another():
    text, secret = planted()["github"]
    once = MASK.search(MASKER.text(text))[0]

    assert once == MASK.search(MASKER.text(f"see {secret}."))[0]
    assert once == MASKER.mask("github-token", secret)
    assert once not in Masker(b"another").text(text)


def test_a_value_that_was_given_away_once_is_masked_everywhere_in_the_run():
    _, word = planted()["environment"]
    run = {
        "answer": f"The password is `{word}`.",
        "calls": [{"output": f"DB_PASSWORD={word}\n"}, {"input": {"text": word}}],
    }

    masked = MASKER.document(run)

    mask = MASKER.mask("password", word)
    assert masked.document == {
        "answer": f"The password is `{mask}`.",
        "calls": [{"output": f"DB_PASSWORD={mask}\n"}, {"input": {"text": mask}}],
    }
    assert masked.values == {mask: word}
    assert masked.counts == {"password": 3}


def test_a_weak_password_is_masked_only_where_it_is_given():
    run = ["POSTGRES_PASSWORD=postgres", "The database is called postgres."]

    given, named = MASKER.document(run).document

    assert given.startswith("POSTGRES_PASSWORD=‹password:")
    assert named == run[1]


def test_a_key_of_an_object_tells_what_its_value_is():
    _, word = planted()["json"]

    masked = MASKER.document({"headers": {"x-api-key": word}, "max_tokens": "4096"})

    assert word not in json.dumps(masked.document)
    assert masked.document["max_tokens"] == "4096"


NO_SECRETS = [
    "commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    '"integrity": "sha512-9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15=="',
    "token = self.lexer.next_token()",
    "password: str | None = None",
    "PASSWORD = os.environ['DB_PASSWORD']",
    "DB_PASSWORD=${DB_PASSWORD:-changeme}",
    "api_key=<your key>",
    "Authorization: Bearer <token>",
    "headers.Authorization = githubToken.toLowerCase()",
    '"token": "keyword.control.flow"',
    "secret: Uint8Array",
    "task-runner-of-the-whole-repository-and-more",
    "the password is wrong; a token is missing",
    "max_tokens=4096, token_count: 128000",
    "https://example.org/a/b:c@d",
    "PWD=/home/user/project",
    "AKIAIOSFODNN7EXAMPLE",
    "pip install tokenizers==0.22.1",
]


@pytest.mark.parametrize("text", [*NO_SECRETS, str(uuid.UUID(int=7**40))])
def test_what_is_no_secret_stays(text):
    assert MASKER.text(text) == text


@pytest.mark.skipif(not REAL_RUNS.exists(), reason="the real runs are not here")
def test_real_runs_of_coding_agents_stay_as_they_are():
    with REAL_RUNS.open(encoding="utf-8") as lines:
        changed = [line for line in lines if MASKER.document(json.loads(line)).values]

    assert changed == []


PERSONS = {
    "email": "Write to jane.doe+x@mail.example.org, please",
    "phone": "call +49 (0)30 901820-00 today",
    "card": "paid by 4111 1111 1111 1111.",
    "iban": "to GB82 WEST 1234 5698 7654 32 AND others",
}


@pytest.mark.parametrize("kind", PERSONAL)
def test_personal_data_is_masked_where_a_project_says_so(kind):
    text = PERSONS[kind]

    assert MASKER.text(text) == text
    assert f"‹{kind}:" in Masker(KEY, personal=[kind]).text(text)


def test_only_numbers_with_a_right_checksum_are_cards_and_accounts():
    masker = Masker(KEY, personal=PERSONAL)
    text = "4111 1111 1111 1112 GB83WEST12345698765432 icon@2x.png @babel/core@7.1.0"

    assert masker.text(text) == text
    assert masker.text(PERSONS["iban"]).endswith("› AND others")


def test_a_projects_own_forms_are_masked():
    forms = [OwnPattern("staff", "EMP-####"), OwnPattern("case", "CASE/*")]
    masker = Masker(KEY, patterns=forms)

    masked = masker.text("EMP-1234 and CASE/2026.11-x, but no EMP-12345")

    assert [kind for kind, _ in MASK.findall(masked)] == ["staff", "case"]
    assert masked.endswith(", but no EMP-12345")


@pytest.mark.parametrize("pattern", ["*abc", "a*b*c", "?*?", "ab", "x" * 101, "‹abc›"])
def test_a_form_that_fits_everything_is_refused(pattern):
    with pytest.raises(PatternError):
        OwnPattern("own", pattern)


HOSTILE = [
    "password=",
    "a@",
    "://a:",
    "eyJ" + "A" * 10 + ".",
    "-----BEGIN PRIVATE KEY-----",
    "4 ",
    "authorization: ",
    "AA00 ",
    "+1 ",
    "token='",
    "İ",
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_the_work_grows_with_the_text_and_no_faster(piece):
    """Twice the text has at most twice the matches, each of bounded length."""
    masker = Masker(KEY, personal=PERSONAL, patterns=[OwnPattern("own", "a?a?a?*###")])

    for size in (1_000, 300_000):
        text = piece * (size // len(piece))
        assert len(masker.text(text)) <= 8 * len(text) + 100


def test_any_text_is_masked_without_an_error():
    draw = random.Random(3)
    pieces = [*HOSTILE, *NO_SECRETS, "\x00", "\ud800", "‹password:00000000›", "\n"]
    masker = Masker(KEY, personal=PERSONAL)

    for _ in range(300):
        text = "".join(draw.choices([*pieces, *LETTERS], k=30))
        once = masker.text(text)
        assert masker.text(once) == once


def test_without_the_automaton_the_same_is_found(monkeypatch):
    texts = [*NO_SECRETS, *(text for text, _ in planted().values()), "Ä İ 😀 sk-"]
    text = " 😀\n".join(texts)
    fast = MASKER.text(text)

    monkeypatch.setattr(masking, "ahocorasick_rs", None)

    assert MASKER.text(text) == fast
