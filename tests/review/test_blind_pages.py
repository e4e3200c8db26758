"""Two judge blind on the pages: nothing of the first shows before the second judged."""

import pytest
from django.urls import reverse

from tests.factories import MembershipFactory
from tests.review.test_several_reviewers import ask, fresh, judge, other
from verifyhub.review.models import Judgement, Proposal, ReviewItem

SECRET = "a reason nobody else may read"


@pytest.fixture
def people(project):
    return [
        MembershipFactory(project=project, user__username=name).user
        for name in ("zuzanna", "ben", "cy")
    ]


@pytest.fixture
def post(browse):
    """Post to a page of the project: `post(person, "review:rule", args, **data)`."""

    def posted(person, name, *args, **data):
        url = reverse(name, args=["acme", *args])
        return browse(person).post(url, {"version": 0, **data})

    return posted


def page(browse, person, name, *args, **query):
    url = reverse(name, args=["acme", *args])
    return browse(person).get(url, query).content.decode()


def test_the_pages_and_the_api_tell_nothing_before_all_have_judged(
    item, people, project, browse, post, api, lead
):
    ask(project, 2)
    answer = item.interaction_id
    paths = [
        ("review:answer-detail", answer),
        ("review:queue",),
        ("review:answer-list",),
        ("review:run-list",),
        ("memory:browser",),
        ("metrics:dashboard",),
        ("review:second-opinions",),
        ("review:my-judgements",),
    ]
    before = [page(browse, people[1], *path) for path in paths]
    read = reverse("api-interaction", args=[answer])
    api_before = api.get(read).json()

    response = post(
        people[0],
        "review:answer-override",
        answer,
        verdict=other(item).verdict,
        reason=SECRET,
    )

    assert response.status_code == 302
    assert Judgement.objects.get().verdict == other(item).verdict
    after = [page(browse, people[1], *path) for path in paths]
    assert not any(SECRET in body for body in after)
    assert "0 have" in before[0]
    assert "1 have" in after[0]
    # Everybody stands in the lists of whom to ask and assign to, judging or not.
    assert [body.count("zuzanna") for body in after] == [
        body.count("zuzanna") for body in before
    ]
    assert 'id="agree"' in after[0]
    assert SECRET not in page(browse, lead, "review:answer-detail", answer)
    assert SECRET not in page(browse, lead, "review:agreement")
    assert api.get(read).json()["review"] == api_before["review"] is None


def test_ones_own_judgement_shows_and_is_withdrawn(item, people, project, browse, post):
    ask(project, 2)
    post(people[0], "review:answer-agree", item.interaction_id)

    own = page(browse, people[0], "review:answer-detail", item.interaction_id)
    assert "You judged:" in own
    assert 'id="agree"' not in own
    made = Judgement.objects.get()
    refused = post(people[1], "review:judgement-withdraw", made.pk)
    post(people[0], "review:judgement-withdraw", made.pk)

    assert refused.status_code == 404
    assert Judgement.objects.get().state == "withdrawn"
    again = page(browse, people[0], "review:answer-detail", item.interaction_id)
    assert 'id="agree"' in again


def test_a_lead_sees_all_and_rules_and_reviewers_see_the_ruling(
    item, people, project, browse, post, lead
):
    ask(project, 2)
    post(people[0], "review:answer-agree", item.interaction_id)
    post(
        people[1],
        "review:answer-override",
        item.interaction_id,
        verdict=other(item).verdict,
        reason=SECRET,
    )

    seen = page(browse, lead, "review:answer-detail", item.interaction_id)
    assert SECRET in seen
    assert "Final verdict" in seen
    assert "To adjudicate" in page(browse, lead, "review:second-opinions")
    reviewers = page(browse, people[2], "review:answer-detail", item.interaction_id)
    assert "Final verdict" not in reviewers
    version = fresh(item).version
    denied = post(
        people[2],
        "review:rule",
        item.interaction_id,
        version=version,
        verdict="accept",
        reason="x",
    )
    assert denied.status_code == 403

    post(
        lead,
        "review:rule",
        item.interaction_id,
        version=version,
        verdict=other(item).verdict,
        reason="Ben is right.",
    )

    assert fresh(item).human_verdict == other(item).verdict
    told = page(browse, people[0], "review:answer-detail", item.interaction_id)
    assert "Ben is right." in told


