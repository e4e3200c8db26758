"""Sides are compared by what is stored, and by no other project's rows."""

import csv
import io

import pytest

from tests.factories import (
    InteractionFactory,
    ModelCallFactory,
    ReviewItemFactory,
    SessionFactory,
    VerificationFactory,
)
from verifyhub.engine.reports import Verdict
from verifyhub.engine.verdicts import VerificationReport
from verifyhub.learning.models import JudgedAnswer
from verifyhub.learning.services.record import record_answer
from verifyhub.metrics.selectors.compare import MEASURES, compare
from verifyhub.metrics.selectors.sides import DIMENSIONS, offered
from verifyhub.metrics.windows import Window

ALL = Window(days=None, since=None)
URL = "/api/v1/metrics/compare/"


def answered(project, agent, flagged, count, **facts):
    """Give an agent so many answers, each in a session of its own."""
    for number in range(count):
        VerificationFactory(
            interaction=InteractionFactory(
                project=project,
                session=SessionFactory(project=project),
                agent_name=agent,
                **facts,
            ),
            verdict="reject" if number < flagged else "accept",
        )


def measured(found, name):
    return next(m for m in found.pairs[0].measures if m.measure.name == name)


def test_the_example_of_newcombe_out_of_rows(project):
    answered(project, "a", 56, 70)
    answered(project, "b", 48, 80)

    found = measured(compare(project, ALL, "agent", ["a", "b"]), "flagged")

    assert (found.first.count, found.first.total) == (56, 70)
    assert (found.tested.low, found.tested.high) == pytest.approx(
        (0.0524, 0.3339), abs=1e-4
    )
    assert found.corrected >= found.tested.p > 0


def test_few_answers_allow_no_telling(project):
    answered(project, "a", 5, 5)
    answered(project, "b", 0, 5)

    found = measured(compare(project, ALL, "agent", ["a", "b"]), "flagged")

    assert found.says == "few"
    assert found.is_better is None


def test_many_and_clear_answers_do(project):
    answered(project, "a", 38, 40)
    answered(project, "b", 2, 40)

    found = measured(compare(project, ALL, "agent", ["a", "b"]), "flagged")

    assert found.says == "higher"
    assert found.is_better is False


def test_what_people_found_is_counted_of_what_they_decided(project):
    answered(project, "b", 0, 1)
    for state, human in [
        ("open", ""),
        ("confirmed", ""),
        ("overridden", "accept"),
        ("superseded", ""),
        ("gold", ""),
    ]:
        item = ReviewItemFactory(
            verification__interaction__project=project,
            verification__interaction__agent_name="a",
            state=state,
            human_verdict=human,
        )
        assert item.project == project

    found = compare(project, ALL, "agent", ["a", "b"])

    wrong, overridden = (measured(found, n).first for n in ("wrong", "overridden"))
    assert (wrong.count, wrong.total) == (1, 2)
    assert (overridden.count, overridden.total) == (1, 2)


def test_retries_and_costs_are_those_of_the_rows(project):
    answered(project, "b", 0, 1)
    first = InteractionFactory(
        project=project, agent_name="a", run_cost_microdollars=100
    )
    again = InteractionFactory(
        project=project,
        agent_name="a",
        parent=first.client_id,
        session=first.session,
        run_cost_microdollars=300,
    )
    for interaction in (first, again):
        checked = VerificationFactory(interaction=interaction, duration_ms=20)
        for _ in range(2):
            ModelCallFactory(
                project=project, verification_id=checked.pk, cost_microdollars=50
            )

    found = compare(project, ALL, "agent", ["a", "b"])

    assert measured(found, "retries").first.value == 1
    assert measured(found, "runCost").first.value == 200
    assert measured(found, "checkCost").first.value == 100
    assert measured(found, "checkTime").first.value == 20
    assert measured(found, "firstAttempts").first.total == 1


def test_answers_of_one_session_are_one_case(project):
    session = SessionFactory(project=project)
    for _ in range(4):
        VerificationFactory(
            interaction__project=project,
            interaction__session=session,
            interaction__agent_name="a",
        )

    side = compare(project, ALL, "agent", ["a"]).sides[0]

    assert (side.answers, side.sessions) == (4, 1)


