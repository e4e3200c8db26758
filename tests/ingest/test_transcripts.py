"""What every format has in common: turns, evidence, identity, notes."""

import json
import sys
from collections.abc import Callable

import pytest

from tests.builders import verify
from tests.ingest import transcripts as written
from tests.ingest.transcripts import ANSWERED, ASKED, SHOWN, TELLING, WRITTEN, as_lines
from verifyhub.common.contract import FormatError
from verifyhub.engine.types import CallStatus
from verifyhub.ingest.formats.base import Transcript
from verifyhub.ingest.formats.exports.span_export import ROW_READERS
from verifyhub.ingest.formats.interactions import (
    EARLIER_CALLS,
    EARLIER_CHARACTERS,
    ConversationFacts,
    interactions_of,
)
from verifyhub.ingest.formats.native import as_native, parse_interaction
from verifyhub.ingest.formats.transcripts import FORMATS, read_transcript
from verifyhub.ingest.formats.turn import TranscriptTurn

every_way = pytest.mark.parametrize("way", list(WRITTEN))


def read(way: str, **options: str) -> Transcript:
    return read_transcript(WRITTEN[way][1](), **options)


def kinds(transcript: Transcript) -> dict[str, int]:
    return {note.kind: note.count for note in transcript.notes}


@every_way
def test_each_turn_becomes_an_interaction(way):
    transcript = read(way)

    assert transcript.format == WRITTEN[way][0]
    assert [(i.task, i.answer) for i in transcript.interactions] == list(
        zip(ASKED, ANSWERED, strict=True)
    )
    assert (transcript.turns, transcript.calls, transcript.outputs) == (2, 2, 2)


@every_way
def test_what_the_agent_was_told_first_stands_beside_its_task(way):
    told = "Be brief." if "Be brief." in WRITTEN[way][1]().decode() else None

    found = {one.system_instructions for one in read(way).interactions}

    assert found == {told}


def test_instructions_beside_the_messages_are_read():
    head = {"role": "user", "content": "Go."}
    said = {"type": "message", "role": "assistant", "content": "Gone."}
    block = {"role": "assistant", "content": [{"type": "text", "text": "Gone."}]}
    used = {"type": "tool_use", "id": "t1", "name": "look", "input": {}}
    called = {"type": "function_call", "name": "look", "arguments": "{}"}
    response = {
        "object": "response",
        "instructions": "Stay calm.",
        "input": "Go.",
        "output": [{**called, "call_id": "c1"}, said],
    }
    messages = {
        "system": [{"type": "text", "text": "Stay calm."}],
        "messages": [head, {"role": "assistant", "content": [used]}, block],
    }

    for document in (response, messages):
        (one,) = read_transcript(json.dumps(document).encode()).interactions
        assert one.system_instructions == "Stay calm."


@every_way
def test_calls_have_their_inputs_outputs_and_status(way):
    first, second = read(way).interactions

    (call,) = first.tool_calls
    assert (call.tool, call.input, call.output) == ("read", written.READ, SHOWN)
    failed = second.tool_calls[-1]
    assert (failed.tool, failed.input) == ("grep", written.SEARCH)
    assert failed.output == written.FAILED
    if WRITTEN[way][0] in TELLING:
        assert (call.status, failed.status) == (CallStatus.OK, CallStatus.ERROR)


@every_way
def test_calls_of_earlier_turns_come_first_in_the_trace(way):
    _, second = read(way).interactions

    assert [call.tool for call in second.tool_calls] == ["read", "grep"]
    assert [call.index for call in second.tool_calls] == [0, 1]
    assert second.metadata["earlier_calls"] == 1


@every_way
def test_reading_twice_gives_the_same(way):
    assert read(way) == read(way)


@every_way
def test_an_interaction_is_one_the_api_could_have_been_sent(way):
    for interaction in read(way).interactions:
        document = json.loads(json.dumps(as_native(interaction)))

        assert parse_interaction(document) == interaction


