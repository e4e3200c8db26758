"""What Claude Code, Codex, Copilot and OpenCode write that chats do not."""

import json
from typing import Any

import pytest

from tests.ingest import transcripts as written
from tests.ingest.transcripts import as_lines
from verifyhub.engine.types import CallStatus, RunUsage
from verifyhub.ingest.formats.base import Transcript
from verifyhub.ingest.formats.transcripts import read_transcript


def kinds(transcript: Transcript) -> dict[str, int]:
    return {note.kind: note.count for note in transcript.notes}


def claude(*messages: dict[str, Any], **more: Any) -> list[dict[str, Any]]:
    return [
        {
            "type": message["role"],
            "uuid": f"u{number}",
            "sessionId": "s",
            "isSidechain": False,
            "message": message,
            **more,
        }
        for number, message in enumerate(messages)
    ]


def user(content: Any) -> dict[str, Any]:
    return {"role": "user", "content": content}


def agent(*blocks: Any, **more: Any) -> dict[str, Any]:
    told = [b if isinstance(b, dict) else {"type": "text", "text": b} for b in blocks]
    return {"role": "assistant", "content": told, **more}


def use(call_id: str = "a") -> dict[str, Any]:
    return {
        "type": "tool_use",
        "id": call_id,
        "name": "Bash",
        "input": {"command": "ls"},
    }


