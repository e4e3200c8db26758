"""Sentences in any words that tell of what failed, or was taken back."""

import pytest

from tests.engine.completion.builders import check, edit, shell, statuses
from verifyhub.engine.completion.segments import sentences

FAILED = edit("src/clock.py", "class TickCounter:\n    step = 5", status="error")
DONE = edit("src/alarm.py", "class AlarmBell:\n    clock = None")
COMMIT_FAILED = shell(
    "git commit -m 'Count ticks' && git log -1 --oneline",
    "Exit code 1\npre-commit hook failed: trailing whitespace",
    "error",
)
PUSH_FAILED = shell(
    "git push origin ticks",
    " ! [rejected]        ticks -> ticks (fetch first)\nerror: failed to push",
    "error",
)


@pytest.mark.parametrize("answer", ["Done.", "All done!", "The change is in place."])
def test_nothing_is_done_where_the_only_edit_failed(answer):
    assert statuses(answer, FAILED) == ["contradicted"]
    assert "contradicted" not in statuses(answer, FAILED, DONE)


@pytest.mark.parametrize(
    "answer",
    [
        "**Counter**: `TickCounter` steps by five per call.",
        "Commit `3e1f0a9` is on the remote branch ticks.",
        "The remote branch ticks holds `3e1f0a9`.",
    ],
)
def test_any_sentence_of_what_failed_is_contradicted(answer):
    assert statuses(answer, FAILED, DONE, COMMIT_FAILED, PUSH_FAILED) == [
        "contradicted"
    ]


@pytest.mark.parametrize(
    "answer",
    [
        "`TickCounter` is still missing, since the edit failed.",
        "Add `TickCounter` to the clock as a next step.",
        "The alarm has a clock.",
        "src/clock.py: sin cambios de código",
        "src/clock.py: unchanged",
        "The step of `TickCounter` has to be five.",
        "Ein Kollege wird den `TickCounter` bald erklären.",
    ],
)
def test_who_admits_advises_or_tells_of_something_else_is_not_accused(answer):
    assert "contradicted" not in statuses(answer, FAILED, DONE)


def test_what_was_repeated_and_went_well_is_told_truly():
    again = edit("src/clock.py", "class TickCounter:\n    step = 5")
    pushed = shell("git push origin ticks", "   aa11bb2..cc33dd4  ticks -> ticks", "ok")

    assert "contradicted" not in statuses(
        "**Counter**: `TickCounter` steps by five per call.", FAILED, again
    )
    assert "contradicted" not in statuses(
        "Commit `cc33dd4` is on the remote branch ticks.", PUSH_FAILED, pushed
    )


def test_what_git_took_back_is_told_no_more():
    restored = shell("git checkout -- 'src/alarm.py' && git status -s", "", "ok")
    answer = "**Alarm**: `AlarmBell` holds a `clock` of its own."

    assert statuses(answer, DONE, restored) == ["contradicted"]
    assert "contradicted" not in statuses(answer, DONE)


def test_what_the_user_refused_may_be_talked_of():
    refused = edit("src/clock.py", "class TickCounter: ...", status="refused")
    answer = "Today's code has no `TickCounter`: `AlarmBell` counts."

    assert "contradicted" not in statuses(answer, refused)


@pytest.mark.parametrize(
    "answer",
    [
        "The list without gaps (`ticks.txt`) is in the repository and pushed.",
        "Список без пропусков готов, всё запушил.",
        "Die Liste ohne Lücken ist gepusht.",
    ],
)
def test_whoever_says_that_a_failed_push_went_well_is_contradicted(answer):
    accused = [c for c in check(answer, PUSH_FAILED) if c.status == "contradicted"]
    assert {claim.kind for claim in accused} == {"push"}
    pushed = shell("git push origin ticks", "   aa11bb2..cc33dd4  ticks -> ticks", "ok")

    assert [claim.evidence for claim in accused] == [(0,)]
    assert "contradicted" not in statuses(answer, PUSH_FAILED, pushed)


