"""Which spans of a trace are one run, and what it was asked and answered."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from verifyhub.ingest.formats.otlp.messages import ASSISTANT, USER, last_text
from verifyhub.ingest.formats.otlp.reading import SpanStep
from verifyhub.ingest.formats.otlp.texts import text_in
from verifyhub.ingest.formats.otlp.tree import SpanNode

# Agents inside agents that get an answer of their own; the rest counts as theirs.
MAX_RUNS = 50
SPEAKS = frozenset({SpanStep.AGENT, SpanStep.CHAIN})


@dataclass(slots=True, eq=False)
class SpanRun:
    """A task, its answer, and the spans between them.

    Attributes:
        root: The span that stands for it.
        is_main: Whether it is the one the trace stands for.
        own: Its spans without those of runs inside it.
        inner: Runs inside it.
    """

    root: SpanNode
    parent: "SpanRun | None" = None
    is_main: bool = False
    own: list[SpanNode] = field(default_factory=list)
    inner: list["SpanRun"] = field(default_factory=list)
    answer: str = ""

    def nodes(self) -> Iterator[SpanNode]:
        """All spans of it and of the runs inside it."""
        runs = [self]
        while runs:
            run = runs.pop()
            yield from run.own
            runs.extend(run.inner)

    @property
    def task(self) -> str:
        """What was asked: its own input, or what its first model was asked last."""
        reading = self.root.reading
        if self.root.step in SPEAKS and (text := text_in(reading.input, USER)):
            return text
        for node in [self.root, *self.ordered()]:
            if text := last_text(node.reading.asked, USER):
                return text
            if node.step in SPEAKS and (text := text_in(node.reading.input, USER)):
                return text
        return ""

    def ordered(self) -> list[SpanNode]:
        """All its spans in the order in which they began."""
        return sorted(self.nodes(), key=lambda node: node.span.order)


def runs_of(roots: list[SpanNode]) -> list[SpanRun]:
    """Find the runs of a trace, outer ones first.

    With several roots (the outermost caller is traced elsewhere) each that speaks for
    itself is a run; what stands beside them belongs to the first.
    """
    speaking = [r for r in roots if r.step in SPEAKS and _own_answer(r)][:MAX_RUNS]
    outer = speaking or roots[:1]
    runs: dict[SpanNode, SpanRun] = {}
    main = SpanRun(outer[0], is_main=True) if outer else None
    for root in roots:
        top = main if root not in outer or root is outer[0] else SpanRun(root)
        if top is not None:
            runs.setdefault(top.root, top)
            _divide(root, top, runs)
    _settle(list(runs.values()))
    # Runs that were taken into the one around them are held by none any more.
    return [
        run for run in runs.values() if run.parent is None or run in run.parent.inner
    ]


def _divide(root: SpanNode, top: SpanRun, runs: dict[SpanNode, SpanRun]) -> None:
    """Give each span below a root to the innermost agent around it."""
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
    """Find the answers, inner ones first; who says nothing of its own is no run."""
    for run in reversed(runs):
        run.answer = _answer(run)
    # Outer runs last: what is taken in has taken in its own before.
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
        said = node.reading.said
        spoke = node.step is SpanStep.MODEL and said and not said[-1].calls
        if spoke and (text := last_text(said, ASSISTANT)):
            return text
    for node in reversed(latest):
        if node.step in SPEAKS and (text := _own_answer(node)):
            return text
    answers = (inner.answer for inner in reversed(run.inner) if inner.answer)
    return next(answers, "")


def _own_answer(node: SpanNode) -> str:
    if node.step not in SPEAKS:
        return ""
    text = text_in(node.reading.output, ASSISTANT)
    return text or last_text(node.reading.said, ASSISTANT)
