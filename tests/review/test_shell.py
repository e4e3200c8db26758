"""The header: what each role is shown, and that every page carries the htmx limits."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import MembershipFactory, ReviewItemFactory

SETTINGS = {
    f"/p/acme/{page}/"
    for page in (
        "settings",
        "settings/presets",
        "settings/claims",
        "settings/models",
        "settings/reviewers",
        "review/reasons",
        "schemas",
        "gateways",
        "keys",
        "events",
    )
}


def _links(response):
    return set(re.findall(r'href="([^"?]+)"', response.content.decode()))


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


def test_the_navigation_holds_the_settings_that_a_role_may_open(
    browse, admin, lead, reviewer
):
    links = {
        who: _links(browse(who).get("/p/acme/review/")) & SETTINGS
        for who in (admin, lead, reviewer)
    }

    assert links == {
        admin: SETTINGS,
        lead: {
            "/p/acme/settings/claims/",
            "/p/acme/review/reasons/",
            "/p/acme/schemas/",
        },
        reviewer: set(),
    }


@pytest.mark.parametrize(
    ("page", "here"),
    [
        ("review/", "review/"),
        ("memory/shared/", "memory/shared/"),
        ("knowledge/search/", "knowledge/"),
        ("alerts/", "alerts/"),
        ("bulk/", "bulk/"),
    ],
)
def test_the_navigation_says_where_one_is(browse, admin, page, here):
    body = browse(admin).get(f"/p/acme/{page}").content.decode()

    current = re.search(r'<a href="([^"]+)" aria-current="page"', body)

    assert current
    assert current[1] == f"/p/acme/{here}"


def test_an_answer_of_the_queue_stays_under_review(browse, reviewer, item, answered):
    of_queue = browse(reviewer).get(f"/p/acme/answers/{item.interaction_id}/")
    other = answered(answer="Nothing to be named.")
    of_list = browse(reviewer).get(f"/p/acme/answers/{other.id}/")

    assert 'href="/p/acme/review/" aria-current="page"' in of_queue.content.decode()
    assert 'href="/p/acme/answers/" aria-current="page"' in of_list.content.decode()


def test_switcher_lists_only_own_projects(browse, reviewer, outsider):
    own = MembershipFactory(user=reviewer, project__name="Second").project

    page = browse(reviewer).get("/p/acme/review/").content.decode()

    assert f"/p/{own.slug}/review/" in page
    assert f"/p/{outsider.memberships.get().project.slug}/review/" not in page


def test_foreign_project_is_not_found(browse, outsider, project):
    response = browse(outsider).get("/p/acme/review/")

    assert response.status_code == 404
    assert b"Page not found" in response.content


def test_pages_limit_htmx_and_allow_nothing_inline(browse, reviewer):
    response = browse(reviewer).get("/p/acme/review/")

    assert b'"allowEval": false' in response.content
    assert "unsafe-" not in response.headers["Content-Security-Policy"]
    assert b"<style" not in response.content
    assert b" style=" not in response.content


def test_sign_out_needs_a_post(browse, reviewer):
    response = browse(reviewer).get(reverse("accounts:logout"))

    assert response.status_code == 405


def test_a_title_ends_with_the_project_or_else_with_the_program(admin, browse):
    client = browse(admin)

    def title(path):
        page = client.get(path).content.decode()
        return page.partition("<title>")[2].partition("</title>")[0]

    assert title("/p/acme/settings/presets/") == "Strictness and domains – Acme"
    assert title("/accounts/profile/") == "Your settings – VerifyHub"
