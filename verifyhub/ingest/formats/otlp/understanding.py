"""Build interactions from the spans of a trace, and report unmapped content."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from verifyhub.common.contract import MAX_ID, addressable, sorted_keys
from verifyhub.engine.types import MAX_NAME, Agent, Interaction, RunUsage
from verifyhub.ingest.formats.content import as_json
from verifyhub.ingest.formats.otlp.calls import calls_of
from verifyhub.ingest.formats.otlp.keys import parsed
from verifyhub.ingest.formats.otlp.messages import (
    ASSISTANT,
    USER,
    last_text,
    messages_of,
)
from verifyhub.ingest.formats.otlp.reading import SpanStep
from verifyhub.ingest.formats.otlp.span import Span
from verifyhub.ingest.formats.otlp.tree import SpanNode, forest_of, unmapped
from verifyhub.ingest.formats.usage import ReportedUsage

# Runs of one trace; spans of further inner agents belong to the run around them.
MAX_RUNS = 50
RUN_STEPS = frozenset({SpanStep.AGENT, SpanStep.CHAIN})


@dataclass(slots=True, eq=False)
class SpanRun:
    """A task, its answer, and the spans between them.

    Attributes:
        root: The span of the whole run.
        is_main: Whether it is the main run of its trace.
        own: Its spans without those of inner runs.
        inner: Its inner runs.
    """

    root: SpanNode
    parent: "SpanRun | None" = None
    is_main: bool = False
    own: list[SpanNode] = field(default_factory=list)
    inner: list["SpanRun"] = field(default_factory=list)
    answer: str = ""

    def nodes(self) -> Iterator[SpanNode]:
        """Yield all spans of the run and of its inner runs."""
        runs = [self]
        while runs:
            run = runs.pop()
            yield from run.own
            runs.extend(run.inner)

    @property
    def task(self) -> str:
        """The task: the run's own input, or the last request to its first model."""
        reading = self.root.reading
        if self.root.step in RUN_STEPS and (text := text_in(reading.input, USER)):
            return text
        for node in [self.root, *self.ordered()]:
            if text := last_text(node.reading.input_messages, USER):
                return text
            if node.step in RUN_STEPS and (text := text_in(node.reading.input, USER)):
                return text
        return ""

    def ordered(self) -> list[SpanNode]:
        """Return all its spans in the order of their starts."""
        return sorted(self.nodes(), key=lambda node: node.span.order)


def runs_of(roots: list[SpanNode]) -> list[SpanRun]:
    """Find the runs of a trace, outer ones first.

    With several roots (the outermost caller is traced elsewhere), each root with an
    answer is a run; the other roots belong to the first run.
    """
    answering = [r for r in roots if r.step in RUN_STEPS and _own_answer(r)]
    outer = answering[:MAX_RUNS] or roots[:1]
    runs: dict[SpanNode, SpanRun] = {}
    main = SpanRun(outer[0], is_main=True) if outer else None
    for root in roots:
        top = main if root not in outer or root is outer[0] else SpanRun(root)
        if top is not None:
            runs.setdefault(top.root, top)
            _divide(root, top, runs)
    _settle(list(runs.values()))
    # Without the runs that `_settle` merged into their parents.
    return [
        run for run in runs.values() if run.parent is None or run in run.parent.inner
    ]


def _divide(root: SpanNode, top: SpanRun, runs: dict[SpanNode, SpanRun]) -> None:
    """Assign each span below a root to the run of the innermost agent around it."""
    of: dict[int, SpanRun] = {}
    for node in root.walk():
        run = of[id(node.parent)] if node is not root and node.parent else top
        starts = node.step is SpanStep.AGENT and node is not root
        if starts and len(runs) < MAX_RUNS:
            inner = runs[node] = SpanRun(node, parent=run)
            run.inner.append(inner)
            run = inner
        of[id(node)] = run
        run.own.append(node)


def _settle(runs: list[SpanRun]) -> None:
    """Find the answers, inner ones first; merge runs without an answer of their own."""
    for run in reversed(runs):
        run.answer = _answer(run)
    # Inner runs first, so that a merged run contains its own inner ones.
    for run in reversed(runs):
        outer = run.parent
        if outer is not None and run.answer in {"", outer.answer}:
            outer.own.extend(run.own)
            outer.inner.remove(run)
            outer.inner.extend(run.inner)
            for inner in run.inner:
                inner.parent = outer
            run.inner = []


def _answer(run: SpanRun) -> str:
    if text := _own_answer(run.root):
        return text
    latest = sorted(run.own, key=lambda node: (node.span.end_ns, *node.span.order))
    for node in reversed(latest):
        output_messages = node.reading.output_messages
        is_answer = (
            node.step is SpanStep.MODEL
            and output_messages
            and not output_messages[-1].calls
        )
        if is_answer and (text := last_text(output_messages, ASSISTANT)):
            return text
    for node in reversed(latest):
        if node.step in RUN_STEPS and (text := _own_answer(node)):
            return text
    answers = (inner.answer for inner in reversed(run.inner) if inner.answer)
    return next(answers, "")


def _own_answer(node: SpanNode) -> str:
    if node.step not in RUN_STEPS:
        return ""
    text = text_in(node.reading.output, ASSISTANT)
    return text or last_text(node.reading.output_messages, ASSISTANT)


TASK_NAMES = (
    "messages input question query prompt task user_input request message content text"
)
ANSWER_NAMES = (
    "messages output answer final_output response result output_text completion"
    " message content text return_values"
)
NAMES: Mapping[str, tuple[str, ...]] = {
    USER: tuple(TASK_NAMES.split()),
    ASSISTANT: tuple(ANSWER_NAMES.split()),
}
MAX_DEPTH = 4