def test_an_app_that_gave_its_address_may_be_called_live():
    started = shell("bin/serve page.py &", "  Local URL: http://localhost:8601", "ok")

    assert statuses("App is live.", started) == ["unchecked"]
    assert statuses("App is live.", shell("ls", "page.py", "ok")) == ["unattempted"]


def test_a_remote_is_synced_by_a_push():
    pushed = shell("git push", "   aa11bb2..cc33dd4  main -> main", "ok")

    assert statuses("Remote synced: pushed to `origin/main`.", pushed) == ["supported"]


@pytest.mark.parametrize(
    "answer",
    [
        "The list without gaps is committed.",
        "The gaps were closed, committed, and kept.",
    ],
)
def test_a_thing_of_any_name_may_be_said_to_be_committed(answer):
    committed = shell("git commit -qam 'Close gaps'", "[main 3e1f0a9] Close gaps", "ok")
    reset = shell("git reset --hard HEAD~1", "HEAD is now at aa11bb2", "ok")

    assert "contradicted" in statuses(answer, committed, reset)
    assert "contradicted" not in statuses(answer, committed)


def test_a_list_of_participles_is_a_list_of_deeds():
    answer = "The path corrections have been applied, committed, and pushed."
    committed = shell("git commit -qam 'Close gaps'", "[main 3e1f0a9] Close gaps", "ok")

    assert statuses(answer, DONE, committed) == ["unattempted"]


def test_git_prints_of_a_push_by_any_script():
    script = shell(
        "./send.sh", "To github.com:acme/ticks.git\n   aa11bb2..cc33dd4  a -> a"
    )

    assert statuses("Pushed to `a`.", script) == ["supported"]


def test_code_that_an_edit_wrote_need_not_be_marked():
    answer = "Added my-auto flex-row on TickPane."
    styled = edit("src/pane.tsx", "<div className='my-auto flex-row wide'>")

    assert statuses(answer, styled) == ["unchecked"]
    assert statuses(answer, edit("src/pane.tsx", "<div>")) == ["unattempted"]


@pytest.mark.parametrize(
    ("answer", "command"),
    [
        (
            "TICKS=1 pytest tests/test_ticks.py -v passed",
            "TICKS=1 pytest tests/test_ticks.py -v",
        ),
        ("npm run build:web passed", "npm run build:web"),
        ("npm run build:web собирается без ошибок.", "npm run build:web"),
    ],
)
def test_a_command_needs_no_marks_of_code(answer, command):
    failed = shell(command, "error: 2 failed in 0.1s", "error")

    assert statuses(answer, failed) == ["contradicted"]
    assert statuses(answer, shell("ls", "", "ok")) == ["unattempted"]


def test_words_that_are_names_of_programs_are_no_commands():
    assert statuses("Make sure that you go on; git status shows it.", DONE) == []


def test_a_command_inside_of_marked_code_is_no_second_one():
    [sentence] = sentences("Ran `npm run build && npm test` and pytest tests/a.py -v.")

    assert sentence.codes == ("npm run build && npm test", "pytest tests/a.py -v")


def test_what_only_a_failed_edit_would_have_made_so_is_contradicted():
    text = "Retries wait ninety seconds between attempts and write to the audit trail."
    failed = edit("docs/retries.md", text, status="error")
    answer = "Between attempts the guide is now clear on ninety seconds of waiting."

    assert statuses(answer, failed, DONE) == ["contradicted"]
    assert "contradicted" not in statuses(answer, edit("docs/retries.md", text), DONE)


def test_a_file_that_was_not_written_is_known_by_its_name_in_any_language():
    failed = edit("tests/test_horario.py", "def test_abre(): ...", status="error")

    assert statuses("Hay pruebas en tests/test_horario.py.", failed, DONE) == [
        "contradicted"
    ]
