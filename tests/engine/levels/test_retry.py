import pytest

from tests.builders import an_interaction, verify
from tests.engine.levels.builders import a_block
from verifyhub.engine.reports import Action
from verifyhub.engine.thresholds import Thresholds

PATIENT = Thresholds(max_retries=100)


@pytest.mark.parametrize(("attempt", "seconds"), [(1, 2), (2, 4), (3, 8), (50, 300)])
def test_the_advice_to_wait_grows_with_every_attempt(attempt, seconds):
    run = an_interaction(structured_output=a_block(summary=None))

    decision = verify(run, thresholds=PATIENT, attempt=attempt).decision

    assert decision.as_dict()["retry_after_seconds"] == seconds


def test_it_fails_once_the_retries_are_spent():
    run = an_interaction(structured_output=a_block(summary=None))

    decision = verify(run, attempt=3).decision

    assert decision.action is Action.FAIL
    assert "retry_after_seconds" not in decision.as_dict()


def test_no_waiting_is_advised_where_no_level_failed():
    assert "retry_after_seconds" not in verify(an_interaction()).decision.as_dict()