def test_a_session_and_its_turns_can_be_asked_for_by_their_names():
    turn = TranscriptTurn(number=1, place="line 1", tasks=["t"], texts=["a"])
    (run,) = interactions_of(
        [turn], ConversationFacts("any", session="a\nb", part="c\td")
    )

    assert (run.session, run.id) == ("a\ufffdb", "a\ufffdb:c\ufffdd:1")


@every_way
def test_the_format_may_be_named(way):
    assert read(way, format=WRITTEN[way][0]) == read(way)


@every_way
def test_ids_tell_turns_apart_and_stay_when_the_conversation_goes_on(way):
    one, two = (i.id for i in read(way).interactions)

    assert one != two
    assert len({i.session for i in read(way).interactions}) == 1


@every_way
def test_what_is_thought_aloud_is_counted_and_no_answer(way):
    assert kinds(read(way))["text before a tool call"] == 1


def test_every_format_is_written_here():
    # Exports hold spans and no conversation: `test_exports` writes them.
    exports = {one.name for one in ROW_READERS}

    assert {name for name, _ in WRITTEN.values()} == {
        one.name for one in FORMATS
    } - exports


@pytest.mark.parametrize("way", ["Claude Code", "OpenAI messages, a line each"])
def test_a_conversation_that_goes_on_keeps_the_ids_of_its_turns(way):
    lines = WRITTEN[way][1]().splitlines(keepends=True)
    early = read_transcript(b"".join(lines[: 7 if way == "Claude Code" else 5]))

    assert [i.id for i in early.interactions] == [read(way).interactions[0].id]


@pytest.mark.parametrize("way", [way for way in WRITTEN if b"\n{" in WRITTEN[way][1]()])
def test_what_is_said_later_changes_nothing_about_a_turn_that_is_over(way):
    lines = WRITTEN[way][1]().splitlines(keepends=True)
    whole = read(way).interactions

    # One line alone is a document, not lines.
    for length in range(2, len(lines)):
        early = read_transcript(b"".join(lines[:length]), format=WRITTEN[way][0])

        for one, same in zip(early.interactions[:-1], whole, strict=False):
            assert one == same


def test_conversations_without_a_name_are_told_apart_by_their_content():
    messages = written.openai_messages()
    other = json.loads(json.dumps(messages).replace("parser", "tokenizer"))

    ids = {
        i.id
        for document in (messages, other)
        for i in read_transcript(json.dumps(document).encode()).interactions
    }

    assert len(ids) == 4


def test_a_file_may_hold_several_transcripts():
    runs = [{"task_id": n, "traj": written.openai_messages()} for n in range(3)]

    for data in (json.dumps(runs).encode(), as_lines(runs)):
        transcript = read_transcript(data)
        assert (transcript.format, transcript.turns, transcript.calls) == (
            "openai_chat",
            6,
            6,
        )
        assert kinds(transcript)["field beside the messages"] == 3


def test_a_broken_one_of_several_transcripts_is_said():
    runs = [{"traj": written.openai_messages()}, {"traj": "none"}]

    transcript = read_transcript(json.dumps(runs).encode())

    assert transcript.turns == 2
    assert kinds(transcript)["unreadable: must be an array of messages."] == 1


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "is empty"),
        (b"hello", "Not JSON"),
        (b'{"a": 1}', "is of no known format; known are native, openai_chat"),
        (b"[1, 2]", "is of no known format"),
        (b'{"messages": []}', "is of no known format"),
        (b'{"messages": [{"role": "us\\u0000er", "content": "x"}]}', "U+0000"),
        (b'{"messages": [{"role": "user", "role": "user"}]}', "stands here twice"),
        (b'{"messages": [{"role": "us\\ud800er", "content": "x"}]}', "surrogate"),
        (b"[" * 200 + b"]" * 200, "Nested deeper"),
    ],
)
def test_what_is_no_transcript_is_refused_with_a_reason(data, problem):
    with pytest.raises(FormatError, match=problem.replace("+", r"\+")):
        read_transcript(data)


