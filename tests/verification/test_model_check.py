"""A worker's run with a model configured, over a real wire."""

import pytest

from tests.builders import a_tool_call, an_interaction
from tests.model_server import a_call, an_honest_submission, send_json
from tests.stored import configured_model, verify_stored

pytestmark = pytest.mark.django_db

RUN = an_interaction(
    "The dates are parsed in `dates.py`, and nowhere else in this folder.",
    a_tool_call("list", output="dates.py\n"),
)


def verified_by(settings, project, respond) -> tuple[dict, list]:
    with configured_model(settings, respond) as server:
        return verify_stored(project, RUN).report, server.requests


def test_the_models_completeness_and_gaps_reach_the_report(settings, project):
    def respond(handler, request):
        submission = an_honest_submission(request, completeness=0.7, gaps=["times"])
        send_json(handler, a_call(submission))

    report, requests = verified_by(settings, project, respond)

    assert (report["completeness"], report["gaps"]) == (0.7, ["times"])
    assert requests[0]["model"] == "medium-1"


def test_a_model_that_is_down_accepts_nothing(settings, project):
    def respond(handler, _):
        send_json(handler, {}, status=500)

    report, _ = verified_by(settings, project, respond)

    check = next(check for check in report["checks"] if check["name"] == "cross_tier")
    assert (check["outcome"], check["score"]) == ("inconclusive", None)
    assert report["verdict"] == "uncertain"