def result(text: str, call_id: str = "a", **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": call_id, "content": text, **more}


def read(lines: list[dict[str, Any]]) -> Transcript:
    return read_transcript(as_lines(lines), format="claude_code")


def test_claude_code_tells_when_where_and_by_which_model():
    first, _ = read(written.claude_code_lines()).interactions

    (call,) = first.tool_calls
    assert call.started_at == "2026-03-01T10:00:04+00:00"
    assert (first.id, first.session, first.agent.name) == (
        "session-1:1",
        "session-1",
        "Claude Code",
    )
    assert first.metadata == {
        "agent_version": "2.1.0",
        "cwd": "/repo",
        "format": "claude_code",
        "model": "large-1",
        "turn": 1,
    }


def test_a_folder_that_changes_is_that_of_each_turn():
    lines = written.claude_code_lines()
    for line in lines[7:]:
        line["cwd"] = "/elsewhere"

    first, second = read(lines).interactions

    assert (first.metadata["cwd"], second.metadata["cwd"]) == ("/repo", "/elsewhere")


def test_the_usage_of_a_message_on_several_lines_counts_once():
    first, _ = read(written.claude_code_lines()).interactions

    # Two messages: one on three lines, one on one.
    assert first.usage == RunUsage(input_tokens=30, output_tokens=14)


def test_lines_that_stand_twice_are_read_once():
    lines = written.claude_code_lines()

    transcript = read([*lines, *lines[-2:]])

    assert transcript.calls == 2
    assert kinds(transcript)["line that stands twice"] == 2


def test_lines_of_a_sub_agent_are_counted_and_left_out():
    side = claude(user("Search."), agent("Found x.py."), isSidechain=True)
    for line in side:
        line["uuid"] += "-side"

    transcript = read([*claude(user("Look."), agent("No.")), *side])

    assert [i.answer for i in transcript.interactions] == ["No."]
    assert kinds(transcript)["line of a sub-agent"] == 2


def test_a_sub_agents_own_file_is_read():
    lines = claude(user("Search."), agent("x.py."), isSidechain=True, agentId="ab12")

    (interaction,) = read(lines).interactions

    assert interaction.id == "s:ab12:1"
    assert interaction.metadata["subagent"] == "ab12"


def test_an_interrupted_turn_has_no_answer_and_the_next_request_is_a_turn():
    transcript = read(
        claude(
            user("Look."),
            agent("I will.", use()),
            user([result("x.py")]),
            user([{"type": "text", "text": "[Request interrupted by user]"}]),
            user("Where?"),
            agent("x.py."),
        )
    )

    (interaction,) = transcript.interactions
    assert (interaction.task, interaction.answer) == ("Where?", "x.py.")
    assert interaction.metadata["earlier_calls"] == 1
    assert kinds(transcript)["interruption by the user"] == 1


def test_a_rejected_call_is_refused():
    refusal = "The user doesn't want to proceed with this tool use."
    transcript = read(
        claude(
            user("Look."),
            agent(use()),
            user([result(refusal, is_error=True)]),
            agent("As you wish."),
        )
    )

    assert transcript.interactions[0].tool_calls[0].status == CallStatus.REFUSED


def test_commands_of_the_shell_are_no_requests():
    transcript = read(
        claude(
            user("<command-name>/clear</command-name><command-args></command-args>"),
            user("<local-command-stdout></local-command-stdout>"),
            user("Look."),
            agent("x.py."),
        )
    )

    assert [i.task for i in transcript.interactions] == ["Look."]


def test_a_command_that_the_agent_acts_on_is_a_request_with_what_it_stands_for():
    command = (
        "<command-message>review</command-message>"
        "<command-name>/review</command-name><command-args>12</command-args>"
    )
    lines = claude(user(command), user("Review the change."), agent("Fine."))
    lines[1]["isMeta"] = True

    (interaction,) = read(lines).interactions

    assert interaction.task == "/review 12\n\nReview the change."


def test_a_request_after_a_reminder_is_read():
    text = "<system-reminder>Be kind.</system-reminder>\nLook."

    (interaction,) = read(claude(user(text), agent("x.py."))).interactions

    assert interaction.task == "Look."


@pytest.mark.parametrize(
    "change",
    [{"isMeta": True}, {"isCompactSummary": True}],
)
def test_what_the_program_says_in_the_users_place_is_no_request(change):
    lines = claude(user("Look."), agent(use()), user("Summary."), agent("x.py."))
    lines[2] |= change

    (interaction,) = read(lines).interactions

    assert interaction.task == "Look."


def test_what_a_user_types_meanwhile_belongs_to_the_turn():
    def attached(mode: str, prompt: str) -> dict[str, Any]:
        queued = {"type": "queued_command", "commandMode": mode, "prompt": prompt}
        return {"type": "attachment", "sessionId": "s", "attachment": queued}

    lines = claude(user("Look."), agent(use()), user([result("x.py")]), agent("x.py."))
    lines[3:3] = [attached("prompt", "In src."), attached("task-notification", "Done")]

    transcript = read(lines)

    assert [i.task for i in transcript.interactions] == ["Look.\n\nIn src."]
    assert kinds(transcript)["attachment queued_command"] == 1


def test_what_the_program_says_in_the_agents_place_is_no_answer():
    error = agent("API Error: 529", model="<synthetic>")

    transcript = read(claude(user("Look."), error))

    assert not transcript.interactions
    assert kinds(transcript)["message of the program in the agent's place"] == 1


def test_the_duration_of_a_call_is_read_where_it_is_told():
    lines = claude(user("Look."), agent(use()), user([result("x.py")]), agent("x.py."))
    lines[2]["toolUseResult"] = {"durationMs": 239}

    assert read(lines).interactions[0].tool_calls[0].duration_ms == 239


def codex(*items: dict[str, Any]) -> bytes:
    return as_lines({"type": "response_item", "payload": item} for item in items)


def says(role: str, text: str) -> dict[str, Any]:
    return {"type": "message", "role": role, "content": [{"text": text}]}


def shell(*command: str) -> dict[str, Any]:
    return {
        "type": "function_call",
        "name": "shell",
        "call_id": "a",
        "arguments": json.dumps({"command": list(command)}),
    }


def gave(output: Any, kind: str = "function_call_output") -> dict[str, Any]:
    return {"type": kind, "call_id": "a", "output": output}


@pytest.mark.parametrize(
    ("output", "text", "status"),
    [
        (
            '{"output": "a\\nb", "metadata": {"exit_code": 0}}',
            "a\nb",
            CallStatus.OK,
        ),
        (
            '{"output": "bad", "metadata": {"exit_code": 2}}',
            "bad\nExit code: 2",
            CallStatus.ERROR,
        ),
        ("Exit code: 0\nOutput:\na", "Exit code: 0\nOutput:\na", CallStatus.UNKNOWN),
        ("exec command rejected by user", None, CallStatus.REFUSED),
        ({"content": "no", "success": False}, "no", CallStatus.ERROR),
        ([{"type": "input_text", "text": "a"}], "a", CallStatus.UNKNOWN),
    ],
)
def test_codex_frames_of_outputs_are_unwrapped(output, text, status):
    data = codex(
        says("user", "Look."), shell("ls"), gave(output), says("assistant", "x")
    )

    (call,) = read_transcript(data).interactions[0].tool_calls

    assert (call.output, call.status) == (text or output, status)
    assert call.input == {"command": ["ls"]}


def test_codex_patches_and_local_shell_calls_are_calls():
    search = {"type": "web_search_call", "status": "completed"}
    patch = "*** Begin Patch\n*** Add File: a.py\n+a\n*** End Patch"
    transcript = read_transcript(
        codex(
            says("user", "Write."),
            {
                "type": "custom_tool_call",
                "name": "apply_patch",
                "input": patch,
                "call_id": "a",
            },
            gave("Success.", "custom_tool_call_output"),
            {
                "type": "local_shell_call",
                "call_id": "b",
                "action": {"type": "exec", "command": ["ls"]},
            },
            {**search, "action": {"query": "q"}},
            says("assistant", "Wrote a.py."),
        )
    )

    patched, listed, searched = transcript.interactions[0].tool_calls
    assert (patched.tool, patched.input) == ("apply_patch", {"input": patch})
    assert (listed.tool, listed.input) == ("local_shell", {"command": ["ls"]})
    assert (searched.tool, searched.input) == ("web_search", {"query": "q"})
    assert (transcript.calls, transcript.outputs) == (3, 1)


def test_codex_counts_tokens_once_however_often_they_are_told():
    def count(given: int, made: int) -> dict[str, Any]:
        usage = {"input_tokens": given, "output_tokens": made}
        info = {"total_token_usage": usage}
        return {"type": "event_msg", "payload": {"type": "token_count", "info": info}}

    lines = written.codex_lines()
    lines.insert(8, count(100, 10))
    lines.insert(9, count(100, 10))
    lines += [count(250, 30)]

    first, second = read_transcript(as_lines(lines)).interactions

    assert first.usage == RunUsage(input_tokens=100, output_tokens=10)
    assert second.usage == RunUsage(input_tokens=150, output_tokens=20)
    assert (first.session, first.metadata["model"]) == ("session-1", "large-1")


def test_copilot_sub_agents_and_calls_that_never_started_are_counted():
    lines = written.copilot_lines()
    inner = {"toolCallId": "s", "toolName": "grep"}
    wanted = [{"toolCallId": "never", "name": "rm", "arguments": {}}]
    started = {"type": "tool.execution_start", "data": inner}
    lines.insert(5, {**started, "agentId": "sub"})
    lines.insert(5, {**started, "data": {**inner, "parentToolCallId": "c1"}})
    lines[3]["data"]["toolRequests"] += wanted

    transcript = read_transcript(as_lines(lines))

    assert transcript.calls == 2
    assert kinds(transcript)["event of a sub-agent"] == 2
    assert kinds(transcript)["call that was requested but never started"] == 1


def test_copilot_denied_calls_are_refused():
    lines = written.copilot_lines()
    lines[9]["data"]["error"] = {"message": "No.", "code": "denied"}

    _, second = read_transcript(as_lines(lines)).interactions

    assert second.tool_calls[-1].status == CallStatus.REFUSED


def test_opencode_tells_times_tokens_and_money():
    document = json.dumps(written.opencode_session()).encode()

    first, _ = read_transcript(document).interactions

    (call,) = first.tool_calls
    assert (call.started_at, call.duration_ms) == ("2026-03-01T10:00:00+00:00", 250)
    assert first.usage == RunUsage(
        input_tokens=30, output_tokens=14, cost_microdollars=500_000
    )


@pytest.mark.parametrize(
    ("state", "output", "status"),
    [
        (
            {"status": "completed", "output": "x", "metadata": {"exit": 1}},
            "x\nExit code: 1",
            CallStatus.ERROR,
        ),
        (
            {
                "status": "error",
                "error": "The user rejected permission to use this tool",
            },
            "The user rejected permission to use this tool",
            CallStatus.REFUSED,
        ),
        ({"status": "running"}, "", CallStatus.UNKNOWN),
    ],
)
def test_opencode_says_how_calls_ended(state, output, status):
    session = written.opencode_session()
    session["messages"][1]["parts"][2]["state"] = state

    first, _ = read_transcript(json.dumps(session).encode()).interactions

    (call,) = first.tool_calls
    assert (call.output, call.status) == (output, status)
