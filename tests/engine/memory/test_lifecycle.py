import datetime as dt

import pytest

from verifyhub.engine.memory.lifecycle import Known, assess_constraint
from verifyhub.engine.thresholds import Thresholds

NOW = dt.datetime(2026, 1, 10, tzinfo=dt.UTC)
LONG_AGO, JUST_NOW = NOW - dt.timedelta(days=9), NOW - dt.timedelta(hours=1)
RULE = Thresholds()
BY_A_LEAD = Thresholds(leaving_shadow="lead")


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        (
            Known(word="unverified", word_at=NOW, found=True, supported=False),
            ("active", "reviewer"),
        ),
        (Known(word="verified", recurred_at=LONG_AGO), ("retired", "recurrence")),
        (Known(found=True, recurred_at=LONG_AGO), ("retired", "recurrence")),
        (Known(recurred_at=LONG_AGO), ("active", "recurrence")),
        (Known(recurred_at=JUST_NOW), ("shadow", "recurrence")),
        (Known(), ("candidate", "recurrence")),
        (Known(supported=False), ("retired", "recurrence")),
    ],
)
def test_people_outrank_evidence_and_evidence_outranks_recurrence(known, expected):
    result = assess_constraint(known, RULE, now=NOW)

    assert (result.state, result.origin) == expected


def test_the_shadow_ends_on_the_hour():
    start = NOW - dt.timedelta(hours=24)
    a_moment = dt.timedelta(microseconds=1)

    assert assess_constraint(Known(recurred_at=start), RULE, now=NOW).state == "active"
    early = assess_constraint(Known(recurred_at=start + a_moment), RULE, now=NOW)
    assert early.state == "shadow"


def test_where_a_lead_must_confirm_time_alone_ends_no_shadow():
    waiting, confirmed = (
        Known(recurred_at=LONG_AGO, confirmed=answer) for answer in (False, True)
    )

    assert assess_constraint(waiting, BY_A_LEAD, now=NOW).state == "shadow"
    assert assess_constraint(confirmed, BY_A_LEAD, now=NOW).state == "active"


def test_a_leads_confirmation_makes_no_constraint_of_what_does_not_recur():
    assert assess_constraint(Known(confirmed=True), RULE, now=NOW).state == "candidate"
    found = Known(confirmed=True, found=True, recurred_at=LONG_AGO)
    assert assess_constraint(found, RULE, now=NOW).state == "retired"


def test_newer_evidence_that_no_agent_can_write_outranks_a_persons_word():
    known = Known(word="unverified", word_at=LONG_AGO, found=True, proven_at=JUST_NOW)

    assert assess_constraint(known, RULE, now=NOW).state == "retired"


def test_a_person_who_has_spoken_since_outranks_that_evidence_too():
    known = Known(word="unverified", word_at=JUST_NOW, found=True, proven_at=LONG_AGO)

    assert assess_constraint(known, RULE, now=NOW).state == "active"
