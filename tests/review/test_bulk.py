"""One decision on many answers: chosen, carried out, skipped and named, undone."""

import pytest

from tests.markup import markup
from tests.review.conftest import send
from tests.review.test_decide import invented
from verifyhub.audit.models import AuditEvent
from verifyhub.memory.models import Constraint
from verifyhub.review.decide import (
    advance_act,
    bulk,
    confirm_verdict,
    likenesses,
    undo_override,
)
from verifyhub.review.decide.bulk import open_bulk, undo_bulk
from verifyhub.review.decide.likeness import alike
from verifyhub.review.decisions import Decision, MentionFlip
from verifyhub.review.errors import OverrideUndoneError
from verifyhub.review.models import Act, ActMember, Override, ReviewItem


@pytest.fixture
def three(project):
    for session in ("s-1", "s-2", "s-3"):
        send(project, session=session)
    send(project, session="s-4", answer="See `other/thing.py` alone, really.")
    held = ReviewItem.objects.filter(
        interaction__answer_text__contains="apply_discount"
    )
    return list(held.order_by("created_at"))


def flip_all(three, reviewer, items=None):
    name = invented(three[0])
    decision = Decision(
        mentions=(MentionFlip(index=name.index, status="verified"),), reason="I looked."
    )
    like = likenesses(three[0].verification, decision)[0]
    act = open_bulk(
        project=three[0].project,
        decision=decision,
        items=items or [(item.id, item.version) for item in three],
        chosen_by=like.by,
        reviewer=reviewer,
    )
    return act, like


def run(act):
    assert advance_act(act_id=act.id, seconds=60)
    act.refresh_from_db()
    return act


def states(act):
    return [member.state for member in act.members.order_by("id")]


def test_like_this_counts_the_open_answers_with_the_same_name(three, reviewer):
    name = invented(three[0])
    decision = Decision(
        mentions=(MentionFlip(index=name.index, status="verified"),), reason="r"
    )

    like = likenesses(three[0].verification, decision)[0]

    assert like.count == 2
    assert set(alike(three[0].project_id, like.by)) == set(three)


def test_one_act_decides_them_all(three, reviewer):
    act, _like = flip_all(three, reviewer)

    run(act)

    assert act.state == Act.State.DONE
    assert states(act) == ["done"] * 3
    assert Override.objects.filter(act=act, after="verified").count() == 3
    ended = AuditEvent.objects.get(action="review.bulk_ended")
    assert ended.after["decided"] == 3


def test_what_somebody_decided_meanwhile_is_skipped_and_named(three, reviewer, lead):
    seen = [(item.id, item.version) for item in three]
    act, _like = flip_all(three, reviewer, items=seen)
    confirm_verdict(item=three[1], reviewer=lead, version=0)

    run(act)

    assert states(act) == ["done", "skipped", "done"]
    skipped = act.members.get(state="skipped")
    assert (skipped.reason, skipped.detail) == ("changed", "lead")


@pytest.mark.parametrize("step", ["_decide", "_undo"])
def test_what_is_deleted_when_its_turn_comes_is_passed_over(
    three, reviewer, monkeypatch, step
):
    act, _like = flip_all(three, reviewer)
    if step == "_undo":
        undo_bulk(act=run(act), actor=reviewer)
    take = getattr(bulk, step)

    def delete_and_take(act, member):
        if member.item_id == three[1].pk:
            ReviewItem.objects.filter(pk=three[1].pk).delete()
        take(act, member)

    monkeypatch.setattr(bulk, step, delete_and_take)
    run(act)

    assert states(act) == ["done" if step == "_decide" else "undone"] * 2


def test_one_undo_takes_the_whole_act_back(three, reviewer):
    act, _like = flip_all(three, reviewer)
    run(act)

    undo_bulk(act=act, actor=reviewer)
    run(act)

    assert act.state == Act.State.UNDONE
    assert not Override.objects.filter(undone_at=None).exists()
    assert {invented(item).human_status for item in three} == {""}


def test_undo_goes_past_what_was_undone_one_by_one(three, reviewer):
    act, _like = flip_all(three, reviewer)
    run(act)
    one = Override.objects.filter(act=act, item=three[0]).get()
    undo_override(override=one, actor=reviewer, version=one.item.version)

    undo_bulk(act=act, actor=reviewer)
    run(act)

    assert act.state == Act.State.UNDONE


def test_undoing_while_it_runs_stops_it(three, reviewer):
    act, _like = flip_all(three, reviewer)
    advance_act(act_id=act.id, seconds=0)

    undo_bulk(act=act, actor=reviewer)
    run(act)

    assert sorted(states(act)) == ["undone", "waiting", "waiting"]
    assert not Override.objects.filter(undone_at=None).exists()


def test_it_is_undone_once(three, reviewer):
    act, _like = flip_all(three, reviewer)
    run(act)
    undo_bulk(act=act, actor=reviewer)

    with pytest.raises(OverrideUndoneError):
        undo_bulk(act=act, actor=reviewer)


def test_the_confirm_page_shows_the_answers_and_the_effects(browse, three, reviewer):
    name = invented(three[0])
    client = browse(reviewer)
    preview = client.post(
        f"/p/acme/answers/{three[0].interaction_id}/mentions/{name.index}/flip/",
        {"version": 0, "status": "unverified", "preview": "1"},
        headers={"HX-Request": "true"},
    )
    text = markup(preview)
    url = text.split('data-action="like-this" href="')[1].split('"')[0]

    page = client.get(url.replace("&amp;", "&")).content.decode()

    assert "2 other open answers" in text
    assert "One decision on 3 answers" in page
    assert "Every agent receives the constraint that there is no" in page
    assert not Constraint.objects.filter(state="active").exists()


def test_ticked_answers_are_agreed_with_together(browse, three, reviewer):
    ticked = [f"{item.id}:{item.version}" for item in three[:2]]

    response = browse(reviewer).post(
        "/p/acme/review/many/",
        {"form": "agree", "item": ticked, "confirm": "1"},
        follow=True,
    )

    assert "Decision on many answers" in response.content.decode()
    assert ReviewItem.objects.filter(state="confirmed").count() == 2
    assert ActMember.objects.filter(state="done").count() == 2


def test_all_that_a_filter_holds_is_decided(browse, three, reviewer):
    client = browse(reviewer)
    page = client.post(
        "/p/acme/review/many/", {"all": "1", "filter": "", "form": "agree"}
    ).content.decode()
    chosen = page.split('name="chosen" value="')[1].split('"')[0]

    client.post(
        "/p/acme/review/many/", {"form": "agree", "chosen": chosen, "confirm": "1"}
    )

    assert "One decision on 4 answers" in page
    assert ReviewItem.objects.filter(state="confirmed").count() == 4


def test_a_missing_reason_keeps_what_was_typed(browse, three, reviewer):
    response = browse(reviewer).post(
        "/p/acme/review/many/",
        {
            "form": "override",
            "verdict": "accept",
            "item": [f"{three[0].id}:0"],
            "confirm": "1",
        },
    )

    assert response.status_code == 422
    assert 'value="accept" selected' in response.content.decode()
    assert not Act.objects.exists()


def test_answers_of_another_project_are_not_decided(browse, three, outsider):
    foreign = outsider.memberships.get().project.slug

    browse(outsider).post(
        f"/p/{foreign}/review/many/",
        {"form": "agree", "item": [f"{three[0].id}:0"], "confirm": "1"},
    )

    assert not Act.objects.exists()


def test_viewers_decide_nothing(browse, viewer, three):
    assert browse(viewer).post("/p/acme/review/many/").status_code == 403
