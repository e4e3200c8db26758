"""`verifyhub verify` on transcripts of agents."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.in_process import verifyhub
from tests.ingest import transcripts as written
from tests.ingest.runs import a_run
from tests.ingest.transcripts import WRITTEN, as_document, as_lines
from verifyhub.ingest.formats.transcripts import format_names

ROOT = Path(__file__).parents[2]


def verify(data: bytes, *options: str) -> subprocess.CompletedProcess[str]:
    return verifyhub("verify", "-", *options, given=data)


def lines(result: subprocess.CompletedProcess[str]) -> list[dict[str, object]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.mark.parametrize(
    "way", ["Claude Code", "OpenCode", "OpenAI messages", "OpenHands events"]
)
def test_each_answer_of_a_transcript_gets_a_verdict(way):
    result = verify(WRITTEN[way][1]())

    verdicts = lines(result)
    assert result.returncode == 0
    assert len(verdicts) == 2
    status = {m["text"]: m["status"] for m in verdicts[0]["mentions"]}
    assert status["parse"] == "verified"


def test_a_document_on_one_line_is_understood():
    result = verify(json.dumps(written.opencode_session()).encode())

    assert len(lines(result)) == 2


def test_what_was_read_is_said_in_a_line_on_standard_error():
    result = verify(WRITTEN["Claude Code"][1]())

    assert result.stderr == (
        "<stdin>: read as claude_code: 2 turns, 2 answers, 2 calls with 2 outputs,"
        " 3 entries not mapped\n"
    )


def test_understood_is_printed_ahead_of_the_verdicts():
    result = verify(WRITTEN["Claude Code"][1](), "--understood")

    understood, *verdicts = lines(result)
    assert result.stderr == ""
    assert len(verdicts) == 2
    assert understood["understood"]["calls"] == 2
    assert {"kind": "thinking", "count": 1, "first": "line 3.message.content[0]"} in (
        understood["understood"]["not_mapped"]
    )


def test_understood_can_be_read_by_people():
    result = verify(WRITTEN["Codex"][1](), "--understood", "--output", "text")

    text = result.stdout
    assert text.startswith("read as codex: 2 turns, 2 answers, 2 calls")
    assert "\n  1 × reasoning, first at line 6.payload\n" in text


def test_understood_of_a_run_of_ones_own():
    run = json.dumps(a_run(id="run-1", labels=[])).encode()

    understood, verdict = lines(verify(run, "--understood"))

    assert understood["understood"] == {
        "format": "native",
        "turns": 1,
        "answers": 1,
        "calls": 1,
        "outputs": 1,
        "not_mapped": [{"kind": "unknown field labels", "count": 1, "first": "line 1"}],
    }
    assert verdict["id"] == "run-1"


def test_a_named_format_is_read_as_that():
    result = verify(WRITTEN["OpenAI messages"][1](), "--format", "langchain")

    assert result.returncode == 2
    assert "No turn ends in an answer." in result.stderr


def test_native_reads_no_transcripts():
    result = verify(WRITTEN["OpenAI messages"][1](), "--format", "native")

    assert result.returncode == 2
    assert "item 0: role: is unknown" in result.stderr


@pytest.mark.parametrize("data", [b'{"a": 1,\n "b": 2}', b'[{"a": 1}]'])
def test_a_document_of_no_format_is_told_which_there_are(data):
    result = verify(data)

    assert result.returncode == 2
    assert "is of no known format; known are native, openai_chat" in result.stderr


def test_a_state_with_messages_and_an_answer_is_a_transcript():
    state = {"answer": "none", "messages": written.langchain_messages()}

    result = verify(json.dumps(state).encode())

    assert len(lines(result)) == 2
    assert "read as langchain" in result.stderr


def test_a_broken_line_of_a_transcript_does_not_end_it():
    data = b"{broken\n" + as_lines(written.claude_code_lines())

    result = verify(data, "--understood")

    understood, *verdicts = lines(result)
    assert len(verdicts) == 2
    first = understood["understood"]["not_mapped"][0]
    assert (first["kind"], first["count"]) == ("line that is not JSON", 1)
    assert first["first"].startswith("line 1: column 2: Not JSON")


def test_blank_lines_count_in_places():
    data = b"\n\n" + as_lines(written.claude_code_lines())

    understood, *_ = lines(verify(data, "--understood"))

    assert understood["understood"]["not_mapped"][0]["first"] == "line 3"


def test_a_truncated_document_says_where_it_ends():
    data = as_document(written.opencode_session())[:200]

    result = verify(data)

    assert result.returncode == 2
    assert "<stdin>: line " in result.stderr


def test_the_formats_are_listed():
    result = subprocess.run(
        [sys.executable, "-m", "verifyhub.cli.main", "formats"],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )

    names = [line.split()[0] for line in result.stdout.splitlines()]
    assert names == ["native", *format_names()]
