"""The page of people: roles, removing, leaving, handing over; never the last admin."""

import pytest
from django.test import Client

from tests.factories import MembershipFactory, UserFactory
from verifyhub.accounts.models import Membership, Project, Role
from verifyhub.audit.models import AuditEvent

PAGE = "/p/acme/people/"


@pytest.fixture
def of_admin(browse, admin):
    return browse(admin)


def role_of(user):
    held = Membership.objects.filter(project__slug="acme", user=user).first()
    return held and held.role


def acts():
    return list(AuditEvent.objects.order_by("id").values_list("action", flat=True))


def test_an_admin_changes_a_role(of_admin, reviewer):
    of_admin.post(f"{PAGE}{reviewer.pk}/role/", {"role": "lead"})

    assert role_of(reviewer) == Role.LEAD
    assert acts() == ["accounts.role_set"]


def test_the_last_admin_stays_one(of_admin, admin, reviewer):
    reply = of_admin.post(f"{PAGE}{admin.pk}/role/", {"role": "lead"}, follow=True)

    assert b"is the only admin of this project" in reply.content
    assert role_of(admin) == Role.ADMIN


def test_an_admin_who_cannot_sign_in_does_not_count(of_admin, admin, project):
    MembershipFactory(project=project, role=Role.ADMIN, user__is_active=False)

    of_admin.post(f"{PAGE}{admin.pk}/role/", {"role": "lead"})

    assert role_of(admin) == Role.ADMIN


def test_a_member_is_removed_after_a_question(of_admin, reviewer, browse):
    where = f"{PAGE}{reviewer.pk}/remove/"

    assert b"Remove reviewer?" in of_admin.get(where).content
    assert role_of(reviewer) == Role.REVIEWER
    of_admin.post(where)

    assert role_of(reviewer) is None
    assert browse(reviewer).get("/p/acme/review/").status_code == 404
    assert acts() == ["accounts.member_removed"]


@pytest.mark.parametrize("who", ["viewer", "reviewer", "lead"])
@pytest.mark.parametrize("act", ["", "name/", "{}/role/", "{}/remove/", "{}/password/"])
def test_only_admins_do_any_of_it(request, browse, admin, who, act):
    member = request.getfixturevalue(who)

    reply = browse(member).post(PAGE + act.format(member.pk), {"role": "admin"})

    assert reply.status_code == 403
    assert role_of(member) == member.username


def test_people_of_other_projects_are_not_there(of_admin, browse, outsider):
    assert browse(outsider).get(PAGE).status_code == 404
    for act in ("role", "remove", "password"):
        assert of_admin.post(f"{PAGE}{outsider.pk}/{act}/").status_code == 404


def test_anybody_leaves(browse, viewer):
    reply = browse(viewer).post("/p/acme/leave/", follow=True)

    assert role_of(viewer) is None
    assert b"You have left Acme." in reply.content
    assert acts() == ["accounts.project_left"]


def test_the_last_admin_cannot_leave_but_hand_over(of_admin, admin, reviewer):
    assert b"You are its only admin" in of_admin.get("/p/acme/leave/").content
    assert of_admin.post("/p/acme/leave/").status_code == 409

    of_admin.post("/p/acme/leave/hand-over/", {"receiver": reviewer.pk, "keeps": ""})

    assert (role_of(reviewer), role_of(admin)) == (Role.ADMIN, None)


def test_who_hands_over_may_stay_with_another_role(of_admin, admin, lead):
    values = {"receiver": lead.pk, "keeps": "viewer"}

    of_admin.post("/p/acme/leave/hand-over/", values)

    assert (role_of(lead), role_of(admin)) == (Role.ADMIN, Role.VIEWER)


def test_a_project_is_not_handed_over_to_a_stranger(of_admin, admin, outsider):
    reply = of_admin.post("/p/acme/leave/hand-over/", {"receiver": outsider.pk})

    assert reply.status_code == 422
    assert role_of(admin) == Role.ADMIN


def test_an_admin_makes_a_project_and_rules_it(of_admin, admin):
    reply = of_admin.post("/projects/new/", {"name": "Night shift"})

    assert reply.url == "/p/night-shift/start/"
    made = Project.objects.get(slug="night-shift")
    assert made.memberships.get().user == admin


@pytest.mark.parametrize("name", ["Acme", "acme!", "???", ""])
def test_a_name_that_is_taken_or_none_is_refused(of_admin, name):
    reply = of_admin.post("/projects/new/", {"name": name})

    assert reply.status_code == 422
    assert Project.objects.count() == 1


@pytest.mark.parametrize("who", ["lead", "viewer"])
def test_who_is_admin_nowhere_makes_no_project(request, browse, who):
    client = browse(request.getfixturevalue(who))

    assert client.post("/projects/new/", {"name": "Mine"}).status_code == 403
    assert b"/projects/new/" not in client.get("/projects/").content


def test_a_project_is_renamed_and_keeps_its_address(of_admin, project):
    of_admin.post(f"{PAGE}name/", {"name": "Apex"})

    project.refresh_from_db()
    assert (project.name, project.slug) == ("Apex", "acme")


def test_a_password_link_lets_a_member_choose_one_once(of_admin, reviewer):
    reply = of_admin.post(f"{PAGE}{reviewer.pk}/password/")
    path = reply.context["link"].removeprefix("http://127.0.0.1:8000")
    visitor = Client()

    form = visitor.get(path, follow=True)
    chosen = {"new_password1": "a fresh long one", "new_password2": "a fresh long one"}
    visitor.post(form.redirect_chain[-1][0], chosen)

    reviewer.refresh_from_db()
    assert reviewer.check_password("a fresh long one")
    assert acts() == ["accounts.password_link_made", "accounts.password_changed"]
    again = Client().get(path, follow=True)
    assert b"This link no longer works" in again.content


def test_an_admin_makes_no_link_into_projects_of_others(of_admin, reviewer):
    MembershipFactory(user=reviewer)

    assert of_admin.post(f"{PAGE}{reviewer.pk}/password/").status_code == 403
    assert f"{reviewer.pk}/password/" not in of_admin.get(PAGE).content.decode()


def test_an_admin_makes_no_link_for_staff(of_admin, project):
    staff = UserFactory(is_staff=True)
    MembershipFactory(project=project, user=staff)

    assert of_admin.post(f"{PAGE}{staff.pk}/password/").status_code == 403
