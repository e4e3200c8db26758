"""`verifyhub verify` as a CI job runs it: by its command line, nothing configured."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.cli.in_process import verifyhub
from tests.ingest.runs import a_call, a_run

INVENTED = [f"src/invented_{number}.py" for number in range(6)]
REAL_RUNS = Path(__file__).parents[3] / "shared/data/mentions_dev.jsonl"


def verify(data: object, *options: str) -> subprocess.CompletedProcess[str]:
    """Run the command on bytes, a document or a list of lines given by a pipe."""
    if isinstance(data, list):
        data = "\n".join(
            line if isinstance(line, str) else json.dumps(line) for line in data
        )
    if isinstance(data, dict):
        data = json.dumps(data)
    return verifyhub("verify", "-", *options, given=str(data))


def verdicts(result: subprocess.CompletedProcess[str]) -> list[dict[str, object]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def a_false_run(**fields: object) -> dict[str, object]:
    return a_run(answer="See " + ", ".join(INVENTED) + ".", **fields)


def a_true_run(**fields: object) -> dict[str, object]:
    return a_run(answer="It is in src/parser.py.", **fields)


def test_a_run_gives_its_verdict():
    result = verify(a_run(id="run-1"))

    (verdict,) = verdicts(result)
    assert (verdict["schema"], verdict["id"]) == (1, "run-1")
    assert {m["text"]: m["status"] for m in verdict["mentions"]}[
        "src/lexer.py"
    ] == "unverified"


def test_a_tool_may_print_what_no_database_keeps():
    call = a_call(tool="Bash", output="src/parser.py\x00\ud800")

    result = verify(json.dumps(a_true_run(tool_calls=[call])))

    (verdict,) = verdicts(result)
    (warning,) = [
        one for one in verdict["warnings"] if one["code"] == "CHARACTERS_REPLACED"
    ]
    assert warning["details"] == {"tool_calls": [0], "characters": 2}
    assert [m["status"] for m in verdict["mentions"]] == ["verified"]


@pytest.mark.parametrize("indent", [None, 2])
def test_a_document_may_span_lines(indent):
    result = verify(json.dumps(a_run(id="run-1"), indent=indent))

    assert [verdict["id"] for verdict in verdicts(result)] == ["run-1"]


@pytest.mark.parametrize("indent", [None, 1])
def test_an_array_holds_several_runs(indent):
    runs = [a_run(id="run-1"), {"task": 1}, a_run(id="run-2")]

    result = verify(json.dumps(runs, indent=indent))

    assert [verdict["id"] for verdict in verdicts(result)] == ["run-1", "run-2"]
    assert result.returncode == 2
    assert "item 1: task: must be a string." in result.stderr


def test_json_lines_give_a_verdict_each_in_order():
    result = verify([a_run(id=f"run-{number}") for number in range(5)])

    assert [verdict["id"] for verdict in verdicts(result)] == [
        f"run-{number}" for number in range(5)
    ]


@pytest.mark.parametrize(
    "broken",
    [
        "{",
        '{"task": "t", "answer": NaN}',
        '{"task": "t"}',
        '{"task": "t", "task": "t", "answer": "a"}',
        '{"task": "t", "answer": "a", "tool_calls": [{"tool": 1}]}',
        "[" * 2000,
        '"text"',
        "not json",
        '\ufeff{"task": "t", "answer": "a"}',
    ],
)
@pytest.mark.parametrize("position", [0, 1, 2])
def test_a_broken_line_is_named_and_the_others_come_out(broken, position):
    lines: list[object] = [a_true_run(id="run-1"), a_true_run(id="run-2")]
    lines.insert(position, broken)
    if position == 0 and broken.startswith("["):
        lines.insert(0, "")  # An array may begin a document; a blank line does not.

    result = verify(lines)

    assert result.returncode == 2
    assert [verdict["id"] for verdict in verdicts(result)] == ["run-1", "run-2"]
    number = position + 1 + (position == 0 and broken.startswith("["))
    assert f"<stdin>: line {number}: " in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_the_field_of_a_refused_line_is_named():
    bad = a_run(tool_calls=[a_call(), a_call(input="ls")])

    result = verify([a_true_run(), bad])

    assert "line 2: tool_calls[1].input: must be an object." in result.stderr


def test_blank_lines_count_but_are_no_runs():
    result = verify(["", a_true_run(id="run-1"), "", '{"task": 1}'])

    assert len(verdicts(result)) == 1
    assert "line 4: " in result.stderr


@pytest.mark.parametrize(
    ("run", "fail_on", "code"),
    [
        (a_true_run(), "uncertain", 0),
        (a_false_run(), "reject", 1),
        (a_false_run(), "uncertain", 1),
        (a_false_run(), "never", 0),
        (a_run(), "reject", 1),
        (a_run(answer="It looks fine to me."), "reject", 0),
        (a_run(answer="It looks fine to me."), "uncertain", 1),
    ],
)
def test_the_exit_code_follows_the_verdict(run, fail_on, code):
    assert verify(run, "--fail-on", fail_on).returncode == code


def test_bad_input_outweighs_a_flagged_answer():
    assert verify([a_false_run(), "{"]).returncode == 2


def test_auto_ignores_unknown_fields_and_says_so_once():
    result = verify([a_true_run(labels=[1]), a_true_run(labels=[2], meta={})])

    assert result.returncode == 0
    assert result.stderr == "<stdin>: ignored fields: labels\n"


def test_auto_ignores_unknown_fields_of_the_agent_and_of_calls():
    run = a_true_run(agent={"name": "scout", "model": "small-1"})
    run["tool_calls"] = [{**call, "cost": 3} for call in run["tool_calls"]] * 2

    result = verify(run)

    assert result.returncode == 0
    assert result.stderr == "<stdin>: ignored fields: agent.model, tool_calls[].cost\n"


def test_native_refuses_unknown_fields_of_calls():
    run = a_true_run()
    run["tool_calls"] = [{**call, "cost": 3} for call in run["tool_calls"]]

    result = verify(run, "--format", "native")

    assert result.returncode == 2
    assert "tool_calls[0].cost: is unknown" in result.stderr


def test_native_refuses_unknown_fields():
    result = verify(a_true_run(labels=[1]), "--format", "native")

    assert result.returncode == 2
    assert "labels: is unknown" in result.stderr


def test_text_says_what_is_wrong():
    result = verify(a_run(id="run-1"), "--output", "text")

    assert result.stdout.startswith("REJECT  run-1  ")
    assert "✗ src/lexer.py (file at " in result.stdout


def test_text_says_which_value_no_tool_returned():
    call = a_call(tool="get_order", output='{"order_id": "W-20931", "total": 42.5}')
    run = a_run(answer="Order W-20931 comes to $99.10.", tool_calls=[call])

    result = verify(run, "--output", "text")

    assert "1 of 2 values supported" in result.stdout
    assert "✗ $99.10 (money at 23): unsupported" in result.stdout


def test_text_of_an_agent_cannot_command_the_terminal():
    run = a_run(id="run\u202e", answer="It is in src/inven\u202eted.py\x1b[2J.")

    result = verify(run, "--output", "text")

    assert "run\\u{202e}" in result.stdout
    assert "\x1b" not in result.stdout
    assert "\u202e" not in result.stdout


def test_nothing_to_verify_is_bad_input():
    result = verify("\n")

    assert (result.returncode, result.stdout) == (2, "")
    assert "contains no runs" in result.stderr


def test_a_missing_file_is_bad_input():
    result = subprocess.run(
        [sys.executable, "-m", "verifyhub.cli.main", "verify", "no/such/file"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert result.returncode == 2
    assert result.stderr == "no/such/file: No such file or directory\n"


def test_a_reader_may_stop_early():
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.writelines(json.dumps(a_true_run()) + "\n" for _ in range(300))
        file.flush()
        command = f"{sys.executable} -m verifyhub.cli.main verify {file.name} | head -1"
        result = subprocess.run(
            ["/bin/sh", "-c", command], capture_output=True, text=True, check=False
        )

    assert (len(result.stdout.splitlines()), result.stderr) == (1, "")


def test_long_json_lines_take_constant_memory():
    line = json.dumps(a_true_run(tool_calls=[a_call(output="x" * 1_000_000)]))
    program = (
        "import resource, sys; from verifyhub.cli.main import main;"
        "code = main(['verify', '-']);"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
    )

    def peak_kb(count: int) -> int:
        result = subprocess.run(
            [sys.executable, "-c", program],
            input="\n".join([line] * count),
            capture_output=True,
            text=True,
            check=True,
        )
        return int(result.stderr.splitlines()[-1])

    assert peak_kb(60) < peak_kb(3) + 30_000


@pytest.mark.skipif(not REAL_RUNS.exists(), reason="the real runs are not here")
def test_every_real_run_gets_a_verdict():
    result = subprocess.run(
        [
            sys.executable,
            "-m",
            "verifyhub.cli.main",
            "verify",
            str(REAL_RUNS),
            "--offline",
        ],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )

    with REAL_RUNS.open(encoding="utf-8") as lines:
        ids = [json.loads(line)["id"] for line in lines]
    assert result.returncode in {0, 1}
    assert [verdict["id"] for verdict in verdicts(result)] == ids
    assert len(result.stderr.splitlines()) == 1


def test_the_ledger_is_printed_in_place_of_a_verdict():
    result = verify([a_false_run(id="a"), a_true_run(id="b")], "--ledger")

    ledgers = verdicts(result)
    assert result.returncode == 0
    assert [one["files"][0]["path"] for one in ledgers] == ["src/parser.py"] * 2
    assert not any("verdict" in one for one in ledgers)
