"""Projects take turns with their traces: a storm of one delays no other's by much."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.factories import ProjectFactory
from tests.ingest.otlp.spans import START, a_span
from verifyhub.ingest import trace_reading
from verifyhub.ingest.models import Interaction
from verifyhub.ingest.trace_models import OtlpTrace
from verifyhub.ingest.trace_reading import claim_due, read_due, reconcile_traces
from verifyhub.ingest.trace_services import receive_spans

STORM = """
INSERT INTO ingest_otlptrace (
    id, project_id, trace_id, name, state, created_at, last_seen_at, next_at, root_seen,
    span_count, late_count, dialects, steps, not_mapped, token, attempts, error
)
SELECT gen_random_uuid(), %(project)s, md5(%(project)s || n), '', 'pending',
    now() - interval '1 h', now(), now() - interval '1 h' + n * interval '1 ms', true,
    1, 0, '[]', '{}', '{}', 0, 0, ''
FROM generate_series(1, %(count)s) AS n
"""


def a_storm(project, count: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute(STORM, {"project": str(project.id), "count": count})


def an_agents_trace(project, trace_id: str) -> None:
    told = {
        "openinference.span.kind": "AGENT",
        "input.value": "Which?",
        "output.value": "This.",
    }
    span = a_span(1, trace_id=trace_id, attributes=told, end_ns=START + 1)
    receive_spans(project=project, api_key=None, spans=[span])


def claimed(count: int) -> list[str]:
    rows = [row for _ in range(count) for row in claim_due(limit=1)]
    found = OtlpTrace.objects.select_related("project").in_bulk(
        [row.row_id for row in rows]
    )
    return [found[row.row_id].project.slug for row in rows]


def test_a_single_trace_is_next_but_one_behind_a_storm(project):
    a_storm(project, 1000)
    a_storm(ProjectFactory(slug="quiet"), 1)

    assert "quiet" in claimed(2)


def test_projects_take_turns_however_many_traces_each_has(db):
    for slug, count in {"a": 9, "b": 2, "c": 3}.items():
        a_storm(ProjectFactory(slug=slug), count)

    order = claimed(14)

    assert sorted(order[:3]) == ["a", "b", "c"]
    assert order[:3] == order[3:6]
    assert sorted(order[6:8]) == ["a", "c"]
    assert set(order[8:]) == {"a"}


def test_a_trace_whose_grace_is_not_over_is_not_taken(project):
    an_agents_trace(project, "a" * 32)

    assert claim_due(limit=1) == []


def test_one_wake_up_reads_what_is_due_of_all_projects(project):
    other = ProjectFactory(slug="other")
    for number in range(3):
        an_agents_trace(project, f"{number:032x}")
    an_agents_trace(other, "b" * 32)
    OtlpTrace.objects.update(next_at=None)

    taken = read_due(seconds=60)

    assert taken == 4
    assert set(OtlpTrace.objects.values_list("state", flat=True)) == {"finished"}
    assert Interaction.objects.filter(project=project).count() == 3
    assert Interaction.objects.filter(project=other).count() == 1


def test_a_wake_up_gives_way_after_its_time(project, monkeypatch):
    monkeypatch.setattr(trace_reading, "BATCH", 2)
    for number in range(3):
        an_agents_trace(project, f"{number:032x}")
    OtlpTrace.objects.update(next_at=None)

    assert read_due(seconds=0) == 2
    assert OtlpTrace.objects.filter(state="pending").count() == 1


def test_traces_of_many_spans_are_not_read_together(project, monkeypatch):
    monkeypatch.setattr(trace_reading, "BATCH_SPANS", 1)
    for number in range(3):
        an_agents_trace(project, f"{number:032x}")
    OtlpTrace.objects.update(next_at=None)

    assert read_due(seconds=0) == 1
    left = OtlpTrace.objects.filter(state="pending")
    assert list(left.values_list("attempts", flat=True)) == [0, 0]
    assert read_due() == 2


def test_many_traces_are_read_by_as_many_statements_as_few(project):
    asked = []
    for first, count in ((0, 2), (10, 12)):
        for number in range(first, first + count):
            an_agents_trace(project, f"{number:032x}")
        OtlpTrace.objects.filter(state="pending").update(next_at=None)
        with CaptureQueriesContext(connection) as statements:
            assert read_due() == count
        asked.append(len(statements))

    assert asked[1] <= asked[0]


@pytest.mark.parametrize("step", ["understand", "record_interactions"])
def test_a_trace_that_cannot_be_read_delays_no_other(project, monkeypatch, step):
    for number in range(3):
        an_agents_trace(project, f"{number:032x}")
    OtlpTrace.objects.update(next_at=None)
    whole = getattr(trace_reading, step)

    def broken(*args, **kwargs):
        if f"{1:032x}" in repr((args, kwargs)):
            raise ValueError("Not this one")
        return whole(*args, **kwargs)

    monkeypatch.setattr(trace_reading, step, broken)

    read_due()

    states = dict(OtlpTrace.objects.values_list("trace_id", "state"))
    assert states.pop(f"{1:032x}") == "pending"
    assert set(states.values()) == {"finished"}
    assert Interaction.objects.count() == 2
    assert OtlpTrace.objects.get(state="pending").error == "ValueError: Not this one"


def test_a_storm_is_rung_for_by_few_wake_ups(project):
    a_storm(project, 200)

    assert reconcile_traces() == 32


@pytest.mark.parametrize("spans", [1, 3])
def test_a_new_trace_is_stored_by_few_statements(
    project, spans, django_assert_max_num_queries
):
    an_agents_trace(project, "f" * 32)
    made = [a_span(number, trace_id="a" * 32) for number in range(1, spans + 1)]

    # Two for the savepoint; what is known, what waits, and three that write.
    with django_assert_max_num_queries(7):
        receive_spans(project=project, api_key=None, spans=made)


def test_spans_of_many_traces_are_stored_by_few_statements(
    project, django_assert_max_num_queries
):
    traces = [f"{number:032x}" for number in range(1, 9)]
    first = [a_span(1, trace_id=trace, end_ns=START + 1) for trace in traces]
    second = [a_span(2, trace_id=trace, end_ns=START + 2) for trace in traces]
    receive_spans(project=project, api_key=None, spans=first)

    # Two for the savepoint; what is known, locked and stored, and whether traces are
    # complete; and two that write.
    with django_assert_max_num_queries(8):
        receive_spans(project=project, api_key=None, spans=second)
