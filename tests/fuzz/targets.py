"""Every reader of bytes and texts from outside, as a function that must not fail.

Each takes any bytes, and raises nothing but what its reader says that it raises; where
more is promised (places that lie in the text, one reading of a value) it is asserted.
"""

import gzip
import io
import json
import math
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from google.protobuf.json_format import Parse
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
)

from tests.ingest.otlp.spans import a_request, a_span
from tests.ingest.runs import a_run
from tests.ingest.transcripts import SHOWN, WRITTEN
from tests.model_server import a_call, a_text, a_tool_use
from verifyhub.common import untrusted
from verifyhub.common.contract import FormatError
from verifyhub.common.markdown import pieces_of
from verifyhub.common.strict_json import StrictJSONError, loads
from verifyhub.engine.calls.call import read_call
from verifyhub.engine.calls.patches import is_patch, read_patch
from verifyhub.engine.calls.shell import (
    heredocs,
    part_spans,
    redirections,
    split_command,
    without_data,
)
from verifyhub.engine.cross_tier.submission import parse_submission
from verifyhub.engine.goals.submission import parse_goal_submission
from verifyhub.engine.judging.one_word import one_word
from verifyhub.engine.judging.replies import SubmissionError
from verifyhub.engine.ledger.packages.locks import LOCKS
from verifyhub.engine.ledger.packages.read import MANIFESTS, read_file
from verifyhub.engine.llm.anthropic import AnthropicWire
from verifyhub.engine.llm.endpoint import ChatEndpoint
from verifyhub.engine.llm.openai import OpenAIWire
from verifyhub.engine.mentions.extract import extract_mentions
from verifyhub.engine.pipeline import VerificationRequest, verify
from verifyhub.engine.ports import ModelError
from verifyhub.engine.types import CallStatus, Interaction, ToolCall
from verifyhub.engine.values.reading import values_of
from verifyhub.ingest.formats.bulk.items import formats, read_line
from verifyhub.ingest.formats.bulk.parquet import parquet_items
from verifyhub.ingest.formats.bulk.source import Bounds, BrokenStreamError, LineSource
from verifyhub.ingest.formats.bulk.streams import csv_items, raw_items
from verifyhub.ingest.formats.native import as_native, parse_interaction
from verifyhub.ingest.formats.otlp.bodies import JSON, PROTOBUF, read_body
from verifyhub.ingest.formats.otlp.limits import OtlpError
from verifyhub.ingest.formats.otlp.requests import Signal
from verifyhub.ingest.formats.otlp.understanding import understand
from verifyhub.ingest.formats.transcripts import AUTO, format_names, read_transcript
from verifyhub_client.masking import PERSONAL, Masker, OwnPattern, PatternError

# What says something to people asks in which language; no more of Django is needed.
if not settings.configured:
    settings.configure(USE_I18N=False)
TEXT_ENCODING = "utf-8"
LENGTH = 64 * 1024
FORMATS = (AUTO, *format_names())
BULKS = formats()
FILES = (*MANIFESTS, *LOCKS)
BOUNDS = Bounds(unpacked=4 * LENGTH, blank=LENGTH, unfound=4 * LENGTH)
WORDS = ("VERIFIED", "CONTRADICTED", "UNKNOWN")
ENDPOINT = ChatEndpoint(base_url="http://127.0.0.1:9/v1", model="none")
WIRES = (OpenAIWire(ENDPOINT), AnthropicWire(ENDPOINT))


@dataclass(frozen=True, slots=True)
class Target:
    """One reader, and inputs that lead far into it."""

    read: Callable[[bytes], None]
    seeds: Callable[[], Iterable[bytes]]


def transcripts(data: bytes) -> None:
    """The first byte names the format; what is read can be stored and read again."""
    try:
        transcript = read_transcript(data[1:], format=_chosen(FORMATS, data))
    except FormatError:
        return
    for interaction in transcript.interactions:
        native = json.loads(json.dumps(as_native(interaction)))
        assert parse_interaction(native) == interaction


def native(data: bytes) -> None:
    try:
        interaction = parse_interaction(loads(data, max_bytes=LENGTH))
    except (StrictJSONError, FormatError):
        return
    again = json.loads(json.dumps(as_native(interaction)))
    assert parse_interaction(again) == interaction


def strict_json(data: bytes) -> None:
    """What is accepted is what Python's parser reads, and can be stored."""
    mends = bool(data[:1] > b"\x7f")
    try:
        value = loads(data[1:], max_bytes=LENGTH, mends_texts=mends)
    except StrictJSONError:
        return
    json.dumps(value, allow_nan=False).encode()
    if not mends:
        assert value == json.loads(data[1:])


def spans(data: bytes) -> None:
    """The first byte says what comes in which encoding."""
    sort, encoding = data[0] & 3, ("", "gzip", "deflate")[(data[0] >> 2) % 3]
    try:
        batch = read_body(
            data[1:],
            content_type=(PROTOBUF, JSON)[sort & 1],
            encoding=encoding,
            max_bytes=LENGTH,
            signal=(Signal.TRACES, Signal.LOGS)[sort >> 1],
        )
    except OtlpError:
        return
    for run in understand(batch.spans).runs:
        native = json.loads(json.dumps(as_native(run.interaction)))
        assert parse_interaction(native) == run.interaction


