"""Make passages of a run: of its sources, and of its tool outputs.

An output is read as the ledger reads it, at the same places: what only gives back the
agent's own words is blanked, and failed calls, notes and the reports of other agents
show nothing.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from verifyhub.engine.calls.call import Call
from verifyhub.engine.ledger.build import build_ledger
from verifyhub.engine.ledger.ledger import Ledger
from verifyhub.engine.ledger.sources import LedgerTier, Own
from verifyhub.engine.passages import Passage, PassageOrigin
from verifyhub.engine.retrieval.split import split
from verifyhub.engine.text.tokens import blank
from verifyhub.engine.types import Interaction

MAX_TITLE = 200
OUTPUT = "output"
_TEXT_KEYS = ("text", "content")
_TITLE_KEYS = ("title", "url", "id")
# How readers number lines, and how patches mark them; then what the line says.
_LINE = re.compile(
    r"(?=[^\n])[^\S\n]*+(?:\d{1,7}+[^\S\n]*+[→|:]?[^\S\n]*+)?[-+]?[^\S\n]*+([^\n]*+)"
)


def passages_of(interaction: Interaction) -> list[Passage]:
    """Return the passages of a run: of its sources, then of its tools' outputs.

    Args:
        interaction: The run. A source is a text, or an object with `text` or
            `content`, and a `title`, `url` or `id` to call it by; others hold nothing.
    """
    passages: list[Passage] = []
    for position, source in enumerate(interaction.sources or ()):
        title, text = _source(source)
        passages += split(
            text, origin=PassageOrigin.SOURCE, ref=str(position), title=title
        )
    for call, text in outputs_of(build_ledger(interaction)):
        passages += split(
            text,
            origin=PassageOrigin.TOOL_CALL,
            ref=str(call.index),
            title=title_of(call),
        )
    return passages


def _source(source: object) -> tuple[str, str]:
    """Return title and text of a source as it was sent."""
    if isinstance(source, str):
        return "", source
    if not isinstance(source, Mapping):
        return "", ""
    return _first(source, _TITLE_KEYS)[:MAX_TITLE], _first(source, _TEXT_KEYS)


def _first(source: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    values = (source.get(key) for key in keys)
    return next((value for value in values if isinstance(value, str) and value), "")


def title_of(call: Call) -> str:
    """Return the title of an output: its tool, and the one place that it worked on."""
    subject = call.paths[0] if call.paths else call.command or ""
    return f"{call.call.tool} {subject}".strip()[:MAX_TITLE]


def outputs_of(ledger: Ledger) -> Iterator[tuple[Call, str]]:
    """Yield the outputs of calls that may be evidence."""
    calls = {call.index: call for call in ledger.calls}
    own_lines: set[str] = set()
    for source in ledger.sources:
        if source.feeds is Own.WRITTEN:
            for line in source.text.splitlines():
                match = _LINE.match(line)
                own_lines.add(match[1].rstrip() if match else "")
        call = calls.get(source.tool_call)
        may_serve = (
            source.field == OUTPUT
            and source.tier is LedgerTier.OBSERVED
            and source.repeats is not Own.NOTED
        )
        if call is None or call.is_report or not may_serve:
            continue
        text = source.text
        if source.repeats is Own.WRITTEN:
            lines = _LINE.finditer(text)
            own = [line.span() for line in lines if line[1].rstrip() in own_lines]
            text = blank(text, own)
        yield call, text