def test_a_file_may_not_be_longer_than_told():
    with pytest.raises(FormatError, match="more than 10 bytes"):
        read_transcript(b'{"messages": []}', max_bytes=10)


def test_an_unknown_format_is_refused_by_name():
    with pytest.raises(FormatError, match="must be one of openai_chat"):
        read_transcript(b"[]", format="minutes")


def test_two_formats_that_fit_alike_are_named():
    both = {
        "steps": [{"step_id": 1, "source": "user", "message": "x"}],
        "schema_version": "ATIF-v1.5",
        "messages": [{"info": {}, "parts": []}],
    }

    with pytest.raises(FormatError, match="may be atif as well as opencode"):
        read_transcript(json.dumps(both).encode())


def test_lines_that_cannot_be_read_are_counted_and_the_others_read():
    lines = WRITTEN["Claude Code"][1]().splitlines(keepends=True)
    broken = b"".join([*lines, b'{"type": "user", "mess\n', b'{"uuid": "\\u0000"}\n'])

    transcript = read_transcript(broken)

    assert len(transcript.interactions) == 2
    note = transcript.notes[0]
    assert (note.kind, note.count) == ("line that is not JSON", 2)
    assert note.first.startswith(f"line {len(lines) + 1}: ")


def test_what_a_tool_printed_is_kept_with_marks_for_what_no_database_keeps():
    transcript = read_transcript(
        messages(
            asked("List it."),
            said(None, ("ls", "a")),
            gave("a", "b\x00.py"),
            said("It is b.py."),
        )
    )

    (turn,) = transcript.interactions
    assert turn.tool_calls[0].output == "b\ufffd.py"


def by_function_calls() -> list[dict[str, object]]:
    return [
        {"role": "system", "content": "You mend programs."},
        asked("Look."),
        said("First the list.", ("bash", "a")),
        {"role": "tool", "tool_call_ids": ["a"], "content": "x.py"},
        said(None, ("bash", "b")),
        gave("b", "y.py"),
        said("It is x.py."),
    ]


@pytest.mark.parametrize(
    "steps",
    [
        by_function_calls,
        lambda: [
            {"messages": by_function_calls()[:4]},
            {"messages": by_function_calls()[4:]},
        ],
        lambda: [
            {"messages": by_function_calls()[:4]},
            {"messages": by_function_calls()[:6]},
            {"messages": by_function_calls()},
        ],
    ],
    ids=["messages", "new messages of steps", "all messages so far"],
)
def test_trajectory_of_messages_with_tool_calls_is_one_of_swe_agent(steps):
    data = json.dumps({"trajectory": steps(), "info": {}}).encode()

    transcript = read_transcript(data)

    (turn,) = transcript.interactions
    assert (transcript.format, turn.task) == ("swe_agent", "Look.")
    assert turn.answer.endswith("It is x.py.")
    assert [call.output for call in turn.tool_calls] == ["x.py", "y.py"]


@pytest.mark.parametrize(
    ("document", "hint"),
    [
        (
            {"trajectory": [{"action": "ls"}]},
            "Closest is swe_agent: it has trajectory[].action but no"
            " trajectory[].observation, history[].role.",
        ),
        (
            {"messages": [{"text": "x"}]},
            "Closest is openai_chat: it has messages but no messages[].role,"
            " messages[].content.",
        ),
        (
            {"steps": [{"step_id": 1, "source": "nobody"}], "schema_version": "1"},
            "Closest is atif: it has schema_version, steps[].step_id, steps[].source,"
            " with other values.",
        ),
        ({"rows": [1], "kind": 2}, "It is an object with rows, kind."),
    ],
)
def test_what_no_format_fits_is_told_what_came_closest(document, hint):
    with pytest.raises(FormatError) as refused:
        read_transcript(json.dumps(document).encode())

    assert refused.value.message.endswith(hint)


