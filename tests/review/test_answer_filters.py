"""The list of answers takes the filters by which figures and plots lead to it."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.factories import (
    InteractionFactory,
    MentionVerdictFactory,
    OverrideFactory,
    ReviewItemFactory,
    ToolCallFactory,
    VerificationFactory,
)
from verifyhub.engine.reports import Verdict
from verifyhub.engine.verdicts import VerificationReport
from verifyhub.ingest.models import Interaction
from verifyhub.learning.models import JudgedAnswer
from verifyhub.learning.services.record import record_answer
from verifyhub.review.answer_list.forms import AnswerFilterForm
from verifyhub.review.answer_list.selectors import answers as listed_answers


def checked(project, **facts):
    return VerificationFactory(interaction=InteractionFactory(project=project), **facts)


def found(project, viewer=None, **query):
    form = AnswerFilterForm(query)
    assert form.is_valid(), form.errors
    return set(listed_answers(project.id, form.cleaned_data, viewer))


@pytest.fixture
def other(project):
    """An answer that no filter of these tests means."""
    return checked(project, confidence=0.5).interaction


def test_days_are_whole_and_moments_exact(project):
    noon = datetime(2026, 11, 10, 12, tzinfo=UTC)
    answers = [InteractionFactory(project=project) for _ in range(3)]
    for days, answer in enumerate(answers):
        when = noon + timedelta(days=days)
        Interaction.objects.filter(pk=answer.pk).update(created_at=when)

    assert found(project, since="2026-11-10", until="2026-11-11") == set(answers[:2])
    assert found(project, since="2026-11-11T12:00:00Z") == set(answers[1:])
    assert found(project, until="2026-11-11T12:00:00Z") == set(answers[:1])
    # The database knows no offset from sixteen hours on.
    assert found(project, since="2026-11-12T04:13:00+16:13") == set(answers[1:])


@pytest.mark.parametrize(
    "text",
    ["yesterday", "2026-02-31", "0001-01-01", "2026-11", "0001-01-01T00:00+01:00"],
)
def test_a_moment_that_is_none_is_refused(text):
    assert not AnswerFilterForm({"since": text}).is_valid()


@pytest.mark.usefixtures("other")
def test_agents_are_found_by_tier_model_and_tool(project):
    answer = InteractionFactory(
        project=project, agent_tier="small", metadata={"model": "m-1"}
    )
    ToolCallFactory(interaction=answer, tool="Search")

    for name, value in (("tier", "small"), ("model", "m-1"), ("tool", "Search")):
        assert found(project, **{name: value}) == {answer}
    assert found(project, model="small") == set()


def test_confidence_is_found_by_its_bar(project, other):
    low, top = (checked(project, confidence=c).interaction for c in (0.0, 1.0))

    assert found(project, confidence="0") == {low}
    assert found(project, confidence="5") == {other}
    assert found(project, confidence="9") == {top}


@pytest.mark.usefixtures("other")
def test_flags_are_found_by_verdict_name_and_reason(project):
    run = checked(project, verdict="reject")
    mention = MentionVerdictFactory(
        verification=run, invented=True, text="ghost.py", reason="near_miss"
    )

    assert found(project, verdict="flagged") == {run.interaction}
    assert found(project, name=mention.key) == {run.interaction}
    assert found(project, because="near_miss") == {run.interaction}


@pytest.mark.usefixtures("other")
def test_answers_that_nothing_settled_and_retries_are_found(project):
    open_end = checked(project, coverage=0).interaction
    again = InteractionFactory(project=project, parent=open_end.client_id)

    assert found(project, settled="no") == {open_end}
    assert found(project, attempt="again") == {again}
    assert again not in found(project, attempt="first")


@pytest.mark.parametrize(
    ("state", "human", "ways"),
    [
        ("open", "", {"open"}),
        ("confirmed", "", {"decided", "wrong"}),
        ("overridden", "accept", {"decided", "overridden", "right"}),
        ("superseded", "", set()),
    ],
)
def test_answers_are_found_by_what_people_did(project, state, human, ways):
    item = ReviewItemFactory(
        verification__interaction__project=project, state=state, human_verdict=human
    )

    kinds = ("open", "decided", "overridden", "wrong", "right")
    assert {kind for kind in kinds if found(project, person=kind)} == ways
    assert item.project == project


@pytest.mark.usefixtures("other")
def test_answers_are_found_by_what_a_standing_decision_is_about(project):
    item = ReviewItemFactory(verification__interaction__project=project)
    mention = MentionVerdictFactory(verification=item.verification)
    OverrideFactory(item=item, target="mention", mention=mention)

    assert found(project, overridden="mention") == {item.interaction}
    assert found(project, overridden="claim") == set()


@pytest.mark.usefixtures("other")
def test_arms_of_an_experiment_are_found(project):
    run = checked(project)
    record_answer(
        interaction=run.interaction,
        verification_id=run.pk,
        report=VerificationReport(verdict=Verdict.ACCEPT),
    )
    JudgedAnswer.objects.update(arms={"constraints": True})

    assert found(project, arm="constraints:held_out") == {run.interaction}
    assert found(project, arm="constraints:told") == set()


def test_the_page_says_what_it_was_narrowed_by_and_keeps_it(browse, viewer, project):
    answer = InteractionFactory(project=project, metadata={"model": "<m>"})

    text = browse(viewer).get("/p/acme/answers/", {"model": "<m>"}).content.decode()

    assert str(answer.pk) in text
    assert '<input type="hidden" name="model" value="&lt;m&gt;">' in text
    assert "Answers behind a figure:" in text


def test_other_projects_answers_are_not_found(project, outsider):
    run = VerificationFactory(interaction__metadata={"model": "m"})
    MentionVerdictFactory(verification=run, invented=True, text="ghost.py")

    assert found(project, name="ghost.py") == set()
    assert found(project, model="m") == set()
