"""The spans of a trace as a forest, each with its reading."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from verifyhub.ingest.formats.otlp.dialects import DIALECTS
from verifyhub.ingest.formats.otlp.keys import Keys
from verifyhub.ingest.formats.otlp.logs import folded
from verifyhub.ingest.formats.otlp.reading import SpanReading, SpanStep
from verifyhub.ingest.formats.otlp.span import Span

# Attributes of any span that contain nothing of a run.
COMMON = ("error.type", "otel.", "telemetry.", "thread.", "code.")
# Logfire sends an open span in advance, with an id of its own.
PENDING = ("logfire.span_type", "pending_span")


@dataclass(slots=True, eq=False)
class SpanNode:
    """A span in the tree; `unused` are attributes that were not understood."""

    span: Span
    reading: SpanReading
    unused: tuple[str, ...] = ()
    parent: "SpanNode | None" = None
    children: list["SpanNode"] = field(default_factory=list)

    @property
    def step(self) -> SpanStep | None:
        return self.reading.step

    def walk(self) -> Iterator["SpanNode"]:
        """Yield this node and its descendants: parents first, siblings by start."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    def ancestors(self) -> Iterator["SpanNode"]:
        node = self.parent
        while node is not None:
            yield node
            node = node.parent


def forest_of(spans: Iterable[Span]) -> list[SpanNode]:
    """Build the trees of spans by their parents, whatever their order of arrival.

    A span whose parent is missing is a root, and so is the first span of a cycle of
    parents.
    """
    name, value = PENDING
    complete = [span for span in folded(spans) if span.attributes.get(name) != value]
    nodes = {s.span_id: _read(s) for s in sorted(complete, key=lambda span: span.order)}
    roots = []
    for node in nodes.values():
        parent = nodes.get(node.span.parent_id)
        if parent is None or _is_below(parent, node):
            roots.append(node)
        else:
            node.parent = parent
            parent.children.append(node)
    return roots


def _is_below(node: SpanNode, other: SpanNode) -> bool:
    """Whether a node is another node or one of its descendants."""
    if node is other:
        return True
    # A node without children has no descendants.
    return bool(other.children) and any(
        ancestor is other for ancestor in node.ancestors()
    )


def _read(span: Span) -> SpanNode:
    keys = Keys(span.attributes)
    merged, names = None, []
    for dialect in DIALECTS:
        reading = dialect.read(span, keys)
        if reading is not None:
            names.append(dialect.name)
            if merged is None:
                merged = reading
            else:
                merged.completed_by(reading)
    merged = merged or SpanReading()
    merged.dialects = tuple(names)
    keys.understand(*COMMON)
    if not merged.session:
        merged.session = keys.text("session.id", "gen_ai.conversation.id")
    return SpanNode(span, merged, tuple(keys.unused()))


def unmapped(nodes: Iterable[SpanNode], *, most: int) -> Mapping[str, dict[str, int]]:
    """Count unmapped attributes by name, and unmapped spans by kind."""
    attributes: Counter[str] = Counter()
    spans: Counter[str] = Counter()
    for node in nodes:
        attributes.update(key[:200] for key in node.unused)
        if node.step in {None, SpanStep.OTHER}:
            spans[f"{node.span.scope or node.span.kind}: {node.span.name}"[:200]] += 1
    return {
        "attributes": dict(sorted(attributes.most_common(most))),
        "spans": dict(sorted(spans.most_common(most))),
    }