def messages(*turns: object) -> bytes:
    return json.dumps(list(turns)).encode()


def asked(text: str) -> dict[str, object]:
    return {"role": "user", "content": text}


def said(text: str | None, *calls: tuple[str, str]) -> dict[str, object]:
    told = [
        {"id": i, "function": {"name": name, "arguments": "{}"}} for name, i in calls
    ]
    return {"role": "assistant", "content": text, "tool_calls": told}


def gave(call_id: str, text: object) -> dict[str, object]:
    return {"role": "tool", "tool_call_id": call_id, "content": text}


def test_a_turn_without_an_answer_is_none_but_what_it_showed_is_kept():
    transcript = read_transcript(
        messages(
            asked("Look."),
            said("Sure."),
            asked("Now."),
            said(None, ("ls", "a")),
            gave("a", "x.py"),
        )
    )

    assert [i.task for i in transcript.interactions] == ["Look."]
    assert (transcript.turns, transcript.calls) == (2, 1)
    assert kinds(transcript)["turn without an answer"] == 1


def test_a_request_during_a_turn_belongs_to_it():
    transcript = read_transcript(
        messages(
            asked("Look."),
            said(None, ("ls", "a")),
            gave("a", "x.py"),
            asked("In src."),
            said("x.py."),
        )
    )

    (interaction,) = transcript.interactions
    assert interaction.task == "Look.\n\nIn src."


def test_results_go_to_the_oldest_open_call_of_their_id():
    transcript = read_transcript(
        messages(
            asked("Look."),
            said(None, ("ls", "same"), ("cat", "same")),
            gave("same", "first"),
            gave("same", "second"),
            said("Done."),
        )
    )

    calls = transcript.interactions[0].tool_calls
    assert [call.output for call in calls] == ["first", "second"]


def test_a_result_without_a_call_is_kept_and_said():
    transcript = read_transcript(
        messages(asked("Look."), gave("gone", "x.py"), said("x.py."))
    )

    (call,) = transcript.interactions[0].tool_calls
    assert (call.tool, call.output) == ("unknown", "x.py")
    assert kinds(transcript)["result without a call"] == 1


def test_a_second_result_of_a_call_is_added_and_said():
    transcript = read_transcript(
        messages(
            asked("Look."),
            said(None, ("ls", "a")),
            gave("a", "x.py"),
            gave("a", "y.py"),
            said("y.py."),
        )
    )

    (call,) = transcript.interactions[0].tool_calls
    assert call.output == "x.py\ny.py"
    assert kinds(transcript)["second result of a call"] == 1


def test_the_last_word_of_a_tool_that_ends_the_run_is_the_answer():
    finish = {
        "id": "f",
        "function": {"name": "finish", "arguments": '{"message": "It is x.py."}'},
    }
    last = {"role": "assistant", "content": "Done.", "tool_calls": [finish]}

    (interaction,) = read_transcript(messages(asked("Look."), last)).interactions

    assert interaction.answer == "Done.\n\nIt is x.py."


def test_mcp_results_are_unwrapped_wherever_they_are_outputs():
    result = {
        "content": [
            {"type": "text", "text": "src/a.py"},
            {"type": "resource", "resource": {"uri": "file:///b", "text": "b = 1"}},
            {"type": "image", "data": "…", "mimeType": "image/png"},
        ],
        "isError": True,
    }
    structured = {"content": [], "structuredContent": {"file": "c.py"}}

    transcript = read_transcript(
        messages(
            asked("Look."),
            said(None, ("a", "1"), ("b", "2"), ("c", "3")),
            gave("1", result),
            gave("2", json.dumps(structured)),
            gave("3", '{"content": "just a document"}'),
            said("a.py."),
        )
    )

    one, two, three = transcript.interactions[0].tool_calls
    assert (one.output, one.status) == ("src/a.py\nb = 1", CallStatus.ERROR)
    assert (two.output, two.status) == ('{"file": "c.py"}', CallStatus.OK)
    assert three.output == '{"content": "just a document"}'
    assert kinds(transcript)["content image"] == 1