def test_the_same_answers_checked_both_ways_are_paired(project):
    for number in range(9):
        interaction = InteractionFactory(project=project)
        for at, strictness in enumerate(("strict", "lenient"), start=1):
            VerificationFactory(
                interaction=interaction,
                number=at,
                strictness=strictness,
                verdict="reject" if strictness == "strict" and number < 8 else "accept",
            )

    found = compare(project, ALL, "strictness", ["strict", "lenient"])

    same = found.pairs[0].same_answers
    assert (same.both, same.only_first, same.only_second) == (9, 8, 0)
    assert same.p == pytest.approx(2 / 2**8)


def test_arms_of_an_experiment_are_sides(project):
    for held in (True, False, None):
        verification = VerificationFactory(interaction__project=project)
        record_answer(
            interaction=verification.interaction,
            verification_id=verification.pk,
            report=VerificationReport(verdict=Verdict.ACCEPT),
        )
        arms = {} if held is None else {"constraints": held}
        JudgedAnswer.objects.filter(pk=verification.interaction_id).update(arms=arms)

    sides = offered(project, ALL, "told-constraints")

    assert {(one.value, one.answers) for one in sides} == {
        ("told", 1),
        ("held_out", 1),
    }


@pytest.mark.parametrize("by", DIMENSIONS)
def test_every_dimension_can_be_asked_for(project, by):
    answered(project, "a", 1, 2, metadata={"prompt_version": "v2", "model": "m"})

    values = [one.value for one in offered(project, ALL, by)]

    assert compare(project, ALL, by, [*values, "nobody"]).by == by


def test_other_projects_are_no_part_of_it(project, outsider):
    other = outsider.memberships.get().project
    answered(other, "a", 1, 3)

    assert offered(project, ALL, "agent") == []
    assert compare(project, ALL, "agent", ["a", "b"]).sides[0].answers == 0


def test_five_sides_are_ten_pairs_and_p_is_corrected_over_all(project):
    for agent in "abcde":
        answered(project, agent, 1, 3)

    found = compare(project, ALL, "agent", list("abcde"))

    assert len(found.pairs) == 10
    tested = [
        m for pair in found.pairs for m in pair.measures if m.tested.p is not None
    ]
    assert found.tests == len(tested)
    assert all(m.corrected >= m.tested.p for m in tested)


def test_programs_read_the_same_figures(api, project):
    answered(project, "a", 3, 4)
    answered(project, "b", 1, 4)

    reply = api.get(URL, {"by": "agent", "side": ["a", "b"]}).json()

    assert [one["name"] for one in reply["pairs"][0]["measures"]] == [
        one.name for one in MEASURES
    ]
    flagged = reply["pairs"][0]["measures"][0]
    assert (flagged["first"]["value"], flagged["difference"]) == (0.75, 0.5)
    assert flagged["says"] == "few"


def test_without_sides_the_two_with_the_most_answers_are_compared(api, project):
    for agent, count in (("a", 1), ("b", 3), ("c", 2)):
        answered(project, agent, 0, count)

    reply = api.get(URL).json()

    assert [one["value"] for one in reply["sides"]] == ["b", "c"]


def test_a_name_that_is_a_formula_is_none_in_csv(api, project):
    answered(project, "=cmd()", 1, 2)
    answered(project, "b", 1, 2)

    reply = api.get(URL, {"side": ["=cmd()", "b"], "format": "csv"})

    rows = list(csv.DictReader(io.StringIO(b"".join(reply).decode())))
    assert {row["first"] for row in rows} == {"'=cmd()"}
    assert len(rows) == len(MEASURES)


@pytest.mark.parametrize(
    "query",
    [{"by": "nothing"}, {"side": list("abcdef")}, {"side": "\0"}, {"format": "xml"}],
)
def test_what_cannot_be_compared_is_refused(api, query):
    assert api.get(URL, query).status_code == 400
