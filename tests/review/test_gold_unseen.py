"""Gold is like any other answer to whom it measures, whatever they look at or do."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from tests.factories import MembershipFactory
from tests.review.test_several_reviewers import ask, fresh, invented, judge, other
from tests.review.walk import bodies
from verifyhub.review.decisions import Decision
from verifyhub.review.gold import mark_gold, reopen_expired_gold
from verifyhub.review.models import (
    ActMember,
    GoldItem,
    GoldSeed,
    Judgement,
    Override,
    ReviewItem,
)
from verifyhub.review.panel import set_review_rules
from verifyhub.review.queue import open_count
from verifyhub.verification.services import reverify, run_verification

REASON = "reasonZq1"


@pytest.fixture
def ana(project):
    return MembershipFactory(project=project, user__username="ana").user


@pytest.fixture
def gold(item, lead):
    """A settled answer: a lead overrode it and a name of it, and made it gold."""
    verdict = other(item).verdict
    judge(item, lead, Decision(verdict=verdict, reason=REASON))
    return mark_gold(
        item=fresh(item), verdict=verdict, note="", actor=lead, now=timezone.now()
    )


@pytest.fixture
def measured(gold, project, ana, lead, answered):
    """Ana has judged one answer, and half of what she is handed is to be gold."""
    set_review_rules(project=project, values={"gold_percent": 50}, actor=lead)
    normal = ReviewItem.objects.get(interaction=answered(task="And the tax?"))
    judge(normal, ana)
    answered(task="And the discount?")
    return gold


def following(client):
    response = client.get("/p/acme/review/next/")
    return response["Location"].split("/answers/")[1].split("/")[0]


def page(client, item):
    return client.get(f"/p/acme/answers/{item.interaction_id}/").content.decode()


def post(client, item, what, **data):
    url = f"/p/acme/answers/{item.interaction_id}/{what}/"
    return client.post(url, {"version": fresh(item).version, **data})


def test_next_hands_gold_out_in_the_place_of_an_item(measured, ana, browse):
    client = browse(ana)

    assert following(client) == str(measured.item.interaction_id)
    assert following(client) == str(measured.item.interaction_id)
    assert GoldSeed.objects.get().reviewer == ana
    free = ReviewItem.objects.get(state="open")
    assert free.lease_token is None


def test_no_gold_is_handed_out_where_nothing_waits(measured, ana, project, browse):
    ReviewItem.objects.filter(state="open").update(state="superseded")

    response = browse(ana).get("/p/acme/review/next/")

    assert "/answers/" not in response["Location"]
    assert not GoldSeed.objects.exists()


def test_no_gold_is_handed_out_where_nobody_would_confirm_it(
    measured, ana, project, lead, browse
):
    set_review_rules(project=project, values={"confirm_overrides": True}, actor=lead)

    following(browse(ana))

    assert not GoldSeed.objects.exists()


def test_programs_are_handed_no_gold(measured, project, api):
    taken = api.post(
        "/api/v1/review/items/next/lease/", {}, content_type="application/json"
    )

    assert not GoldSeed.objects.exists()
    assert str(measured.item.interaction_id) not in taken.content.decode()


def test_gold_counts_as_open_until_it_is_judged(measured, ana, project, browse):
    before = open_count(project.id, ana).value
    following(browse(ana))

    assert open_count(project.id, ana).value == before + 1
    judge(measured.item, ana)
    assert open_count(project.id, ana).value == before


def test_nothing_to_be_read_tells_what_was_decided_of_gold(measured, ana, browse, lead):
    client, item = browse(ana), measured.item
    following(client)

    found = bodies(
        client,
        {
            "uuid": item.interaction_id,
            "session": item.interaction.session_id,
            "item_id": item.pk,
        },
    )

    # The word stands in the tips and figures of pages about judging, for everybody.
    del found["/p/acme/agreement/mine/"]
    assert [path for path in found if REASON in found[path]] == []
    told = [path for path in found if re.search(r"\boverridden\b", found[path])]
    assert [path for path in told if str(item.interaction_id) in path] == []


def test_a_flip_on_gold_shows_the_effects_it_would_have_and_is_undone(
    measured, ana, browse
):
    client, item = browse(ana), measured.item
    following(client)
    flip = invented(item).mentions[0]
    data = {"status": "unverified", "reason": "Made up."}
    before = Override.objects.count()

    looked = post(client, item, f"mentions/{flip.index}/flip", preview="1", **data)
    post(client, item, f"mentions/{flip.index}/flip", **data)
    shown = page(client, item)

    assert "Memory, constraints and examples stay" not in looked.content.decode()
    assert "Made up." in shown
    assert "What this changed" in shown
    assert Override.objects.count() == before
    (undo,) = re.findall(r'action="(/p/acme/answers/[^"]+/undo/)"', shown)
    assert client.post(undo, {"version": fresh(item).version}).status_code == 302
    again = page(client, item)
    assert "Undone by ana" in again
    assert Judgement.objects.get(kind="gold").decision["mentions"] == []


def test_a_verdict_on_gold_reads_like_any_other_and_is_taken_back(
    measured, ana, browse
):
    client, item = browse(ana), measured.item
    following(client)

    post(client, item, "agree")

    shown = page(client, item)
    assert "Human decisions" in shown
    assert REASON not in shown
    assert GoldSeed.objects.get().judgement is not None
    (undo,) = re.findall(r'action="(/p/acme/answers/[^"]+/undo/)"', shown)
    client.post(undo, {"version": fresh(item).version})
    assert GoldSeed.objects.get().judgement is None
    assert 'id="agree"' in page(client, item)
    assert fresh(item).human_verdict == measured.verdict


def test_gold_of_several_is_withdrawn_like_any_other(measured, ana, project, browse):
    ask(project, 2)
    client, item = browse(ana), measured.item
    following(client)
    judge(item, ana)
    made = Judgement.objects.get(kind="gold")

    shown = page(client, item)
    client.post(f"/p/acme/judgements/{made.pk}/withdraw/")

    assert "You judged:" in shown
    assert "1 have" in shown
    made.refresh_from_db()
    assert (made.state, GoldSeed.objects.get().judgement) == ("withdrawn", None)


def test_undecided_gold_waits_in_no_queue_and_looks_unflagged(item, lead, ana, browse):
    mark_gold(item=item, verdict="accept", note="", actor=lead, now=timezone.now())

    listed = browse(ana).get("/p/acme/review/").content.decode()
    shown = page(browse(ana), item)

    assert str(item.interaction_id) not in listed
    assert 'id="agree"' in shown
    assert "gold" not in shown.lower()
    post(browse(ana), item, "agree")
    assert Judgement.objects.get().kind == "gold"


def test_undecided_gold_is_queued_again_once_it_measures_nobody(item, lead):
    now = timezone.now()
    made = mark_gold(item=item, verdict="accept", note="", actor=lead, now=now)
    GoldItem.objects.update(expires_at=now + timedelta(days=1))
    assert reopen_expired_gold(now=now) == 0

    assert reopen_expired_gold(now=now + timedelta(days=2)) == 1

    assert fresh(made.item).state == ReviewItem.State.OPEN


def test_gold_stays_gold_and_unread_when_it_is_verified_again(gold, api, lead):
    again = reverify(interaction=gold.item.interaction, actor=lead)
    run_verification(verification_id=again.id)

    item = fresh(gold.item)
    assert item.verification.number == 2
    read = api.get(f"/api/v1/interactions/{item.interaction_id}/").json()
    assert read["review"] is None
    own = api.get(f"/api/v1/review/items/{item.pk}/").json()
    assert (own["state"], own["human_verdict"], own["decisions"]) == ("open", None, [])


def test_gold_among_ticked_answers_is_decided_and_undone_with_them(
    measured, ana, browse
):
    client, item = browse(ana), measured.item
    following(client)
    normal = ReviewItem.objects.get(state="open")
    chosen = [f"{one.pk}:{fresh(one).version}" for one in (item, normal)]

    looked = client.post("/p/acme/review/many/", {"form": "agree", "item": chosen})
    done = client.post(
        "/p/acme/review/many/", {"form": "agree", "item": chosen, "confirm": "1"}
    )

    assert "One decision on 2 answers" in looked.content.decode()
    assert set(ActMember.objects.values_list("state", flat=True)) == {"done"}
    assert fresh(item).human_verdict == measured.verdict
    client.post(f"{done['Location']}undo/")
    members = ActMember.objects.values_list("state", "reason")
    assert set(members) == {("undone", "")}
    assert GoldSeed.objects.get().judgement is None
    assert fresh(normal).state == ReviewItem.State.OPEN
