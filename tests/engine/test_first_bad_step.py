"""The earliest step where a flagged answer left the evidence."""

from tests.builders import a_command, a_read, a_tool_call, an_interaction, verify
from verifyhub.engine.types import CallStatus


def step_of(answer, *calls):
    step = verify(an_interaction(answer, *calls)).first_bad_step
    return step and (step.tool_call, str(step.reason), answer[slice(*step.span)])


def test_run_that_failed_is_where_a_claim_that_it_passed_went_wrong():
    failed = a_command("pytest", "=== 2 failed, 3 passed in 1.20s ===\nexit code: 1")

    step = step_of("All tests pass.", a_read(), failed)

    assert step == (1, "result_denied", "All tests pass.")


def test_read_of_a_file_that_does_not_exist_is_the_step_if_the_answer_uses_it():
    missing = a_tool_call(
        "Read",
        {"file_path": "src/ghost.py"},
        "cat: src/ghost.py: No such file or directory",
        status=CallStatus.ERROR,
    )

    step = step_of("The loader is in `src/ghost.py`.", a_command("ls"), missing)

    assert step == (1, "name_absent", "src/ghost.py")


def test_call_into_which_the_agent_first_wrote_a_name_is_the_step():
    search = a_command("grep -rn load_ghosts .", "")

    step = step_of("It calls `load_ghosts()`.", a_command("ls", "app.py"), search)

    assert step == (1, "name_unseen", "load_ghosts()")


def test_name_in_no_call_was_made_up_in_the_answer():
    step = step_of("Fine, but see `src/ghost.py`.", a_command("ls", "app.py"))

    assert step == (None, "name_invented", "src/ghost.py")


def test_call_comes_before_the_answer_whatever_stands_first_there():
    search = a_command("grep -rn load_ghosts .", "")

    step = step_of("See `src/other.py` and `load_ghosts()`.", search)

    assert step == (0, "name_unseen", "load_ghosts()")


def test_answer_without_anything_flagged_has_no_bad_step():
    report = verify(an_interaction("See `src/app.py`.", a_read("src/app.py")))

    assert report.first_bad_step is None
    assert report.as_dict()["first_bad_step"] is None


def test_verdict_object_says_where():
    report = verify(an_interaction("See `src/ghost.py`.", a_command("ls", "app.py")))

    assert report.as_dict()["first_bad_step"] == {
        "tool_call": None,
        "where": "answer",
        "kind": "mention",
        "reason": "name_invented",
        "span": [5, 17],
    }
