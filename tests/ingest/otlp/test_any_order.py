"""However spans are split over batches, ordered and repeated, the run is the same."""

import random

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.ingest.otlp.spans import a_span
from tests.ingest.otlp.test_dialects import TRACES, genai, openinference
from verifyhub.accounts.models import Project
from verifyhub.ingest.formats.otlp.span import Span
from verifyhub.ingest.formats.otlp.understanding import understand
from verifyhub.ingest.models import Interaction
from verifyhub.ingest.services import content_digest
from verifyhub.ingest.trace_models import OtlpTrace
from verifyhub.ingest.trace_reading import read_trace
from verifyhub.ingest.trace_services import receive_spans

FEW = settings(
    max_examples=15,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@given(name=st.sampled_from(sorted(TRACES)), seed=st.integers(0, 2**32))
@settings(max_examples=60)
def test_the_order_of_spans_is_nothing(name, seed):
    spans = TRACES[name]()
    shuffled = random.Random(seed).sample(spans, len(spans))

    assert understand(shuffled) == understand(spans)


@given(
    batches=st.permutations(range(4)).flatmap(
        lambda order: st.lists(
            st.lists(st.sampled_from(order), max_size=3), max_size=3
        ).map(lambda extra: [*([number] for number in order), *extra])
    ),
    read_between=st.booleans(),
)
@FEW
@pytest.mark.django_db
def test_any_split_order_and_repetition_gives_the_same_interaction(
    project, batches, read_between
):
    OtlpTrace.objects.all().delete()
    Interaction.objects.all().delete()
    spans = genai()

    for count, batch in enumerate(batches):
        receive_spans(
            project=project, api_key=None, spans=[spans[number] for number in batch]
        )
        if read_between and count == 1:
            _read(project)
    _read(project)

    newest = Interaction.objects.filter(project=project).order_by("-created_at").first()
    (run,) = understand(spans).runs
    assert newest is not None
    assert newest.content_sha256 == content_digest(run.interaction)


def _read(project: Project) -> None:
    trace = OtlpTrace.objects.get(project=project)
    OtlpTrace.objects.filter(pk=trace.pk).update(next_at=None)
    read_trace(trace_id=trace.id)


IDS = st.integers(0, 6)


@given(
    st.lists(
        st.tuples(IDS, IDS, st.sampled_from(["AGENT", "TOOL", "LLM", "CHAIN", ""])),
        max_size=12,
        unique_by=lambda one: one[0],
    )
)
@example([(1, 2, "AGENT"), (2, 1, "AGENT")])
@example([(1, 1, "AGENT")])
def test_trees_of_any_shape_are_read_whole(shape):
    spans = [_odd(number + 1, parent, kind) for number, parent, kind in shape]

    found = understand(spans)

    assert found == understand(list(reversed(spans)))
    assert len({run.interaction.id for run in found.runs}) == len(found.runs)
    told = {
        span.span_id for span in spans if "openinference.span.kind" in span.attributes
    }
    assert set(found.steps) == told


def _odd(number: int, parent: int, kind: str) -> Span:
    kinds = {"openinference.span.kind": kind} if kind else {}
    texts = {"input.value": f"in {number}", "output.value": f"out {number}"}
    return a_span(number, parent, attributes=kinds | texts)


ATTRIBUTE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner)
    ),
    max_leaves=8,
)
NAMES = sorted(
    {key for make in TRACES.values() for span in make() for key in span.attributes}
)


@given(
    st.lists(
        st.dictionaries(st.sampled_from(NAMES), ATTRIBUTE, max_size=8),
        min_size=1,
        max_size=5,
    )
)
@settings(max_examples=40)
def test_values_of_any_shape_under_known_names_break_nothing(attributes):
    spans = [
        a_span(number, number - 1, attributes=each)
        for number, each in enumerate(attributes, start=1)
    ]

    assert understand(spans) == understand(list(reversed(spans)))


def test_an_agent_inside_an_agent_is_an_interaction_of_its_own():
    root, first, tool, second = openinference()
    helper = a_span(
        5,
        1,
        attributes={
            "openinference.span.kind": "AGENT",
            "agent.name": "helper",
            "input.value": "List the shop.",
            "output.value": "There is `shop/pricing.py`.",
        },
    )
    its_tool = a_span(
        6,
        5,
        attributes={
            "openinference.span.kind": "TOOL",
            "tool.name": "find",
            "output.value": "shop/pricing.py",
        },
    )

    outer, inner = understand([root, first, tool, second, helper, its_tool]).runs

    assert inner.interaction.parent == outer.interaction.id
    assert inner.interaction.agent.name == "helper"
    assert [call.tool for call in inner.interaction.tool_calls] == ["find"]
    assert [call.tool for call in outer.interaction.tool_calls] == ["ls", "find"]


def test_an_agent_that_says_what_the_run_says_is_the_run():
    chain = a_span(7, attributes={"openinference.span.kind": "CHAIN"}, start_ns=1)
    root, *rest = openinference()
    agent = a_span(1, 7, attributes=root.attributes)

    (run,) = understand([chain, agent, *rest]).runs

    assert run.span_id == chain.span_id
    assert run.interaction.agent.name == "shop"


def test_documents_that_were_retrieved_are_sources():
    root, *rest = openinference()
    documents = "retrieval.documents"
    found = a_span(
        8,
        1,
        attributes={
            "openinference.span.kind": "RETRIEVER",
            f"{documents}.0.document.content": "Prices are in shop/pricing.py.",
            f"{documents}.0.document.id": "d-1",
            f"{documents}.0.document.metadata": '{"title": "Guide"}',
            f"{documents}.999999999.document.content": "Carts are elsewhere.",
        },
    )

    (run,) = understand([root, *rest, found]).runs

    assert run.interaction.sources == [
        {"text": "Prices are in shop/pricing.py.", "id": "d-1", "title": "Guide"},
        {"text": "Carts are elsewhere."},
    ]


def test_a_tool_that_failed_says_so():
    root, first, tool, second = genai()
    failed = a_span(
        3,
        1,
        status="error",
        status_message="no such folder",
        attributes={
            key: value
            for key, value in tool.attributes.items()
            if key != "gen_ai.tool.call.result"
        },
    )

    (run,) = (
        understand([root, first, failed]).runs
        or understand([root, first, failed, second]).runs
    )

    assert run.interaction.tool_calls[0].status == "error"


def test_what_is_not_understood_is_counted():
    root, *rest = openinference()
    plain = [
        a_span(
            number, 1, name="GET /prices", scope="http", attributes={"url.path": "/"}
        )
        for number in (8, 9)
    ]

    found = understand([root, *rest, *plain])

    assert found.not_mapped["attributes"] == {"url.path": 2}
    assert found.not_mapped["spans"] == {"http: GET /prices": 2}
