"""The same material is not paid for twice: whole verifications over a real wire."""

import json
from dataclasses import replace

import pytest

from tests.builders import a_tool_call, an_interaction
from tests.factories import ProjectFactory
from tests.model_server import (
    a_call,
    an_honest_submission,
    send_json,
    the_material,
)
from tests.stored import configured_model, verify_stored
from verifyhub.engine.cross_tier.tiers import Tier
from verifyhub.inference.models import ModelCall, Opinion
from verifyhub.inference.services import forget
from verifyhub.verification.models import Verification
from verifyhub.verification.services import reverify, run_verification

pytestmark = pytest.mark.django_db

RUN = an_interaction(
    "The dates are parsed in `dates.py`, and nowhere else in this folder.",
    a_tool_call("list", output="dates.py\n"),
)


def honest(handler, request) -> None:
    send_json(handler, a_call(an_honest_submission(request, gaps=["times"])))


def misled(handler, request) -> None:
    """Call every name verified, the decoy too."""
    said = an_honest_submission(request)
    if "verified" not in said:
        send_json(handler, a_call(said))
        return
    everything = [*said["verified"], *said["unverified"]]
    send_json(handler, a_call({**said, "verified": everything, "unverified": []}))


@pytest.fixture
def server(settings):
    """A judge whose mood a test may change by `server.mood`."""

    def respond(handler, request):
        served.mood(handler, request)

    with configured_model(settings, respond) as served:
        served.mood = honest
        yield served


def verified(project, run=RUN) -> Verification:
    return verify_stored(project, run)


def of_verifiers(server) -> list:
    """The requests that judge names, and not the goal."""
    return [one for one in server.requests if "names_to_judge" in the_material(one)]


def outcomes(verification) -> list[str]:
    calls = ModelCall.objects.filter(
        verification_id=verification.id, purpose="cross_tier"
    )
    return [call.outcome for call in calls.order_by("created_at")]


def test_an_equal_answer_is_judged_once_though_every_prompt_differs(project, server):
    first, second = verified(project), verified(project)

    assert outcomes(first) == ["ok"]
    assert outcomes(second) == ["cached"]
    assert len(of_verifiers(server)) == 1
    assert first.report["gaps"] == second.report["gaps"] == ["times"]
    assert first.verdict == second.verdict


@pytest.mark.parametrize(
    "changes",
    [
        {"task": "Something else entirely?"},
        {"answer": RUN.answer + " And it is called `parse`."},
        {"tool_calls": (replace(RUN.tool_calls[0], output="dates.py\nother.py\n"),)},
    ],
)
def test_another_task_answer_or_result_is_asked_anew(project, server, changes):
    verified(project)

    assert outcomes(verified(project, replace(RUN, **changes))) == ["ok"]


def test_projects_never_share_an_opinion(project, server):
    verified(project)

    assert outcomes(verified(ProjectFactory())) == ["ok"]


def test_another_model_is_asked_anew(settings, project, server):
    verified(project)
    settings.MODELS = replace(settings.MODELS, models={Tier.MEDIUM: "medium-2"})

    assert outcomes(verified(project)) == ["ok"]


def test_what_a_misled_judge_said_is_never_kept(project, server):
    server.mood = misled
    verified(project)
    server.mood = honest

    assert outcomes(verified(project)) == ["ok"]


def test_no_control_name_and_no_nonce_is_kept(project, server):
    verified(project)

    kept = next(one.value for one in Opinion.objects.all() if "mentions" in one.value)
    (nonce,) = json.loads(of_verifiers(server)[0]["messages"][1]["content"])
    submitted = an_honest_submission(of_verifiers(server)[0])
    controls = {*submitted["verified"], *submitted["unverified"]} - {"dates.py"}
    assert nonce not in kept
    assert controls
    assert not any(name in kept for name in controls)


def test_after_an_override_an_equal_answer_is_asked_anew(project, server):
    verified(project)
    second = verified(project)

    used = second.interaction.verifications.values_list("id", flat=True)
    forget(project=project, verification_ids=used)

    assert outcomes(verified(project)) == ["ok"]


def test_an_opinion_expires(project, server):
    verified(project)
    Opinion.objects.update(expires_at="2020-01-01T00:00Z")

    assert outcomes(verified(project)) == ["ok"]


def test_whoever_asks_again_hears_the_model_anew(project, server):
    first = verified(project)
    again = reverify(interaction=first.interaction, actor=None)
    run_verification(verification_id=again.id)

    assert len(of_verifiers(server)) == 2
