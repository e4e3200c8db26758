"""The Stop hook, run as Claude Code runs it."""

import json
import os
import socket
import subprocess
import sys

import pytest

from tests.client.adapters.conftest import HONEST, INVENTED, LISTING, NOWHERE, TASK
from tests.client.conftest import server  # noqa: F401 - a fixture
from tests.conftest import API_SECRET
from verifyhub.ingest.models import Interaction
from verifyhub_client.adapters.claude_transcript import last_turn

COMMAND = [sys.executable, "-m", "verifyhub_client.adapters.claude_code"]
BLOCKED = "Stop hook feedback:\n- VerifyHub: `shop/taxes.py` was not found."


class Transcript:
    """A session of Claude Code, line by line."""

    def __init__(self, folder):
        self.path = folder / "session.jsonl"
        self.lines = 0

    def says(self, role, content, **more):
        self.lines += 1
        message = {"role": role, "content": content}
        line = {
            "type": role,
            "uuid": f"line-{self.lines}",
            "sessionId": "s-1",
            "message": message,
            **more,
        }
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        return self

    def looks(self, call_id="call_1", output=LISTING):
        use = {"type": "tool_use", "id": call_id, "name": "Bash", "input": {"c": "ls"}}
        result = {"type": "tool_result", "tool_use_id": call_id, "content": output}
        self.says("assistant", [{"type": "text", "text": "Let me look."}, use])
        return self.says("user", [result])

    def answers(self, text):
        return self.says("assistant", [{"type": "text", "text": text}])


@pytest.fixture
def transcript(tmp_path):
    return Transcript(tmp_path)


def stop(transcript, url, *, stdin=None, settings=None, **event):
    event = {
        "session_id": "s-1",
        "transcript_path": str(transcript.path),
        "hook_event_name": "Stop",
        "stop_hook_active": False,
        **event,
    }
    kept = {k: v for k, v in os.environ.items() if not k.startswith("VERIFYHUB_")}
    done = subprocess.run(
        COMMAND,
        input=json.dumps(event) if stdin is None else stdin,
        env={
            **kept,
            "VERIFYHUB_URL": url,
            "VERIFYHUB_API_KEY": API_SECRET,
            **(settings or {}),
        },
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return json.loads(done.stdout) if done.stdout else None, done.stderr


@pytest.mark.django_db(transaction=True)
def test_an_answer_with_invented_names_is_blocked_and_they_are_named(
    transcript,
    server,  # noqa: F811
):
    transcript.says("user", TASK).looks().answers(INVENTED)

    decision, _ = stop(transcript, server)

    assert decision["decision"] == "block"
    assert '"shop/taxes.py"' in decision["reason"]
    sent = Interaction.objects.get()
    assert (sent.task, sent.answer) == (TASK, INVENTED)
    assert sent.session.key == "s-1"
    assert sent.tool_calls.get().output == LISTING


@pytest.mark.django_db(transaction=True)
def test_an_answer_that_the_tools_bear_out_passes_in_silence(
    transcript,
    server,  # noqa: F811
):
    transcript.says("user", TASK).looks().answers(HONEST)

    assert stop(transcript, server) == (None, "")


@pytest.mark.django_db(transaction=True)
def test_it_blocks_once_and_the_next_answer_is_the_next_attempt(
    transcript,
    server,  # noqa: F811
):
    transcript.says("user", TASK).looks().answers(INVENTED)
    assert stop(transcript, server)[0]["decision"] == "block"

    transcript.says("user", BLOCKED, isMeta=True).answers(INVENTED)
    decision, said = stop(transcript, server, stop_hook_active=True)

    assert decision is None
    assert "still rejected" in said
    first, second = Interaction.objects.order_by("created_at")
    assert second.parent == first.client_id
    assert second.task == TASK


@pytest.mark.django_db(transaction=True)
def test_an_agent_that_goes_on_by_itself_is_checked_once_more(
    transcript,
    server,  # noqa: F811
):
    transcript.says("user", TASK).looks().answers(HONEST)
    assert stop(transcript, server) == (None, "")

    transcript.looks("call_2", "").answers(INVENTED)
    decision, _ = stop(transcript, server)

    assert decision["decision"] == "block"
    first, second = Interaction.objects.order_by("created_at")
    assert second.parent == first.client_id


@pytest.mark.django_db(transaction=True)
def test_an_answer_that_the_file_does_not_hold_yet_comes_with_the_event(
    transcript,
    server,  # noqa: F811
):
    transcript.says("user", TASK).looks()

    decision, _ = stop(transcript, server, last_assistant_message=INVENTED)

    assert decision["decision"] == "block"


@pytest.mark.django_db(transaction=True)
def test_a_sub_agents_own_file_is_read(transcript, server, tmp_path):  # noqa: F811
    transcript.says("user", TASK, isSidechain=True)
    transcript.says("assistant", [{"type": "text", "text": INVENTED}], isSidechain=True)

    decision, _ = stop(
        transcript,
        server,
        hook_event_name="SubagentStop",
        transcript_path=str(tmp_path / "nothing"),
        agent_transcript_path=str(transcript.path),
        agent_type="Explore",
    )

    assert decision["decision"] == "block"
    assert Interaction.objects.get().agent_role == "Explore"


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"VERIFYHUB_URL": NOWHERE}, "no verdict: HubUnavailableError"),
        ({"VERIFYHUB_API_KEY": ""}, "VERIFYHUB_API_KEY is not set"),
        ({"VERIFYHUB_URL": "hub"}, "VERIFYHUB_URL or VERIFYHUB_API_KEY"),
        ({"VERIFYHUB_API_KEY_FILE": "/nowhere"}, "VERIFYHUB_API_KEY_FILE"),
    ],
)
def test_without_a_verdict_the_answer_passes_with_a_word(transcript, settings, why):
    transcript.says("user", TASK).looks().answers(INVENTED)

    decision, said = stop(transcript, NOWHERE, settings=settings)

    assert decision is None
    assert why in said
    assert API_SECRET not in said


