"""From the spans of a trace to interactions, and what was not understood of it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from verifyhub.common.contract import MAX_ID, addressable, sorted_keys
from verifyhub.engine.types import MAX_NAME, Agent, Interaction, RunUsage
from verifyhub.ingest.formats.otlp.calls import calls_of
from verifyhub.ingest.formats.otlp.runs import SpanRun, runs_of
from verifyhub.ingest.formats.otlp.span import Span
from verifyhub.ingest.formats.otlp.tree import SpanNode, forest_of, unmapped
from verifyhub.ingest.formats.usage import ReportedUsage

MAX_SOURCES = 1000
MAX_UNMAPPED = 200
MAX_FACT = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class TracedRun:
    """An interaction, and the span that stands for it."""

    span_id: str
    interaction: Interaction


@dataclass(frozen=True, slots=True, kw_only=True)
class Understanding:
    """What was understood of a trace.

    Attributes:
        runs: Outer ones first; none where nobody answered anything.
        dialects: Whose words were understood.
        steps: What each span is, by its id; spans of no kind are not there.
        not_mapped: `attributes` and `spans`, from name to count.
    """

    runs: tuple[TracedRun, ...]
    dialects: tuple[str, ...]
    steps: Mapping[str, str]
    not_mapped: Mapping[str, dict[str, int]]


def understand(spans: Iterable[Span]) -> Understanding:
    """Read a trace, the same in whatever order its spans came."""
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
    """The id of a run's interaction: its trace, and its span where there are others."""
    span = run.root.span
    whole = f"otel-{span.trace_id}"
    return whole if run.is_main else f"{whole}-{span.span_id}"


def _interaction(run: SpanRun) -> Interaction:
    ordered = run.ordered()
    found: dict[str, dict[str, Any]] = {}
    for node in ordered:
        for document in node.reading.documents:
            found.setdefault(str(document["text"]), document)
    sources = list(found.values())[:MAX_SOURCES]
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
    """What the run's own span says, or the first of its spans that says it."""
    told = (getattr(node.reading, field) for node in [run.root, *ordered])
    return next((str(value) for value in told if value), "")


def _facts(run: SpanRun, ordered: list[SpanNode]) -> dict[str, Any]:
    span = run.root.span
    models = sorted({n.reading.model[:MAX_FACT] for n in ordered if n.reading.model})
    facts: dict[str, Any] = {
        "format": "otel",
        "trace_id": span.trace_id,
        "span_id": span.span_id,
        "dialects": sorted({name for n in ordered for name in n.reading.dialects}),
    }
    told = {
        "models": models,
        "service": str(span.resource.get("service.name") or "")[:MAX_FACT],
        "schema_url": span.schema_url[:MAX_FACT],
    }
    return facts | {name: value for name, value in told.items() if value}


def _instructions(ordered: list[SpanNode]) -> str:
    """Return what the run's models were told first, in an attribute or a message."""
    for node in ordered:
        said = [one.text for one in node.reading.asked if one.role == "system"]
        told = node.reading.instructions or "\n\n".join(filter(None, said))
        if told:
            return told
    return ""


def _usage(ordered: list[SpanNode]) -> RunUsage | None:
    """Sum up what the innermost spans say: those around them say the sum."""
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
