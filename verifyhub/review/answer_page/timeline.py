"""The trace as a timeline: each call with its outcome, and a search."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db.models import BinaryField, F, Func, QuerySet, TextField, Value
from django.db.models.fields.json import KT
from django.db.models.functions import Cast, Coalesce, Left, Length
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from verifyhub.common.packing import head_bytes, unpacked_head
from verifyhub.common.prepared import PreparedQuery
from verifyhub.common.untrusted import excerpt, highlighted
from verifyhub.engine.calls.changes import CallChange, ChangeKind
from verifyhub.engine.calls.tool_rules import read_tool_rules
from verifyhub.engine.calls.tools import ToolKind, tool_kind
from verifyhub.engine.ledger.ledger import Ledger
from verifyhub.ingest.models import Interaction, ToolCall
from verifyhub.ingest.output_store import KEPT_CHARACTERS
from verifyhub.review.answer_page.evidence import text_at

# Characters of a tool call in the timeline.
PREVIEW_CHARACTERS = KEPT_CHARACTERS
# Keys of an input that describe a call, the most descriptive first.
TELLING_KEYS = ("command", "file_path", "pattern", "query", "url", "path")

# One part of a long timeline.
STEPS = 200
# Matches of one call that a search shows; all are counted.
SHOWN_HITS = 3
MAX_HITS = 10_000
AROUND_HIT = 90
MAX_QUESTION = 200
MAX_BADGES = 6
MAX_SUBTASKS = 100
# Characters of a subtask's task that are searched for in the calls.
TASK_START = 120
VERBS = {
    ToolKind.READ: gettext_lazy("read"),
    ToolKind.WRITE: gettext_lazy("wrote"),
    ToolKind.EDIT: gettext_lazy("edited"),
    ToolKind.DELETE: gettext_lazy("deleted"),
    ToolKind.LIST: gettext_lazy("listed"),
    ToolKind.SEARCH: gettext_lazy("searched"),
    ToolKind.SHELL: gettext_lazy("ran"),
    ToolKind.FETCH: gettext_lazy("fetched"),
    ToolKind.QUERY: gettext_lazy("queried"),
    ToolKind.AGENT: gettext_lazy("called an agent"),
    ToolKind.NOTE: gettext_lazy("noted"),
}
BAD = frozenset({"error", "refused"})


@dataclass(frozen=True, slots=True)
class Badge:
    """The ledger's summary of one call; `tone` is its colour."""

    tone: str
    word: str


