"""The header: what each role is shown, and that every page carries the htmx limits."""

from django.test import Client
from django.urls import reverse

from tests.factories import MembershipFactory, ReviewItemFactory


def test_home_leads_to_the_queue_of_the_first_project(browse, reviewer):
    response = browse(reviewer).get("/")

    assert response.url == reverse("review:queue", args=["acme"])


def test_home_prefers_a_project_in_which_an_answer_waits(browse, reviewer):
    busy = MembershipFactory(user=reviewer).project
    ReviewItemFactory(verification__interaction__project=busy)

    response = browse(reviewer).get("/")

    assert response.url == reverse("review:queue", args=[busy.slug])


def test_home_asks_strangers_to_sign_in(db):
    response = Client().get("/")

    assert response.status_code == 302
    assert response.url.startswith(reverse("accounts:login"))


def test_keys_are_not_offered_to_reviewers(browse, reviewer):
    page = browse(reviewer).get("/p/acme/review/")

    assert "/p/acme/keys/" not in page.content.decode()


def test_switcher_lists_only_own_projects(browse, reviewer, outsider):
    own = MembershipFactory(user=reviewer, project__name="Second").project

    page = browse(reviewer).get("/p/acme/review/").content.decode()

    assert f"/p/{own.slug}/review/" in page
    assert f"/p/{outsider.memberships.get().project.slug}/review/" not in page


def test_foreign_project_is_not_found(browse, outsider, project):
    response = browse(outsider).get("/p/acme/review/")

    assert response.status_code == 404
    assert b"Nothing here" in response.content


def test_pages_limit_htmx_and_allow_nothing_inline(browse, reviewer):
    response = browse(reviewer).get("/p/acme/review/")

    assert b'"allowEval": false' in response.content
    assert "unsafe-" not in response.headers["Content-Security-Policy"]
    assert b"<style" not in response.content
    assert b" style=" not in response.content


def test_sign_out_needs_a_post(browse, reviewer):
    response = browse(reviewer).get(reverse("accounts:logout"))

    assert response.status_code == 405
