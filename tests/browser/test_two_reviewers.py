"""Two judge blind and differ, a lead rules: each in a browser of their own."""

import pytest
from playwright.sync_api import expect

from verifyhub.accounts.models import Role
from verifyhub.review.models import ReviewItem, ReviewRules

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SECRET = "nobody else may read this yet"


def test_two_judge_blind_and_a_lead_rules(desk, answers):
    ReviewRules.objects.create(project=answers, reviews=2)
    item = ReviewItem.objects.filter(project=answers).order_by("created_at").first()
    path = f"/p/acme/answers/{item.interaction_id}/"
    ana, ben = desk("ana", Role.REVIEWER), desk("ben", Role.REVIEWER)
    lead = desk("lead", Role.LEAD)

    page = ana.open(path)
    page.locator("#decision-bar").get_by_role("link", name="Override").click()
    page.locator("#override-verdict").select_option(index=0)
    page.locator("#override input[name=reason]").fill(SECRET)
    page.get_by_role("button", name="Override verdict").click()
    page.get_by_text("You judged:").wait_for()

    for other in (ben, lead):
        body = other.open(path).content()
        assert SECRET not in body
        assert "1 have" in body

    page = ben.open(path)
    page.locator("#agree").click()
    page.get_by_role("heading", name="Reviewers differ").wait_for()
    item.refresh_from_db()
    assert item.state == ReviewItem.State.OPEN

    page = lead.open("/p/acme/review/second/")
    page.get_by_role("link", name=item.interaction.task[:30]).first.click()
    expect(page.locator("main")).to_contain_text(SECRET)
    page.get_by_label("Final verdict").select_option(item.verification.verdict)
    page.get_by_label("Reason, for those who judged otherwise").fill("Ben is right.")
    page.get_by_role("button", name="Rule", exact=True).click()
    page.get_by_text("Adjudicated. The answer is settled.").wait_for()

    item.refresh_from_db()
    assert item.state == ReviewItem.State.CONFIRMED
    assert "Ben is right." in ana.open(path).content()
