import time

import pytest

from verifyhub.common.db import new_id
from verifyhub.ingest.models import Interaction, OtlpTrace, Session
from verifyhub.memory.models import Constraint
from verifyhub.verification.models import MentionVerdict, Verification


def test_ids_are_in_the_order_in_which_they_are_made():
    made = []
    for _ in range(200):
        made.append(new_id())
        # Longer than a step of the fraction, far shorter than a millisecond.
        until = time.perf_counter_ns() + 1_000
        while time.perf_counter_ns() < until:
            pass

    assert made == sorted(made)
    assert len(set(made)) == 200


def test_an_id_is_a_uuid_of_version_7_that_begins_with_the_time():
    before = time.time_ns() // 1_000_000
    made = new_id()
    after = time.time_ns() // 1_000_000

    assert (made.version, made.variant) == (7, "specified in RFC 4122")
    assert before <= made.int >> 80 <= after


@pytest.mark.parametrize(
    "model", [Interaction, OtlpTrace, Session, Verification, MentionVerdict, Constraint]
)
def test_rows_that_every_run_adds_have_ids_in_the_order_of_time(model):
    first, second = model(), model()

    assert first.pk.version == 7
    assert first.pk < second.pk
