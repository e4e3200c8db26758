"""What a wrong name was meant for, and names that need no trace to be known."""

import unicodedata

import pytest

from tests.builders import a_command, a_read, an_interaction, verify
from verifyhub.engine.reports import Status
from verifyhub.engine.types import MentionKind

TREE = a_command("find .", "./src/auth/login.py\n./src/auth/token.ts\n./café.py\n")
SOURCE = a_read("a.py", "class LoginManager:\n    MAX_RETRIES = 3\n")
MANIFEST = a_read("package.json", '{"dependencies": {"@scope/core": "1.0.0"}}')
STATISTIC = a_command("git diff --stat", " src/{a => b}/x.py | 0\n")


def _mention(text):
    calls = (TREE, SOURCE, MANIFEST, STATISTIC)
    (mention,) = verify(an_interaction(f"See `{text}` there.", *calls)).mentions
    return mention


@pytest.mark.parametrize(
    ("wrong", "real"),
    [
        ("src/auth/logn.py", "src/auth/login.py"),
        ("logn.py", "src/auth/login.py"),
        ("tokn.ts", "src/auth/token.ts"),
        ("MAX_RETRY", "MAX_RETRIES"),
        ("@scope/cor", "@scope/core"),
        ("src/b/x.py", None),
    ],
)
def test_near_name_is_suggested_as_it_would_be_written(wrong, real):
    mention = _mention(wrong)

    assert mention.status is Status.UNVERIFIED
    assert mention.suggestion == real


@pytest.mark.parametrize(
    "name",
    [
        "useState",
        "React.useEffect",
        "fs.readFileSync",
        "np.array",
        "pd.DataFrame",
        "SELECT",
        "SIGTERM",
        "utf-8",
        "O(n)",
        "https://github.com",
        "http://localhost:3000",
        "git credential-osxkeychain",
        "git-credential-manager",
    ],
)
def test_name_that_the_world_knows_is_not_held_against_an_answer(name):
    assert _mention(name).reason == "common_knowledge"


@pytest.mark.parametrize(
    "name",
    [
        "useGhostState",
        "React.useGhost",
        "fs.readGhostSync",
        "np.ghost_array",
        "https://github.com/ghost/tool",
        "http://localhost:3000/ghost",
        "https://github.com.ghost.example/",
    ],
)
def test_name_that_only_begins_like_a_known_one_counts(name):
    mention = _mention(name)

    assert mention.reason == "not_found"
    assert mention.counts


@pytest.mark.parametrize("name", ["Array.prototype.map", "sql.DB", "store.DB"])
def test_member_of_a_type_is_no_file(name):
    assert _mention(name).kind is not MentionKind.FILE


def test_name_with_accents_of_their_own_is_the_same_name():
    mention = _mention(unicodedata.normalize("NFD", "café.py"))

    assert mention.status is Status.VERIFIED


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("The log tells SessionStop at the end.", "plain_words"),
        ("The log tells SessionState at the end.", "not_found"),
        ("The handler is `SessionStop`.", "not_found"),
    ],
)
def test_short_form_of_a_real_name_is_a_word_of_prose(answer, reason):
    code = a_read("a.go", "log(session.EventSessionStop, session.SessionStates)")

    (mention,) = verify(an_interaction(answer, code)).mentions

    assert mention.reason == reason