def test_a_hub_that_never_answers_holds_nobody_up(transcript):
    transcript.says("user", TASK).looks().answers(INVENTED)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        decision, said = stop(transcript, url, settings={"VERIFYHUB_HOOK_SECONDS": "1"})

    assert decision is None
    assert "no verdict after 1 seconds" in said


@pytest.mark.parametrize("stdin", ["", "{", "[]", "null", "[" * 100_000])
def test_nonsense_on_standard_input_passes(transcript, stdin):
    decision, said = stop(transcript, NOWHERE, stdin=stdin)

    assert decision is None
    assert "no hook's document" in said


def test_a_transcript_that_is_not_there_passes(transcript):
    assert "cannot be read" in stop(transcript, NOWHERE)[1]


def test_what_is_no_line_of_a_transcript_is_passed_over(transcript):
    transcript.says("user", "before").looks("c0", "old").answers("old")
    with transcript.path.open("a") as file:
        file.write('{"broken\n\n[]\n{"type": "summary"}\n')
    transcript.says("user", TASK)
    transcript.says("user", "told by the program", isMeta=True)
    transcript.says("assistant", [{"type": "text", "text": "side"}], isSidechain=True)
    transcript.looks("c1").answers(HONEST)

    turn = last_turn(transcript.path)

    assert (turn.run.task, turn.run.answer) == (TASK, HONEST)
    assert [call["output"] for call in turn.run.as_answer().tool_calls] == [
        "old",
        LISTING,
    ]


def test_earlier_calls_are_bounded_and_the_turns_own_are_not(transcript):
    transcript.says("user", "before")
    for number in range(5):
        transcript.looks(f"old{number}", "x" * 150_000)
    transcript.says("user", TASK).looks("new", "y" * 500_000).answers(HONEST)

    answer = last_turn(transcript.path).run.as_answer()

    assert [call["output"][0] for call in answer.tool_calls] == ["x", "x", "y"]
    assert answer.metadata == {"earlier_calls": 2, "earlier_calls_left_out": 3}