def test_arguments_that_are_not_json_are_kept_and_said():
    call = {"id": "a", "function": {"name": "ls", "arguments": "{path:"}}
    transcript = read_transcript(
        messages(
            asked("Look."),
            {"role": "assistant", "tool_calls": [call]},
            gave("a", "x"),
            said("x."),
        )
    )

    assert transcript.interactions[0].tool_calls[0].input == {"input": "{path:"}
    assert kinds(transcript)["arguments that are not JSON"] == 1


def a_long_conversation(turns: int, text: str = "x") -> bytes:
    entries: list[object] = []
    for number in range(turns):
        # Ids that come again and again are the worst case for pairing.
        entries += [
            asked("Look."),
            said(None, ("ls", "same"), ("ls", "same")),
            gave("same", text),
            gave("same", text),
            said(f"{number}.py"),
        ]
    return json.dumps(entries).encode()


def test_evidence_of_earlier_turns_is_bounded_by_calls():
    last = read_transcript(a_long_conversation(200)).interactions[-1]

    assert len(last.tool_calls) == EARLIER_CALLS + 2
    assert last.metadata["earlier_calls_left_out"] == 2 * 199 - EARLIER_CALLS


def test_evidence_of_earlier_turns_is_bounded_by_length():
    text = "x" * (EARLIER_CHARACTERS // 4 - 100)

    last = read_transcript(a_long_conversation(8, text)).interactions[-1]

    assert len(last.tool_calls) == 4 + 2


def test_an_answer_may_rest_on_what_an_earlier_turn_read():
    transcript = read_transcript(
        messages(
            asked("List."),
            said(None, ("ls", "a")),
            gave("a", "src/parser.py\n"),
            said("One file."),
            asked("Which?"),
            said("It is src/parser.py; there is no src/lexer.py."),
        )
    )

    report = verify(transcript.interactions[1]).as_dict()

    status = {m["text"]: m["status"] for m in report["mentions"]}
    assert status["src/parser.py"] == "verified"
    assert status["src/lexer.py"] == "unverified"


def test_tests_that_passed_before_a_change_do_not_support_a_later_claim():
    edit = {
        "id": "e",
        "function": {
            "name": "Edit",
            "arguments": '{"file_path": "a.py", "old_string": "a", "new_string": "b"}',
        },
    }
    run = {
        "id": "t",
        "function": {"name": "Bash", "arguments": '{"command": "pytest -q"}'},
    }
    transcript = read_transcript(
        messages(
            asked("Test."),
            {"role": "assistant", "tool_calls": [run]},
            gave("t", "....\n4 passed in 0.1s"),
            said("All pass."),
            asked("Change it."),
            {"role": "assistant", "tool_calls": [edit]},
            gave("e", "The file a.py has been updated."),
            said("Changed. All tests pass."),
        )
    )

    claims = verify(transcript.interactions[1]).as_dict()["completion_claims"]

    assert {c["text"]: c["status"] for c in claims}["All tests pass."] == "unattempted"


def count_calls(action: Callable[[], object]) -> int:
    """Count the functions that run, Python's and C's, whatever the machine's speed."""
    counted = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal counted
        counted += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        action()
    finally:
        sys.setprofile(before)
    return counted


def test_work_grows_with_the_length_of_a_transcript_and_no_faster():
    # Past the bound on earlier calls, so that each turn costs the same.
    short, long = a_long_conversation(300), a_long_conversation(600)

    once = count_calls(lambda: read_transcript(short))
    twice = count_calls(lambda: read_transcript(long))

    assert twice < 2.6 * once
