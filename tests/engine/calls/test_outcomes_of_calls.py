from dataclasses import replace

import pytest

from tests.builders import a_command, a_tool_call, an_interaction, verify
from verifyhub.engine.calls.call import Call, read_call
from verifyhub.engine.calls.ends import CallOutcome
from verifyhub.engine.types import CallStatus, ToolCall


def run(command: str, output: str = "", status: str = "unknown") -> Call:
    call = ToolCall(
        index=0,
        tool="run",
        input={"command": command},
        output=output,
        status=CallStatus(status),
    )
    return read_call(call)


def results(call: Call) -> dict[str, str]:
    return {str(one.kind): str(one.result) for one in call.results}


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("Exit code 1\nboom", CallOutcome.FAILED),
        ("Exit code: 0\nWall time: 1 s\nOutput:\nok", CallOutcome.PASSED),
        ("Process exited with code 2", CallOutcome.FAILED),
        ("[The command completed with exit code 0.]", CallOutcome.PASSED),
        ("<returncode>1</returncode>", CallOutcome.FAILED),
        ('{"output": "x", "metadata": {"exit_code": 1}}', CallOutcome.FAILED),
        ("nothing said", CallOutcome.UNKNOWN),
    ],
)
def test_exit_statuses_are_read_as_agents_print_them(output, expected):
    assert run("make", output).outcome is expected


@pytest.mark.parametrize(
    ("command", "kinds"),
    [
        ("pytest -q", {"tests"}),
        ("cd app && python -m pytest", {"tests"}),
        ("npm run test:unit", {"tests"}),
        ("yarn lint", {"lint"}),
        ("pnpm type-check", {"typecheck"}),
        ("npx tsc --noEmit", {"typecheck"}),
        ("cargo build --release", {"build"}),
        ("make", {"build"}),
        ("./gradlew test", {"tests"}),
        ("ruff check . && mypy .", {"lint", "typecheck"}),
        ("git commit -m 'run pytest; make test'", set()),
        ("echo pytest", set()),
    ],
)
def test_a_silent_successful_command_passed_what_it_runs(command, kinds):
    assert results(run(command, "", "ok")) == dict.fromkeys(kinds, "passed")


def test_a_failed_exit_fails_a_silent_tool():
    assert results(run("tsc --noEmit", "", "error")) == {"typecheck": "failed"}


def test_a_refused_call_ran_nothing():
    output = "The user doesn't want to proceed with this tool use."

    assert results(run("pytest", output)) == {}


def test_output_in_a_json_envelope_is_unwrapped():
    output = '{"output": "=== 2 passed in 0.1s ===\\n", "metadata": {"exit_code": 0}}'

    assert results(run("pytest", output)) == {"tests": "passed"}


def test_commands_that_a_task_runner_echoes_count():
    output = "$ tsc --noEmit\n$ biome check\nChecked 3 files in 9ms. No fixes applied."

    assert results(run("git commit -m x", output)) == {
        "lint": "passed",
        "typecheck": "passed",
    }


NEVER_ENDED_WELL = [
    ("pytest", "bash: pytest: command not found"),
    ("pytest -q", "/bin/sh: 1: pytest: not found"),
    ("python -m pytest", "/usr/bin/python3: No module named pytest"),
    ("python manage.py test", "python: can't open file '/app/manage.py': [Errno 2]"),
    ("npm test", "npm ERR! Test failed.  See above for more details."),
    ("npm test", 'npm error Missing script: "test"'),
    ("npx jest", "Error: Cannot find module 'jest-cli'"),
    ("cargo test", "error[E0425]: no value\nerror: could not compile `a` (lib test)"),
    ("pytest -q", "....F..                 [100%]"),
    ("pytest -q", "tests/test_a.py ..E"),
    ("pytest", "Segmentation fault (core dumped)"),
    ("./run_tests.sh", "./run_tests.sh: line 3: 812 Segmentation fault      ./t"),
    ("pytest", "Traceback (most recent call last):\n  File x\nImportError: no y"),
    ("flake8", "src/a.py:1:1: F401 'os' imported but unused"),
]


@pytest.mark.parametrize("status", ["unknown", "ok"])
@pytest.mark.parametrize(("command", "output"), NEVER_ENDED_WELL)
def test_a_run_that_broke_off_or_never_started_failed(command, output, status):
    assert "passed" not in results(run(command, output, status)).values()
    assert "failed" in results(run(command, output, status)).values()


