"""The answer page shows what models said, what it took, and the agent's own view."""

import pytest
from django.urls import reverse

from tests.builders import a_tool_call, an_interaction
from tests.model_server import a_call, an_honest_submission, send_json
from tests.stored import configured_model, verify_stored

pytestmark = pytest.mark.django_db

RUN = an_interaction(
    "The dates are parsed in `dates.py`, and nowhere else in this folder.",
    a_tool_call("list", output="dates.py\n"),
    self_assessment={
        "confidence": 0.99,
        "gaps": ["<b>times</b>"],
        "reasoning": "Sure.",
    },
)


def page_of(settings, project, client, reader, respond):
    client.force_login(reader)
    with configured_model(settings, respond):
        answer = verify_stored(project, RUN).interaction_id
    return client.get(
        reverse("review:answer-checks", args=[project.slug, answer])
    ).content.decode()


def test_an_opinion_is_shown_with_its_model_and_reasoning(
    settings, project, client, viewer
):
    def respond(handler, request):
        said = an_honest_submission(request, reasoning="<i>Compared</i> both.")
        send_json(handler, a_call(said))

    page = page_of(settings, project, client, viewer, respond)

    assert "Model opinions" in page
    assert "medium-1" in page
    assert "&lt;i&gt;Compared&lt;/i&gt; both." in page
    assert "2 calls of models" in page
    assert "no price" in page


def test_what_the_agent_says_of_itself_stands_beside_the_verdict(
    settings, project, client, viewer
):
    def respond(handler, request):
        send_json(handler, a_call(an_honest_submission(request)))

    page = page_of(settings, project, client, viewer, respond)

    assert "points above the evidence" in page
    assert "&lt;b&gt;times&lt;/b&gt;" in page


def test_a_missing_opinion_is_said_to_come(settings, project, client, viewer):
    def respond(handler, _):
        send_json(handler, {}, status=503)

    page = page_of(settings, project, client, viewer, respond)

    assert "The opinion is requested again" in page
    assert "based on the trace alone" in page
