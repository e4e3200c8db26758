"""One constraint with its rates and history, and acts on many at once."""

import datetime as dt

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.factories import ConstraintFactory, InteractionFactory
from tests.markup import markup
from tests.memory.reports import mention, recur, remember
from verifyhub.audit.models import AuditEvent
from verifyhub.ingest.models import Interaction
from verifyhub.memory.models import Constraint
from verifyhub.memory.rates import rates
from verifyhub.memory.services import (
    ConstraintChangedError,
    confirm_constraint,
    pin_constraint,
)

pytestmark = pytest.mark.django_db


def page_of(constraint):
    return reverse("memory:constraint", args=[constraint.project.slug, constraint.id])


def act_on(client, rows, verb):
    project = rows[0].project
    return client.post(
        reverse("memory:act-on-many", args=[project.slug]),
        {"constraint": [row.id for row in rows], "verb": verb},
        follow=True,
    )


def states():
    return set(Constraint.objects.values_list("state", flat=True))


def test_the_page_shows_support_rates_and_history(project, lead, viewer, browse):
    recur(project, 3)
    constraint = Constraint.objects.get()
    pin_constraint(constraint=constraint, actor=lead)

    text = markup(browse(viewer).get(page_of(constraint)))

    assert "3 answers, 3 sessions, 3 keys" in text
    assert "95 % interval" in text
    assert "Pinned" in text
    assert "Save the wording" not in text


def test_a_lead_retires_it_on_its_page_with_a_reason(project, lead, browse):
    answer = remember(project, mention("mind-auth"))
    constraint = Constraint.objects.get()
    client = browse(lead)
    retire = reverse(
        "memory:constraint-act", args=[project.slug, constraint.id, "retire"]
    )

    reply = client.post(retire, {"reason": "Renamed on Monday", "at": "constraint"})

    assert reply.url == page_of(constraint)
    page = markup(client.get(page_of(constraint)))
    assert "State: Candidate → Retired" in page
    assert "Reason: – → Renamed on Monday" in page
    assert str(answer.id) in page


def test_a_session_is_picked_from_those_that_are_there(project, viewer, browse):
    key = remember(project, mention("mind-auth")).session.key

    page = markup(
        browse(viewer).get(reverse("memory:next-prompt", args=[project.slug]))
    )

    assert f'<option value="{key}">' in page


def test_a_hostile_name_is_text_on_its_page(project, lead, browse):
    remember(project, mention("<script>alert(1)</script>"))

    text = browse(lead).get(page_of(Constraint.objects.get())).content.decode()

    assert "<script>alert(1)" not in text


def test_rates_are_shares_of_the_answers_before_and_after(project):
    now = timezone.now()
    hour = dt.timedelta(hours=1)
    constraint = ConstraintFactory(
        project=project,
        mention_key="mind-auth",
        shadow_at=now - 4 * hour,
        active_at=now - 2 * hour,
    )
    for age, invented in ((5, True), (3, True), (3, False), (1, False), (1, False)):
        answer = (
            remember(project, mention("mind-auth", kind=constraint.mention_kind))
            if invented
            else InteractionFactory(project=project)
        )
        Interaction.objects.filter(pk=answer.pk).update(created_at=now - age * hour)

    found = rates(constraint, now=now)

    assert found.in_shadow
    assert (found.before.share.count, found.before.share.total) == (1, 2)
    assert (found.after.share.count, found.after.share.total) == (0, 2)


def test_a_lead_confirms_what_waits_for_a_lead(project, lead):
    project.thresholds = {"leaving_shadow": "lead"}
    project.save()
    recur(project, 3)
    waiting = Constraint.objects.get()
    late = Constraint.objects.get()

    confirm_constraint(constraint=waiting, actor=lead)

    assert (waiting.state, waiting.pinned) == ("active", False)
    with pytest.raises(ConstraintChangedError):
        confirm_constraint(constraint=late, actor=lead)
    remember(project, mention("mind-auth", status="verified"))
    assert states() == {"retired"}


def test_a_lead_rewords_a_constraint(project, lead, browse):
    constraint = ConstraintFactory(
        project=project,
        mention_kind="package",
        text="mind-auth",
        mention_key="mind-auth",
    )
    url = reverse("memory:constraint-act", args=[project.slug, constraint.id, "text"])

    browse(lead).post(url, {"text": "Mind-Auth"})
    browse(lead).post(url, {"text": "two\nlines"})

    constraint.refresh_from_db()
    assert constraint.text == "Mind-Auth"
    event = AuditEvent.objects.get(action="memory.constraint_reworded")
    assert event.actor == lead


def test_selected_constraints_are_retired_together(project, lead, browse):
    rows = [ConstraintFactory(project=project, mention_key=f"n{n}") for n in range(3)]

    page = act_on(browse(lead), rows, "retire")

    assert "Done for 3." in page.content.decode()
    assert states() == {"retired"}
    assert AuditEvent.objects.filter(action="memory.constraint_retired").count() == 3


def test_selected_spellings_become_one_and_two_again(project, lead, browse):
    remember(project, mention("mind_auth"))
    recur(project, 2)
    rows = list(Constraint.objects.all())

    act_on(browse(lead), rows, "merge")
    merged = Constraint.objects.get(mention_key="mind_auth")
    assert merged.merged_into.state == "active"
    text = browse(lead).get(page_of(merged)).content.decode()
    assert "Split into its own name again" in text
    act_on(browse(lead), [merged], "split")

    assert states() == {"candidate"}


def test_what_cannot_be_done_to_one_is_done_to_the_others(project, lead, browse):
    waiting = ConstraintFactory(project=project, mention_key="a", pinned=True)
    other = ConstraintFactory(project=project, mention_key="b")

    page = act_on(browse(lead), [waiting, other], "restore")

    text = page.content.decode()
    assert "Done for 1." in text
    assert "1 could not be changed" in text


def test_another_projects_constraints_are_not_touched(project, lead, browse, outsider):
    theirs = ConstraintFactory(project=outsider.memberships.get().project)
    client = browse(lead)

    client.post(
        reverse("memory:act-on-many", args=[project.slug]),
        {"constraint": [theirs.id, "nonsense"], "verb": "retire"},
    )
    url = reverse("memory:constraint", args=[project.slug, theirs.id])

    assert client.get(url).status_code == 404
    assert states() == {"active"}


def test_a_reviewer_may_not_act_on_many(project, reviewer, browse):
    rows = [ConstraintFactory(project=project)]

    assert act_on(browse(reviewer), rows, "retire").status_code == 403
    assert states() == {"active"}


def test_an_unknown_act_is_not_found(project, lead, browse):
    rows = [ConstraintFactory(project=project)]

    assert act_on(browse(lead), rows, "delete").status_code == 404


def test_the_api_tells_support_times_and_rates(project, api):
    recur(project, 3)

    row = api.get("/api/v1/constraints/").json()["results"][0]
    one = api.get(f"/api/v1/constraints/{row['id']}/").json()

    assert (row["state"], row["key_count"], row["merged_into"]) == ("active", 3, None)
    assert {"n", "share", "low", "high", "since", "until"} < set(one["rates"]["before"])


def test_the_api_hides_other_projects_constraints(api):
    theirs = ConstraintFactory()

    assert api.get(f"/api/v1/constraints/{theirs.id}/").status_code == 404