@pytest.mark.parametrize(
    ("output", "status"),
    [
        ("test_a.py ....\n... [output truncated] ...", "ok"),
        ("ok  \texample.org/a\t0.1s\nCommand timed out after 2m 0.0s", "unknown"),
        ("collecting things\nsome words of a test", "unknown"),
        ("a test wrote: something failed", "ok"),
        ("fatal: not a git repository\n" + "step done\n" * 20, "ok"),
    ],
)
def test_a_run_without_a_result_in_its_output_is_left_open(output, status):
    assert results(run("go test ./...", output, status)) == {"tests": "unclear"}


def test_nobody_saw_the_result_of_a_run_that_timed_out():
    timed_out = run("go test ./...", "Command timed out after 2m 0.0s", "ok")
    assert results(timed_out) == {"tests": "unseen"}


@pytest.mark.parametrize(
    ("command", "output", "status"),
    [
        ("pytest", "(Bash completed with no output)", "unknown"),
        ("npm run build", "> vite build\n\ndist/app.js 10 kB", "unknown"),
        ("npm run lint", "> eslint . --no-error-on-unmatched-pattern", "unknown"),
        ("./run_tests.sh", "everything was tried", "ok"),
        ("./run_tests.sh", "the error path was tried\n\nexit code: 0", "unknown"),
    ],
)
def test_harmless_output_or_a_known_exit_is_a_pass(command, output, status):
    assert set(results(run(command, output, status)).values()) == {"passed"}


@pytest.mark.parametrize(
    ("output", "result"),
    [
        ("Wall time: 10 s\nProcess running with session ID 4242\nOutput:\n", "unseen"),
        ("[The command has no new output after 30 seconds. You may wait]", "unseen"),
        ("ok  \ta/b\t0.1s\n[The command has no new output after 30 s", "unclear"),
        ("FAIL\ta/b\t0.1s\nProcess running with session ID 4242", "failed"),
    ],
)
def test_an_unfinished_run_is_no_pass(output, result):
    assert results(run("go test ./...", output)) == {"tests": result}


def test_trouble_in_a_list_of_runs_is_charged_to_none_of_them():
    output = "bash: ruff: command not found"

    assert set(results(run("ruff check . ; pytest", output)).values()) == {"unclear"}


def test_silence_of_a_run_whose_outputs_were_not_recorded_settles_nothing():
    unrecorded = [a_tool_call("Read", {"file_path": "a.js"}), a_command("ls", "a.js")]
    recorded = [a_tool_call("Read", {"file_path": "a.js"}, "let a")]

    def status(*calls):
        run = an_interaction("The linter is clean.", *calls)
        (claim,) = verify(run).completion_claims
        return claim.status

    assert status(a_command("eslint .")) == "unchecked"
    assert status(a_command("eslint ."), *unrecorded) == "unchecked"
    assert status(a_command("eslint ."), *recorded) == "supported"


@pytest.mark.parametrize("status", [CallStatus.OK, CallStatus.UNKNOWN])
@pytest.mark.parametrize("claim", ["All tests pass.", "The linter is clean."])
def test_no_claim_leans_on_a_run_in_which_nothing_was_recorded(claim, status):
    commands = ("pytest -q", "eslint .", "grep -rn total src")
    silent = [replace(a_command(one), status=status) for one in commands]

    (found,) = verify(an_interaction(claim, *silent)).completion_claims

    assert found.status == "unchecked"


def test_a_change_of_which_nothing_was_recorded_bears_no_claim_out():
    change = {"file_path": "a.py", "old_string": "", "new_string": "b"}
    edit = a_tool_call("Edit", change)
    silent = [edit, a_command("cat b.py"), a_command("cat c.py")]

    def status(*calls):
        (claim,) = verify(an_interaction("I edited `a.py`.", *calls)).completion_claims
        return claim.status

    assert status(*silent) == "unchecked"
    assert status(*silent, a_command("cat d.py", "d = 1")) == "supported"
    assert status(replace(edit, status=CallStatus.OK), *silent[1:]) == "supported"


HELP = "usage: acme index [-h] source\n\noptions:\n  -h, --help  show this help"


@pytest.mark.parametrize(
    ("output", "wrong"),
    [
        (HELP, False),
        ("usage: acme index [-h] source\nacme: error: a source is needed", True),
    ],
)
def test_a_page_of_help_is_no_wrong_use(output, wrong):
    assert run("acme index --help", output).went_wrong is wrong
