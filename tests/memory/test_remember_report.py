import pytest

from tests.factories import InteractionFactory, SessionFactory
from tests.memory.reports import mention, remember, remember_again
from verifyhub.audit.models import AuditEvent
from verifyhub.memory.models import Constraint, MemoryEntry, Sighting

pytestmark = pytest.mark.django_db

INVENTED = mention("mind-auth", suggestion="mind-engine")
REAL = mention("mind-engine", status="verified")


def rows() -> list[tuple]:
    return [
        *MemoryEntry.objects.order_by("key").values_list(),
        *Constraint.objects.order_by("mention_key").values_list("id", "state"),
        *Sighting.objects.order_by("id").values_list("id", "counts"),
    ]


def test_names_become_findings_and_blockers_of_the_session(project):
    interaction = remember(project, INVENTED, REAL)

    found = MemoryEntry.objects.filter(session=interaction.session)
    assert set(found.values_list("kind", "text", "suggestion")) == {
        ("blocker", "mind-auth", "mind-engine"),
        ("finding", "mind-engine", ""),
    }


def test_remembering_twice_changes_nothing(project):
    interaction = remember(project, INVENTED, REAL, gaps=["no test was run"])
    before = rows()

    remember_again(interaction, INVENTED, REAL, gaps=["no test was run"], days=1)

    assert rows() == before
    events = AuditEvent.objects.filter(action="memory.report_remembered")
    assert events.count() == 1


def test_a_later_verification_replaces_what_an_earlier_one_wrote(project):
    interaction = remember(project, INVENTED)

    remember_again(interaction, mention("mind-auth", status="verified"))

    entry = MemoryEntry.objects.get()
    assert entry.kind == MemoryEntry.Kind.FINDING
    assert not Sighting.objects.exists()
    assert Constraint.objects.get().state == Constraint.State.RETIRED


def test_an_answer_without_a_session_keeps_its_entries_to_itself(project):
    interaction = InteractionFactory(project=project, session=None)

    remember_again(interaction, INVENTED)

    entry = MemoryEntry.objects.get()
    assert (entry.session, entry.interaction_id) == (None, interaction.id)


def test_an_unverified_name_is_a_sighting_with_its_key_and_session(project, api_key):
    interaction = InteractionFactory(project=project, api_key=api_key)

    remember_again(interaction, INVENTED)

    sighting = Sighting.objects.get()
    assert sighting.api_key == api_key
    assert sighting.session == interaction.session
    assert sighting.constraint.state == Constraint.State.CANDIDATE


def test_a_name_from_the_task_alone_is_no_sighting(project):
    remember(project, mention("mind-auth", reason="task_only"))

    assert not MemoryEntry.objects.exists()
    assert not Sighting.objects.exists()


def test_a_name_that_recurs_in_two_sessions_becomes_a_constraint(project):
    first = SessionFactory(project=project)
    remember(project, INVENTED, session=first)
    remember(project, INVENTED, session=first, days=1)
    remember(project, INVENTED, days=2)

    constraint = Constraint.objects.get()
    assert constraint.state == Constraint.State.ACTIVE
    assert (constraint.interaction_count, constraint.session_count) == (3, 2)
    assert AuditEvent.objects.filter(action="memory.constraint_activated").count() == 1


def test_one_session_alone_makes_no_constraint(project):
    session = SessionFactory(project=project)

    for day in range(10):
        remember(project, INVENTED, session=session, days=day)

    assert Constraint.objects.get().state == Constraint.State.CANDIDATE


def test_two_answers_are_too_few(project):
    remember(project, INVENTED)
    remember(project, INVENTED)

    assert Constraint.objects.get().state == Constraint.State.CANDIDATE


def test_answers_outside_the_window_do_not_add_up(project):
    for day in (0, 20, 40):
        remember(project, INVENTED, days=day)

    assert Constraint.objects.get().state == Constraint.State.CANDIDATE


def test_a_projects_own_rule_is_used(project):
    project.thresholds |= {"recurrence_interactions": 2}
    project.save()

    remember(project, INVENTED)
    remember(project, INVENTED)

    assert Constraint.objects.get().state == Constraint.State.ACTIVE


def test_another_projects_answers_do_not_count(project):
    other = InteractionFactory().project
    remember(project, INVENTED)
    remember(project, INVENTED)
    remember(other, INVENTED)

    states = Constraint.objects.values_list("state", flat=True)
    assert list(states) == [Constraint.State.CANDIDATE] * 2


def test_a_name_found_later_retires_its_constraint(project):
    for _ in range(3):
        remember(project, INVENTED)

    remember(project, mention("mind-auth", status="verified"))

    constraint = Constraint.objects.get()
    assert constraint.state == Constraint.State.RETIRED
    assert "found in the evidence" in constraint.why_retired
    assert AuditEvent.objects.filter(action="memory.constraint_withdrawn").exists()


def test_a_finding_that_is_gone_retires_nothing(project):
    for _ in range(3):
        remember(project, INVENTED)
    mistaken = remember(project, mention("mind-auth", status="verified"))

    remember_again(mistaken)

    assert Constraint.objects.get().state == Constraint.State.ACTIVE


def test_a_name_found_before_never_becomes_a_constraint(project):
    remember(project, mention("mind-auth", status="verified"))

    for _ in range(1, 5):
        remember(project, INVENTED)

    assert Constraint.objects.get().state == Constraint.State.RETIRED


def test_a_name_found_in_another_project_cancels_nothing(project):
    for _ in range(3):
        remember(project, INVENTED)

    remember(InteractionFactory().project, mention("mind-auth", status="verified"))

    assert Constraint.objects.get().state == Constraint.State.ACTIVE


def test_queries_do_not_grow_with_the_names(project, django_assert_max_num_queries):
    interaction = InteractionFactory(project=project)
    names = [mention(f"package-{n}") for n in range(100)]

    with django_assert_max_num_queries(23):
        remember_again(interaction, *names)
