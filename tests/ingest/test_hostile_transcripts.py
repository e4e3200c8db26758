"""Broken and hostile transcripts: a reason or a note, never another exception."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.ingest.transcripts import WRITTEN
from verifyhub.common.contract import FormatError
from verifyhub.ingest.formats.base import Transcript
from verifyhub.ingest.formats.native import as_native, parse_interaction
from verifyhub.ingest.formats.transcripts import format_names, read_transcript

LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**25), 10**25),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00")),
    st.sampled_from(["text", "tool_use", "message", "user", "assistant", "9" * 400]),
)
ANYTHING = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["type", "text", "id", "content"]), inner)
    ),
    max_leaves=5,
)
quickly = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
every_way = pytest.mark.parametrize("way", list(WRITTEN))


def read_or_refused(data: bytes, format_name: str) -> Transcript | None:
    try:
        return read_transcript(data, format=format_name)
    except FormatError:
        return None


def holds(data: bytes, format_name: str) -> None:
    """A transcript is read to runs that can be stored, or refused with a reason."""
    transcript = read_or_refused(data, format_name)
    if transcript is None:
        return
    for interaction in transcript.interactions:
        native = json.loads(json.dumps(as_native(interaction)))
        assert parse_interaction(native) == interaction
    for note in transcript.notes:
        assert note.kind
        assert note.count > 0


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path]
    items: Any = ()
    if isinstance(value, dict):
        items = value.items()
    elif isinstance(value, list):
        items = enumerate(value)
    for key, inner in items:
        found += places(inner, (*path, key))
    return found


def replaced(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = replaced(value[path[0]], path[1:], new)
    return copy


def parsed(data: bytes) -> tuple[Any, bool]:
    try:
        return json.loads(data), False
    except json.JSONDecodeError:
        return [json.loads(line) for line in data.splitlines()], True


def dumped(value: Any, is_lines: bool) -> bytes:
    if is_lines and isinstance(value, list):
        return "\n".join(json.dumps(item) for item in value).encode()
    return json.dumps(value).encode()


@every_way
@quickly
@given(data=st.data())
def test_a_wrong_type_anywhere_is_refused_or_noted(way, data):
    format_name, write = WRITTEN[way]
    value, is_lines = parsed(write())
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from(places(value)))
        value = replaced(value, path, data.draw(ANYTHING))

    holds(dumped(value, is_lines), format_name)
    holds(dumped(value, is_lines), "auto")


@every_way
@quickly
@given(data=st.data())
def test_a_file_may_end_anywhere(way, data):
    format_name, write = WRITTEN[way]
    whole = write()

    holds(whole[: data.draw(st.integers(0, len(whole)))], format_name)


@every_way
@quickly
@given(data=st.data())
def test_a_missing_member_anywhere_is_refused_or_noted(way, data):
    format_name, write = WRITTEN[way]
    value, is_lines = parsed(write())
    paths = [path for path in places(value) if path]
    path = data.draw(st.sampled_from(paths))
    holder = value
    for step in path[:-1]:
        holder = holder[step]
    del holder[path[-1]]

    holds(dumped(value, is_lines), format_name)


@quickly
@given(value=ANYTHING, format_name=st.sampled_from([*format_names(), "auto"]))
def test_any_json_is_read_as_any_format_or_refused(value, format_name):
    holds(json.dumps(value).encode(), format_name)


@pytest.mark.parametrize("way", list(WRITTEN))
def test_a_transcript_read_as_another_format_is_refused_or_noted(way):
    for format_name in format_names():
        holds(WRITTEN[way][1](), format_name)


def test_kinds_of_entries_nobody_has_heard_of_are_bounded():
    lines = WRITTEN["Claude Code"][1]().splitlines()
    strange = [
        json.dumps({"type": f"kind-{number}" * 30, "uuid": f"x{number}"}).encode()
        for number in range(500)
    ]

    notes = read_transcript(b"\n".join([*lines, *strange]), format="claude_code").notes

    assert len(notes) <= 101
    assert max(len(note.kind) for note in notes) < 200
    assert sum(note.count for note in notes) >= 500


@pytest.mark.parametrize(
    "change",
    [
        {"name": "x" * 300},
        {"name": ""},
        {"name": None},
        {"name": {"deep": 1}},
    ],
)
def test_a_call_of_a_tool_without_a_usable_name_is_noted(change):
    call = {"id": "a", "function": {"name": "ls", "arguments": "{}"} | change}
    data = [
        {"role": "user", "content": "Look."},
        {"role": "assistant", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "a", "content": "x.py"},
        {"role": "assistant", "content": "x.py"},
    ]

    transcript = read_transcript(json.dumps(data).encode())

    (interaction,) = transcript.interactions
    assert [call.tool for call in interaction.tool_calls] == ["unknown"]
    assert any(note.kind.startswith("unreadable") for note in transcript.notes)
