"""A project that has reached a cap: its answers are judged by their trace, and wait."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.conf import settings
from django.utils import timezone

from tests.builders import a_tool_call, an_interaction
from tests.model_server import a_call, an_honest_submission, model_server, send_json
from tests.stored import configured_model, verify_stored
from verifyhub.inference.models import Budget, ModelCall
from verifyhub.inference.services import set_caps
from verifyhub.review.models import ReviewItem
from verifyhub.verification.models import AwaitedOpinion, Verification
from verifyhub.verification.services import ask_again
from verifyhub.verification.services.opinions import MAX_TRIES

pytestmark = pytest.mark.django_db

RUN = an_interaction(
    "The dates are parsed in `dates.py`, and nowhere else in this folder.",
    a_tool_call("list", output="dates.py\n"),
)


@pytest.fixture
def verification(settings, project) -> Verification:
    """Verified with a model configured, and a cap that lets no call through."""
    Budget.objects.create(project=project, day_tokens=100)

    def respond(handler, request):
        send_json(handler, a_call(an_honest_submission(request)))

    with configured_model(settings, respond) as server:
        verification = verify_stored(project, RUN)
    assert server.requests == []
    return verification


def test_the_trace_decides_and_the_model_waits(verification):
    check = next(c for c in verification.report["checks"] if c["name"] == "cross_tier")

    assert verification.state == "finished"
    assert verification.verdict == "uncertain"
    assert (check["score"], check["reason"]) == (None, "budget")
    assert set(ModelCall.objects.values_list("outcome", flat=True)) == {"budget"}


def test_the_answers_page_says_until_when(verification, viewer, browse):
    url = f"/p/acme/answers/{verification.interaction_id}/"

    page = browse(viewer).get(url).content.decode()

    assert "Out of budget." in page
    assert "tokens per day" in page
    assert "00:00 UTC" in page


def test_once_the_cap_allows_it_the_page_says_that_it_is_asked_again(
    verification, viewer, browse
):
    Budget.objects.update(refused_by="", refused_at=None)

    page = browse(viewer).get(f"/p/acme/answers/{verification.interaction_id}/")

    assert "Out of budget." not in page.content.decode()
    assert "A cap blocked a model call" in page.content.decode()


def test_other_caps_let_it_be_asked_for_at_once(verification, project):
    row = AwaitedOpinion.objects.get()
    assert row.next_at > timezone.now()

    set_caps(project=project, values={"day_tokens": 10**6}, actor=None)

    row.refresh_from_db()
    assert row.next_at <= timezone.now()


def asked_once_more(verification, project) -> AwaitedOpinion:
    # The database's clock stands still in a test's transaction.
    AwaitedOpinion.objects.update(next_at=timezone.now() - timedelta(hours=1))
    with model_server(lambda handler, _: send_json(handler, {}, status=500)) as server:
        settings.MODELS = replace(settings.MODELS, base_url=server.base_url)
        ask_again(verification_id=verification.id)
    assert server.requests == []
    return AwaitedOpinion.objects.get()


def test_waiting_for_a_day_to_end_is_no_try(verification, project):
    assert asked_once_more(verification, project).attempts == 0


def test_a_cap_that_no_clock_lifts_is_given_up(verification, project):
    """A verdict's own cap: whoever asks again meets it again."""
    Budget.objects.update(day_tokens=None, verdict_tokens=10)

    tries = [asked_once_more(verification, project).attempts for _ in range(MAX_TRIES)]

    assert tries == list(range(1, MAX_TRIES + 1))
    assert AwaitedOpinion.objects.get().state == AwaitedOpinion.State.FAILED
    assert ReviewItem.objects.get().reason_kinds == ["opinion_missing"]


def test_too_many_calls_at_once_wait_only_a_moment(verification, project):
    Budget.objects.update(day_tokens=None, calls_at_once=0)

    row = asked_once_more(verification, project)

    assert (row.reason, row.attempts) == ("busy", 0)
    assert row.next_at < timezone.now() + timedelta(seconds=60)
    assert set(ModelCall.objects.values_list("outcome", flat=True)) == {"budget"}
