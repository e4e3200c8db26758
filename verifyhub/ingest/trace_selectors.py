"""Reads of traces."""

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Prefetch, QuerySet

from verifyhub.accounts.models import Project
from verifyhub.common.prepared import PreparedQuery
from verifyhub.ingest.formats.otlp.span import Span, span_of
from verifyhub.ingest.models import Interaction
from verifyhub.ingest.trace_models import OtlpSpan, OtlpTrace, TracedAnswer

# Spans of a trace that its page shows; further ones are counted.
MOST_SPANS = 500
RESPONSE_ID = "gen_ai.response.id"
# Levels of nesting that a page indents.
MAX_DEPTH = 6


@dataclass(frozen=True, slots=True)
class SpanRow:
    """A span and its position in the tree of a page."""

    span: Span
    depth: int
    step: str
    is_late: bool

    @property
    def milliseconds(self) -> int | None:
        """The duration of the span; None if it has not ended."""
        if not self.span.has_ended:
            return None
        return max(0, self.span.end_ns - self.span.start_ns) // 1_000_000

    @property
    def raw(self) -> str:
        """The complete span as it was sent, as JSON for people."""
        return json.dumps(self.span.as_json(), indent=2, ensure_ascii=False)


def traces(project: Project) -> QuerySet[OtlpTrace]:
    """Return all traces of a project with their answers, last changed first."""
    answers = TracedAnswer.objects.select_related("interaction").order_by("id")
    return (
        OtlpTrace.objects.filter(project=project)
        .prefetch_related(Prefetch("answers", queryset=answers))
        .order_by("-last_seen_at", "-id")
    )


def find_trace(project: Project, row_id: UUID) -> OtlpTrace | None:
    """Return a trace of a project with its answers."""
    return traces(project).filter(pk=row_id).first()


def span_rows(trace: OtlpTrace) -> list[SpanRow]:
    """Return the spans of a trace as a tree, parents first, at most `MOST_SPANS`."""
    rows = list(OtlpSpan.objects.filter(trace=trace).order_by("id")[:MOST_SPANS])
    spans = {row.span_id: span_of(row.data) for row in rows}
    late = {row.span_id for row in rows if row.is_late}
    below: dict[str, list[Span]] = {}
    for span in sorted(spans.values(), key=lambda item: item.order):
        parent = span.parent_id if span.parent_id in spans else ""
        below.setdefault(parent, []).append(span)
    return [
        SpanRow(span, min(depth, MAX_DEPTH), trace.steps.get(span.span_id, ""), is_late)
        for span, depth in _walk(below, spans)
        for is_late in (span.span_id in late,)
    ]


def _walk(
    below: dict[str, list[Span]], spans: dict[str, Span]
) -> Iterator[tuple[Span, int]]:
    """Yield parents before children; spans whose parents form a cycle come last."""
    seen: set[str] = set()
    stack = [(span, 0) for span in reversed(below.get("", []))]
    left = iter(sorted(spans.values(), key=lambda child: child.order))
    while True:
        while stack:
            span, depth = stack.pop()
            if span.span_id not in seen:
                seen.add(span.span_id)
                yield span, depth
                inner = below.get(span.span_id, [])
                stack.extend((child, depth + 1) for child in reversed(inner))
        rest = next((span for span in left if span.span_id not in seen), None)
        if rest is None:
            return
        stack.append((rest, 0))


def not_mapped(trace: OtlpTrace) -> dict[str, list[tuple[str, int]]]:
    """Return the attributes and spans that were not mapped, most frequent first."""
    counts_by_kind: dict[str, Any] = trace.not_mapped or {}
    return {
        name: sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
        for name, counts in counts_by_kind.items()
    }


_TRACED = PreparedQuery(
    lambda answers: (
        TracedAnswer.objects.filter(interaction__any_of=answers)
        .select_related("trace")
        .order_by("-id")
    )
)


def subject_of(interaction: Interaction | None) -> dict[str, str]:
    """Return the subject of events about an answer; empty for none."""
    return subjects_of([interaction])[interaction.id] if interaction else {}


def subjects_of(interactions: Collection[Interaction]) -> dict[UUID, dict[str, str]]:
    """Return the subjects of events about answers: their ids by kind.

    An answer from a trace has that of its span, too, and of the model's response: that
    of the span, or of the last model call below it.
    """
    subjects = {
        answer.id: {
            "interaction": str(answer.id),
            "name": answer.client_id or "",
            "session": answer.session.key if answer.session else "",
        }
        for answer in interactions
    }
    answers = _TRACED(answers=list(subjects))
    traces = {traced.trace_id for traced in answers}
    responses, trees = _responses(traces), _trees(traces)
    for traced in answers:
        ids, tree = responses[traced.trace_id], trees[traced.trace_id]
        response = ids.get(traced.span_id) or next(
            (
                ids[span_id]
                for span_id in reversed(_below(traced.span_id, tree))
                if span_id in ids
            ),
            "",
        )
        subjects[traced.interaction_id] |= {
            "trace": traced.trace.trace_id,
            "span": traced.span_id,
            "response": response,
        }
    return {
        key: {kind: name for kind, name in subject.items() if name}
        for key, subject in subjects.items()
    }


def _responses(traces: Collection[UUID]) -> dict[UUID, dict[str, str]]:
    """Return the ids of models' responses by trace and span."""
    responses: dict[UUID, dict[str, str]] = {trace: {} for trace in traces}
    rows = OtlpSpan.objects.filter(
        trace__in=traces, data__attributes__has_key=RESPONSE_ID
    ).values_list("trace_id", "span_id", f"data__attributes__{RESPONSE_ID}")
    for trace, span_id, text in rows:
        if isinstance(text, str):
            responses[trace][span_id] = text
    return responses


def _trees(traces: Collection[UUID]) -> dict[UUID, dict[str, tuple[int, str]]]:
    """Return the start and the parent of each span of some traces."""
    trees: dict[UUID, dict[str, tuple[int, str]]] = {trace: {} for trace in traces}
    rows = OtlpSpan.objects.filter(trace__in=traces).values_list(
        "trace_id", "span_id", "data__start_ns", "data__parent_id"
    )
    for trace, span_id, start, parent in rows:
        trees[trace][span_id] = (start or 0, parent)
    return trees


def _below(above: str, tree: Mapping[str, tuple[int, str]]) -> list[str]:
    """Return the spans below one, in the order of their starts."""
    parents = {span_id: parent for span_id, (_, parent) in tree.items()}
    below = (span_id for span_id in tree if _is_below(span_id, above, parents))
    return sorted(below, key=lambda span_id: (tree[span_id][0], span_id))


def _is_below(span_id: str, above: str, parents: Mapping[str, str]) -> bool:
    """Whether a span is below another; spans in a cycle of parents are not."""
    seen: set[str] = set()
    while span_id in parents and span_id not in seen:
        seen.add(span_id)
        span_id = parents[span_id]
        if span_id == above:
            return True
    return False