def test_how_long_judging_took_is_kept_if_the_form_is_ours(
    item, people, project, browse, post
):
    html = page(browse, people[0], "review:answer-detail", item.interaction_id)
    stamp = html.split('name="shown" value="')[1].split('"')[0]

    post(people[0], "review:answer-agree", item.interaction_id, shown=stamp)

    assert Judgement.objects.get().seconds in range(60)


def test_a_forged_time_is_no_time(item, people, post):
    post(people[0], "review:answer-agree", item.interaction_id, shown="shown:1:x")

    assert Judgement.objects.get().seconds is None


def test_proposals_are_listed_confirmed_and_declined(
    item, people, project, browse, post, lead
):
    ask(project, 1, lead, confirm_overrides=True)
    data = {"verdict": other(item).verdict, "reason": "I looked."}
    post(people[0], "review:answer-override", item.interaction_id, **data)
    made = Proposal.objects.get()

    listed = page(browse, people[1], "review:second-opinions")
    assert "proposed by zuzanna" in listed
    own = page(browse, people[0], "review:answer-detail", item.interaction_id)
    assert "Approve and apply" not in own
    post(people[0], "review:proposal-confirm", made.pk)
    assert fresh(item).state == ReviewItem.State.OPEN
    post(people[1], "review:proposal-decline", made.pk, reason="Check again.")
    declined = page(browse, people[0], "review:answer-detail", item.interaction_id)
    assert "Check again." in declined

    post(people[0], "review:answer-override", item.interaction_id, **data)
    latest = Proposal.objects.get(state="pending")
    post(people[1], "review:proposal-confirm", latest.pk)

    assert fresh(item).state == ReviewItem.State.OVERRIDDEN


def test_a_foreign_row_does_not_exist(item, people, project, post, outsider, browse):
    ask(project, 2)
    made = judge(item, people[0]).judgement

    for name, args in (
        ("review:judgement-withdraw", made.pk),
        ("review:rule", item.interaction_id),
        ("review:gold-mark", item.interaction_id),
    ):
        assert post(outsider, name, args).status_code == 404


def test_an_admin_sets_the_rules_and_nobody_else(project, browse, admin, lead):
    url = reverse("review:rules", args=["acme"])
    values = {
        "reviews": 3,
        "risk_from": 0.8,
        "risk_reviews": 4,
        "sample_percent": 10,
        "sample_reviews": 2,
        "blind": "on",
        "settlement": "unanimous",
        "gold_percent": 5,
        "gold_days": 30,
        "reason_look_alike": 2,
    }

    assert browse(lead).get(url).status_code == 403
    assert browse(admin).post(url, {**values, "reviews": 11}).status_code == 422
    assert browse(admin).post(url, values).status_code == 302

    project.refresh_from_db()
    rules = project.review_rules
    assert (rules.reviews, rules.settlement, rules.gold_days) == (3, "unanimous", 30)
    assert rules.reason_reviews == {"look_alike": 2}
    assert browse(admin).get(url).status_code == 200


def test_who_judged_what_is_on_the_agreement_pages(
    item, people, project, browse, lead, answered
):
    ask(project, 2)
    judge(item, people[0])
    judge(item, people[1], other(item))
    second = ReviewItem.objects.get(interaction=answered(task="And the tax?"))
    for person in people[:2]:
        judge(second, person)

    shown = page(browse, lead, "review:agreement")
    assert "1 of 2" in shown
    assert "too few" in shown
    differ = page(browse, lead, "review:disagreements")
    assert item.interaction.task[:20] in differ
    assert "And the tax?" not in differ
    pair = page(browse, lead, "review:disagreements", who=[people[0].pk, people[2].pk])
    assert item.interaction.task[:20] not in pair or "cy" not in pair
    own = browse(people[0]).get(reverse("review:agreement", args=["acme"]))
    assert own.status_code == 302
    mine = page(browse, people[0], "review:my-judgements")
    assert "And the tax?" in mine
    other_person = reverse("review:person-judgements", args=["acme", people[0].pk])
    assert browse(people[1]).get(other_person).status_code == 403
    assert browse(lead).get(other_person).status_code == 200


def test_roles_beyond_deciding_are_a_leads(project, browse, reviewer, lead):
    for name in ("review:gold-list", "review:disagreements"):
        url = reverse(name, args=["acme"])
        assert browse(reviewer).get(url).status_code == 403
        assert browse(lead).get(url).status_code == 200
