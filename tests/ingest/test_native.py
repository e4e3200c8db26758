from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.ingest.runs import a_call, a_run
from verifyhub.common.contract import FormatError, field_names
from verifyhub.engine.types import CallStatus, Interaction, RunUsage
from verifyhub.ingest.formats.native import as_native, parse_interaction

TURN = {"speaker": "ann", "text": "Take PostgreSQL."}


def refused_field(data: object) -> str:
    with pytest.raises(FormatError) as caught:
        parse_interaction(data)
    return caught.value.field


def test_the_smallest_run_is_a_task_and_an_answer():
    interaction = parse_interaction({"task": "t", "answer": "a"})

    assert (interaction.task, interaction.answer) == ("t", "a")
    assert interaction.tool_calls == ()


def test_calls_keep_their_order_and_their_whole_output():
    output = "x" * 300_000
    run = a_run(tool_calls=[a_call(output=output), a_call(tool="Bash", output="")])

    first, second = parse_interaction(run).tool_calls

    assert (first.index, first.output) == (0, output)
    assert (second.index, second.tool) == (1, "Bash")


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({}, CallStatus.UNKNOWN),
        ({"is_error": True}, CallStatus.ERROR),
        ({"is_error": False}, CallStatus.OK),
        ({"status": "refused"}, CallStatus.REFUSED),
        ({"status": "refused", "is_error": True}, CallStatus.REFUSED),
    ],
)
def test_the_status_may_be_given_in_two_ways(fields, status):
    call = {"tool": "Read", **fields}

    assert parse_interaction(a_run(tool_calls=[call])).tool_calls[0].status == status


@pytest.mark.parametrize("field", ["id", "session", "parent"])
@pytest.mark.parametrize(
    "character", ["\n", "\r", "\t", "\x1b", "\x7f", "\x85", "\u2028"]
)
def test_a_name_that_no_address_carries_is_refused_by_its_field(field, character):
    assert refused_field(a_run(**{field: f"run{character}1"})) == field


@pytest.mark.parametrize("name", ["run 1", "wiki/pumps", "рейс-7", "a\u200db", "?&#%"])
def test_any_other_name_is_taken(name):
    assert parse_interaction(a_run(id=name, session=name)).id == name


