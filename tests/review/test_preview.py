"""What a preview says is what the decision does, and a preview leaves nothing."""

import contextlib

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.review.conftest import send
from verifyhub.audit.models import AuditEvent
from verifyhub.learning.models import CalibrationSample, LabelledExample
from verifyhub.memory.models import Constraint, MemoryEntry, Sighting
from verifyhub.review.decide import foresee, undo_act
from verifyhub.review.decide.apply import apply_decision
from verifyhub.review.decide.preview import preview_decision
from verifyhub.review.decisions import ClaimFlip, Decision, MentionFlip, Missed
from verifyhub.review.errors import ReviewError
from verifyhub.review.models import Act, Override, ReviewItem

ANSWER = (
    "The price is made in `compute_price()` of `shop/pricing.py`, then"
    " `apply_discount()` from `shop/discounts.py` lowers it. All tests pass."
    " The helper `round_up` stays."
)
REASONS = {"reason": "I looked.", "reason_codes": ("exists",)}
mentions = st.lists(
    st.builds(
        MentionFlip,
        index=st.integers(0, 4),
        status=st.sampled_from(["verified", "unverified"]),
        suggestion=st.sampled_from(["", "right_name"]),
    ),
    max_size=3,
    unique_by=lambda flip: flip.index,
)
claims = st.lists(
    st.builds(
        ClaimFlip,
        index=st.just(0),
        status=st.sampled_from(["supported", "contradicted", "unattempted"]),
    ),
    max_size=1,
)
missed = st.lists(
    st.builds(
        Missed,
        text=st.sampled_from(["lowers", "The helper"]),
        kind=st.sampled_from(["function", "claim"]),
        status=st.sampled_from(["verified", "unverified", "contradicted"]),
    ),
    max_size=1,
)
decisions = st.builds(
    lambda verdict, m, c, x, correction, note: Decision(
        agree=verdict == "agree",
        verdict="" if verdict in ("", "agree") else verdict,
        mentions=tuple(m),
        claims=tuple(c),
        missed=tuple(x),
        correction=correction,
        note=note,
        **REASONS,
    ),
    st.sampled_from(["", "agree", "accept", "reject", "uncertain"]),
    mentions,
    claims,
    missed,
    st.sampled_from([None, "Nothing lowers the price."]),
    st.sampled_from(["", "Ask the shop team."]),
)
TABLES = (
    Act,
    AuditEvent,
    CalibrationSample,
    Constraint,
    LabelledExample,
    MemoryEntry,
    Override,
    ReviewItem,
    Sighting,
)


def rows():
    return {table: list(table.objects.order_by("pk").values()) for table in TABLES}


def told(effects):
    """Everything of the effects but the ids of rows that the decision itself made."""
    return [
        (e["type"], e["before"], e["after"], e["code"], e["params"]) for e in effects
    ]


class TakenBackError(Exception):
    pass


@pytest.fixture
def judged(project):
    return ReviewItem.objects.get(interaction=send(project, answer=ANSWER))


# Each example decides and takes back: a third of a second.
dear = settings(
    max_examples=settings.default.max_examples // 4,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@pytest.mark.timeout(600)
@dear
@given(decision=decisions)
def test_preview_and_deed_are_equal(judged, reviewer, decision):
    before = rows()
    common = {"decision": decision, "reviewer": reviewer, "version": 0}

    try:
        seen = preview_decision(judged, decision, reviewer)
    except ReviewError as error:
        seen = type(error)
    assert rows() == before

    item = ReviewItem.objects.get(pk=judged.pk)
    if isinstance(seen, type):
        with pytest.raises(seen):
            apply_decision(item=item, settled=True, **common)
        return
    with contextlib.suppress(TakenBackError), transaction.atomic():
        outcome = apply_decision(item=item, settled=True, **common)
        assert told(seen) == told(outcome.effects)
        raise TakenBackError


@pytest.mark.timeout(600)
@dear
@given(decision=decisions)
def test_undoing_an_act_gives_everything_back(judged, reviewer, decision):
    def standing():
        entries = MemoryEntry.objects.exclude(kind="correction")
        return {
            "memory": sorted(entries.filter(state="active").values_list("key", "text")),
            "constraints": sorted(
                Constraint.objects.filter(state="active").values_list("text")
            ),
            "names": list(
                judged.verification.mentions.order_by("index").values_list(
                    "human_status", flat=True
                )
            ),
            "item": ReviewItem.objects.filter(pk=judged.pk).values_list(
                "state", "human_verdict", "resolved_by"
            )[0],
            "samples": CalibrationSample.objects.filter(
                example__state="taught"
            ).count(),
        }

    before = standing()
    try:
        with transaction.atomic():
            outcome = apply_decision(
                item=ReviewItem.objects.get(pk=judged.pk),
                decision=decision,
                reviewer=reviewer,
                version=0,
                settled=True,
            )
            undo_act(act=outcome.act, item=outcome.item, actor=reviewer, version=1)
            assert standing() == before
            raise TakenBackError
    except (TakenBackError, ReviewError):
        pass


def test_a_preview_of_what_nobody_queued_queues_nothing(project, reviewer):
    interaction = send(project, answer="See `shop/pricing.py` and `compute_price()`.")

    foreseen = foresee(
        run=interaction.verifications.get(),
        decision=Decision(verdict="reject", reason="No."),
        reviewer=reviewer,
        version=0,
    )

    assert foreseen.effects
    assert not ReviewItem.objects.exists()