def text_in(value: Any, role: str, depth: int = MAX_DEPTH) -> str:
    """Return the text of a role in a value of any shape.

    This is a string itself, the last message of `role`, the value of an object under
    one of the usual names, or else the JSON of the value.
    """
    value = parsed(value)
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, list) and (text := _in_messages(value, role)):
        return text
    if isinstance(value, dict) and depth:
        for name in NAMES[role]:
            inner = value.get(name)
            if inner not in (None, "", [], {}):
                return text_in(inner, role, depth - 1)
        if text := _in_messages([value], role):
            return text
        if len(value) == 1:
            return text_in(next(iter(value.values())), role, depth - 1)
    return as_json(value) if value not in ([], {}) else ""


def _in_messages(items: list[Any], role: str) -> str:
    if not all(isinstance(item, dict | str) for item in items):
        return ""
    return last_text(messages_of(items, role=role), role)


MAX_SOURCES = 1000
MAX_UNMAPPED = 200
MAX_FACT = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class TracedRun:
    """An interaction and the span of its run."""

    span_id: str
    interaction: Interaction


@dataclass(frozen=True, slots=True, kw_only=True)
class Understanding:
    """The result of reading a trace.

    Attributes:
        runs: The runs with an answer, outer ones first.
        dialects: The dialects that were recognised.
        steps: The kinds of spans by id; spans of unknown kind are missing.
        not_mapped: The counts of unmapped `attributes` and `spans` by name.
    """

    runs: tuple[TracedRun, ...]
    dialects: tuple[str, ...]
    steps: Mapping[str, str]
    not_mapped: Mapping[str, dict[str, int]]


def understand(spans: Iterable[Span]) -> Understanding:
    """Read a trace; the order of the spans does not matter."""
    roots = forest_of(spans)
    nodes = [node for root in roots for node in root.walk()]
    runs = [run for run in runs_of(roots) if run.answer.strip()]
    return Understanding(
        runs=tuple(
            TracedRun(span_id=run.root.span.span_id, interaction=_interaction(run))
            for run in runs
        ),
        dialects=tuple(sorted({d for node in nodes for d in node.reading.dialects})),
        steps={node.span.span_id: str(node.step) for node in nodes if node.step},
        not_mapped=unmapped(nodes, most=MAX_UNMAPPED),
    )


def name_of(run: SpanRun) -> str:
    """Return the id of a run's interaction: the trace's, with the span's if needed."""
    span = run.root.span
    name = f"otel-{span.trace_id}"
    return name if run.is_main else f"{name}-{span.span_id}"


def _interaction(run: SpanRun) -> Interaction:
    ordered = run.ordered()
    documents: dict[str, dict[str, Any]] = {}
    for node in ordered:
        for document in node.reading.documents:
            documents.setdefault(str(document["text"]), document)
    sources = list(documents.values())[:MAX_SOURCES]
    return Interaction(
        id=name_of(run),
        task=run.task,
        answer=run.answer,
        session=addressable(_first(run, ordered, "session")[:MAX_ID]) or None,
        agent=Agent(name=_first(run, ordered, "agent")[:MAX_NAME]),
        parent=name_of(run.parent) if run.parent else None,
        tool_calls=calls_of(ordered),
        sources=sources or None,
        system_instructions=_instructions(ordered) or None,
        metadata=sorted_keys(_facts(run, ordered)),
        usage=_usage(ordered),
    )


def _first(run: SpanRun, ordered: list[SpanNode], field: str) -> str:
    """Return a field of the run's own span, or of the first span that has it."""
    values = (getattr(node.reading, field) for node in [run.root, *ordered])
    return next((str(value) for value in values if value), "")


def _facts(run: SpanRun, ordered: list[SpanNode]) -> dict[str, Any]:
    span = run.root.span
    models = sorted({n.reading.model[:MAX_FACT] for n in ordered if n.reading.model})
    facts: dict[str, Any] = {
        "format": "otel",
        "trace_id": span.trace_id,
        "span_id": span.span_id,
        "dialects": sorted({name for n in ordered for name in n.reading.dialects}),
    }
    optional = {
        "models": models,
        "service": str(span.resource.get("service.name") or "")[:MAX_FACT],
        "schema_url": span.schema_url[:MAX_FACT],
    }
    return facts | {name: value for name, value in optional.items() if value}


def _instructions(ordered: list[SpanNode]) -> str:
    """Return the first instructions of a run's models, in an attribute or a message."""
    for node in ordered:
        texts = [
            message.text
            for message in node.reading.input_messages
            if message.role == "system"
        ]
        instructions = node.reading.instructions or "\n\n".join(filter(None, texts))
        if instructions:
            return instructions
    return ""


def _usage(ordered: list[SpanNode]) -> RunUsage | None:
    """Sum up the usage of the innermost spans, since outer spans report the sum."""
    counted = [node for node in ordered if _spent(node) != ReportedUsage()]
    around: set[int] = set()
    for node in counted:
        for above in node.ancestors():
            if id(above) in around:
                break
            around.add(id(above))
    own = (_spent(node) for node in counted if id(node) not in around)
    return sum(own, ReportedUsage()).usage()


def _spent(node: SpanNode) -> ReportedUsage:
    reading = node.reading
    return ReportedUsage(
        input_tokens=reading.input_tokens,
        output_tokens=reading.output_tokens,
        dollars=reading.cost_usd,
    )
