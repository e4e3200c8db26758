"""Everything else that can be said of an answer: claims, misses, text, notes, codes."""

import pytest

from tests.factories import ApiKeyFactory
from tests.review.conftest import send
from tests.review.test_decide import invented
from verifyhub.memory.models import Constraint, MemoryEntry
from verifyhub.memory.selectors import session_context
from verifyhub.review.decide import save_draft, undo_act, undo_override
from verifyhub.review.decide.apply import apply_decision
from verifyhub.review.decisions import ClaimFlip, Decision, MentionFlip, Missed
from verifyhub.review.errors import (
    DecisionInvalidError,
    OwnAnswerError,
    ReasonMissingError,
    UnchangedError,
)
from verifyhub.review.models import Draft, Override, ReviewItem

FALSE = "All tests pass. See `shop/pricing.py` and `helper_one`."


def decide(item, reviewer, version=None, **parts):
    parts.setdefault("reason", "I looked.")
    return apply_decision(
        item=item,
        decision=Decision(**parts),
        reviewer=reviewer,
        version=item.version if version is None else version,
    )


@pytest.fixture
def claimed(project):
    return ReviewItem.objects.get(interaction=send(project, answer=FALSE))


def corrections():
    return MemoryEntry.objects.filter(kind="correction", state="active")


def test_a_claim_is_judged_beside_the_machine(claimed, reviewer):
    machine = claimed.verification.report["completion_claims"][0]["status"]

    made = decide(claimed, reviewer, claims=(ClaimFlip(index=0, status="supported"),))

    override = made.overrides[0]
    assert (override.target, override.before) == ("claim", machine)
    assert override.subject["text"].startswith("All tests pass")
    assert corrections().get().mention_kind == "claim"


def test_a_judged_claim_is_what_the_next_agent_is_told(claimed, reviewer):
    decide(claimed, reviewer, claims=(ClaimFlip(index=0, status="contradicted"),))

    context = session_context(
        project=claimed.project, session_key="s-1", task="Go on", budget=2000
    )

    assert "does not hold: do the work" in context.context.text


def test_a_claim_that_says_so_already_is_refused(claimed, reviewer):
    status = claimed.verification.report["completion_claims"][0]["status"]

    with pytest.raises(UnchangedError, match="status"):
        decide(claimed, reviewer, claims=(ClaimFlip(index=0, status=status),))


def test_a_missed_invention_is_told_to_every_agent(one_voice, item, reviewer):
    missed = Missed(text="lowers it", kind="function", status="unverified")

    made = decide(item, reviewer, missed=(missed,))

    start = item.interaction.answer.index("lowers it")
    assert made.overrides[0].subject["span"] == [start, start + 9]
    assert Constraint.objects.get(text="lowers it").state == "active"


def test_undoing_a_missed_name_withdraws_its_constraint(item, reviewer):
    missed = Missed(text="lowers it", kind="function", status="unverified")
    made = decide(item, reviewer, missed=(missed,))

    undo_act(act=made.act, item=made.item, actor=reviewer, version=1)

    assert Constraint.objects.get(text="lowers it").state != "active"


def test_a_missed_text_must_stand_in_the_answer(item, reviewer):
    missed = Missed(text="nowhere", kind="function", status="unverified")

    with pytest.raises(DecisionInvalidError, match="text"):
        decide(item, reviewer, missed=(missed,))


def test_a_name_that_was_seen_is_not_missed(item, reviewer):
    seen = Missed(text="apply_discount", kind="function", status="verified")

    with pytest.raises(UnchangedError, match="text"):
        decide(item, reviewer, missed=(seen,))


def test_a_corrected_answer_is_kept_and_told(item, reviewer):
    made = decide(item, reviewer, correction="The price is made in `shop/tax.py`.")

    assert made.overrides[0].text == "The price is made in `shop/tax.py`."
    assert corrections().get().suggestion == "The price is made in `shop/tax.py`."


def test_a_correction_that_corrects_nothing_is_refused(item, reviewer):
    same = item.interaction.answer.replace("\n", "\r\n")

    with pytest.raises(UnchangedError, match="correction"):
        decide(item, reviewer, correction=same)


def test_a_note_needs_no_reason_and_changes_nothing(item, reviewer):
    before = MemoryEntry.objects.count()

    made = decide(item, reviewer, note="Ask the shop team.", reason="")

    assert made.overrides[0].text == "Ask the shop team."
    assert MemoryEntry.objects.count() == before
    assert made.item.state == ReviewItem.State.OPEN


def test_a_reason_code_is_reason_enough(item, reviewer):
    made = decide(item, reviewer, verdict="accept", reason="", reason_codes=("exists",))

    assert made.overrides[0].reason_codes == ["exists"]


@pytest.mark.parametrize("codes", [(), ("no_such_code",)])
def test_no_reason_or_an_unknown_code_is_refused(item, reviewer, codes):
    with pytest.raises(DecisionInvalidError, match="reason"):
        decide(item, reviewer, verdict="accept", reason="", reason_codes=codes)


def test_everything_is_said_in_one_act_or_nothing(item, reviewer):
    name = invented(item)
    flips = (MentionFlip(index=name.index, status="verified"),)

    with pytest.raises(UnchangedError):
        decide(item, reviewer, mentions=flips, verdict=item.verification.verdict)
    assert not Override.objects.exists()

    made = decide(item, reviewer, mentions=flips, verdict="accept", note="Both exist.")
    assert [o.target for o in made.overrides] == ["mention", "verdict", "note"]
    assert {o.act_id for o in made.overrides} == {made.act.id}


def test_undoing_an_old_act_keeps_what_others_said_since(
    one_voice, item, reviewer, lead
):
    name = invented(item)
    first = decide(
        item, reviewer, mentions=(MentionFlip(index=name.index, status="verified"),)
    )
    decide(item, lead, mentions=(MentionFlip(index=name.index, status="unverified"),))

    undo_act(act=first.act, item=item, actor=reviewer, version=item.version)

    name.refresh_from_db()
    assert name.human_status == "unverified"
    assert Constraint.objects.get(mention_key=name.key).state == "active"


def test_undoing_one_statement_leaves_the_rest_of_the_act(item, reviewer):
    name = invented(item)
    made = decide(
        item,
        reviewer,
        verdict="accept",
        mentions=(MentionFlip(index=name.index, status="verified"),),
    )

    undo_override(override=made.overrides[0], actor=reviewer, version=1)

    item.refresh_from_db()
    assert item.human_verdict == "accept"
    made.act.refresh_from_db()
    assert made.act.undone_at is None


def test_a_key_decides_as_itself(item, project):
    key = ApiKeyFactory(project=project, name="nightly judge")

    made = decide(item, key, verdict="accept")

    assert made.overrides[0].by == "key nightly judge"
    assert made.item.resolver == "key nightly judge"
    assert made.item.resolved_by is None


def test_a_key_may_not_judge_what_it_sent(item, project):
    key = ApiKeyFactory(project=project)
    item.interaction.api_key = key
    item.interaction.save()

    with pytest.raises(OwnAnswerError):
        decide(item, key, verdict="accept")


def test_deciding_clears_the_draft(item, reviewer):
    save_draft(
        interaction=item.interaction,
        user=reviewer,
        content={"override": {"reason": "half"}},
        version=0,
    )

    decide(item, reviewer, agree=True)

    assert not Draft.objects.exists()


def test_reasons_longer_than_the_column_are_refused(item, reviewer):
    with pytest.raises(ReasonMissingError, match="reason"):
        decide(item, reviewer, verdict="accept", reason="x" * 1001)