@dataclass(frozen=True, slots=True)
class Hits:
    """The positions of a text in one call."""

    count: int
    excerpts: list[tuple[str, SafeString]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class TimelineStep:
    """One call; `call` has the attributes that `timeline` adds."""

    call: Any
    verb: str
    hits: Hits | None = None
    badges: Sequence[Badge] = ()
    # Subtasks of other agents that this call started.
    subtasks: Sequence[Interaction] = ()

    @property
    def error(self) -> str:
        """The first line of a failed call's output."""
        if self.call.status not in BAD:
            return ""
        return self.output_start.strip().split("\n", 1)[0]

    @property
    def output_start(self) -> str:
        """The beginning of its output."""
        if self.call.packed_start is None:
            return str(self.call.text_start)
        return unpacked_head(self.call.packed_start, PREVIEW_CHARACTERS)

    @property
    def output_length(self) -> int:
        """The length of its output, in characters."""
        packed: int | None = self.call.output_length
        return self.call.text_length if packed is None else packed


def timeline_context(
    interaction: Interaction,
    query: Mapping[str, str],
    badges: Mapping[int, Sequence[Badge]] | None = None,
) -> dict[str, Any]:
    """Return a part of the timeline, or the calls that contain `find`.

    Args:
        interaction: The answer.
        query: `find`, a text to search for; `step`, the first call shown.
        badges: The ledger's summaries of calls, if it was read.
    """
    question = query.get("find", "").strip()[:MAX_QUESTION]
    step = query.get("step", "")
    first = int(step) if step.isdecimal() and len(step) < 8 else 0
    hits_by_call = dict(find(interaction, question)) if question else {}
    if question:
        found = timeline(interaction.project_id, interaction.pk)
        rows = list(found.filter(index__in=hits_by_call)[:STEPS])
    else:
        rows = _FROM_STEP(
            project=interaction.project_id, answer=interaction.pk, first=first
        )
    # Without the ledger, a later request adds its summaries.
    reads = badges is not None and not question
    begun, rest = subtasks_of(interaction, rows) if reads else ({}, [])
    rules = read_tool_rules(interaction.project.tool_rules)
    steps = [
        TimelineStep(
            call,
            str(VERBS.get(tool_kind(call.tool, None, rules), "")),
            hits_by_call.get(call.index),
            (badges or {}).get(call.index, ()),
            begun.get(call.index, ()),
        )
        for call in rows
    ]
    last = steps[-1].call.index + 1 if steps else 0
    more = not question and last < interaction.tool_call_count
    return {
        "steps": steps,
        "find": question,
        "hit_count": sum(hits.count for hits in hits_by_call.values()),
        "hit_calls": len(hits_by_call),
        "next_step": last if more else None,
        "first_step": first,
        "subtasks": [] if more else rest,
    }


def subtasks_of(
    interaction: Interaction, calls: Sequence[Any] | None = None
) -> tuple[dict[int, list[Interaction]], list[Interaction]]:
    """Return an answer's subtasks by the call that started them, and the others.

    A call started a subtask that has its id, or whose task is in the call's input. The
    others are shown below all calls.

    Args:
        interaction: The answer.
        calls: Rows of `timeline`, if they were read already.
    """
    subtasks = _subtasks(interaction)
    if not subtasks:
        return {}, []
    begun: dict[int, list[Interaction]] = {}
    unplaced = []
    if calls is None:
        calls = _FROM_STEP(
            project=interaction.project_id, answer=interaction.pk, first=0
        )
    for subtask in subtasks:
        call = next((call for call in calls if _began(call, subtask)), None)
        if call is None:
            unplaced.append(subtask)
        else:
            begun.setdefault(call.index, []).append(subtask)
    return begun, unplaced


def _began(call: Any, subtask: Interaction) -> bool:
    if call.call_id and call.call_id == subtask.client_id:
        return True
    task = json.dumps(subtask.task[:TASK_START], ensure_ascii=False)[1:-1]
    return bool(task) and task in call.input_start


def _subtasks(interaction: Interaction) -> list[Interaction]:
    """Return the answers that name this one as their parent, oldest first."""
    names = [str(interaction.pk), interaction.client_id or ""]
    rows = Interaction.objects.filter(
        project_id=interaction.project_id, parent__in=[name for name in names if name]
    ).exclude(parent="")
    shown = rows.only("id", "client_id", "task", "agent_name", "tool_call_count")
    return list(shown.order_by("created_at", "id")[:MAX_SUBTASKS])


def find(interaction: Interaction, question: str) -> Iterator[tuple[int, Hits]]:
    """Yield the calls that contain a text, ignoring case, with its positions.

    The text is literal, not an expression.
    """
    calls = ToolCall.objects.filter(
        project_id=interaction.project_id, interaction=interaction
    ).order_by("index")
    for call in calls.iterator(chunk_size=20):
        count = int(bool(spans_of(call.tool, question)))
        excerpts: list[tuple[str, SafeString]] = []
        for name in ("input", "output"):
            text = text_at(call, name) or ""
            spans = spans_of(text, question)
            count += len(spans)
            for span in spans[: SHOWN_HITS - len(excerpts)]:
                start, end = excerpt(text, span, around=AROUND_HIT)
                inside = (span[0] - start, span[1] - start)
                excerpts.append((name, highlighted(text[start:end], [inside])))
        if count:
            yield call.index, Hits(count, excerpts)


def spans_of(text: str, question: str) -> list[tuple[int, int]]:
    """Return the positions of a question in a text, ignoring case."""
    pattern = re.compile(re.escape(question[:MAX_QUESTION]), re.IGNORECASE)
    return [hit.span() for hit in pattern.finditer(text)][:MAX_HITS]


def badges_of(ledger: Ledger) -> dict[int, list[Badge]]:
    """Return a ledger's summaries of the calls."""
    shown = ledger.as_dict()
    unrecorded = [call["call"] for call in shown["calls"] if not call["recorded"]]
    silent = Badge("unrecorded", _("No output recorded"))
    badges = {index: [silent] for index in unrecorded}
    for index, badge in _badges(ledger, shown):
        row = badges.setdefault(index, [])
        if silent not in row and badge not in row and len(row) < MAX_BADGES:
            row.append(badge)
    return badges


def _badges(ledger: Ledger, shown: Mapping[str, Any]) -> Iterator[tuple[int, Badge]]:
    for entry in shown["calls"]:
        if entry["exit_status"]:
            word = _("exit %s") % entry["exit_status"]
            yield entry["call"], Badge("failed", word)
    for entry in shown["results"]:
        yield entry["call"], _result(entry)
    for change in ledger.changes:
        if change.paths:
            yield change.call, _change(change)
    for entry in shown["fetches"]:
        if entry["status"] is not None:
            tone = "passed" if entry["status"] < 400 else "failed"
            yield entry["call"], Badge(tone, f"HTTP {entry['status']}")
    for entry in shown["queries"]:
        if not entry["has_results"]:
            yield entry["call"], Badge("inconclusive", _("no findings"))


def _result(entry: Mapping[str, Any]) -> Badge:
    words = {"passed": _("passed"), "failed": _("failed"), "skipped": _("skipped")}
    counts = [f"{entry[name]} {word}" for name, word in words.items() if entry[name]]
    text = ", ".join(counts) or entry["result"].replace("_", " ")
    return Badge(entry["result"], f"{entry['kind']}: {text}")


def _change(change: CallChange) -> Badge:
    tone = "passed" if change.done else "failed"
    if change.action is ChangeKind.RECORD:
        # Its path is the tool's name, which is shown anyway.
        word = _("changed a record") if change.done else _("changed no record")
        return Badge(tone, word)
    if len(change.paths) > 1:
        count = len(change.paths)
        name = ngettext("%d file", "%d files", count) % count
    else:
        name = change.paths[0].rsplit("/", 1)[-1][:60]
    word = _("changed %s") if change.done else _("did not change %s")
    return Badge(tone, word % name)


def timeline(project_id: UUID, interaction_id: UUID) -> QuerySet[ToolCall]:
    """Return an answer's tool calls in order, with the beginnings of their texts only.

    Each has `input_length` in characters and `input_start`, the same for an
    uncompressed output (`text_length`, `text_start`), the beginning of a compressed
    one, and `gist`: a description of the call, for common tools.
    """
    return (
        ToolCall.objects.filter(project=project_id, interaction=interaction_id)
        .alias(input_text=Cast("input", TextField()))
        .annotate(
            text_length=Length("output_text"),
            text_start=Left("output_text", PREVIEW_CHARACTERS),
            packed_start=Func(
                F("output_packed"),
                Value(1),
                Value(head_bytes(PREVIEW_CHARACTERS)),
                function="substring",
                output_field=BinaryField(),
            ),
            gist=Left(
                Coalesce(*(KT(f"input__{key}") for key in TELLING_KEYS)),
                PREVIEW_CHARACTERS,
            ),
            input_length=Length(F("input_text")),
            input_start=Left(F("input_text"), PREVIEW_CHARACTERS),
        )
        .defer("output_text", "output_packed", "input")
        .order_by("index")
    )


_FROM_STEP = PreparedQuery(
    lambda project, answer, first: timeline(project, answer).filter(index__gte=first)[
        :STEPS
    ]
)


def calls_at(interaction: Interaction, indexes: set[int]) -> dict[int, ToolCall]:
    """Return complete tool calls by index."""
    rows = ToolCall.objects.filter(
        project_id=interaction.project_id, interaction=interaction, index__in=indexes
    )
    return {call.index: call for call in rows}


def evidence_calls(interaction: Interaction, indexes: set[int]) -> dict[int, ToolCall]:
    """Return the complete tool calls that evidence refers to, by index.

    Empty for a run whose tool outputs were removed.
    """
    is_whole = interaction.outputs_removed_at is None
    return calls_at(interaction, indexes) if indexes and is_whole else {}