def bulks(data: bytes) -> None:
    """The first two bytes say how a stream is packed, cut and read."""
    way, name = data[0] % 4, _chosen(BULKS, data[1:])
    source = LineSource(
        io.BytesIO(data[2:]), encoding="gzip" if way == 3 else "", bounds=BOUNDS
    )
    try:
        items = (
            csv_items(source, max_line=LENGTH)
            if way == 2
            else raw_items(source, is_lines=way == 1, max_line=LENGTH)
        )
        for item in items:
            read_line(item, format_name=name, owner="bulk")
    except BrokenStreamError:
        return


def parquet(data: bytes) -> None:
    try:
        for item in parquet_items(io.BytesIO(data), bounds=BOUNDS):
            read_line(item, format_name=AUTO, owner="bulk")
    except BrokenStreamError:
        return


def patches(data: bytes) -> None:
    text = _text(data)
    is_patch(text)
    read_patch(text)


def shell(data: bytes) -> None:
    """Parts and here-documents lie in the command; its plain form is as long."""
    command = _text(data)
    split_command(command)
    list(redirections(command))
    assert len(without_data(command)) == len(command)
    for start, end in part_spans(command):
        assert 0 <= start <= end <= len(command)
    for document in heredocs(command):
        assert 0 <= document.start <= document.end <= len(command)


def calls(data: bytes) -> None:
    """A tool, its input as JSON and its output, by the first byte and the first NUL."""
    tools = ("Bash", "Read", "Edit", "Grep", "WebFetch", "apply_patch", "update_order")
    before, _, output = _text(data[1:]).partition("\x00")
    try:
        given = loads(before.encode(TEXT_ENCODING, "replace"), max_bytes=LENGTH)
    except StrictJSONError:
        given = {"command": before, "file_path": before, "patch": before}
    if not isinstance(given, dict):
        given = {"command": given}
    call = _call(_chosen(tools, data), given, output)
    read = read_call(call)
    for name in dir(read):
        if not name.startswith("_"):
            getattr(read, name)


def markdown(data: bytes) -> None:
    """The pieces lie in the source, one after another."""
    text = _text(data)
    for piece in pieces_of(text, ()):
        start, end = getattr(piece, "start", 0), getattr(piece, "end", 0)
        assert 0 <= start <= end <= len(text)
    untrusted.visible(text)
    untrusted.headline(text, 80)


def values(data: bytes) -> None:
    text = _text(data)
    for value in values_of(text):
        assert 0 <= value.span[0] < value.span[1] <= len(text)


def names(data: bytes) -> None:
    text = _text(data)
    for mention in extract_mentions(text):
        assert mention.text


def packages(data: bytes) -> None:
    found = read_file(_chosen(FILES, data), _text(data[1:]))
    if found:
        list(found[2])


def masks(data: bytes) -> None:
    """The first byte chooses, the first line is a project's own pattern.

    What a mask stands for is gone, and what is masked once stays as it is.
    """
    first, _, text = _text(data[1:]).partition("\n")
    try:
        own = [OwnPattern("own", first)] if first else []
        patterns = [one for one in own if one.compiled()]
    except PatternError:
        patterns = []
    personal = PERSONAL if data[0] & 1 else ()
    masker = Masker(b"k" * 32, personal=personal, patterns=patterns)
    masked = masker.document({"answer": text, "n": [text[:40]]})
    # What masks bring back is what was sent.
    again = json.dumps(masked.document, ensure_ascii=False)
    assert all(mask in again for mask in masked.values)


def replies(data: bytes) -> None:
    """What a model submits, and what an endpoint puts around it."""
    text = _text(data)
    word = one_word(text, WORDS)
    assert word is None or word in text.upper()
    try:
        submission = parse_submission(text)
    except SubmissionError:
        pass
    else:
        for share in (submission.confidence, submission.completeness):
            assert share is None or (math.isfinite(share) and 0 <= share <= 1)
    with suppress(SubmissionError):
        parse_goal_submission(text)
    for wire in WIRES:
        with suppress(ModelError):
            wire.read(data)


def whole(data: bytes) -> None:
    """Verify an answer against an output; no name of it verifies itself."""
    answer, _, output = _text(data[1:]).partition("\x00")
    tool = ("Bash", "Read")[data[0] & 1]
    given = {"command": "cat notes", "file_path": "notes"}
    run = Interaction(
        task="Look.", answer=answer or ".", tool_calls=(_call(tool, given, output),)
    )
    report = verify(VerificationRequest(run))
    json.dumps(report.as_dict(), allow_nan=False)


def _call(tool: str, given: dict[str, Any], output: str) -> ToolCall:
    return ToolCall(
        index=0, tool=tool, input=given, output=output, status=CallStatus.UNKNOWN
    )


def _chosen(among: tuple[str, ...], data: bytes) -> str:
    return among[data[0] % len(among)] if data else among[0]


def _text(data: bytes) -> str:
    return data.decode(TEXT_ENCODING, "replace")