@pytest.mark.parametrize(
    ("moment", "stored"),
    [
        ("2026-05-01T12:00:00Z", "2026-05-01T12:00:00+00:00"),
        ("2026-05-01T12:00:00+02:00", "2026-05-01T10:00:00+00:00"),
        ("2026-05-01T12:00:00.123456", "2026-05-01T12:00:00.123456+00:00"),
    ],
)
def test_times_become_utc(moment, stored):
    run = a_run(tool_calls=[a_call(started_at=moment)])

    assert parse_interaction(run).tool_calls[0].started_at == stored


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ([], ""),
        ("text", ""),
        ({"answer": "a"}, "task"),
        ({"task": "t"}, "answer"),
        ({"task": "t", "answer": None}, "answer"),
        (a_run(task=1), "task"),
        (a_run(extra=1), "extra"),
        (a_run(project="other"), "project"),
        (a_run(id=7), "id"),
        (a_run(id="x" * 201), "id"),
        (a_run(session="x" * 201), "session"),
        (a_run(parent=["x"]), "parent"),
        (a_run(agent="name"), "agent"),
        (a_run(agent={"nickname": "x"}), "agent.nickname"),
        (a_run(agent={"name": "x" * 201}), "agent.name"),
        (a_run(agent={"tier": "x" * 51}), "agent.tier"),
        (a_run(tool_calls={}), "tool_calls"),
        (a_run(tool_calls=[1]), "tool_calls[0]"),
        (a_run(tool_calls=[a_call(), {"input": {}}]), "tool_calls[1].tool"),
        (a_run(tool_calls=[a_call(tool="")]), "tool_calls[0].tool"),
        (a_run(tool_calls=[a_call(input="ls")]), "tool_calls[0].input"),
        (a_run(tool_calls=[a_call(output=["x"])]), "tool_calls[0].output"),
        (a_run(tool_calls=[a_call(status="done")]), "tool_calls[0].status"),
        (a_run(tool_calls=[a_call(is_error="no")]), "tool_calls[0].is_error"),
        (a_run(tool_calls=[a_call(is_error=True)]), "tool_calls[0].is_error"),
        (a_run(tool_calls=[a_call(started_at="soon")]), "tool_calls[0].started_at"),
        (
            a_run(tool_calls=[a_call(started_at="0001-01-01T00:00:00+14:00")]),
            "tool_calls[0].started_at",
        ),
        (a_run(tool_calls=[a_call(duration_ms=-1)]), "tool_calls[0].duration_ms"),
        (a_run(tool_calls=[a_call(duration_ms=True)]), "tool_calls[0].duration_ms"),
        (a_run(tool_calls=[a_call(duration_ms=1.5)]), "tool_calls[0].duration_ms"),
        (a_run(tool_calls=[a_call(duration_ms=10**20)]), "tool_calls[0].duration_ms"),
        (a_run(self_assessment="good"), "self_assessment"),
        (a_run(self_assessment={"confidence": 5}), "self_assessment.confidence"),
        (a_run(self_assessment={"confidence": "0.9"}), "self_assessment.confidence"),
        (a_run(self_assessment={"confidence": True}), "self_assessment.confidence"),
        (a_run(self_assessment={"completeness": -1}), "self_assessment.completeness"),
        (a_run(self_assessment={"gaps": "none"}), "self_assessment.gaps"),
        (a_run(self_assessment={"gaps": ["x", 3]}), "self_assessment.gaps[1]"),
        (a_run(self_assessment={"reasoning": 3}), "self_assessment.reasoning"),
        (a_run(claims={}), "claims"),
        (a_run(sources="x"), "sources"),
        (a_run(metadata=[]), "metadata"),
        (a_run(goal=3), "goal"),
        (a_run(goal="g" * 20_001), "goal"),
        (a_run(verification_type="judge"), "verification_type"),
        (a_run(verification_type=["agent"]), "verification_type"),
        (a_run(verification_type="moderator"), "discussion"),
        (a_run(verification_type="agent", discussion=[TURN]), "discussion"),
        (a_run(discussion={}), "discussion"),
        (a_run(discussion=[TURN, "x"]), "discussion[1]"),
        (a_run(discussion=[{"text": "x"}]), "discussion[0].speaker"),
        (a_run(discussion=[{"speaker": "a"}]), "discussion[0].text"),
        (a_run(discussion=[{**TURN, "mood": "x"}]), "discussion[0].mood"),
        (a_run(usage=[]), "usage"),
        (a_run(usage={"tokens": 1}), "usage.tokens"),
        (a_run(usage={"input_tokens": -1}), "usage.input_tokens"),
        (a_run(usage={"output_tokens": 1.5}), "usage.output_tokens"),
        (a_run(usage={"output_tokens": True}), "usage.output_tokens"),
        (a_run(usage={"input_tokens": 10**20}), "usage.input_tokens"),
        (a_run(usage={"cost_usd": "0.1"}), "usage.cost_usd"),
        (a_run(usage={"cost_usd": -0.1}), "usage.cost_usd"),
        (a_run(usage={"cost_usd": 1e300}), "usage.cost_usd"),
    ],
)
def test_a_refusal_names_the_field(data, field):
    assert refused_field(data) == field


def test_what_a_run_took_is_kept_in_whole_millionths():
    usage = {"input_tokens": 1200.0, "output_tokens": 80, "cost_usd": 0.29}

    run = parse_interaction(a_run(usage=usage))

    assert run.usage == RunUsage(
        input_tokens=1200, output_tokens=80, cost_microdollars=290_000
    )


@given(cost=st.integers(0, 10**12))
def test_a_cost_survives_being_written_and_read(cost):
    usage = RunUsage(cost_microdollars=cost)
    run = replace(parse_interaction(a_run()), usage=usage)

    assert parse_interaction(as_native(run)).usage == usage


def test_a_goal_and_a_discussion_are_kept_as_they_were_sent():
    run = parse_interaction(
        a_run(goal="Decide.", verification_type="moderator", discussion=[TURN])
    )

    assert (run.goal, run.verification_type) == ("Decide.", "moderator")
    assert run.discussion == [TURN]
    assert parse_interaction(as_native(run)) == run


@pytest.mark.parametrize("empty", [None, "", [], {}, 0, [None], {"x": None}], ids=repr)
def test_an_empty_value_of_any_field_is_absent_or_refused_by_name(empty):
    refused = {}
    for name in field_names(Interaction):
        try:
            parse_interaction(a_run(**{name: empty}))
        except FormatError as error:
            refused[name] = error.field

    assert all(field.startswith(name) for name, field in refused.items())


def test_an_empty_goal_is_none():
    assert parse_interaction(a_run(goal="")).goal is None


json_like = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["task", "answer", "tool_calls", "tool", "input", "x"]),
            inner,
        )
    ),
    max_leaves=12,
)


@given(json_like)
def test_any_json_gives_an_interaction_or_a_named_refusal(data):
    try:
        interaction = parse_interaction(data)
    except FormatError:
        return
    assert parse_interaction(as_native(interaction)) == interaction
