"""Lines without a verb of the agent's, that tell what became of a thing."""

import pytest

from tests.engine.completion.builders import call, check, edit, shell, statuses
from verifyhub.engine.completion.languages.english_lines import find_lines


@pytest.mark.parametrize(
    "line",
    [
        "`NEWS.md` entry added for the new limit",
        "README quota section brought in line with `set_quota`",
        "**TODO.md** got the same note.",
        "All of it, saved in commit `7d1e0c2`.",
        "It went out to `origin/main` just now.",
        "A poster frame under `media/poster.png`",
        "**Film**: rendered to `out/intro.mp4` at 30 fps",
        "Coverage: 88.4 % lines (`jest --coverage`)",
        "I ran it from `~/work/shop` and it wrote one page.",
        "I validated `index.html` with the W3C validator.",
        "I looked through your Netlify dashboard: the site is set to static.",
    ],
)
def test_a_line_of_which_the_run_did_nothing_is_missed(line):
    assert statuses(f"- {line}", edit("quota.py", "limit = 2")) == ["unattempted"]


@pytest.mark.parametrize(
    ("line", "calls"),
    [
        ("`NEWS.md` entry added for the new limit", [edit("NEWS.md", "New limit")]),
        ("**TODO.md** got the same note.", [edit("docs/TODO.md", "A note")]),
        ("Version bumped to 2.4.1 while at it.", [edit("setup.cfg", "2.4.1")]),
        (
            "All of it, saved in commit `7d1e0c2`.",
            [shell("git commit -am x", "[main 7d1e0c2] x\n 1 file changed")],
        ),
        ("It went out to `origin/main` just now.", [shell("git push", "a -> main")]),
        (
            "Coverage: 88.4 % lines (`jest --coverage`)",
            [shell("npx jest --coverage", "All files | 88.4 |\nTests: 3 passed", "ok")],
        ),
    ],
)
def test_what_a_call_did_bears_such_a_line_out(line, calls):
    assert statuses(f"- {line}", *calls) == ["supported"]


@pytest.mark.parametrize(
    "line",
    [
        "`settings.json` updated automatically on each save",
        "Logs written to `app.log` by the daemon",
        "A lock under `state.lock` when the job runs",
        "The cache stored in `session.State`",
        "`limits` table added to the schema",
    ],
)
def test_what_the_program_does_or_names_no_file_claims_nothing(line):
    assert statuses(f"- {line}", edit("quota.py", "limit = 2")) == []


def test_a_picture_is_made_by_no_edit_and_may_be_by_any_program():
    line = "- A poster frame under `media/poster.png`"
    cut = edit("README.md", "… [900 characters trimmed] …")

    assert statuses(line, cut) == ["unattempted"]
    assert statuses(line, cut, call("render_scene", "ok", scene="poster")) == []


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("7 files in one commit", "supported"),
        ("17 files in one commit", "contradicted"),
        ("It holds 93 lines in seven files.", "supported"),
        ("It holds 93 lines in three files.", "contradicted"),
    ],
)
def test_files_of_a_commit_are_held_against_those_that_git_counted(line, status):
    commit = shell(
        "git commit -am x", "[main 7d1e0c2] x\n 7 files changed, 93 insertions"
    )

    [claim] = check(f"- {line}", commit)

    assert claim.status == status


def test_long_repeated_lines_are_read_in_linear_time():
    for part in ("readme a ", "a kept ", "\ue000 b ", "went out to ", "a: 1 "):
        list(find_lines(part * 20_000))