def _marked(count: int, texts: Iterable[str]) -> list[bytes]:
    """Put each first byte before each text."""
    return [bytes([n]) + text.encode() for n in range(count) for text in texts]


def _span_seeds() -> list[bytes]:
    told = {
        "openinference.span.kind": "AGENT",
        "gen_ai.operation.name": "chat",
        "input.value": "Where?",
        "output.value": "In `dates.py`.",
        "llm.output_messages": '[{"role": "assistant", "content": "Here."}]',
    }
    traces = a_request(a_span(1, attributes=told), a_span(2, 1, attributes=told))
    body = json.dumps(traces).encode()
    # Protobuf's own JSON has ids in base64; any bytes lead as far.
    message = Parse(body, ExportTraceServiceRequest())
    packed = bytes(message.SerializeToString())
    return [b"\x01" + body, b"\x00" + packed, b"\x04" + gzip.compress(packed)]


def _written() -> list[bytes]:
    return [make() for _, make in WRITTEN.values()]


def _runs() -> list[bytes]:
    return [json.dumps(a_run()).encode()]


def _replies() -> list[bytes]:
    said = {
        "mentions": ["a.py"],
        "verified": ["a.py"],
        "unverified": [],
        "gaps": [],
        "warnings": [],
        "confidence": 0.9,
        "completeness": 0.8,
        "reasoning": "Read.",
    }
    bodies = [said, a_call(said), a_text("VERIFIED"), a_tool_use(said)]
    return [json.dumps(one).encode() for one in bodies]


PATCH = "*** Begin Patch\n*** Update File: a.py\n@@\n-x = 1\n+x = 2\n*** End Patch\n"
DIFF = "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x\n+y\n"
COMMAND = (
    "cd src && cat <<'EOF' > a.py | tee -a \"b c\"\nx = $(ls)\nEOF\npytest -q; rm x"
)
ANSWER = (
    "# Done\n- I ran `pytest tests/test_a.py`: **all 12 tests pass**.\n\n"
    "| a | b |\n|-|-|\n| `Foo.bar()` | 1,200 € |\n"
    "```py\nimport dates\n```\n[x](src/a.py) on 2026-03-01."
)
SECRET = "key-###\nAPI_KEY=sk-proj-abcdefghijklmnopqrstuvwxyz0123 me@example.com"
OUTPUT = '{"order": {"id": "A-17", "total": 1200.5, "due": "2026-03-01"}}'

TARGETS: dict[str, Target] = {
    "transcripts": Target(transcripts, lambda: [b"\0" + one for one in _written()]),
    "native": Target(native, _runs),
    "strict_json": Target(strict_json, lambda: [b"\0" + one for one in _runs()]),
    "spans": Target(spans, _span_seeds),
    "bulks": Target(
        bulks,
        lambda: [
            *(b"\0\0" + one for one in _written()[:4]),
            b"\1\0" + b"\n".join(_runs() * 2),
            b'\2\0id,input,output\r\n1,"a",b\r\n',
            b"\3\0" + gzip.compress(b"\n".join(_runs() * 2)),
        ],
    ),
    "parquet": Target(parquet, lambda: [_parquet_seed()]),
    "patches": Target(patches, lambda: [PATCH.encode(), DIFF.encode()]),
    "shell": Target(shell, lambda: [COMMAND.encode()]),
    "calls": Target(
        calls,
        lambda: _marked(
            7,
            [
                f"{COMMAND}\0ok\n",
                f'{{"patch": {json.dumps(PATCH)}}}\0Done!',
                f'{{"id": "A-17"}}\0{OUTPUT}',
            ],
        ),
    ),
    "markdown": Target(markdown, lambda: [ANSWER.encode()]),
    "values": Target(values, lambda: [ANSWER.encode(), OUTPUT.encode()]),
    "names": Target(names, lambda: [ANSWER.encode()]),
    "packages": Target(
        packages,
        lambda: _marked(
            len(FILES),
            [
                '{"dependencies": {"a": "1"}}',
                '[[package]]\nname = "a"\nversion = "1"\n',
            ],
        ),
    ),
    "masks": Target(masks, lambda: _marked(2, [SECRET])),
    "replies": Target(replies, _replies),
    "whole": Target(
        whole,
        lambda: _marked(2, [f"{ANSWER}\0{OUTPUT}", f"{ANSWER}\0{SHOWN}12 passed"]),
    ),
}

ALL = "all"


def target(name: str) -> Target:
    """Return a target by its name, or one of all of them, chosen by a first byte."""
    if name != ALL:
        return TARGETS[name]
    every = list(TARGETS.values())
    return Target(
        lambda data: every[data[0] % len(every)].read(data[1:] or b"\0"),
        lambda: [bytes([n]) + s for n, one in enumerate(every) for s in one.seeds()],
    )


def _parquet_seed() -> bytes:
    import pyarrow
    import pyarrow.parquet

    out = io.BytesIO()
    table = pyarrow.Table.from_pylist([{"id": "1", "task": "t", "answer": "a"}])
    pyarrow.parquet.write_table(table, out)
    return out.getvalue()
